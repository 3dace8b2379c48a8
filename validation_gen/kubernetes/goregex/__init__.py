"""Regular expressions as Go has them (RE2): told from those of other languages, and run in linear time.

`parser` refuses what Go refuses, in its words. `pattern` has what others call, `classes` the sets of characters,
`automaton` runs them without going back, and `spans` tells where they match. What is matched is not known here.
"""

from __future__ import annotations

from validation_gen.kubernetes.goregex.parser import GoRegexError
from validation_gen.kubernetes.goregex.pattern import Pattern, compiled
from validation_gen.kubernetes.goregex.spans import Steps, TooMuchWorkError

__all__ = ["GoRegexError", "Pattern", "Steps", "TooMuchWorkError", "compiled"]
