"""Runs all checks of one definition, in the order of the API server, and returns diagnostics.

Its own checks are those of subresources: the paths of `scale`, and the root of a schema with `status`, which the server
validates by a part of the schema, so that keywords there must not concern both parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.kubernetes.cel import NEWEST, Scope
from validation_gen.kubernetes.crd.columns import (
    check_columns,
    check_selectable,
    check_simple_path,
    check_size,
    warn_of_missing,
)
from validation_gen.kubernetes.crd.decode import Mistake, mistakes
from validation_gen.kubernetes.crd.defaults import check_defaults
from validation_gen.kubernetes.crd.definition import Definition, Part, Scale, Subresources, Validation, read_definition
from validation_gen.kubernetes.crd.gotypes import DEFINITION
from validation_gen.kubernetes.crd.keywords import Context, check_keywords
from validation_gen.kubernetes.crd.names import (
    check_conversion,
    check_metadata,
    check_names,
    check_preserving,
    check_versions,
)
from validation_gen.kubernetes.crd.report import STRUCTURE, Finding, Report
from validation_gen.kubernetes.crd.rules import Expressions
from validation_gen.kubernetes.crd.schema import Plain, Schema, is_set, plain_schemas
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.crd.structural import check_structural, find_unsupported
from validation_gen.kubernetes.positions import Positions
from validation_gen.runtime.words import nearest

#: Names of the allowed keywords in Go: they are in the message.
_ALLOWED = (
    "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern "
    "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
    "XValidations"
)
#: Forbidden keywords, in the order of the server's checks; `type` is among them if it is not object.
_FORBIDDEN = (
    "id $schema $ref type nullable default enum maxProperties minProperties allOf oneOf anyOf not additionalProperties "
    "patternProperties dependencies additionalItems definitions x-kubernetes-embedded-resource "
    "x-kubernetes-int-or-string x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type"
).split()


def _is_forbidden(schema: Schema, keyword: str) -> bool:
    if keyword == "type":
        return schema.type not in ("", "object")
    return is_set(schema, keyword) or keyword in schema.empty


def check_root(schema: Schema, status: bool, path: SchemaPath, report: Report) -> None:
    """Checks the root of a schema; `status`: the status is a subresource."""
    first = next((name for name in _FORBIDDEN if _is_forbidden(schema, name)), "") if status else ""
    if first == "type":
        detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
        report.invalid("VG507", path.child("type"), schema.type, detail, "write type: object")
    elif first:
        detail = f"only [{_ALLOWED}] fields are allowed at the root of the schema if the status subresource is enabled"
        there = SchemaPath(str(path), *path.keys, first)
        report.invalid("VG507", there, STRUCTURE, detail, f"move {first} to the schemas of spec and status")
    if schema.nullable:
        report.forbidden("VG502", path.child("nullable"), "nullable cannot be true at the root", "drop it")


def check_subresources(
    subresources: Subresources | None, schemas: tuple[Schema, ...], at: SchemaPath, report: Report
) -> None:
    scale = subresources.scale if subresources else None
    if scale is None:
        return
    for name, path, roots, detail in _paths(scale):
        where = at.child(f"scale.{name}", "scale", name)
        if not path:
            report.required("VG507", where, help=f"write a path such as {roots[0]}replicas")
        elif check_simple_path(path, where, report):
            if not path.startswith(roots):
                report.invalid("VG507", where, path, detail, f"write a path that begins with {' or '.join(roots)}")
            else:
                warn_of_missing(path, schemas, where, "scale", report)


def _paths(scale: Scale) -> list[tuple[str, str, tuple[str, ...], str]]:
    """Returns for each path of `scale` its name, its text, the allowed prefixes, and the error for other prefixes."""
    both = "should be a json path under either .spec or .status"
    selector = scale.label_selector
    return [
        ("specReplicasPath", scale.spec_replicas, (".spec.",), "should be a json path under .spec"),
        ("statusReplicasPath", scale.status_replicas, (".status.",), "should be a json path under .status"),
        *([("labelSelectorPath", selector, (".status.", ".spec."), both)] if selector else []),
    ]


GROUP = "apiextensions.k8s.io"
KIND = "CustomResourceDefinition"
VERSION = f"{GROUP}/v1"


def is_definition(obj: Any) -> bool:
    """Returns whether an object has the kind CustomResourceDefinition, in any version."""
    return (
        isinstance(obj, dict)
        and obj.get("kind") == KIND
        and isinstance(obj.get("apiVersion"), str)
        and obj["apiVersion"].split("/")[0] == GROUP
    )


def diagnostics(
    obj: Any, positions: Positions, *, max_description: int | None = None, minor: int = NEWEST
) -> list[Diagnostic]:
    """Returns the errors of a definition, with positions in its file."""
    return locate(check(obj, max_description=max_description, minor=minor), positions)


def locate(found: Iterable[Finding], positions: Positions) -> list[Diagnostic]:
    """Returns findings with their positions in the file."""
    return [Diagnostic(f.code, f.severity, _in_one_line(f.message), positions.span(f.keys), f.help) for f in found]


def _in_one_line(message: str) -> str:
    """Removes the lines of the expression from a message: the excerpt of the file shows them."""
    return "; ".join(line for line in message.split("\n") if not line.startswith(" | "))


@dataclass(frozen=True, slots=True)
class CheckedDefinition:
    """A definition and the result of all checks.

    Attributes:
        definition: the decoded definition; None if it does not decode.
        findings: all findings. Decoding errors hide all others.
        unknown: the unknown fields, in the words of a strict decoder; they are among the findings.
    """

    definition: Definition | None
    findings: list[Finding]
    unknown: list[str]

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


def check(obj: Any, *, max_description: int | None = None, minor: int = NEWEST) -> list[Finding]:
    """Returns the errors of a definition. Decoding errors hide all others.

    Rules may use the functions of 1.`minor`, the release before the server's.
    """
    report = Report(minor)
    try:
        check_definition(obj, report, max_description=max_description)
    except RecursionError:
        report.refuse(
            "VG509", SchemaPath("spec", "spec"), "the schema is nested too deeply to be checked", "flatten it"
        )
    return report.findings


def check_definition(
    obj: Any, report: Report | None = None, *, max_description: int | None = None
) -> CheckedDefinition:
    """Decodes and checks a definition, and adds the findings to the report.

    Raises:
        RecursionError: it is nested too deeply.
    """
    report = report or Report()
    plain = _plain(obj)
    unknown: list[str] = []
    if not _decodes(obj, plain, report, unknown):
        return CheckedDefinition(None, report.findings, unknown)
    definition = read_definition(obj, plain)
    _check(definition, report)
    check_size(obj, max_description, report)
    return CheckedDefinition(definition, report.findings, unknown)


def _plain(obj: Any) -> Plain:
    """Returns the settled schemas of a definition, which need no decoding checks."""
    spec = obj.get("spec")
    versions = spec.get("versions") if isinstance(spec, dict) else None
    found = [each.get("schema") for each in (versions if isinstance(versions, list) else ()) if isinstance(each, dict)]
    return plain_schemas(each.get("openAPIV3Schema") for each in found if isinstance(each, dict))


def _decodes(obj: Any, plain: Plain, report: Report, unknown: list[str]) -> bool:
    root = SchemaPath("")
    if obj["apiVersion"] != VERSION:
        message = f'no matches for kind "{KIND}" in version "{obj["apiVersion"]}"'
        report.refuse("VG511", root.child("apiVersion"), message, f"write {VERSION}, the only version that is served")
        return False
    unknown += report_mistakes(mistakes(obj, DEFINITION, root, plain.all), report, "VG511", "VG502")
    return not report.errors


def report_mistakes(found: Iterable[Mistake], report: Report, wrong: str, unknown: str) -> list[str]:
    """Reports decoding errors by codes for wrong types and unknown fields; returns what a strict decoder says."""
    text = []
    for mistake in found:
        if mistake.unknown is None:
            report.refuse(wrong, mistake.place, mistake.text, "write a value of that type")
            continue
        near = nearest(mistake.unknown, mistake.known)
        help = f"did you mean {near[0]}?" if near else "drop it: the server does"
        report.warn(unknown, mistake.place, mistake.in_words, help)
        if not mistake.hidden:
            text.append(mistake.in_words)
    return text


def _check(definition: Definition, report: Report) -> None:
    check_metadata(definition, report)
    check_names(definition, report)
    check_versions(definition, report)
    check_preserving(definition, report)
    shared = definition.shared
    has_status = any(
        part.subresources is not None and part.subresources.status
        for part in (shared, *(version.part for version in definition.versions))
    )
    for version in definition.versions:
        part = version.part
        subresources = part.subresources or shared.subresources
        status = subresources is not None and subresources.status
        _check_part(part, (part.schema or shared.schema,), status, part.place.child("schema"), report, version=True)
    top = shared.place.child("validation", "versions", 0, "schema")
    schemas = (shared.schema, *(version.part.schema for version in definition.versions))
    _check_part(shared, schemas, has_status, top, report)
    check_conversion(definition.conversion, report)


def _check_part(
    part: Part,
    schemas: tuple[Schema | None, ...],
    status: bool,
    path: SchemaPath,
    report: Report,
    *,
    version: bool = False,
) -> None:
    """Checks the parts that one version, or all of them together, declare for resources with these schemas."""
    known = tuple(schema for schema in schemas if schema is not None)
    if part.validation is not None:
        _check_validation(part.validation, status, path, report)
    prefix = () if version else ("versions", 0)
    check_subresources(part.subresources, known, _inner(part, "subresources", prefix), report)
    check_columns(part.columns, known, _inner(part, "additionalPrinterColumns", prefix), report)
    _check_selectable(part, _inner(part, "selectableFields", prefix), report, version=version)


def _inner(part: Part, name: str, prefix: tuple[str | int, ...]) -> SchemaPath:
    return part.place.child(name, *prefix, name)


def _check_validation(validation: Validation, status: bool, path: SchemaPath, report: Report) -> None:
    schema = validation.schema
    if schema is None:
        return
    before = report.errors
    path = path.child("openAPIV3Schema")
    check_root(schema, status, path, report)
    reason = find_unsupported(schema)
    scope = None
    if reason is None:
        at = report.errors
        check_structural(schema, path, report)
        if report.errors == at:
            check_defaults(schema, validation.raw, path, report, report.minor)
        scope = Scope(validation.raw, str(path), report.minor) if report.errors == at else None
    expressions = Expressions(report)
    check_keywords(schema, path, Context(expressions, root=True, scope=scope), report)
    expressions.judge_total(path)
    if reason is not None and report.errors == before:
        report.invalid("VG502", path, "", reason, "drop the keyword")


def _check_selectable(part: Part, path: SchemaPath, report: Report, *, version: bool) -> None:
    if not part.selectable:
        return
    if part.validation is None or (version and part.schema is None):
        detail = "may only be set when validations.schema is included"
        if version:
            detail = "may only be set when `version.schema.openAPIV3Schema` is not included"
        help = "the server keeps a schema that all versions share apart: let all versions select the same fields"
        report.invalid("VG507", path, "", detail, help)
        return
    if part.schema is not None and (reason := find_unsupported(part.schema)) is not None:
        where = SchemaPath(f"{part.place}.schema.openAPIV3Schema", *path.keys)
        report.invalid("VG502", where, "", reason, "drop the keyword")
    check_selectable(part.selectable, part.schema, path, report)
