"""Sources with markers alone: what commands about tags do not count, and the status of an object that is created."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.program import invoke

HEAD = """
// +groupName=pools.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
"""
KIND = """type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:XValidation:rule="self != 'a'"
	Name string `json:"name"`
	// +optional
	Status PoolStatus `json:"status,omitempty"`
}

type PoolStatus struct {
	// %s
	// +optional
	Phase string `json:"phase,omitempty"`
}
"""
MARKED, TAGGED = "+kubebuilder:validation:Enum=Ready", "+k8s:optional\n\t// +k8s:maxLength=5"
OBJECT = {"apiVersion": "pools.example.com/v1", "kind": "Pool", "metadata": {"name": "a"}, "name": "b"}


def run(directory: Path, kind: str, *words: str) -> tuple[int, str]:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "v1/types.go").write_text(kind)
    with inside(directory):
        result = invoke(words)
    return result.exit_code, result.output


@pytest.mark.parametrize(
    "command",
    [
        ["coverage", "v1", "--tests", "seen.jsonl"],
        ["compare", "v1", "-f", "a.json", "--handwritten", "python:hand.py:check"],
    ],
)
def test_what_is_not_counted(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "seen.jsonl").write_text(json.dumps(OBJECT | {"errors": []}) + "\n")
    (tmp_path / "a.json").write_text(json.dumps(OBJECT))
    (tmp_path / "hand.py").write_text("def check(obj, old=None, **more):\n    return []\n")
    told = "only those count: 2 markers, 1 CEL rule not counted"
    code, output = run(tmp_path, HEAD + KIND % MARKED, *command)
    assert (code, "warning[VG902]" in output, told in output) == (0, True, True), output
    assert told not in run(tmp_path, HEAD + KIND % TAGGED, *command)[1]


def test_generate_says_what_its_validators_do_not_judge(tmp_path: Path) -> None:
    code, output = run(tmp_path, HEAD + KIND % MARKED, "generate", "v1", "--rules", "tags")
    assert (code, "2 markers, 1 CEL rule and unknown fields are judged by the schema" in output) == (0, True), output


@pytest.mark.parametrize("rule", [MARKED, TAGGED])
@pytest.mark.parametrize("apart", ["+kubebuilder:subresource:status", '+k8s:supportsSubresource="/status"', ""])
def test_the_status_of_a_create_counts_unless_it_is_apart(tmp_path: Path, rule: str, apart: str) -> None:
    """A server takes no status with the object then, neither when it is made nor when it changes."""
    kind = f"{HEAD}// {apart}\n{KIND % rule}" if apart else HEAD + KIND % rule
    new, old = (OBJECT | {"status": {"phase": phase}} for phase in ("Broken", "Ready"))
    (tmp_path / "new.json").write_text(json.dumps(new))
    (tmp_path / "old.json").write_text(json.dumps(old))
    code, output = run(tmp_path, kind, "validate", "v1", "-f", "new.json")
    assert (code, "status.phase" in output) == ((0, False) if apart else (1, True)), output
    update = ("validate", "v1", "-f", "new.json", "--old", "old.json")
    assert run(tmp_path, kind, *update)[0] == (0 if apart else 1)
    if apart and (rule == MARKED or apart.startswith("+k8s")):  # of tags, only a tag names requests
        code, output = run(tmp_path, kind, *update, "--subresource", "/status")
        assert (code, "status.phase" in output) == (1, True), output


def test_a_wrong_type_in_a_status_apart_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text(json.dumps(OBJECT | {"status": {"phase": 5}}))
    kind = f"{HEAD}// +kubebuilder:subresource:status\n{KIND % MARKED}"
    assert run(tmp_path, kind, "validate", "v1", "-f", "new.json")[0] == 0
    assert run(tmp_path, HEAD + KIND % MARKED, "validate", "v1", "-f", "new.json")[0] == 1
