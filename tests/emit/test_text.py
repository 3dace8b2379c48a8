"""Values as Python source: what is remembered of one never comes out for another that is equal to it."""

from __future__ import annotations

import enum

from validation_gen.emit.text import literal


class Kind(str, enum.Enum):
    POOL = "pool"


class Loud(str):
    def __repr__(self) -> str:
        return f"Loud({str(self)!r})"

    __slots__ = ()


def test_equal_texts_of_other_classes_are_told_apart() -> None:
    assert literal("pool") == '"pool"'
    assert literal(Kind.POOL) == repr(Kind.POOL)
    assert literal("pool") == '"pool"'
    assert literal(Loud("loud")) != literal("loud") == '"loud"'


def test_equal_numbers_are_told_apart() -> None:
    assert [literal((value,)) for value in (1, True, 1.0)] == ["(1,)", "(True,)", "(1.0,)"]


def test_quotes() -> None:
    assert literal("it's") == '"it\'s"'
    assert literal('say "it"') == "'say \"it\"'"
    assert literal("a\u200bb") == '"a\\u200bb"'
