"""Decoding of a custom object before validation: pruning, dropping nulls and defaulting.

Source of the behaviour: `schemaCoercingDecoder`, `unstructuredSchemaCoercer` and `unstructuredDefaulter` in
`pkg/apiserver/customresource_handler.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.defaulting import filled, without_nulls
from validation_gen.kubernetes.crd.embedded import CoercionError, coerced
from validation_gen.kubernetes.crd.pruning import pruned
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_json


def checked_type(obj: Any, version: str) -> None:
    """Checks that a request has a kind and the API version.

    Raises:
        DecodingError: with the server's text.
    """
    if not isinstance(obj, dict):
        kind = {list: "array", str: "string", bool: "bool", type(None): "null"}.get(type(obj), "number")
        target = (
            'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
        )
        raise DecodingError(
            f"couldn't get version/kind; json parse error: json: cannot unmarshal {kind} into Go value of type {target}"
        )
    for name in ("apiVersion", "kind"):
        value = obj.get(name)
        if value is not None and not isinstance(value, str):
            kind = {list: "array", dict: "object", bool: "bool"}.get(type(value), "number")
            target = f"Go struct field .{name} of type string"
            raise DecodingError(
                f"couldn't get version/kind; json parse error: json: cannot unmarshal {kind} into {target}"
            )
    if not obj.get("kind"):
        raise DecodingError(f"Object 'Kind' is missing in '{go_json(obj)}'")
    for name in ("kind", "apiVersion"):
        if name in obj and obj[name] is None:
            raise DecodingError(f".{name} accessor error: <nil> is of the type <nil>, expected string")
    found = obj.get("apiVersion") or ""
    if found != version:
        raise DecodingError(
            f"the API version in the data ({found}) does not match the expected API version ({version})"
        )


def applied(
    obj: dict[str, Any], schema: Schema | None, *, unknown: list[str] | None = None, lenient: bool = False
) -> dict[str, Any]:
    """Returns a pruned copy of an object, with its metadata in the server's form.

    Without a schema, as for another kind, nothing is pruned. `lenient` is for stored objects.

    Raises:
        DecodingError: its metadata, or that of an object within it, cannot be decoded.
    """
    own = obj.get("metadata")
    kept = metadata.decoded(own, unknown=unknown, lenient=lenient) if "metadata" in obj else None
    found = dict(obj)
    if schema is not None:
        found = pruned(obj, schema, resource=True, unknown=unknown)
        found = without_nulls(found, schema)
        try:
            found = coerced(found, schema, unknown=unknown, lenient=lenient)
        except CoercionError as problem:
            raise DecodingError(str(problem)) from problem
    for name in ("apiVersion", "kind"):
        if name in obj:
            found[name] = obj[name]
    return found if kept is None else {**found, "metadata": kept}


def defaulted(obj: dict[str, Any], schema: Schema | None) -> dict[str, Any]:
    """Returns a copy of an object with the defaults of its schema."""
    found: dict[str, Any] = filled(obj, schema) if schema is not None else obj
    return found
