"""The worked example in testdata/migration: its sides differ in what was planted, and agree once they are mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.compare.reservations import (
    EXAMPLE,
    PLANTED,
    Handwritten,
    build_go_program,
    go_side,
    python_side,
    random_requests,
    stored_requests,
)
from validation_gen.compare.declarations import Declarations
from validation_gen.compare.requests import Request
from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.expected import general_path
from validation_gen.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

KIND = "tables.example.com/v1/Reservation"
STAGES = ("before", "after")
each_language = pytest.mark.parametrize("language", ["python", "go"])


class Stage:
    """The tags of one stage of the example, and what they differ from handwritten validation in."""

    def __init__(self, name: str) -> None:
        result = build_program(Settings((str(EXAMPLE / name / "apis"),)))
        assert result.diagnostics.items == []
        self.registry: Registry = load_validators(result.program)
        self.declarations = Declarations.of(result.program, self.registry)
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
        return self.registry.run(kind, request.obj, old, update=update, options=options)

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
