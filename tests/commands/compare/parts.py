"""A comparison in this process: a small API, a judge over it, and requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Answer, Side
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

TYPES = """\
// +k8s:validation-gen=TypesWithField=TypeMeta
// +groupName=shop.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:supportsSubresource="/status"
type Shelf struct {
	metav1.TypeMeta `json:",inline"`

	Levels []Level `json:"levels"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maximum=9
	Loads map[string]int32 `json:"loads,omitempty"`
}

type Level struct {
	// +k8s:maximum=5
	Height int32 `json:"height"`
	// +k8s:optional
	// +k8s:ifEnabled(Heavy)=+k8s:maximum=100
	Weight *int32 `json:"weight,omitempty"`
}
"""
KIND = "shop.example.com/v1/Shelf"
API_VERSION = "shop.example.com/v1"


@cache
def program() -> Program:
    directory = Path(mkdtemp(), "v1")
    directory.mkdir()
    (directory / "types.go").write_text(TYPES)
    result = build_program(Settings((str(directory),)))
    assert result.diagnostics.items == []
    return result.program


@cache
def files() -> dict[str, str]:
    return build_files(program())


@cache
def registry() -> Registry:
    return load_validators(program())


@cache
def declarations() -> Declarations:
    return Declarations.from_program(program(), registry())


class Function(Side):
    """A handwritten side in this process that remembers what it was asked."""

    def __init__(self, function: Callable[[Request], Answer]) -> None:
        self.function = function
        self.asked: list[Request] = []

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        self.asked += requests
        return [self.function(each) for each in requests]


def judge(function: Callable[[Request], Answer], *expected: Mapping[str, str], **manner: Any) -> tuple[Judge, Function]:
    side = Function(function)
    expectations = Expectations(tuple(Expectation.from_entry(dict(each)) for each in expected))
    return Judge(registry(), declarations(), side, ComparisonConfig(**manner), expectations), side


def shelf(*heights: int, place: str = "here", old: Any = None, **more: Any) -> Request:
    obj = {"apiVersion": API_VERSION, "kind": "Shelf", "levels": [{"height": height} for height in heights]}
    return Request("Shelf", obj, old, api_version=API_VERSION, place=place, update=old is not None, **more)


def agreeing(request: Request) -> Answer:
    """What the tags say, by hand."""
    found: list[FieldError] = []
    for index, level in enumerate(request.obj.get("levels") or []):
        if level["height"] > 5:
            path = f"levels[{index}].height"
            found.append(FieldError.invalid(path, level["height"], "").with_origin("maximum"))
    return found


def drop_times(found: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """Returns the results of a comparison without seconds, without its command line, and without `more` names."""
    return {
        name: drop_times(value, *more) if isinstance(value, dict) else value
        for name, value in found.items()
        if name not in ("about", *more) and "seconds" not in name.lower()
    }
