"""Records of the results of applied manifests."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.place import as_decoded
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.objects import Outcome
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.uses.apply.merging import LAST_APPLIED
from validation_gen.uses.recognition import Recognised

BAD_REQUEST, CONFLICT, INVALID = 400, 409, 422


class State(str, enum.Enum):
    """Result of applying an object, in the words of kubectl where it has any."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Applied:
    """An object and the result of applying it.

    Attributes:
        manifest: source of the object.
        state: result of applying it.
        outcome: the server's answer, None for definitions and for objects that are not validated.
        problems: reasons why the whole object is refused, in the server's words, one sentence each.
        warnings: warnings beside those of the outcome.
        by_client: True if kubectl refuses the object before it sends a request.
        by_patch: True if the patched object cannot be decoded; such an error names neither kind nor object.
        recognised: kind found by name, if the object was not validated against its kind.
        sent: the object that was sent: the manifest merged into the old object.
    """

    manifest: Manifest
    state: State
    outcome: Outcome | None = None
    problems: Sequence[str] = ()
    warnings: Sequence[str] = ()
    by_client: bool = False
    by_patch: bool = False
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
        """Object as the server would store it."""
        if self.outcome is not None:
            return self.outcome.object
        if self.state is State.NOT_JUDGED or self.problems:
            return None
        return self.manifest.obj if self.sent is None else self.sent  # type: ignore[no-any-return]  # it is a mapping


@dataclass(frozen=True, slots=True)
class Request:
    """Settings that apply to all objects of a run. Objects without a namespace get `namespace`."""

    field_validation: str = "Strict"
    namespace: str = ""


def undecodable(kind: str, version: str, problems: Sequence[str]) -> list[str]:
    """Returns the server's message for a request that it cannot decode."""
    if not problems:
        return []
    return [f'{kind} in version "{version}" cannot be handled as a {kind}: {_decoding_error(problems)}']


def refuse_patch(
    manifest: Manifest, sent: dict[str, Any], value: Any, problems: Sequence[str], warnings: Sequence[str]
) -> Applied:
    """Returns the refusal of an object that cannot be decoded after the patch. The error shows `value`."""
    text = value if isinstance(value, str) else go_json(as_decoded(value))
    error = FieldError(ErrorType.INVALID, text, _decoding_error(problems), "", "patch")
    outcome = Outcome(INVALID, errors=[error])
    return Applied(manifest, State.REFUSED, outcome, warnings=warnings, by_patch=True, sent=sent)


def _decoding_error(problems: Sequence[str]) -> str:
    slips = [problem for problem in problems if problem.startswith(("unknown field ", "duplicate field "))]
    return f"strict decoding error: {', '.join(slips)}" if slips else problems[0]


def warn_of_missing_annotation(resource: str, name: str, *, known: bool) -> list[str]:
    """Returns kubectl's warning about an object that `kubectl apply` did not create."""
    if known:
        return []
    text = (
        f"resource {resource.partition('.')[0]}/{name} is missing the {LAST_APPLIED} annotation which is required by "
        "kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create "
        "--save-config or kubectl apply. The missing annotation will be patched automatically."
    )
    return [text]
