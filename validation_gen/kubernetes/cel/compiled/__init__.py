"""Rules as Python source: the fast path to the answer "true", for values that their schema has already validated.

A rule that holds is by far the most common case, so the source can only answer that. Wherever a rule does not hold,
fails, or might cost more than a server allows, it raises, and the plan of the rule (`plan`) gives the exact answer.
Expressions without a fast form stay plans, which the source calls.

`writer` collects lines and constants and describes values during translation, `translation` goes through the nodes of
an expression, `operators` has the calls and macros with a form of their own.
"""

from __future__ import annotations

from validation_gen.kubernetes.cel.compiled.translation import compile_function, translate
from validation_gen.kubernetes.cel.compiled.writer import (
    TOO_LARGE,
    DoubtError,
    UnsupportedError,
    Value,
    Writer,
    of_shape,
)

__all__ = [
    "TOO_LARGE",
    "DoubtError",
    "UnsupportedError",
    "Value",
    "Writer",
    "compile_function",
    "of_shape",
    "translate",
]
