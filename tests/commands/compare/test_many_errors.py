"""A side that answers with tens of thousands of errors: all are counted, some are shown, and no report grows with them.

Reports are small also when each error is of a sort of its own, and when each is as long as it may be.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from unittest import mock

import pytest

from tests.commands.compare.parts import agreeing, judge, shelf
from tests.commands.compare.rendering import render_json, render_json_lines, render_junit, render_sarif
from validation_gen.commands.compare.grouping import quote
from validation_gen.commands.compare.regressions import case_text
from validation_gen.commands.compare.report import (
    History,
    append_run,
    render_concise,
    render_html,
    render_text,
    to_run,
)
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.run import State
from validation_gen.commands.compare.sides import Answer
from validation_gen.runtime.errors import FieldError

#: Sorts are a tenth of what the program takes, and so is its limit here: all are explained, which takes a while.
MANY, SORTS, SHOWN = 30_000, 510, 500
#: Characters of the largest report: one for people shows some groups, others have all of them.
SMALL, LARGE = 1_000_000, 20_000_000


def alike(request: Request) -> Answer:
    found = agreeing(request)
    assert isinstance(found, list)
    return found + [FieldError.invalid(f"levels[{n}].height", n, "odd").with_origin("odd") for n in range(MANY)]


def unlike(request: Request) -> Answer:
    return [FieldError.invalid(f"a{n}.{'x' * 20}", "y" * 5_000, "z" * 5_000).with_origin("odd") for n in range(SORTS)]


@cache
def results(name: str) -> Results:
    asked, _ = judge({"alike": alike, "unlike": unlike}[name])
    with mock.patch("validation_gen.commands.compare.results._MOST_GROUPS", SHOWN):
        found = asked.judge([shelf(9)] if name == "unlike" else [shelf(9), shelf(1)])
    for group in found.groups.values():
        quote(group, asked._grouping._declarations)
    return found


def test_all_are_counted_and_some_are_shown() -> None:
    found = results("alike")
    assert found.mismatches == 2 * MANY
    (group,) = found.groups.values()
    example = group.example
    assert group.count == 2 * MANY
    assert (len(example.handwritten), example.more) == (50, {"handwritten": MANY - 50})
    assert example.rank[0] == MANY
    again = Results.from_json(json.loads(json.dumps(found.as_json())))
    assert next(iter(again.groups.values())).example == example


def test_the_error_that_an_example_is_about_is_shown() -> None:
    asked, _ = judge(lambda request: [FieldError.invalid(f"x[{n}]", n, "") for n in range(100)] + [error])
    error = FieldError.required("levels")
    found = asked.judge([shelf(1)])
    (group,) = [each for each in found.groups.values() if each.sort.type == "FieldValueRequired"]
    assert [each["type"] for each in group.example.handwritten][-1] == "FieldValueRequired"
    assert len(group.example.handwritten) == 50
    assert group.example.more == {"handwritten": 51}


@pytest.mark.parametrize("name", ["alike", pytest.param("unlike", marks=pytest.mark.slow)])
def test_reports_do_not_grow_with_errors(name: str, tmp_path: Path) -> None:
    found = results(name)
    assert found.mismatches == (2 * MANY if name == "alike" else SORTS + 1)
    history = History([to_run(found, "2027-01-01T00:00:00+00:00")])
    append_run(tmp_path / "runs.jsonl", history.runs[0])
    State("", 1, found).write(str(tmp_path / "state.json"))
    groups = found.unexpected()
    texts = {
        "text": render_text(found, color=False),
        "concise": render_concise(found, color=False),
        "json": render_json(found),
        "jsonl": render_json_lines(found),
        "junit": render_junit(found),
        "sarif": render_sarif(found, lambda _source, _tag: None),
        "html": render_html(found, history),
        "history": (tmp_path / "runs.jsonl").read_text(),
        "state": (tmp_path / "state.json").read_text(),
        "cases": "".join(case_text(group) for group in groups),
    }
    sizes = {format: len(text) for format, text in texts.items()}
    small = {"text", "history"} if name == "unlike" else set(sizes)
    assert {format: size for format, size in sizes.items() if size > (SMALL if format in small else LARGE)} == {}
    more = (SORTS if name == "unlike" else MANY) - 50
    said = f"and {more:,} more"  # behind an ellipsis, which some formats escape
    quiet = {"concise", "history", "json", "jsonl", "state"}
    assert [format for format, text in texts.items() if format not in quiet and said not in text] == []
    for format in ("json", "state"):
        assert f'"more": {{"handwritten": {more}}}' in texts[format].replace("\n", "").replace("  ", "")


def test_examples_are_cut_where_there_are_many_groups() -> None:
    found = results("unlike")
    groups = sorted(found.groups.values(), key=lambda group: group.key)
    examples = [group.example for group in groups]
    assert len(examples) == SHOWN
    assert [len(each.handwritten) for each in examples[98:102]] == [50, 50, 2, 2]
    last = examples[-1]
    assert last.more == {"handwritten": SORTS - 2}
    for error in last.handwritten:
        assert error["detail"].startswith("z" * 200 + "… and ")
        assert len(error["message"]) + len(error["badValue"]) < 600
    assert last.handwritten[0]["field"] == groups[-1].sort.path


def test_more_errors_than_are_read_are_no_answer() -> None:
    asked, _ = judge(lambda request: [FieldError.required("a")] * 50_001)
    assert "answered with 50001 errors, of which only 50000 are read" in asked.judge([shelf(1)]).notes[0]


def test_names_that_are_kept_for_each_sort_have_a_limit() -> None:
    for error, said in (
        (FieldError.required("a" * 2_001), "its path has 2002 characters"),
        (FieldError.required("a").with_origin("o" * 2_001), "its origin has 2001 characters"),
    ):
        asked, _ = judge(lambda request, error=error: [error])  # type: ignore[misc]
        assert said in asked.judge([shelf(1)]).notes[0]
