"""Creation of a whole custom resource: defaulting, pruning and validation, also of objects within objects.

It does not run rules of `x-kubernetes-validations`, and sees no other objects of the cluster. Embedded objects
(`x-kubernetes-embedded-resource`) have checks of type, kind and metadata, which need no schema. These follow
`pkg/apiserver/schema/objectmeta` of `k8s.io/apiextensions-apiserver`. Paths are relative to the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.pruning import apply_defaults, list_errors, parts, prune_value
from validation_gen.kubernetes.crd.schema import JsonObject, Schema
from validation_gen.kubernetes.crd.schema_path import SchemaPath, as_decoded, under
from validation_gen.kubernetes.crd.stored_metadata import (
    MetadataError,
    metadata_errors,
    path_segment_messages,
    subdomain_messages,
    to_stored_metadata,
)
from validation_gen.kubernetes.crd.values import judge
from validation_gen.kubernetes.formats import valueformats
from validation_gen.runtime.errors import ErrorType, FieldError

#: Function that yields the errors of metadata, as `metadata_errors` does.
Judge = Callable[..., Iterator[FieldError]]

_MIXED_CASE = "may have mixed case, but should otherwise match: "
_NO_NAME = "fakename"


class CoercionError(Exception):
    """Metadata cannot be decoded."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(str(error))
        self.error = error


def coerce(
    value: Any,
    schema: Schema | None,
    *,
    resource: bool = False,
    unknown: list[str] | None = None,
    lenient: bool = False,
) -> Any:
    """Returns a value in which the metadata of all objects has the server's stored form; it may share parts.

    Appends the paths of fields that metadata does not have to `unknown`. With `lenient`, as for stored objects, fields
    of a wrong type are left out.

    Raises:
        CoercionError: metadata, kind or version of an object have wrong types.
    """
    return _Coercion([] if unknown is None else unknown, lenient).coerce(value, schema, resource, ())


@dataclass(frozen=True, slots=True)
class _Coercion:
    unknown: list[str]
    lenient: bool

    def coerce(self, value: Any, schema: Schema | None, resource: bool, path: tuple[str, ...]) -> Any:
        if schema is None or (schema.settled and not resource):  # such schemas have no objects
            return value
        if isinstance(value, list):
            return [self.coerce(entry, schema.item, False, (f"[{index}]", *path)) for index, entry in enumerate(value)]
        if not isinstance(value, dict):
            return value
        found = {}
        for key, item in value.items():
            if resource or schema.embedded_resource:
                if key in ("apiVersion", "kind") and not isinstance(item, str):
                    if self.lenient:
                        continue
                    raise CoercionError(_invalid(item, "must be a string", f".{key}", *path))
                if key == "metadata":
                    found[key] = self._metadata(item, path)
                    continue
            if key in schema.properties:
                found[key] = self.coerce(item, schema.properties[key], False, (f".{key}", *path))
            elif schema.additional is not None:
                found[key] = self.coerce(item, schema.additional, False, (f"[{key}]", *path))
            else:
                found[key] = item
        return found

    def _metadata(self, value: Any, path: tuple[str, ...]) -> Any:
        if self.lenient and not isinstance(value, dict | None):
            return value
        unknown: list[str] = []
        try:
            found = to_stored_metadata(value, unknown=unknown, lenient=self.lenient)
        except MetadataError as problem:
            raise CoercionError(_invalid(value, str(problem), ".metadata", *path)) from None
        self.unknown.extend("".join((*reversed(path), ".metadata.", name)).removeprefix(".") for name in unknown)
        return found


def _invalid(value: Any, detail: str, *segments: str) -> FieldError:
    return FieldError(ErrorType.INVALID, value, detail, "", *segments)


# --- validation -------------------------------------------------------------------------------------------------------


def check_embedded(
    value: Any, schema: Schema | None, *, resource: bool = False, judge: Judge = metadata_errors
) -> Iterator[FieldError]:
    """Yields the errors of the objects in a coerced value; `resource`: the value is an object itself.

    `judge` yields the errors of their metadata.
    """
    if schema is None or (schema.settled and not resource):
        return
    if isinstance(value, dict) and (resource or schema.embedded_resource):
        yield from _object_errors(value, judge)
    for step, item, part in parts(value, schema):
        yield from under(check_embedded(item, part, judge=judge), step)


def _object_errors(obj: dict[str, Any], judge: Judge) -> Iterator[FieldError]:
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
    messages = valueformats.label_1035(kind.lower()) if isinstance(kind, str) and kind else ()
    if messages:
        yield _invalid(kind, _MIXED_CASE + ",".join(messages), ".kind")
    if "metadata" in obj:
        yield from under(_metadata_errors(obj["metadata"], judge), ".metadata")


def _metadata_errors(metadata: Any, judge: Judge) -> Iterator[FieldError]:
    metadata = as_decoded(metadata)
    problem = next(
        (mistake for mistake in mistakes(metadata, OBJECT_META, SchemaPath("")) if mistake.unknown is None), None
    )
    if problem is not None:
        yield _invalid(metadata, problem.text)
        return
    named = {**(metadata or {})}
    named["name"] = named.get("name") or _NO_NAME
    yield from judge(named, path_segment_messages, namespaced=bool(named.get("namespace")))


def prepare_object(obj: JsonObject, schema: Schema) -> Any:
    """Returns the object that the server validates and stores, without the fields that it sets itself.

    Raises:
        CoercionError: its metadata, or that of an object within it, cannot be decoded.
    """
    filled = apply_defaults(as_decoded(dict(obj)), schema)
    return as_decoded(coerce(prune_value(filled, schema, resource=True), schema, resource=True))


def resource_errors(obj: JsonObject, schema: Schema, *, namespaced: bool = True) -> list[FieldError]:
    """Returns the errors of an object. A missing namespace defaults to the namespace of the request."""
    try:
        ready = prepare_object(obj, schema)
    except CoercionError as problem:
        return [problem.error]
    return errors_of_prepared(ready, schema, namespaced=namespaced)


def errors_of_prepared(ready: Any, schema: Schema, *, namespaced: bool = True) -> list[FieldError]:
    """Returns the errors of an object that `prepare_object` returned."""
    metadata = {**(ready.get("metadata") or {})}
    if namespaced:
        metadata["namespace"] = metadata.get("namespace") or "default"
    errors = [*under(metadata_errors(metadata, subdomain_messages, namespaced=namespaced), ".metadata")]
    errors += [violation.error() for violation in judge(schema, ready)]
    errors += check_embedded(ready, schema)
    errors += list_errors(ready, schema)
    return errors
