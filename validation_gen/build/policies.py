"""From a program to admission policies as text by path, with their bindings and a table of rules; what is told of them.

This stands apart from `pipeline` because it needs YAML and CEL, which other commands do not load.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.build.lower.optionnames import unknown_options
from validation_gen.diagnostics import BUNDLED, Diagnostics
from validation_gen.emit.policies.documents import policies_of
from validation_gen.emit.policies.findings import TABLE, findings, marked, table
from validation_gen.emit.policies.options import PolicyOptions
from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import definitions
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.ir import Program


def build_policies(
    program: Program, schemas: SchemaOptions, options: PolicyOptions, diagnostics: Diagnostics
) -> dict[str, str]:
    """Policies with bindings as YAML, and the table of rules, by file name. What stays with validators is told."""
    kinds = policies_of(program, definitions(program), schemas, options)
    found = [*findings(kinds, weaker=options.weaker), *marked(program, kinds)]
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
