"""A format that is added by one record is there for every command, whatever it tells."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Program
from tests.cli.test_formats import COMPARE, FILES

#: The program with two formats more: of findings, which come in every report, and of records, which each report has
#: its own of. The names for `--format` are made when they are imported, so this stands in front of all commands.
_CODE = """
import importlib, json, sys
from validation_gen.diagnostics.formats import registry, names

known.FORMATS += (
    known.Format("toy", lambda report, page: "".join(f"toy {each.code}\\n" for each in report.found(page))),
    known.Format("toys", lambda report, page: json.dumps([*report.records(page)], default=repr), known.Form.RECORDS),
)
importlib.reload(names)

from validation_gen.cli.main import run
sys.argv[0] = "validation-gen"
run()
"""

COMMANDS = {
    "lint wrong": ["VG103", "VG203"],
    "validate apis -f bad.yaml --option Glitter": ["VG804", "VG804"],
    "validate apis -f gone.yaml": ["VG901"],
    "coverage apis --tests less.jsonl": ["VG805"],
    f"{COMPARE}:differs": ["VG607"],
    "lint apis --nope": ["VG904"],  # a wrong command line is told in it, too
}


def run(project: Program, command: str) -> subprocess.CompletedProcess[str]:
    project.write(FILES)
    return subprocess.run(
        [sys.executable, "-c", _CODE, *command.split()],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
@pytest.mark.parametrize(("command", "codes"), COMMANDS.items(), ids=list(COMMANDS))
def test_findings(project: Program, command: str, codes: list[str]) -> None:
    done = run(project, f"{command} --format toy")
    assert sorted(done.stdout.splitlines()) == [f"toy {code}" for code in codes], done.stderr
    assert done.returncode in (1, 2)


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("lint wrong", {"code", "severity", "message"}),
        ("validate apis -f bad.yaml --option Glitter", {"apiVersion", "status", "errors"}),
        ("coverage apis --tests less.jsonl", {"path", "state"}),
        (f"{COMPARE}:differs", {"cause", "count"}),
    ],
    ids=["lint", "validate", "coverage", "compare"],
)
def test_records(project: Program, command: str, keys: set[str]) -> None:
    first, *_ = json.loads(run(project, f"{command} --format toys").stdout)
    assert first.keys() >= keys


@pytest.mark.process
@pytest.mark.parametrize("command", ["lint", "validate", "coverage", "compare"])
def test_the_help_names_it(project: Program, command: str) -> None:
    assert "junit|toy|toys" in "".join(run(project, f"{command} --help").stdout.split()).replace("│", "")
