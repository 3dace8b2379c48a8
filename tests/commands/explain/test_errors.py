"""The errors in articles about tags are those that the validators give."""

from __future__ import annotations

import pytest
from generated_files import refusals, refused, render_errors

from tests.tables import each
from validation_gen.commands.explain.tags import FILE, about_tag
from validation_gen.rules.registry import catalogue

#: Tags that refuse no object: they say how others are meant, or report nothing.
NO_ERRORS = {"customUnique", "opaqueType", "validateError", "validateTrue", "validateTrueAlpha", "validateTrueBeta"}


def test_the_file_is_what_comes_out() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text == render_errors(), "run `make docs`"


def test_every_other_tag_has_a_sample() -> None:
    assert set(catalogue()) - set(refusals()) == {f"k8s:{name}" for name in NO_ERRORS}


@each("name", list(refusals()))
def test_samples_have_their_tag_and_give_an_error_of_it(name: str) -> None:
    refusal = refusals()[name]
    assert f"+{name}" in refusal.go
    assert refused(refusal)
    (section,) = [s for s in about_tag(catalogue()[name]).sections if s.heading == "Error it gives"]
    assert len(section.blocks) >= 4


def test_a_sample_with_a_mistake_is_refused() -> None:
    sample = refusals()["k8s:maxItems"]
    with pytest.raises(ValueError, match="maxItems"):
        refused(type(sample)(sample.go.replace("=2", "=x"), "{}"))
