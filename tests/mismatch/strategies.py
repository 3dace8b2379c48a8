"""Errors as Hypothesis draws them: few types, paths and origins, so that many of them match."""

from __future__ import annotations

from hypothesis import strategies as st

from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

PATHS = (None, "a", "a.b", "a[0]", "a[0].b", "ab", "b", "c[x].b", "", "a b\n", "é[ü]")
VALUES: tuple[object, ...] = ("", None, 1, True, 1.0, float("nan"), "x", [], [1], {}, {"a": [None]}, "\ud800")
MARKS = (Mark.COVERED, Mark.SHORT_CIRCUITED, Mark.ANY_FIELD, Mark.ANY_ORIGIN, Mark.ANY_TYPE, Mark.PANIC)
RULES = (NormalizationRule("b", "a"), NormalizationRule(r"\[(\w)\]", ".$1"), NormalizationRule("", "x"))


@st.composite
def errors(draw: st.DrawFn) -> FieldError:
    types = st.sampled_from((ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.INTERNAL, *ErrorType))
    error = FieldError.at(
        draw(st.sampled_from(PATHS)),
        draw(types),
        draw(st.sampled_from(VALUES)),
        draw(st.sampled_from(("", "x", 'undefined validation option "X"'))),
    )
    error.origin = draw(st.sampled_from(("", "", "maximum", "format=k8s-uuid")))
    error.level = draw(st.sampled_from(("", "alpha", "beta")))
    error.short_circuit = draw(st.booleans())
    error.tag = draw(st.sampled_from(("", "+k8s:x", '+k8s:ifEnabled("X")=+k8s:x', "+k8s:enum")))
    return error.marked(*draw(st.lists(st.sampled_from(MARKS), max_size=2)))


def error_lists() -> st.SearchStrategy[list[FieldError]]:
    return st.lists(errors(), max_size=5)


def normalizations() -> st.SearchStrategy[tuple[NormalizationRule, ...]]:
    return st.lists(st.sampled_from(RULES), max_size=2).map(tuple)
