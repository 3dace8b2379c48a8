"""Markers for the merging of lists, maps and structs by Server-Side Apply."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.diagnostics import Severity
from validation_gen.rules.markers.base import (
    LISTS,
    OBJECTS,
    TYPE_OR_FIELD,
    Argument,
    MarkerError,
    SchemaMarker,
    SchemaPlace,
    Target,
    Use,
    many,
    one,
)
from validation_gen.rules.markers.keywords import MISFIT
from validation_gen.rules.markers.values import REST, TEXT, ValueType
from validation_gen.tags.suggestions import did_you_mean

LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
PATCH_STRATEGY, PATCH_MERGE_KEY = "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key"
_STRATEGIES = ("merge", "retainKeys", "replace")


def _fit(fits: frozenset[str], place: SchemaPlace, help: str = "") -> None:
    if fits.isdisjoint(place.types):
        # It only affects merges that never happen; Kubernetes' own types have such slips.
        message = f"this is for {many(fits)}, and the value is {one(place.types)}"
        raise MarkerError(message, code=MISFIT, help=help, severity=Severity.WARNING)


def _list_type(use: Use, place: SchemaPlace) -> None:
    _fit(LISTS, place, "write +mapType or +structType" if place.types == OBJECTS else "")
    place.set(LIST_TYPE, use.value, use.name, use.span)


def _list_map_key(use: Use, place: SchemaPlace) -> None:
    _fit(LISTS, place)
    if place.notes.keywords.get(LIST_TYPE) != "map":
        help = "add +listType=map; other lists have no keys"
        raise MarkerError("the list is not a map", code="VG526", help=help)
    if place.item_members and use.value not in place.item_members:
        help = did_you_mean(str(use.value), place.item_members, "name a field of the items as JSON has it")
        raise MarkerError(f'the items have no field "{use.value}"', code=MISFIT, span=use.place(), help=help)
    keys = place.notes.keywords.setdefault(LIST_MAP_KEYS, [])
    place.notes.spans.setdefault(LIST_MAP_KEYS, use.span)
    assert isinstance(keys, list)
    if use.value in keys:
        raise MarkerError(f'"{use.value}" is a key already', code="VG526", severity=Severity.WARNING)
    keys.append(use.value)


def _map_type(use: Use, place: SchemaPlace) -> None:
    _fit(OBJECTS, place, "write +listType=atomic" if place.types == LISTS else "")
    place.set(MAP_TYPE, use.value, use.name, use.span)


def _patch_strategy(use: Use, place: SchemaPlace) -> None:
    for strategy in use.text("").split(","):
        if strategy not in _STRATEGIES:
            help = did_you_mean(strategy, _STRATEGIES, f"it is one of {', '.join(_STRATEGIES)}")
            raise MarkerError(f'"{strategy}" is no strategy', span=use.place(), help=help)
    place.set(PATCH_STRATEGY, use.value, use.name, use.span)


def _patch_merge_key(use: Use, place: SchemaPlace) -> None:
    _fit(LISTS, place)
    place.set(PATCH_MERGE_KEY, use.value, use.name, use.span)


def report_missing_keys(place: SchemaPlace) -> None:
    """Refuses a list of type map, by a marker, without keys."""
    name, span = place.said.get(LIST_TYPE, ("", None))
    keywords = place.notes.keywords
    if span and name == "listType" and keywords[LIST_TYPE] == "map" and not keywords.get(LIST_MAP_KEYS):
        message = f"{place.name}: +listType=map without +listMapKey"
        place.diagnostics.error("VG526", message, span, "name the field that tells items apart: +listMapKey=name")


def _marker(
    name: str,
    doc: str,
    value: str,
    apply: Callable[[Use, SchemaPlace], None],
    *,
    choices: tuple[str, ...] = (),
    order: int = 10,
    targets: frozenset[Target] = TYPE_OR_FIELD,
    type: ValueType = TEXT,
) -> SchemaMarker:
    argument = Argument("", type, "", choices=choices)
    return SchemaMarker(name, targets, doc, f"+{name}={value}", (argument,), order, apply)


_LIST = ("map", "set", "atomic")
_ATOMS = ("granular", "atomic")
_KINDS_OF_LISTS = (
    "How a list is merged: by the keys of its items (`map`), by its items (`set`), or not at all (`atomic`)."
)
_KEYS_OF_LISTS = "A field that tells the items of a list of type `map` apart; it can be repeated."
_FIELD = frozenset({Target.FIELD})

MARKERS = (
    _marker("listType", _KINDS_OF_LISTS, "map", _list_type, choices=_LIST, order=9),
    _marker("listMapKey", _KEYS_OF_LISTS, "name", _list_map_key),
    _marker("mapType", "Whether a map is merged entry by entry or as one.", "atomic", _map_type, choices=_ATOMS),
    _marker("structType", "Whether a struct is merged field by field or as one.", "atomic", _map_type, choices=_ATOMS),
    _marker(
        "patchStrategy",
        "How a strategic merge patch changes the field. Definitions of custom resources have none of it.",
        "merge",
        _patch_strategy,
        targets=_FIELD,
        type=REST,  # several strategies are written with commas
    ),
    _marker(
        "patchMergeKey",
        "The key by which a strategic merge patch merges a list.",
        "name",
        _patch_merge_key,
        targets=_FIELD,
    ),
)
TAGS = (
    _marker("k8s:listType", _KINDS_OF_LISTS, "map", _list_type, choices=_LIST, order=9),
    _marker("k8s:listMapKey", _KEYS_OF_LISTS, "name", _list_map_key),
)
