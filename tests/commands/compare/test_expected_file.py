"""The file of expected differences: what is wrong with it, what has expired, and what nobody needs."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.commands.compare.regressions import Entry, read_expected, report_expired
from validation_gen.diagnostics import Diagnostics

FILE = """\
# known
expected:
- kind: Box
  path: spec.size
  reason: old boxes
- kind: Box
  reason: gone soon
  expires: 2026-05-01
- kind: Box
  reason: gone soon
  expires: "2026-05-02"
"""
DAY = date(2026, 5, 1)


def read(tmp_path: Path, text: str, name: str = "expected.yaml") -> tuple[list[Entry], Diagnostics]:
    (tmp_path / name).write_text(text)
    diagnostics = Diagnostics()
    return read_expected([str(tmp_path / name)], diagnostics), diagnostics


def test_entries_have_their_places(tmp_path: Path) -> None:
    entries, diagnostics = read(tmp_path, FILE)
    assert diagnostics.items == []
    assert [entry.span.line for entry in entries] == [3, 6, 9]
    assert [entry.expectation.expires for entry in entries] == [None, date(2026, 5, 1), date(2026, 5, 2)]


def test_json_is_read_as_well(tmp_path: Path) -> None:
    text = json.dumps({"expected": [{"path": "a", "reason": "b"}]})
    entries, diagnostics = read(tmp_path, text, "expected.json")
    assert ([entry.expectation.path for entry in entries], diagnostics.items) == (["a"], [])


@pytest.mark.parametrize(
    ("today", "lines"), [(date(2026, 5, 1), []), (date(2026, 5, 2), [6]), (date(2027, 1, 1), [6, 9])]
)
def test_an_entry_holds_until_the_end_of_its_day(tmp_path: Path, today: date, lines: list[int]) -> None:
    entries, diagnostics = read(tmp_path, FILE)
    report_expired(entries, today, diagnostics)
    assert [(found.code, found.span.line) for found in diagnostics.items] == [("VG602", line) for line in lines]
    assert all("gone soon" in found.message for found in diagnostics.items)


@each(
    ("entry", "said"),
    [
        ("{path: a}", "reason is missing"),
        ("{path: a, reason: ''}", "reason is missing"),
        ("{reason: all}", "matches everything"),
        ("{path: a, reason: b, expires: soon}", "expires is a day"),
        ("{path: a, reason: b, side: left}", "side is handwritten or declarative"),
        ("{path: a, reason: b, type: Wrong}", "no type of errors"),
        ("{path: a, reason: b, colour: red}", "has no colour"),
        ("{path: 1, reason: b}", "path must be a string"),
        ("text", "an object with a reason"),
    ],
)
def test_a_malformed_entry_is_told_with_its_place_and_the_others_hold(tmp_path: Path, entry: str, said: str) -> None:
    entries, diagnostics = read(tmp_path, f"expected:\n- {entry}\n- path: a\n  reason: b\n")
    (found,) = diagnostics.items
    assert (found.code, found.span.line) == ("VG601", 2)
    assert said in found.message
    assert found.help
    assert [each.expectation.reason for each in entries] == ["b"]


@pytest.mark.parametrize("text", ["- path: a\n", "expected: 1\n", "unexpected: []\n", "text\n"])
def test_a_file_of_something_else_is_told(tmp_path: Path, text: str) -> None:
    entries, diagnostics = read(tmp_path, text)
    assert entries == []
    assert diagnostics.has_errors


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.dates().map(str),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["expected", "kind", "path", "reason", "expires", "side", "type"]), inner)
        ),
        max_leaves=8,
    )
)
def test_nothing_raises(tmp_path: Path, data: Any) -> None:
    entries, diagnostics = read(tmp_path, json.dumps({"expected": data}), "expected.json")
    report_expired(entries, DAY, diagnostics)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary())
def test_no_bytes_raise(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "expected.yaml").write_bytes(data)
    read_expected([str(tmp_path / "expected.yaml")], Diagnostics())
