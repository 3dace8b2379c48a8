"""Go files from Python classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.convert.models import gofmt, write
from validation_gen.commands.convert import convert
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.languages import GO
from validation_gen.sources.reader import read_universe

HEAD = '''\
"""The zoo.

+groupName=zoo.example.com
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal, TypeAlias

from validation_gen.tags import EachVal, MaxLength, Required
from validation_gen.types import Inline, Int32, Json
from validation_gen.types.meta import ObjectMeta, Quantity, TypeMeta


'''


def go(python: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    write(directory, {"zoo/v1.py": HEAD + python})
    monkeypatch.chdir(directory)
    diagnostics = Diagnostics()
    files = convert(read_universe(["zoo"], diagnostics), GO, diagnostics)
    assert diagnostics.items == []
    write(directory / "go", files)
    return files


def test_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = """
# Mood is how an animal feels.
class Mood(str, Enum):
    CALM = "Calm"  # +k8s:ifEnabled(Wild)=+k8s:enumExclude
    VERY_ANGRY = "Very angry"


class Phase(str, Enum):
    CALM = "Calm"


# +k8s:maxLength=5
Name: TypeAlias = str


@dataclass(kw_only=True)
class Animal(TypeMeta):
    metadata: ObjectMeta
    pod_ips: Annotated[list[str], EachVal(MaxLength(5))] = field(default_factory=list)
    legs: Annotated[int, Int32] | None = None  # +k8s:minimum=0
    name: Annotated[Name, Required]
    tail: Annotated["Tail", Inline]
    size: Literal["S", "extra large"] = "S"
    anything: dict[str, Any]
    weight: Quantity
    born: datetime | None
    func: Annotated[str, Json("x-y", omit="omitzero")]


@dataclass(kw_only=True)
class Tail:
    pass
"""
    files = go(python, tmp_path, monkeypatch)
    assert files == {
        "v1/doc.go": "// The zoo.\n//\n// +groupName=zoo.example.com\npackage v1\n",
        "v1/types.go": """\
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Mood is how an animal feels.
// +k8s:enum
type Mood string

const (
	// +k8s:ifEnabled(Wild)=+k8s:enumExclude
	MoodCalm      Mood = "Calm"
	MoodVeryAngry Mood = "Very angry"
)

// +k8s:enum
type Phase string

const (
	PhaseCalm Phase = "Calm"
)

// +k8s:maxLength=5
type Name string

type Animal struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	// +k8s:eachVal=+k8s:maxLength=5
	// +default=[]
	PodIPs []string `json:"podIPs,omitempty"`

	// +k8s:minimum=0
	Legs *int32 `json:"legs,omitempty"`

	// +k8s:required
	Name Name `json:"name"`
	Tail `json:",inline"`

	// +default="S"
	Size     AnimalSize        `json:"size,omitempty"`
	Anything map[string]any    `json:"anything"`
	Weight   resource.Quantity `json:"weight"`
	Born     *metav1.Time      `json:"born"`
	XY       string            `json:"x-y,omitzero"`
}

// +k8s:enum
type AnimalSize string

const (
	AnimalSizeS          AnimalSize = "S"
	AnimalSizeExtraLarge AnimalSize = "extra large"
)

type Tail struct{}
""",
    }
    assert gofmt(tmp_path / "go") == ""


def test_names_that_go_does_not_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = """
@dataclass
class func:
    a: Annotated[str, Json("größe")]
    b: Annotated[str, Json("名")]
    c: Annotated[str, Json("a`b")]
    d: Annotated[str, Json("A")]
    e: Annotated[str, Json("x", go="A")]
"""
    text = go(python, tmp_path, monkeypatch)["v1/types.go"]
    assert "type func_ struct {" in text
    assert [line.split()[0] for line in text.splitlines() if "json:" in line] == ["Größe", "X名", "AB", "A", "A_"]
    assert '"json:\\"a`b\\""' in text
    assert gofmt(tmp_path / "go") == ""


def test_a_license_is_no_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"zoo/v1.py": "# Copyright us.\n\n# +groupName=zoo.example.com\nX = 1\n"})
    monkeypatch.chdir(tmp_path)
    files = convert(read_universe(["zoo"], Diagnostics()), GO, Diagnostics())
    assert files == {"v1/doc.go": "// Copyright us.\n\npackage v1\n"}


def test_what_gofmt_would_lay_out_is_no_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"zoo/v1.py": '"""A list:\n- of one\n+groupName=zoo.example.com\n"""\n'})
    monkeypatch.chdir(tmp_path)
    files = convert(read_universe(["zoo"], Diagnostics()), GO, Diagnostics())
    assert files == {"v1/doc.go": "// A list:\n// - of one\n// +groupName=zoo.example.com\n\npackage v1\n"}


def test_inherited_kinds_stay_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = """
@dataclass(kw_only=True)
class Base(TypeMeta):
    metadata: ObjectMeta


@dataclass(kw_only=True)
class Animal(Base):
    legs: Annotated[int, Required()]


@dataclass(kw_only=True)
class Cat(Animal):
    # +k8s:minimum=1
    lives: int


# +k8s:validation-gen=false
@dataclass(kw_only=True)
class Plush(Animal):
    pass
"""
    text = go(python, tmp_path, monkeypatch)["v1/types.go"]
    assert text.count("+k8s:validation-gen=true\ntype") == 2
    assert gofmt(tmp_path / "go") == ""
    write(tmp_path / "go", {"go.mod": "module zoo\n"})
    kinds = [
        {root.kind for root in build_program(Settings((path,))).program.packages[package].roots}
        for path, package in (("zoo", "v1"), ("go", "zoo/v1"))
    ]
    assert kinds == [{"Base", "Animal", "Cat"}] * 2


def test_only_where_a_type_meta_makes_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = """
@dataclass(kw_only=True)
class Base(TypeMeta):
    a: Annotated[int, Required()]


@dataclass(kw_only=True)
class Cat(Base):
    b: int
"""
    write(
        tmp_path, {"zoo/v1.py": HEAD.replace("zoo.example.com", "z\n+k8s:validation-gen=TypesWithSuffix=Dog") + python}
    )
    monkeypatch.chdir(tmp_path)
    files = convert(read_universe(["zoo"], Diagnostics()), GO, Diagnostics())
    assert "validation-gen=true" not in files["v1/types.go"]
