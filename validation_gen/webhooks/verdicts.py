"""Verdicts on requests, and the judges that give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks.reviews import Request


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on a request.

    Attributes:
        errors: the errors of its object. Without any, it is allowed.
        warnings: warnings for the user, whether or not it is allowed.
        annotations: annotations for the audit log.
        warned: the names of the rules whose errors are among the warnings.
        denial: why it is not allowed, if the object has no error.
    """

    errors: Sequence[FieldError] = ()
    warnings: Sequence[str] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    warned: tuple[str, ...] = ()
    denial: str = ""

    @property
    def allows(self) -> bool:
        """True if the request is allowed."""
        return not self.errors and not self.denial

    def also(self, other: Verdict) -> Verdict:
        """Returns both verdicts combined."""
        return Verdict(
            [*self.errors, *other.errors],
            [*self.warnings, *other.warnings],
            {**self.annotations, **other.annotations},
            (*self.warned, *other.warned),
            self.denial or other.denial,
        )


#: Returns the verdict on the object of a request. An object that it cannot validate raises a `LookupError`. A judge
#: whose attribute `is_quick` is true may run in the event loop.
Judge = Callable[[Request], Verdict]


class UnknownKindError(LookupError):
    """A kind for which a judge has no validators."""


class FailedError(Exception):
    """A function of a user that failed or took too long. The text is for clients; the details are in the log."""
