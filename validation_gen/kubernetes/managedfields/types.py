"""Types of values for merging, made of the OpenAPI schema of a kind.

Sources of the behaviour: `schema/elements.go` of `sigs.k8s.io/structured-merge-diff`, `pkg/schemaconv` of
`k8s.io/kube-openapi`, and `pkg/controller/openapi/builder` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Scalar = Literal["", "numeric", "string", "boolean", "untyped"]


@dataclass(eq=False, slots=True)
class Atom:
    """A type. Several of its parts are set where the schema allows any type."""

    scalar: Scalar = ""
    list: ListType | None = None
    map: MapType | None = None

    def narrowed(self, value: Any) -> Atom:
        """Returns the part of the type that a value has; the whole type for null and values of other types."""
        part: Atom | None = None
        if isinstance(value, dict):
            part = self if self.map is None else Atom(map=self.map)
        elif isinstance(value, list):
            part = self if self.list is None else Atom(list=self.list)
        elif value is not None and self.scalar:
            part = Atom(self.scalar)
        return self if part is None else part


@dataclass(eq=False, slots=True)
class ListType:
    """A list: atomic, or with items that are found by `keys`, or without keys by their values."""

    element: Atom
    associative: bool = False
    keys: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class MapType:
    """A struct or a map.

    Attributes:
        fields: the types of named fields.
        element: the type of all others; None if there may be none.
        atomic: whether it is one value, which is never merged.
        defaults: the defaults of named fields.
    """

    fields: dict[str, Atom] = field(default_factory=dict)
    element: Atom | None = None
    atomic: bool = False
    defaults: dict[str, Any] = field(default_factory=dict)

    def find_type(self, name: str) -> Atom | None:
        """Returns the type of a field, None if there is no such field."""
        return self.fields.get(name, self.element)

    @property
    def is_deduced(self) -> bool:
        """True for an object without named fields whose values may be anything."""
        element = self.element
        return not self.fields and element is not None and element.scalar == "untyped" and element is not UNTYPED


def _make_untyped() -> Atom:
    atom = Atom("untyped")
    atom.list, atom.map = ListType(atom), MapType(element=atom, atomic=True)
    return atom


def _deduce() -> Atom:
    atom = Atom("untyped", ListType(UNTYPED))
    atom.map = MapType(element=atom)
    return atom


#: Anything, as one value.
UNTYPED = _make_untyped()
#: Anything: objects are merged field by field, lists are one value.
DEDUCED = _deduce()

_STRING, _NUMBER, _TIME = Atom("string"), Atom("numeric"), Atom("untyped")
_STRINGS = Atom(map=MapType(element=_STRING))
_OWNER = dict.fromkeys(("apiVersion", "kind", "name", "uid"), _STRING)
_OWNERS = ListType(
    Atom(map=MapType({**_OWNER, "controller": Atom("boolean"), "blockOwnerDeletion": Atom("boolean")}, atomic=True)),
    associative=True,
    keys=("uid",),
)
_MANAGED = dict.fromkeys(("apiVersion", "fieldsType", "manager", "operation", "subresource"), _STRING)
#: `ObjectMeta`.
METADATA = Atom(
    map=MapType(
        {
            **dict.fromkeys(("generateName", "name", "namespace", "resourceVersion", "selfLink", "uid"), _STRING),
            **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), _NUMBER),
            **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _TIME),
            "annotations": _STRINGS,
            "labels": _STRINGS,
            "finalizers": Atom(list=ListType(_STRING, associative=True)),
            "ownerReferences": Atom(list=_OWNERS),
            "managedFields": Atom(list=ListType(Atom(map=MapType({**_MANAGED, "fieldsV1": DEDUCED, "time": _TIME})))),
        }
    )
)
_OBJECT = {"apiVersion": _STRING, "kind": _STRING, "metadata": METADATA}


def make_type(schema: Mapping[str, Any] | None, *, preserves: bool = False) -> Atom:
    """Returns the type of a custom kind's objects.

    Args:
        schema: `openAPIV3Schema` of one version, a structural schema; None without a schema.
        preserves: whether all unknown fields are kept.
    """
    if not schema:
        return Atom(map=MapType(element=DEDUCED))
    found = _read(schema, preserves)
    if found.map is not None:
        found.map.fields.update(_OBJECT)
    return found


def _read(schema: Mapping[str, Any], preserves: bool) -> Atom:
    preserves = preserves or schema.get("x-kubernetes-preserve-unknown-fields") is True
    kind = schema.get("type") or ""
    if kind == "object":
        return Atom(map=_read_map(schema, preserves))
    if kind == "array":
        return Atom(list=_read_list(schema, preserves))
    if kind in ("integer", "number"):
        return _NUMBER
    if kind == "string":
        return _STRING if (schema.get("format") or "") in ("", "byte") else _TIME
    if kind == "boolean":
        return Atom("boolean")
    return Atom("untyped", _read_list(schema, preserves), _read_map(schema, preserves))


def _read_map(schema: Mapping[str, Any], preserves: bool) -> MapType:
    properties = schema.get("properties") or {}
    found = MapType({name: _read(part, preserves) for name, part in properties.items()})
    found.defaults = {name: part["default"] for name, part in properties.items() if part.get("default") is not None}
    found.atomic = schema.get("x-kubernetes-map-type") == "atomic"
    if schema.get("x-kubernetes-embedded-resource") is True:
        found.fields.update(_OBJECT)
    additional = schema.get("additionalProperties")
    if isinstance(additional, Mapping):
        found.element = _read(additional, preserves)
    elif additional is True or (additional is None and (preserves or not found.fields)):
        found.element = DEDUCED
    return found


def _read_list(schema: Mapping[str, Any], preserves: bool) -> ListType:
    items = schema.get("items")
    element = _read(items, preserves) if isinstance(items, Mapping) else UNTYPED
    kind = schema.get("x-kubernetes-list-type")
    keys = tuple(schema.get("x-kubernetes-list-map-keys") or ()) if kind == "map" else ()
    return ListType(element, kind in ("set", "map"), keys)
