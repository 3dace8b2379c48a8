"""Schemas of a Helm chart's values: which values they take, and what is wrong with a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Program

TYPES = """\
// +groupName=example.com
package {version}

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type ShelfSpec struct {{
	// +k8s:required
	// +k8s:maxLength=5
	Aisle string `json:"aisle"`
	// +k8s:optional
	// +k8s:maxItems=2
	Levels []int32 `json:"levels,omitempty"`
}}

type Shelf struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShelfSpec `json:"spec,omitempty"`
}}

type Lamp struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maximum=9
	Watts *int32 `json:"watts,omitempty"`
}}
"""


FILES = {"apis/v1/types.go": TYPES.format(version="v1"), "go.mod": "module example.com/m\n"}


@pytest.fixture
def chart(program: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    program.write(FILES)
    monkeypatch.chdir(program.directory)
    return program


def _schema(chart: Program, *requests: str) -> dict[str, Any]:
    words = (word for request in requests for word in ("--helm-values", request))
    result = chart("jsonschema", "apis", *words, "-o", "chart")
    assert result.code == 0, result.err
    assert [path.name for path in Path("chart").iterdir()] == ["values.schema.json"]
    found: dict[str, Any] = json.loads(Path("chart/values.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(found)
    return found


@pytest.mark.parametrize(
    ("request_", "good", "bad"),
    [
        ("Shelf", {"shelf": {"aisle": "a"}}, {"shelf": {"aisle": "too long"}}),
        ("Shelf", {"global": {"a": 1}, "other": []}, {"shelf": {"aisel": "a"}}),
        ("Shelf", {}, {"shelf": {"levels": [1]}}),
        ("Shelf=a.b", {"a": {"b": {"aisle": "a"}, "enabled": True}}, {"a": {"b": {}}}),
        ("Shelf=a.list[]", {"a": {"list": [{"aisle": "a"}]}}, {"a": {"list": [{"aisle": "a"}, {"aisle": 1}]}}),
        ("Shelf=a.*", {"a": {"x": {"aisle": "a"}}}, {"a": {"x": {"aisle": "a"}, "y": {}}}),
        ("Shelf.spec.levels=levels", {"levels": [1, 2]}, {"levels": [1, 2, 3]}),
        ("example.com/v1/Shelf=x", {"x": {"aisle": "a"}}, {"x": 5}),
    ],
)
def test_values(chart: Program, request_: str, good: Any, bad: Any) -> None:
    validator = jsonschema.Draft7Validator(_schema(chart, request_))
    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


def test_several_values_and_a_file_of_others(chart: Program) -> None:
    schema = _schema(chart, "Shelf", "Shelf=store.main", "Shelf.spec.aisle=store.aisles[]")
    assert set(schema["properties"]) == {"shelf", "store"}
    assert set(schema["properties"]["store"]["properties"]) == {"main", "aisles"}
    assert chart("jsonschema", "apis", "--helm-values", "Shelf", "-o", "chart", "--check").code == 1
    Path("chart/values.schema.json").write_text('{"mine": true}\n', encoding="utf-8")
    result = chart("jsonschema", "apis", "--helm-values", "Shelf", "-o", "chart")
    assert (result.code, "was not generated" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("requests", "told"),
    [
        (["Shelff"], "there is no kind Shelff"),
        (["v1/Shelf=x"], "there is no kind v1/Shelf"),
        (["Lamp"], "name one of its fields, such as Lamp.watts"),
        (["Shelf.spek"], "Shelf has no field spek"),
        (["Shelf.spec.aisel"], "did you mean aisle?"),
        (["Shelf", "Shelf=shelf.more"], "two requests are about one value: shelf and shelf.more"),
        (["Shelf=a[]", "Shelf=a.b"], "two requests are about one value: a[] and a.b"),
        (["Shelf=a.*", "Shelf=a.b"], "two requests are about one value: a.* and a.b"),
        (["Shelf=", ""], "names no kind and no value"),
        (["Shelf=a..b"], "names no kind and no value"),
        (["5"], "names no kind and no value"),
    ],
)
def test_mistakes(chart: Program, requests: list[str], told: str) -> None:
    words = (word for request in requests for word in ("--helm-values", request))
    result = chart("jsonschema", "apis", *words, "-o", "chart")
    assert (result.code, told in result.err) == (2, True), result.err
    assert not Path("chart").exists()


def test_a_kind_of_two_versions_needs_one(chart: Program) -> None:
    chart.write({"apis/v2/types.go": TYPES.format(version="v2")})
    result = chart("jsonschema", "apis", "--helm-values", "Shelf", "-o", "chart")
    assert "Shelf is a kind of example.com/v1 and example.com/v2" in result.err
    assert chart("jsonschema", "apis", "--helm-values", "example.com/v2/Shelf", "-o", "chart").code == 0
