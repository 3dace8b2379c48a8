"""Levels of rules: which errors are enforced, and how the text of an error names its level.

Every function that validates an object calls `filter_enforced`. Source of the behaviour:
`FilterEnforcedDeclarativeErrors` in `k8s.io/apimachinery/pkg/api/validate`, and the default of the gate
`DeclarativeValidationBeta` in `k8s.io/apiserver`.
"""

from __future__ import annotations

import enum
from collections.abc import Container, Sequence

from validation_gen.runtime.errors import ErrorType, FieldError, Mark

_INTERNAL = ErrorType.INTERNAL
_SCHEMA = Mark.SCHEMA


class Level(str, enum.Enum):
    """Lowest level whose rules are enforced; those of the levels above it are enforced, too.

    Attributes:
        hidden: the levels of the errors that are not enforced, as `FieldError.level` names them.
    """

    hidden: frozenset[str]

    def __new__(cls, value: str, *hidden: str) -> Level:
        member = str.__new__(cls, value)
        member._value_ = value
        member.hidden = frozenset(hidden)
        return member

    ALPHA = ("alpha",)
    BETA = ("beta", "alpha")
    STANDARD = ("standard", "alpha", "beta")

    @classmethod
    def _missing_(cls, value: object) -> Level:
        raise ValueError(f"{value!r} is no level: write alpha, beta or standard")


#: Level of every entry that names none: the gate for beta rules is on by default in Kubernetes.
DEFAULT_LEVEL = Level.BETA


def filter_enforced(errors: Sequence[FieldError], hidden: Container[str]) -> list[FieldError]:
    """Returns the enforced errors: internal ones, and those of rules whose level is not hidden.

    If no level is hidden it returns all errors, without `drop_repeated`, which callers apply later.
    """
    if not hidden:
        return list(errors)
    return drop_repeated([error for error in errors if error.rule.level not in hidden or error.type is _INTERNAL])


def drop_repeated(errors: list[FieldError]) -> list[FieldError]:
    """Returns errors without those of a schema that repeat the error of a tag."""
    for error in errors:
        if error.marks and _SCHEMA in error.marks:
            of_tags = {(each.type, each.place) for each in errors if _SCHEMA not in each.marks}
            return [e for e in errors if _SCHEMA not in e.marks or (e.type, e.place) not in of_tags]
    return errors


def describe_level(error: FieldError) -> str:
    """Returns ` (alpha rule)` or ` (beta rule)` for the text of an error; nothing for other errors."""
    return f" ({error.level} rule)" if error.level else ""


def render_error(error: FieldError) -> str:
    """Returns the text of an error for commands and webhooks: the API server's text with the level."""
    return f"{error}{describe_level(error)}"
