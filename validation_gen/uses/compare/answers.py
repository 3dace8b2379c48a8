"""Both answers to a request as examples show them: some of many errors, the beginnings of long texts.

A peer may answer with any number of errors. Omitted errors are counted, and the errors that an example is about are
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.levels import render_error
from validation_gen.runtime.words import counted
from validation_gen.uses.compare.sound import plain

#: Maximum number of errors of each side in an example ...
MOST_SHOWN = 50
#: ... and in examples of further sorts, beyond this number of examples.
MOST_WHOLE = 100
MOST_BRIEF = 2
#: Maximum length of a detail, a message or a value.
LONGEST_SHOWN = 1_000
LONGEST_BRIEF = 200


class Shown:
    """The errors of one answer. Examples of the same request share their shown errors."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        self._errors = errors
        self._numbers = {id(error): number for number, error in enumerate(errors)}
        self._known: dict[int, dict[str, Any]] = {}

    def errors(self, about: Iterable[FieldError | None]) -> tuple[list[dict[str, Any]], int]:
        """Returns the shown errors, in the terms of the line protocol, and the number of others."""
        chosen = {self._numbers[id(error)] for error in about if id(error) in self._numbers}
        for number in range(len(self._errors)):
            if len(chosen) >= MOST_SHOWN:
                break
            chosen.add(number)
        return [self._told(number) for number in sorted(chosen)], len(self._errors) - len(chosen)

    def _told(self, number: int) -> dict[str, Any]:
        if number not in self._known:
            self._known[number] = _told(self._errors[number])
        return self._known[number]


def and_more(count: int) -> list[str]:
    """Returns a line with the number of hidden errors, if there are any."""
    return [f"… and {count:,} more"] if count else []


def cut(text: str, most: int = LONGEST_SHOWN) -> str:
    """Returns the beginning of a text."""
    more = len(text) - most
    return text if more <= 0 else f"{text[:most]}… and {counted(more, 'more character', grouped=True)}"


def shorter(error: dict[str, Any]) -> dict[str, Any]:
    """Shortens an error for a report with many examples."""
    value = error["badValue"]
    if isinstance(value, dict | list):
        value = cut(go_json(value), LONGEST_BRIEF)
    elif isinstance(value, str):
        value = cut(value, LONGEST_BRIEF)
    texts = {name: cut(error[name], LONGEST_BRIEF) for name in ("detail", "message")}
    return {**error, **texts, "badValue": value}


def _told(error: FieldError) -> dict[str, Any]:
    told: dict[str, Any] = error.as_dict()
    value = plain(error.bad_value)
    if isinstance(value, str):
        value = cut(value)
    elif isinstance(value, dict | list) and len(text := go_json(value)) > LONGEST_SHOWN:
        value = cut(text)
    return {**told, "detail": cut(told["detail"]), "message": cut(render_error(error)), "badValue": value}
