"""Whatever an object holds, validators answer: with errors, never with an exception, and the same way every time."""

from __future__ import annotations

import copy
import datetime
import functools
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_folders import CASES, ROOT, Case, inside
from validation_gen.ir import Program, StructRef, TypePlan
from validation_gen.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.registry import Kind, Registry

_SOME_CASES = [
    "each-key",
    "each-val",
    "format",
    "if-enabled",
    "immutable",
    "item",
    "list-map-key",
    "list-type",
    "shape-embedded",
    "shape-pointers",
    "shape-recursion",
    "shape-wellknown",
    "subfield",
    "union-discriminator",
    "wrong-types",
]


@dataclass(frozen=True)
class Subject:
    """A program with its validators."""

    program: Program
    registry: Registry

    @property
    def names(self) -> list[str]:
        """All names that objects of the program can have."""
        found = {member.json for members in self.program.structs.values() for member in members}
        return sorted({*found, "apiVersion", "kind", "unknown"})

    def plan(self, kind: Kind) -> TypePlan:
        return self.program.types[f"{kind.package}.{kind.name}"]


@functools.cache
def _sample() -> Subject:
    """The sample API."""
    with inside(ROOT / "testdata" / "apis"):
        program = build_program(Settings((".",))).program
    return Subject(program, load_validators(program))


@functools.cache
def _case(name: str) -> Subject:
    case = Case(CASES / name)
    return Subject(case.build().program, case.registry())


@functools.cache
def _subjects() -> list[Subject]:
    return [_sample(), *map(_case, _SOME_CASES)]


@functools.cache
def _manifests() -> list[dict[str, Any]]:
    files = sorted((ROOT / "testdata" / "manifests").glob("*.yaml"))
    documents = [d for file in files for d in yaml.safe_load_all(file.read_text(encoding="utf-8"))]
    return [d for d in documents if _sample().registry.of_object(d) is not None]


# --- what decoders return -------------------------------------------------------------------------------------------

_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.integers(),
    st.sampled_from([2**31, -(2**63), 2**64, -(10**400)]),
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf]),
    st.text(max_size=8),
    st.sampled_from(
        ["", "a", "main", "Camera", "1", "1Gi", "1h", "2024-01-01T00:00:00Z", "aGk=", "\ud800", "a\n", "/"]
    ),
    st.binary(max_size=4),
    st.dates(),
    st.datetimes(timezones=st.sampled_from([None, datetime.timezone.utc])),
)
_odd_keys = st.one_of(
    st.text(max_size=3), st.integers(-2, 300), st.booleans(), st.none(), st.floats(), st.dates(), st.binary(max_size=2)
)


def _values(names: list[str]) -> st.SearchStrategy[Any]:
    """Anything, often with names that mean something."""
    keys = st.one_of(st.sampled_from(names), st.sampled_from(names), _odd_keys)
    return st.recursive(
        _scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=6)),
        max_leaves=25,
    )


@st.composite
def _mutants(draw: st.DrawFn, valid: Any, names: list[str]) -> Any:
    """A copy of an object with a few of its parts replaced, taken away or doubled."""
    whole = {"": copy.deepcopy(valid)}
    for _ in range(draw(st.integers(1, 3))):
        where: Any = whole
        while True:
            places = list(where) if isinstance(where, dict) else list(range(len(where)))
            place = draw(st.sampled_from(places))
            below = where[place]
            if not (isinstance(below, (dict, list)) and below) or draw(st.integers(0, 3)) == 0:
                break
            where = below
        action = draw(st.sampled_from(["replace", "drop", "double"]))
        if action == "drop" and where is not whole:
            del where[place]
        elif action == "double" and isinstance(where, list):
            where.append(copy.deepcopy(where[place]))
        else:
            where[place] = draw(_values(names))
    return whole[""]


_options = st.one_of(
    st.none(),
    st.dictionaries(
        st.one_of(st.sampled_from(["Boost", "Crew", "RobotSwarming", "FlightPermits"]), _odd_keys), _scalars
    ),
)
_subresources = st.one_of(st.just("/"), st.sampled_from(["/status", "/scale", "", "status", "//", "\0"]), st.text())


@st.composite
def _subject_and_kind(draw: st.DrawFn) -> tuple[Subject, Kind]:
    subject = draw(st.sampled_from(_subjects()))
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


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_value_is_answered(data: st.DataObject) -> None:
    subject, kind = data.draw(_subject_and_kind())
    values = _values(subject.names)
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


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_object_is_answered_by_the_front_door(data: st.DataObject) -> None:
    registry = _sample().registry
    kinds = [kind for kind in registry.kinds if kind.api_version]
    kind = data.draw(st.sampled_from(kinds))
    fields = data.draw(st.dictionaries(st.sampled_from(_sample().names), _values(_sample().names), max_size=5))
    named = {"apiVersion": kind.api_version, "kind": kind.name, **fields}
    obj = data.draw(st.one_of(st.just(named), st.just(fields), _values(_sample().names)))
    old = data.draw(st.one_of(st.none(), st.just(named), _values(_sample().names)))
    type = data.draw(
        st.one_of(st.none(), st.sampled_from([kind.name, f"{kind.package}.{kind.name}", "", "."]), st.text())
    )
    _always_the_same(lambda: registry.validate(obj, old, type=type), obj, old)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_manifest_is_answered(data: st.DataObject) -> None:
    registry, names = _sample().registry, _sample().names
    valid = data.draw(st.sampled_from(_manifests()))
    obj = data.draw(_mutants(valid, names))
    old = data.draw(st.one_of(st.none(), st.just(valid), _mutants(valid, names)))
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


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_an_unchanged_object_breaks_no_rule(data: st.DataObject) -> None:
    subject, kind = data.draw(_subject_and_kind().filter(lambda pair: _ratchets(*pair)))
    obj = data.draw(st.dictionaries(st.sampled_from(subject.names), _values(subject.names), max_size=5))
    subresource = (kind.subresources or ("/",))[0]
    errors = subject.registry.run(kind, obj, copy.deepcopy(obj), update=True, subresource=subresource)
    assert [str(error) for error in errors if error.type is not ErrorType.TYPE_INVALID] == []


def test_an_unchanged_manifest_breaks_no_rule() -> None:
    registry = _sample().registry
    for obj in _manifests():
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


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("update", [False, True])
def test_depth_is_answered(wrap: Callable[[Any], Any], update: bool) -> None:
    registry = _case("shape-recursion").registry
    obj = _deep(wrap)
    for kind in registry.kinds:
        olds: list[Any] = [None, {}, _deep(wrap), obj]
        for old in olds:
            errors = registry.run(kind, obj, old, update=update)
            assert all(str(error) for error in errors)


def test_depth_where_anything_goes() -> None:
    registry = _case("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    obj = {"name": "a", "number": 5, "inner": {"b": 1}, "anything": _deep(lambda value: [{"a": value}])}
    assert registry.run(kind, obj) == []
    assert registry.run(kind, obj, {**obj, "anything": _deep(lambda value: [{"a": value}])}, update=True) == []


@pytest.mark.parametrize("number", [10**5000, -(10**5000)], ids=["large", "small"])
def test_numbers_beyond_all_limits_are_answered(number: int) -> None:
    registry = _case("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    objects: list[Any] = [number, {"number": number}, {"name": number, "ratio": number}, {"anything": {number: number}}]
    for obj in objects:
        for old in (None, obj):
            errors = registry.run(kind, obj, old, update=old is not None)
            assert all(str(error) for error in errors)


def test_keys_beyond_all_limits_are_answered() -> None:
    registry = _case("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    assert registry.run(kind, {"byNumber": {10**5000: ""}, "map": {10**5000: {}}})


def test_cycles_are_answered() -> None:
    registry = _case("shape-recursion").registry
    (kind,) = registry.of_type("Tree")
    tree: dict[str, Any] = {"name": "a"}
    tree["left"] = tree
    tree["children"] = [tree]
    olds: list[dict[str, Any] | None] = [None, tree, {}]
    for old in olds:
        errors = registry.run(kind, tree, old, update=old is not None)
        assert all(str(error) for error in errors)
