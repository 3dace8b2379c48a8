"""Flattens a chain of tags: each tag with the path, the conditions and the level from the surrounding tags.

`+k8s:ifEnabled(X)=+k8s:eachVal=+k8s:minimum=1` is a minimum of the items, under a condition. Rules about tags compare
tags of the same value, so they look at links and not at lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from validation_gen.rules.registry import catalogue, in_order
from validation_gen.sources.model import Field, List, Map, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import Tag, ValueType

ITEMS, KEYS = "[(vals)]", "[(keys)]"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on requests under which a tag applies.

    `subject` is `option NAME`, whose `state` is `on` or `off`, or `mode MODALITY` with the name of a mode.
    """

    subject: str
    state: str


@dataclass(frozen=True, slots=True)
class Link:
    """One tag of a chain.

    `line` is the outermost tag of the chain and `outer` the link around this one. `place` leads from the declaration to
    the tagged value: `()` is the declared value itself, `("[(vals)]", ".name")` a member of its items. `type` is the
    type of that value, `None` when there is no such value, and `field` its declaration when it is a member. `level` is
    `"k8s:alpha"`, `"k8s:beta"` or `""`.
    """

    tag: Tag
    line: Tag
    type: TypeExpr | None
    field: Field | None = None
    outer: Link | None = None
    place: tuple[str, ...] = ()
    conditions: frozenset[Condition] = frozenset()
    level: str = ""

    @property
    def name(self) -> str:
        return self.tag.name

    @property
    def in_items(self) -> bool:
        return ITEMS in self.place


def links(types: TypeSystem, tags: Iterable[Tag], type: TypeExpr, field: Field | None) -> Iterator[Link]:
    """The links of all chains of a declaration, in upstream's order of evaluation, each chain from outside inwards."""
    for line in in_order(tags):
        link = Link(line, line, type, field)
        yield link
        while link.tag.payload is not None:
            inside = _STEPS.get(link.name, _nowhere)(types, link)
            link = replace(inside, tag=link.tag.payload, outer=link)
            yield link


def is_wrapper(name: str) -> bool:
    """Returns whether a tag only modifies the tag chained to it: its value, conditions or level."""
    rule = catalogue().get(name)
    return rule is not None and rule.payload is not None and rule.payload.type is ValueType.TAG


def together(one: Link, other: Link) -> bool:
    """Returns whether one of two tags applies in every request in which the other applies."""
    return one.conditions <= other.conditions or other.conditions <= one.conditions


def apply_together(one: Link, other: Link) -> bool:
    """Returns whether two tags always apply to the same value together, with the same effect."""
    return (one.place, one.conditions, one.level) == (other.place, other.conditions, other.level)


# --- effects of wrappers ---------------------------------------------------------------------------------------------


def _nowhere(_types: TypeSystem, link: Link) -> Link:
    return link


def _items(types: TypeSystem, link: Link) -> Link:
    container = _native(types, link)
    elem = container.elem if isinstance(container, List | Map) else None
    return replace(link, place=(*link.place, ITEMS), type=elem, field=None)


def _keys(types: TypeSystem, link: Link) -> Link:
    container = _native(types, link)
    return replace(
        link, place=(*link.place, KEYS), type=container.key if isinstance(container, Map) else None, field=None
    )


def _member(types: TypeSystem, link: Link) -> Link:
    name = link.tag.argument()
    member = types.member(link.type, name) if link.type is not None else None
    return replace(link, place=(*link.place, f".{name}"), type=member.type if member else None, field=member)


def _item(types: TypeSystem, link: Link) -> Link:
    container = _native(types, link)
    elem = types.value(container.elem) if isinstance(container, List) else None
    selector = ", ".join(sorted(f"{arg.name}: {arg.value}" for arg in link.tag.args))
    return replace(link, place=(*link.place, f"[{{{selector}}}]"), type=elem, field=None)


def _native(types: TypeSystem, link: Link) -> TypeExpr | None:
    return None if link.type is None else types.value(link.type)


def _option(state: str) -> Callable[[TypeSystem, Link], Link]:
    def step(_types: TypeSystem, link: Link) -> Link:
        return _under(link, Condition(f"option {link.tag.argument()}", state))

    return step


def _mode(_types: TypeSystem, link: Link) -> Link:
    mode = link.tag.argument("mode") or link.tag.argument()
    return _under(link, Condition(f"mode {link.tag.argument('modality')}", mode))


def _under(link: Link, condition: Condition) -> Link:
    return replace(link, conditions=link.conditions | {condition})


def _level(_types: TypeSystem, link: Link) -> Link:
    return replace(link, level=link.level or link.name)


_STEPS: dict[str, Callable[[TypeSystem, Link], Link]] = {
    "k8s:alpha": _level,
    "k8s:beta": _level,
    "k8s:eachKey": _keys,
    "k8s:eachVal": _items,
    "k8s:ifDisabled": _option("off"),
    "k8s:ifEnabled": _option("on"),
    "k8s:ifMode": _mode,
    "k8s:item": _item,
    "k8s:subfield": _member,
}
