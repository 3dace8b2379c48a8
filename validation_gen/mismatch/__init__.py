"""The run-time library that compares handwritten validation with declarative validation, request by request.

It needs nothing but Python, like the validators themselves. Metrics are in `validation_gen.mismatch.metrics`; they need
`prometheus-client` (extra `[metrics]`).
"""

from validation_gen.mismatch.adapters import HandwrittenError, adapt
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.harness import Harness, all_declarative_enforced
from validation_gen.mismatch.matcher import ErrorMatcher, NormalizationRule
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Observer, Outcome, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.paths import Path

__all__ = [
    "Cause",
    "ErrorMatcher",
    "ErrorType",
    "Expectation",
    "Expectations",
    "Explanation",
    "FeatureGates",
    "FieldError",
    "HandwrittenError",
    "Harness",
    "Mark",
    "Mismatch",
    "NormalizationRule",
    "Observer",
    "Operation",
    "Outcome",
    "Path",
    "Side",
    "adapt",
    "all_declarative_enforced",
]
