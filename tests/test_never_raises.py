"""Whatever an object holds, validators answer: with errors, never with an exception, and the same way every time."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decoded import Subject, case_of, manifests, mutants_of, odd_keys, sample, scalars, subjects, values_with
from tests.tables import each
from tests.thorough import drawn
from validation_gen.ir import StructRef
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.registry import Kind

_options = st.one_of(
    st.none(),
    st.dictionaries(st.one_of(st.sampled_from(["Boost", "Crew", "RobotSwarming", "FlightPermits"]), odd_keys), scalars),
)
_subresources = st.one_of(st.just("/"), st.sampled_from(["/status", "/scale", "", "status", "//", "\0"]), st.text())


@st.composite
def _subject_and_kind(draw: st.DrawFn) -> tuple[Subject, Kind]:
    subject = draw(st.sampled_from(subjects()))
    return subject, draw(st.sampled_from(subject.registry.kinds))


# --- what has to hold -----------------------------------------------------------------------------------------------

Run = Callable[[], list[FieldError]]


def _answers(run: Run) -> list[str]:
    """The errors of a run as text. Each can be shown, and sent as JSON if its value can be."""
    errors = run()
    for error in errors:
        assert isinstance(error, FieldError)
        assert str(error).startswith(f"{error.field}: ")
        assert json.dumps(error.as_dict(), default=repr, skipkeys=True)
    return [str(error) for error in errors]


def _always_the_same(run: Run, *arguments: Any) -> None:
    """Two runs say the same and leave their arguments as they were."""
    before = repr(arguments)
    first = _answers(run)
    assert _answers(run) == first
    assert repr(arguments) == before


@settings(max_examples=drawn(150), deadline=None)
@given(st.data())
def test_any_value_is_answered(data: st.DataObject) -> None:
    subject, kind = data.draw(_subject_and_kind())
    values = values_with(subject.names)
    obj, old = data.draw(values), data.draw(st.one_of(st.none(), values))
    update = data.draw(st.booleans())
    options, subresource = data.draw(_options), data.draw(_subresources)
    _always_the_same(
        lambda: subject.registry.run(
            kind,
            obj,
            old,
            update=update,
            options=options,
            subresource=subresource,
        ),
        obj,
        old,
        options,
    )


@settings(max_examples=drawn(100), deadline=None)
@given(st.data())
def test_any_object_is_answered_by_the_front_door(data: st.DataObject) -> None:
    registry = sample().registry
    kinds = [kind for kind in registry.kinds if kind.api_version]
    kind = data.draw(st.sampled_from(kinds))
    fields = data.draw(st.dictionaries(st.sampled_from(sample().names), values_with(sample().names), max_size=5))
    named = {"apiVersion": kind.api_version, "kind": kind.name, **fields}
    obj = data.draw(st.one_of(st.just(named), st.just(fields), values_with(sample().names)))
    old = data.draw(st.one_of(st.none(), st.just(named), values_with(sample().names)))
    type = data.draw(
        st.one_of(st.none(), st.sampled_from([kind.name, f"{kind.package}.{kind.name}", "", "."]), st.text())
    )
    _always_the_same(lambda: registry.validate(obj, old, type=type), obj, old)


@settings(max_examples=drawn(100), deadline=None)
@given(st.data())
def test_a_damaged_manifest_is_answered(data: st.DataObject) -> None:
    registry, names = sample().registry, sample().names
    valid = data.draw(st.sampled_from(manifests()))
    obj = data.draw(mutants_of(valid, names))
    old = data.draw(st.one_of(st.none(), st.just(valid), mutants_of(valid, names)))
    options = {"RobotSwarming": True, "FlightPermits": False}
    kind = registry.of_object(valid)
    assert kind is not None
    update = old is not None
    _always_the_same(lambda: registry.run(kind, obj, old, update=update, options=options), obj, old)
    _always_the_same(lambda: registry.validate(obj, old, options=options), obj, old)


# --- ratcheting -----------------------------------------------------------------------------------------------------


def _ratchets(subject: Subject, kind: Kind) -> bool:
    """Whether nothing can be said of an unchanged object. Rules of the object itself are looked at on every update."""
    plan = subject.plan(kind)
    unions = {"union", "zeroOrOneOf"}
    return isinstance(plan.shape, StructRef) and all(e.origin in unions for c in plan.checks for e in c.emits)


@settings(max_examples=drawn(150), deadline=None)
@given(st.data())
def test_an_unchanged_object_breaks_no_rule(data: st.DataObject) -> None:
    subject, kind = data.draw(_subject_and_kind().filter(lambda pair: _ratchets(*pair)))
    obj = data.draw(st.dictionaries(st.sampled_from(subject.names), values_with(subject.names), max_size=5))
    subresource = (kind.subresources or ("/",))[0]
    errors = subject.registry.run(kind, obj, copy.deepcopy(obj), update=True, subresource=subresource)
    assert [str(error) for error in errors if error.type is not ErrorType.TYPE_INVALID] == []


def test_an_unchanged_manifest_breaks_no_rule() -> None:
    registry = sample().registry
    for obj in manifests():
        kind = registry.of_object(obj)
        assert kind is not None
        subresource = (kind.subresources or ("/",))[0]
        assert registry.run(kind, obj, copy.deepcopy(obj), update=True, subresource=subresource) == []


# --- depth ----------------------------------------------------------------------------------------------------------

_DEPTH = 3 * sys.getrecursionlimit()


def _deep(wrap: Callable[[Any], Any], innermost: Any = None) -> Any:
    value = innermost
    for _ in range(_DEPTH):
        value = wrap(value)
    return value


@each(
    "wrap",
    [
        lambda value: {"left": value},
        lambda value: {"name": "a", "children": [value]},
        lambda value: {"name": "a", "byName": {"k": value}},
        lambda value: {"friends": [value]},
        lambda value: [value],
        lambda value: {"left": [value]},
    ],
)
@each("update", [False, True])
def test_depth_is_answered(wrap: Callable[[Any], Any], update: bool) -> None:
    registry = case_of("shape-recursion").registry
    obj = _deep(wrap)
    for kind in registry.kinds:
        olds: list[Any] = [None, {}, _deep(wrap), obj]
        for old in olds:
            errors = registry.run(kind, obj, old, update=update)
            assert all(str(error) for error in errors)


def test_depth_where_anything_goes() -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    obj = {"name": "a", "number": 5, "inner": {"b": 1}, "anything": _deep(lambda value: [{"a": value}])}
    assert registry.run(kind, obj) == []
    assert registry.run(kind, obj, {**obj, "anything": _deep(lambda value: [{"a": value}])}, update=True) == []


@pytest.mark.parametrize("number", [10**5000, -(10**5000)], ids=["large", "small"])
def test_numbers_beyond_all_limits_are_answered(number: int) -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    objects: list[Any] = [number, {"number": number}, {"name": number, "ratio": number}, {"anything": {number: number}}]
    for obj in objects:
        for old in (None, obj):
            errors = registry.run(kind, obj, old, update=old is not None)
            assert all(str(error) for error in errors)


def test_keys_beyond_all_limits_are_answered() -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    assert registry.run(kind, {"byNumber": {10**5000: ""}, "map": {10**5000: {}}})


def test_cycles_are_answered() -> None:
    registry = case_of("shape-recursion").registry
    (kind,) = registry.of_type("Tree")
    tree: dict[str, Any] = {"name": "a"}
    tree["left"] = tree
    tree["children"] = [tree]
    for _ in range(100):  # native code takes part after a few dozen objects
        registry.run(kind, {"name": "a"}, None)
    olds: list[dict[str, Any] | None] = [None, tree, {}]
    for old in olds:
        errors = registry.run(kind, tree, old, update=old is not None)
        assert all(str(error) for error in errors)
