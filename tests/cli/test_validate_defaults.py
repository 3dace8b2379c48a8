"""`validation-gen validate`: what a type declares as default is there before the object is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_validate_definitions import run, write

TYPES = """package v1

// +k8s:validation-gen=*

// +kubebuilder:object:root=true
type Dog struct {
	TypeMeta `json:",inline"`
	Spec DogSpec `json:"spec"`
}

type DogSpec struct {
	// +k8s:required
	// +default="bone"
	Toy string `json:"toy"`
	// +k8s:required
	// +k8s:minimum=1
	// +default=4
	Legs *int32 `json:"legs"`
	// +k8s:optional
	// +k8s:immutable
	// +default="brown"
	Coat string `json:"coat,omitempty"`
	// +k8s:optional
	// +listType=atomic
	Tricks []Trick `json:"tricks,omitempty"`
}

type Trick struct {
	// +k8s:required
	// +default="sit"
	Name string `json:"name"`
}

type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("v1").mkdir()
    Path("v1/types.go").write_text(TYPES, encoding="utf-8")
    Path("v1/doc.go").write_text("// +groupName=pets.example.com\npackage v1\n", encoding="utf-8")
    return tmp_path


def dog(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "pets.example.com/v1", "kind": "Dog", "spec": spec}


@pytest.mark.parametrize(
    ("spec", "raw"),
    [
        ({}, ["spec.toy", "spec.legs"]),
        ({"toy": None, "legs": None}, ["spec.toy", "spec.legs"]),
        ({"toy": "ball", "legs": 3, "tricks": [{}]}, ["spec.tricks[0].name"]),
    ],
)
def test_defaults_are_filled_in_first(here: Path, spec: dict[str, Any], raw: list[str]) -> None:
    write("dog.yaml", dog(**spec))
    assert run("v1", "-f", "dog.yaml")[:2] == (0, "1 object: 1 valid, 0 invalid\n")
    code, out, err = run("v1", "-f", "dog.yaml", "--raw")
    assert (code, all(f"{path}: Required value" in out for path in raw)) == (1, True)
    assert "no defaults were filled in: these are the rules of the types alone\n" in err


def test_what_is_there_stays(here: Path) -> None:
    for spec in ({"toy": "", "legs": 0}, {"toy": 5}):
        write("dog.yaml", dog(**spec))
        assert run("v1", "-f", "dog.yaml")[0] == 1
    write("dog.yaml", {**dog(), "spec": 5})
    assert run("v1", "-f", "dog.yaml")[0] == 1


def test_old_objects_have_defaults_too(here: Path) -> None:
    write("old.yaml", dog())
    write("same.yaml", dog(coat="brown"))
    write("other.yaml", dog(coat="black"))
    assert run("v1", "-f", "same.yaml", "--old", "old.yaml")[0] == 0
    assert run("v1", "-f", "other.yaml", "--old", "old.yaml")[0] == 1


def test_fields_that_no_type_declares(here: Path) -> None:
    write("dog.yaml", {**dog(tial=1, tricks=[{"name": "roll", "nmae": 1}]), "metadata": {"name": "a"}, "staus": {}})
    code, out, _ = run("v1", "-f", "dog.yaml")
    assert code == 1
    for path in ("spec.tial", "spec.tricks[0].nmae", "staus"):
        assert f'{path}: Invalid value: strict decoding error: unknown field "{path}"' in out
    assert out.count("unknown field") == 3
    assert "unknown field" not in "".join(map(str, run("v1", "-f", "dog.yaml", "--raw")))
