"""Dates and times that Python's YAML readers make of texts: messages show them as they were written."""

from __future__ import annotations

import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.registry import Registry

TYPES = """// +k8s:validation-gen=*
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Event struct {
	// +k8s:maxLength=40
	Text string `json:"text"`
	// +k8s:immutable
	Time metav1.Time `json:"time"`
	// +k8s:immutable
	Micro metav1.MicroTime `json:"micro"`
}
"""
WRITTEN = {
    "2024-01-02": "date",
    "2024-01-02T03:04:05Z": "datetime",
    "2024-01-02T03:04:05.000006+02:00": "datetime",
}


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return _registry(tmp_path_factory.mktemp("types"))


@cache
def _registry(directory: Path) -> Registry:
    (directory / "types.go").write_text(TYPES)
    return load_validators(build_program(Settings((str(directory),))).program)


@each(("text", "name"), WRITTEN.items())
@each(
    ("field", "detail"),
    [
        ("text", "must be a string"),
        ("time", "must be an RFC 3339 time"),
        ("micro", "must be an RFC 3339 time with six decimals of the second"),
    ],
)
def test_a_value_is_shown_as_it_was_written(registry: Registry, field: str, detail: str, text: str, name: str) -> None:
    obj = yaml.safe_load(f"{field}: {text}")
    (error,) = registry.validate(obj, type="Event")
    assert str(error) == f'{field}: Invalid value: "{text}": {detail}, not a {name}'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime.datetime(2024, 1, 2, 3, 4, 5), '"2024-01-02T03:04:05"'),
        ([datetime.date(2024, 1, 2)], '["2024-01-02"]'),
        ({datetime.date(2024, 1, 2): {"at": datetime.date(2024, 1, 3)}}, '{"2024-01-02":{"at":"2024-01-03"}}'),
    ],
)
def test_inside_of_other_values_too(value: Any, text: str) -> None:
    assert go_json(value) == text
