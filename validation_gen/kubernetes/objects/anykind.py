"""Checks of objects without a known schema: their metadata, which is the same for all kinds.

Source of the behaviour: `BeforeCreate` in `pkg/registry/rest/create.go` of `k8s.io/apiserver`. It clears the namespace
of cluster-scoped objects, so that it cannot be wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError

if TYPE_CHECKING:
    from validation_gen.kubernetes.builtin import BuiltIn

_SLIP = re.compile(r'(?:unknown|duplicate) field "(?P<path>.*)"', re.DOTALL)
#: Groups of requests that look like objects, and are never stored: their names are not checked.
_REQUESTS = ("authentication.k8s.io", "authorization.k8s.io")


def refusal(kind: BuiltIn, obj: dict[str, Any], *, field_validation: str = "Strict") -> Outcome | None:
    """Returns the refusal of an object because of its metadata; None if there is no error."""
    if kind.group in _REQUESTS or kind.kind == "Binding":
        return None
    return metadata_refusal(obj, namespaced=kind.namespaced, field_validation=field_validation)


def metadata_refusal(
    obj: dict[str, Any], *, namespaced: bool, custom: bool = False, field_validation: str = "Strict"
) -> Outcome | None:
    """Returns the refusal of the metadata of a new object; None if there is no error.

    Names of `custom` objects are DNS names; for others only the rule for all kinds is checked.
    """
    unknown: list[str] = []
    try:
        found = metadata.decoded(obj.get("metadata"), unknown=unknown)
    except DecodingError as problem:
        return Outcome(400, problems=[str(problem)])
    slips = [f'unknown field "{path}"' for path in dict.fromkeys(unknown)]
    if slips and field_validation == "Strict":
        return Outcome(400, problems=slips)
    if namespaced:
        found.setdefault("namespace", "default")
    else:
        found.pop("namespace", None)
    metadata.named(found)
    check = metadata.create_errors if custom else metadata.common_errors
    errors = check(found, namespaced=namespaced)
    return Outcome(422, errors=errors) if errors else None


def metadata_errors(obj: dict[str, Any], api_version: str, namespaced: bool, is_update: bool) -> list[FieldError]:
    """Returns the errors for which a server refuses the metadata of an object; generated packages call it.

    On an update only the rule for all kinds is checked for the name: it cannot change, and was accepted before.
    """
    group = api_version.rpartition("/")[0]
    is_custom = "." in group and not group.endswith(".k8s.io")
    outcome = metadata_refusal(obj, namespaced=namespaced, custom=is_custom and not is_update)
    return [] if outcome is None else [*outcome.errors, *map(decoding_error, outcome.problems)]


def decoding_error(problem: str) -> FieldError:
    """Returns a decoding problem as an error, at the field that it names."""
    match = _SLIP.fullmatch(problem)
    if match is None:
        return FieldError(ErrorType.INVALID, OMITTED, problem)
    return FieldError(ErrorType.INVALID, OMITTED, f"strict decoding error: {problem}", "", f".{match['path']}")
