"""cattrs with the validators of attrs. Types are not coerced; errors are put into words with their paths."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeAlias, get_origin

import attrs
from attrs import validators
from cattrs import Converter, transform_error
from cattrs.cols import list_structure_factory
from cattrs.gen import make_dict_structure_fn, make_mapping_structure_fn

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

_Hook: TypeAlias = Callable[[Any, Any], Any]


class _Whole32OrText:
    """Stands for a rule in annotations."""


class _Amount:
    """Stands for a rule in annotations."""


def _type(rule: Rule, made: dict[str, Any]) -> Any:
    match rule:
        case Text():
            return str
        case Whole():
            return int
        case Truth():
            return bool
        case WholeOrText():
            return _Whole32OrText
        case Amount():
            return _Amount
        case Anything():
            return Any
        case Items(item=item):
            return list[_type(item, made)]  # type: ignore[misc]
        case Mapped(value=value):
            return dict[str, _type(value, made)]  # type: ignore[misc]
        case Struct(name=name):
            return made[name]


def _limits(rule: Rule) -> list[Any]:
    match rule:
        case Text(values=values) if values:
            return [validators.in_(frozenset(values))]
        case Text(min_length=least, max_length=most, pattern=pattern):
            found: list[Any] = [] if least is None else [validators.min_len(least)]
            found += [] if most is None else [validators.max_len(most)]
            return found + ([] if pattern is None else [validators.matches_re(pattern)])
        case Whole(least=least, most=most):
            return [validators.ge(least), validators.le(most)]
        case WholeOrText():
            return [_whole32]
        case Amount():
            text = validators.matches_re(QUANTITY)
            return [validators.or_(validators.instance_of((int, float)), text)]
        case Items(item=item, least=least, most=most, keys=keys):
            found = [] if least is None else [validators.min_len(least)]
            found += [] if most is None else [validators.max_len(most)]
            found += [validators.deep_iterable(each) for each in _limits(item)]
            return found + ([_different(keys)] if keys else [])
        case Mapped(value=value):
            inner = _limits(value)
            return [validators.deep_mapping(validators.instance_of(str), validators.and_(*inner))] if inner else []
    return []


def _whole32(_: Any, attribute: Any, value: Any) -> None:
    if value.__class__ is int and not INT32[0] <= value <= INT32[1]:
        raise ValueError(f"{attribute.name} must be a number of 32 bits")


def _different(keys: tuple[str, ...]) -> Callable[[Any, Any, Any], None]:
    key = attrgetter(*keys)

    def unique(_: Any, attribute: Any, items: Any) -> None:
        if len(items) > 1 and len({key(each) for each in items}) != len(items):
            raise ValueError(f"items of {attribute.name} must differ in {', '.join(keys)}")

    return unique


def _class(kind: Struct) -> Any:
    made: dict[str, Any] = {}
    for struct in structs(kind):
        members = {}
        for name, rule in struct.members.items():
            limits = _limits(rule)
            if name in struct.required:
                members[name] = attrs.field(type=_type(rule, made), validator=limits or None)
            else:
                limit = validators.optional(limits) if limits else None
                members[name] = attrs.field(type=_type(rule, made), validator=limit, default=None)
        made[struct.name] = attrs.make_class(struct.name, members, kw_only=True, slots=True)
    return made[kind.name]


def _exactly(*classes: type) -> _Hook:
    """Takes values of these classes as they are, and refuses others."""
    wanted = frozenset(classes)
    names = " or ".join(each.__name__ for each in classes)

    def take(value: Any, _: Any) -> Any:
        if value.__class__ in wanted:
            return value
        raise TypeError(f"must be {names}")

    return take


def _converter() -> Converter:
    converter = Converter(detailed_validation=True)
    for classes, stands_for in (((str,), str), ((int,), int), ((bool,), bool)):
        converter.register_structure_hook(stands_for, _exactly(*classes))
    converter.register_structure_hook(_Whole32OrText, _exactly(int, str))
    converter.register_structure_hook(_Amount, _exactly(str, int, float))
    inner: tuple[tuple[Callable[[Any], bool], type, Callable[..., Any]], ...] = (
        (attrs.has, dict, make_dict_structure_fn),
        (lambda cls: get_origin(cls) is list, list, list_structure_factory),
        (lambda cls: get_origin(cls) is dict, dict, make_mapping_structure_fn),
    )
    for matches, container, make in inner:
        converter.register_structure_hook_factory(matches, _from(container, make, converter))
    return converter


def _from(
    container: type, make: Callable[..., Any], converter: Converter
) -> Callable[[Any], Callable[[Any, Any], Any]]:
    """A factory of hooks that take this container only; by itself the library takes whatever can be iterated."""

    def factory(cls: Any) -> _Hook:
        inner = make(cls, converter)

        def take(value: Any, _: Any) -> Any:
            if value.__class__ is not container:
                raise TypeError(f"must be a {container.__name__}")
            return inner(value, cls)

        return take

    return factory


def contenders(kind: Struct) -> list[Contender]:
    cls = _class(kind)
    structure = _converter().get_structure_hook(cls)

    def errors(obj: Any) -> list[str]:
        try:
            structure(obj, cls)
        except Exception as error:
            return transform_error(error)
        return []

    return [Contender("cattrs", "cattrs, attrs validators", "all", errors)]
