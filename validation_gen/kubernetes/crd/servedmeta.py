"""Checks `metadata` in the words of a server of 1.36. Those of 1.37 and later are in `objectmeta`.

Source of the behaviour: `pkg/api/validation/objectmeta.go` and `pkg/apis/meta/v1/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.crd.objectmeta import NameCheck, managed_errors, metadata_errors
from validation_gen.runtime.errors import ErrorType, FieldError

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.schema import JsonObject


_OPERATIONS = ("Apply", "Update")
_CHANGED = ("ownerReferences", "managedFields")


def served_errors(metadata: JsonObject, check_name: NameCheck, *, namespaced: bool = False) -> Iterator[FieldError]:
    """Yields the errors of metadata whose types are right."""
    unchanged = {name: value for name, value in metadata.items() if name not in _CHANGED}
    yield from metadata_errors(unchanged, check_name, namespaced=namespaced)
    yield from _owners([owner or {} for owner in metadata.get("ownerReferences") or ()])
    for index, entry in enumerate(metadata.get("managedFields") or ()):
        yield from _managed(entry or {}, (f"[{index}]", ".managedFields"))


def _owners(owners: list[dict[str, Any]]) -> Iterator[FieldError]:
    """Yields the errors of owners, all with the path of the list."""
    controller = ""
    for owner in owners:
        version, kind, name, uid = (owner.get(field) or "" for field in ("apiVersion", "kind", "name", "uid"))
        group, _, number = version.rpartition("/")
        if "/" in group or not number:
            yield FieldError(
                ErrorType.INVALID, version, "version must not be empty", "", ".apiVersion", ".ownerReferences"
            )
        for field, value in (("kind", kind), ("name", name), ("uid", uid)):
            if not value:
                yield FieldError(ErrorType.INVALID, "", "must not be empty", "", f".{field}", ".ownerReferences")
        if (version, kind) == ("v1", "Event"):
            detail = "/v1, Kind=Event is disallowed from being an owner"
            yield FieldError(ErrorType.INVALID, owner, detail, "", ".ownerReferences")
        if owner.get("controller"):
            current = f"{kind}/{name}"
            if controller:
                detail = "Only one reference can have Controller set to true. Found "
                detail += f'"true" in references for {controller} and {current}'
                yield FieldError(ErrorType.INVALID, owners, detail, "", ".ownerReferences")
            else:
                controller = current


def _managed(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if operation not in _OPERATIONS:
        yield FieldError(ErrorType.INVALID, operation, "must be `Apply` or `Update`", "", ".operation", *segments)
    yield from managed_errors(entry, segments)
