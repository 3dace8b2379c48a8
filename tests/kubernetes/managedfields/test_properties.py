"""Promises of server-side apply for any object, and for managed fields that are made up."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kubernetes.managedfields.sequences import NOW, draw
from tests.tables import each
from tests.thorough import THOROUGH, drawn
from validation_gen.kubernetes.managedfields import (
    ConflictError,
    FieldManager,
    FieldSet,
    FieldSetError,
    MissingVersionError,
    TypeConflictError,
    conflict_message,
    make_type,
)
from validation_gen.kubernetes.managedfields.entries import read_managed
from validation_gen.kubernetes.managedfields.fieldset import Path

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=drawn(400, least=15), deadline=None)

_TEXT, _TEXTS = {"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}
_SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                **dict.fromkeys(("a", "b", "c", "d"), _TEXT),
                "labels": _TEXTS,
                "set": {"type": "array", "x-kubernetes-list-type": "set", "items": _TEXT},
                "atoms": {"type": "array", "items": _TEXT},
                "ports": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {"type": "object", "properties": dict.fromkeys(("name", "a", "b"), _TEXT)},
                },
            },
        }
    },
}
TYPES = {f"ex.com/{version}": make_type(_SCHEMA) for version in ("v1", "v2")}


def fields(types: dict[str, Any] = TYPES, version: str = "v1") -> FieldManager:
    def convert(obj: dict[str, Any], api_version: str) -> dict[str, Any]:
        if api_version not in types:
            raise MissingVersionError(api_version)
        return {**obj, "apiVersion": api_version}

    return FieldManager((f"ex.com/{version}", "Thing"), types, convert)


def thing(spec: Any, **meta: Any) -> dict[str, Any]:
    return {"apiVersion": "ex.com/v1", "kind": "Thing", "metadata": {"name": "n", **meta}, "spec": spec}


_LETTERS = st.sampled_from("xyz")


def _name(port: Any) -> str:
    return str(port["name"])


#: Lists are not empty: upstream has no field for an empty set or list with keys, and removes its parent with the last
#: field beside it.
SPECS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["a", "b", "c", "d"], _LETTERS),
        "labels": st.dictionaries(_LETTERS, _LETTERS, max_size=2),
        "set": st.lists(_LETTERS, unique=True, min_size=1),
        "atoms": st.lists(_LETTERS, max_size=2),
        "ports": st.lists(
            st.fixed_dictionaries({"name": _LETTERS}, optional={"a": _LETTERS, "b": _LETTERS}),
            unique_by=_name,
            min_size=1,
        ),
    },
)


def owned(live: dict[str, Any]) -> dict[str, set[Path]]:
    """Returns the paths of each manager."""
    managed = read_managed(live["metadata"].get("managedFields"))
    return {manager.name: set(its.fields.paths()) for manager, its in managed.owners.items()}


def present(obj: dict[str, Any]) -> set[Path]:
    """Returns the paths of an object: those that a manager has which applies it alone."""
    applied = fields().apply(None, thing(obj.get("spec") or {}), "alone", NOW)
    return owned(applied).get("alone", set())


@given(SPECS, SPECS, SPECS)
@FEW
def test_apply_is_idempotent(first: Any, second: Any, third: Any) -> None:
    live = fields().apply(None, thing(first), "a", NOW)
    live = fields().apply(live, thing(second), "b", NOW, force=True)
    once = fields().apply(live, thing(third), "a", NOW, force=True)
    assert fields().apply(once, thing(third), "a", "2027-01-01T00:00:00Z", force=True) == once


@given(SPECS, SPECS)
@FEW
def test_a_forced_configuration_has_no_conflicts_afterwards(first: Any, second: Any) -> None:
    live = fields().update(None, thing(first), "a", NOW)
    live = fields().apply(live, thing(second), "b", NOW, force=True)
    assert fields().apply(live, thing(second), "b", NOW) == live


@given(SPECS, SPECS, SPECS)
@FEW
def test_removed_fields_lose_their_owner(first: Any, other: Any, second: Any) -> None:
    live = fields().apply(None, thing(first), "a", NOW)
    live = fields().apply(live, thing(other), "b", NOW, force=True)
    live = fields().apply(live, thing(second), "a", NOW, force=True)
    wanted = present(thing(second))
    assert owned(live).get("a", set()) == wanted
    # What neither of both applies is gone.
    for path in present(thing(first)) - wanted - owned(live).get("b", set()):
        below = any(each_path[: len(path)] == path for each_path in wanted | owned(live).get("b", set()))
        assert below or path not in present(live)


@given(SPECS, SPECS)
@FEW
def test_an_update_takes_what_it_changes(first: Any, second: Any) -> None:
    live = fields().apply(None, thing(first), "a", NOW)
    live["metadata"]["uid"] = "u"
    found = fields().update(live, thing(second, uid="u"), "b", NOW)
    before, after = owned(live).get("a", set()), owned(found)
    assert after.get("a", set()) <= before
    for path in before - after.get("a", set()):
        assert path not in present(found) or path in after["b"]
    assert not after.get("a", set()) & after.get("b", set())


@given(SPECS, SPECS)
@FEW
def test_what_is_extracted_can_be_applied_again(first: Any, second: Any) -> None:
    live = fields().update(None, thing(first), "a", NOW)
    live = fields().apply(live, thing(second), "b", NOW, force=True)
    config = fields().extract(live, "b")
    if config is None:
        assert "b" not in owned(live)
        return
    config["metadata"] = {"name": "n", **(config.get("metadata") or {})}
    again = fields().apply(live, config, "b", NOW)
    assert again["spec"] == live["spec"]
    assert owned(again)["b"] <= owned(live)["b"]
    assert fields().extract(live, "nobody") is None


@given(SEEDS)
@FEW
def test_fields_are_read_as_they_are_written(seed: int) -> None:
    _, answers, _ = draw(seed, steps=4)
    for answer in answers:
        for entry in answer.get("object", {}).get("metadata", {}).get("managedFields") or ():
            its = FieldSet.from_json(json.loads(json.dumps(entry["fieldsV1"])))
            assert its.to_json() == entry["fieldsV1"]
            assert FieldSet.from_paths(*its.paths()) == its


def test_random_sequences_end_with_objects_or_errors() -> None:
    for seed in range(10_000 if THOROUGH else 30):
        _, answers, _ = draw(seed, steps=9, wrong=0.08 if seed % 2 else None)
        assert all(answer.keys() & {"object", "error"} for answer in answers)


def test_owners_in_versions_that_are_gone_are_dropped() -> None:
    live = fields().update(None, thing({"a": "x"}), "one", NOW)
    live = fields(version="v2").update(live, {**thing({"a": "x", "b": "y"}), "apiVersion": "ex.com/v2"}, "two", NOW)
    assert owned(live).keys() == {"one", "two"}
    new = {"ex.com/v2": TYPES["ex.com/v2"]}
    config = {**thing({"c": "z"}), "apiVersion": "ex.com/v2"}
    assert owned(fields(new, "v2").apply(live, config, "three", NOW)).keys() == {"two", "three"}


def test_old_updaters_become_one() -> None:
    live: dict[str, Any] | None = None
    for number in range(14):
        labels = {f"l{each_number:02}": "x" for each_number in range(number + 1)}
        uid = {} if live is None else {"uid": "u"}
        live = fields().update(
            live, thing({"labels": labels}, **uid), f"m{number:02}", f"2026-01-01T00:00:{number:02}Z"
        )
    assert live is not None
    assert list(owned(live)) == ["ancient-changes", *(f"m{number:02}" for number in range(5, 14))]
    assert live["metadata"]["managedFields"][0]["time"] == "2026-01-01T00:00:04Z"


def test_a_client_side_apply_becomes_one_of_the_server() -> None:
    last = json.dumps(thing({"a": "x"}))
    notes = {"kubectl.kubernetes.io/last-applied-configuration": last}
    live = fields().update(None, thing({"a": "x"}, annotations=notes), "kubectl-client-side-apply", NOW)
    live["metadata"]["uid"] = "u"
    with pytest.raises(ConflictError) as found:
        fields().apply(live, thing({"a": "y"}), "other", NOW)
    owner = '"kubectl-client-side-apply" using ex.com/v1'
    assert conflict_message(found.value) == f"Apply failed with 1 conflict: conflict with {owner}: .spec.a"
    taken = fields().apply(live, thing({"a": "y"}), "kubectl", NOW)
    assert taken["spec"] == {"a": "y"}
    assert json.loads(taken["metadata"]["annotations"].popitem()[1]) == thing({"a": "y"})


# --- managed fields that are made up -------------------------------------------------------------------------

_ENTRY = {"apiVersion": "ex.com/v1", "fieldsType": "FieldsV1", "fieldsV1": {}, "manager": "m", "operation": "Update"}


def _nested(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(depth):
        found = {"f:a": found}
    return found


def _many(count: int) -> dict[str, tuple[Any, str]]:
    return {
        "many entries": ([{**_ENTRY, "manager": f"m{number}"} for number in range(count)], ""),
        "many fields": ([{**_ENTRY, "fieldsV1": {f"f:{number}": {} for number in range(count)}}], ""),
    }


#: Managed fields, and the beginning of the server's words; none where they are allowed.
HOSTILE: dict[str, tuple[Any, str]] = {
    "no list": ({"manager": "m"}, "managed fields are no list"),
    "a text": ("all", "managed fields are no list"),
    "no object": ([5], "managed fields entry 0 is no object"),
    "a number for a name": ([{**_ENTRY, "manager": 5}], "manager must be a string in managed fields entry 0"),
    "a list for a time": ([{**_ENTRY, "time": ["x"]}], "time must be a string in managed fields entry 0"),
    "no operation": ([{**_ENTRY, "operation": None}], "operation must be `Apply` or `Update`"),
    "another operation": ([{**_ENTRY, "operation": "Own"}], "operation must be `Apply` or `Update`"),
    "no version": ([{**_ENTRY, "apiVersion": ""}], "apiVersion must not be empty"),
    "no type": ([{**_ENTRY, "fieldsType": ""}], "missing fieldsType in managed fields entry 0"),
    "another type": ([{**_ENTRY, "fieldsType": "V2"}], 'invalid fieldsType "V2" in managed fields entry 0'),
    "fields that are a text": ([{**_ENTRY, "fieldsV1": "f:a"}], "error decoding set"),
    "a number below a field": ([{**_ENTRY, "fieldsV1": {"f:a": 5}}], "error decoding set"),
    "no element": ([{**_ENTRY, "fieldsV1": {"a": {}}}], "error decoding set"),
    "no colon": ([{**_ENTRY, "fieldsV1": {"spec": {}}}], "error decoding set"),
    "no index": ([{**_ENTRY, "fieldsV1": {"i:x": {}}}], "error decoding set"),
    "no key": ([{**_ENTRY, "fieldsV1": {"k:[1]": {}}}], "error decoding set"),
    "no JSON": ([{**_ENTRY, "fieldsV1": {"v:{": {}}}], "error decoding set"),
    "a deep value": ([{**_ENTRY, "fieldsV1": {"v:" + "[" * 100_000: {}}}], "error decoding set"),
    "a deep set": ([{**_ENTRY, "fieldsV1": _nested(10_000)}], "error decoding set"),
    "elements of the future": ([{**_ENTRY, "fieldsV1": {"x:new": {"y": 1}, "f:spec": None}}], ""),
    "an unknown version": ([{**_ENTRY, "apiVersion": "gone.com/v7", "fieldsV1": {"f:spec": {}}}], ""),
    "fields that are not there": ([{**_ENTRY, "fieldsV1": {"f:spec": {"f:zz": {"k:{}": {"i:7": {}}}}}}], ""),
    **_many(1_000),
}


@pytest.mark.slow
@each("entries, words", lambda: _many(100_000).values())
def test_very_many_made_up_entries(entries: Any, words: str) -> None:
    check_entries(entries, words)


@each("name", list(HOSTILE))
def test_made_up_entries_end_with_words(name: str) -> None:
    check_entries(*HOSTILE[name])


def check_entries(entries: Any, words: str) -> None:
    live = thing({"a": "x"}, uid="u", managedFields=entries)
    if words:
        with pytest.raises(FieldSetError, match=words.replace("`", ".")):
            read_managed(entries)
        with pytest.raises(TypeConflictError, match=f"failed to decode managed fields: {words}"):
            fields().apply(live, thing({"b": "y"}), "b", NOW)
    else:
        found = fields().apply(live, thing({"b": "y"}), "b", NOW, force=True)
        assert found["spec"] == {"a": "x", "b": "y"}
    found = fields().update(live, thing({"a": "x", "c": "z"}, uid="u", managedFields=entries), "c", NOW)
    assert found["spec"] == {"a": "x", "c": "z"}
    assert len(found["metadata"].get("managedFields") or ()) <= 11


def test_deep_objects_end_with_words() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = {"a": deep}
    types = {"ex.com/v1": make_type({"type": "object", "x-kubernetes-preserve-unknown-fields": True})}
    with pytest.raises(TypeConflictError, match="exceeded max depth"):
        fields(types).apply(None, thing(deep), "a", NOW)
    assert "managedFields" not in fields(types).update(None, thing(deep), "a", NOW)["metadata"]
    with pytest.raises(TypeConflictError, match="error converting obj to typed"):
        fields(types).extract(thing(deep), "a")
    with pytest.raises(TypeConflictError, match="error converting obj to typed: no corresponding type for other/v1"):
        fields().extract({**thing({}), "apiVersion": "other/v1"}, "a")


# --- growth -----------------------------------------------------------------------------------------------------------


def _calls(work: Callable[[], object]) -> int:
    """Returns the number of calls of functions."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def _prepare_apply(ports: int, managers: int) -> Callable[[], object]:
    """Returns an apply to an object with many fields and managers, in which some items are changed and removed."""
    items = [{"name": f"p{number}", "a": "x", "b": "y"} for number in range(ports)]
    labels = {f"l{number}": "x" for number in range(ports)}
    live = fields().apply(None, thing({"ports": items, "labels": labels}), "a", NOW)
    for number in range(managers):
        live = fields().apply(live, thing({"ports": [{"name": f"q{number}"}]}), f"m{number}", NOW)
    new = copy.deepcopy(items)
    new[0]["a"] = "z"
    config = thing({"ports": new[:-1], "labels": labels})
    return lambda: fields().apply(live, config, "a", NOW)


def test_work_grows_with_fields_and_with_managers() -> None:
    few, many = (_calls(_prepare_apply(ports, 3)) for ports in (50, 200))
    assert many < 4.4 * few
    few, many = (_calls(_prepare_apply(10, managers)) for managers in (25, 100))
    assert many < 4.4 * few
