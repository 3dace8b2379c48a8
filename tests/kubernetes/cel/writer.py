"""Random schemas, and random rules of the right types for them: by the declared overloads, and by the macros."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from typing import Any

from tests.kubernetes.cel.samples import spell_call
from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.declarations import Overload, functions
from validation_gen.kubernetes.cel.types import Kind, Type

Schema = dict[str, Any]

_NAMES = ["a", "b", "cc", "name", "x-y", "p.q", "__u", "namespace", "in", "for", "a/b"]
_SIMPLE = (types.STRING, types.INT, types.BOOL, types.list_type(types.STRING), types.list_type(types.INT))
_LITERALS = {
    Kind.STRING: ["'a'", "''", "'hello'", "r'x+'", '"q\\"t"', "'é'"],
    Kind.INT: ["0", "1", "7", "-3"],
    Kind.UINT: ["3u"],
    Kind.DOUBLE: ["1.5", "2.0e3"],
    Kind.BOOL: ["true", "false"],
    Kind.BYTES: ["b'xy'"],
    Kind.DURATION: ["duration('1h')"],
    Kind.TIMESTAMP: ["timestamp('2020-01-01T00:00:00Z')"],
    Kind.DYN: ["dyn('a')", "dyn(1)"],
    Kind.TYPE: ["int", "string"],
}
_OBJECTS = {
    types.URL: "url('/a')",
    types.QUANTITY: "quantity('1Mi')",
    types.SEMVER: "semver('1.2.3')",
    types.FORMAT: "format.dns1123Label()",
    types.IP: "ip('::1')",
    types.CIDR: "cidr('10.0.0.0/8')",
}


def random_schema(random: random.Random, depth: int = 0) -> Schema:
    """A structural schema of a property."""

    def limited(schema: Schema, keyword: str, *limits: int) -> Schema:
        return {**schema, keyword: random.choice(limits)} if random.random() < 0.6 else schema

    match random.choice("siiobxddeplmmrrr" if depth < 3 else "siobxe"):
        case "s":
            return limited({"type": "string"}, "maxLength", 0, 1, 10, 63, 253, 1024)
        case "i":
            return {"type": "integer"}
        case "o":
            return {"type": random.choice(["number", "boolean"])}
        case "b":
            return {"type": "string", "format": random.choice(["byte", "date", "date-time", "duration", "uuid"])}
        case "x":
            return limited({"x-kubernetes-int-or-string": True}, "maxLength", 7)
        case "d":
            return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        case "e":
            return {"type": "string", "enum": random.sample(["a", "bb", "ccc", "ddé"], 2)}
        case "p":
            return {"type": "object", "x-kubernetes-embedded-resource": True, "properties": _properties(random, depth)}
        case "l":
            items = {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}
            kept = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
            return limited({"type": "array", "items": items, **kept}, "maxItems", 3, 100)
        case "m":
            if random.random() < 0.4:
                values = random_schema(random, depth + 1)
                return limited({"type": "object", "additionalProperties": values}, "maxProperties", 0, 3, 100)
            return limited({"type": "array", "items": random_schema(random, depth + 1)}, "maxItems", 0, 1, 3, 16, 1000)
    properties = _properties(random, depth)
    required = random.sample(sorted(properties), random.randint(0, len(properties)))
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _properties(random: random.Random, depth: int) -> dict[str, Schema]:
    return {name: random_schema(random, depth + 1) for name in random.sample(_NAMES, random.randint(1, 5))}


@functools.cache
def _fitting(type: Type) -> dict[str, list[tuple[Overload, dict[str, Type]]]]:
    """Returns the overloads that can have a result of a type by function, and what their parameters are then."""
    found: dict[str, list[tuple[Overload, dict[str, Type]]]] = {}
    for name, function in sorted(functions().items()):
        if "@" in name.replace("@in", "") or name == "_?._":
            continue
        for overload in function.overloads:
            if overload.result.kind in (type.kind, Kind.PARAM):
                bindings = types.find_bindings({}, [overload.result], [type])
                if bindings is not None:
                    found.setdefault(name, []).append((overload, bindings))
    return found


class Writer:
    """Writes expressions about `self` and `oldSelf` of a type."""

    def __init__(self, random: random.Random, type: Type, objects: Mapping[str, Mapping[str, Type]]) -> None:
        self._random = random
        self._objects = objects
        self._variables = [("self", type), ("oldSelf", type)]
        self._left = random.choice([4, 10, 25, 50])

    def expression(self, type: Type) -> str:
        """An expression of a type."""
        self._left -= 1
        chance = self._random.random()
        if self._left < 0 or chance < 0.25:
            return (self._path_to(type) if chance < 0.18 else None) or self._literal(type)
        if chance < 0.5:
            return self._macro(type) or self._call(type)
        return self._call(type)

    # --- leaves -------------------------------------------------------------------------------------------------------

    def _path(self) -> tuple[str, Type]:
        text, type = self._random.choice(self._variables)
        for _ in range(self._random.randint(0, 4)):
            fields = self._objects.get(type.name)
            if fields and (usable := sorted(set(fields) - {"in"})):
                field = self._random.choice(usable)
                text, type = f"{text}.{field}", fields[field]
            elif type.kind is Kind.LIST:
                text, type = f"{text}[0]", type.parameters[0]
            elif type.kind is Kind.MAP and type.parameters[0] == types.STRING:
                text, type = text + self._random.choice(["['k']", ".k"]), type.parameters[1]
        return text, type

    def _path_to(self, type: Type) -> str | None:
        found = (self._path() for _ in range(15))
        return next((text for text, its_type in found if its_type == type), None)

    def _literal(self, type: Type) -> str:
        if type in _OBJECTS:
            return _OBJECTS[type]
        if type.kind is Kind.LIST:
            count = self._random.randint(0, 2) if self._left > -20 else 0
            return f"[{', '.join(self.expression(type.parameters[0]) for _ in range(count))}]"
        if type.kind is Kind.MAP:
            key, value = type.parameters
            return f"{{{self._literal(key)}: {self.expression(value)}}}" if self._left > -20 else "{}"
        if type.kind is Kind.OPAQUE:
            return f"optional.of({self._literal(type.parameters[0])})"
        return self._random.choice(_LITERALS.get(type.kind, ["null"]))

    # --- calls --------------------------------------------------------------------------------------------------------

    def _call(self, type: Type) -> str:
        fitting = _fitting(type)
        if not fitting:
            return self._literal(type)
        name = self._random.choice(list(fitting))
        overload, found = self._random.choice(fitting[name])
        bindings = dict(found)
        for parameter in overload.parameters:
            is_key = any(f"map({parameter}, " in str(argument) for argument in overload.args)
            bindings.setdefault(parameter, self._random.choice(_SIMPLE[:3]) if is_key else self._some_type())
        return self._written(name, overload, [types.substitute(bindings, each) for each in overload.args])

    def _some_type(self) -> Type:
        return self._random.choice([*_SIMPLE, self._path()[1]])

    def _written(self, name: str, overload: Overload, demanded: list[Type]) -> str:
        if any("authorization" in type.name for type in demanded):
            return "true"
        args = [self.expression(type) for type in demanded]
        return spell_call(name, overload, args)

    # --- macros -------------------------------------------------------------------------------------------------------

    def _macro(self, type: Type) -> str | None:
        range_, range_type = self._path()
        if range_type.kind not in (Kind.LIST, Kind.MAP):
            range_type = types.list_type(self._random.choice([types.STRING, types.INT]))
            range_ = self._literal(range_type)
        first, second = self._random.sample(["x", "y", "z", "k"], 2)
        is_list = range_type.kind is Kind.LIST
        one = [(first, range_type.parameters[0])]
        two = [(first, types.INT if is_list else range_type.parameters[0]), (second, range_type.parameters[-1])]
        if type == types.BOOL:
            if self._random.random() < 0.2 and (operand := self._path())[0].count(".") and not operand[0].endswith("]"):
                return f"has({operand[0]})"
            macro = self._random.choice(["all", "exists", "exists_one"])
            if self._random.random() < 0.3:
                return f"{range_}.{macro}({first}, {second}, {self._within(two, type)})"
            return f"{range_}.{macro}({first}, {self._within(one, type)})"
        if type.kind is Kind.LIST:
            element = type.parameters[0]
            choice = self._random.random()
            if choice < 0.3:
                return f"{range_}.transformList({first}, {second}, {self._within(two, element)})"
            if choice < 0.5:
                return f"{self.expression(type)}.filter(x, {self._within([('x', element)], types.BOOL)})"
            if choice < 0.6:
                return f"{self.expression(type)}.sortBy(x, {self._within([('x', element)], types.INT)})"
            return f"{range_}.map({first}, {self._within(one, element)})"
        if type.kind is Kind.MAP and range_type.kind is Kind.MAP and type.parameters[0] == range_type.parameters[0]:
            return f"{range_}.transformMap({first}, {second}, {self._within(two, type.parameters[1])})"
        if type.kind is Kind.OPAQUE and type.parameters:
            held = self._some_type()
            mapped = self._within([("v", held)], type.parameters[0])
            return f"optional.of({self.expression(held)}).optMap(v, {mapped})"
        return None

    def _within(self, variables: list[tuple[str, Type]], type: Type) -> str:
        outer = self._variables
        self._variables = outer + variables
        text = self.expression(type)
        self._variables = outer
        return text


def spoiled(random: random.Random, text: str) -> str:
    """A text with some characters left out or put in."""
    at = random.randrange(len(text) + 1)
    put = random.choice(["", "", ".", " ", "self", "1", "!", "(", ")", "[", "'", "==", "?", "&", "\\", ","])
    return text[:at] + put + text[at + random.randint(0, 3) :]
