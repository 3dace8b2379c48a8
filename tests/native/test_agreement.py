"""Native code says yes only where Python has nothing to report: for all cases, and for objects drawn and damaged."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_folders import all_cases
from tests.decoded import case_of, manifests, mutants_of, sample, subjects, values_with
from tests.native.damage import damaged
from tests.native.twoways import Asked, find_kind, needs_native, vary
from tests.thorough import drawn
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Kind

pytestmark = needs_native

_CASES = [case for case in all_cases() if case.requests()]


def test_cases() -> None:
    """The sanitizers of `.ci/check-native` see these requests, too."""
    for case in _CASES:
        rng = random.Random(case.name)
        creates: dict[str, list[Asked]] = {}
        for request in case.requests():
            if kind := find_kind(case, request):
                for asked in vary(case, request, kind):
                    asked.agree()
                    if isinstance(asked.obj, dict) and not asked.update:
                        creates.setdefault(kind.name, []).append(asked)
        for of_kind in creates.values():
            for asked in of_kind:
                _damage(asked, of_kind, rng)


def _damage(asked: Asked, of_kind: list[Asked], rng: random.Random) -> None:
    """Asks about damaged copies: as creates, and as updates of the object, of worse copies and of other objects."""
    rest = (asked.options, asked.subresource)
    for _ in range(drawn(20, least=6)):
        other, share = damaged(asked.obj, rng), rng.random()
        old = asked.obj if share < 0.3 else damaged(other, rng) if share < 0.7 else rng.choice(of_kind).obj
        for update in (False, True):
            Asked(asked.registry, asked.kind, other, old, update, *rest).agree()


@settings(max_examples=drawn(400), deadline=None)
@given(st.data())
def test_any_value(data: st.DataObject) -> None:
    subject = data.draw(st.sampled_from(subjects()))
    kind = data.draw(st.sampled_from(subject.registry.kinds))
    values = values_with(subject.names)
    old = data.draw(st.one_of(st.none(), values))
    obj = data.draw(values if old is None else st.one_of(st.just(copy.deepcopy(old)), values))
    Asked(subject.registry, kind, obj, old, old is not None).agree()


@settings(max_examples=drawn(400), deadline=None)
@given(st.data())
def test_damaged_manifests(data: st.DataObject) -> None:
    registry, names = sample().registry, sample().names
    valid = data.draw(st.sampled_from(manifests()))
    kind = registry.of_object(valid)
    assert kind is not None
    options = data.draw(st.sampled_from([None, {"RobotSwarming": True, "FlightPermits": False}]))
    obj = data.draw(mutants_of(valid, names))
    Asked(registry, kind, obj, options=options).agree()
    Asked(registry, kind, obj, valid, True, options).agree()
    Asked(registry, kind, obj, data.draw(mutants_of(obj, names)), True, options).agree()


def _valid_manifests() -> list[tuple[Kind, dict[str, Any]]]:
    options = {"RobotSwarming": True, "FlightPermits": True}
    found = [(kind, obj) for obj in manifests() if (kind := sample().registry.of_object(obj))]
    return [
        (kind, obj)
        for kind, obj in found
        if not Asked(sample().registry, kind, obj, options=options).errors() and "/" in (kind.subresources or ())
    ]


def test_nearly_all_valid_objects_are_certain() -> None:
    """Python is there for what is wrong: that it is asked about a valid manifest is worth to be known."""
    options = {"RobotSwarming": True, "FlightPermits": True}
    found = _valid_manifests()
    assert len(found) >= 5
    for kind, obj in found:
        assert Asked(sample().registry, kind, obj, options=options).certain(), obj["metadata"]["name"]
        again: dict[str, Any] = copy.deepcopy(obj)
        assert Asked(sample().registry, kind, again, obj, True, options).certain()
        again.setdefault("metadata", {}).setdefault("labels", {})["changed"] = "yes"
        assert Asked(sample().registry, kind, again, obj, True, options).certain()


class _Object(dict[str, Any]):
    """As some readers of YAML return them."""


class _Text(str):
    __slots__ = ()


class _Number(int):
    pass


_VALID: dict[str, Any] = {"name": "a", "number": 5, "inner": {"b": 1}}


@pytest.mark.parametrize(
    "obj",
    [
        {**_VALID, "number": True},
        {**_VALID, "number": 5.0},
        {**_VALID, "number": 2**63},
        {**_VALID, "name": "a\ud800"},
        _VALID | dict[Any, Any]({1: 2}),
        {**_VALID, "name": _Text("a")},
        {**_VALID, "number": _Number(5)},
        {**_VALID, "inner": _Object(b=1)},
        _Object(_VALID),
        {**_VALID, "inner": []},
        None,
        [],
        "name",
    ],
)
def test_what_only_looks_right_is_left_to_python(obj: Any) -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    assert Asked(registry, kind, _VALID).certain()
    assert not Asked(registry, kind, obj).certain()
    Asked(registry, kind, obj, copy.deepcopy(obj), update=True).agree()


def test_a_call_is_as_sure_as_a_run() -> None:
    """Calls and `run` both use native code after warm-up."""
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    validator = registry._validator(kind)
    valid, wrong = _VALID, {**_VALID, "number": "5"}
    for _ in range(100):
        assert validator(valid) == validator(valid, dict(valid)) == validator(valid, {"name": "b"}) == []
        assert [str(e) for e in validator(wrong)] == [str(e) for e in validator.run(wrong)] != []
    accepts = validator._acceptor(Operation())
    assert accepts is not None
    assert accepts(valid)
    assert not accepts(wrong)


def test_tables_do_not_depend_on_who_asks_first() -> None:
    """An update that is asked first must not make a table that is too easy for a create."""
    for case in _CASES:
        for request in case.requests():
            kind = find_kind(case, request)
            if kind is None or request.old is None:
                continue
            validator = case.registry()._validator(kind)
            if validator._fastpath is not None:
                validator._fastpath.clear()
            rest = (request.options, request.subresource)
            Asked(case.registry(), kind, request.obj, request.old, True, *rest).agree()
            Asked(case.registry(), kind, request.obj, None, False, *rest).agree()
