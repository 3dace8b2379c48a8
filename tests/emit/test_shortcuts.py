"""Shortcuts of generated code change no answer: conditions before checks, quick questions, remembered texts."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decoded import Subject, manifests, mutants_of, sample, subjects, values_with
from tests.thorough import drawn
from validation_gen.compiler.pipeline import load_validators
from validation_gen.emit.python import calls, emit_python, functions, quickconditions
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.names import remember
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Shape, Struct


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """The emitter as if no condition could be foreseen, no field be absent, and no question be quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quickconditions, "of_test", lambda *_: [])
        patch.setattr(quickconditions, "of_scalar", lambda *_: "")
        patch.setattr(functions, "of_scalar", lambda *_: "")
        patch.setattr(functions, "accepts_absent", lambda *_: False)
        patch.setattr(functions, "doubts", lambda *_: None)
        patch.setattr(calls, "descends", lambda *_: False)
        yield


@functools.cache
def _plain(number: int) -> Registry:
    """The validators of a subject without shortcuts."""
    with without_shortcuts():
        return load_validators(subjects()[number].program)


@st.composite
def _kinds(draw: st.DrawFn) -> tuple[Subject, Registry, Kind]:
    number = draw(st.integers(0, len(subjects()) - 1))
    subject = subjects()[number]
    return subject, _plain(number), draw(st.sampled_from(subject.registry.kinds))


def _same_answers(quick: Registry, plain: Registry, kind: Kind, obj: Any, old: Any, options: dict[str, bool]) -> None:
    update = old is not None

    def answers(registry: Registry) -> list[str]:
        subresource = (kind.subresources or ("/",))[0]
        found = registry.run(kind, obj, old, update=update, options=options, subresource=subresource, level="alpha")
        return [json.dumps(error.as_dict(), default=repr, skipkeys=True) for error in found]

    assert answers(quick) == answers(plain)


_OPTIONS = st.sampled_from(
    [{}, {"Boost": True, "Crew": True}, {"RobotSwarming": True, "FlightPermits": False, "Boost": False, "Crew": False}]
)


@settings(max_examples=drawn(300), deadline=None)
@given(st.data())
def test_any_value_gets_the_same_answer(data: st.DataObject) -> None:
    subject, plain, kind = data.draw(_kinds())
    values = values_with(subject.names)
    fields = st.dictionaries(st.sampled_from(subject.names), values, max_size=6)
    obj = data.draw(st.one_of(fields, values))
    old = data.draw(st.one_of(st.none(), fields, st.just(copy.deepcopy(obj)).filter(lambda value: value is not None)))
    _same_answers(subject.registry, plain, kind, obj, old, data.draw(_OPTIONS))


@settings(max_examples=drawn(300), deadline=None)
@given(st.data())
def test_a_damaged_manifest_gets_the_same_answer(data: st.DataObject) -> None:
    subject, plain = sample(), _plain(0)
    valid = data.draw(st.sampled_from(manifests()))
    kind = subject.registry.of_object(valid)
    assert kind is not None
    obj = data.draw(mutants_of(valid, subject.names))
    old = data.draw(st.one_of(st.none(), st.just(valid), mutants_of(valid, subject.names)))
    _same_answers(subject.registry, plain, kind, obj, old, data.draw(_OPTIONS))


def test_the_plain_validators_havewithout_shortcuts() -> None:
    """Without this, the tests above would compare a thing with itself."""
    quick = "".join(emit_python(sample().program).values())
    with without_shortcuts():
        plain = "".join(emit_python(sample().program).values())
    for shortcut in ("if len(v) > ", ".unchanged(", " not in _known", " in obj:"):
        assert quick.count(shortcut) > 1.2 * plain.count(shortcut)


# --- type-exact comparison -------------------------------------------------------------------------------------------


def _numbers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(item, (*path, key))
    elif isinstance(value, bool | int | float):
        yield path, value


def _put(obj: Any, path: tuple[str | int, ...], value: Any) -> None:
    for step in path[:-1]:
        obj = obj[step]
    obj[path[-1]] = value


def _look_alikes(value: Any) -> list[Any]:
    """Values of other types that Python holds for equal."""
    kinds: list[Callable[[Any], Any]] = [bool, int, float]
    return [kind(value) for kind in kinds if kind is not type(value) and kind(value) == value]


def test_a_number_that_changes_its_type_has_changed() -> None:
    registry, seen = sample().registry, 0
    for valid in manifests():
        kind = registry.of_object(valid)
        assert kind is not None
        if kind.subresources is None:
            continue
        for path, number in _numbers(valid):
            for other in _look_alikes(number):
                obj = copy.deepcopy(valid)
                _put(obj, path, other)
                assert obj == valid
                created = [e for e in registry.run(kind, obj) if e.type is ErrorType.TYPE_INVALID]
                found = registry.run(kind, obj, copy.deepcopy(valid), update=True)
                updated = [e for e in found if e.type is ErrorType.TYPE_INVALID]
                assert [str(e) for e in updated] == [str(e) for e in created]
                seen += len(created)
    assert seen > 20


def _parts(shape: Shape, value: Any) -> Iterator[tuple[Struct, dict[str, Any]]]:
    """All objects of known structs in a value."""
    while isinstance(shape, Pointer):
        shape = shape.elem
    if isinstance(shape, Struct) and isinstance(value, dict):
        yield shape, value
        for name, member in shape.members.items():
            yield from _parts(member, value.get(name))
    elif isinstance(shape, ListOf) and isinstance(value, list):
        for item in value:
            yield from _parts(shape.elem, item)
    elif isinstance(shape, MapOf) and isinstance(value, dict):
        for item in value.values():
            yield from _parts(shape.elem, item)


@settings(max_examples=drawn(200), deadline=None)
@given(st.data())
def test_generated_functions_are_as_exact_as_shapes(data: st.DataObject) -> None:
    registry = sample().registry
    valid = data.draw(st.sampled_from(manifests()))
    kind = registry.of_object(valid)
    assert kind is not None
    obj = copy.deepcopy(valid)
    for path, number in _numbers(valid):
        if (others := _look_alikes(number)) and data.draw(st.integers(0, 3)) == 0:
            _put(obj, path, data.draw(st.sampled_from(others)))
    for struct, part in _parts(registry.shape(kind), obj):
        assert struct.exact(part) == struct._exact(part)


@settings(max_examples=drawn(300), deadline=None)
@given(st.data())
def test_identities_say_what_is_the_same(data: st.DataObject) -> None:
    subject, _, kind = data.draw(_kinds())
    shape = subject.registry.shape(kind)
    values = values_with(subject.names)
    first, second = (shape.recover(value) for value in (data.draw(values), data.draw(values)))
    a, b = (None if mended is None else mended.value for mended in (first, second))
    c = copy.deepcopy(a)
    assert shape.same(a, c)
    assert shape.identity(a) == shape.identity(c)
    assert shape.same(a, b) == (shape.identity(a) == shape.identity(b))
    if shape.unchanged(a, b):
        assert shape.same(a, b)


# --- remembered texts ------------------------------------------------------------------------------------------------


def test_only_texts_are_remembered() -> None:
    known: set[str] = set()
    for value in (None, 1, True, 1.5, ["a"], {"a": 1}, b"a"):
        remember(known, value)
    assert known == set()
    remember(known, "a")
    assert known == {"a"}


def test_what_is_remembered_is_bounded() -> None:
    known: set[str] = set()
    remember(known, "x" * 257)
    assert known == set()
    for number in range(10_000):
        remember(known, str(number))
        assert str(number) in known
        assert len(known) <= 2048


def test_a_remembered_text_is_still_too_long() -> None:
    """What is remembered is that the text has the right format, whatever else is asked of it elsewhere."""
    registry, name = sample().registry, "a" * 50  # a short name, and more than a zone's name may have
    assert not [e for e in registry.validate({"homeDock": name}, type="RobotSpec") if e.field == "homeDock"]
    for _ in range(3):
        (error,) = (e for e in registry.validate({"name": name, "corners": []}, type="Area") if e.field == "name")
        assert str(error) == "name: Too long: may not be more than 40 characters"
