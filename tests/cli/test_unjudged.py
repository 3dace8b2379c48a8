"""What validators do not judge is counted, and said where people look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.program import invoke
from validation_gen.compiler.lower.unknown import count_unchecked
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.reader import read_universe

MARKED = """\
// +groupName=a.example.com
// +k8s:validation-gen=TypesWithField=TypeMeta
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:validation:XValidation:rule="has(self.a)",message="a"
type T struct {
	metav1.TypeMeta `json:",inline"`

	// +kubebuilder:validation:MaxLength=4
	// +kubebuilder:validation:items:Pattern=`^a`
	// +k8s:maxLength=3
	A string `json:"a"`
	// +k8s:validation:cel[0]:rule>self > 1
	// +k8s:validation:cel[0]:message>more
	// +k8s:validation:maximum=9
	B struct {
		// +kubebuilder:validation:Required
		C int32 `json:"c"` // +kubebuilder:validation:Minimum=1
	} `json:"b"`
	/* +kubebuilder:validation:MaxLength=3 */
	D string `json:"d"`
}
"""
PLAIN = """\
// +groupName=a.example.com
// +k8s:validation-gen=TypesWithField=TypeMeta
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type T struct {
	metav1.TypeMeta `json:",inline"`

	// +optional
	// +kubebuilder:validation:Optional
	// +default=["a"]
	// +listType=set
	// +k8s:maxItems=3
	A []string `json:"a,omitempty"`
}
"""
SENTENCE = (
    "4 markers, 2 CEL rules and unknown fields are judged by the schema of `crd` only "
    "(`convert markers` makes tags of them)"
)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "types.go").write_text(MARKED, encoding="utf-8")
    (tmp_path / "a.yaml").write_text("apiVersion: a.example.com/v1\nkind: T\na: b\nb: {c: 1}\nd: x\n", encoding="utf-8")
    return tmp_path


def _run(*args: str) -> str:
    return invoke(args).output


COMMANDS = {
    "lint": ("lint", "v1"),
    "generate": ("generate", "v1", "-o", "out"),
    "validate": ("validate", "v1", "-f", "a.yaml"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_say_it_once(sources: Path, command: str) -> None:
    for _ in range(2):  # the second answer can be a kept one
        assert _run(*COMMANDS[command]).count(SENTENCE) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_said_without_markers(sources: Path, command: str) -> None:
    (sources / "v1" / "types.go").write_text(PLAIN, encoding="utf-8")
    assert "judged by" not in _run(*COMMANDS[command])


@pytest.mark.parametrize("format", ["json", "jsonl", "sarif", "junit", "github"])
@pytest.mark.parametrize("command", COMMANDS)
def test_formats_for_programs_are_silent(sources: Path, command: str, format: str) -> None:
    told = _run(*COMMANDS[command], "--format", format)
    assert "judged by" not in told
    if format == "json" and command != "lint":
        json.loads(told)


def test_quiet_runs_are_silent(sources: Path) -> None:
    assert "judged by" not in _run("lint", "v1", "--quiet")
    assert "judged by" not in _run("generate", "v1", "-o", "out", "--quiet")


def test_one_line_counts_once_and_of_a_rule_only_its_expression(sources: Path) -> None:
    found = count_unchecked(read_universe(("v1",), Diagnostics()).inputs)
    assert (found.markers, found.rules) == (4, 2)
    assert str(found) == SENTENCE
