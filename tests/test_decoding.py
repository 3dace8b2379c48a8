"""What Go's decoder makes of JSON text and refuses in it, seen through the line protocol: it reads the text itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.case_folders import inside
from validation_gen.commands.stdio import answer_lines
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.registry import Registry

_TYPES = """\
// +k8s:validation-gen=*
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
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

type Quoted struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name,string"`

	// +k8s:optional
	// +k8s:maximum=10
	Number *int32 `json:"number,omitempty,string"`

	// +k8s:optional
	// +k8s:immutable
	Small uint8 `json:"small,string"`

	Float  float64             `json:"float,string"`
	Bool   Flag                `json:"bool,string"`
	Text   *string             `json:"text,string"`
	List   []int32             `json:"list,string"`
	Twice  **int32             `json:"twice,string"`
	Struct *metav1.OwnerReference `json:"struct,string"`

	// +k8s:optional
	Items []Quoted `json:"items"`
}

type Flag bool

// +k8s:validateFalse="whole"
type Again struct {
	Name     string             `json:"name,omitempty"`
	Number   int32              `json:"number,omitempty"`
	Pointer  *int32             `json:"pointer,omitempty"`
	Quoted   int32              `json:"quoted,string,omitempty"`
	Items    []Item             `json:"items,omitempty"`
	Struct   *Again             `json:"struct,omitempty"`
	Value    Item               `json:"value,omitempty"`
	Map      map[string]Item    `json:"map,omitempty"`
	Any      any                `json:"any,omitempty"`
	Port     *intstr.IntOrString `json:"port,omitempty"`
	PortV    intstr.IntOrString `json:"portV"`
	Time     metav1.Time        `json:"time"`
	Duration *metav1.Duration   `json:"duration,omitempty"`
	Array    [2]int32           `json:"array"`
}

// +k8s:validateFalse="whole"
type Shown struct {
	Name string `json:"name"`

	// +k8s:validateFalse="a"
	List []Item `json:"list,omitempty"`

	// +k8s:optional
	// +k8s:validateFalse="b"
	Struct *Shown `json:"struct,omitempty"`

	// +k8s:validateFalse="c"
	Texts []string `json:"texts,omitempty"`

	// +k8s:validateFalse="d"
	Map map[string]metav1.Time `json:"map,omitempty"`
}

type Hiding struct {
	Name string `json:"name"`

	Absent Item `json:"-"`

	// +k8s:optional
	Pointer *Item `json:"-"`

	Key  string `json:"key"`
	Size int32  `json:"size"`
}

type Item struct {
	// +k8s:maxLength=1
	Key string `json:"key"`

	// +k8s:minimum=1
	Size int32 `json:"size"`
}

type Outer struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`

	inner
	*behind
	named `json:"named"`
	plain

	Last int32 `json:"last"`
}

type inner struct {
	// +k8s:maximum=3
	Count int32 `json:"count"`

	Name int32 `json:"name"`
	Last string `json:"last"`
	deeper
}

type deeper struct {
	Deep bool `json:"deep"`
}

type behind struct {
	Far string `json:"far"`
}

type named struct {
	Size int32 `json:"size"`
}

type plain int32

type Timed struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`

	// +k8s:immutable
	Ruled metav1.Duration `json:"ruled"`

	Plain    metav1.Duration            `json:"plain"`
	Pointer  *metav1.Duration           `json:"pointer"`
	List     []metav1.Duration          `json:"list"`
	Pointers []*metav1.Duration         `json:"pointers"`
	Map      map[string]metav1.Duration `json:"map"`

	// +k8s:optional
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:immutable
	Each []metav1.Duration `json:"each"`

	// +k8s:optional
	Next *Timed `json:"next"`

	Time  metav1.Time        `json:"time"`
	Micro metav1.MicroTime   `json:"micro"`
	Port  intstr.IntOrString `json:"port"`
	Count resource.Quantity  `json:"count"`
	Owned metav1.FieldsV1    `json:"owned"`
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


_NOT_NULL = ("TypeInvalid", None)


@pytest.mark.parametrize("old", ["", '"plain": "1s"'])
@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ('"ruled": null', [("ruled", *_NOT_NULL)]),
        ('"plain": null', [("plain", *_NOT_NULL)]),
        ('"pointer": null, "pointers": [null], "list": null, "map": null, "each": null, "next": null', []),
        ('"list": ["1s", null], "map": {"a": null}', [("list[1]", *_NOT_NULL), ("map[a]", *_NOT_NULL)]),
        ('"each": [null, "1h"]', [("each[0]", *_NOT_NULL)]),
        (
            '"next": {"name": "a", "plain": null, "ruled": null, "name": "abcdef"}',
            [("next.plain", *_NOT_NULL), ("next.ruled", *_NOT_NULL), ("next.name", "TooLong", "<value omitted>")],
        ),
        ('"time": null, "micro": null, "port": null, "count": null, "owned": null', []),
    ],
)
def test_a_duration_does_not_decode_from_null(registry: Registry, members: str, old: str, wanted: list[Any]) -> None:
    errors = [error for error in found(registry, members, old, "Timed") if error[1] != "Invalid"]
    assert errors == wanted


@pytest.mark.parametrize("name", ["ruled", "plain"])
def test_a_null_duration_that_was_not_there(registry: Registry, name: str) -> None:
    new = f'"next": {{"name": "a", "{name}": null}}'
    assert found(registry, new, '"next": {"name": "a"}', "Timed") == [(f"next.{name}", *_NOT_NULL)]
    assert found(registry, f'"{name}": null', '"list": []', "Timed") == [(name, *_NOT_NULL)]
    assert found(registry, new, new, "Timed") == []
    assert found(registry, '"next": {"name": "a"}', new, "Timed") == []
    assert found(registry, f'"{name}": 5', kind="Timed") == [(name, "TypeInvalid", 5)]


def quoted(registry: Registry, members: str, old: str = "") -> list[tuple[str, str, Any]]:
    def whole(members: str) -> str:
        return members if members.startswith('"name"') else f'"name": "\\"a\\"", {members}'

    line = f'{{"kind": "Quoted", "obj": {{{whole(members)}}}'
    line += f', "op": "update", "oldObj": {{{whole(old)}}}}}' if old else "}"
    (answer,) = answer_lines([line], registry)
    return [(e["field"], e["type"].removeprefix("FieldValue"), e["badValue"]) for e in json.loads(answer)["errors"]]


@pytest.mark.parametrize(
    "members",
    [
        '"number": "5", "small": "255", "float": "1.5", "bool": "true", "text": "\\"a\\""',
        '"number": "-0", "small": "007", "float": "-1e3", "bool": "false", "text": "null"',
        '"number": null, "small": null, "float": null, "bool": null, "text": null',
        '"number": "null", "small": "null", "float": "null", "bool": "null"',
        '"float": "0x1p-2", "text": "\\"\\\\u0041\\""',
        '"float": "-.5"',
        '"list": [1], "twice": 1, "struct": {"uid": "a"}',
    ],
)
def test_values_in_strings(registry: Registry, members: str) -> None:
    assert quoted(registry, members) == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("number", ["5", "true", "[]", '"a"', '""', '" 5"', '"5.0"', '"+5"', '"2147483648"', '"nul"', '"\\"5\\""']),
        ("small", ["5", '"-0"', '"256"', '"-1"', f'"{"1" * 5000}"']),
        ("float", ["1.5", '"1e400"', '"inf"', '"NaN"', '"0x1"', '"1e"', '".5"', '"--1"']),
        ("bool", ["true", '"1"', '"True"', '"truely"', '""', '"null "']),
        ("text", ['"a"', '"5"', '"\\"a"', '"\\""', '" \\"a\\""', '"\\"a\\"b\\""', "5"]),
        ("list", ['"1"']),
        ("twice", ['"1"']),
    ],
)
def test_values_that_are_not_in_strings(registry: Registry, name: str, values: list[str]) -> None:
    for value in values:
        assert quoted(registry, f'"{name}": {value}') == [(name, "TypeInvalid", json.loads(value))]


def test_rules_see_what_is_in_strings(registry: Registry) -> None:
    assert quoted(registry, '"name": "\\"abcdef\\"", "number": "11"') == [
        ("name", "TooLong", "<value omitted>"),
        ("number", "Invalid", 11),
    ]
    assert quoted(registry, '"name": "\\"\\""') == [("name", "Required", "")]
    assert quoted(registry, '"items": [{"name": "null", "number": "11"}]') == [
        ("items[0].name", "Required", ""),
        ("items[0].number", "Invalid", 11),
    ]
    assert quoted(registry, '"small": "5"', '"small": "05"') == []
    assert quoted(registry, '"small": "5"', '"small": "6"') == [("small", "Invalid", None)]
    assert quoted(registry, '"small": 5', '"small": 5') == []


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ('"count": "a"', [("count", "TypeInvalid", "a")]),
        ('"deep": 1, "far": 2', [("deep", "TypeInvalid", 1), ("far", "TypeInvalid", 2)]),
        ('"named": 1', [("named", "TypeInvalid", 1)]),
        ('"named": {"size": "a"}', [("named.size", "TypeInvalid", "a")]),
        ('"name": 5', [("name", "TypeInvalid", 5)]),
        ('"last": "a"', [("last", "TypeInvalid", "a")]),
        # No rule is run, and what is no struct is no part of JSON.
        ('"count": 4, "deep": true, "far": "a", "size": "a", "plain": "a", "last": 1', []),
    ],
)
def test_embedded_structs_that_are_not_exported(registry: Registry, members: str, wanted: list[Any]) -> None:
    assert found(registry, members, kind="Outer") == wanted


def test_a_struct_that_json_leaves_out_is_empty(registry: Registry) -> None:
    """It does not see the members of the struct around it, and those are looked at all the same."""
    absent = ("Item.size", "Invalid", 0)
    assert found(registry, '"key": "ab", "size": 5', kind="Hiding") == [absent]
    assert found(registry, '"key": "ab", "size": 6', '"key": "cd", "size": 5', kind="Hiding") == []
    assert found(registry, '"key": 1, "size": "a"', kind="Hiding")[:2] == [
        ("key", "TypeInvalid", 1),
        ("size", "TypeInvalid", "a"),
    ]


def shown(registry: Registry, members: str) -> dict[str, Any]:
    """The bad values of errors that have been forced, by path."""
    return {path: value for path, type, value in found(registry, members, kind="Shown") if type == "Invalid" and value}


def test_values_of_the_wrong_type_are_shown_in_what_is_around_them(registry: Registry) -> None:
    assert shown(registry, '"list": ["a", {"key": 5}, {"size": 2}, null]')["list"] == [
        "a",
        {"key": 5, "size": 0},
        {"key": "", "size": 2},
        {"key": "", "size": 0},
    ]
    assert shown(registry, '"texts": ["a", 5, {"b": []}]')["texts"] == ["a", 5, {"b": []}]
    assert shown(registry, '"map": {"a.b": 5, "c]": [], "d": null}')["map"] == {"a.b": 5, "c]": [], "d": None}
    inner = '"struct": {"name": 1, "struct": {"name": 2, "texts": [3]}}'
    values = shown(registry, inner)
    assert values["struct.struct"] == {"name": 2, "texts": [3]}
    assert values["struct"] == {"name": 1, "struct": {"name": 2, "texts": [3]}}
    assert values["struct.struct.texts"] == [3]
    assert values["<nil>"] == {"name": "a", "struct": {"name": 1, "struct": {"name": 2, "texts": [3]}}}


_ZERO = {"value": {"key": "", "size": 0}, "portV": 0, "time": None, "array": [0, 0]}


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ('"number": 2, "number": null', {"number": 2}),
        ('"number": 2, "number": 3', {"number": 3}),
        ('"pointer": 2, "pointer": null', {}),
        ('"pointer": null, "pointer": 2', {"pointer": 2}),
        ('"quoted": "2", "quoted": "null"', {"quoted": "2"}),
        ('"value": {"key": "a"}, "value": null, "value": {"size": 2}', {"value": {"key": "a", "size": 2}}),
        ('"struct": {"number": 1}, "struct": {"pointer": 2}', {"struct": {**_ZERO, "number": 1, "pointer": 2}}),
        ('"struct": {"number": 1}, "struct": null, "struct": {"pointer": 2}', {"struct": {**_ZERO, "pointer": 2}}),
        (
            '"map": {"a": {"key": "a"}, "b": {"key": "b"}}, "map": {"b": {"size": 1}}',
            {"map": {"a": {"key": "a", "size": 0}, "b": {"key": "", "size": 1}}},
        ),
        ('"map": {"a": {"key": "a"}, "a": {"size": 1}}', {"map": {"a": {"key": "", "size": 1}}}),
        ('"map": {"a": {"key": "a"}}, "map": null', {}),
        (
            '"items": [{"key": "a"}, {"key": "b"}], "items": [{"size": 1}]',
            {"items": [{"key": "a", "size": 1}]},
        ),
        (
            # Go finds the second item behind the end of the list.
            '"items": [{"key": "a"}, {"key": "b"}], "items": [{"size": 1}], "items": [null, {"size": 2}, {"size": 3}]',
            {"items": [{"key": "a", "size": 1}, {"key": "b", "size": 2}, {"key": "", "size": 3}]},
        ),
        ('"items": [{"key": "a"}], "items": [], "items": [{"size": 1}]', {"items": [{"key": "", "size": 1}]}),
        ('"items": [{"key": "a"}], "items": null, "items": [{"size": 1}]', {"items": [{"key": "", "size": 1}]}),
        ('"items": [{"key": "a", "key": "b", "size": 1}]', {"items": [{"key": "b", "size": 1}]}),
        ('"any": {"a": 1}, "any": {"b": 1, "b": null}', {"any": {"b": None}}),
        ('"any": 1, "any": null', {}),
        ('"portV": 5, "portV": null', {"portV": 5}),
        ('"portV": "a", "portV": null', {}),
        ('"port": "a", "port": null', {}),
        ('"time": "2024-01-01T00:00:00Z", "time": null', {}),
        ('"array": [1, 2], "array": [null]', {"array": [1, 0]}),
        ('"array": [1, 2], "array": null', {"array": [1, 2]}),
    ],
)
def test_a_name_that_is_there_more_than_once(registry: Registry, members: str, wanted: dict[str, Any]) -> None:
    path, _, value = found(registry, members, kind="Again")[0]
    assert (path, value) == ("<nil>", {**_ZERO, "name": "a", **wanted})


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ('"number": "a", "number": 1', [("number", "TypeInvalid", "a")]),
        ('"duration": "a", "duration": null', [("duration", "TypeInvalid", "a")]),
        ('"value": {"key": 5}, "value": {"key": "a"}', [("value.key", "TypeInvalid", 5)]),
        ('"map": {"a": 1, "a": {}}', [("map[a]", "TypeInvalid", 1)]),
        ('"any": 1e400, "any": 1', [("any", "TypeInvalid", "1e400")]),
        ('"items": [1], "items": null', [("items[0]", "TypeInvalid", 1)]),
    ],
)
def test_one_of_several_values_does_not_decode(registry: Registry, members: str, wanted: list[Any]) -> None:
    assert [error for error in found(registry, members, kind="Again") if error[1] == "TypeInvalid"] == wanted
