"""Whatever two states hold: nothing is raised, and a state is no change of itself."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Severity

_TYPES = [
    "string", "*string", "int32", "*int64", "bool", "float64", "[]string", "[]Part", "[]*Part", "map[string]string",
    "map[string]Part", "map[int]bool", "Part", "*Part", "Word", "*Word", "Words", "[]byte", "metav1.Time",
    "metav1.Duration", "interface{}", "[][]Word", "chan int", "Missing",
]  # fmt: skip
_TAGS = [
    "+k8s:required", "+k8s:optional", "+k8s:forbidden", "+k8s:maxLength=3", "+k8s:minimum=2", "+k8s:maxItems=4",
    "+k8s:immutable", "+k8s:listType=atomic", "+k8s:listType=set", "+k8s:listType=map", "+k8s:listMapKey=name",
    "+k8s:eachVal=+k8s:maxLength=2", "+k8s:eachKey=+k8s:maxLength=2", "+k8s:subfield(name)=+k8s:maxLength=2",
    '+k8s:item(name: "a")=+k8s:immutable', "+k8s:unionMember", "+k8s:unionDiscriminator", "+k8s:zeroOrOneOfMember",
    "+k8s:update=NoUnset", "+k8s:opaqueType", "+k8s:ifEnabled(X)=+k8s:required", "+k8s:format=k8s-uuid", "+default=1",
    '+default="a"', "+optional", "+required", "+kubebuilder:validation:Enum=a;b",
    "+kubebuilder:validation:items:Pattern=a",
    "+kubebuilder:validation:Schemaless", "+nonsense", "+k8s:maxLength=x", "+k8s:neq=5", "+k8s:unique=set",
    "validation-gen:ignore VG705 because", "validation-gen:ignore", "+k8s:dependentRequired(b)",
    '+k8s:validateFalse="x"',
]  # fmt: skip
_JSON = ["a", "b", "c", "d", "-", "", "name"]

_tags = st.lists(st.sampled_from(_TAGS), max_size=3)
_fields = st.lists(st.tuples(st.sampled_from(_JSON), st.sampled_from(_TYPES), _tags), max_size=4)


def _struct(name: str, fields: list[tuple[str, str, list[str]]], tags: list[str], first: str = "") -> str:
    lines = [f"// {tag}" for tag in tags] + [f"type {name} struct {{", first]
    for i, (json, type, own) in enumerate(fields):
        lines += [f"\t// {tag}" for tag in own]
        lines.append(f'\tF{i} {type} `json:"{json},omitempty"`')
    return "\n".join([*lines, "}", ""])


@st.composite
def _sources(draw: st.DrawFn) -> str:
    kind = _struct("Kind", draw(_fields), draw(_tags), '\tmetav1.TypeMeta `json:",inline"`\n\tPart `json:",inline"`')
    others = _struct("Part", draw(_fields), draw(_tags), '\tName string `json:"name"`')
    named = "\n".join(f"// {tag}" for tag in draw(_tags)) + "\ntype Word string\n\ntype Words []Word\n"
    consts = 'const (\n\tA Word = "a"\n)\n' if draw(st.booleans()) else ""
    return f'package v1\n\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n\n{kind}\n{others}\n{named}\n{consts}'


def _compared(old: str, new: str) -> list[tuple[str, Severity]]:
    with tempfile.TemporaryDirectory() as directory:
        for name, text in (("old/v1", old), ("new/v1", new)):
            place = Path(directory, name)
            place.mkdir(parents=True)
            (place / "types.go").write_text(text, encoding="utf-8")
        found = compare(Settings((f"{directory}/new/v1",)), f"{directory}/old/v1", all=True)
    return [(d.code, d.severity) for d in found.diagnostics.sorted()]


@settings(max_examples=drawn(60), deadline=None)
@given(_sources(), _sources())
def test_nothing_is_raised(old: str, new: str) -> None:
    _compared(old, new)


@settings(max_examples=drawn(30), deadline=None)
@given(_sources())
def test_a_state_is_no_change_of_itself(text: str) -> None:
    assert [code for code, _ in _compared(text, text) if code.startswith("VG7") and code != "VG716"] == []
