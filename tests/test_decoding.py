"""What Go's decoder makes of JSON text and refuses in it, seen through the line protocol: it reads the text itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.case_folders import inside
from validation_gen.pipeline import Settings, build_program, load_validators
from validation_gen.protocol import answer_lines
from validation_gen.runtime.registry import Registry

_TYPES = """\
// +k8s:validation-gen=*
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Free any

// Own reads itself.
type Own struct{}

func (o *Own) UnmarshalJSON(data []byte) error { return nil }

type Thing struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`

	Any   interface{}          `json:"any"`
	Free  Free                 `json:"free"`
	Items []any                `json:"items"`
	Own   Own                  `json:"own"`
	Raw   runtime.RawExtension `json:"raw"`
}
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    root = tmp_path_factory.mktemp("api")
    (root / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (root / "types.go").write_text(_TYPES, encoding="utf-8")
    with inside(root):
        result = build_program(Settings((".",)))
    assert not result.diagnostics.has_errors
    return load_validators(result.program)


def found(registry: Registry, members: str, old: str = "", kind: str = "Thing") -> list[tuple[str, str, Any]]:
    """Path, type and bad value of the errors of an object with these members, which are JSON text."""
    obj = f'{{"name": "a", {members}}}'
    before = f', "op": "update", "oldObj": {{"name": "a", {old}}}' if old else ""
    (answer,) = answer_lines([f'{{"kind": "{kind}", "obj": {obj}{before}}}'], registry)
    return [(e["field"], e["type"].removeprefix("FieldValue"), e["badValue"]) for e in json.loads(answer)["errors"]]


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ('"any": 1e400', [("any", "TypeInvalid", "1e400")]),
        ('"any": {"a": [{"b": -1e400}]}', [("any", "TypeInvalid", "-1e400")]),
        ('"free": [1e308, 1e309]', [("free", "TypeInvalid", "1e309")]),
        ('"items": [1, {"a": 1e400}]', [("items[1]", "TypeInvalid", "1e400")]),
        ('"any": 1e308, "free": {"a": 1e-400}, "items": ["1e400"]', []),
        # The bytes are kept as they are, or nobody knows what becomes of them.
        ('"raw": {"a": 1e400}, "own": 1e400, "unknown": [1e400]', []),
        ('"any": 1e400, "name": "abcdef"', [("any", "TypeInvalid", "1e400"), ("name", "TooLong", "<value omitted>")]),
    ],
)
def test_a_number_that_no_float_holds(registry: Registry, members: str, wanted: list[Any]) -> None:
    assert found(registry, members) == wanted


def test_a_number_that_no_float_holds_was_there_before(registry: Registry) -> None:
    assert found(registry, '"any": 1e400', old='"any": 1e400') == []
    assert found(registry, '"any": 1', old='"any": 1e400') == []
