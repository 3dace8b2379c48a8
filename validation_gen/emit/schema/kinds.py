"""The kinds of a program by group and version, with the lists of their objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validation_gen.ir import ListOf, Program, StructRef, value_shape


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind by the type of its objects.

    `item` is the type of a list's objects, `""` for a kind that is no list. The program may lack the type of a list:
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
