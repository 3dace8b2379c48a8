"""Validates the answers of the handwritten side: user code creates its errors.

Afterwards the parts of an error have their types, and its value is plain JSON: it can be compared, hashed, printed and
sent to other processes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any

from validation_gen.runtime.errors import OMITTED, ErrorType
from validation_gen.uses.compare.sides import Answer, Refusal
from validation_gen.uses.compare.sides.process import LONGEST_NAME, MOST_ERRORS

_SCALARS = frozenset({str, bool, type(None), type(OMITTED)})
_MOST_BITS = 64
_DEEPEST = 100


def sound(answer: Answer) -> Answer:
    """Returns the answer with plain values, or the reason why it cannot be used."""
    if isinstance(answer, Refusal):
        return answer
    if len(answer) > MOST_ERRORS:
        return Refusal(f"answered with {len(answer)} errors, of which only {MOST_ERRORS} are read")
    for error in answer:
        if problem := _problem(error):
            return Refusal(f"answered with a malformed error: {problem}")
        if error.bad_value.__class__ not in _SCALARS:
            error.bad_value = plain(error.bad_value)
    return answer


def _problem(error: Any) -> str:
    if not isinstance(error.type, ErrorType):
        return f"its type is {_name(error.type)}, and no ErrorType"
    for name in ("detail", "origin", "level", "tag", "source"):
        if not isinstance(getattr(error, name), str):
            return f"its {name} is {_name(getattr(error, name))}, and no text"
    if not all(isinstance(each, str) for each in error.segments):
        return "its path has elements that are no texts"
    for name, size in (("path", sum(map(len, error.segments))), ("origin", len(error.origin)), ("tag", len(error.tag))):
        if size > LONGEST_NAME:
            return f"its {name} has {size} characters, more than {LONGEST_NAME}"
    return "" if isinstance(error.marks, Set) else "its marks are no set"


def _name(value: object) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"


def plain(value: Any, depth: int = 0) -> Any:
    """Returns a value as plain JSON. Other types become texts; values that are nested too deeply are cut off."""
    if value.__class__ in _SCALARS:
        return value
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration prints as something else
    if isinstance(value, int):
        bits = int.bit_length(value)
        return int(value) if bits <= _MOST_BITS else f"<integer of {bits} bits>"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else "NaN" if math.isnan(value) else f"{float(value):+}"
    try:
        if depth >= _DEEPEST:
            return "…"
        if isinstance(value, Mapping):
            return {_key(key): plain(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item, depth + 1) for item in value]
        return repr(value)
    except Exception:  # all of these run the code of the value's class
        return f"<{type(value).__name__}>"


def _key(key: Any) -> str:
    text = plain(key)
    return text if isinstance(text, str) else repr(text)
