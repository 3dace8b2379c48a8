"""pydantic v2, as `TypedDict`s and as models, strict and compiled beforehand.

That items of a list-map differ in their keys is told by a function behind the list's own validation.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, itemgetter
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    create_model,
    with_config,
)
from typing_extensions import NotRequired, TypedDict

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

#: Type checkers want the members of a TypedDict spelt out.
_new: Any = TypedDict
_STRICT = ConfigDict(strict=True, extra="ignore")
_Whole32 = Annotated[int, Field(ge=INT32[0], le=INT32[1])]
_Amount = Annotated[str, Field(pattern=QUANTITY)]


def different(*keys: str, get: Callable[..., Any]) -> Callable[[list[Any]], list[Any]]:
    """A validator that refuses a list with two items of the same keys."""
    key = get(*keys)

    def unique(items: list[Any]) -> list[Any]:
        if len(items) > 1 and len({key(each) for each in items}) != len(items):
            raise ValueError("items must differ in " + ", ".join(keys))
        return items

    return unique


def _type(rule: Rule, made: dict[str, Any], get: Callable[..., Any]) -> Any:
    match rule:
        case Text(values=values) if values:
            return Literal[values]
        case Text(min_length=least, max_length=most, pattern=pattern):
            limited = least is not None or most is not None or pattern is not None
            return Annotated[str, Field(min_length=least, max_length=most, pattern=pattern)] if limited else str
        case Whole(least=least, most=most):
            return Annotated[int, Field(ge=least, le=most)]
        case Truth():
            return bool
        case WholeOrText():
            return Annotated[_Whole32 | str, Field(union_mode="left_to_right")]
        case Amount():
            return Annotated[_Amount | int | float, Field(union_mode="left_to_right")]
        case Anything():
            return Any
        case Items(item=item, least=least, most=most, keys=keys):
            made_of: Any = list[_type(item, made, get)]  # type: ignore[misc]
            if least is not None or most is not None:
                made_of = Annotated[made_of, Field(min_length=least, max_length=most)]
            return Annotated[made_of, AfterValidator(different(*keys, get=get))] if keys else made_of
        case Mapped(value=value):
            return dict[str, _type(value, made, get)]  # type: ignore[misc]
        case Struct(name=name):
            return made[name]


def _typed_dict(kind: Struct) -> Any:
    made: dict[str, Any] = {}
    for struct in structs(kind):
        members = {}
        for name, rule in struct.members.items():
            found = _type(rule, made, itemgetter)
            members[name] = found if name in struct.required else NotRequired[found]
        made[struct.name] = with_config(_STRICT)(_new(struct.name, members))
    return made[kind.name]


def _model(kind: Struct) -> type[BaseModel]:
    made: dict[str, Any] = {}
    for struct in structs(kind):
        members: dict[str, Any] = {}
        for name, rule in struct.members.items():
            # A default is not validated, so that `None` stands for what is absent and is still refused as a value.
            members[name] = (_type(rule, made, attrgetter), ... if name in struct.required else None)
        made[struct.name] = create_model(struct.name, __config__=_STRICT, **members)
    model: type[BaseModel] = made[kind.name]
    return model


def contenders(kind: Struct) -> list[Contender]:
    return [
        typed_dict(kind),
        _contender("pydantic-model", "pydantic v2, BaseModel", _model(kind)),
    ]


def typed_dict(kind: Struct) -> Contender:
    return _contender("pydantic-typeddict", "pydantic v2, TypedDict", _typed_dict(kind))


def _contender(key: str, title: str, cls: Any) -> Contender:
    validate = TypeAdapter(cls).validator.validate_python

    def errors(obj: Any) -> list[str]:
        try:
            validate(obj)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found]
        return []

    return Contender(key, title, "all", errors)
