"""Replacements for a tag that does not fit its type. Rules with better advice give it themselves."""

from __future__ import annotations

from validation_gen.sources.model import List, Map, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import Tag

#: Equivalent limits of different types.
_LIMITS = {
    "string": ("k8s:minLength", "k8s:maxLength"),
    "list": ("k8s:minItems", "k8s:maxItems"),
    "map": ("k8s:minProperties", "k8s:maxProperties"),
    "number": ("k8s:minimum", "k8s:maximum"),
}
_BYTES = {"k8s:minBytes": "k8s:minLength", "k8s:maxBytes": "k8s:maxLength"}
_OF_LISTS = ("k8s:listType", "k8s:listMapKey", "k8s:unique", "k8s:item")


def alternative(types: TypeSystem, type: TypeExpr, tag: Tag) -> str:
    """Returns one sentence: the equivalent tag for such a type, or the right place of this tag.

    `""` if nothing is known.
    """
    kind = _kind(types, type)
    name = _BYTES.get(tag.name, tag.name)
    for limits in _LIMITS.values():
        if name in limits and kind and (other := _LIMITS[kind][limits.index(name)]) != tag.name:
            return f"for a {kind} there is +{other}"
    if tag.name in ("k8s:eachVal", "k8s:eachKey") and tag.payload is not None:
        if kind == "list":
            return f"a list has no keys; for its items there is +k8s:eachVal=+{tag.payload.name}"
        return f"write what holds for the value itself: +{tag.payload.name}"
    if tag.name in _OF_LISTS:
        return f"remove it, as a {kind} has no items" if kind else "remove it, as only lists have items"
    if kind == "list" and tag.name in ("k8s:format", "k8s:enum"):
        return f"for the items of a list write +k8s:eachVal=+{tag.name}"
    return "`validation-gen explain " + tag.name.removeprefix("k8s:") + "` tells where it can stand"


def _kind(types: TypeSystem, type: TypeExpr) -> str:
    value = types.value(type)
    if isinstance(value, List):
        return "list"
    if isinstance(value, Map):
        return "map"
    if types.is_string(type):
        return "string"
    return "number" if types.is_integer(type) else ""
