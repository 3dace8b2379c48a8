"""Decodes JSON from a peer that may be hostile: within the limits, and the same on every Python."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from itertools import chain
from typing import Any

from validation_gen.mismatch.adapters.protocol import MalformedError
from validation_gen.uses.compare.sides.limits import DEEPEST, LONGEST_NAME, MOST_DIGITS

_NAMES = ("field", "type", "origin", "level", "reason", "validationStabilityLevel")

_MOST_WORDS = 300


class UnreadableError(ValueError):
    """Bytes that are no JSON, or exceed a limit. The text names the limit."""


def decoded(data: bytes) -> Any:
    """Decodes JSON in UTF-8. `NaN` and `Infinity`, which are invalid, are floats; names may come twice.

    Raises:
        UnreadableError: it is no JSON, or its nesting or a number is beyond the limits.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_int=_int)
    except RecursionError:
        raise _too_deep() from None
    except UnreadableError:
        raise
    except ValueError:
        raise UnreadableError from None
    if data.count(b"[") + data.count(b"{") > DEEPEST and _is_too_deep(value):
        raise _too_deep()
    return value


def words(data: bytes) -> str:
    """Returns the message of an error body: that of a Kubernetes `Status`, or else its beginning."""
    with contextlib.suppress(UnreadableError):
        status = decoded(data)
        if isinstance(status, dict) and status.get("kind") == "Status" and isinstance(status.get("message"), str):
            return f"{status['message']:.{_MOST_WORDS}}"
    return data[:_MOST_WORDS].decode("utf-8", "replace").strip()


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:  # parsing takes the square of its length
        raise UnreadableError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _too_deep() -> UnreadableError:
    return UnreadableError(f"it is nested deeper than {DEEPEST} levels")


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = list(chain.from_iterable(_inside(each) for each in level if isinstance(each, dict | list)))
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def check_names(error: Any) -> None:
    """Refuses an error with a name beyond the limit: names are kept for each sort of mismatch.

    Raises:
        MalformedError: one of them is too long.
    """
    if not isinstance(error, Mapping):
        return
    for name in _NAMES:
        for spelling in (name, name[:1].upper() + name[1:]):
            text = error.get(spelling)
            if isinstance(text, str) and len(text) > LONGEST_NAME:
                raise MalformedError(f"its {name} has {len(text)} characters, more than {LONGEST_NAME}")
