"""A schema's verdict on an object, by `jsonschema` and a CEL engine: what an API server would say, in little.

Only what our schemas use is here: keywords, list types, CEL with old objects, and unchanged values that pass an update.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema
import pytest

from validation_gen.kubernetes.cel import escape
from validation_gen.runtime import goregex, names
from validation_gen.runtime.quantity import read_quantity

cel = pytest.importorskip("cel", reason="common-expression-language needs Python 3.11")

Error = tuple[str, str]
_MISSING = object()

#: The error types that API servers give for keywords; all others are Invalid.
_TYPES = {
    "required": "FieldValueRequired",
    "enum": "FieldValueNotSupported",
    "maxLength": "FieldValueTooLong",
    "maxItems": "FieldValueTooMany",
    "maxProperties": "FieldValueTooMany",
    "type": "FieldValueTypeInvalid",
}
#: Errors of these types keep API servers from looking at rules.
BLOCKING = {*_TYPES.values()}

_FORMAT = re.compile(r"!format\.(\w+)\(\)\.validate\(((?:[^()]|\([^()]*\))*)\)\.hasValue\(\)")
_FORMATS = {
    "qualifiedName": lambda text: not names.label_key(text),
    "labelValue": lambda text: not names.label_value(text),
    "dns1123Label": lambda text: not names.dns_label(text),
    "dns1123Subdomain": lambda text: not names.dns_subdomain(text),
}


def _pattern(_: Any, pattern: str, text: Any, __: Any) -> Iterator[jsonschema.ValidationError]:
    """Matches as a server does: in linear time, and `$` only at the end of a text."""
    if isinstance(text, str) and not goregex.compiled(pattern).matches(text):
        yield jsonschema.ValidationError(f"{text!r} does not match {pattern!r}")


_Keywords = jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Verdict:
    """The errors as pairs of type and path. `blocked`: rules have not been looked at."""

    errors: frozenset[Error]
    blocked: bool


class Judge:
    """Judges objects by one schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.keywords = _Keywords(schema)

    def verdict(self, obj: Any, old: Any = None) -> Verdict:
        found = {e for e in self._keywords(obj, old) if e[0] in BLOCKING or e[0] == "FieldValueInvalid"}
        if old is None or not list(_duplicates(self.schema, old, "")):
            found |= set(_duplicates(self.schema, obj, ""))
        blocked = any(type in BLOCKING for type, _ in found)
        if not blocked:
            found |= set(_rules(self.schema, obj, _MISSING if old is None else old, ""))
        return Verdict(frozenset(found), blocked)

    def _keywords(self, obj: Any, old: Any) -> Iterator[Error]:
        for error in self.keywords.iter_errors(obj):
            steps = list(error.absolute_path)
            if old is not None and _same_at(self.schema, obj, old, steps):
                continue
            path = _path(steps)
            kind = _TYPES.get(str(error.validator), "FieldValueInvalid")
            if error.validator == "required":
                absent = [name for name in error.validator_value if name not in error.instance]
                yield from ((kind, f"{path}.{name}".removeprefix(".")) for name in absent)
            else:
                yield kind, path


def defaulted(schema: dict[str, Any], value: Any) -> Any:
    """A value as an API server completes it before anything else."""
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        found = {k: defaulted(parts.get(k) or schema.get("additionalProperties") or {}, v) for k, v in value.items()}
        for name, part in parts.items():
            if name not in found and "default" in part:
                found[name] = defaulted(part, copy.deepcopy(part["default"]))
        return found
    if isinstance(value, list):
        return [defaulted(schema.get("items", {}), item) for item in value]
    return value


def _path(steps: list[Any]) -> str:
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps).removeprefix(".")


def _same_at(schema: dict[str, Any], obj: Any, old: Any, steps: list[Any]) -> bool:
    """Whether the value at some steps is what it was; a value that has no counterpart is not."""
    for step in steps:
        if isinstance(obj, list):
            if schema.get("x-kubernetes-list-type") != "map" or not isinstance(old, list):
                return False
            old = _counterpart(schema, obj[step], old)
            if old is _MISSING:
                return False
            schema = schema["items"]
        else:
            if not isinstance(old, dict) or step not in old:
                return False
            schema = schema.get("properties", {}).get(step) or schema.get("additionalProperties") or {}
            old = old[step]
        obj = obj[step]
    return bool(obj == old)


def _counterpart(schema: dict[str, Any], item: Any, items: list[Any]) -> Any:
    keys = schema["x-kubernetes-list-map-keys"]
    return next((o for o in items if all(o.get(k) == item.get(k) for k in keys)), _MISSING)


def _duplicates(schema: dict[str, Any], value: Any, path: str) -> Iterator[Error]:
    if isinstance(value, dict):
        for name, part in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if isinstance(inner, dict):
                yield from _duplicates(inner, part, f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list):
        kind = schema.get("x-kubernetes-list-type")
        seen: list[Any] = []
        for i, item in enumerate(value):
            own = item
            if kind == "map":
                own = [item.get(k) for k in schema["x-kubernetes-list-map-keys"]]
            if kind in ("map", "set") and own in seen:
                yield "FieldValueDuplicate", f"{path}[{i}]"
            seen.append(own)
            yield from _duplicates(schema.get("items", {}), item, f"{path}[{i}]")


def _rules(schema: dict[str, Any], value: Any, old: Any, path: str) -> Iterator[Error]:
    for rule in schema.get("x-kubernetes-validations", ()):
        text = rule["rule"]
        optional = rule.get("optionalOldSelf", False)
        transition = "oldSelf" in text
        if transition and old is _MISSING and not optional:
            continue
        if not transition and old is not _MISSING and value == old:
            continue
        if not _evaluate(text, value, old):
            steps = rule.get("fieldPath", "")
            yield rule.get("reason", "FieldValueInvalid"), f"{path}{steps}".removeprefix(".")
    if isinstance(value, dict):
        for name, part in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if isinstance(inner, dict):
                was = old.get(name, _MISSING) if isinstance(old, dict) else _MISSING
                yield from _rules(inner, part, was, f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            was = _MISSING
            if schema.get("x-kubernetes-list-type") == "map" and isinstance(old, list):
                was = _counterpart(schema, item, old)
            yield from _rules(schema["items"], item, was, f"{path}[{i}]")


@functools.cache
def _program(text: str) -> Any:
    text = text.replace("oldSelf.hasValue()", "hasOld").replace("oldSelf.value()", "oldSelf")
    return cel.compile(_FORMAT.sub(r"\1(\2)", text))


def _escaped(value: Any) -> Any:
    """A value with the names by which CEL knows its members. Keys of maps are changed with them."""
    if isinstance(value, dict):
        return {escape(name) or name: _escaped(part) for name, part in value.items()}
    return [_escaped(item) for item in value] if isinstance(value, list) else value


def _compare_quantities(one: str, other: str) -> int:
    left, right = map(read_quantity, (one, other))
    assert left is not None
    assert right is not None
    return (left.amount > right.amount) - (left.amount < right.amount)


def _evaluate(text: str, value: Any, old: Any) -> bool:
    if "__" in text:
        value, old = _escaped(value), _escaped(old)
    context = cel.Context(
        variables={"self": value, "oldSelf": {} if old is _MISSING else old, "hasOld": old is not _MISSING}
    )
    for name, function in _FORMATS.items():
        context.add_function(name, function)
    context.add_function("indexOf", str.find)
    context.add_function("quantity", str)
    context.add_function("compareTo", _compare_quantities)
    return bool(_program(text).execute(context))
