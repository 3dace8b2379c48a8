"""Errors have the text that Python gives them, whoever puts it together."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import sys
from typing import Any

import pytest

from tests.native.twoways import all_of, needs_native
from tests.thorough import drawn
from validation_gen.runtime import native
from validation_gen.runtime.errors import FIELDS, OMITTED, ErrorType, FieldError, Inlined, InPython

pytestmark = needs_native

_TEXTS = ["", "a", "a b", 'a"b', "a\\b", "<b>", "a&b", "a<", "\x7f", "\n", "é", "\u2028", "\U0001f600", "\ud800"]
_TEXTS += [OMITTED, f"{OMITTED[:5]}{OMITTED[5:]}"]
_NUMBERS = [0, 1, -1, 10, 99090, 2**63 - 1, -(2**63), 2**63, -(2**64), 10**5000]
_VALUES: list[Any] = [*_TEXTS, *_NUMBERS, None, True, False, 1.5, float("nan"), [], ["a"], {}, {"a": [1]}, object]
_PATHS = [".a", ".é", "[0]", "[é]", "[\U0001f600]", ".\ud800", "", ".", "a", Inlined("Meta"), Inlined("")]


def _drawn(rng: random.Random) -> FieldError:
    segments = rng.choices(_PATHS, k=rng.randrange(4))
    error = FieldError(rng.choice(list(ErrorType)), rng.choice(_VALUES), rng.choice(_TEXTS), "", *segments)
    error.json_string = rng.choice([None, True, False])
    return error


def test_texts_are_those_of_python() -> None:
    rng = random.Random(1)
    for _ in range(drawn(20_000)):
        error = _drawn(rng)
        assert str(error) == InPython.__str__(error), [getattr(error, name) for name in FIELDS]


def test_plain_errors_are_put_into_words_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(error: FieldError) -> str:
        raise AssertionError(error.detail)

    monkeypatch.setattr(FieldError, "_spelt", never)
    for value, shown in ((-12, "-12"), ("b c", '"b c"'), (True, "true"), (None, "null")):
        assert (
            str(FieldError(ErrorType.INVALID, value, "is é", "", "[0]", ".a")) == f"a[0]: Invalid value: {shown}: is é"
        )
    assert str(FieldError(ErrorType.TOO_LONG, OMITTED, "", "", ".a")) == "a: Too long"
    with pytest.raises(AssertionError, match="is odd"):
        str(FieldError(ErrorType.INVALID, 1.5, "is odd", "", ".a"))


@pytest.mark.parametrize("name", FIELDS)
def test_an_error_without_a_field(name: str) -> None:
    values: list[Any] = [[], None, 1, "b", {"label": "x"}]
    for value in values:
        error = FieldError(ErrorType.INVALID, "a", "b", "", ".a")
        setattr(error, name, value)
        try:
            told = InPython.__str__(error)
        except Exception as wrong:
            with pytest.raises(type(wrong)):
                str(error)
        else:
            assert str(error) == told
    delattr(error, name)
    with pytest.raises(AttributeError):
        getattr(error, name)
    if name not in ("marks", "origin", "rule"):
        with pytest.raises(AttributeError):
            str(error)


def test_errors_can_be_copied_and_sent() -> None:
    rng = random.Random(2)
    for _ in range(200):
        error = _drawn(rng)
        if error.bad_value in (OMITTED, _NUMBERS[-1]):  # known by its identity; no text of it
            continue
        for other in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
            assert other.__class__ is FieldError
            assert all_of(other) == all_of(error)


def test_nothing_leaks() -> None:
    error = FieldError(ErrorType.INVALID, "a", "b" * 50, "", "".join([".", "a"]))
    watched = [error.detail, error.segments, error.segments[0], ErrorType.INVALID, FieldError, error]
    before = [sys.getrefcount(value) for value in watched]
    for _ in range(200):
        str(error)
        copy.copy(error)
    assert [sys.getrefcount(value) for value in watched] == before
    circle = FieldError(ErrorType.INVALID, "a")
    circle.bad_value = [circle]
    del circle
    gc.collect()
    gc.collect()
    assert not any(type(each) is FieldError and type(each.bad_value) is list for each in gc.get_objects())


def test_errors_are_of_a_class_of_native_code() -> None:
    accept: Any = native.accept
    assert FieldError.__mro__ == (FieldError, accept.Error, object)


@pytest.mark.parametrize("name", ["label", "shows_value"])
def test_an_interrupt_is_not_swallowed(name: str) -> None:
    class Odd:
        label = "Odd"
        shows_value = True

    stops = [KeyboardInterrupt]

    def stop(self: object) -> Any:
        if stops:
            raise stops.pop()
        return {"label": "Odd", "shows_value": True}[name]

    setattr(Odd, name, property(stop))
    odd: Any = Odd()
    with pytest.raises(KeyboardInterrupt):
        str(FieldError(odd, "a", "b", "", ".c"))
