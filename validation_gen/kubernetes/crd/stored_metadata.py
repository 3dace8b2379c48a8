"""Checks `metadata` of any object as the API server does on create, and makes it as it is after a round trip.

Errors have paths relative to the metadata. Checks are those of 1.37, and, of stored metadata, those of 1.36. A round
trip goes through ObjectMeta, without empty fields: `GetObjectMetaWithOptions` in `pkg/apiserver/schema/objectmeta` of
`k8s.io/apiextensions-apiserver` writes metadata as JSON and reads that, so that 1.0 is an integer. Sources of the
checks: `pkg/api/validation/objectmeta.go` and `pkg/apis/meta/v1/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.schema_path import SchemaPath, as_written
from validation_gen.kubernetes.formats import valueformats
from validation_gen.runtime import names, texts
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.wire import WIRE

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.schema import JsonObject


#: Limit of all annotations of an object together, names and values.
ANNOTATIONS_MAX_BYTES = 256 * 1024
_MANAGER_MAX_BYTES = 128
_SUBRESOURCE_MAX_BYTES = 256
_CONTRADICTION = ("orphan", "foregroundDeletion")

#: Returns the errors of a name; the flag marks a prefix of a generated name.
NameCheck = Callable[[str, bool], list[str]]


def metadata_errors(metadata: JsonObject, check_name: NameCheck, *, namespaced: bool = False) -> Iterator[FieldError]:
    """Yields the errors of metadata whose types are right."""
    name, generated = metadata.get("name") or "", metadata.get("generateName") or ""
    if generated:
        yield from (_invalid(generated, message, ".generateName") for message in check_name(generated, True))
    if not name:
        yield FieldError(ErrorType.REQUIRED, "", "name or generateName is required", "", ".name")
    yield from (_invalid(name, message, ".name") for message in (check_name(name, False) if name else ()))
    if namespaced:
        namespace = metadata.get("namespace") or ""
        yield from (_invalid(namespace, message, ".namespace") for message in valueformats.label(namespace))
    generation = metadata.get("generation") or 0
    if generation < 0:
        yield _invalid(generation, texts.at_least(0), ".generation")
    yield from _labels(metadata.get("labels") or {})
    yield from _annotations(metadata.get("annotations") or {})
    yield from _owners([owner or {} for owner in metadata.get("ownerReferences") or ()])
    yield from _finalizers([finalizer or "" for finalizer in metadata.get("finalizers") or ()])
    for index, entry in enumerate(metadata.get("managedFields") or ()):
        yield from _check_managed(entry or {}, (f"[{index}]", ".managedFields"))


def path_segment_messages(name: str, prefix: bool) -> list[str]:
    """Returns the errors of a path segment. The name of an embedded object has no other rules."""
    messages = names.path_segment(name)
    return [message for message in messages if "contain" in message] if prefix else list(messages)


def subdomain_messages(name: str, prefix: bool) -> list[str]:
    """Returns the errors of a name that is a subdomain, or of a prefix of generated names."""
    return list(valueformats.subdomain(mask_prefix(name) if prefix else name))


def mask_prefix(name: str) -> str:
    """Returns a prefix of generated names as a name: one that ends in a dash gets a letter as its end."""
    return f"{name[:-2]}a" if len(name) > 1 and name.endswith("-") else name


def _invalid(value: Any, detail: str, *segments: str) -> FieldError:
    return FieldError(ErrorType.INVALID, value, detail, "", *segments)


def _labels(labels: JsonObject) -> Iterator[FieldError]:
    for key, value in labels.items():
        yield from (_invalid(key, message, ".labels") for message in names.label_key(key))
        yield from (_invalid(value or "", message, ".labels") for message in names.label_value(value or ""))


def _annotations(annotations: JsonObject) -> Iterator[FieldError]:
    for key in annotations:
        yield from (_invalid(key, message, ".annotations") for message in names.label_key(key.lower()))
    if annotations_size(annotations) > ANNOTATIONS_MAX_BYTES:
        yield _too_long(ANNOTATIONS_MAX_BYTES, ".annotations")


def annotations_size(annotations: JsonObject) -> int:
    """Returns the bytes that count against the limit."""
    return sum(names.byte_count(key) + names.byte_count(value or "") for key, value in annotations.items())


def _owners(owners: list[JsonObject], *, served: bool = False) -> Iterator[FieldError]:
    """Yields the errors of owners. In `served` metadata they have the path of the list."""
    controller = ""
    for index, owner in enumerate(owners):
        segments = (".ownerReferences",) if served else (f"[{index}]", ".ownerReferences")
        version, kind, name, uid = (owner.get(field) or "" for field in ("apiVersion", "kind", "name", "uid"))
        group, _, number = version.rpartition("/")
        if not version and not served:
            yield FieldError(ErrorType.REQUIRED, "", "must not be empty", "", ".apiVersion", *segments)
        elif "/" in group or not number:
            detail = "version must not be empty" if served else "must be <group>/<version> or <version>"
            yield _invalid(version, detail, ".apiVersion", *segments)
        for field, value in (("kind", kind), ("name", name), ("uid", uid)):
            if not value:
                type = ErrorType.INVALID if served else ErrorType.REQUIRED
                yield FieldError(type, "", "must not be empty", "", f".{field}", *segments)
        if (version, kind) == ("v1", "Event"):
            yield _invalid(owner, "/v1, Kind=Event is disallowed from being an owner", *segments)
        if owner.get("controller"):
            current = f"{kind}/{name}"
            if controller:
                detail = "Only one reference can have Controller set to true. Found "
                detail += f'"true" in references for {controller} and {current}'
                yield _invalid(owners, detail, ".ownerReferences")
            else:
                controller = current


def _finalizers(finalizers: list[str]) -> Iterator[FieldError]:
    for finalizer in finalizers:
        yield from (_invalid(finalizer, message, ".finalizers") for message in names.label_key(finalizer))
    if all(finalizer in finalizers for finalizer in _CONTRADICTION):
        detail = "finalizer orphan and foregroundDeletion cannot be both set"
        yield _invalid(finalizers, detail, ".finalizers")


def _check_managed(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if not operation:
        yield FieldError(ErrorType.REQUIRED, "", "must not be empty", "", ".operation", *segments)
    elif operation not in _OPERATIONS:
        yield FieldError(ErrorType.NOT_SUPPORTED, operation, texts.supported(_OPERATIONS), "", ".operation", *segments)
    yield from check_managed_entry(entry, segments)


def check_managed_entry(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    """Yields the errors of an entry of `managedFields` whose operation is right."""
    type, manager = (entry.get(name) or "" for name in ("fieldsType", "manager"))
    if type not in ("", "FieldsV1"):
        yield _invalid(type, "must be `FieldsV1`", ".fieldsType", *segments)
    if names.byte_count(manager) > _MANAGER_MAX_BYTES:
        yield _too_long(_MANAGER_MAX_BYTES, ".manager", *segments)
    for position, character in enumerate(manager):
        if not character.isprintable():
            detail = f"invalid character U+{ord(character):04X} (at position {names.byte_count(manager[:position])})"
            yield _invalid(manager, detail, ".manager", *segments)
    if names.byte_count(entry.get("subresource") or "") > _SUBRESOURCE_MAX_BYTES:
        yield _too_long(_SUBRESOURCE_MAX_BYTES, ".subresource", *segments)


def _too_long(limit: int, *segments: str) -> FieldError:
    return FieldError(ErrorType.TOO_LONG, OMITTED, texts.too_long(limit), "", *segments)


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


def _store_owners(value: Any) -> Any:
    return [_owner(item or {}) for item in value or ()]


def _owner(value: dict[str, Any]) -> dict[str, Any]:
    found = {name: value.get(name) or "" for name in _OWNER_STRINGS}
    flags = {name: value[name] for name in ("controller", "blockOwnerDeletion") if value.get(name) is not None}
    return {**found, **flags}


def _store_managed(value: Any) -> Any:
    return [_store_managed_entry(item or {}) for item in value or ()]


def _store_managed_entry(value: dict[str, Any]) -> dict[str, Any]:
    found = {name: value[name] for name in _MANAGED_STRINGS if value.get(name)}
    for name in ("time", "fieldsV1"):
        if value.get(name) is not None:
            found[name] = value[name]
    return found


_FIELDS = {
    "labels": _string_map,
    "annotations": _string_map,
    "finalizers": _strings,
    "ownerReferences": _store_owners,
    "managedFields": _store_managed,
    "creationTimestamp": _time,
    "deletionTimestamp": _time,
}


_OPERATIONS = ("Apply", "Update")
_CHANGED = ("ownerReferences", "managedFields")


def check_metadata(metadata: JsonObject, check_name: NameCheck, *, namespaced: bool = False) -> Iterator[FieldError]:
    """Yields the errors of metadata whose types are right."""
    unchanged = {name: value for name, value in metadata.items() if name not in _CHANGED}
    yield from metadata_errors(unchanged, check_name, namespaced=namespaced)
    yield from _owners([owner or {} for owner in metadata.get("ownerReferences") or ()], served=True)
    for index, entry in enumerate(metadata.get("managedFields") or ()):
        yield from _check_managed_fields(entry or {}, (f"[{index}]", ".managedFields"))


def _check_managed_fields(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if operation not in _OPERATIONS:
        yield FieldError(ErrorType.INVALID, operation, "must be `Apply` or `Update`", "", ".operation", *segments)
    yield from check_managed_entry(entry, segments)
