"""What becomes of manifests that are applied, as records."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome
from validation_gen.runtime.errors import FieldError
from validation_gen.uses.recognition import Recognised

BAD_REQUEST, CONFLICT = 400, 409


class State(str, enum.Enum):
    """What becomes of an object, in the words of kubectl where it has any."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Applied:
    """An object and what becomes of it.

    Attributes:
        manifest: where it comes from.
        state: what becomes of it.
        outcome: the server's answer, None for definitions and for what is not judged.
        problems: why it is refused as a whole, in the server's words, one sentence each.
        warnings: what else is to be said of it, beside the warnings of the outcome.
        by_client: whether it is kubectl that refuses it, and asks no server.
        recognised: what is known of its kind, if nothing has judged it for its kind.
        sent: the object that was sent, which is that of the manifest laid over the old one.
    """

    manifest: Manifest
    state: State
    outcome: Outcome | None = None
    problems: Sequence[str] = ()
    warnings: Sequence[str] = ()
    by_client: bool = False
    recognised: Recognised | None = None
    sent: Any = None

    @property
    def fails(self) -> bool:
        return self.state in (State.REFUSED, State.NOT_JUDGED)

    @property
    def errors(self) -> Sequence[FieldError]:
        return self.outcome.errors if self.outcome is not None else ()

    @property
    def object(self) -> dict[str, Any] | None:
        """The object as it would be stored."""
        if self.outcome is not None:
            return self.outcome.object
        if self.state is State.NOT_JUDGED or self.problems:
            return None
        return self.manifest.obj if self.sent is None else self.sent  # type: ignore[no-any-return]  # it is a mapping


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for all objects of a run. `namespace` is that of objects that name none."""

    subresource: str = ""
    field_validation: str = "Strict"
    namespace: str = ""


def undecodable(kind: str, version: str, problems: Sequence[str]) -> list[str]:
    """What a server says of a request that it cannot decode."""
    if not problems:
        return []
    slips = [problem for problem in problems if problem.startswith(("unknown field ", "duplicate field "))]
    told = f"strict decoding error: {', '.join(slips)}" if slips else problems[0]
    return [f'{kind} in version "{version}" cannot be handled as a {kind}: {told}']
