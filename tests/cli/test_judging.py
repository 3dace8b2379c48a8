"""Verdicts on manifests, for programs that do without the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback

import pytest

from tests.cli.conftest import Program
from validation_gen.commands.distributed.chunking import ChunkReader
from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.commands.validate.judging import Request, parse_kinds
from validation_gen.commands.validate.pieces import Checked, Judge, OldFiles, Origin, Validation, check
from validation_gen.commands.validate.verdicts import ReportOptions, Results, State
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Severity, Span
from validation_gen.runtime import checks
from validation_gen.runtime.errors import FieldError

HEAD = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n"


def judge(request: Request, wanted: ReportOptions | None = None) -> Judge:
    program = build_program(Settings(("apis",))).program
    made = Judge(load_validators(program), request, wanted or ReportOptions())
    made.origin = Origin(lambda: build_files(program))
    return made


def checked(judge: Judge, *old: str) -> Checked:
    return check(judge, ChunkReader(["a.yaml"], recursive=True, size=None), OldFiles(old), 1, Interruption())


def test_a_program_judges_manifests(project: Program) -> None:
    project.write({"a.yaml": f"{HEAD}spec: {{name: a}}\n---\n{HEAD}spec: {{name: too long}}\n---\nkind: A\n"})
    request = Request({"Glitter": True}, skipped=parse_kinds(["A"]))
    found = checked(judge(request)).results
    assert [verdict.state for verdict in found.verdicts] == [State.VALID, State.INVALID, State.SKIPPED]
    assert found.summary() == "3 objects: 1 valid, 1 invalid, 1 skipped"
    updated = checked(judge(request), "a.yaml").results
    assert [verdict.state for verdict in updated.verdicts] == [State.VALID, State.VALID, State.SKIPPED]
    assert Request().missing is Severity.ERROR


def test_the_way_from_the_command_to_a_rule_is_short(project: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[list[str]] = []

    def max_length(value: str, limit: int) -> list[FieldError]:
        ways.append([frame.f_code.co_name for frame, _ in traceback.walk_stack(sys._getframe(1))])
        return []

    monkeypatch.setattr(checks, "max_length", max_length)
    project.write({"a.yaml": f"{HEAD}spec: {{name: too long}}\n"})
    assert project("validate", "apis", "-f", "a.yaml", "--option", "Glitter").code == 0
    way = ways[-1][: ways[-1].index("validate", ways[-1].index("judge")) + 1]  # `Registry.validate` is nearer
    functions = [name for name in way if name.startswith("create_")]
    assert functions == ["create_ThingSpec", "create_Thing"]
    assert len(way) - len(functions) <= 15, way[::-1]


def test_only_those_objects_are_kept_that_are_told(project: Program) -> None:
    project.write({"a.yaml": "\n---\n".join(f"{HEAD}spec: {{name: {name}}}" for name in ("a", "too long", "b"))})
    request = Request({"Glitter": True})
    (invalid,) = checked(judge(request, ReportOptions(all=False))).results.verdicts
    assert invalid.identity == ("example.com/v1", "Thing", "", "a")
    assert (invalid.line, invalid.errors[0].place) == (6, Span("a.yaml", 9, 14, 22))
    assert [each.line for each in checked(judge(request)).results.verdicts] == [1, 6, 11]


def test_what_goes_through_data_is_the_same(project: Program) -> None:
    project.write(
        {"a.yaml": f"{HEAD}spec: {{name: too long, wrong: 1}}\n---\nkind: A\n---\n{HEAD}spec: {{name: a}}\n---\n\tb"}
    )
    here = judge(Request({"Glitter": True}, skipped=frozenset({"A"}), missing=None))
    there = decode(Validation, json.loads(json.dumps(encode(Validation.from_judge(here))))).make_judge()
    assert there.request == here.request
    (task,) = ChunkReader(["a.yaml"], recursive=True, size=None).tasks()
    found = here.run(task)
    assert there.run(task) == found
    assert decode(Results, json.loads(json.dumps(encode(found)))) == found
    (block,) = found.blocks.values()
    assert (block.objects, len(block.problems), block.verdicts[0].state) == (3, 1, State.INVALID)


@pytest.mark.process
def test_it_needs_no_command_line() -> None:
    code = "import sys, validation_gen.commands.validate.pieces; sys.exit('typer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
