"""What the tests of `compare` share: a small API with handwritten validation, objects, and the command on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.cli.conftest import Done, Program

DOC = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName=shop.example.com\n\npackage v1\n"

TYPES = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Box struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BoxSpec `json:"spec"`
}

type BoxSpec struct {
	// +k8s:optional
	// +k8s:maximum=10
	Size *int32 `json:"size,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=5
	Name *string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:alpha=+k8s:maximum=20
	Weight *int32 `json:"weight,omitempty"`

	// +k8s:optional
	// +k8s:beta=+k8s:maximum=30
	Height *int32 `json:"height,omitempty"`

	// +k8s:optional
	// +k8s:ifEnabled(Deep)=+k8s:maximum=40
	Depth *int32 `json:"depth,omitempty"`
}
"""

#: Handwritten validation that agrees with the tags, and variations of it.
HAND = """\
import os
import time

from validation_gen.mismatch import FieldError, Path

SPEC = Path("spec")


def spec(obj):
    return obj.get("spec") or {}


def at_most(obj, name, most):
    value = spec(obj).get(name)
    if value is not None and value > most:
        return [FieldError.invalid(SPEC.child(name), value, f"must be at most {most}").with_origin("maximum")]
    return []


def name(obj):
    if len(spec(obj).get("name") or "") > 5:
        return [FieldError.too_long(SPEC.child("name"), 5, "character").with_origin("maxLength")]
    return []


def agrees(obj, old, op):
    if op.update and old == obj:
        return []
    found = at_most(obj, "size", 10) + name(obj) + at_most(obj, "weight", 20) + at_most(obj, "height", 30)
    return found + (at_most(obj, "depth", 40) if op.options.get("Deep") else [])


def stricter(obj, old, op):
    return agrees(obj, old, op) + ([] if at_most(obj, "size", 10) else at_most(obj, "size", 8))


def slow(obj, old, op):
    time.sleep(0.003)
    return stricter(obj, old, op)
"""


def box(number: int = 0, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "shop.example.com/v1", "kind": "Box", "metadata": {"name": f"box-{number}"}, "spec": spec}


def lines(objects: Iterable[Any]) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in objects)


class Comparison:
    """`validation-gen compare` in a directory with the API and its handwritten validation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.directory = program.directory
        files = {"go.mod": "module example.com/m\n", "apis/v1/doc.go": DOC, "apis/v1/types.go": TYPES, "hand.py": HAND}
        program.write(files)

    def arguments(self, function: str = "agrees", *more: str | Path) -> list[str | Path]:
        spec = function if ":" in function else f"python:hand.py:{function}"
        return ["compare", "apis", "--handwritten", spec, *more]

    def __call__(self, function: str = "agrees", *more: str | Path, stdin: str | bytes = b"", **environ: str) -> Done:
        return self.program(*self.arguments(function, *more), stdin=stdin, **environ)

    def objects(self, objects: Iterable[Any], name: str = "objects.jsonl") -> Path:
        """Writes objects, one a line. Texts are lines as they are."""
        text = "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in objects)
        (self.directory / name).write_text(text, encoding="utf-8")
        return Path(name)

    def hand(self, text: str) -> None:
        """Adds handwritten validators."""
        with (self.directory / "hand.py").open("a", encoding="utf-8") as file:
            file.write(text)


def results(done: Done) -> dict[str, Any]:
    """The results of `--format json`, which must be JSON for everybody."""
    data: dict[str, Any] = json.loads(done.out, parse_constant=_refuse)
    return data


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def timeless(data: Mapping[str, Any]) -> dict[str, Any]:
    """Results without what depends on the clock."""
    return {name: value for name, value in data.items() if not name.lower().endswith("seconds")}
