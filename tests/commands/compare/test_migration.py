"""The example in testdata/migration: its sides differ in what was planted, and agree once that is fixed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests import program
from tests.commands.compare.parts import drop_times
from tests.commands.compare.reservations import (
    EXAMPLE,
    PLANTED,
    ROOT,
    Handwritten,
    build_go_program,
    go_side,
    python_side,
    random_requests,
    stored_requests,
)
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.requests import Request
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.expected import general_path
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

KIND = "tables.example.com/v1/Reservation"
STAGES = ("before", "after")
FUZZ = ("--fuzz", "2000", "--seed", "1")
each_language = pytest.mark.parametrize("language", ["python", "go"])
#: The program in Go answers as the one in Python does, which a test below shows without the command.
each_run = pytest.mark.parametrize(
    ("language", "arguments"),
    [("python", ()), ("go", ()), ("python", FUZZ), pytest.param("go", FUZZ, marks=pytest.mark.slow)],
    ids=["objects-python", "objects-go", "fuzz-python", "fuzz-go"],
)


class Stage:
    """The tags of one stage of the example, and what they differ from handwritten validation in."""

    def __init__(self, name: str) -> None:
        result = build_program(Settings((str(EXAMPLE / name / "apis"),)))
        assert result.diagnostics.items == []
        self.registry: Registry = load_validators(result.program)
        self.declarations = Declarations.from_program(result.program, self.registry)
        self.comparison = Comparison(everything=True)
        self.explainer = Explainer(
            self.comparison,
            Knowledge(
                lambda error: self.declarations.rule(KIND, error),
                lambda path: self.declarations.place(KIND, path),
                self.declarations.options,
            ),
        )

    def declarative(self, request: Request, update: bool, options: Mapping[str, bool]) -> list[FieldError]:
        (kind,) = self.registry.of_type("Reservation")
        old = request.old if update else None
        return self.registry.run(kind, request.obj, old, update=update, options=options, level="alpha")

    def differences(self, requests: Sequence[Request], handwritten: Handwritten) -> set[tuple[str, str, str]]:
        """The cause, the tag and the source of every mismatch."""
        found = set()
        for request, errors in zip(requests, handwritten(requests), strict=True):
            options = {"Terrace": False, **request.options}

            def again(update: bool, options: Mapping[str, bool], request: Request = request) -> Sequence[FieldError]:
                return self.declarative(request, update, options)

            declarative = self.declarative(request, request.update, options)
            mismatches = self.comparison.mismatches(errors, declarative)
            evidence = Evidence(
                errors,
                declarative,
                declarative,
                mismatches,
                request.update,
                options,
                again,
            )
            for mismatch in mismatches:
                explanation = self.explainer.explain(mismatch, evidence)
                found.add((explanation.cause.value, explanation.tag, explanation.source))
        return found


@pytest.fixture(scope="session")
def stages() -> dict[str, Stage]:
    return {name: Stage(name) for name in STAGES}


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The handwritten validators in Go by stage, built once."""
    directory = tmp_path_factory.mktemp("reservations")
    return {name: str(build_go_program(name, directory)) for name in STAGES}


@pytest.fixture(scope="session")
def drawn() -> list[Request]:
    return list(random_requests(4000, seed=1))


def side(request: pytest.FixtureRequest, language: str, stage: str) -> Handwritten:
    """The handwritten validators in a language. The program in Go is built only when a test needs it."""
    if language == "python":
        return python_side(stage)
    return go_side(request.getfixturevalue("programs")[stage])


@each_language
def test_the_objects_show_what_is_planted(
    request: pytest.FixtureRequest, stages: dict[str, Stage], language: str
) -> None:
    found = stages["before"].differences(stored_requests(), side(request, language, "before"))
    assert found == {(each.cause, each.tag, each.source) for each in PLANTED}


@each_language
def test_random_objects_show_nothing_else(
    request: pytest.FixtureRequest, stages: dict[str, Stage], drawn: list[Request], language: str
) -> None:
    found = stages["before"].differences(drawn, side(request, language, "before"))
    assert found == {(each.cause, each.tag, each.source) for each in PLANTED}


@each_language
def test_once_it_is_mended_there_are_no_differences(
    request: pytest.FixtureRequest, stages: dict[str, Stage], drawn: list[Request], language: str
) -> None:
    handwritten = side(request, language, "after")
    assert stages["after"].differences([*stored_requests(), *drawn], handwritten) == set()


@pytest.mark.parametrize("stage", STAGES)
def test_go_and_python_answer_alike(request: pytest.FixtureRequest, drawn: list[Request], stage: str) -> None:
    requests = [*stored_requests(), *drawn]
    python, go = (side(request, language, stage)(requests) for language in ("python", "go"))
    assert [[error.as_dict() for error in errors] for errors in python] == [
        [error.as_dict() for error in errors] for errors in go
    ]


@pytest.mark.parametrize("stage", STAGES)
def test_random_objects_break_every_rule(stages: dict[str, Stage], drawn: list[Request], stage: str) -> None:
    seen = set()
    for request in drawn:
        for error in stages[stage].declarative(request, request.update, request.options):
            seen.add((general_path(error.field), error.type.value, error.origin))
    assert seen == {(rule.path, rule.type, rule.origin) for rule in stages[stage].declarations.all_rules}


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs() -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
    """The runs that there have been, by language, stage and arguments."""
    return {}


def compare(
    request: pytest.FixtureRequest, language: str, stage: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Runs the command, once, as the documentation does: at the top of the repository."""
    runs: dict[tuple[str, ...], subprocess.CompletedProcess[str]] = request.getfixturevalue("runs")
    key = (language, stage, *arguments)
    if key not in runs:
        runs[key] = _compare(request, language, stage, *arguments)
    return runs[key]


def _compare(
    request: pytest.FixtureRequest, language: str, stage: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    example = EXAMPLE.relative_to(ROOT).as_posix()
    if language == "python":
        spec = f"python:{example}/{stage}/handwritten/validation.py:validate"
    else:
        spec = f"exec:{request.getfixturevalue('programs')[stage]}"
    command = ["compare", f"{example}/{stage}/apis", "--handwritten", spec, "-f", f"{example}/objects"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    done = program.run([*command, *arguments], b"", ROOT, environ, timeout=120)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@each_run
def test_the_command_finds_what_is_planted(
    request: pytest.FixtureRequest, language: str, arguments: tuple[str, ...]
) -> None:
    done = compare(request, language, "before", "--format", "json", *arguments)
    assert done.returncode == 1, done.stderr
    results = json.loads(done.stdout)
    assert results["notes"] == []
    assert results["totals"]["bad"] == 0
    rows: list[dict[str, Any]] = results["mismatches"]
    assert sorted((row["cause"], row["tag"], row["source"], row["path"]) for row in rows) == sorted(
        (each.cause, each.tag, each.source, each.path) for each in PLANTED
    )
    lines = {each.cause: each.line for each in PLANTED}
    for row in rows:
        excerpt = row["excerpt"]
        number = int(excerpt["file"].split(":")[1])
        assert lines[row["cause"]] in excerpt["lines"][number - excerpt["line"]]
    assert done.stderr.count("VG604") == 1  # nobody has said whether the option is on
    assert done.stderr.endswith("1 warning\n")


@each_run
def test_the_command_finds_nothing_once_it_is_mended(
    request: pytest.FixtureRequest, language: str, arguments: tuple[str, ...]
) -> None:
    done = compare(request, language, "after", "--format", "json", "--strict", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    results = json.loads(done.stdout)
    assert results["mismatches"] == []
    assert results["notes"] == []
    assert results["totals"]["compared"] >= (2000 if arguments else 24)
    assert results["totals"]["exercised"] == results["totals"]["rules"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "strict"), [("before", ()), ("after", ("--strict",))])
def test_the_answers_of_both_languages_give_the_same_report(
    request: pytest.FixtureRequest, stage: str, strict: tuple[str, ...]
) -> None:
    python, go = (
        compare(request, language, stage, "--format", "json", *strict, *FUZZ) for language in ("python", "go")
    )
    assert python.returncode == go.returncode
    assert drop_times(json.loads(python.stdout)) == drop_times(json.loads(go.stdout))


def test_the_gated_rule_agrees_while_its_option_is_on(request: pytest.FixtureRequest) -> None:
    done = compare(request, "python", "before", "--format", "json", "--option", "Terrace=true")
    causes = {row["cause"] for row in json.loads(done.stdout)["mismatches"]}
    assert causes == {each.cause for each in PLANTED} - {"gated"}
