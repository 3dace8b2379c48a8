"""What a server asks of objects whose kind has no schema here: their metadata, which is the same for all kinds.

Source of the behaviour: `BeforeCreate` in `pkg/registry/rest/create.go` of `k8s.io/apiserver`. It clears the namespace
of objects that are in none, so that nothing is wrong with it.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.builtin import BuiltIn
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome

#: Requests that look like objects, and are never stored: nobody asks for their names.
_REQUESTS = ("authentication.k8s.io", "authorization.k8s.io")


def refusal(kind: BuiltIn, obj: dict[str, Any], *, field_validation: str = "Strict") -> Outcome | None:
    """Why a server refuses an object, whatever else it says; None if its metadata is no reason."""
    if kind.group in _REQUESTS or kind.kind == "Binding":
        return None
    return metadata_refusal(obj, namespaced=kind.namespaced, field_validation=field_validation)


def metadata_refusal(
    obj: dict[str, Any], *, namespaced: bool, custom: bool = False, field_validation: str = "Strict"
) -> Outcome | None:
    """Why a server refuses the metadata of a new object; None if it does not.

    Names of `custom` objects are those of domains; of others a server asks here what holds for all kinds.
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
    asked = metadata.create_errors if custom else metadata.common_errors
    errors = asked(found, namespaced=namespaced)
    return Outcome(422, errors=errors) if errors else None
