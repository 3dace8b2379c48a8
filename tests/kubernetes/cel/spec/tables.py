"""The tests of a checkout as data: what is run, in which environment, and what has to come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.kubernetes.cel.spec.textproto import Message, message
from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.declarations import Function, Overload
from validation_gen.kubernetes.cel.entries import Entries
from validation_gen.kubernetes.cel.types import Type
from validation_gen.kubernetes.cel.values import Duration, Timestamp, TypeValue, Uint

#: What no rule can call, by the names of files: servers are built without these libraries.
OTHER_LIBRARIES = frozenset(("bindings_ext", "block_ext", "encoders_ext", "math_ext"))
#: What is written in expressions that make messages, or read enums and extensions of messages.
_MESSAGES = re.compile(
    r"\b[A-Z]\w+\s*\{|TestAllTypes|GlobalEnum|google\.protobuf\.(?!Timestamp\b|Duration\b)|proto\.(has|get)Ext"
)


class NeedsMessagesError(Exception):
    """A test that is about messages of protobuf, which no rule of a definition has."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `wanted` is None where an error has to come out; `type` where the type of the result is not told."""

    name: str
    text: str
    checks: bool
    runs: bool
    wanted: Any
    type: Type | None
    container: str
    values: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Type] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tables:
    """All tests of a checkout.

    `cases` are those that can run, `refused` the texts of those that call what servers do not have, by their names.
    `messages` are the names of those that need messages of protobuf.
    """

    cases: list[Case] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)


@cache
def tables(root: Path) -> Tables:
    found = Tables()
    for name, test in _tests(root):
        if name.partition("/")[0] in OTHER_LIBRARIES:
            found.refused[name] = _text(test, "expr")
            continue
        try:
            found.cases.append(_case(name, test))
        except NeedsMessagesError:
            found.messages.append(name)
    return found


def _tests(root: Path) -> Iterator[tuple[str, Message]]:
    for path in sorted(root.glob("*.textproto")):
        for section in message(path.read_text()).get("section", ()):
            for test in section["test"]:
                yield f"{path.stem}/{_text(section, 'name')}/{_text(test, 'name')}", test


def _case(name: str, test: Message) -> Case:
    text = _text(test, "expr")
    if _MESSAGES.search(text):
        raise NeedsMessagesError
    typed = test.get("typed_result", [{}])[0]
    declared = [(_text(each, "name"), each) for each in test.get("type_env", ())]
    return Case(
        name,
        text,
        checks=test.get("disable_check") != ["true"],
        runs=test.get("check_only") != ["true"],
        wanted=_wanted(test, typed),
        type=type_of(typed["deduced_type"][0]) if "deduced_type" in typed else None,
        container=_text(test, "container"),
        values={_text(each, "key"): value_of(each["value"][0]["value"][0]) for each in test.get("bindings", ())},
        variables={name: type_of(each["ident"][0]["type"][0]) for name, each in declared if "ident" in each},
        functions={name: _function(name, each["function"][0]) for name, each in declared if "function" in each},
    )


def _wanted(test: Message, typed: Message) -> Any:
    if "value" in test:
        return kept(value_of(test["value"][0]))
    if "result" in typed:
        return kept(value_of(typed["result"][0]))
    return None if "eval_error" in test or "any_eval_errors" in test or typed else kept(True)


def _text(found: Message, name: str) -> str:
    return bytes(found.get(name, [b""])[0]).decode()


def _only(found: Message) -> tuple[str, Any]:
    """The only field of a message, and its value."""
    ((name, (value,)),) = found.items()
    return name, value


# --- values -----------------------------------------------------------------------------------------------------------


def value_of(found: Message) -> Any:
    """A value of our evaluator for a message `Value`."""
    kind, value = _only(found)
    match kind:
        case "int64_value":
            return int(value, 0)
        case "uint64_value":
            return Uint(int(value, 0))
        case "double_value":
            return float(value)
        case "string_value":
            return value.decode()
        case "bool_value":
            return value == "true"
        case "bytes_value":
            return value
        case "null_value":
            return None
        case "type_value":
            return TypeValue(value.decode())
        case "list_value":
            return [value_of(each) for each in value.get("values", ())]
        case "map_value":
            pairs = [(value_of(each["key"][0]), value_of(each["value"][0])) for each in value.get("entries", ())]
            return Entries(pairs)
        case "object_value":
            return _well_known(*_only(value))
    raise NeedsMessagesError


def _well_known(name: str, value: Message) -> Any:
    made = {"Timestamp": Timestamp, "Duration": Duration}.get(name.rpartition(".")[2].rstrip("]"))
    if made is None:
        raise NeedsMessagesError
    seconds, nanoseconds = (int(value.get(part, ["0"])[0]) for part in ("seconds", "nanos"))
    return made(seconds * 10**9 + nanoseconds)


def kept(value: Any) -> Any:
    """A value with its type, so that `1`, `1u`, `1.0` and `true` differ; those that are equal are the same."""
    if isinstance(value, list | tuple):
        return ("list", [kept(each) for each in value])
    if isinstance(value, Mapping):
        return ("map", sorted(((kept(key), kept(each)) for key, each in value.items()), key=repr))
    if isinstance(value, float):
        return ("double", "NaN" if value != value else repr(value))  # noqa: PLR0124 - NaN
    return (type(value).__name__, value)


# --- types ------------------------------------------------------------------------------------------------------------

_PRIMITIVES = {
    "BOOL": types.BOOL,
    "BYTES": types.BYTES,
    "DOUBLE": types.DOUBLE,
    "INT64": types.INT,
    "STRING": types.STRING,
    "UINT64": types.UINT,
}
_WELL_KNOWN = {"ANY": types.ANY, "DURATION": types.DURATION, "TIMESTAMP": types.TIMESTAMP}
_MESSAGE_TYPES = {f"google.protobuf.{name.title()}".encode(): type for name, type in _WELL_KNOWN.items()}


def type_of(found: Message) -> Type:
    """A type of our checker for a message `Type`."""
    kind, value = _only(found)
    match kind:
        case "primitive":
            return _PRIMITIVES[value]
        case "well_known":
            return _WELL_KNOWN[value]
        case "message_type" if value in _MESSAGE_TYPES:
            return _MESSAGE_TYPES[value]
        case "null":
            return types.NULL
        case "dyn":
            return types.DYN
        case "type":
            return types.type_type(type_of(value) if value else types.DYN)
        case "type_param":
            return types.parameter(value.decode())
        case "list_type":
            return types.list_type(type_of(value["elem_type"][0]) if value else types.DYN)
        case "map_type":
            parts = [value.get(part, [{"dyn": [{}]}])[0] for part in ("key_type", "value_type")]
            return types.map_type(*map(type_of, parts))
        case "abstract_type":
            return types.opaque(_text(value, "name"), *map(type_of, value.get("parameter_types", ())))
    raise NeedsMessagesError


def _function(name: str, found: Message) -> Function:
    overloads = []
    for each in found["overloads"]:
        arguments = tuple(map(type_of, each.get("params", ())))
        method = each.get("is_instance_function") == ["true"]
        parameters = tuple(sorted(set().union(*map(_parameters, arguments))))
        result = type_of(each["result_type"][0])
        overloads.append(Overload(_text(each, "overload_id"), arguments, result, method, 0, None, parameters))
    return Function(name, tuple(overloads))


def _parameters(type: Type) -> set[str]:
    return {type.name} if type.kind is types.Kind.PARAM else set().union(*map(_parameters, type.parameters))
