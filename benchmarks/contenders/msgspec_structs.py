"""msgspec: `convert` to structs, strict. It stops at the first error.

What a list-map demands is checked when the struct around the list is made, as lists have no validators of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from benchmarks.contenders.base import Contender
from benchmarks.rules import (
    INT32,
    QUANTITY,
    Amount,
    Anything,
    Items,
    Mapped,
    Rule,
    Struct,
    Text,
    Truth,
    Whole,
    WholeOrText,
    structs,
)

_Whole32 = Annotated[int, Meta(ge=INT32[0], le=INT32[1])]
_Amount = Annotated[str, Meta(pattern=QUANTITY)]


def _type(rule: Rule, made: dict[str, Any]) -> Any:
    match rule:
        case Text(values=values) if values:
            return Literal[values]
        case Text(min_length=least, max_length=most, pattern=pattern):
            limited = least is not None or most is not None or pattern is not None
            return Annotated[str, Meta(min_length=least, max_length=most, pattern=pattern)] if limited else str
        case Whole(least=least, most=most):
            return Annotated[int, Meta(ge=least, le=most)]
        case Truth():
            return bool
        case WholeOrText():
            return _Whole32 | str
        case Amount():
            return _Amount | int | float
        case Anything():
            return Any
        case Items(item=item, least=least, most=most):
            made_of: Any = list[_type(item, made)]  # type: ignore[misc]
            limited = least is not None or most is not None
            return Annotated[made_of, Meta(min_length=least, max_length=most)] if limited else made_of
        case Mapped(value=value):
            return dict[str, _type(value, made)]  # type: ignore[misc]
        case Struct(name=name):
            return made[name]


def _unique(struct: Struct) -> dict[str, Callable[[Any], None]]:
    """The method that looks for duplicates, if a member is a list-map."""
    lists = [
        (name, attrgetter(*rule.keys), ", ".join(rule.keys))
        for name, rule in struct.members.items()
        if isinstance(rule, Items) and rule.keys
    ]
    if not lists:
        return {}

    def post_init(self: Any) -> None:
        for name, key, keys in lists:
            items = getattr(self, name)
            if items is not UNSET and len(items) > 1 and len({key(each) for each in items}) != len(items):
                raise ValueError(f"items of {name} must differ in {keys}")

    return {"__post_init__": post_init}


def _struct(kind: Struct) -> Any:
    made: dict[str, Any] = {}
    for struct in structs(kind):
        members: list[Any] = []
        for name, rule in struct.members.items():
            found = _type(rule, made)
            members.append((name, found) if name in struct.required else (name, found | UnsetType, UNSET))
        made[struct.name] = msgspec.defstruct(struct.name, members, namespace=_unique(struct), kw_only=True)
    return made[kind.name]


def contenders(kind: Struct) -> list[Contender]:
    cls = _struct(kind)
    convert = msgspec.convert

    def errors(obj: Any) -> list[str]:
        try:
            convert(obj, cls)
        except msgspec.ValidationError as error:
            return [str(error)]
        return []

    return [Contender("msgspec", "msgspec.convert", "first", errors)]
