"""Renders a program as definitions, documents and schemas for editors, as text by path, with findings.

It is separate from `pipeline` because it needs YAML and the checker of definitions, which other commands do not load.
It also makes programs for types that nearly every API refers to, for schemas without sources of types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from validation_gen.compiler.lower.comments import TagReader, unknown_options
from validation_gen.compiler.lower.declarations import spelt_out
from validation_gen.compiler.lower.unknown import add_notes
from validation_gen.compiler.lower.walk import Walk
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.schema import SchemaOptions, jsonschema, swagger
from validation_gen.emit.schema.findings import find_span, findings, report_omitted_rules, report_truncated_kinds, unfit
from validation_gen.emit.schema.helmvalues import FILE, ValuesError, ValuesRequest, build_values_schema
from validation_gen.emit.schema.jsonschema import as_json
from validation_gen.emit.schema.patch import find_schemas, patch_files
from validation_gen.emit.schema.resources import Definition, ResourceEmitter, definitions
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.ir import OBJECT_META, Program
from validation_gen.kubernetes.crd.run import check
from validation_gen.kubernetes.crd.verdict import SERVER
from validation_gen.rules.releases import NEWEST
from validation_gen.sources.model import Named
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format


def wellknown_program(id: str) -> Program:
    """Returns a type and all types in it, as a program without packages; an empty one for an unknown type."""
    diagnostics = Diagnostics()
    types = TypeSystem(read_universe((), diagnostics), spelt_out(wire_format))
    walk = Walk(types, TagReader(diagnostics, NEWEST), lambda path: True, described=True)
    package, _, name = id.rpartition(".")
    declaration = types.declaration(Named(package, name))
    if declaration is not None:
        walk.visit_declaration(declaration)
    return Program(types=walk.plans, structs=walk.shapes.structs)


_REFUSED = "VG550"


def build_definitions(program: Program, options: SchemaOptions, diagnostics: Diagnostics) -> dict[str, str]:
    """Returns CustomResourceDefinitions as YAML by file name. Reports rules that their schemas cannot express."""
    return {file: as_yaml(obj) for file, obj in _definitions(program, options, diagnostics, whole=True).items()}


def patch_definitions(
    program: Program, options: SchemaOptions, directory: str, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns the manifests in a directory with new schemas, by path: those that change. Troubles are reported."""
    if program.misnamed:
        return {}
    found = _definitions(program, options, diagnostics, whole=False)
    return patch_files(directory, find_schemas(found.values()), diagnostics)


def _definitions(
    program: Program, options: SchemaOptions, diagnostics: Diagnostics, *, whole: bool
) -> dict[str, dict[str, Any]]:
    """Returns the definitions by file name. Findings are about their schemas and, for `whole` ones, about the rest."""
    found = [each for each in definitions(program) if not _refuse_groupless(program, each, diagnostics)]
    emitter = ResourceEmitter(program, options)
    objects = {each.file: emitter.definition(each) for each in found}
    short = report_truncated_kinds(program, emitter.excess)
    diagnostics.extend([*findings(program, found), *short, *unknown_options(options.options, program.options)])
    for left in unfit(found):
        if not add_notes(diagnostics, left.type, [(left.text, left.span)]):
            message = f"{left.text}, because {left.type} cannot be found"
            diagnostics.warning("VG540", message, left.span or find_span(program, *found[0].versions[-1]))
    for each in found:
        diagnostics.extend(refusals(program, each, objects[each.file], whole=whole))
    return objects


def _refuse_groupless(program: Program, definition: Definition, diagnostics: Diagnostics) -> bool:
    """Reports a definition without a group, which no server accepts, unless the source sets an empty one."""
    packages = [package for package, _ in definition.versions]
    if definition.group or any("group" in package.spans for package in packages):
        return False
    message = f"{definition.plural} has no API group, and a CustomResourceDefinition needs one"
    help = "write +groupName=example.com with your own group above the package clause"
    diagnostics.error(_REFUSED, message, find_span(program, *definition.versions[-1]), help)
    return True


def refusals(program: Program, definition: Definition, obj: Mapping[str, Any], *, whole: bool) -> Iterator[Diagnostic]:
    """Yields the API server's errors for a definition, or only its schemas, unless another finding covers them.

    Errors about annotations are warnings, because users can still add annotations, such as the approval of `*.k8s.io`.
    """
    if "." not in definition.group:
        return
    reported = {"VG508"} if any(not excess.dropped for excess in definition.excesses) else set()
    for finding in check(obj, minor=(program.server or SERVER) - 1):
        if finding.code in reported or not (whole or "schema" in finding.keys):
            continue
        certain = finding.severity is Severity.ERROR and finding.keys[:1] != ("metadata",)
        says = f"the API server refuses {definition.name}" if certain else definition.name
        place = find_span(program, *definition.versions[-1])
        severity = Severity.ERROR if certain else Severity.WARNING
        yield Diagnostic(_REFUSED, severity, f"{says}: {finding.message}", place, finding.help)


def build_openapi(
    program: Program, options: SchemaOptions, diagnostics: Diagnostics, *, v2: bool = False
) -> dict[str, str]:
    """OpenAPI documents as JSON by path, of version 3 and, if wanted, of version 2."""
    diagnostics.extend(unknown_options(options.options, program.options))
    shared = swagger.components_v3(program, options)
    found = swagger.documents_v3(shared)
    diagnostics.extend(report_omitted_rules(shared.gaps))
    if v2:
        found |= swagger.files(program, options)
    return {path: as_json(document) for path, document in found.items()}


def build_json_schemas(
    program: Program, options: SchemaOptions, diagnostics: Diagnostics, values: Sequence[ValuesRequest] = ()
) -> dict[str, str]:
    """JSON Schemas of all kinds by path; with requests for values, that of a Helm chart's values alone."""
    diagnostics.extend(unknown_options(options.options, program.options))
    metadata = None if OBJECT_META in program.structs else wellknown_program(OBJECT_META)
    emitter = jsonschema.SchemaEmitter(program, options, metadata=metadata)
    try:
        documents = {FILE: build_values_schema(values, emitter.kinds())} if values else emitter.files()
    except ValuesError as error:
        diagnostics.error("VG904", str(error), Span("--helm-values"), error.help)
        documents = {}
    found = {path: as_json(document) for path, document in documents.items()}
    diagnostics.extend(report_truncated_kinds(program, emitter.excess))
    for id, patterns in emitter.foreign.items():
        for pattern in patterns:
            message = f"the pattern `{pattern}` is in the syntax of Go alone; the schema goes without"
            help = "write it without flags such as (?i), named classes and groups, \\A, \\z, \\Q and \\p"
            diagnostics.warning("VG540", message, program.types[id].span, help)
    return found
