"""Verdicts on manifests, for programs that do without the command line."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.conftest import Program
from validation_gen.build.pipeline import Settings, build_program, load_validators
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.kubernetes.manifests import each_manifest, read_manifests
from validation_gen.uses.validate import Request, State, judge_all, kinds_of, summary

HEAD = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"


def test_a_program_judges_manifests(project: Program) -> None:
    project.write({"a.yaml": f"{HEAD}spec: {{name: a}}\n---\n{HEAD}spec: {{name: too long}}\n---\nkind: A\n"})
    registry = load_validators(build_program(Settings(("apis",))).program)
    diagnostics = Diagnostics()
    manifests = read_manifests(["a.yaml"], diagnostics)
    request = Request({"Glitter": True}, skipped=kinds_of(["A"]))
    verdicts = judge_all(manifests, [], registry, request)
    assert [verdict.state for verdict in verdicts] == [State.VALID, State.INVALID, State.SKIPPED]
    assert summary(verdicts) == "3 objects: 1 valid, 1 invalid, 1 skipped"
    updated = judge_all(manifests[1:2], manifests[1:2], registry, request)
    assert [verdict.state for verdict in updated] == [State.VALID]
    assert Request().missing is Severity.ERROR


def test_only_those_objects_are_kept_that_are_told(project: Program) -> None:
    project.write({"a.yaml": "\n---\n".join(f"{HEAD}spec: {{name: {name}}}" for name in ("a", "too long", "b"))})
    registry = load_validators(build_program(Settings(("apis",))).program)
    valid, invalid, last = judge_all(each_manifest(["a.yaml"], Diagnostics()), [], registry, Request({"Glitter": True}))
    assert invalid.manifest.obj["spec"] == {"name": "too long"}
    assert invalid.manifest.positions.span(("spec", "name")).line == 9
    assert "spec" not in valid.manifest.obj
    assert valid.manifest.identity == last.manifest.identity == ("example.com/v1", "Thing", "", "a")
    assert (valid.manifest.line, last.manifest.line) == (1, 11)


def test_it_needs_no_command_line() -> None:
    code = "import sys, validation_gen.uses.validate; sys.exit('typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
