"""Whatever is inside of something else in the sources, and however often, the run ends with words.

Each nesting is tried at a depth that works and at one far beyond what Python's stack would hold. What is too deep is a
finding with a place, and every stage goes on with the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scaling.sources import Files
from tests.scaling.stages import run, write
from validation_gen.diagnostics import Severity, Span

pytestmark = pytest.mark.slow  # every stage, for hundreds of types; the case folders have what is too deep once

_HEAD = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName=example.com\n\npackage v1\n"
_KIND = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

"""


_POINTER = '\t// +k8s:optional\n\tX *{next} `json:"x"`\n'
_LIST = '\t// +k8s:optional\n\tX []{next} `json:"x"`\n'


def _sources(body: str) -> Files:
    return {"v1/doc.go": _HEAD, "v1/types.go": _KIND + body}


def _spec(type: str, *tags: str) -> str:
    lines = "".join(f"\t// {tag}\n" for tag in ("+k8s:optional", *tags))
    return f'type Spec struct {{\n{lines}\tF {type} `json:"f,omitempty"`\n}}\n'


def _definitions(depth: int, form: str) -> Files:
    """Definitions in one another; `form` makes one of the next."""
    chain = "".join(f"type D{i} {form.format(f'D{i + 1}')}\n" for i in range(depth))
    return _sources(f"{_spec('D0')}{chain}type D{depth} string\n")


def _members(depth: int, member: str) -> Files:
    chain = "".join(f"type S{i} struct {{\n{member.format(i=i, next=f'S{i + 1}')}}}\n" for i in range(depth))
    last = '\t// +k8s:maxLength=3\n\tName string `json:"name"`\n'
    return _sources(f"{_spec('*S0')}{chain}type S{depth} struct {{\n{last}}}\n")


def _expression(depth: int, before: str) -> Files:
    return _sources(_spec(f"{before * depth}string"))


def _tag(depth: int, part: str) -> Files:
    return _sources(
        _spec("*Loop", f"{part * depth}+k8s:immutable")
        + 'type Loop struct {\n\t// +k8s:optional\n\tX *Loop `json:"x"`\n}\n'
    )


def _rule(depth: int, before: str, core: str, after: str) -> Files:
    rule = f"{before * depth}{core}{after * depth}"
    return _sources(_spec("string", f"+kubebuilder:validation:XValidation:rule=`{rule}`"))


#: Each nesting, the depth that is tried beside a small one, and what is found there.
NESTINGS: dict[str, tuple[Callable[[int], Files], int, str]] = {
    "lists of lists by definition": (lambda depth: _definitions(depth, "[]{}"), 2000, "VG305"),
    "maps of maps by definition": (lambda depth: _definitions(depth, "map[string]{}"), 2000, "VG305"),
    "pointers by definition": (lambda depth: _definitions(depth, "*{}"), 2000, "VG305"),
    "arrays by definition": (lambda depth: _definitions(depth, "[2]{}"), 2000, "VG305"),
    "definitions of definitions": (lambda depth: _definitions(depth, "{}"), 1000, "VG305"),
    "aliases": (lambda depth: _definitions(depth, "= {}"), 300, ""),
    "structs in structs": (lambda depth: _members(depth, _POINTER), 400, ""),
    "lists of structs": (lambda depth: _members(depth, _LIST), 400, ""),
    "embedded structs": (lambda depth: _members(depth, '\t{next} `json:",inline"`\n'), 400, "VG305"),
    "embedded pointers": (lambda depth: _members(depth, '\t*{next} `json:",inline"`\n'), 400, "VG305"),
    "lists in one expression": (lambda depth: _expression(depth, "[]"), 2000, "VG305"),
    "pointers in one expression": (lambda depth: _expression(depth, "*"), 2000, "VG305"),
    "maps in one expression": (lambda depth: _expression(depth, "map[string]"), 2000, "VG305"),
    "tags in a tag": (lambda depth: _tag(depth, "+k8s:subfield(x)="), 2000, "VG102"),
    "conditions in a tag": (lambda depth: _tag(depth, "+k8s:ifEnabled(A)="), 2000, "VG102"),
    "parentheses in a rule": (lambda depth: _rule(depth, "(", "true", ")"), 2000, "VG542"),
    "macros in a rule": (lambda depth: _rule(depth, "[1].all(x, ", "true", ")"), 2000, "VG542"),
    # cel-go counts a row of them as one
    "negations in a rule": (lambda depth: _rule(depth, "!", "true", ""), 2000, ""),
}


def _errors(files: Files, root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Span]:
    write(root, files)
    monkeypatch.chdir(root)
    found = run(root, lambda _, work: work())
    return {each.code: each.span for each in found.sorted() if each.severity is Severity.ERROR}


@pytest.mark.parametrize("name", NESTINGS)
def test_what_is_too_deep_is_a_finding(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build, depth, code = NESTINGS[name]
    shallow = _errors(build(8), tmp_path / "shallow", monkeypatch)
    deep = _errors(build(depth), tmp_path / "deep", monkeypatch)
    assert code not in shallow
    assert deep.keys() - shallow.keys() - {"VG302"} == {code} - {""}  # VG302 is said where it is used
    assert all(span.file == "v1/types.go" and span.line > 1 for span in deep.values())
