"""Our evaluator and those of others give the same values, and errors for the same expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import assume, given, settings

from tests.kubernetes.cel.opinions import engines
from tests.kubernetes.cel.opinions.drawing import VARIABLES
from tests.kubernetes.cel.opinions.engines import ENVIRONMENT, REFUSED, Engine, ours
from tests.kubernetes.cel.opinions.forms import FORMS
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.parser import parse


@pytest.fixture(scope="module")
def cpp() -> Engine:
    return engines.of_cpp()


@pytest.fixture(scope="module")
def rust() -> Engine:
    return engines.of_rust()


def _agree(
    text: str, values: Mapping[str, Any], theirs: Any, coarse: Callable[[Any], Any] = lambda value: value
) -> None:
    found = ours(text, values)
    # A server refuses a constant that fails, whether or not it would be looked at.
    assume(found != REFUSED)
    assert coarse(found) == theirs


@settings(max_examples=drawn(1200), deadline=None)
@given(text=engines.CPP.expressions(), values=VARIABLES)
def test_cel_cpp(cpp: Engine, text: str, values: Mapping[str, Any]) -> None:
    _agree(text, values, cpp(text, values))


@settings(max_examples=drawn(600), deadline=None)
@given(text=engines.RUST.expressions(), values=VARIABLES)
def test_cel_rust(rust: Engine, text: str, values: Mapping[str, Any]) -> None:
    _agree(text, values, rust(text, values), engines.without_uints)


@each("text", [form.simplest() for form in FORMS])
def test_what_is_drawn_has_the_right_types(text: str) -> None:
    """So that it is values that are compared, and not mistakes that nobody takes."""
    check_expression(parse(text, quoted=False), ENVIRONMENT)
