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
import importlib, json, os, sys
from validation_gen.diagnostics.formats import names, registry
from validation_gen.diagnostics.formats.registry import Form, Format

registry.FORMATS += (
    Format("toy", lambda report, page: "".join(f"toy {each.code}\\n" for each in report.found(page))),
    Format("toys", lambda report, page: json.dumps([*report.records(page)], default=repr), Form.RECORDS),
)
importlib.reload(names)

from tests.program import run
done = [run(command.split(), b"", os.getcwd(), dict(os.environ)) for command in json.load(sys.stdin)]
json.dump([[each.returncode, each.stdout.decode(), each.stderr.decode()] for each in done], sys.stdout)
"""

#: Commands with the codes of their findings.
COMMANDS = {
    "lint wrong": ["VG103", "VG203"],
    "validate apis -f bad.yaml --option Glitter": ["VG804", "VG804"],
    "validate apis -f gone.yaml": ["VG901"],
    "coverage apis --tests less.jsonl": ["VG805"],
    f"{COMPARE}:differs": ["VG607"],
    "lint apis --nope": ["VG904"],  # a wrong command line is told in it, too
}
#: Commands with keys of their records.
RECORDS = {
    "lint wrong": {"code", "severity", "message"},
    "validate apis -f bad.yaml --option Glitter": {"apiVersion", "status", "errors"},
    "coverage apis --tests less.jsonl": {"path", "state"},
    f"{COMPARE}:differs": {"cause", "count"},
}


@pytest.mark.process
def test_every_command_has_it(project: Program) -> None:
    """One process runs all commands, because the names of formats are made once in a process."""
    project.write(FILES)
    findings = [f"{command} --format toy" for command in COMMANDS]
    records = [f"{command} --format toys" for command in RECORDS]
    helps = [f"{name} --help" for name in ("lint", "validate", "coverage", "compare")]
    done = subprocess.run(
        [sys.executable, "-c", _CODE],
        cwd=project.directory,
        env=project.environ(),
        input=json.dumps([*findings, *records, *helps]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = dict(zip([*findings, *records, *helps], json.loads(done.stdout), strict=True))
    for command, codes in zip(findings, COMMANDS.values(), strict=True):
        code, out, err = answers[command]
        assert sorted(out.splitlines()) == [f"toy {each}" for each in codes], (command, err)
        assert code in (1, 2)
    for command, keys in zip(records, RECORDS.values(), strict=True):
        first, *_ = json.loads(answers[command][1])
        assert first.keys() >= keys, command
    for command in helps:
        assert "junit|toy|toys" in "".join(answers[command][1].split()).replace("│", ""), command
