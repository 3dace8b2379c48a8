"""Kinds with several versions, from types or definitions: validates and draws their objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.commands.conversions.places import SchemaValueSpecs
from validation_gen.commands.edgecases import Subject
from validation_gen.commands.schemes import load_scheme
from validation_gen.commands.typeschemes import add_kinds, lower_kinds
from validation_gen.compiler.pipeline import load_validators, lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.loading.generated import import_customs
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.ir import Root
from validation_gen.kubernetes.crd.definition import Definition, read_definition
from validation_gen.kubernetes.crd.definition import Version as Part
from validation_gen.kubernetes.crd.pruning import apply_defaults, prune_value
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.objects import Kind as Defined
from validation_gen.kubernetes.objects import Scheme
from validation_gen.kubernetes.objects.judging import BLOCKED, Judge
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.registry import Kind

#: Message about a field that no schema has.
UNKNOWN = "unknown field"
_DRAWN = SchemaOptions(max_description=0)


class Version:
    """A version of a kind, whose objects can be drawn and validated."""

    def __init__(self, kind: Defined, served: Served, drawn: Schema | None = None) -> None:
        self.kind = kind.kind
        self.name = served.name
        self.api_version = served.api_version
        self.namespaced = kind.namespaced
        self.schema = served.schema
        self.drawn = drawn or served.schema
        self._served = served
        self._judge = Judge(served.raw)
        self.places = SchemaValueSpecs()
        place = self.places.of_schema(self.api_version, self.drawn)
        named = Kind("", kind.kind, "", self.api_version, "")
        self.subject = Subject(Root(self.api_version, kind.kind, self.api_version), named, place, (), self._run)

    def errors(self, obj: Any) -> list[FieldError]:
        """Returns a server's errors for an object: from its schema, its tags, and unknown fields."""
        errors = [error for error in self._judge(obj) if error.detail != BLOCKED]
        unknown: list[str] = []
        ready = prune_value(obj, self.schema, resource=True, unknown=unknown)
        errors += [FieldError(ErrorType.INVALID, OMITTED, UNKNOWN, "", f".{path}") for path in _paths(unknown)]
        if self._served.type_rules is not None and not errors:
            ready = apply_defaults(ready, self.schema)
            for subresource in ("/", "/status") if self._served.status else ("/",):
                errors += self._served.type_rules(ready, None, subresource)
        return errors

    def _run(self, kind: Kind, obj: Any, old: Any = None, **request: Any) -> list[FieldError]:
        return self.errors(obj)


def _paths(unknown: Sequence[str]) -> list[str]:
    """Returns the fields that a message names."""
    return list(dict.fromkeys(text.removeprefix('unknown field "').removesuffix('"') for text in unknown))


@dataclass(frozen=True)
class Versioned:
    """A kind with its versions, the newest last."""

    group: str
    kind: str
    versions: dict[str, Version]

    @property
    def name(self) -> str:
        """Kind with its group: `Robot.example.com`."""
        return f"{self.kind}.{self.group}" if self.group else self.kind

    def is_called(self, name: str) -> bool:
        """Returns whether a name means this kind, with its group or without."""
        return name in (self.kind, self.name)


def read_kinds(settings: Settings, diagnostics: Diagnostics) -> list[Versioned]:
    """Returns the kinds of sources and definitions with several served versions."""
    found: list[Versioned] = []
    if settings.definitions:
        found += _find_versions(load_scheme(settings.definitions, diagnostics), {})
    if settings.paths:
        found += _of_types(settings, diagnostics)
    return sorted(found, key=lambda each: (each.group, each.kind))


def _of_types(settings: Settings, diagnostics: Diagnostics) -> list[Versioned]:
    sources = read(settings, diagnostics)
    program = lower(sources, settings, diagnostics)
    markers = lower_kinds(sources, settings, diagnostics)
    scheme = Scheme()
    registry = load_validators(program)
    import_customs(program.custom, settings.custom, registry, diagnostics)
    add_kinds(scheme, markers, registry, diagnostics, options=dict.fromkeys(program.options, False))
    # The validators check tags; objects are drawn from schemas that represent as many tags as possible.
    drawn: dict[tuple[str, str, str], Schema | None] = {}
    for kind in definitions(markers):
        first = kind.versions[0][1]
        key = first.api_version.rpartition("/")[0], first.kind
        if key in scheme.kinds:
            definition = read_definition(ResourceEmitter(markers, _DRAWN).definition(kind))
            drawn |= {(*key, version.name): _schema(definition, version) for version in definition.versions}
    return _find_versions(scheme, drawn)


def _schema(definition: Definition, version: Part) -> Schema | None:
    validation = version.part.validation or definition.shared.validation
    return validation.schema if validation is not None else None


def _find_versions(scheme: Scheme, drawn: Mapping[tuple[str, str, str], Schema | None]) -> list[Versioned]:
    found = []
    for kind in scheme.kinds.values():
        versions = {
            name: Version(kind, served, drawn.get((kind.group, kind.kind, name)))
            for name, served in kind.versions.items()
            if served.served
        }
        if len(versions) > 1:
            found.append(Versioned(kind.group, kind.kind, versions))
    return found
