"""`metadata` after a round trip through ObjectMeta, without empty fields, and its checks as in a server of 1.36.

Those of 1.37 and later are in `objectmeta`. Source of the behaviour: `GetObjectMetaWithOptions` in
`pkg/apiserver/schema/objectmeta` of `k8s.io/apiextensions-apiserver`, which writes metadata as JSON and reads that, so
that 1.0 is an integer; `pkg/api/validation/objectmeta.go` and `pkg/apis/meta/v1/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.objectmeta import NameCheck, managed_errors, metadata_errors
from validation_gen.kubernetes.crd.schema_path import SchemaPath, as_written
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.wire import WIRE

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.schema import JsonObject


_OWNER_STRINGS = ("apiVersion", "kind", "name", "uid")
_MANAGED_STRINGS = ("manager", "operation", "apiVersion", "fieldsType", "subresource")
#: A pointer in Go, so 0 is not empty.
_POINTER = "deletionGracePeriodSeconds"


class MetadataError(Exception):
    """A field of metadata has a wrong type."""


def to_stored_metadata(metadata: Any, *, unknown: list[str] | None = None, lenient: bool = False) -> dict[str, Any]:
    """Returns metadata in the server's form. Appends the paths of unknown fields, relative to metadata, to `unknown`.

    With `lenient`, as for stored objects, fields of wrong types are left out.

    Raises:
        MetadataError: a field has a wrong type.
    """
    metadata = as_written(metadata)
    wrong: set[str] = set()
    for mistake in mistakes(metadata, OBJECT_META, SchemaPath("")):
        if mistake.unknown is not None:
            if unknown is not None:
                unknown.append(str(mistake.place))
        elif not lenient:
            raise MetadataError(mistake.text)
        elif mistake.place.keys:
            wrong.add(str(mistake.place.keys[0]))
    if not isinstance(metadata, dict):
        return {}
    known = OBJECT_META.fields
    found = {
        name: _FIELDS.get(name, _same)(value) for name, value in metadata.items() if name in known and name not in wrong
    }
    return {
        name: value
        for name, value in found.items()
        if value not in (None, "", 0, [], {}) or (name == _POINTER and value is not None)
    }


def _same(value: Any) -> Any:
    return value


def _strings(value: Any) -> Any:
    return [item or "" for item in value or ()]


def _string_map(value: Any) -> Any:
    return {name: item or "" for name, item in (value or {}).items()}


def _time(value: Any) -> Any:
    return WIRE["time"].write(value) if value is not None else None


def _owners(value: Any) -> Any:
    return [_owner(item or {}) for item in value or ()]


def _owner(value: dict[str, Any]) -> dict[str, Any]:
    found = {name: value.get(name) or "" for name in _OWNER_STRINGS}
    flags = {name: value[name] for name in ("controller", "blockOwnerDeletion") if value.get(name) is not None}
    return {**found, **flags}


def _managed(value: Any) -> Any:
    return [_managed_entry(item or {}) for item in value or ()]


def _managed_entry(value: dict[str, Any]) -> dict[str, Any]:
    found = {name: value[name] for name in _MANAGED_STRINGS if value.get(name)}
    for name in ("time", "fieldsV1"):
        if value.get(name) is not None:
            found[name] = value[name]
    return found


_FIELDS = {
    "labels": _string_map,
    "annotations": _string_map,
    "finalizers": _strings,
    "ownerReferences": _owners,
    "managedFields": _managed,
    "creationTimestamp": _time,
    "deletionTimestamp": _time,
}


_OPERATIONS = ("Apply", "Update")
_CHANGED = ("ownerReferences", "managedFields")


def served_errors(metadata: JsonObject, check_name: NameCheck, *, namespaced: bool = False) -> Iterator[FieldError]:
    """Yields the errors of metadata whose types are right."""
    unchanged = {name: value for name, value in metadata.items() if name not in _CHANGED}
    yield from metadata_errors(unchanged, check_name, namespaced=namespaced)
    yield from _owner_errors([owner or {} for owner in metadata.get("ownerReferences") or ()])
    for index, entry in enumerate(metadata.get("managedFields") or ()):
        yield from _managed_errors(entry or {}, (f"[{index}]", ".managedFields"))


def _owner_errors(owners: list[dict[str, Any]]) -> Iterator[FieldError]:
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


def _managed_errors(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if operation not in _OPERATIONS:
        yield FieldError(ErrorType.INVALID, operation, "must be `Apply` or `Update`", "", ".operation", *segments)
    yield from managed_errors(entry, segments)
