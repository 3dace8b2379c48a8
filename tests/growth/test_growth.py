"""The time for an object grows with the object, and not faster: whatever there is much of, and whatever is wrong.

Sizes are small here, for all of it has to be quick. `VALIDATION_GEN_GROWTH` is a factor for them, for a longer search.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.cli.conftest import definition
from tests.growth.measuring import assert_linear
from tests.growth.objects import DEEP, TEXTS, WIDE, Make
from tests.growth.validators import things
from tests.kubernetes.objects.answers import robot, scheme_of
from validation_gen.diagnostics.visible import redact
from validation_gen.kubernetes.crd.run import check as check_definition
from validation_gen.kubernetes.formats.valueformats import FORMATS as OPENAPI_FORMATS
from validation_gen.kubernetes.positions import Positions, find_path
from validation_gen.kubernetes.yaml import read_documents
from validation_gen.mismatch.comparison import Comparison, without_superseded
from validation_gen.mismatch.harness import Harness
from validation_gen.mismatch.matcher import ErrorMatcher
from validation_gen.runtime import checks
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.formats import FORMATS
from validation_gen.runtime.goregex import compiled
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import STRING, ListOf, Pointer, Shape, Struct
from validation_gen.runtime.wire import WIRE


def _handwritten(errors: list[FieldError]) -> Callable[..., list[FieldError]]:
    def validate(obj: Any, old: Any = None) -> list[FieldError]:
        return errors

    return validate


pytestmark = pytest.mark.slow  # each of 210 measurements is repeated; tests/benchmarks counts calls in lists

_FACTOR = int(os.environ.get("VALIDATION_GEN_GROWTH", "1"))


def _shown(errors: Iterable[FieldError]) -> list[object]:
    return [(str(error), error.as_dict()) for error in errors]


def _create(make: Make, size: int) -> Callable[[], object]:
    obj = make(size, "a")
    return lambda: things().run(obj)


def _unchanged(make: Make, size: int) -> Callable[[], object]:
    obj, old = make(size, "a"), make(size, "a")
    return lambda: things().run(obj, old, update=True)


def _changed(make: Make, size: int) -> Callable[[], object]:
    obj, old = make(size, "a"), make(size, "b")
    return lambda: things().run(obj, old, update=True)


def _rendered(make: Make, size: int) -> Callable[[], object]:
    errors = things().run(make(size, "a"), make(size, "b"), update=True)
    return lambda: _shown(errors)


_OPERATIONS = {"create": _create, "unchanged": _unchanged, "changed": _changed, "rendered": _rendered}


@pytest.mark.parametrize("operation", _OPERATIONS)
@pytest.mark.parametrize("name", WIDE)
def test_wide_objects(name: str, operation: str) -> None:
    make, most = WIDE[name]
    assert_linear(lambda size: _OPERATIONS[operation](make, size), most * _FACTOR)


@pytest.mark.parametrize("operation", ["create", "unchanged", "changed"])
@pytest.mark.parametrize("name", DEEP)
def test_deep_objects(name: str, operation: str) -> None:
    make, most = DEEP[name]

    def amount(size: int) -> float:
        """The object and all errors, each of which has a path that is as long as it is deep."""
        errors = things().run(make(size, "a"), make(size, "b"), update=operation == "changed")
        return size + sum(len(error.segments) for error in errors)

    assert_linear(lambda size: _OPERATIONS[operation](make, size), most, amount)


# --- texts ------------------------------------------------------------------------------------------------------------


def _of_text(text: str) -> list[Callable[[], object]]:
    """All that is ever asked of a text."""
    asked: list[Callable[[], object]] = [lambda check=check: check(text) for check in FORMATS.values()]  # type: ignore[misc]
    for form in WIRE.values():
        asked += [lambda form=form: form.check(text), lambda form=form: form.same(text, f"{text}1")]  # type: ignore[misc]
        asked += [lambda form=form: form.identity(text), lambda form=form: form.write(text)]  # type: ignore[misc]
    asked += [lambda check=check: check(text) for check in OPENAPI_FORMATS.values()]  # type: ignore[misc]
    return asked


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    make = TEXTS[name]

    def work(size: int) -> Callable[[], object]:
        asked = _of_text(make(size))
        return lambda: [ask() for ask in asked]

    assert_linear(work, 4_000 * _FACTOR)


@pytest.mark.parametrize("name", TEXTS)
def test_rendered_texts(name: str) -> None:
    def work(size: int) -> Callable[[], object]:
        error = FieldError(ErrorType.INVALID, {"a": [TEXTS[name](size)]}, "must be short")
        plain = FieldError(ErrorType.INVALID, TEXTS[name](size), "must be short")
        return lambda: (str(error), str(plain))

    assert_linear(work, 8_000 * _FACTOR)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(a*)*b", "a*a*a*c", "[a-z]+@", r"^([a-z0-9.-]+\.)+x$", r"(\ba?)+\s"])
def test_patterns(pattern: str) -> None:
    assert_linear(lambda size: lambda: compiled(pattern).matches("a" * size + "!"), 8_000 * _FACTOR)


# --- checks of what the source has many of ----------------------------------------------------------------------------


def _union(size: int) -> Callable[[], object]:
    names, flags = [f"m{i}" for i in range(size)], [True] * size
    members = [(name, name) for name in names]
    return lambda: [
        *(checks.union(names, flags) or ()),
        *(checks.discriminated_union(("d", "x"), members, flags) or ()),
    ]


def _enum(size: int) -> Callable[[], object]:
    values = checks.one_of(*(f"v{i}" for i in range(size)))
    excluded = [(name, f"O{name}", True) for name in values]
    op = Operation({option: True for _, option, _ in excluded})
    return lambda: checks.enum_with_options("v0", values, excluded, False, op)


@pytest.mark.parametrize("work", [_union, _enum])
def test_members_and_values(work: Callable[[int], Callable[[], object]]) -> None:
    assert_linear(work, 2_000 * _FACTOR)


# --- comparisons ------------------------------------------------------------------------------------------------------


def _errors(size: int, path: Callable[[int], str], *, declarative: bool) -> list[FieldError]:
    errors = []
    for number in range(size):
        error = FieldError.invalid(path(number), f"{number}", f"is wrong {number}").with_origin("maxLength")
        if declarative:
            error.level, error.short_circuit = "beta", number % 2 == 0
        errors.append(error if declarative else error.covered_by_declarative())
    return errors


_PATHS: dict[str, tuple[Callable[[int], str], Callable[[int], str]]] = {
    "the same": (lambda n: f"a[{n}].b", lambda n: f"a[{n}].b"),
    "others": (lambda n: f"a[{n}].b", lambda n: f"c[{n}].b"),
    "below": (lambda n: f"a[{n}].b", lambda n: f"a[{n}]"),
    "one": (lambda n: "a", lambda n: "a"),
}


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("one_to_many", [False, True])
@pytest.mark.parametrize("paths", _PATHS)
def test_comparisons(paths: str, one_to_many: bool, everything: bool) -> None:
    by_hand, declared = _PATHS[paths]
    comparison = Comparison(short_circuit=True, everything=everything, one_to_many=one_to_many)

    def work(size: int) -> Callable[[], object]:
        left, right = _errors(size, by_hand, declarative=False), _errors(size, declared, declarative=True)
        return lambda: (comparison.mismatches(left, right), without_superseded(left, right, comparison.matcher))

    assert_linear(work, 600 * _FACTOR)


def test_matchers_of_tests() -> None:
    def work(size: int) -> Callable[[], object]:
        errors = _errors(size, lambda n: f"a[{n}]", declarative=True)
        return lambda: ErrorMatcher().by_type().by_field().by_origin().check(errors, errors)

    assert_linear(work, 1_000 * _FACTOR)


# --- documents --------------------------------------------------------------------------------------------------------

_DOCUMENTS: dict[str, tuple[Callable[[int], str], int]] = {
    "items": (lambda n: "items:\n" + "- a: 1\n" * n, 2_000),
    "keys": (lambda n: "".join(f"k{i}: {i}\n" for i in range(n)), 4_000),
    "a long text": (lambda n: f'a: "{"x" * n}"', 200_000),
    "lines": (lambda n: "a: |\n" + "  x\n" * n, 20_000),
    "documents": (lambda n: "---\na: 1\n" * n, 1_000),
    "directives": (lambda n: "%YAML 1.1\n" + "---\na: 1\n" * n, 1_000),
    "anchors": (lambda n: "".join(f"k{i}: &a{i} {{x: 1}}\n" for i in range(n)), 1_000),
}


@pytest.mark.parametrize("name", _DOCUMENTS)
def test_documents(name: str) -> None:
    make, most = _DOCUMENTS[name]

    def work(size: int) -> Callable[[], object]:
        text = make(size)
        return lambda: [document.value for document in read_documents(text)]

    assert_linear(work, most * _FACTOR)


@pytest.mark.parametrize("form", ["yaml", "json", "items"])
def test_places_in_documents(form: str) -> None:
    def work(size: int) -> Callable[[], object]:
        obj = {f"k{number}": number for number in range(size)}
        text = json.dumps({"a": list(obj) if form == "items" else obj}, indent=1)
        ways = [("a", step) for step in (range(size) if form == "items" else obj)]

        def run() -> object:
            # Each run has a text of its own, of which nothing is known.
            positions = Positions("f", f"{text} ", 0, is_json=form == "json")
            return [positions.span(way) for way in ways]

        return run

    assert_linear(work, 2_000 * _FACTOR)


def test_ways_of_paths() -> None:
    def work(size: int) -> Callable[[], object]:
        obj = {"a": {f"k{number}": {"b": 1} for number in range(size)}}
        return lambda: [find_path(obj, f"a[{key}].b") for key in obj["a"]]

    assert_linear(work, 4_000 * _FACTOR)


@pytest.mark.parametrize("keyword", ["uniqueItems", "x-kubernetes-list-type"])
def test_custom_resources(keyword: str) -> None:
    items: dict[str, Any] = {"type": "array", "items": {"type": "string", "pattern": "^(v+)+[0-9]+$"}}
    items[keyword] = True if keyword == "uniqueItems" else "set"
    scheme = scheme_of({"type": "object", "properties": {"a": items}})

    def work(size: int) -> Callable[[], object]:
        obj = robot(a=[f"v{i}" for i in range(size)] * 2)
        return lambda: scheme.admit(obj)

    assert_linear(work, 1_000 * _FACTOR)


def test_harnesses() -> None:
    def work(size: int) -> Callable[[], object]:
        left = _errors(size, lambda n: f"a[{n}]", declarative=False)
        right = _errors(size, lambda n: f"c[{n}]", declarative=True)
        harness = Harness("K", _handwritten(left), lambda *_: right)
        return lambda: harness.validate({}, {})

    logging.getLogger("validation_gen.mismatch").disabled = True
    try:
        assert_linear(work, 200 * _FACTOR)
    finally:
        logging.getLogger("validation_gen.mismatch").disabled = False


def _values(size: int) -> Any:
    return [{"a": i, "b": [f"{i}"]} for i in range(size)]


@pytest.mark.parametrize("form", ["any", "raw"])
def test_free_values(form: str) -> None:
    def work(size: int) -> Callable[[], object]:
        a, b = _values(size), _values(size)
        return lambda: (WIRE[form].same(a, b), WIRE[form].identity(a))

    assert_linear(work, 2_000 * _FACTOR)


@dataclass
class _Link:
    name: str = ""
    next: _Link | None = None
    tags: list[str] = field(default_factory=list)


@pytest.mark.parametrize(("wide", "most"), [(False, 240), (True, 16_000)])
def test_instances(wide: bool, most: int) -> None:
    shape = Struct("Link")
    members: dict[str, Shape] = {"name": STRING, "next": Pointer(shape), "tags": ListOf(STRING)}
    shape.define(members, omitempty="name next tags", attributes={})

    def work(size: int) -> Callable[[], object]:
        link = _Link("a", tags=["a"] * size if wide else [])
        for _ in range(0 if wide else size):
            link = _Link("a", link)
        return lambda: shape.plain(link)

    assert_linear(work, most)


@pytest.mark.parametrize("shape", ["right", "default", "unknown", "twice", "optional", "objects"])
def test_keys_of_lists_in_definitions(shape: str) -> None:
    def work(size: int) -> Callable[[], object]:
        names = [f"k{number}" for number in range(size)]
        part = {"type": "object" if shape == "objects" else "string"}
        if shape == "default":
            part["default"] = "a"
        items: dict[str, Any] = {"type": "object"}
        if shape != "unknown":
            items["properties"] = dict.fromkeys(names, part)
        if shape not in ("default", "optional"):
            items["required"] = names
        listed = {
            "type": "array",
            "items": items,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": names * 2 if shape == "twice" else names,
        }
        schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"l": listed}}}}
        obj = json.loads(definition(1))
        obj["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema
        return lambda: check_definition(obj)

    assert_linear(work, 1_000 * _FACTOR)


@pytest.mark.parametrize("part", ["ab:/c:", "https:/a", "?sig", "?token-", "s3://a/b?key"])
def test_redaction(part: str) -> None:
    def work(size: int) -> Callable[[], object]:
        text = f"@ = {part * size}"
        return lambda: redact(text)

    assert_linear(work, 4_000 * _FACTOR)


def test_owner_references() -> None:
    scheme = scheme_of({"type": "object"})

    def work(size: int) -> Callable[[], object]:
        owners = [{"apiVersion": "v1", "kind": "A", "name": f"a{i}", "uid": "u"} for i in range(size)]
        obj = robot(metadata={"name": "a", "ownerReferences": owners})
        return lambda: scheme.admit(obj)

    assert_linear(work, 1_000 * _FACTOR)
