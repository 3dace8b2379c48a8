"""What the types declare, as results name it."""

from __future__ import annotations

import pickle

from tests.commands.compare.parts import KIND, declarations, program
from validation_gen.mismatch.causes import DeclaredRule
from validation_gen.runtime.errors import ErrorType, FieldError, Mark


def maximum(path: str) -> FieldError:
    return FieldError.invalid(path, 9, "").with_origin("maximum")


def test_rules_are_found_by_place_type_and_origin() -> None:
    known = declarations()
    assert known.knows(KIND)
    assert not known.knows("shop.example.com/v1/Level")
    rule = known.rule(KIND, maximum("levels[3].height"))
    assert isinstance(rule, DeclaredRule)
    assert rule.tag == "+k8s:maximum=5"
    assert rule.source == "v1.Level.height"
    assert known.rule(KIND, maximum("loads[any key]")) is not None
    assert known.rule(KIND, maximum("levels")) is None
    assert known.rule(KIND, maximum("levels[0].height").with_origin("minimum")) is None
    assert known.rule(KIND, FieldError.at("levels[0].height", ErrorType.TOO_LONG, 1).with_origin("maximum")) is None
    assert known.rule("other", maximum("levels[0].height")) is None


def test_what_an_error_does_not_know_may_be_anything() -> None:
    error = FieldError.at("levels[0].height", ErrorType.TOO_LONG, 1).marked(Mark.ANY_TYPE, Mark.ANY_ORIGIN)
    rule = declarations().rule(KIND, error)
    assert rule is not None
    assert rule.tag == "+k8s:maximum=5"


def test_places_are_those_of_the_field_or_of_the_nearest_one_above() -> None:
    def line(path: str) -> int:
        span = declarations().span(declarations().place(KIND, path), "")
        assert span is not None
        return span.line

    assert line("levels[0].height") == 19
    assert line("levels[0].colour") == line("levels[7]") == line("levels") == 11
    assert line("loads[a.b/c]") == 14
    assert line("<nil>") == line("nowhere") == line("") == 8
    assert declarations().place("other", "levels") == ""


def test_all_rules_have_a_position_on_disk() -> None:
    known = declarations()
    assert {rule.path for rule in known.all_rules} == {"levels[*].height", "levels[*].weight", "loads[*]"}
    for rule in known.all_rules:
        span = known.spans[rule.source, rule.tag]
        assert "+k8s:maximum" in _line(span.file, span.line)
    assert known.options == program().options == {"Heavy"}


def test_declarations_go_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(declarations())) == declarations()


def _line(file: str, number: int) -> str:
    with open(file) as text:  # noqa: PTH123 - any path will do
        return text.readlines()[number - 1]
