"""Lowers a universe of types to a validation program: walks the types, applies the catalogue, resolves deferred checks.

The input is a `Universe` of the room `sources`; the output is a `Program` of the room `ir`. The stage never decides the
meaning of a single tag: it passes each tag with its context to the rule, and puts the resulting checks in the order of
Kubernetes. Only `lower_program`, the whole stage, is public.

- `selection` chooses packages and kinds, and checks their groups and versions; `walk` goes down types and fields.
- `comments` reads the tags of a declaration, `declarations` applies each of them, refuses types that Kubernetes does
  not validate, and reads markers.
- `shapes` describes decoded values.
- `unknown` handles unresolved types, merges follow-ups of findings, and counts the markers that only schemas check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Set
from typing import TYPE_CHECKING

from validation_gen.compiler.lower.comments import TagReader
from validation_gen.compiler.lower.declarations import spelt_out
from validation_gen.compiler.lower.selection import (
    Selectors,
    comments_of_package,
    find_group,
    input_package,
    is_root,
    judge_names,
    package_subresources,
    report_switches,
    selectors,
    subresources,
    wants_fixture,
)
from validation_gen.compiler.lower.unknown import merge_type_followups
from validation_gen.compiler.lower.walk import Walk
from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.ir import (
    Check,
    ListOf,
    PackagePlan,
    PointerTo,
    Predicate,
    Program,
    Root,
    StructRef,
    TagRef,
    TypePlan,
    find_called_type,
    predicates,
)
from validation_gen.rules.base import CustomFunctions, no_custom_functions
from validation_gen.rules.releases import NEWEST, TOO_FEW, parse_minor
from validation_gen.sources.extensions import Extensions
from validation_gen.sources.model import Package, TypeDecl, Universe
from validation_gen.sources.typesystem import TypeSystem

if TYPE_CHECKING:
    from validation_gen.rules.markers import PackageNotes


_VERSION = re.compile(r"v[0-9]+(?:(?:alpha|beta)[0-9]+)?")


def lower_program(
    universe: Universe,
    wire: Callable[[TypeDecl], str | None],
    diagnostics: Diagnostics,
    *,
    require_directive: bool = False,
    readonly: Collection[str] = (),
    custom: CustomFunctions = no_custom_functions,
    extensions: Extensions | None = None,
    every_type: bool = False,
    every_kind: bool = False,
    kept: Collection[str] = (),
    bare_kinds: bool = False,
    target: str = NEWEST,
) -> Program:
    """Returns the validation program of a universe's input packages.

    `wire` names the JSON form of types that decode themselves. With `require_directive` only packages with a
    `+k8s:validation-gen` directive take part, and types of other packages must be listed in `readonly` (import paths)
    or be opaque, as upstream demands. `custom` finds handwritten functions, `extensions` has formats of the project.
    `every_type`: each exported type of each input package is a root, despite directives, for requests that name their
    type. `every_kind`: packages without checks take part, and comments are read for schemas. `kept` packages take part,
    too. `bare_kinds`: kinds without metadata have output, too. `target` is the Kubernetes release to agree with.
    """
    types = TypeSystem(universe, spelt_out(wire) if every_kind else wire)
    reader = TagReader(diagnostics, target)
    chosen = []
    tested = set()
    for package in universe.inputs:
        reader.report_unknown(comments_of_package(package), f"package {package.path}")
        found = selectors(package, reader, require_directive=require_directive)
        if every_type:
            found = Selectors(every=True, forced=True)
        if wants_fixture(package, reader):
            tested.add(package.path)
        if found is not None:
            chosen.append((package, found, input_package(package, universe, reader)))
    taking_part = {source.path for _, _, source in chosen}

    def included(path: str) -> bool:
        return not require_directive or path in taking_part or any(_matches(path, pattern) for pattern in readonly)

    known = diagnostics.count_faults()
    walk = Walk(types, reader, included, require_directive, custom, extensions or Extensions(), every_kind)
    program = Program(types=walk.plans, structs=walk.shapes.structs, extended=walk.shapes.extended)
    program.server = parse_minor(target) if TOO_FEW.holds_in(target) else None
    program.lost = walk.unknown.lost
    for package, found, source in chosen:
        plan = _package_plan(package, reader)
        if every_kind:
            _note_package(plan, walk.notes.of_package(package))
        plan.fixture = package.path in tested
        program.packages[package.path] = plan
        for name in sorted(source.types):
            declaration = source.types[name]
            if declaration.alias:
                walk.report_rules_of_alias(declaration)
            report_switches(declaration, diagnostics)
            root = is_root(declaration, found, types)
            if root or (found.implicit and declaration.exported and not declaration.alias):
                walk.visit_declaration(declaration)
            if root:
                allowed = subresources(declaration, package, reader)
                with diagnostics.owned_by(str(declaration)):
                    resource = walk.notes.of_resource(declaration)
                resource.skip |= every_kind and walk.notes.of_package(package).skip
                plan.roots.append(Root(str(declaration), name, plan.api_version, allowed, resource))
    _settle(program)
    if not every_kind:
        _drop_idle(program, {package.path for package, found, _ in chosen if found.implicit}.difference(kept))
    walk.arrays.report(program.checks_something)
    reached = _find_reachable(program, {package.path for package, found, _ in chosen if not found.implicit}, bare_kinds)
    taking_part = {path for path, plan in program.packages.items() if plan.input}
    diagnostics.extend(walk.unknown.report(reached.__contains__, taking_part.__contains__))
    if every_kind:
        diagnostics.soften(known, reached.__contains__)
    merge_type_followups(diagnostics, walk.unknown.places)
    _place_types(program, universe, reader)
    _tell_notes(program, universe, diagnostics)
    judge_names(program, diagnostics)
    _blame(program, universe, diagnostics)
    return program


def _find_reachable(program: Program, explicit: Set[str], bare_kinds: bool) -> set[str]:
    """Returns the ids of the types that validators and schemas depend on.

    These are types with checks and kinds, with the types of their values. A kind is included if it has metadata, if all
    kinds are, or if a directive of an `explicit` package chooses it.
    """
    kinds = (
        root.type
        for package in program.packages.values()
        for root in package.roots
        if bare_kinds or package.path in explicit or (program.is_resource(root.type) and not root.resource.skip)
    )
    return program.types_from([*kinds, *(plan.id for plan in program.types.values() if plan.has_checks)])


def _note_package(plan: PackagePlan, notes: PackageNotes) -> None:
    """Copies the markers of a package, from any of its comments.

    If neither a marker nor the path has a version, it is the name of the package, as in controller-gen.
    """
    plan.group = plan.group if notes.group is None else notes.group
    plan.spans |= {name: span for name, span in notes.spans.items() if name == "version"}
    if notes.group is not None:
        plan.spans.setdefault("group", notes.spans["group"])
    plan.version = notes.version or (plan.version if _VERSION.fullmatch(plan.version) else plan.name)


def _tell_notes(program: Program, universe: Universe, diagnostics: Diagnostics) -> None:
    """Reports problems of declarations, but only of those that values of validated types can contain."""
    reached = program.structs_in(plan.shape for plan in program.types.values() if plan.has_checks)
    for package in universe.packages.values():
        for owner, note in package.notes:
            if not owner:
                if package.input:
                    diagnostics.add(note)
                continue
            plan = program.types.get(owner)
            declared = package.types.get(owner.rpartition(".")[2])
            used = plan is not None or (declared is not None and declared.alias and package.path in program.packages)
            deep = note.code == "VG305" and used
            if deep or owner in reached or (plan is not None and not isinstance(plan.shape, StructRef)):
                with diagnostics.owned_by(owner):
                    diagnostics.add(note)


def _matches(path: str, pattern: str) -> bool:
    """Returns whether an import path matches `a/b`, or `a/b/...` with everything below."""
    tree = pattern.removesuffix("/...")
    return path == tree or (tree != pattern and path.startswith(f"{tree}/"))


def _drop_idle(program: Program, implicit: set[str]) -> None:
    """Drops packages that were not requested and that have nothing to check."""
    busy = {plan.package for plan in program.types.values() if plan.has_checks}
    for path in implicit - busy:
        del program.packages[path]
        for id in [id for id, plan in program.types.items() if plan.package == path]:
            del program.types[id]


def _package_plan(package: Package, reader: TagReader) -> PackagePlan:
    parts = package.path.split("/")
    version = next((part for part in reversed(parts) if _VERSION.fullmatch(part)), parts[-1])
    group, place = find_group(package, reader)
    allowed = package_subresources(package, reader)
    plan = PackagePlan(package.path, package.name, package.directory, group, version, package.input, allowed)
    if place is not None:
        plan.spans["group"] = place
    return plan


def _place_types(program: Program, universe: Universe, reader: TagReader) -> None:
    """Gives every type with checks to the package that declares it, also packages that were only reached."""
    for id in sorted(program.types):
        plan = program.types[id]
        if plan.package not in program.packages:
            package = universe.package(plan.package)
            assert package is not None, "a type was planned, so its package was loaded"
            program.packages[plan.package] = _package_plan(package, reader)
        program.packages[plan.package].types.append(id)


def _settle(program: Program) -> None:
    """Marks the types that have checks, also indirectly, and removes calls of types without checks."""
    users = _users(program)
    waiting = list(program.types.values())
    while waiting:
        plan = waiting.pop()
        if not plan.has_checks and _has_checks(plan, program):
            plan.has_checks = True
            waiting += users.get(plan.id, ())
    for plan in program.types.values():
        plan.keys, plan.values = _useful(plan.keys, program), _useful(plan.values, program)
        for member in plan.fields:
            member.keys, member.values = _useful(member.keys, program), _useful(member.values, program)
            if not program.checks_something(member.type):
                member.type = ""
            pointers = isinstance(member.shape, ListOf) and isinstance(member.shape.elem, PointerTo)
            if pointers and (member.checks or member.type):
                member.checks.insert(0, _no_nulls(member.span))
    for plan in program.types.values():
        for member in plan.fields:
            if member.type and isinstance(member.shape, PointerTo) and not member.stops_nulls:
                called = program.types[member.type]
                called.gets_null = called.accepts_null


def _no_nulls(span: Span) -> Check:
    """Null items of a list of pointers are errors wherever the field has checks; other checks rely on that."""
    return Check(Predicate(predicates.NO_NULLS), TagRef("", span), predicates.NO_NULLS.emits, short_circuit=True)


def _has_checks(plan: TypePlan, program: Program) -> bool:
    if plan.checks:
        return True
    if plan.opaque:
        return False
    if _useful(plan.keys, program) or _useful(plan.values, program):
        return True
    return any(
        f.checks or program.checks_something(f.type) or _useful(f.keys, program) or _useful(f.values, program)
        for f in plan.fields
    )


def _useful(check: Check | None, program: Program) -> Check | None:
    """Returns the iteration, unless the type that it calls has nothing to check."""
    return check if program.checks_something(find_called_type(check)) else None


def _blame(program: Program, universe: Universe, diagnostics: Diagnostics) -> None:
    """Finds the packages and types with errors, and all types that use these, which cannot be generated."""
    files = {d.span.file for d in diagnostics.unowned}
    directories = files | {file.rpartition("/")[0] for file in files}
    program.broken = {
        p for p, package in universe.packages.items() if package.broken or package.directory in directories
    }
    broken = {id for id, plan in program.types.items() if id in diagnostics.blamed or plan.package in program.broken}
    causes = {id: cause for id in broken if (cause := _cause(program.types[id], program, diagnostics))}
    users = _users(program)
    waiting = sorted(broken)
    while waiting:
        id = waiting.pop()
        found = {plan.id for plan in users.get(id, ())} - broken
        waiting += sorted(found)
        broken |= found
        if id in causes:
            causes |= dict.fromkeys(found, causes[id])
    program.broken_types, program.causes = broken, causes


def _cause(plan: TypePlan, program: Program, diagnostics: Diagnostics) -> Diagnostic | None:
    """Returns an error of the type itself, or of its package."""
    own = diagnostics.find_error(plan.id)
    if own is not None or plan.package not in program.packages:
        return own
    directory = program.packages[plan.package].directory
    faults = diagnostics.unowned
    return next((d for d in faults if directory in (d.span.file, d.span.file.rpartition("/")[0])), None)


def _users(program: Program) -> dict[str, list[TypePlan]]:
    """Returns the types that run the checks of a type, by its id."""
    users: dict[str, list[TypePlan]] = {}
    for plan in program.types.values():
        for id in _callees(plan):
            users.setdefault(id, []).append(plan)
    return users


def _callees(plan: TypePlan) -> set[str]:
    """Returns the ids of the types whose checks a type's checks run."""
    found = {f.type for f in plan.fields if f.type}
    iterations = (plan.keys, plan.values, *(each for f in plan.fields for each in (f.keys, f.values)))
    return (found | {find_called_type(each) for each in iterations}) - {""}


__all__ = ["lower_program"]
