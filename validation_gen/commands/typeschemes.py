"""Builds a scheme from Go or Python types: the schemas of their definitions, and their tags.

A definition supplies pruning, defaults and the constraints of markers; the validators supply those of tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from validation_gen.compiler.definitions import refusals
from validation_gen.compiler.pipeline import Settings, Sources, load_validators, lower, read
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.loading.generated import import_customs
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.findings import findings
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.ir import Program
from validation_gen.kubernetes.objects import Scheme, TypeRules
from validation_gen.rules.releases import parse_minor
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.kind import Kind
from validation_gen.runtime.registry import Registry

_SCHEMAS = SchemaOptions(max_description=0, tags=False)


def scheme_of_types(
    settings: Settings, diagnostics: Diagnostics, *, options: Mapping[str, bool] | None = None
) -> Scheme:
    """Returns the kinds of sources. Files that `settings.custom` names are imported.

    Args:
        settings: inputs and how to read them.
        diagnostics: take the problems of sources and definitions. A kind with errors is left out.
        options: the validation options of all requests. One that is not named is off.
    """
    sources = read(settings, diagnostics)
    program = lower(sources, settings, diagnostics)
    markers = lower_kinds(sources, settings, diagnostics)
    registry = load_validators(program)
    import_customs(program.custom, settings.custom, registry, diagnostics)
    known = dict.fromkeys(program.options, False)
    scheme = Scheme(server=parse_minor(settings.target))
    add_kinds(scheme, markers, registry, diagnostics, options=known | dict(options or {}))
    return scheme


def lower_kinds(sources: Sources, settings: Settings, diagnostics: Diagnostics) -> Program:
    """Returns the program of sources with all their kinds. Problems of the additional kinds are reported, too."""
    found = Diagnostics()
    program = lower(sources, replace(settings, every_kind=True, lint=False), found)
    for problem in found.items:
        if problem.severity is Severity.ERROR and problem not in diagnostics.items:
            diagnostics.add(problem)
    return program


def add_types(
    scheme: Scheme, settings: Settings, registry: Registry, diagnostics: Diagnostics, options: Mapping[str, bool]
) -> list[str]:
    """Adds the kinds of sources, with their validators. Returns the names of kinds whose definitions are missing."""
    if settings.paths:
        types = replace(settings, definitions=())
        program = lower_kinds(read(types, diagnostics), types, diagnostics)
        add_kinds(scheme, program, registry, diagnostics, options=options)
    return sorted(
        {each.name for each in registry.kinds if each.api_version} - {kind.kind for kind in scheme.kinds.values()}
    )


def add_kinds(
    scheme: Scheme,
    markers: Program,
    registry: Registry,
    diagnostics: Diagnostics,
    *,
    options: Mapping[str, bool],
) -> None:
    """Adds the kinds of a program that was read for schemas, with the rules of their validators."""
    for found in definitions(markers):
        if not all(markers.is_sound(root.type) for _, root in found.versions):
            continue
        obj = ResourceEmitter(markers, _SCHEMAS).definition(found)
        problems = [*findings(markers, [found]), *refusals(markers, found, obj, whole=False)]
        refused = [problem for problem in problems if problem.severity is Severity.ERROR]
        diagnostics.extend(refused)
        if refused:
            continue
        rules = {}
        for package, root in found.versions:
            asked = _rules(registry, root.api_version, root.kind, options)
            if asked is not None:
                rules[package.version] = asked
        scheme.define(obj, rules)


def _rules(registry: Registry, api_version: str, name: str, options: Mapping[str, bool]) -> TypeRules | None:
    """Returns the validator of a kind; None if it has no tags."""
    kind = registry.of_object({"apiVersion": api_version, "kind": name})
    if kind is None or not kind.subresources:
        return None
    return partial(_validate, registry, kind, options)


def _validate(
    registry: Registry,
    kind: Kind,
    options: Mapping[str, bool],
    new: Any,
    old: Any,
    subresource: str,
) -> list[FieldError]:
    """Returns the errors of tags: none about a subresource without tags."""
    if subresource not in (kind.subresources or ()):
        return []
    return registry.run(kind, new, old, update=old is not None, options=options, subresource=subresource)
