"""The library that compares handwritten with declarative validation, one request at a time, while a service runs.

What comes in are both validators of a kind, and a request. What goes out is an `Outcome`: the errors that count, and in
what the two sides differ, with the cause. It is public and needs nothing but Python, the runtime and `files`. It never
lets a failure of one side out, and reads no source.

Begin with `judging`, which says what two answers amount to, then `comparison`, which says in what they differ.
`harness` runs both sides in a service, and `validation-gen compare` over many objects; both have them judged here.

- `declarative`, `adapters`: how each side is asked. `gates` says which one counts.
- `matcher`, `pairs`, `values`: when two errors are the same. `causes`: why one is missing. `expected`: who knows of it.
- `outcome`, `reporting`, `series`, `textfile`, `identifiers`: the result, and how it is told and counted. `metrics`
  counts for Prometheus and needs `prometheus-client` (extra `[metrics]`).
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
