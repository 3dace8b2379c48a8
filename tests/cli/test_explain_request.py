"""`explain DEFINITIONS -f`: what a server makes of an object, and why it refuses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke

SPEC = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "maximum": 5},
        "most": {"type": "integer", "default": 3},
        "note": {"type": "string"},
    },
    "x-kubernetes-validations": [{"rule": "!has(self.size) || self.size <= self.most", "message": "too large"}],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save("robots.yaml", definition(root(SPEC)))


def save(name: str, obj: Any) -> str:
    Path(name).write_text(yaml.safe_dump(obj), encoding="utf-8")
    return name


def explain(*args: str) -> tuple[int, str]:
    result = invoke(["explain", "robots.yaml", *args])
    return result.exit_code, result.output


def test_a_rule_that_does_not_hold() -> None:
    code, output = explain("-f", save("a.yaml", robot({"size": 4, "note": None})))
    assert code == 1
    assert output == (
        'Robot "talos" in example.com/v1, create\n'
        "refused (422)\n"
        "what the server makes of the object first\n"
        '  metadata.namespace: set by the server: "default"\n'
        "  spec.note: dropped: null means nothing here: null\n"
        "  spec.most: defaulted: 3\n"
        "what is wrong\n"
        "  spec: Invalid value: too large\n"
        "rule at spec: !has(self.size) || self.size <= self.most\n"
        "  !has(self.size) || self.size <= self.most = false\n"
        "    !has(self.size) = false\n"
        "      has(self.size) = true\n"
        "    self.size <= self.most = false\n"
        "      self.size = 4\n"
        "      self.most = 3\n"
    )


def test_what_was_wrong_before() -> None:
    new, old = robot({"size": 7, "most": 6, "note": "b"}), robot({"size": 7, "most": 6, "note": "a"})
    code, output = explain("-f", save("a.yaml", new), "--old", save("b.yaml", old), "--format", "json")
    told = json.loads(output)
    assert (code, told["ok"], told["code"], told["errors"]) == (1, False, 422, ["spec: Invalid value: too large"])
    assert told["kept"] == ["spec.size: Invalid value: 7: spec.size in body should be less than or equal to 5"]
    assert [part["text"] for part in told["rules"][0]["parts"]][-2:] == ["self.size", "self.most"]


def test_unknown_fields_do_not_hide_the_rest() -> None:
    code, output = explain("-f", save("a.yaml", robot({"size": 4, "bogus": 1})))
    assert code == 1
    assert "refused (400)" in output
    assert '  unknown field "spec.bogus"' in output
    assert "  spec.bogus: pruned: no schema has it: 1" in output
    assert "rule at spec:" in output


def test_a_status() -> None:
    code, output = explain("-f", save("a.yaml", robot({"size": 1})), "--subresource", "status")
    assert code == 2
    assert "has no status subresource" in output


def test_what_is_taken() -> None:
    code, output = explain("-f", save("a.yaml", robot({"size": 1})))
    assert (code, output.splitlines()[1]) == (0, "taken (201)")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("-f", "nothing.yaml"), "cannot read"),
        (("-f", "a.yaml", "--path", "spec"), "definitions have none of this"),
        (("-f", "other.yaml"), "is not defined"),
        (("-f", "a.yaml", "--name", "hephaistos"), "has no object with the name hephaistos"),
    ],
)
def test_mistakes(args: tuple[str, ...], said: str) -> None:
    save("a.yaml", robot({}))
    save("other.yaml", {"apiVersion": "example.com/v9", "kind": "Robot", "metadata": {"name": "a"}})
    code, output = explain(*args)
    assert code in (1, 2)
    assert said in " ".join(output.split())
