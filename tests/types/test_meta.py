"""The classes of `validation_gen.types.meta` are those that our Go declarations of the well-known types describe."""

from __future__ import annotations

import dataclasses
import datetime
import types
import typing
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tables import each
from validation_gen import sources
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import (
    Builtin,
    Field,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    Universe,
)
from validation_gen.sources.reader import read_universe
from validation_gen.sources.wellknown import WIRE_FORMATS
from validation_gen.types import Int32, Json, meta
from validation_gen.types.naming import attribute_name, json_name

META = "k8s.io/apimachinery/pkg/apis/meta/v1"
#: What the Python side has for the types that decode themselves.
ALIASES: dict[str, Any] = {
    "time": str | datetime.datetime,
    "microtime": str | datetime.datetime,
    "duration": str | datetime.timedelta,
    "quantity": str | int | float,
    "intorstring": int | str,
    "raw": dict[str, Any],
    "any": Any,
}
#: Types that have no place in an API of one's own, or whose name `meta` has already for another type.
LEFT_OUT = {
    "encoding/json": {"Marshaler", "Number", "Unmarshaler"},
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": {
        "ExternalDocumentation",
        "FieldValueErrorReason",
        "JSONSchemaDefinitions",
        "JSONSchemaDependencies",
        "JSONSchemaProps",
        "JSONSchemaPropsOrArray",
        "JSONSchemaPropsOrBool",
        "JSONSchemaPropsOrStringArray",
        "JSONSchemaURL",
        "ValidationRule",
        "ValidationRules",
    },
    "k8s.io/apimachinery/pkg/api/resource": {"Format"},
    "k8s.io/apimachinery/pkg/apis/meta/v1": set[str](),
    "k8s.io/apimachinery/pkg/runtime": {"Object", "TypeMeta", "Unknown"},
    "k8s.io/apimachinery/pkg/runtime/schema": {
        "GroupKind",
        "GroupResource",
        "GroupVersion",
        "GroupVersionKind",
        "GroupVersionResource",
    },
    "k8s.io/apimachinery/pkg/types": set[str](),
    "k8s.io/apimachinery/pkg/util/intstr": {"Type"},
    "k8s.io/apimachinery/pkg/util/validation": set[str](),
    "math": set[str](),
    "time": {"Duration", "Location", "Month", "Time", "Weekday"},
}
CLASSES = {name: getattr(meta, name) for name in meta.GO_TYPES if dataclasses.is_dataclass(getattr(meta, name))}

each_class = each("name", CLASSES)


@pytest.fixture(scope="module")
def universe() -> Universe:
    """All packages come from our own declarations: nothing is read from a directory."""
    return read_universe([], Diagnostics())


def declaration(universe: Universe, name: str) -> TypeDecl:
    found = universe.find(Named(*meta.GO_TYPES[name]))
    assert found is not None
    return found


def go_fields(universe: Universe, of: TypeDecl) -> list[Field]:
    """The fields in the order of their declaration, those of inlined structs among them."""
    assert isinstance(of.type, Struct)
    fields = []
    for member in of.type.fields:
        if member.inline and isinstance(member.type, Named):
            embedded = universe.find(member.type)
            assert embedded is not None
            fields += go_fields(universe, embedded)
        else:
            fields.append(member)
    return fields


def override(hint: object) -> str:
    """The name that `Json(…)` gives, `""` without one."""
    return next((extra.name for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Json)), "")


def has_default(member: dataclasses.Field[Any]) -> bool:
    return member.default is not dataclasses.MISSING or member.default_factory is not dataclasses.MISSING


def python_type(universe: Universe, type: TypeExpr) -> Any:
    """What an annotation says for a Go type."""
    match type:
        case Builtin("int32"):
            return Annotated[int, Int32]
        case Builtin(name):
            return {"string": str, "bool": bool, "int64": int}[name]
        case Pointer(elem):
            return python_type(universe, elem) | None
        case List(elem):
            return list[python_type(universe, elem)]  # type: ignore[misc]
        case Map(Builtin("string"), elem):
            return dict[str, python_type(universe, elem)]  # type: ignore[misc]
        case Interface():
            return Any
        case Named():
            if str(type) in WIRE_FORMATS:
                return ALIASES[WIRE_FORMATS[str(type)]]
            found = universe.find(type)
            assert found is not None
            return getattr(meta, found.name) if isinstance(found.type, Struct) else python_type(universe, found.type)
    raise AssertionError(type)


@each_class
def test_fields_are_those_of_go(universe: Universe, name: str) -> None:
    cls = CLASSES[name]
    hints = typing.get_type_hints(cls, include_extras=True)
    ours = {override(hints[f.name]) or json_name(f.name): has_default(f) for f in dataclasses.fields(cls)}
    theirs = {member.json: bool(member.omit) for member in go_fields(universe, declaration(universe, name))}
    assert ours == theirs
    assert list(ours) == list(theirs)


@each_class
def test_attributes_have_the_names_that_readers_give(name: str) -> None:
    hints = typing.get_type_hints(CLASSES[name], include_extras=True)
    for member in dataclasses.fields(CLASSES[name]):
        json = override(hints[member.name]) or json_name(member.name)
        assert member.name == attribute_name(json)


@each_class
def test_annotations_say_what_go_says(universe: Universe, name: str) -> None:
    """A struct that is left out while it is empty has no empty value in Python where some member must be given."""
    hints = typing.get_type_hints(CLASSES[name], include_extras=True)
    for attribute, member in zip(
        dataclasses.fields(CLASSES[name]), go_fields(universe, declaration(universe, name)), strict=True
    ):
        hint = hints[attribute.name]
        if override(hint):
            hint = typing.get_args(hint)[0]
        wanted = python_type(universe, member.type)
        if attribute.default is None and not isinstance(member.type, Pointer):
            assert isinstance(member.type, Named)
            wanted = wanted | None
        assert hint == wanted, attribute.name


@each_class
def test_defaults_are_zero_values(name: str) -> None:
    for member in dataclasses.fields(CLASSES[name]):
        if member.default is not dataclasses.MISSING:
            assert member.default in (None, "", 0, False)
        elif member.default_factory is not dataclasses.MISSING:
            empty = member.default_factory()
            assert not empty or empty == type(empty)()


@each_class
def test_attributes_are_given_by_name(name: str) -> None:
    assert all(member.kw_only for member in dataclasses.fields(CLASSES[name]))


@each("name", sorted(meta.GO_TYPES.keys() - CLASSES.keys()))
def test_other_types_are_aliases(universe: Universe, name: str) -> None:
    assert getattr(meta, name) == python_type(universe, Named(*meta.GO_TYPES[name]))


def test_every_wellknown_type_is_there(universe: Universe) -> None:
    root = Path(sources.__file__).parent / "wellknown"
    paths = {file.parent.relative_to(root).as_posix() for file in root.rglob("types.go")}
    assert paths >= LEFT_OUT.keys()
    assert {where for where, _ in meta.GO_TYPES.values()} <= LEFT_OUT.keys()  # others are for sources in Go alone
    for path, left_out in LEFT_OUT.items():
        package = universe.package(path)
        assert package is not None
        assert {go for where, go in meta.GO_TYPES.values() if where == path} == package.types.keys() - left_out


def test_every_name_of_the_module_is_in_the_table() -> None:
    ours = {
        name
        for name, value in vars(meta).items()
        if name[0].isupper() and name not in {"GO_TYPES", "Annotated", "Any", "Int32", "Json", "TypeAlias"}
        if not isinstance(value, types.ModuleType)
    }
    assert ours == meta.GO_TYPES.keys()
