"""Shared schemas: one for each type of a document, in the form that API servers publish.

A value of a struct type is a reference to the schema of the type, which has the rules of the type, once. So a field
that is opaque to validation still refers to a schema with the rules: a reference cannot remove them. The names of
Kubernetes' own types are their well-known ones.

Published schemas have zero values as defaults where Go always fills them in. Here defaults are omitted where the schema
itself refuses them: a contradictory document is no valid OpenAPI document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from validation_gen.emit.checkwalk import Gap
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.constrain import Constrainer
from validation_gen.emit.schema.defaults import admits, default_is_valid, drop_refused
from validation_gen.emit.schema.node import Node, ValueRef
from validation_gen.emit.schema.structure import Structure
from validation_gen.ir import ListOf, MapOf, PointerTo, Program, Scalar, Shape, StructRef, Wire, value_shape


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind by the type of its objects.

    `item` is the type of a list's objects, `""` for a kind that is not a list. The program may lack the type of a list:
    the API server has one for each resource.
    """

    type: str
    kind: str
    item: str = ""


GroupVersion = tuple[str, str]


def kinds(program: Program) -> dict[GroupVersion, list[Kind]]:
    """Returns all kinds with their lists, in the order of their names."""
    found: dict[GroupVersion, dict[str, Kind]] = {}
    for package in program.packages.values():
        for root in package.roots:
            if root.resource.skip or not _is_kind(program, root.type) or not program.is_sound(root.type):
                continue
            here = found.setdefault((package.group, package.version), {})
            here[root.type] = Kind(root.type, root.kind)
            if "/" in root.subresources and program.is_resource(root.type):
                name = root.resource.list_kind or f"{root.kind}List"
                list = f"{package.path}.{name}"
                if list not in program.structs or _is_list(program, list, root.type):
                    here.setdefault(list, Kind(list, name, root.type))
    return {key: sorted(here.values(), key=lambda kind: kind.type) for key, here in sorted(found.items())}


def _is_kind(program: Program, type: str) -> bool:
    return {"apiVersion", "kind"} <= set(_names(program, type))


def _is_list(program: Program, type: str, item: str) -> bool:
    """Returns whether a type exists and is a list of another one's objects."""
    if not _is_kind(program, type) or not program.is_sound(type):
        return False
    shapes = {member.json: member.shape for member in program.structs[type]}
    items = value_shape(shapes["items"]) if "items" in shapes else None
    return isinstance(items, ListOf) and value_shape(items.elem) == StructRef(item)


def _names(program: Program, type: str) -> Iterator[str]:
    return (member.json for member in program.structs.get(type, ()))


_REFUSED = re.compile(r"[^A-Za-z0-9._-]")


def component_name(id: str) -> str:
    """`k8s.io/api/core/v1.Pod` as `io.k8s.api.core.v1.Pod`: the domain backwards, dots between all parts."""
    path, _, name = id.rpartition(".")
    first, *rest = path.split("/")
    domain = ".".join(reversed(first.split(".")))
    return _REFUSED.sub("_", ".".join(part for part in (domain, *rest, name) if part))


def component_names(ids: Iterable[str]) -> dict[str, str]:
    """Returns a name for each type.

    Where two types would have the same one, the later one by the alphabet gets a number.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for id in sorted(set(ids)):
        wanted = name = component_name(id)
        number = 2
        while name in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name)
        names[id] = name
    return names


_LIST_META = "k8s.io/apimachinery/pkg/apis/meta/v1.ListMeta"
#: Types that schemas spell out where they are used: Kubernetes has no shared schemas of them.
_SPELT_OUT = frozenset({"time.Time", "encoding/json.RawMessage", "k8s.io/apimachinery/pkg/runtime.Object"})


@dataclass(slots=True)
class Components:
    """The shared schemas of a program, made on demand.

    `prefix` begins references. `wires` are the schemas of types with their own JSON form, by form.
    """

    program: Program
    options: SchemaOptions
    prefix: str
    wires: Mapping[str, Mapping[str, Any]]
    kinds: dict[GroupVersion, list[Kind]] = field(init=False)
    gaps: list[Gap] = field(default_factory=list)
    _forms: dict[str, str] = field(init=False)
    _refs: dict[str, str] = field(init=False)
    _ids: dict[str, str] = field(init=False)
    _built: dict[str, Node] = field(default_factory=dict)
    _finished: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        program = self.program
        self.kinds = kinds(program)
        self._forms = dict(_wires(program))
        lists = (kind.type for each in self.kinds.values() for kind in each)
        names = component_names((*program.structs, *self._forms, *lists, _LIST_META))
        self._refs = {id: self.prefix + name for id, name in names.items()}
        self._ids = {ref: id for id, ref in self._refs.items()}

    def find_schemas(self, key: GroupVersion) -> dict[str, Any]:
        """Returns the schemas of the kinds of a group and version, with the targets of their references, by name."""
        waiting = [kind.type for kind in self.kinds.get(key, ())]
        found: dict[str, Node] = {}
        while waiting:
            id = waiting.pop()
            if id not in found:
                found[id] = self._node(id)
                waiting += [self._ids[node.ref] for node in found[id].nodes() if node.ref]
        return {self._refs[id].removeprefix(self.prefix): found[id].as_json() for id in sorted(found)}

    # --- single schemas ---------------------------------------------------------------------------------------------

    def _node(self, id: str) -> Node:
        node = self._plain(id)
        if id not in self._finished:
            self._finished.add(id)
            for each in node.nodes():
                if self._refuses_default(each):
                    del each.keywords["default"]
            for member in self.program.structs.get(id, ()):
                part = node.properties.get(member.json)
                if part is not None:
                    self._default(part, member.shape, zero=not member.omit)
        return node

    def _plain(self, id: str) -> Node:
        """Returns the schema of a type without the defaults that it has only because of Go."""
        if id not in self._built:
            self._built[id] = self._build(id)
            marks = [
                {"group": group, "kind": kind.kind, "version": version}
                for (group, version), each in self.kinds.items()
                for kind in each
                if kind.type == id
            ]
            if marks:
                self._built[id].keywords["x-kubernetes-group-version-kind"] = marks
        return self._built[id]

    def _build(self, id: str) -> Node:
        structure = Structure(self.program, self.options, refs=self._refs)
        if id in self._forms:
            node = Node(deepcopy(dict(self.wires[self._forms[id]])))
            plan = self.program.types.get(id)
            if plan is not None:
                structure.annotate(node, plan.notes)
            return node
        if id in self.program.structs:
            node = structure.struct(id)
            constrainer = Constrainer(self.program, self.options, self.gaps)
            constrainer.type(id, ValueRef(node, StructRef(id)))
            for _ in drop_refused(node):
                pass
            return node
        if id == _LIST_META:
            return _list_meta()
        return self._list(next(k for each in self.kinds.values() for k in each if k.type == id))

    def _list(self, kind: Kind) -> Node:
        """Returns the list of a resource that the program has no type for. The API server makes one."""
        item = kind.item.rpartition(".")[2]
        node = Node({"description": f"{kind.kind} is a list of {item}.", "type": "object"}, required={"items"})
        items, metadata = Node(ref=self._refs[kind.item]), Node(ref=self._refs[_LIST_META])
        self._default(items, StructRef(kind.item), zero=True)
        self._default(metadata, StructRef(_LIST_META), zero=True)
        node.properties = {
            "apiVersion": Node({"type": "string"}),
            "items": Node({"type": "array"}, items=items),
            "kind": Node({"type": "string"}),
            "metadata": metadata,
        }
        return node

    # --- defaults ---------------------------------------------------------------------------------------------------

    def _default(self, node: Node, shape: Shape, *, zero: bool) -> None:
        """Adds the zero values of non-pointers. `zero` is True if a scalar is written even if it is zero."""
        match shape:
            case PointerTo():
                inner = value_shape(shape)
                if isinstance(inner, ListOf | MapOf):
                    self._default(node, inner, zero=False)
            case Scalar():
                if zero and "default" not in node.keywords and not node.ref and default_is_valid(node, shape.zero):
                    node.keywords["default"] = shape.zero
            case StructRef():
                if node.ref and "default" not in node.keywords and self._takes_nothing(node):
                    node.keywords["default"] = {}
            case ListOf(elem=elem) | MapOf(elem=elem):
                part = node.items or node.values
                if part is not None:
                    self._default(part, elem, zero=True)

    def _refuses_default(self, node: Node) -> bool:
        """Returns whether the target of a reference refuses the default beside it."""
        if not node.ref or "default" not in node.keywords:
            return False
        return not admits(self._plain(self._ids[node.ref]), node.keywords["default"])

    def _takes_nothing(self, node: Node) -> bool:
        """Returns whether an object without members is valid."""
        return default_is_valid(node, {}) and (not node.ref or self._takes_nothing(self._plain(self._ids[node.ref])))


def _list_meta() -> Node:
    """Returns the metadata of lists, for programs without a list."""
    node = Node({"description": "ListMeta is the metadata of a list.", "type": "object"})
    for name in ("continue", "resourceVersion", "selfLink"):
        node.properties[name] = Node({"type": "string"})
    node.properties["remainingItemCount"] = Node({"format": "int64", "type": "integer"})
    return node


def _wires(program: Program) -> Iterator[tuple[str, str]]:
    """Yields the types with a JSON form of their own that get a schema, with their forms."""
    for members in program.structs.values():
        for member in members:
            shape = member.shape
            while isinstance(shape, PointerTo | ListOf | MapOf):
                shape = shape.elem
            if isinstance(shape, Wire) and shape.type and shape.type not in _SPELT_OUT:
                yield shape.type, shape.form
