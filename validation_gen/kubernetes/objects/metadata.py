"""`metadata` of custom objects: decoded as the server's struct has it, and judged on updates.

Sources of the behaviour: `pkg/apis/meta/v1/types.go`, `pkg/api/validation/objectmeta.go` of `k8s.io/apimachinery`, and
`pkg/apiserver/schema/objectmeta` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.objectmeta import NameCheck, metadata_errors, path_segment_messages
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.names import label_key
from validation_gen.runtime.wire import WIRE

_TIMES = ("creationTimestamp", "deletionTimestamp")
_OWNER_STRINGS = ("apiVersion", "kind", "name", "uid")
_MANAGED_STRINGS = ("manager", "operation", "apiVersion", "fieldsType", "subresource")
_IMMUTABLE = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
_JUDGED_AGAIN = ("labels", "annotations", "ownerReferences", "managedFields")
#: How much of `generateName` stands in names that are made of it.
_LONGEST_BASE = 58
_STANDARD_FINALIZERS = ("orphan", "foregroundDeletion", "kubernetes")


def decoded(metadata: Any, *, unknown: list[str] | None = None, lenient: bool = False) -> dict[str, Any]:
    """Metadata as the server's struct holds it. Names that it does not have are added to `unknown`.

    With `lenient`, as for objects out of the storage, fields of wrong types are left out.

    Raises:
        DecodingError: a field has a wrong type.
    """
    wrong: set[str] = set()
    for mistake in mistakes(metadata, OBJECT_META, Place("metadata", "metadata")):
        if mistake.unknown is not None:
            if unknown is not None:
                unknown.append(str(mistake.place))
        elif not lenient:
            raise DecodingError(mistake.text)
        elif len(mistake.place.keys) > 1:
            wrong.add(str(mistake.place.keys[1]))
    if not isinstance(metadata, dict):
        return {}
    known = OBJECT_META.fields
    found = {
        name: _FIELDS.get(name, _same)(value) for name, value in metadata.items() if name in known and name not in wrong
    }
    return {name: value for name, value in found.items() if value not in (None, "", 0, [], {})}


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


def named(metadata: dict[str, Any]) -> None:
    """Give a new object that leaves its name to the server one that the server could make: it ends at random there."""
    if metadata.get("generateName") and not metadata.get("name"):
        metadata["name"] = metadata["generateName"][:_LONGEST_BASE] + "xxxxx"


# --- validation -------------------------------------------------------------------------------------------------------


def _below(errors: Iterator[FieldError]) -> Iterator[FieldError]:
    for error in errors:
        error.segments.append(".metadata")
        yield error


def _errors(metadata: dict[str, Any], check_name: NameCheck, *, namespaced: bool = False) -> Iterator[FieldError]:
    """What is wrong with metadata, as a server of 1.36 says it."""
    without_owners = {name: value for name, value in metadata.items() if name != "ownerReferences"}
    yield from metadata_errors(without_owners, check_name, namespaced=namespaced)
    yield from _owner_errors(metadata.get("ownerReferences") or [])


def _owner_errors(owners: list[dict[str, Any]]) -> Iterator[FieldError]:
    """The errors of all owners stand at the list: the index is only told from 1.37 on."""
    controller = ""
    for owner in owners:
        version, kind, name = owner["apiVersion"], owner["kind"], owner["name"]
        group, _, number = version.rpartition("/")
        if "/" in group or not number:
            yield FieldError(
                ErrorType.INVALID, version, "version must not be empty", "", ".apiVersion", ".ownerReferences"
            )
        for field in ("kind", "name", "uid"):
            if not owner[field]:
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


def create_errors(metadata: dict[str, Any], *, namespaced: bool) -> list[FieldError]:
    """What is wrong with the metadata of a new object."""
    return list(_below(_errors(metadata, _name_messages, namespaced=namespaced)))


def _name_messages(name: str, prefix: bool) -> list[str]:
    masked = f"{name[:-2]}a" if prefix and len(name) > 1 and name.endswith("-") else name
    return list(dnsnames.subdomain(masked))


def common_errors(metadata: dict[str, Any], *, namespaced: bool) -> list[FieldError]:
    """What is asked of every object on an update, whatever its kind."""
    return list(_below(_errors(metadata, path_segment_messages, namespaced=namespaced)))


def update_errors(new: dict[str, Any], old: dict[str, Any]) -> list[FieldError]:
    """What an update may not change, and what else is asked of metadata then."""
    return list(_below(_update_errors(new, old)))


def _update_errors(new: dict[str, Any], old: dict[str, Any]) -> Iterator[FieldError]:
    if old.get("deletionTimestamp"):
        added = sorted(set(new.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if added:
            shown = "sets.Set[string]{" + ", ".join(f"{go_quote(name)}:sets.Empty{{}}" for name in added) + "}"
            detail = f"no new finalizers can be added if the object is being deleted, found new finalizers {shown}"
            yield FieldError(ErrorType.FORBIDDEN, "", detail, "", ".finalizers")
    for name in _IMMUTABLE:
        if new.get(name) != old.get(name):
            value = new.get(name)
            if value is None and name in ("name", "namespace", "uid"):
                value = ""
            yield FieldError(ErrorType.INVALID, value, texts.IMMUTABLE, "", f".{name}")
    kept: dict[str, Any] = {name: new[name] for name in _JUDGED_AGAIN if name in new}
    yield from _errors({**kept, "name": "x"}, path_segment_messages)


def finalizer_warnings(new: dict[str, Any], old: dict[str, Any] | None) -> list[str]:
    """Warnings about finalizers that are new, and may meet those of others."""
    known = set((old or {}).get("finalizers") or ())
    found = []
    for name in sorted(set(new.get("finalizers") or ()) - known):
        start = f"metadata.finalizers: {go_quote(name)}: "
        found += [start + message for message in label_key(name)]
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            path = " including a path (/)" if "." in name else ""
            found.append(
                f"{start}prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other "
                "finalizer writers"
            )
    return found
