"""`crd lint` by one process and by several: the same findings, byte for byte, and the message when one ends early."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import HOME
from tests.commands.validate.inputs import write
from tests.kubernetes.crd.schemas import definition, with_properties

#: Runs the command with one process and with several, in one that may fork.
_ALIKE = """
import sys, threading, time
from typer.testing import CliRunner
from tests.program import invoke
from validation_gen.cli.app import app
from validation_gen.commands.distributed import chunking, processes

way, formats, words = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
if way == "_started":
    threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
processes.WORTH_PROCESSES, chunking.SIZE = -1, 700
started = []
usual = getattr(processes, way)
setattr(processes, way, lambda *given: started.append(1) or usual(*given))
for format in formats:
    told = []
    for jobs in ("1", "3"):
        done = invoke(["crd", "lint", *words, "--format", format, "--jobs", jobs])
        assert isinstance(done.exception, SystemExit), done.exception
        told.append((done.exit_code, done.stdout, done.stderr))
        assert len(done.stdout + done.stderr) > 300
        assert bool(started) == (jobs == "3")
    assert told[0] == told[1], told
    started.clear()
print("done")
"""

#: Runs the program by several processes, one of which does something else at the fourth file.
_ENDS = """
import os, signal, sys, time
from validation_gen.cli.main import run
from validation_gen.commands import crdcheck
from validation_gen.commands.distributed import chunking, processes

processes.WORTH_PROCESSES, chunking.SIZE = -1, 300
parent, usual = os.getpid(), crdcheck.Checker.run

def run_or_end(checker, task):
    if os.getpid() != parent and any(each.file.endswith("3.yaml") for each in task):
        END
    return usual(checker, task)

crdcheck.Checker.run = run_or_end
run()
"""

FORKS = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="this system forks no processes safely")


def _webhooks() -> dict[str, Any]:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "a"},
        "webhooks": [{"name": "no-dots"}],
    }


def _policy() -> dict[str, Any]:
    spec = {"matchConstraints": {}, "validations": [{"expression": "object.("}]}
    head = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy"}
    return {**head, "metadata": {"name": "a"}, "spec": spec}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("crds")
    rule = {"type": "string", "x-kubernetes-validations": [{"rule": "self.size() > "}]}
    some = [definition(), with_properties(a={}), with_properties(a=rule), _webhooks(), _policy(), {"kind": "Robot"}]
    documents = [yaml.safe_dump(some[number % len(some)]) for number in range(20)]
    documents[7] = "a: [\n"
    lines = [json.dumps(each) for each in some]
    write(
        {
            "in/a.yaml": "---\n".join(documents),
            "in/b.json": "\n".join(lines * 2) + "\n",
            "in/c/d.yaml": yaml.safe_dump(with_properties(b={"type": "string", "typo": 1})),
            "in/c/e.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": some}, indent=1),
            "in/c/f.yaml": "\xff\n",
            "odd/a.yaml": "---\n".join(documents[:6]),
            "odd/b.json": "\n".join([*lines, '{"broken":']),
            **{f"many/{number}.yaml": yaml.safe_dump(with_properties(a={})) for number in range(8)},
        },
        found,
    )
    return found


def told_alike(directory: Path, way: str, formats: str, *words: str) -> None:
    command = [sys.executable, "-c", _ALIKE, way, formats, *words]
    done = subprocess.run(command, cwd=directory, env={"PYTHONPATH": str(HOME)}, capture_output=True, check=False)
    assert done.stdout == b"done\n", done.stderr.decode()


@FORKS
def test_processes_tell_what_one_tells(directory: Path) -> None:
    formats = "full,json,junit,concise,github,jsonl,sarif"
    told_alike(directory, "_forked", formats, "in", "nowhere", "in/b.json,in/c/d.yaml", "--max-description", "0")


@FORKS
def test_what_cannot_be_read_in_parts_is_read_again(directory: Path) -> None:
    told_alike(directory, "_forked", "full", "odd")


def test_processes_that_inherit_nothing(directory: Path) -> None:
    told_alike(directory, "_started", "full", "in", "--max-description", "10", "--target", "1.34")


def ended(directory: Path, end: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _ENDS.replace("END", end), "crd", "lint", "many", "--jobs", "2"]
    environ = {**os.environ, "PYTHONPATH": str(HOME)}
    return subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False, timeout=100)


@FORKS
def test_a_process_that_is_killed(directory: Path) -> None:
    done = ended(directory, "os.kill(os.getpid(), signal.SIGKILL)")
    assert done.returncode == 2
    assert done.stdout == "3 definitions: 0 valid, 3 invalid\n"
    said = "error[VG904]: a process that checks objects has ended (signal SIGKILL); it was at many/3.yaml:1"
    assert said in done.stderr
    assert "many/2.yaml:16:11" in done.stderr
    assert "Traceback" not in done.stderr


@FORKS
def test_ctrl_c_tells_what_was_found_and_leaves_nobody(directory: Path) -> None:
    begun = time.monotonic()
    done = ended(directory, "os.kill(parent, signal.SIGINT); time.sleep(100)")
    assert time.monotonic() - begun < 60
    assert done.returncode == 130
    assert "many/0.yaml:16:11" in done.stderr
    assert "interrupted: the objects behind were not checked" in done.stderr
    assert 1 <= int(done.stdout.partition(" ")[0]) <= 3
    assert "Traceback" not in done.stderr


@FORKS
def test_a_defect_is_one_here_and_there(directory: Path) -> None:
    done = ended(directory, "raise ValueError('a defect')")
    assert done.returncode == 1
    assert "ValueError: a defect" in done.stderr
