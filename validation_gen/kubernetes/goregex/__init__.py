"""Regular expressions as Go has them (RE2): told from those of other languages, and run in linear time."""

from __future__ import annotations

from validation_gen.kubernetes.goregex.parser import GoRegexError
from validation_gen.kubernetes.goregex.pattern import Pattern, compiled

__all__ = ["GoRegexError", "Pattern", "compiled"]
