"""Calls that have a form of their own in Python, for operands whose types are known."""

from __future__ import annotations

import math
from collections.abc import Callable

from validation_gen.kubernetes.cel.compiled.forms import Value, is_plain
from validation_gen.kubernetes.cel.compiled.writer import DoubtError, Writer
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.goregex import GoRegexError, compiled

Quick = Callable[[Writer, list[Value], Type], "Value | None"]
_QUICK: dict[str, Quick] = {}

#: Types whose equality is that of Python.
_COMPARABLE = (Kind.STRING, Kind.INT, Kind.BOOL, Kind.DOUBLE, Kind.BYTES, Kind.TIMESTAMP, Kind.DURATION)
_PER_CHARACTER = 0.1
#: No list and no text is longer.
_LONGEST = 1 << 48


def quick(writer: Writer, overloads: tuple[str, ...], args: list[Value], type: Type) -> Value | None:
    """Returns the Python form of a call; None if it has none."""
    make = _QUICK.get(overloads[0]) if len(overloads) == 1 else None
    return None if make is None else make(writer, args, type)


def _for(*overloads: str) -> Callable[[Quick], Quick]:
    def add(make: Quick) -> Quick:
        _QUICK.update(dict.fromkeys(overloads, make))
        return make

    return add


def count_text(writer: Writer, value: Value, factor: float = _PER_CHARACTER, times: int = 1) -> None:
    """Charges the cost of reading a text."""
    if value.most is not None:
        writer.constant_cost += (math.ceil((value.most + 1) * factor)) * times
    else:
        writer.spend(f"(int(len({value.text}) * {factor}) + 2) * {times}")


def _shorter(left: Value, right: Value) -> Value:
    known = [value for value in (left, right) if value.most is not None]
    return min(known, key=lambda value: value.most or 0) if known else left


# --- comparing --------------------------------------------------------------------------------------------------------


def _compared(operator: str) -> Quick:
    def make(writer: Writer, args: list[Value], type: Type) -> Value | None:
        left, right = args
        if left.kind is not right.kind or left.kind not in _COMPARABLE:
            return None
        if left.kind in (Kind.STRING, Kind.BYTES):
            count_text(writer, _shorter(left, right))
        writer.constant_cost += 1
        texts = [left.text, right.text]
        if left.kind is Kind.DOUBLE and operator not in ("==", "!="):
            texts = [f"{writer.constant(_ordered)}({text})" for text in texts]
        return Value(f"({texts[0]} {operator} {texts[1]})", type)

    return make


def _ordered(value: float) -> float:
    """Returns a number that can be ordered; raises for NaN, with which the rule fails."""
    if math.isnan(value):
        raise DoubtError
    return value


_QUICK |= {"equals": _compared("=="), "not_equals": _compared("!=")}
for _name, _operator in (("less", "<"), ("less_equals", "<="), ("greater", ">"), ("greater_equals", ">=")):
    for _kind in ("int64", "double", "string", "timestamp", "duration"):
        _QUICK[f"{_name}_{_kind}"] = _compared(_operator)


@_for("logical_not")
def _not(writer: Writer, args: list[Value], type: Type) -> Value | None:
    if args[0].kind is not Kind.BOOL:
        return None
    writer.constant_cost += 1
    return Value(f"(not {args[0].text})", type)


# --- sizes and members ------------------------------------------------------------------------------------------------


@_for(*(f"size_{of}" for of in ("string", "list", "map")), *(f"{of}_size" for of in ("string", "list", "map")))
def _size(writer: Writer, args: list[Value], type: Type) -> Value | None:
    writer.constant_cost += 1
    return Value(f"len({args[0].text})", type, most=_LONGEST)


@_for("add_int64")
def _added(writer: Writer, args: list[Value], type: Type) -> Value | None:
    """Translates sums that cannot leave 64 bits, such as those of sizes."""
    left, right = args
    if left.most is None or right.most is None or left.most + right.most >= 1 << 63:
        return None
    writer.constant_cost += 1
    return Value(f"({left.text} + {right.text})", type, most=left.most + right.most)


@_for("in_list")
def _in_list(writer: Writer, args: list[Value], type: Type) -> Value | None:
    item, items = args
    element = items.element or (items.shape.element if items.shape is not None else None)
    if item.kind not in (Kind.STRING, Kind.INT) or items.type.parameters[:1] != (item.type,):
        return None
    if element is not None and not is_plain(element):
        return None
    writer.constant_cost += 1
    if items.constant:
        writer.constant_cost += len(eval(items.text, writer.names))  # noqa: S307 - literals that we have written
        return Value(f"({item.text} in {items.text})", type)
    held = writer.variable(items.text)
    writer.spend(f"len({held})")
    return Value(f"({item.text} in {held})", type)


@_for("in_map")
def _in_map(writer: Writer, args: list[Value], type: Type) -> Value | None:
    key, entries = args
    if key.kind is not Kind.STRING or entries.shape is None or entries.shape.element is None:
        return None
    writer.constant_cost += 1
    return Value(f"({key.text} in {entries.text})", type)


# --- texts ------------------------------------------------------------------------------------------------------------


def _ends(method: str) -> Quick:
    def make(writer: Writer, args: list[Value], type: Type) -> Value:
        count_text(writer, args[0])
        return Value(f"{args[0].text}.{method}({args[1].text})", type)

    return make


_QUICK |= {"starts_with_string": _ends("startswith"), "ends_with_string": _ends("endswith")}


@_for("contains_string")
def _contains(writer: Writer, args: list[Value], type: Type) -> Value | None:
    text, part = args
    if part.most is None:
        return None
    count_text(writer, text, times=math.ceil(part.most * _PER_CHARACTER) + 1)
    return Value(f"({part.text} in {text.text})", type)


@_for("matches_string", "matches")
def _matches(writer: Writer, args: list[Value], type: Type) -> Value | None:
    text, pattern = args
    if not pattern.constant or pattern.most is None:
        return None
    try:
        found = compiled(eval(pattern.text, writer.names))  # noqa: S307 - a literal that we have written
    except GoRegexError:
        return None
    if found.automaton is None:
        return None
    count_text(writer, text, times=math.ceil(pattern.most * 0.25) + 1)
    return Value(f"{writer.constant(found.automaton.finds)}({text.text})", type)


@_for("add_string")
def _joined(writer: Writer, args: list[Value], type: Type) -> Value | None:
    left, right = args
    if left.most is None or right.most is None or left.most + right.most > 1 << 20:
        return None
    most = left.most + right.most
    writer.constant_cost += math.ceil(most * _PER_CHARACTER) + 1
    return Value(f"({left.text} + {right.text})", type, most=most)
