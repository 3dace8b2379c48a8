"""`each`: every entry runs, every failure is in the message."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from tests.tables import each


def test_all_failures_are_in_one_message() -> None:
    seen = []

    @each("left, right", [(1, 1), (1, 2), pytest.param(3, 3, id="three"), pytest.param(4, 5, id="four")])
    def table(left: int, right: int) -> None:
        seen.append(left)
        assert left == right

    with pytest.raises(AssertionError) as caught:
        table()
    assert seen == [1, 1, 3, 4]
    first, *lines = str(caught.value).splitlines()
    assert first == "2 of 4 entries fail:"
    assert lines[:2] == ["", "left=1, right=2"]
    assert f"{__file__}:" in lines[2]
    assert lines[2].endswith("assert 1 == 2")
    assert lines[3:5] == ["", "four"]
    assert lines[5].endswith("assert 4 == 5")
    assert str(caught.value.__cause__) == "assert 1 == 2"


def test_an_exception_or_a_skip_of_an_entry_is_a_failure_of_it() -> None:
    def check(value: int) -> None:
        if value == 1:
            pytest.fail("failed on purpose")
        if value == 2:
            pytest.skip("not here")
        assert 6 // value

    with pytest.raises(AssertionError) as caught:
        each("value", range(4), ids=lambda value: f"n{value}")(check)()
    text = str(caught.value)
    assert text.startswith("3 of 4 entries fail:\n\nn0\n")
    assert "ZeroDivisionError: " in text
    assert "failed on purpose" in text
    assert "\n\nn2\n    an entry of a table cannot be skipped: not here" in text
    assert "n3" not in text


def test_an_empty_table_an_unknown_argument_and_marks_are_mistakes() -> None:
    def check(value: int) -> None:
        raise AssertionError

    with pytest.raises(AssertionError, match="the table is empty"):
        each("value", list)(check)()
    with pytest.raises(TypeError, match="check has no arguments other"):
        each("other", [1])(check)
    with pytest.raises(TypeError, match="an entry of a table has no marks"):
        each("value", [pytest.param(1, marks=pytest.mark.skip)])


def test_tables_in_tables_name_both_entries() -> None:
    @each("left", [1, 2], ids=["one", "two"])
    @each("right", lambda: [1])
    def table(left: int, right: int) -> None:
        assert left == right

    with pytest.raises(AssertionError) as caught:
        table()
    assert [line.strip() for line in str(caught.value).splitlines() if line.strip() in {"one", "two", "right=1"}] == [
        "two",
        "right=1",
    ]


@each("value", ["a", "b"])
def test_each_entry_has_its_own_directory_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    assert not list(tmp_path.iterdir())
    (tmp_path / "tables_module.py").write_text(f"value = {value!r}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("tables_module").value == value
    assert "TABLES_VALUE" not in os.environ
    monkeypatch.setenv("TABLES_VALUE", value)
    assert not capsys.readouterr().out
    print(value)  # noqa: T201 - the next entry must not see it


@each("value", range(5), parts=2)
def test_parts_share_the_entries(value: int, request: pytest.FixtureRequest) -> None:
    assert value % 2 == int(request.node.name[-2])
