"""`compare` with definitions instead of types: which handwritten errors they carry, and which not."""

from __future__ import annotations

import json

from tests.cli.conftest import Program, definition

HAND = """
def check(obj, old=None):
    spec = obj.get("spec", "")
    found = []
    if len(spec) > 5:
        found.append(f"spec: Too long: may not be more than 5 bytes")
    if spec == "odd":
        found.append("spec: Invalid value: odd")
    return found
"""


def thing(name: str, spec: object) -> str:
    return json.dumps(
        {
            "apiVersion": "example.com/v1",
            "kind": "Thing",
            "metadata": {"name": name, "namespace": "default"},
            "spec": spec,
        }
    )


def test_handwritten_errors_without_a_rule_are_counted(project: Program) -> None:
    objects = [thing("a", "fine"), thing("b", "too long"), thing("c", "odd"), thing("d", 7)]
    project.write({"crds/thing.json": definition(5), "hand.py": HAND, "objects.jsonl": "\n".join(objects[:3]) + "\n"})
    command = ("compare", "crds", "--handwritten", "python:hand:check", "-f", "objects.jsonl")
    done = project(*command, "--format", "json")
    totals = json.loads(done.out)["totals"]
    assert (done.code, totals["compared"], totals["agreeing"], totals["mismatches"]) == (1, 3, 2, 1)
    assert json.loads(done.out)["mismatches"][0]["side"] == "handwritten"


def test_requests_are_drawn_of_types_only(project: Program) -> None:
    project.write({"crds/thing.json": definition(5), "hand.py": HAND})
    done = project("compare", "crds", "--handwritten", "python:hand:check", "--fuzz", "5")
    assert done.code == 2
    assert "requests are drawn of types in Go or Python" in " ".join(done.err.split())
