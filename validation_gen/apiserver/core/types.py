"""Go types of built-in kinds: for decoding, for encoding, as schemas for merging, and as components of OpenAPI.

They are data (`types.json`), made from the types of `k8s.io/api`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from validation_gen.apiserver.bodies import describe_mistype
from validation_gen.apiserver.openapi_types import API_VERSION, KIND, METADATA, read_texts, reference
from validation_gen.kubernetes.crd.gotypes import (
    ANYTHING,
    BOOL,
    FLOAT64,
    INT32,
    INT64,
    OBJECT_META,
    STRING,
    GoType,
    ListOf,
    MapOf,
    Own,
    Scalar,
    Struct,
)
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.wire import WIRE

OBJECT_META_NAME = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"


_DIGITS = re.compile("[A-Za-z0-9+/]*")
#: Characters of base64 that may be followed by padding.
_LEAST_DIGITS = 2


def describe_bytes(value: Any) -> str:
    """Returns the error of Go's decoder for a value that is not base64."""
    if not isinstance(value, str):
        return describe_mistype(value, "value of type []uint8")
    kept = [index for index, char in enumerate(value) if char not in "\r\n"]
    text = "".join(value[index] for index in kept)
    good = len(_DIGITS.match(text)[0])  # type: ignore[index]  # it matches any text
    within = good % 4
    if good == len(text):
        good -= within
    elif text[good] == "=" and within >= _LEAST_DIGITS:
        good += 2 if within == _LEAST_DIGITS and text[good + 1 : good + 2] == "=" else 1
    return f"illegal base64 data at input byte {kept[good] if good < len(kept) else len(value)}"


def describe_time(value: Any, *, micro: bool = False) -> str:
    """Returns the error of Go's decoder for a value that is not a time."""
    from validation_gen.kubernetes.cel.functions import layouts  # noqa: PLC0415 - few requests have one

    if not isinstance(value, str):
        return describe_mistype(value, "value of type string")
    try:
        layouts.parse(layouts.RFC3339_MICRO if micro else layouts.RFC3339, value)
    except layouts.ParseError as problem:
        return str(problem)
    return f"parsing time {go_quote(value)}: out of range"


_SCALARS: dict[str, GoType] = {
    "string": STRING,
    "bool": BOOL,
    "int32": INT32,
    "int64": INT64,
    "float64": FLOAT64,
    "raw": ANYTHING,
    "bytes": Own(form=WIRE["bytes"], describe=describe_bytes),
    "time": Own(form=WIRE["time"], describe=describe_time),
    "microtime": Own(form=WIRE["microtime"], describe=partial(describe_time, micro=True)),
}
_SHARED_TEXTS = {"apiVersion": API_VERSION, "kind": KIND, "metadata": METADATA}
_ZERO = {"string": "", "bool": False, "int32": 0, "int64": 0, "float64": 0, "bytes": ""}
_FORMATS: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "float64": {"type": "number", "format": "double"},
    "bytes": {"type": "string", "format": "byte"},
    "time": {"type": "string", "format": "date-time"},
    "microtime": {"type": "string", "format": "date-time"},
    "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct.

    Attributes:
        name: its name in JSON.
        kind: its type: a scalar, the name of a struct, or `[]`, `{}` and the type of the items.
        pointer: whether it is a pointer, so that a zero value is kept.
        present: whether it is written even if it is empty.
        facts: other facts, as in `types.json`.
    """

    name: str
    kind: str
    pointer: bool
    present: bool
    facts: Mapping[str, Any] = field(default_factory=dict)


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("types.json").read_text(encoding="utf-8"))
    return found


@cache
def fields(name: str) -> tuple[Field, ...]:
    """Returns the fields of a struct."""
    found = []
    for key, (kind, *more) in _data()[name]["fields"].items():
        facts = more[0] if more else {}
        found.append(Field(key, kind.removeprefix("*"), kind[0] == "*", facts.get("present", False), facts))
    return tuple(found)


def _items(kind: str) -> str:
    """Returns the type of the items of a list or a map."""
    return kind[2:]


# --- decoding and encoding --------------------------------------------------------------------------------------------


@cache
def struct(name: str) -> Struct:
    """Returns a struct for decoding."""
    if name == OBJECT_META_NAME:
        return OBJECT_META
    return Struct(
        f"v1.{name.rpartition('.')[2]}",
        {each.name: _go_type(each.kind, each.facts.get("go", "")) for each in fields(name)},
    )


def _go_type(kind: str, shown: str = "") -> GoType:
    if kind.startswith("[]"):
        item = _go_type(_items(kind), shown.removeprefix("[]") if shown.startswith("[]") else "")
        return ListOf(item, shown or f"[]{_render_type(item)}")
    if kind.startswith("{}"):
        value = _go_type(_items(kind), shown.removeprefix("map[string]"))
        return MapOf(value, shown or f"map[string]{_render_type(value)}")
    if kind in _SCALARS:
        found = _SCALARS[kind]
        return Scalar(shown, found.kind) if shown and isinstance(found, Scalar) else found
    return struct(kind)


def _render_type(go_type: GoType) -> str:
    return "[]uint8" if isinstance(go_type, Own) else go_type.name


def encode(name: str, value: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns a decoded object as Go writes it: without unknown and empty fields. Metadata is left as it is."""
    value = value or {}
    found: dict[str, Any] = {}
    for each in fields(name):
        own = value.get(each.name)
        if each.kind == OBJECT_META_NAME:
            found[each.name] = own or {}
        elif own is None:
            if each.present:
                found[each.name] = None if each.pointer else _encode(each.kind, None)
        else:
            written = _encode(each.kind, own)
            if each.present or each.pointer or written not in ("", 0, [], {}):
                found[each.name] = written
    return found


def _encode(kind: str, value: Any) -> Any:
    if kind in _ZERO and kind != "bytes":
        return _ZERO[kind] if value is None else value
    if kind == "bytes":
        return "" if value is None else WIRE["bytes"].write(value)
    if kind in ("time", "microtime"):
        return WIRE[kind].write(value)
    if kind == "raw":
        return value
    if kind.startswith("[]"):
        return None if value is None else [_encode(_items(kind), item) for item in value]
    if kind.startswith("{}"):
        return None if value is None else {key: _encode(_items(kind), item) for key, item in value.items()}
    return encode(kind, value)


# --- schemas ----------------------------------------------------------------------------------------------------------


@cache
def schema(name: str) -> dict[str, Any]:
    """Returns the schema of a struct with all its parts, for merging: with list types and patch strategies."""
    return _expand({"$ref": name})


def _expand(part: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(part)
    name = found.pop("$ref", None)
    if name is not None:
        own = component(name)
        found = {**own, **found, "x-go-type": name.rpartition(".")[2]}
    if "properties" in found:
        found["properties"] = {key: _expand(each) for key, each in found["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in found:
            found[key] = _expand(found[key])
    return found


@cache
def component(name: str) -> dict[str, Any]:
    """Returns the schema of a struct, with `$ref` and a name alone for the types of its fields."""
    data = _data()[name]
    texts = read_texts().get(name.removeprefix("io.k8s.api."), {})
    found: dict[str, Any] = {"type": "object"}
    shared = _SHARED_TEXTS if "metadata" in {each.name for each in fields(name)} else {}
    texts = {**shared, **texts}
    properties = {each.name: _property(each, texts.get(each.name, "")) for each in fields(name)}
    required = [each.name for each in fields(name) if each.facts.get("required")]
    if texts.get(""):
        found["description"] = texts[""]
    if required:
        found["required"] = required
    found["properties"] = properties
    if "map" in data:
        found["x-kubernetes-map-type"] = data["map"]
    return found


def _property(each: Field, text: str) -> dict[str, Any]:
    found = {**({"description": text} if text else {}), **_schema(each.kind)}
    facts = each.facts
    if not each.pointer:
        if "$ref" in found:
            found["default"] = {}
        elif facts.get("required") and each.kind in _ZERO and each.kind != "bytes":
            found["default"] = _ZERO[each.kind]
    if "default" in facts:
        found["default"] = facts["default"]
    if "list" in facts:
        found["x-kubernetes-list-type"] = facts["list"]
    if "keys" in facts:
        found["x-kubernetes-list-map-keys"] = facts["keys"]
    if "map" in facts:
        found["x-kubernetes-map-type"] = facts["map"]
    if "patch" in facts:
        found["x-kubernetes-patch-strategy"] = "merge"
        if facts["patch"] is not True:
            found["x-kubernetes-patch-merge-key"] = facts["patch"]
    return found


def _schema(kind: str) -> dict[str, Any]:
    if kind.startswith("[]"):
        return {"type": "array", "items": _element(_items(kind))}
    if kind.startswith("{}"):
        return {"type": "object", "additionalProperties": _element(_items(kind))}
    return dict(_FORMATS[kind]) if kind in _FORMATS else {"$ref": kind}


def _element(kind: str) -> dict[str, Any]:
    found = _schema(kind)
    if "$ref" in found:
        return {**found, "default": {}}
    return {**found, "default": _ZERO[kind]} if kind in _ZERO and kind != "bytes" else found


def components(name: str) -> dict[str, dict[str, Any]]:
    """Returns the components of OpenAPI for a struct: its own, and those that it refers to."""
    return {each: _link_components(component(each)) for each in references(name)}


def _link_components(part: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema whose references name components. A reference with sibling keywords moves into `allOf`."""
    found = dict(part)
    name = found.pop("$ref", None)
    if name is not None:
        link = reference(name)
        return {**found, "allOf": [link]} if found else link
    if "properties" in found:
        found["properties"] = {key: _link_components(each) for key, each in found["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in found:
            found[key] = _link_components(found[key])
    return found


def references(name: str) -> Iterator[str]:
    """Yields the structs to which a struct refers, directly or not, and itself."""
    waiting, known = [name], {OBJECT_META_NAME}
    while waiting:
        each = waiting.pop()
        if each in known:
            continue
        known.add(each)
        yield each
        kinds = (part.kind.replace("[]", "").replace("{}", "") for part in fields(each))
        waiting += [kind for kind in kinds if "." in kind]


# --- kinds ------------------------------------------------------------------------------------------------------------


def kinds() -> list[dict[str, Any]]:
    """Returns the resources, as in `kinds.json`."""
    found: list[dict[str, Any]] = json.loads(Path(__file__).with_name("kinds.json").read_text(encoding="utf-8"))
    return found
