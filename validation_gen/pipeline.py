"""The stages in their order: sources, rules, program, files. This is the one module that knows them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.convert import Language, convert
from validation_gen.crd.run import check
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.emit.python import emit_python
from validation_gen.emit.schema import jsonschema, openapi, swagger
from validation_gen.emit.schema.clashes import place_of
from validation_gen.emit.schema.findings import findings, left_out, unknown_options
from validation_gen.emit.schema.jsontext import as_json
from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.patch import patched_files, schemas_of
from validation_gen.emit.schema.resources import Definition, ResourceEmitter, definitions
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.ir import CustomFunction, Program
from validation_gen.lint import lint
from validation_gen.lower import lower_program
from validation_gen.memory import load_registry
from validation_gen.rules.base import CustomFunctions
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.registry import Registry
from validation_gen.sources.customs import Customs, read_customs
from validation_gen.sources.reader import read_universe
from validation_gen.sources.wellknown import wire_format
from validation_gen.typesystem import TypeSystem


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run works on.

    `modules` maps import paths to directories with their sources; `readonly` lists import paths (or patterns) whose
    types are used but not generated for; `require_directive` asks for upstream's strict selection of packages. With
    `every_type` all exported types can be asked for by name, also those that the directives leave out; with
    `every_kind` packages without rules take part, too. `custom` lists Python files with handwritten checks. `target` is
    the Kubernetes release to agree with.
    `lint` looks for tags that are legal but unwise, `strict_lint` makes errors of what upstream's own lint refuses.
    """

    paths: tuple[str, ...]
    modules: Mapping[str, str] = field(default_factory=dict)
    readonly: tuple[str, ...] = ()
    require_directive: bool = False
    every_type: bool = False
    custom: tuple[str, ...] = ()
    target: str = NEWEST
    every_kind: bool = False
    lint: bool = False
    strict_lint: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A program, and what was noticed on the way to it."""

    program: Program
    diagnostics: Diagnostics


def build_program(settings: Settings, progress: Callable[[str], None] = lambda text: None) -> Result:
    """Reads the sources and lowers them. Never raises on what the user's files hold.

    `progress` is told what comes next.
    """
    diagnostics = Diagnostics()
    progress("reading")
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    customs = read_customs(settings.custom, diagnostics)
    progress("applying rules")
    program = lower_program(
        universe,
        wire_format,
        diagnostics,
        require_directive=settings.require_directive,
        readonly=settings.readonly,
        custom=_found_or_not(customs) if settings.every_kind else customs.find,
        every_type=settings.every_type,
        every_kind=settings.every_kind,
        target=settings.target,
    )
    program.custom = customs.texts
    customs.report_unused(diagnostics)
    if settings.lint:
        progress("linting")
        types = TypeSystem(universe, wire_format)
        lint(types, program, diagnostics, target=settings.target, strict=settings.strict_lint)
    return Result(program, diagnostics)


def _found_or_not(customs: Customs) -> CustomFunctions:
    """Finds any handwritten function: schemas cannot call them, so that nobody has to name their files."""
    return lambda package, name: customs.find(package, name) or CustomFunction("", name)


def build_files(program: Program) -> dict[str, str]:
    """The generated Python package by path below its directory."""
    return emit_python(program)


def build_definitions(program: Program, options: SchemaOptions, diagnostics: Diagnostics) -> dict[str, str]:
    """CustomResourceDefinitions as YAML by file name. What their schemas do not say of the rules is reported."""
    return {file: as_yaml(obj) for file, obj in _definitions(program, options, diagnostics, whole=True).items()}


def patch_definitions(
    program: Program, options: SchemaOptions, directory: str, diagnostics: Diagnostics
) -> dict[str, str]:
    """The manifests in a directory with new schemas, by path: those that change. Troubles are reported."""
    found = _definitions(program, options, diagnostics, whole=False)
    return patched_files(directory, schemas_of(found.values()), diagnostics)


def _definitions(
    program: Program, options: SchemaOptions, diagnostics: Diagnostics, *, whole: bool
) -> dict[str, dict[str, Any]]:
    """The definitions by file name. Findings are about their schemas and, for `whole` ones, about the rest."""
    found = definitions(program)
    emitter = ResourceEmitter(program, options)
    objects = {each.file: emitter.definition(each) for each in found}
    for finding in (*findings(program, found), *unknown_options(program, options)):
        diagnostics.add(finding)
    for each in found:
        for finding in _judged(program, each, objects[each.file], whole=whole):
            diagnostics.add(finding)
    return objects


def _judged(program: Program, definition: Definition, obj: Mapping[str, Any], *, whole: bool) -> Iterator[Diagnostic]:
    """What the API server has against a definition, or only its schemas, if no other finding says it.

    Annotations can still be added to the manifest, such as the approval that groups of Kubernetes need.
    """
    if "." not in definition.group:
        return
    told = {"VG508"} if any(not excess.dropped for excess in definition.excesses) else set()
    for finding in check(obj):
        if finding.code in told or not (whole or "schema" in finding.keys):
            continue
        certain = finding.severity is Severity.ERROR and finding.keys[:1] != ("metadata",)
        says = f"the API server refuses {definition.name}" if certain else definition.name
        place = place_of(program, *definition.versions[-1])
        severity = Severity.ERROR if certain else Severity.WARNING
        yield Diagnostic("VG550", severity, f"{says}: {finding.message}", place, finding.help)


def build_openapi(
    program: Program, options: SchemaOptions, diagnostics: Diagnostics, *, v2: bool = False
) -> dict[str, str]:
    """OpenAPI documents as JSON by path, of version 3 and, if wanted, of version 2."""
    for finding in unknown_options(program, options):
        diagnostics.add(finding)
    shared = openapi.components(program, options)
    found = openapi.documents(shared)
    for finding in left_out(shared.gaps):
        diagnostics.add(finding)
    if v2:
        found |= swagger.files(program, options)
    return {path: as_json(document) for path, document in found.items()}


def build_json_schemas(program: Program, options: SchemaOptions, diagnostics: Diagnostics) -> dict[str, str]:
    """JSON Schemas of all kinds by path."""
    for finding in unknown_options(program, options):
        diagnostics.add(finding)
    return {path: as_json(document) for path, document in jsonschema.files(program, options).items()}


def convert_sources(
    settings: Settings, language: Language, progress: Callable[[str], None] = lambda text: None
) -> tuple[dict[str, str], Diagnostics]:
    """The input packages in another language, as text by path, and what was noticed on the way."""
    diagnostics = Diagnostics()
    progress("reading")
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    progress("converting")
    return convert(universe, language, diagnostics, readonly=settings.readonly), diagnostics


def load_validators(program: Program) -> Registry:
    """The generated package, imported from memory."""
    return load_registry(build_files(program))
