"""Steps of a request before the validation: decoding, pruning, defaulting, and fields that a client may not set.

Sources of the behaviour: `schemaCoercingDecoder`, `unstructuredSchemaCoercer` and `unstructuredDefaulter` in
`pkg/apiserver/customresource_handler.go`, and the strategies in `pkg/registry/customresource`, of
`k8s.io/apiextensions-apiserver`; `pkg/registry/rest` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.pruning import fill_absent, prune_value, without_nulls
from validation_gen.kubernetes.crd.resource import CoercionError, coerce
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.kinds import Kind, Served
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.native import accept
from validation_gen.runtime.wire import identical

#: Fields that the server sets itself when an object is created.
_WIPED = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
#: Fields that an update never changes.
_KEPT = ("resourceVersion", "creationTimestamp", "generation")


# --- decoding ---------------------------------------------------------------------------------------------------------


def check_type(obj: Any, version: str) -> None:
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


def prune(
    obj: dict[str, Any], schema: Schema | None, *, unknown: list[str] | None = None, lenient: bool = False
) -> dict[str, Any]:
    """Returns a pruned copy of an object, with its metadata in the server's form.

    Without a schema (for an unknown kind) nothing is pruned. `lenient`: for stored objects.

    Raises:
        DecodingError: its metadata, or that of an object within it, cannot be decoded.
    """
    own = obj.get("metadata")
    kept = metadata.decoded(own, unknown=unknown, lenient=lenient) if "metadata" in obj else None
    found = dict(obj)
    if schema is not None:
        lost: list[str] | None = None if unknown is None else []
        found = prune_value(obj, schema, resource=True, unknown=lost)
        if unknown is not None and lost:
            unknown += sorted(lost)
        found = without_nulls(found, schema)
        try:
            found = coerce(found, schema, unknown=unknown, lenient=lenient)
        except CoercionError as problem:
            raise DecodingError(str(problem)) from problem
    for name in ("apiVersion", "kind"):
        if name in obj:
            found[name] = obj[name]
    return found if kept is None else {**found, "metadata": kept}


def set_defaults(obj: dict[str, Any], schema: Schema | None) -> dict[str, Any]:
    """Returns a copy of an object with the defaults of its schema."""
    found: dict[str, Any] = fill_absent(obj, schema) if schema is not None else obj
    return found


# --- fields that a client may not set ---------------------------------------------------------------------------------


def place(meta: dict[str, Any], *, namespaced: bool) -> None:
    """Sets the namespace of the request in the object, or removes it for cluster-scoped ones."""
    if namespaced:
        meta.setdefault("namespace", "default")
    else:
        meta.pop("namespace", None)


def prepare(
    obj: dict[str, Any], old: dict[str, Any] | None, kind: Kind, version: Served, *, is_status: bool = False
) -> None:
    """Prepares an object, in place, for the validation of a create, or of an update of an old object.

    It may share parts with the old object afterwards.
    """
    meta = obj.setdefault("metadata", {})
    place(meta, namespaced=kind.namespaced)
    if old is None:
        metadata.named(meta)
        for name in _WIPED:
            meta.pop(name, None)
        if version.status:
            obj.pop("status", None)
    elif is_status:
        _take_all_but_status(obj, old)
    else:
        _keep(meta, old["metadata"])
        if version.status:
            obj.pop("status", None)
            if "status" in old:
                obj["status"] = old["status"]
        generation = old["metadata"].get("generation")
        if generation and not _are_same(metadata.without_metadata(obj), metadata.without_metadata(old)):
            meta["generation"] = generation + 1


def _are_same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return (accept is not None and accept.same(a, b)) or identical(a, b)


def _take_all_but_status(obj: dict[str, Any], old: dict[str, Any]) -> None:
    kept = {"status": obj["status"]} if "status" in obj else {}
    managers = obj["metadata"].get("managedFields")
    obj.clear()
    obj.update(old)
    obj["metadata"] = dict(old["metadata"])
    obj["metadata"].pop("managedFields", None)
    if managers:
        obj["metadata"]["managedFields"] = managers
    obj.pop("status", None)
    obj.update(kept)


def _keep(meta: dict[str, Any], known: dict[str, Any]) -> None:
    """Restores the metadata that an update cannot change."""
    for name in _KEPT:
        meta.pop(name, None)
        if name in known:
            meta[name] = known[name]
    if not meta.get("uid") and known.get("uid"):
        meta["uid"] = known["uid"]
    if "deletionTimestamp" in known:
        meta["deletionTimestamp"] = known["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in known:
        meta.setdefault("deletionGracePeriodSeconds", known["deletionGracePeriodSeconds"])
