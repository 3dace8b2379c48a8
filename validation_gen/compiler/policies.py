"""Renders a program as admission policies, with their bindings and a table of rules, and their findings.

It is separate from `pipeline` because it needs YAML and CEL, which other commands do not load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.compiler.lower.optionnames import unknown_options
from validation_gen.diagnostics import BUNDLED, Diagnostic, Diagnostics, Severity
from validation_gen.emit.policies.documents import KindPolicies, build_kind_policies
from validation_gen.emit.policies.findings import TABLE, defined, findings, marked, table
from validation_gen.emit.policies.options import PolicyOptions
from validation_gen.emit.schema.findings import find_span
from validation_gen.emit.schema.options import SchemaOptions
from validation_gen.emit.schema.resources import definitions
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.ir import Program
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.runtime.errors import FieldError


def build_policies(
    program: Program, schemas: SchemaOptions, options: PolicyOptions, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns policies with bindings as YAML, and the table of rules, by file name. Omitted rules are reported."""
    kinds = build_kind_policies(program, definitions(program), schemas, options)
    found = [*findings(program, kinds, weaker=options.weaker), *marked(program, kinds), *defined(program)]
    found += _refusals(program, kinds)
    for finding in (*found, *unknown_options(schemas.options, program.options)):
        if not finding.span.file.startswith(BUNDLED):
            diagnostics.add(finding)
    files = {kind.file: _documents(kind.objects) for kind in kinds if kind.objects}
    files |= {kind.defaults_file: _documents(kind.mutating) for kind in kinds if kind.mutating}
    if files or any(kind.gaps or kind.excesses for kind in kinds):
        files[TABLE] = table(kinds)
    return files


def _documents(objects: Sequence[dict[str, Any]]) -> str:
    """Objects as the documents of one file."""
    first, *others = objects
    return as_yaml(first) + "".join(f"---\n{as_yaml(each, marker=None)}" for each in others)


def _refusals(program: Program, kinds: Sequence[KindPolicies]) -> Iterator[Diagnostic]:
    """Yields the API server's first error for the policies of a kind: invalid names of groups and kinds."""
    for kind in kinds:
        for name, error in _errors(kind):
            message = f"the API server refuses the {name}: {error}"
            help = "name the group and the kind in letters, digits, dots and dashes"
            yield Diagnostic("VG572", Severity.ERROR, message, find_span(program, kind.package, kind.root), help)
            break


def _errors(kind: KindPolicies) -> Iterator[tuple[str, FieldError]]:
    for obj in (*kind.objects, *kind.mutating):
        binds = obj["kind"].endswith("Binding")
        for error in binding_errors(read_binding(obj)) if binds else policy_errors(read_policy(obj)):
            yield f"{obj['kind']} {obj['metadata']['name']}", error
