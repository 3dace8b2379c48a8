"""Rules as Python source: the quick way to the answer "true", for values that have already been judged by their schema.

A rule that holds is by far the most common case, so this is all that the source can say. Wherever a rule does not
hold, fails, or might cost more than a server allows, it raises, and the plan of the rule (`plan`) says exactly what is
so. What has no quick form stays a plan, which the source calls.

`writer` collects lines and constants, `forms` says in which form a value is at hand, `translation` goes through the
nodes of an expression, `operators` has the calls with a form of their own, `loops` the macros.
"""

from __future__ import annotations

from validation_gen.kubernetes.cel.compiled.forms import UnsupportedError, Value, of_shape
from validation_gen.kubernetes.cel.compiled.translation import function_of, translated
from validation_gen.kubernetes.cel.compiled.writer import TOO_LARGE, DoubtError, Writer

__all__ = ["TOO_LARGE", "DoubtError", "UnsupportedError", "Value", "Writer", "function_of", "of_shape", "translated"]
