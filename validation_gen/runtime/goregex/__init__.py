"""Go's regular expressions (RE2): checks their syntax, and runs them in linear time.

`parser` refuses the same expressions as Go, with the same texts. `pattern` is the interface, `classes` has the sets of
characters, `automaton` runs patterns without backtracking and finds the positions of matches. The package does not know
what the patterns are for.
"""

from __future__ import annotations

from validation_gen.runtime.goregex.automaton import StepLimitError, Steps
from validation_gen.runtime.goregex.parser import GoRegexError
from validation_gen.runtime.goregex.pattern import Pattern, compiled

__all__ = ["GoRegexError", "Pattern", "StepLimitError", "Steps", "compiled"]
