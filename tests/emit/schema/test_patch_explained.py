"""The examples of the codes about patches give these codes, and their fixes none."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation_gen.commands.explain.codes import Sample, explain
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.patch import find_schemas, patch_files
from validation_gen.emit.schema.resources import ResourceEmitter, definitions


def findings(sample: Sample, root: Path) -> list[tuple[str, str]]:
    for name, text in sample.written.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    result = build_program(Settings((str(root / "v1"),), every_kind=True))
    assert result.diagnostics.items == []
    emitter = ResourceEmitter(result.program, SchemaOptions())
    schemas = find_schemas(emitter.definition(definition) for definition in definitions(result.program))
    assert list(schemas) == [("example.com", "Robot")]
    changed = patch_files(str(root / "crds"), schemas, result.diagnostics)
    assert bool(changed) != result.diagnostics.has_errors or "[]" in sample.files["crds/robots.yaml"]
    return [(item.code, item.severity.value) for item in result.diagnostics.items]


@pytest.mark.parametrize("code", ["VG545", "VG546", "VG547"])
def test_the_example_gives_the_code_and_the_fix_none(code: str, tmp_path: Path) -> None:
    explanation = explain(code)
    assert findings(explanation.example, tmp_path / "example") == [(code, explanation.severities[0].value)]
    assert findings(explanation.fix, tmp_path / "fix") == []
