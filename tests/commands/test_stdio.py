"""The line protocol without a process: what a request may hold, and what comes back for anything else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.stdio import answer_lines
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.registry import Registry

TYPES = """\
package {name}

type Thing struct {{
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`

	// +k8s:optional
	// +k8s:immutable
	Color *string `json:"color,omitempty"`

	// +k8s:optional
	// +k8s:maximum=10
	Count *int64 `json:"count,omitempty"`

	// +k8s:optional
	// +k8s:listType=set
	Set []string `json:"set,omitempty"`

	// +k8s:ifEnabled(Glitter)=+k8s:required
	// +k8s:ifDisabled(Glitter)=+k8s:optional
	Glitter *string `json:"glitter,omitempty"`

	Ratio float64 `json:"ratio,omitempty"`

	Size uint8 `json:"size,omitempty"`

	// +k8s:optional
	Next *Thing `json:"next,omitempty"`

	// +k8s:optional
	// +k8s:eachKey=+k8s:minLength=1
	Labels map[string]string `json:"labels,omitempty"`
}}
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """Two packages with the same type, one of them below the other's name."""
    root = tmp_path_factory.mktemp("api")
    (root / "go.mod").write_text("module example.com/m\n")
    for path in ("a/v1", "b/v1"):
        (root / path).mkdir(parents=True)
        (root / path / "types.go").write_text(TYPES.format(name="v1"))
    (root / "a/v1/own.go").write_text("package v1\n\n// +k8s:maxLength=3\ntype Own string\n")
    result = build_program(Settings((str(root),)))
    assert result.diagnostics.items == []
    return load_validators(result.program)


def strict(line: str) -> Any:
    """The answer in a line, if it is one line of JSON without Python's additions."""
    assert "\n" not in line
    assert line.isascii()
    return json.loads(line, parse_constant=pytest.fail)


def ask(registry: Registry, *lines: str | bytes, broken: Iterable[str] = ()) -> list[Any]:
    return [strict(answer) for answer in answer_lines(lines, registry, frozenset(broken))]


def one(registry: Registry, request: object = None, **fields: object) -> Any:
    """The answer to a request, or to one that is right but for `fields`."""
    usual = {"id": 1, "package": "a/v1", "kind": "Thing", "options": {"Glitter": False}, "obj": {"name": "a"}}
    wanted = {name: value for name, value in (usual | fields).items() if value is not ...}
    (answer,) = ask(registry, json.dumps(wanted if request is None else request))
    return answer


def messages(answer: dict[str, Any]) -> list[str]:
    assert list(answer) == ["id", "errors"], answer
    return [error["message"] for error in answer["errors"]]


# --- requests --------------------------------------------------------------------------------------------------------


def test_an_error_in_full(registry: Registry) -> None:
    (error,) = one(registry, obj={"name": "a", "count": 11})["errors"]
    source = error.pop("source")
    assert error == {
        "type": "FieldValueInvalid",
        "field": "count",
        "badValue": 11,
        "detail": "must be less than or equal to 10",
        "origin": "maximum",
        "level": "",
        "shortCircuit": False,
        "message": "count: Invalid value: 11: must be less than or equal to 10",
        "tag": "+k8s:maximum=10",
    }
    assert source == "Thing.count"


def test_answers_come_in_order_and_one_for_each(registry: Registry) -> None:
    lines = [json.dumps({"id": i, "kind": "Own", "obj": "x" * i}) for i in range(7)]
    lines[3:3] = ["", "no", " \n"]
    answers = ask(registry, *lines)
    assert [answer["id"] for answer in answers] == [0, 1, 2, None, 3, 4, 5, 6]
    assert [len(answer.get("errors", "no")) for answer in answers] == [0, 0, 0, 2, 0, 1, 1, 1]


def test_answers_do_not_wait_for_more_lines(registry: Registry) -> None:
    def endless() -> Iterable[str]:
        while True:
            yield json.dumps({"id": 1, "kind": "Own", "obj": "a"})

    answers = iter(answer_lines(endless(), registry))
    assert [next(answers) for _ in range(3)] == ['{"id":1,"errors":[]}'] * 3


@each(
    "id", [None, True, 0, -1.5, 1e300, 2**70, "", "x", "größe\n\u2028", "\ud800", [], {}, [[1, {"a": None}]], {"id": 1}]
)
def test_ids_of_any_type_come_back(registry: Registry, id: object) -> None:
    for fields in ({}, {"kind": "Nope"}, {"op": "delete"}):
        answer = one(registry, id=id, **fields)
        assert answer["id"] == id
        assert type(answer["id"]) is type(id)


def test_an_id_may_be_missing(registry: Registry) -> None:
    assert one(registry, id=...) == {"id": None, "errors": []}


@each(
    ("package", "kind", "answer"),
    [
        ("example.com/m/a/v1", "Thing", None),
        ("a/v1", "Thing", None),
        ("/a/v1/", "Thing", None),
        ("", "Own", None),
        (..., "Own", None),
        (None, "Own", None),
        ("v1", "Own", None),
        ("v1", "Thing", "kind Thing is in several packages: example.com/m/a/v1, example.com/m/b/v1"),
        ("", "Thing", "kind Thing is in several packages: example.com/m/a/v1, example.com/m/b/v1"),
        ("1", "Thing", "no kind Thing in package 1"),
        ("m/c", "Thing", "no kind Thing in package m/c"),
        ("", "thing", "no kind thing in package (none named)"),
        ("a/v1", "", "kind is missing"),
        ("a/v1", ..., "kind is missing"),
        ("a/v1", None, "kind is missing"),
        ("a/v1", 5, "kind has the wrong type"),
        ("a/v1", ["Thing"], "kind has the wrong type"),
        (5, "Thing", "package has the wrong type"),
        ({}, "Thing", "package has the wrong type"),
        ("a/v1", "__class__", "no kind __class__ in package a/v1"),
        ("a.v1", "Thing", None),
        ("a.v2", "Thing", "no kind Thing in package a.v2"),
        ("*", "Thing", "no kind Thing in package *"),
    ],
)
def test_which_type_is_meant(registry: Registry, package: object, kind: object, answer: str | None) -> None:
    obj = "a" if kind == "Own" else {"name": "a"}
    wanted = {"id": 1, "errors": []} if answer is None else {"id": 1, "error": answer}
    assert one(registry, package=package, kind=kind, obj=obj) == wanted


@each(
    ("fields", "error"),
    [
        ({"op": "delete"}, 'op is "create" or "update", not "delete"'),
        ({"op": ""}, 'op is "create" or "update", not ""'),
        ({"op": "\ud800"}, 'op is "create" or "update", not "\\ufffd"'),
        ({"op": 5}, "op has the wrong type"),
        ({"options": []}, "options has the wrong type"),
        ({"options": {"A": 1}}, "options maps names to true or false"),
        ({"options": {"A": None}}, "options maps names to true or false"),
        ({"options": {"A": "true"}}, "options maps names to true or false"),
        ({"subresources": "status"}, "subresources has the wrong type"),
        ({"subresources": [1]}, "subresources is a list of path segments"),
        ({"obj": ...}, "obj is missing"),
    ],
)
def test_requests_that_are_refused(registry: Registry, fields: dict[str, object], error: str) -> None:
    assert one(registry, **fields) == {"id": 1, "error": error}


def test_what_may_be_left_out(registry: Registry) -> None:
    for fields in (
        {"op": None, "subresources": None, "oldObj": None},
        {"op": "create", "subresources": []},
        {"more": {"of": "it"}},
        {"op": "create", "oldObj": {"name": "b"}},
    ):
        assert messages(one(registry, **fields)) == []
    assert messages(one(registry, options=None)) == ['glitter: Internal error: undefined validation option "Glitter"']
    assert messages(one(registry, obj=None)) == ["name: Required value"]


def test_options(registry: Registry) -> None:
    assert messages(one(registry, options={"Glitter": True, "Other": False})) == ["glitter: Required value"]


def test_subresources(registry: Registry) -> None:
    detail = "<nil>: Internal error: no validation found for *v1.Thing, subresource: /status/deep"
    assert messages(one(registry, subresources=["status", "deep"])) == [detail]


def test_updates(registry: Registry) -> None:
    long = {"name": "too long", "color": "red"}
    assert messages(one(registry, op="update", obj=long, oldObj=long)) == []
    assert messages(one(registry, op="update", obj=long, oldObj={**long, "color": "blue"})) == [
        "color: Invalid value: null: field is immutable"
    ]
    assert messages(one(registry, obj=long, oldObj=long)) == ["name: Too long: may not be more than 5 characters"]
    assert len(messages(one(registry, op="update", obj=long))) >= 1  # an update of what is not there
    assert isinstance(messages(one(registry, op="update", obj={"name": "a"}, oldObj=[5])), list)


def test_packages_with_errors_are_named(registry: Registry) -> None:
    broken = ("example.com/m/c/v1", "other/v1")
    request = json.dumps({"id": 1, "package": "c/v1", "kind": "T", "obj": {}})
    assert ask(registry, request, broken=broken) == [
        {"id": 1, "error": "package example.com/m/c/v1 has errors, so it has no validators"}
    ]
    assert ask(registry, json.dumps({"kind": "T", "obj": {}}), broken=broken)[0]["error"].startswith("no kind T")


# --- lines -----------------------------------------------------------------------------------------------------------


@each(
    ("line", "words"),
    [
        ("x", "not JSON"),
        ("{", "not JSON"),
        ("{}{}", "not JSON"),
        ("{'id': 1}", "not JSON"),
        ('{"id": 01}', "not JSON"),
        ('{"id": "\t"}', "not JSON"),
        ('{"id": "\\ud8"}', "not JSON"),
        ("\ufeff{}", "not JSON"),
        ('{"id": NaN}', "NaN is not a number"),
        ('{"obj": [Infinity]}', "Infinity is not a number"),
        ('{"obj": -Infinity}', "-Infinity is not a number"),
        (f'{{"obj": {"9" * 5000}}}', "not JSON"),
        ("[]", "JSON object"),
        ('"{}"', "JSON object"),
        ("1", "JSON object"),
        ("null", "JSON object"),
        ("[" * 200_000, ""),  # how deep is too deep, and which of the two mistakes is found, is Python's matter
        ('{"id":' * 200_000, ""),
        (b"\xff", "not UTF-8"),
        (b'{"id": "\xed\xa0\x80"}', "not UTF-8"),
        ('{"id": 1}'.encode("utf-16"), "not UTF-8"),
        (b"\0", "not JSON"),
    ],
)
def test_malformed_lines(registry: Registry, line: str | bytes, words: str) -> None:
    (answer,) = ask(registry, line)
    assert list(answer) == ["id", "error"]
    assert answer["id"] is None
    assert words in answer["error"]


def test_bytes_and_text(registry: Registry) -> None:
    line = json.dumps({"id": "é", "package": "a/v1", "kind": "Own", "obj": "日本"}, ensure_ascii=False)
    wanted = {"id": "é", "errors": []}
    assert ask(registry, line, line.encode(), b"\xef\xbb\xbf" + line.encode(), line.encode() + b"\r\n") == [wanted] * 4
    assert ask(registry, b"", b" \t\r\n", "\n", "") == []


def test_a_name_that_is_there_twice_counts_as_the_last(registry: Registry) -> None:
    assert ask(registry, '{"id": 1, "kind": "Thing", "kind": "Own", "obj": 5, "obj": "a", "id": 2}') == [
        {"id": 2, "errors": []}
    ]


def test_a_number_that_no_float_holds_is_a_wrong_value_at_its_place(registry: Registry) -> None:
    start = '{"id": "a", "package": "a/v1", "kind": "Thing", "options": {"Glitter": false}, "obj": {"name": "a", '
    unknown, ratio, count = ask(
        registry, start + '"other": [1e400]}}', start + '"ratio": 1e400}}', start + '"count": -1e999}}'
    )
    assert unknown == {"id": "a", "errors": []}
    assert [(e["field"], e["type"], e["badValue"]) for e in ratio["errors"]] == [
        ("ratio", "FieldValueTypeInvalid", "1e400")
    ]
    assert [(e["field"], e["type"], e["badValue"]) for e in count["errors"]] == [
        ("count", "FieldValueTypeInvalid", "-1e999")
    ]
    assert ratio["id"] == count["id"] == "a"


def test_minus_zero_is_no_unsigned_integer(registry: Registry) -> None:
    start = '{"id": 1, "package": "a/v1", "kind": "Thing", "options": {"Glitter": false}, "obj": {"name": "a", '
    (name,) = ask(registry, start + '"name": -0}}')
    assert [e["detail"] for e in name["errors"]] == ["must be a string, not an integer"]
    size, count, ratio = ask(
        registry, start + '"size": -0}}', start + '"count": -0}}', start + '"ratio": -0, "other": "-0"}}'
    )
    assert [(e["field"], e["type"]) for e in size["errors"]] == [("size", "FieldValueTypeInvalid")]
    assert count["errors"] == ratio["errors"] == []


def test_half_a_surrogate_pair_is_a_replacement_character(registry: Registry) -> None:
    start = r'{"id": 1, "package": "a/v1", "kind": "Thing", "options": {"Glitter": false}, '
    line = start + r'"obj": {"name": "a", "count": "%s"}}'
    shown = [
        ask(registry, line % text)[0]["errors"][0]["badValue"]
        for text in (r"abc\ud800", r"abc\\ud800", r"abc\udc00\ud83d\ude00", r"\ud83d\ud83d\ude00ab\uDFFF")
    ]
    assert shown == ["abc\ufffd", r"abc\ud800", "abc\ufffd\U0001f600", "\ufffd\U0001f600ab\ufffd"]


@each("depth", [10, 100, 300, 500, 700, 900, 950, 990, 1000, 2000, 50_000])
def test_depth(registry: Registry, depth: int) -> None:
    """At some depth Python gives up, which is an answer like any other."""
    deep = "[" * depth + "]" * depth
    chain = '{"name": "a", "next": ' * depth + '{"name": "too long"}' + "}" * depth
    start = '{"package": "a/v1", "kind": "Thing", "options": {"Glitter": false}, '
    for fields in (
        f'"id": 1, "obj": {{"name": {deep}}}',
        f'"id": {deep}, "obj": {{"name": "a"}}',
        f'"id": 1, "obj": {chain}',
    ):
        (answer,) = ask(registry, f"{start}{fields}}}")
        if depth <= 100:
            assert "errors" in answer
        assert answer.get("error", "nested too deeply") == "nested too deeply"


def test_a_defect_of_a_validator_is_an_answer(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise ZeroDivisionError("by zero")

    with monkeypatch.context() as patch:
        patch.setattr(Registry, "run", fail)
        assert one(registry) == {"id": 1, "error": "internal error: ZeroDivisionError: by zero"}
    assert one(registry) == {"id": 1, "errors": []}


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "count", "set", "next", "labels", "ratio"]) | st.text(), inner, max_size=6
        )
    ),
    max_leaves=12,
)


@settings(max_examples=drawn(200), deadline=None)
@given(id=JSON_VALUES, obj=JSON_VALUES, old=JSON_VALUES, op=st.sampled_from(["create", "update"]))
def test_any_object_has_a_verdict(registry: Registry, id: object, obj: object, old: object, op: str) -> None:
    answer = one(registry, id=id, obj=obj, oldObj=old, op=op)
    assert list(answer) == ["id", "errors"], answer
    assert answer["id"] == id
    for error in answer["errors"]:
        assert {"type", "field", "badValue", "detail", "origin", "level", "shortCircuit"} <= error.keys()


@settings(max_examples=drawn(150), deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["id", "package", "kind", "op", "options", "subresources", "obj", "oldObj"]),
        JSON_VALUES | st.sampled_from(["a/v1", "Thing", "create", "update", {"Glitter": True}, ["status"]]),
    )
)
def test_any_request_has_an_answer(registry: Registry, request_: dict[str, object]) -> None:
    answer = one(registry, request_)
    assert list(answer) in (["id", "errors"], ["id", "error"])


@settings(max_examples=drawn(150), deadline=None)
@given(st.binary(max_size=40) | st.text(max_size=40))
def test_any_line_has_at_most_one_answer(registry: Registry, line: str | bytes) -> None:
    answers = ask(registry, line)
    assert len(answers) == bool(line.strip())
