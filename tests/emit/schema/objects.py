"""Random objects of the types of a program, near the limits that its checks set, and tame in other ways.

`validation_gen.commands.edgecases` draws wilder ones. At those edges an API server and the validators differ for more
reasons than `tests.emit.schema.normalisations` knows: quantities that are equal but not alike, formats that a server
checks itself.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import random
from collections.abc import Iterator
from typing import Any

from validation_gen.ir import (
    ListOf,
    MapOf,
    PointerTo,
    Program,
    Scalar,
    Shape,
    StructRef,
    TypePlan,
    Wire,
    value_shape,
)

_META = "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta"
_TEXTS = ("", "a", "abc", "my-name", "example.com/name", "Not a name!", "a.b", "x" * 64, "ü")
_WIRES: dict[str, tuple[Any, ...]] = {
    "time": ("2024-05-06T07:08:09Z",),
    "microtime": ("2024-05-06T07:08:09.000001Z",),
    "gotime": ("2024-05-06T07:08:09Z",),
    "duration": ("1h", "5m0s"),
    "quantity": ("1", 1, "500m", "2Gi"),
    "intorstring": (5, "80%"),
    "raw": ({}, {"a": 1}),
    "any": ({"a": 1}, 5, "x", [1]),
}
_FORMATS = {
    "k8s-uuid": "123e4567-e89b-12d3-a456-426614174000",
    "k8s-ip": "10.0.0.1",
    "k8s-extended-resource-name": "example.com/thing",
    "k8s-prefixed-label-key": "example.com/key",
    "k8s-resource-fully-qualified-name": "example.com/c_name",
    "k8s-resource-pool-name": "pool.a/b",
}


@dataclasses.dataclass
class Objects:
    """Draws objects. `depth` limits types inside themselves."""

    program: Program
    random: random.Random
    depth: int = 9

    def __post_init__(self) -> None:
        self._pools = functools.cache(lambda name: dict(self._operands_of_members(name)))

    def root(self, id: str, kind: str, api_version: str) -> dict[str, Any]:
        found = self._struct(id, 0, root=True)
        return {
            **found,
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {"name": self.random.choice(["a", "b-c"])},
        }

    def _struct(self, id: str, depth: int, *, root: bool = False) -> dict[str, Any]:
        if id == _META:
            return {"name": "inner"}
        found: dict[str, Any] = {}
        pools = self._pools(id)
        for member in self.program.structs[id]:
            if root and member.json in ("apiVersion", "kind", "metadata"):
                continue
            if depth < self.depth and self.random.random() < (0.9 if root or depth < 2 else 0.65):
                found[member.json] = self.value(member.shape, pools.get(member.json, ()), depth + 1)
        return found

    def value(self, shape: Shape, pool: tuple[Any, ...] = (), depth: int = 0) -> Any:
        pool = (*pool, *self._of_type(shape))
        shape = value_shape(shape)
        chance = self.random
        match shape:
            case Scalar(go="string"):
                texts = [p for p in pool if isinstance(p, str)]
                if texts and chance.random() < 0.85:
                    return chance.choice([*texts, *texts, ""])
                if lengths := [p for p in pool if isinstance(p, int) and not isinstance(p, bool) and p < 400]:
                    return "x" * max(0, chance.choice(lengths) + chance.choice([-1, 0, 1]))
                return chance.choice(_TEXTS)
            case Scalar(go="bool"):
                return chance.random() < 0.5
            case Scalar(go=go):
                numbers = [p for p in pool if isinstance(p, int) and not isinstance(p, bool)]
                number = chance.choice([*numbers, 0, 1, 5]) + chance.choice([-1, 0, 0, 1])
                return max(0, number) if go.startswith("uint") else number
            case Wire(form=form):
                return chance.choice(_WIRES[form])
            case ListOf(packed=True):
                return chance.choice(["", "AAAA"])
            case ListOf(elem=elem):
                sizes = [p for p in pool if isinstance(p, int) and not isinstance(p, bool) and p < 6]
                size = chance.choice([*sizes, 0, 1, 2, 3])
                return [self.value(elem, pool, depth + 1) for _ in range(max(0, size + chance.choice([0, 0, 1])))]
            case MapOf(elem=elem, key=key):
                keys = [p for p in pool if isinstance(p, str)] or ["k", "example.com/k", "Bad Key"]
                if key.go != "string":
                    keys = ["1", "2"]
                return {chance.choice(keys): self.value(elem, pool, depth + 1) for _ in range(chance.randrange(4))}
            case StructRef(id=id):
                return self._struct(id, depth)

    def changed(self, value: Any, shape: Shape, pool: tuple[Any, ...] = (), depth: int = 0) -> Any:
        """A value with some parts drawn anew, for updates."""
        shape = value_shape(shape)
        if self.random.random() < 0.12 and depth:
            return self.value(shape, pool, depth)
        if isinstance(shape, StructRef) and isinstance(value, dict):
            pools = self._pools(shape.id)
            found = copy.deepcopy(value)
            for member in self.program.structs[shape.id]:
                if depth == 0 and member.json in ("apiVersion", "kind", "metadata"):
                    continue
                own = pools.get(member.json, ())
                if member.json in found:
                    if self.random.random() < 0.1:
                        del found[member.json]
                    else:
                        found[member.json] = self.changed(found[member.json], member.shape, own, depth + 1)
                elif self.random.random() < 0.15 and depth < self.depth:
                    found[member.json] = self.value(member.shape, own, depth + 1)
            return found
        if isinstance(shape, ListOf) and isinstance(value, list):
            items = [self.changed(v, shape.elem, pool, depth + 1) for v in value if self.random.random() < 0.9]
            if self.random.random() < 0.15:
                items.append(self.value(shape.elem, pool, depth + 1))
            return items
        if isinstance(shape, MapOf) and isinstance(value, dict):
            return {
                k: self.changed(v, shape.elem, pool, depth + 1) for k, v in value.items() if self.random.random() < 0.9
            }
        return value

    # --- what the checks speak of -----------------------------------------------------------------------------------

    def _operands_of_members(self, id: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
        plan = self.program.types.get(id)
        for other in self._inlined(plan):
            around = tuple(_operands(other.checks))
            for member in other.fields:
                yield member.json, (*_operands(member.checks), *around)

    def _inlined(self, plan: TypePlan | None) -> Iterator[TypePlan]:
        if plan is None:
            return
        yield plan
        for member in plan.fields:
            shape = value_shape(member.shape)
            if not member.json and isinstance(shape, StructRef):
                yield from self._inlined(self.program.types.get(shape.id))

    def _of_type(self, shape: Shape) -> tuple[Any, ...]:
        """The operands of the checks of the named types on the way into a value."""
        found: list[Any] = []
        while True:
            if isinstance(shape, PointerTo):
                shape = shape.elem
                continue
            plan = self.program.types.get(shape.type)
            if plan is not None and not isinstance(shape, StructRef):
                found += _operands(plan.checks)
            if not isinstance(shape, ListOf | MapOf):
                return tuple(found)
            shape = shape.elem


def _operands(part: object) -> Iterator[Any]:
    """All values that checks compare with, with a valid text for each format."""
    if isinstance(part, str):
        yield _FORMATS.get(part, part)
    elif isinstance(part, int):
        yield part
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _operands(each)
    elif dataclasses.is_dataclass(part):
        for each in dataclasses.fields(part):
            if each.name in (
                "operation",
                "inner",
                "operands",
                "selector",
                "value",
                "participants",
                "discriminator_value",
                "presence",
                "rules",
            ):
                yield from _operands(getattr(part, each.name))
