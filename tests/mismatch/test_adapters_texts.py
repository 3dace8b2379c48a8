"""Errors that are told as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.adapted import told
from tests.tables import each
from validation_gen.mismatch.adapters.protocol import status_errors as errors_of
from validation_gen.mismatch.adapters.subject import Key, Subject, parse_elements, to_path
from validation_gen.mismatch.adapters.texts import error_at, errors_in
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.shapes import ANY, INT32, INT_OR_STRING, STRING, ListOf, MapOf, Pointer, Shape, Struct


def read(text: str, obj: Any = None) -> list[tuple[str, str, object, str]]:
    found = []
    for error in errors_in(text, Subject(obj)):
        field = "?" if Mark.ANY_FIELD in error.marks else error.field
        type = "?" if Mark.ANY_TYPE in error.marks else error.type.name
        found.append((field, type, error.bad_value, error.detail))
    return found


A, B = ("spec.a", "REQUIRED", "", ""), ("spec.b", "INVALID", 5, "must be less than 3")
A_TEXT, B_TEXT = "spec.a: Required value", "spec.b: Invalid value: 5: must be less than 3"
DENIED = 'Error from server (Forbidden): error when creating "x.yaml": admission webhook "w.io" denied the request: '


@each(
    ("text", "wanted"),
    [
        ("spec.a: Required value", [A]),
        ("spec.a: Required value: must be set", [("spec.a", "REQUIRED", "", "must be set")]),
        ("spec.b: Invalid value: 5: must be less than 3", [B]),
        ("spec.b: Invalid value: 5", [("spec.b", "INVALID", 5, "")]),
        ('spec.b: Invalid value: "a: b, c.d: Required value": odd',
         [("spec.b", "INVALID", "a: b, c.d: Required value", "odd")]),
        (r'spec.b: Invalid value: "\x00\a\u00e9": odd', [("spec.b", "INVALID", "\0\aé", "odd")]),
        ('spec.b: Invalid value: {"a":[1, 2]}: odd', [("spec.b", "INVALID", {"a": [1, 2]}, "odd")]),
        ("spec.b: Invalid value: v1.Port{}: odd", [("spec.b", "INVALID", "v1.Port{}", "odd")]),
        ("spec.b: Invalid value: null: field is immutable", [("spec.b", "INVALID", None, "field is immutable")]),
        ('spec.b: Unsupported value: "x": supported values: "a", "b"',
         [("spec.b", "NOT_SUPPORTED", "x", 'supported values: "a", "b"')]),
        ("spec.b: Too long: 3 is the limit", [("spec.b", "TOO_LONG", "<value omitted>", "3 is the limit")]),
        ("spec.b: Too many: 5: must have at most 3 items", [("spec.b", "TOO_MANY", 5, "must have at most 3 items")]),
        ("spec.b[0].name: Duplicate value: \"a\"", [("spec.b[0].name", "DUPLICATE", "a", "")]),
        ("metadata.labels[a.b/c d]: Not found: \"a\"", [("metadata.labels[a.b/c d]", "NOT_FOUND", "a", "")]),
        ("<nil>: Internal error: odd", [("<nil>", "INTERNAL", "", "odd")]),
        ('spec.b: Invalid value: "string": spec.b in body must be of type integer: "string"',
         [("spec.b", "TYPE_INVALID", "string", 'spec.b in body must be of type integer: "string"')]),
        # many
        (f"[{A_TEXT}, {B_TEXT}]", [A, B]),
        (f"{B_TEXT}, {A_TEXT}", [B, A]),
        (f"{A_TEXT}; {B_TEXT}", [A, B]),
        (f"{A_TEXT}\n{B_TEXT}\n", [A, B]),
        (f'The Widget "x" is invalid: {A_TEXT}', [A]),
        (f'The Widget "x" is invalid: \n* {A_TEXT}\n* {B_TEXT}', [A, B]),
        (f'Widget.example.com "x" is invalid: [{A_TEXT}, {B_TEXT}]', [A, B]),
        (f"{DENIED}{A_TEXT}", [A]),
        (f"2 errors occurred:\n\t* {A_TEXT}\n\t* {B_TEXT}\n\n", [A, B]),
        ("too bad, spec.a: Required value", [("?", "?", "", "too bad"), A]),
        ("[spec.a: Required value, too bad]", [A, ("?", "?", "", "too bad")]),
        ("too bad\nspec.a: Required value", [("?", "?", "", "too bad"), A]),
        # other texts
        ("must be positive", [("?", "?", "", "must be positive")]),
        ("Error: must be positive", [("?", "?", "", "Error: must be positive")]),
        ("Required value", [("?", "?", "", "Required value")]),
        ("spec.b: must be positive", [("spec.b", "?", 5, "must be positive")]),
        ('The Widget "x" is invalid: spec.b: must be positive', [("spec.b", "?", 5, "must be positive")]),
        ('The Widget "x" is invalid: no', [("?", "?", "", 'The Widget "x" is invalid: no')]),
        ("other.b: must be positive", [("?", "?", "", "other.b: must be positive")]),
    ],
)  # fmt: skip
def test_texts(text: str, wanted: list[tuple[str, str, object, str]]) -> None:
    assert read(text, {"spec": {"b": 5}}) == wanted


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NAMES = st.from_regex(r"[a-z][A-Za-z]{0,8}(\[[a-z0-9./]{1,8}\])?", fullmatch=True)
ERRORS = st.builds(
    FieldError.at,
    st.lists(NAMES, min_size=1, max_size=3).map(".".join),
    st.sampled_from([type for type in ErrorType if type not in (ErrorType.TYPE_INVALID, ErrorType.INTERNAL)]),
    TEXT | st.integers() | st.booleans() | st.none() | st.lists(TEXT, max_size=3),
    st.from_regex(r"(must be [a-z 0-9\"]{1,20}[a-z])?", fullmatch=True),
)  # fmt: skip


@given(errors=st.lists(ERRORS, min_size=1, max_size=4))
def test_what_we_print_is_read_again(errors: list[FieldError]) -> None:
    wanted = [(error.field, error.type, error.detail) for error in errors]
    for text in (", ".join(map(str, errors)), f"[{', '.join(map(str, errors))}]", "\n".join(map(str, errors))):
        found = errors_in(text, Subject())
        assert [(error.field, error.type, error.detail) for error in found] == wanted


@given(text=st.text() | st.text(alphabet='spec.a[0]: Invalid value"\\,\n{}*'))
def test_every_text_is_read(text: str) -> None:
    errors = errors_in(text, Subject({"spec": {"a": 1}}))
    assert errors
    assert all(str(error) for error in errors)


def test_long_texts_take_no_time() -> None:
    for text in ("a" * 200_000, "a." * 100_000, "[" * 100_000, "a: Invalid value: " * 10_000, ", a[" * 50_000):
        assert errors_in(text, Subject({"a": 1}))


# --- statuses ---------------------------------------------------------------------------------------------------------


@each(
    ("status", "wanted"),
    [
        ({"details": {"causes": [
            {"reason": "FieldValueInvalid", "field": "spec.b", "message": "Invalid value: 5: must be less than 3"},
            {"reason": "FieldValueTypeInvalid", "field": "spec.c", "message": 'Invalid value: "x": must be an integer'},
            {"reason": "FieldValueRequired", "field": "spec.a", "message": "spec.a: Required value"},
            {"field": "spec.d", "message": "odd"},
            {"reason": "Unknown", "message": "odd"},
        ]}, "message": "all is bad"}, [
            ("spec.b", "Invalid", "?"), ("spec.c", "TypeInvalid", "?"), ("spec.a", "Required", "?"),
            ("spec.d", "?", "?"), ("?", "?", "?"),
        ]),
        ({"message": "spec.a: Required value"}, [("spec.a", "Required", "?")]),
        ({"message": "odd"}, [("?", "?", "?")]),
        ({"reason": "Forbidden"}, [("?", "?", "?")]),
        ({}, [("?", "?", "?")]),
        (None, [("?", "?", "?")]),
    ],
)  # fmt: skip
def test_statuses(status: Any, wanted: list[tuple[str, str, str]]) -> None:
    assert [told(error) for error in errors_of(status, Subject())] == wanted


def test_details_of_causes() -> None:
    cause = {"reason": "FieldValueInvalid", "field": "spec.b", "message": "Invalid value: 5: must be less than 3"}
    [error] = errors_of({"details": {"causes": [cause]}}, Subject())
    assert (error.bad_value, error.detail) == (5, "must be less than 3")


# --- paths ------------------------------------------------------------------------------------------------------------


def shape() -> Shape:
    port, spec, widget = Struct("Port"), Struct("Spec"), Struct("Widget")
    port.define({"name": STRING, "targetPort": INT_OR_STRING}, attributes={"targetPort": "target_port"})
    spec.define(
        {"ports": ListOf(Pointer(port)), "labels": MapOf(STRING), "byName": MapOf(port), "raw": ANY, "n": INT32}
    )
    widget.define({"spec": Pointer(spec)})
    return widget


@each(
    ("elements", "with_shape", "without"),
    [
        ((), "<nil>", "<nil>"),
        (("spec", "ports", 0, "name"), "spec.ports[0].name", "spec.ports[0].name"),
        (("spec", "ports", "0", "name"), "spec.ports[0].name", "spec.ports.0.name"),
        (("spec", "ports", 0, "target_port"), "spec.ports[0].targetPort", "spec.ports[0].target_port"),
        (("spec", "labels", "a.b/c"), "spec.labels[a.b/c]", "spec.labels.a.b/c"),
        (("spec", "byName", "0", "name"), "spec.byName[0].name", "spec.byName.0.name"),
        (("spec", "byName", 7, "name"), "spec.byName[7].name", "spec.byName[7].name"),
        (("spec", "raw", "a", 0, Key("b")), "spec.raw.a[0][b]", "spec.raw.a[0][b]"),
        (("spec", "nope", "a"), "spec.nope.a", "spec.nope.a"),
    ],
)
def test_paths(elements: tuple[str | int, ...], with_shape: str, without: str) -> None:
    assert str(to_path(elements, shape())) == with_shape
    assert str(to_path(elements)) == without


@each(
    ("text", "wanted"),
    [
        ("spec.ports[0].name", "spec.ports[0].name"),
        ("spec.labels[a.b/c]", "spec.labels[a.b/c]"),
        ("$.spec['labels']['a.b/c']", "spec.labels[a.b/c]"),
        ("/spec/labels/a.b~1c", "spec.labels[a.b/c]"),
        (".spec.ports.0.name", "spec.ports[0].name"),
        ("$", "<nil>"),
        ("[0].a", "[0].a"),
        ("odd[", "odd["),
    ],
)
def test_paths_in_other_notations(text: str, wanted: str) -> None:
    assert str(to_path(parse_elements(text), None if text.startswith("[0]") else shape())) == wanted


@pytest.mark.parametrize(
    "gap", ["\n" * 50_000, " " * 50_000, "\n \n" * 20_000, ("\n" * 19 + "x") * 5_000, " [" * 50_000], ids=range(5)
)
def test_gaps_in_texts_take_no_time(gap: str) -> None:
    """Each of these would take hours if the ways to divide a gap were tried one by one."""
    text = f"a: Invalid value: 1{gap}b: Required value"
    assert len(errors_in(text, Subject())) >= 1
    assert error_at(["a"], text, Subject()).type is ErrorType.INVALID
    assert parse_elements("[" * 50_000) == ["[" * 50_000]
