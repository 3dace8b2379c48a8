"""Every code has an example that gives it and no other, and a fix that gives none: both are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.tables import each
from validation_gen.cli.app import app, arguments
from validation_gen.commands.explain.codes import PAGES, Explanation, Sample, explain, parse_page
from validation_gen.compiler.lint.survey import lint_rules
from validation_gen.diagnostics import CODES, Severity

ROOT = Path(__file__).parents[3]

EXPLANATIONS = {code: explain(code) for code in CODES}
each_explanation = each("code, explanation", EXPLANATIONS.items(), ids=EXPLANATIONS)
each_part = each("code, explanation", EXPLANATIONS.items(), ids=EXPLANATIONS, parts=8)


def findings(sample: Sample, directory: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of the command, and severity and code of all that it finds."""
    for name, text in sample.written.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(directory)
    words = shlex.split(sample.command)
    while "=" in words[0]:
        monkeypatch.setenv(*words.pop(0).split("=", 1))
    program, *args = words
    assert program == "validation-gen"
    result = CliRunner().invoke(app, arguments(args))
    told = re.findall(r"^(error|warning|info)\[(VG\d+)\]", result.stderr, re.M)
    return result.exit_code, told + re.findall(r"^::(error|warning) .*?title=(VG\d+)::", result.stdout, re.M)


def test_every_code_is_explained_once() -> None:
    assert sorted([page.stem for page in PAGES.iterdir()] + list(lint_rules())) == sorted(CODES)


def test_a_page_names_its_own_code() -> None:
    for page in PAGES.iterdir():
        assert page.read_text(encoding="utf-8").startswith(f"# {page.stem}\n")


def test_a_fix_leaves_out_what_stays() -> None:
    text = """\
# VG999

**Severity:** warning, error

Two lines
of a reason.

## Example

```go
type Robot struct{}
```

`robot.yaml`:

```yaml
arms: 9
```

```console
$ validation-gen validate v1 -f robot.yaml
```

## Fix

`robot.yaml`:

```yaml
arms: 2
```
"""
    command = "validation-gen validate v1 -f robot.yaml"
    assert parse_page(text) == Explanation(
        "Two lines of a reason.",
        Sample("\ntype Robot struct{}\n", {"robot.yaml": "arms: 9\n"}, command),
        Sample("\ntype Robot struct{}\n", {"robot.yaml": "arms: 2\n"}, command),
        (Severity.WARNING, Severity.ERROR),
    )
    with pytest.raises(ValueError, match="no block of a sample: that is all"):
        parse_page(text + "\nthat is all\n")
    with pytest.raises(ValueError, match="in this order"):
        parse_page(text.replace("## Fix", "## Repair"))


@each_part
def test_the_example_gives_the_code_and_no_other(
    code: str, explanation: Explanation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    severity = explanation.severities[0]
    exit_code, found = findings(explanation.example, tmp_path, monkeypatch)
    assert found == [(severity.value, code)]
    assert exit_code == (0 if severity is not Severity.ERROR else 2 if code.startswith("VG9") else 1)


@each_part
def test_the_fix_gives_none(
    code: str, explanation: Explanation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(explanation.fix, tmp_path, monkeypatch) == (0, [])


@each_explanation
def test_reasons_are_sentences(code: str, explanation: Explanation) -> None:
    assert re.fullmatch(r"[A-Z`].*[^.]\.", explanation.reason)
    assert explanation.example != explanation.fix


def test_severities_are_those_that_the_stages_report() -> None:
    """As far as calls name both: a rule's refusal has no severity of its own and is always an error."""
    reported: dict[str, set[str]] = {}
    for file in (ROOT / "validation_gen").rglob("*.py"):
        if "explain" in file.parts:
            continue
        text = file.read_text(encoding="utf-8")
        for severity, code in re.findall(r'\.(error|warning)\(\s*"(VG\d+)"', text):
            reported.setdefault(code, set()).add(severity)
        for code, severity in re.findall(r'Diagnostic\(\s*"(VG\d+)", Severity\.(\w+)', text):
            reported.setdefault(code, set()).add(severity.lower())
        for code in re.findall(r'Diagnostic\(\s*"(VG\d+)", severity\b', text):  # which the caller chooses
            reported.setdefault(code, set()).update(("error", "warning"))
        for code in re.findall(r'\bcode(?:: str)?\s?=\s?"(VG[1235]\d+)"', text):
            reported.setdefault(code, set()).add("error")
    for code, explanation in EXPLANATIONS.items():
        if code in reported:
            assert {severity.value for severity in explanation.severities} == reported[code], code
