"""Checks the merge keywords: `x-kubernetes-list-type`, `x-kubernetes-list-map-keys`, `x-kubernetes-map-type`."""

from __future__ import annotations

from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.gotext import go_quote

_LIST, _KEYS, _MAP = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
#: Greatest number of wrong keys of one list that are reported.
_MOST_WRONG = 100
_LIST_TYPES = ("atomic", "set", "map")
_MAP_TYPES = ("atomic", "granular")


def check_lists(schema: Schema, place: Place, report: Report) -> None:
    if schema.map_type is not None:
        _check_type(schema, "object", _MAP, place, report)
        if schema.map_type not in _MAP_TYPES:
            report.not_supported("VG505", place.child(_MAP), schema.map_type, _MAP_TYPES)
    if schema.list_type is not None:
        if schema.type != "array":
            _check_type(schema, "array", _LIST, place, report)
        elif schema.list_type == "set" and schema.item is not None:
            _check_set(schema.item, place.child("items"), report)
        if schema.list_type not in _LIST_TYPES:
            report.not_supported("VG505", place.child(_LIST), schema.list_type, _LIST_TYPES)
    if schema.list_map_keys:
        detail = f"must be map if {_KEYS} is non-empty"
        if schema.list_type is None:
            report.required("VG505", place.child(_LIST), detail, f"add {_LIST}: map")
        elif schema.list_type != "map":
            report.invalid("VG505", place.child(_LIST), schema.list_type, detail, f"write {_LIST}: map")
    if schema.list_type == "map":
        _check_map(schema, place, report)
    if schema.list_type in ("set", "map") and schema.item is not None:
        _check_items(schema, schema.item, place, report)
    if schema.list_type == "set" and schema.item is not None and schema.item.type in ("object", "array"):
        message = f"{_LIST}: set for items of type {go_quote(schema.item.type)} is not supported by server-side apply "
        help = f"write {_LIST}: atomic, or map with {_KEYS}"
        report.warn("VG505", place.child(_LIST), f"{message}or CEL validation rules", help)


def _check_type(schema: Schema, wanted: str, keyword: str, place: Place, report: Report) -> None:
    detail = f"must be {wanted} if {keyword} is specified"
    if not schema.type:
        report.required("VG505", place.child("type"), detail, f"add type: {wanted}")
    elif schema.type != wanted:
        report.invalid("VG505", place.child("type"), schema.type, detail, f"drop {keyword}, or write type: {wanted}")


def _check_set(item: Schema, place: Place, report: Report) -> None:
    """Checks items of a set, which are compared as wholes.

    The server shows the list type of the items in both cases.
    """
    detail = f"must be atomic as item of a list with {_LIST}=set"
    if item.type == "array" and item.list_type not in (None, "atomic"):
        report.invalid("VG505", place.child(_LIST), item.list_type, detail, f"write {_LIST}: atomic for the items")
    elif item.type == "object" and item.map_type != "atomic":
        report.invalid("VG505", place.child(_MAP), item.list_type, detail, f"write {_MAP}: atomic for the items")


def _check_map(schema: Schema, place: Place, report: Report) -> None:
    """Checks a list whose items are identified by keys."""
    keys = place.child(_KEYS)
    if not schema.list_map_keys:
        detail = f"must not be empty if {_LIST} is map"
        report.required("VG505", keys, detail, "name the properties that tell items apart, such as [name]")
    item, inner = schema.item, place.child("items")
    if schema.items is None:
        report.required("VG505", inner, f"must have a schema if {_LIST} is map")
    elif item is None:
        report.invalid("VG505", inner, STRUCTURE, f"must only have a single schema if {_LIST} is map")
    elif item.type != "object":
        detail = f"must be object if parent array's {_LIST} is map"
        report.invalid("VG505", inner.child("type"), item.type, detail, f"drop {_LIST}, or write {_LIST}: set")
    else:
        _check_keys(schema.list_map_keys, item, place, report)


def _check_keys(names: tuple[str, ...], item: Schema, place: Place, report: Report) -> None:
    keys = place.child(_KEYS)
    seen: set[str] = set()
    wrong = 0  # each of these errors lists all keys, as in the server
    for name in names:
        key = item.properties.get(name)
        if wrong >= _MOST_WRONG:
            return
        if key is None:
            wrong += 1
            help = f"add {name} to the properties of the items, or name another key"
            report.invalid("VG505", keys, list(names), "entries must all be names of item properties", help)
        elif key.type in ("array", "object"):
            inner = place.child("items").child("properties").key(name).child("type")
            detail = f"must be a scalar type if parent array's {_LIST} is map"
            report.invalid("VG505", inner, item.type, detail, "name another key")
        if name in seen:
            wrong += 1
            report.invalid("VG505", keys, list(names), "must not contain duplicate entries", f"drop the second {name}")
        seen.add(name)


def _check_items(schema: Schema, item: Schema, place: Place, report: Report) -> None:
    """Forbids null items and missing or null keys, which could not be distinguished."""
    inner = place.child("items")
    if item.nullable:
        detail = f"cannot be nullable when {_LIST} is {schema.list_type}"
        report.forbidden("VG505", inner.child("nullable"), detail, "drop nullable")
    if schema.list_type != "map":
        return
    reason = "this property is in x-kubernetes-list-map-keys, so it"
    required = frozenset(item.required)
    for name in schema.list_map_keys:
        key = item.properties.get(name)
        if key is None:
            continue
        where = inner.child("properties").key(name)
        if name not in required and key.default is None:
            detail = f"{reason} must have a default or be a required property"
            report.required("VG505", where.child("default"), detail, f"add {name} to required of the items")
        if key.nullable:
            report.forbidden("VG505", where.child("nullable"), f"{reason} cannot be nullable", "drop nullable")
