"""CEL as text: what people write in tags stays what it is, whatever it looks like."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.emit.schema.expressions import join_all, join_any, literal, negate, substitute


@pytest.mark.parametrize("text", ["{v}", "it's {v}", "a\\", "\\' || {v}", "\n{v}"])
def test_texts_are_no_places(text: str) -> None:
    assert substitute(f"{{v}} != {literal(text)} && {{v}} != ''", "self") == f"self != {literal(text)} && self != ''"


@pytest.mark.parametrize("text", ["a\\", "' || '", "(", "a ? b"])
def test_operators_are_found_behind_texts_and_not_within(text: str) -> None:
    first = f"self != {literal(text)}"
    assert join_all(first, "b") == f"{first} && b"
    assert join_all(f"{first} || a", "b") == f"({first} || a) && b"
    assert join_any(f"{first} ? a : c", "b") == f"({first} ? a : c) || b"


@each(
    ("condition", "opposite"),
    [
        ("self.a == 'x != y'", "self.a != 'x != y'"),
        ("self.a != 'x == y'", "self.a == 'x == y'"),
        ("has(self.a)", "!has(self.a)"),
        ("!has(self.a)", "has(self.a)"),
        ("has(oldSelf.value().a)", "!has(oldSelf.value().a)"),
        ("self.a.all(k, f(g(k)))", "!(self.a.all(k, f(g(k))))"),
        ("has(self.a) && self.b", "!(has(self.a) && self.b)"),
    ],
)
def test_opposites(condition: str, opposite: str) -> None:
    assert negate(condition) == opposite
