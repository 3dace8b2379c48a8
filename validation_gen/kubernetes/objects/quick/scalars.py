"""Python conditions of scalars that may not fit their schema."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel.compiled import UnsupportedError, Writer
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import RESOURCE, judge
from validation_gen.kubernetes.formats.valueformats import FORMATS, normalized
from validation_gen.kubernetes.goregex import GoRegexError, compiled
from validation_gen.kubernetes.objects.quick.keywords import WHOLE, bounds_of, has_limits, values_of


def doubts(writer: Writer, schema: Schema, name: str) -> str:
    """Returns an expression that is true if the value of a variable may be wrong.

    Raises:
        UnsupportedError: the schema is not one of scalars.
    """
    if schema.int_or_string:
        kinds = f"{name}.__class__ is not str and {_no_integer(name)}"
        is_plain = not (schema.pattern or schema.enum or schema.format or has_limits(schema))
        return kinds if is_plain else f"{kinds} or {_judged(writer, schema, name)}"
    match schema.type:
        case "string":
            return " or ".join(_string(writer, schema, name))
        case "integer":
            return " or ".join(_integer(writer, schema, name))
        case "boolean":
            rest = f" or {_judged(writer, schema, name)}" if schema.enum or schema.format else ""
            return f"{name}.__class__ is not bool{rest}"
        case "number":
            kinds = f"{name}.__class__ is not float and {_no_integer(name)}"
            is_plain = not (schema.enum or schema.format or has_limits(schema))
            return kinds if is_plain else f"{kinds} or {_judged(writer, schema, name)}"
    raise UnsupportedError("no scalar")


def _no_integer(name: str) -> str:
    low, high = WHOLE
    return f"({name}.__class__ is not int or not {low} <= {name} <= {high})"


def _judged(writer: Writer, schema: Schema, name: str) -> str:
    """Returns a call of the exact validation, for rare keywords."""

    def wrong(value: Any) -> bool:
        return bool(judge(schema, value))

    return f"{writer.constant(wrong)}({name})"


def _string(writer: Writer, schema: Schema, name: str) -> list[str]:
    found = [f"{name}.__class__ is not str"]
    if schema.max_length is not None:
        found.append(f"len({name}) > {schema.max_length}")
    if schema.min_length:
        found.append(f"len({name}) < {schema.min_length}")
    if schema.enum:
        allowed = frozenset(each.value for each in schema.enum if isinstance(each.value, str))
        found.append(f"{name} not in {writer.constant(allowed)}")
    if schema.pattern:
        try:
            pattern = compiled(schema.pattern)
        except GoRegexError as error:
            raise UnsupportedError("a pattern that nothing matches") from error
        if pattern.automaton is not None:
            found.append(f"not {writer.constant(pattern.automaton.finds)}({name})")
    format = normalized(RESOURCE.format(schema))
    if format in FORMATS:
        found.append(f"not {writer.constant(FORMATS[format])}({name})")
    return found


def _integer(writer: Writer, schema: Schema, name: str) -> list[str]:
    bounds, values = bounds_of(schema), values_of(schema)
    if bounds is None or values is None:
        return [_no_integer(name), _judged(writer, schema, name)]
    low, high = bounds
    found = [f"{name}.__class__ is not int or not {low} <= {name} <= {high}"]
    return [*found, f"{name} not in {writer.constant(values)}"] if values else found
