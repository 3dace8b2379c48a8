"""The schemas with which validators check kinds, after the rules of their tags.

They are those of the definitions that `crd` writes. A kind whose definition a server would refuse has none, and no
validators: their rules would apply nowhere.

It is separate from `pipeline` because most runs have no markers, and it needs the checker of definitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.compiler.definitions import refusals
from validation_gen.compiler.settings import RuleSource
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.findings import findings, report_truncated_kinds
from validation_gen.emit.schema.resources import Definition, ResourceEmitter, definitions
from validation_gen.ir import KindSchema, Program
from validation_gen.runtime.levels import Level

#: Warnings about constraints that a schema omits. Others are about other parts of a definition.
_GAPS = frozenset({"VG301", "VG305", "VG509", "VG540", "VG541", "VG544"})
_NOBODY = "validators do not judge it either"


@dataclass(slots=True)
class SchemaRules:
    """The schemas of a program.

    Attributes:
        schemas: by the id of a kind's type.
        broken: the ids of those that cannot have one.
        packages: the import paths of packages with kinds that have one.
        judged: the ids of all types that values of these kinds can hold, and `meant` those of the broken kinds,
            too.
        causes: errors for which a server refuses the schemas of kinds, by the ids of their types.
    """

    schemas: dict[str, KindSchema] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)
    meant: set[str] = field(default_factory=set)
    causes: dict[str, Diagnostic] = field(default_factory=dict)


def schema_rules(
    program: Program,
    marked: Set[str],
    faulty: Set[str],
    rules: RuleSource | None,
    level: Level,
    diagnostics: Diagnostics,
) -> SchemaRules:
    """Returns the schemas of the kinds of a program whose comments were read for schemas.

    Args:
        program: has all kinds.
        marked: the types with validation markers. Without `rules`, only kinds with such types count.
        faulty: the types whose markers have errors.
        rules: source of validation rules.
        level: the level from which on schemas have the rules of tags.
        diagnostics: takes omitted constraints, and a server's reasons to refuse a schema.
    """
    options = SchemaOptions(level=level, max_description=0, tags=rules is RuleSource.SCHEMA)
    wanted = _find_users(program, None if rules is not None else marked)
    found = SchemaRules()
    found.broken = {
        root.type
        for package in program.packages.values()
        for root in package.roots
        if root.type in wanted
        and program.is_resource(root.type)
        and not (program.is_sound(root.type) and faulty.isdisjoint(wanted[root.type]))
    }
    found.meant = {id for kind in found.broken for id in wanted[kind]}
    for definition in definitions(program):
        roots = [(package, root) for package, root in definition.versions if root.type in wanted]
        found.meant |= {id for _, root in roots for id in wanted[root.type]}
        if not roots or not found.broken.isdisjoint(root.type for _, root in roots):
            continue
        emitter = ResourceEmitter(program, options)
        obj = emitter.definition(definition)
        error = _report(program, definition, emitter, obj, diagnostics)
        if error is not None:
            found.causes |= {root.type: error for _, root in roots}
            found.broken |= found.causes.keys()
            continue
        by_name = {version["name"]: version["schema"]["openAPIV3Schema"] for version in obj["spec"]["versions"]}
        for package, root in roots:
            status = root.resource.status or "/status" in root.subresources
            found.schemas[root.type] = KindSchema(by_name[package.version], status)
            found.packages.add(package.path)
            found.judged |= wanted[root.type]
    return found


def find_checked_types(program: Program, marked: Set[str]) -> set[str]:
    """Returns all types that validators check with schemas, before errors are considered."""
    wanted = _find_users(program, marked)
    kinds = {root.type for each in definitions(program) for _, root in each.versions}
    return {id for kind, reached in wanted.items() if kind in kinds for id in reached}


def _find_users(program: Program, marked: Set[str] | None) -> dict[str, set[str]]:
    """Returns the types of kinds that use one of the marked types, or of all; and which types these use."""
    found = {root.type: program.types_from([root.type]) for each in program.packages.values() for root in each.roots}
    return {id: reached for id, reached in found.items() if marked is None or not marked.isdisjoint(reached)}


def add_schemas(program: Program, markers: Program, found: SchemaRules) -> None:
    """Adds schemas to the program of validators. `markers` is the program that they are from."""
    program.schemas = {id: schema for id, schema in found.schemas.items() if program.is_sound(id)}
    program.in_schemas = found.judged
    program.broken_types |= found.broken
    program.causes = found.causes | markers.causes | program.causes
    program.misnamed |= markers.misnamed & found.packages
    for path in found.packages & program.packages.keys():
        plan, known = program.packages[path], markers.packages[path]
        plan.group, plan.version = known.group, known.version  # markers tell them, too
        for root in plan.roots:
            root.api_version = plan.api_version


def drop_tags(program: Program, found: SchemaRules) -> None:
    """Removes the rules of tags from a program, and packages that are empty without them."""
    program.custom = {}
    for plan in program.types.values():
        plan.checks, plan.keys, plan.values, plan.has_checks, plan.gets_null = [], None, None, False, False
        for member in plan.fields:
            member.checks, member.type, member.keys, member.values = [], "", None, None
    for path in program.packages.keys() - found.packages:
        if program.packages[path].input:
            del program.packages[path]
    for package in program.packages.values():
        package.fixture = False


def _report(
    program: Program, definition: Definition, emitter: ResourceEmitter, obj: Mapping[str, Any], diagnostics: Diagnostics
) -> Diagnostic | None:
    """Reports the problems of a definition. Returns an error for which a server would refuse its schemas."""
    refused = None
    for finding in _findings(program, definition, emitter, obj):
        if finding.severity is Severity.ERROR:
            refused = refused or finding
            diagnostics.add(finding)
        elif finding.code in _GAPS:
            help = finding.help if finding.code == "VG544" else _NOBODY
            diagnostics.add(replace(finding, help=help))
    return refused


def _findings(
    program: Program, definition: Definition, emitter: ResourceEmitter, obj: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    yield from findings(program, [definition])
    yield from report_truncated_kinds(program, emitter.excess)
    yield from refusals(program, definition, obj, whole=False)
