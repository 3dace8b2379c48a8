"""How large definitions are, and what shorter descriptions save."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kubernetes.crd.schemas import definition, with_properties
from tests.thorough import drawn
from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.crd.columns import LAST_APPLIED, measure, short_text, shorten_descriptions
from validation_gen.kubernetes.crd.run import check
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.names import byte_count


def large(size: int) -> dict[str, Any]:
    return with_properties(a={"type": "string", "description": "x" * size})


_TEXTS = st.text('a"\\\n\x01\x7f<>&\u2028\u2029é😀\ud800', max_size=6)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=drawn(200), deadline=None)
@given(_VALUES, st.dictionaries(_TEXTS, _TEXTS, max_size=2) | st.none())
def test_sizes_are_those_of_what_go_writes(value: Any, annotations: dict[str, str] | None) -> None:
    obj = {"kind": "Robot", "spec": value, "metadata": {"name": "a", "annotations": annotations}}
    assert measure(obj).stored == byte_count(go_json(obj))
    assert measure({"spec": value}).stored == byte_count(go_json({"spec": value}))
    applied = {**obj, "metadata": {"name": "a", "annotations": annotations or {}}}
    known = sum(byte_count(each) for pair in (annotations or {}).items() for each in pair)
    added = byte_count(LAST_APPLIED) + byte_count(go_json(applied)) + 1
    assert measure(obj).annotations == known + added


def test_deep_objects_have_a_size() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = [deep]
    assert measure({"spec": deep}).stored == len('{"spec":}') + 10_001
    assert measure({"spec": 10**5000}).stored == len('{"spec":}') + len(hex(10**5000))


def test_a_definition_of_some_size_is_fine() -> None:
    assert check(large(260_000)) == []


def test_annotations_are_a_warning() -> None:
    (finding,) = check(large(262_000))
    assert (finding.code, finding.severity, finding.keys) == ("VG509", Severity.WARNING, ("metadata",))
    assert "metadata.annotations: Too long: may not be more than 262144 bytes" in finding.message
    assert "kubectl apply --server-side" in finding.help
    assert "--max-description" in finding.help


def test_requests_are_an_error() -> None:
    (finding,) = check(large(1_572_864))
    assert finding.severity is Severity.ERROR
    assert "etcdserver: request is too large" in finding.message


def test_what_shorter_descriptions_save() -> None:
    (finding,) = check(large(300_000), max_description=100)
    without = measure(large(103)).annotations
    assert f"with --max-description 100 it would have {without:,} bytes" in finding.help


def test_the_size_is_that_of_what_kubectl_writes() -> None:
    """With the names in any order, `<` as Go escapes it, and a line end behind it."""
    obj = definition({"type": "object", "description": "a < b & ä"})
    obj["metadata"]["annotations"] = {"a": "b", LAST_APPLIED: "it is replaced"}
    kept = {**obj, "metadata": {**obj["metadata"], "annotations": {"a": "b"}}}
    text = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c").replace("&", "\\u0026")
    assert measure(obj).annotations == len(text.encode()) + 1 + len(LAST_APPLIED) + len("ab")


@pytest.mark.parametrize(
    ("text", "limit", "wanted"),
    [
        ("Short.", 6, "Short."),
        ("One. Two. Three.", 12, "One. Two."),
        ("one two three", 9, "one two..."),
        ("onetwothree", 4, "onet..."),
    ],
)
def test_short_texts(text: str, limit: int, wanted: str) -> None:
    assert short_text(text, limit) == wanted


def test_all_descriptions_are_shortened_and_nothing_else() -> None:
    part = {"type": "string", "description": "abcdef", "default": {"description": "abcdef"}}
    schema = {
        "type": "object",
        "description": "abcdef",
        "properties": {"description": part, "list": {"type": "array", "items": part}, "any": {"anyOf": [part]}},
    }
    text = json.dumps(shorten_descriptions(definition(schema), 0))
    assert text.count("abcdef") == 3, "those of the defaults"
    assert json.dumps(shorten_descriptions(definition(schema), 3)).count("abc...") == 4
