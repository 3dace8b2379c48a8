"""What is said of a request, and who says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks.reviews import Request


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a request.

    Attributes:
        errors: what is wrong with its object. Without any, it is allowed.
        warnings: what the user is warned of, whether or not it is allowed.
        annotations: what the audit log is told.
        warned: the names of the rules whose errors are among the warnings.
        denial: why it is not allowed, where nothing is wrong with the object.
    """

    errors: Sequence[FieldError] = ()
    warnings: Sequence[str] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    warned: tuple[str, ...] = ()
    denial: str = ""

    @property
    def allows(self) -> bool:
        """Whether nothing is against the request."""
        return not self.errors and not self.denial

    def also(self, other: Verdict) -> Verdict:
        """Both verdicts in one."""
        return Verdict(
            [*self.errors, *other.errors],
            [*self.warnings, *other.warnings],
            {**self.annotations, **other.annotations},
            (*self.warned, *other.warned),
            self.denial or other.denial,
        )


#: Says what is wrong with the object of a request. What cannot be judged is a `LookupError`. A judge whose attribute
#: `is_quick` is true may be asked by who has others to answer meanwhile.
Judge = Callable[[Request], Verdict]


class UnknownKindError(LookupError):
    """A kind that a judge has no validators of."""


class FailedError(Exception):
    """A function of a user that has failed or took too long. The text is for clients; all else is in the log."""
