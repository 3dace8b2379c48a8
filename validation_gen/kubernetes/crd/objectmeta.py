"""Checks `metadata` of any object as the API server does when the object is created.

Errors have paths relative to the metadata. Source of the behaviour: `pkg/api/validation/objectmeta.go` and
`pkg/apis/meta/v1/validation` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.formats import dnsnames
from validation_gen.runtime import names, texts
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.schema import JsonObject


#: Limit of all annotations of an object together, names and values.
ANNOTATIONS_MAX_BYTES = 256 * 1024
_MANAGER_MAX_BYTES = 128
_SUBRESOURCE_MAX_BYTES = 256
_OPERATIONS = ("Apply", "Update")
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
        yield from (_invalid(namespace, message, ".namespace") for message in dnsnames.label(namespace))
    generation = metadata.get("generation") or 0
    if generation < 0:
        yield _invalid(generation, texts.at_least(0), ".generation")
    yield from _labels(metadata.get("labels") or {})
    yield from _annotations(metadata.get("annotations") or {})
    yield from _owners([owner or {} for owner in metadata.get("ownerReferences") or ()])
    yield from _finalizers([finalizer or "" for finalizer in metadata.get("finalizers") or ()])
    for index, entry in enumerate(metadata.get("managedFields") or ()):
        yield from _managed(entry or {}, (f"[{index}]", ".managedFields"))


def path_segment_messages(name: str, prefix: bool) -> list[str]:
    """Returns the errors of a path segment, which is all that the name of an embedded object must be."""
    messages = names.path_segment(name)
    return [message for message in messages if "contain" in message] if prefix else list(messages)


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


def _owners(owners: list[JsonObject]) -> Iterator[FieldError]:
    controller = ""
    for index, owner in enumerate(owners):
        segments = (f"[{index}]", ".ownerReferences")
        version = owner.get("apiVersion") or ""
        parts = ["", ""] if version == "/" else version.rsplit("/", 1)
        if not version:
            yield FieldError(ErrorType.REQUIRED, "", "must not be empty", "", ".apiVersion", *segments)
        elif version.count("/") > 1 or not parts[-1]:
            yield _invalid(version, "must be <group>/<version> or <version>", ".apiVersion", *segments)
        for name in ("kind", "name", "uid"):
            if not owner.get(name):
                yield FieldError(ErrorType.REQUIRED, "", "must not be empty", "", f".{name}", *segments)
        if (version, owner.get("kind")) == ("v1", "Event"):
            yield _invalid(owner, "/v1, Kind=Event is disallowed from being an owner", *segments)
        if owner.get("controller"):
            current = f"{owner.get('kind') or ''}/{owner.get('name') or ''}"
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


def _managed(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if not operation:
        yield FieldError(ErrorType.REQUIRED, "", "must not be empty", "", ".operation", *segments)
    elif operation not in _OPERATIONS:
        yield FieldError(ErrorType.NOT_SUPPORTED, operation, texts.supported(_OPERATIONS), "", ".operation", *segments)
    yield from managed_errors(entry, segments)


def managed_errors(entry: JsonObject, segments: tuple[str, ...]) -> Iterator[FieldError]:
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
