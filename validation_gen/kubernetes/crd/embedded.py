"""Objects within objects (`x-kubernetes-embedded-resource`): their type, kind and metadata are judged without a schema.

Follows `pkg/apiserver/schema/objectmeta` of `k8s.io/apiextensions-apiserver`. Paths are relative to the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.objectmeta import metadata_errors, path_segment_messages
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.runtime.errors import ErrorType, FieldError

_MIXED_CASE = "may have mixed case, but should otherwise match: "
_NO_NAME = "fakename"


class CoercionError(Exception):
    """Metadata cannot be decoded."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(str(error))
        self.error = error


def coerced(value: Any, schema: Schema | None, *, resource: bool = False, unknown: list[str] | None = None) -> Any:
    """A copy of a value with the metadata of all objects in it as the server keeps it.

    The paths of fields that metadata does not have are added to `unknown`.

    Raises:
        CoercionError: metadata, kind or version of an object have wrong types.
    """
    return _coerced(value, schema, resource, (), [] if unknown is None else unknown)


def _coerced(value: Any, schema: Schema | None, resource: bool, path: tuple[str, ...], unknown: list[str]) -> Any:
    if schema is None:
        return value
    if isinstance(value, list):
        item = schema.item
        return [_coerced(entry, item, False, (f"[{index}]", *path), unknown) for index, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, item in value.items():
        if resource or schema.embedded_resource:
            if key in ("apiVersion", "kind") and not isinstance(item, str):
                raise CoercionError(_invalid(item, "must be a string", f".{key}", *path))
            if key == "metadata":
                found[key] = _coerced_metadata(item, path, unknown)
                continue
        if key in schema.properties:
            found[key] = _coerced(item, schema.properties[key], False, (f".{key}", *path), unknown)
        elif schema.additional is not None:
            found[key] = _coerced(item, schema.additional, False, (f"[{key}]", *path), unknown)
        else:
            found[key] = item
    return found


def _coerced_metadata(value: Any, path: tuple[str, ...], unknown: list[str]) -> dict[str, Any]:
    for mistake in mistakes(value, OBJECT_META, Place("")):
        if mistake.unknown is None:
            raise CoercionError(_invalid(value, mistake.text, ".metadata", *path))
        unknown.append("".join((*reversed(path), ".metadata", f".{mistake.place}")).removeprefix("."))
    known = OBJECT_META.fields
    return {name: item for name, item in (value or {}).items() if name in known and item not in (None, "", 0, [], {})}


def _invalid(value: Any, detail: str, *segments: str) -> FieldError:
    return FieldError(ErrorType.INVALID, value, detail, "", *segments)


# --- validation -------------------------------------------------------------------------------------------------------


def embedded_errors(value: Any, schema: Schema | None, *, resource: bool = False) -> Iterator[FieldError]:
    """What is wrong with the objects in a value that has been coerced; `resource` says that the value is one itself."""
    if schema is None:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _below(embedded_errors(item, schema.item), f"[{index}]")
    elif isinstance(value, dict):
        if resource or schema.embedded_resource:
            yield from _object_errors(value)
        for key, item in value.items():
            if key in schema.properties:
                yield from _below(embedded_errors(item, schema.properties[key]), f".{key}")
            elif schema.additional is not None:
                yield from _below(embedded_errors(item, schema.additional), f"[{key}]")


def _below(errors: Iterator[FieldError], segment: str) -> Iterator[FieldError]:
    for error in errors:
        error.segments.append(segment)
        yield error


def _object_errors(obj: dict[str, Any]) -> Iterator[FieldError]:
    for name in ("apiVersion", "kind"):
        if name not in obj:
            yield FieldError(ErrorType.REQUIRED, "", "", "", f".{name}")
        elif not isinstance(obj[name], str):
            yield _invalid(obj[name], "must be a string", f".{name}")
        elif not obj[name]:
            yield _invalid(obj[name], "must not be empty", f".{name}")
    version, kind = obj.get("apiVersion"), obj.get("kind")
    if isinstance(version, str) and version.count("/") > 1:
        yield _invalid(version, f"unexpected GroupVersion string: {version}", ".apiVersion")
    messages = dnsnames.label_1035(kind.lower()) if isinstance(kind, str) and kind else ()
    if messages:
        yield _invalid(kind, _MIXED_CASE + ",".join(messages), ".kind")
    if "metadata" in obj:
        yield from _below(_metadata_errors(obj["metadata"]), ".metadata")


def _metadata_errors(metadata: Any) -> Iterator[FieldError]:
    problem = next((mistake for mistake in mistakes(metadata, OBJECT_META, Place("")) if mistake.unknown is None), None)
    if problem is not None:
        yield _invalid(metadata, problem.text)
        return
    named = {**(metadata or {})}
    named["name"] = named.get("name") or _NO_NAME
    yield from metadata_errors(named, path_segment_messages, namespaced=bool(named.get("namespace")))
