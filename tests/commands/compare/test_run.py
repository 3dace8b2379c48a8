"""A run from its first request to finished results: states that are kept, and what makes them complete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.compare.parts import declarations, files, judge, shelf
from validation_gen.commands.compare import run as module
from validation_gen.commands.compare.inputs import Item
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.run import BadInputError, Run, State, fingerprint
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.runtime.errors import FieldError


def a_run(one: Judge, **more: object) -> Run:
    work = Job(files(), declarations(), parse_spec("python:os:getcwd", check=False), ComparisonConfig())
    return Run(work, _judge=one, fingerprint="me", **more)  # type: ignore[arg-type]


def test_results_have_every_declared_rule_and_the_lines_to_blame() -> None:
    with a_run(judge(lambda request: [])[0]) as run:
        run.add([shelf(6, 1, 2), shelf(1)])
        found = run.finish()
    assert {(rule.path, rule.count) for rule in found.rules} == {
        ("levels[*].height", 1),
        ("levels[*].weight", 0),
        ("loads[*]", 0),
    }
    ((_, group),) = found.groups.items()
    assert len(group.example.obj["levels"]) == 1  # made small
    assert "+k8s:maximum=5" in group.excerpt[int(group.file.split(":")[1]) - group.excerpt_line]
    assert not found.interrupted
    assert found.seconds > 0


def test_a_side_that_does_not_answer_twice_alike_keeps_its_example() -> None:
    answers = iter([[FieldError.invalid("levels", 1, "").with_origin("x")]])
    with a_run(judge(lambda request: next(answers, []))[0]) as run:
        run.add([shelf(1, 2, 3)])
        found = run.finish()
    (group,) = found.groups.values()
    assert group.example.obj == shelf(1, 2, 3).obj


def test_questions_of_a_slow_side_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    one, side = judge(lambda request: [FieldError.invalid("levels", 1, "").with_origin(request.place)])
    monkeypatch.setattr(module, "_MOST_QUESTIONS", 50)
    with a_run(one) as run:
        run.add([shelf(*range(5), place=f"p{n}") for n in range(40)])
        before = len(side.asked)
        run.finish()
    assert 50 <= len(side.asked) - before < 80


def test_strict_runs_end_with_the_first_bad_input_and_keep_what_was_found() -> None:
    one, _ = judge(lambda request: [])
    requests = [shelf(6), Request("Nothing", {}, place="bad"), *(shelf(6) for _ in range(2000))]
    with a_run(one, strict=True) as run:
        run.add(requests)
        assert isinstance(run.failure, BadInputError)
        assert "bad" in str(run.failure)
        found = run.finish()
    assert found.interrupted
    assert 0 < found.mismatches < 100


def test_the_state_is_there_while_it_works_and_gone_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "state.json"

    def items() -> Iterator[Request | Item]:
        assert file.exists()  # so that one that cannot be written is told at once
        yield shelf(6)

    with a_run(judge(lambda request: [])[0], state=str(file)) as run:
        run.add(items())
        state = State.read(str(file), "me")
        assert state is not None
        assert (state.items, state.results.mismatches) == (1, 1)
        run.finish()
    assert list(tmp_path.iterdir()) == []


def test_a_state_that_cannot_be_written_in_the_middle_does_not_end_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SAVED_EVERY", 0.0)
    folder = tmp_path / "folder"

    def items() -> Iterator[Request | Item]:
        for number in range(200):
            if number == 50:
                for file in folder.iterdir():
                    file.unlink()
                folder.rmdir()
                folder.write_text("in the way")
            yield shelf(6)

    with a_run(judge(lambda request: [])[0], state=str(folder / "state.json")) as run:
        run.add(items())
        found = run.finish()
    assert (found.compared, found.interrupted) == (200, False)
    assert isinstance(run.unsaved, OSError)


def test_a_state_that_can_never_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    one, side = judge(lambda request: [])
    with a_run(one, state=str(tmp_path / "file" / "state.json")) as run, pytest.raises(OSError, match="file"):
        run.add([shelf(6)])
    assert side.asked == []


def test_an_interruption_among_small_examples_leaves_complete_numbers() -> None:
    one, _ = judge(lambda request: [])
    with a_run(one) as run:
        run.add([shelf(6, 7)])
        run.interruption.asked = 1
        found = run.finish()
    assert found.interrupted
    assert found.mismatches == 2
    assert len(found.rules) == 3


def test_the_fingerprint_changes_with_what_results_depend_on() -> None:
    spec = parse_spec("python:os:getcwd", check=False)
    work = Job(files(), declarations(), spec, ComparisonConfig())
    about = {"target": "1.37"}
    same = fingerprint(work, ["a", "b"], about)
    assert fingerprint(Job(dict(files()), declarations(), spec, ComparisonConfig()), ["a", "b"], dict(about)) == same
    others = [
        fingerprint(Job({**files(), "x.py": ""}, declarations(), spec, ComparisonConfig()), ["a", "b"], about),
        fingerprint(
            Job(files(), declarations(), parse_spec("python:os:x", check=False), ComparisonConfig()), ["a", "b"], about
        ),
        fingerprint(Job(files(), declarations(), spec, ComparisonConfig(options={"Heavy": True})), ["a", "b"], about),
        fingerprint(Job(files(), declarations(), spec, ComparisonConfig(gates={})), ["a", "b"], about),
        fingerprint(work, ["b", "a"], about),
        fingerprint(work, ["a", "b"], {"target": "1.36"}),
    ]
    assert len({same, *others}) == 7
