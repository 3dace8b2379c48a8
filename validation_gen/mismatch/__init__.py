"""The library that compares handwritten with declarative validation, one request at a time, in a running service.

The inputs are both validators of a kind, and a request. The result is an `Outcome`: the errors that count, and the
differences between the two sides, with the cause. It is public and needs nothing but Python, the runtime and `files`.
It contains all failures of one side, and reads no source.

Begin with `judging`, which evaluates two answers, then `comparison`, which calls a side and finds the differences.
`harness` runs both sides in a service, and `validation-gen compare` over many objects; both use `judging`.

- `comparison`, `adapters`: calls of each side. `gates` decides which one counts.
- `matcher`: equality of errors. `causes`: reasons for a missing one. `expected`: known differences.
- `outcome`, `series`: the result, its logs and its counters. `metrics` counts for
  Prometheus and needs `prometheus-client` (extra `[metrics]`).
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
