"""Type assignability, and the bindings of type parameters that it needs.

Bindings map the name of a parameter to a type. Each check works on a copy that replaces the bindings only on success,
so that a failed attempt leaves no trace.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.kubernetes.cel.types import DYN, Kind, Type, list_of, map_of, opaque, type_of

Bindings = dict[str, Type]

_DYNAMIC = (Kind.DYN, Kind.ANY)
_DYNAMIC_OR_ERROR = (Kind.DYN, Kind.ANY, Kind.ERROR)
_NULLABLE = (Kind.OPAQUE, Kind.OBJECT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP)
_CONTAINERS = (Kind.OPAQUE, Kind.LIST, Kind.MAP)


def assigned(bindings: Bindings, given: Sequence[Type], demanded: Sequence[Type]) -> Bindings | None:
    """Returns the bindings with which each given type fits the demanded one, None if they do not fit."""
    if len(given) != len(demanded):
        return None
    attempt = bindings.copy()
    return attempt if _all_fit(attempt, given, demanded) else None


def _all_fit(bindings: Bindings, given: Sequence[Type], demanded: Sequence[Type]) -> bool:
    return len(given) == len(demanded) and all(_fits(bindings, g, d) for g, d in zip(given, demanded, strict=True))


def _fits(bindings: Bindings, given: Type, demanded: Type) -> bool:
    if demanded.kind is Kind.PARAM:
        valid, bound = _substitutes(bindings, given, demanded)
        if valid:
            return True
        if bound:
            return False
    if given.kind is Kind.PARAM:
        return _substitutes(bindings, demanded, given)[0]
    if given.kind in _DYNAMIC_OR_ERROR or demanded.kind in _DYNAMIC_OR_ERROR:
        return True
    if given.kind is Kind.NULL:
        return _takes_null(demanded)
    if demanded.kind is Kind.NULL:
        return _takes_null(given)
    if given.kind in _CONTAINERS:
        same = given.kind is demanded.kind and given.name == demanded.name
        return same and _all_fit(bindings, given.parameters, demanded.parameters)
    if given.kind is Kind.TYPE:
        return demanded.kind is Kind.TYPE
    return given.kind is demanded.kind and given.name == demanded.name


def _takes_null(type: Type) -> bool:
    return type.kind in _NULLABLE or type.kind is Kind.NULL or type.nullable


def _substitutes(bindings: Bindings, type: Type, param: Type) -> tuple[bool, bool]:
    """Returns whether the parameter can be the type, and whether it was bound before."""
    if type.kind is param.kind and type == param:
        return True, True
    if (bound := bindings.get(param.name)) is not None:
        if type.kind is bound.kind and type == bound:
            return True, True
        if not _fits(bindings, type, bound):
            return False, True
        general = most_general(type, bound)
        if not _occurs(bindings, param, general):
            bindings[param.name] = general
        return True, True
    if _occurs(bindings, param, type):
        return False, False
    bindings[param.name] = type
    return True, False


def most_general(first: Type, second: Type) -> Type:
    """Returns the more general of two types that fit each other."""
    return first if _at_least_as_general(first, second) else second


def _at_least_as_general(first: Type, second: Type) -> bool:
    if first.kind in _DYNAMIC or first.kind is Kind.PARAM:
        return True
    if second.kind in _DYNAMIC or second.kind is Kind.PARAM or first.kind is not second.kind:
        return False
    if first.kind is Kind.TYPE:
        return True
    if first.kind in _CONTAINERS:
        if first.name != second.name or len(first.parameters) != len(second.parameters):
            return False
        pairs = zip(first.parameters, second.parameters, strict=True)
        return all(_at_least_as_general(mine, other) for mine, other in pairs)
    return first == second


def _occurs(bindings: Bindings, param: Type, within: Type) -> bool:
    """Returns whether a type is or contains a parameter, which then cannot be bound to it."""
    if param == within:
        return True
    if within.kind is Kind.PARAM:
        bound = bindings.get(within.name)
        return bound is not None and _occurs(bindings, param, bound)
    return within.open and any(_occurs(bindings, param, inner) for inner in within.parameters)


def substituted(bindings: Bindings, type: Type, *, closed: bool = False) -> Type:
    """Replaces bound parameters of a type; if `closed`, free ones become `dyn`."""
    if not type.open:
        return type
    if type.kind is Kind.PARAM:
        if (bound := bindings.get(type.name)) is not None:
            return substituted(bindings, bound, closed=closed)
        return DYN if closed else type
    inner = [substituted(bindings, parameter, closed=closed) for parameter in type.parameters]
    if type.kind is Kind.LIST:
        return list_of(inner[0])
    if type.kind is Kind.MAP:
        return map_of(inner[0], inner[1])
    return type_of(inner[0]) if type.kind is Kind.TYPE else opaque(type.name, *inner)
