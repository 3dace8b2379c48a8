"""`metadata` after a round trip through ObjectMeta, without empty fields.

Source of the behaviour: `GetObjectMetaWithOptions` in `pkg/apiserver/schema/objectmeta` of
`k8s.io/apiextensions-apiserver`. It writes metadata as JSON and reads that, so that 1.0 is an integer.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.place import Place, as_written
from validation_gen.runtime.wire import WIRE

_OWNER_STRINGS = ("apiVersion", "kind", "name", "uid")
_MANAGED_STRINGS = ("manager", "operation", "apiVersion", "fieldsType", "subresource")
#: A pointer in Go, so 0 is not empty.
_POINTER = "deletionGracePeriodSeconds"


class MetadataError(Exception):
    """A field of metadata has a wrong type."""


def kept(metadata: Any, *, unknown: list[str] | None = None, lenient: bool = False) -> dict[str, Any]:
    """Returns metadata in the server's form. Appends the paths of unknown fields, relative to metadata, to `unknown`.

    With `lenient`, as for stored objects, fields of wrong types are left out.

    Raises:
        MetadataError: a field has a wrong type.
    """
    metadata = as_written(metadata)
    wrong: set[str] = set()
    for mistake in mistakes(metadata, OBJECT_META, Place("")):
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
