"""`crd lint` by one process and by several: the same findings, byte for byte, and the message when one ends early."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands.several import FAILS, FORKS, INTERRUPTS, KILLED, ended, told_alike
from tests.commands.validate.inputs import write
from tests.kubernetes.crd.schemas import definition, with_properties
from validation_gen.commands.crdcheck import Checker


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


@FORKS
def test_processes_tell_what_one_tells(directory: Path) -> None:
    formats = "full,json,junit,concise,github,jsonl,sarif"
    told_alike(
        directory, "_fork", formats, "crd", "lint", "in", "nowhere", "in/b.json,in/c/d.yaml", "--max-description", "0"
    )


@FORKS
def test_what_cannot_be_read_in_parts_is_read_again(directory: Path) -> None:
    told_alike(directory, "_fork", "full", "crd", "lint", "odd")


def test_processes_that_inherit_nothing(directory: Path) -> None:
    told_alike(directory, "_start", "full", "crd", "lint", "in", "--max-description", "10", "--target", "1.34")


_MANY = ["crd", "lint", "many"]


@FORKS
def test_a_process_that_is_killed(directory: Path) -> None:
    done = ended(directory, Checker, "3.yaml", KILLED, _MANY)
    assert done.returncode == 2
    assert done.stdout == "3 definitions: 0 valid, 3 invalid\n"
    said = "error[VG904]: a process that checks objects has ended (signal SIGKILL); it was at many/3.yaml:1"
    assert said in done.stderr
    assert "many/2.yaml:16:11" in done.stderr
    assert "Traceback" not in done.stderr


@FORKS
def test_ctrl_c_tells_what_was_found_and_leaves_nobody(directory: Path) -> None:
    begun = time.monotonic()
    done = ended(directory, Checker, "3.yaml", INTERRUPTS, _MANY)
    assert time.monotonic() - begun < 60
    assert done.returncode == 130
    assert "many/0.yaml:16:11" in done.stderr
    assert "interrupted: the objects behind were not checked" in done.stderr
    assert 1 <= int(done.stdout.partition(" ")[0]) <= 3
    assert "Traceback" not in done.stderr


@FORKS
def test_a_defect_is_one_here_and_there(directory: Path) -> None:
    done = ended(directory, Checker, "3.yaml", FAILS, _MANY)
    assert done.returncode == 1
    assert "ValueError: a defect" in done.stderr
