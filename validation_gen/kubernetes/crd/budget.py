"""Size of a definition: in storage, and in the annotation of `kubectl apply`.

Sizes are those of Go's JSON, without indentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.objectmeta import ANNOTATIONS_MAX_BYTES, annotations_size
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.runtime import native, texts
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.names import byte_count

#: Default limit of etcd for one request.
REQUEST_MAX_BYTES = 1_572_864
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

_METADATA = Place("metadata", "metadata")


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of an object in storage, and of its annotations after `kubectl apply`."""

    stored: int
    annotations: int


def size_of(obj: dict[str, Any]) -> Size:
    metadata = obj.get("metadata") or {}
    annotations = {name: text for name, text in (metadata.get("annotations") or {}).items() if name != LAST_APPLIED}
    rest = _size({**obj, "metadata": None}) - len("null")
    stored = rest + _size(obj["metadata"]) if "metadata" in obj else _size(obj)
    written = rest + _size({**metadata, "annotations": annotations}) + 1  # the encoder ends its line
    return Size(stored, annotations_size({**annotations, LAST_APPLIED: ""}) + written)


#: Counts the bytes of a value without writing it, -1 where they are not certain.
_certain: Callable[[Any], int] | None = getattr(native.accept, "json_size", None)


def _size(value: Any) -> int:
    """Returns the length of `go_json`, for most values without writing it, or by Python's encoder only."""
    if _certain and (size := _certain(value)) >= 0:
        return size
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        plain = len(text.encode())
    except (ValueError, TypeError, RecursionError):  # a lone surrogate, NaN, a key that is no text, too deep a nesting
        plain = 0
    if not plain or (_FRACTION.search(text) and _has_float(value)):  # which Go writes differently
        return byte_count(go_json(value))
    escaped = sum(map(text.count, "<>&")) * (len(r"\u003c") - 1)
    return plain + escaped + sum(map(text.count, "\u2028\u2029")) * (len(r"\u2028") - 3)


#: Pattern of floats in JSON without blanks. It may also match inside texts.
_FRACTION = re.compile(r"[:,\[]-?[0-9]+[.e]|^-?[0-9]+[.e]")


def _has_float(value: Any) -> bool:
    """Returns whether there is a float in decoded JSON."""
    pending: list[Iterable[Any]] = [[value]]
    while pending:
        for item in pending.pop():
            if isinstance(item, dict):
                pending.append(item.values())
            elif isinstance(item, list | tuple):
                pending.append(item)
            elif isinstance(item, float):
                return True
    return False


def check_size(obj: dict[str, Any], max_description: int | None, report: Report) -> None:
    """Reports a definition that is too large.

    The help names the saving by descriptions of at most `max_description` characters.
    """
    size = size_of(obj)
    if size.stored > REQUEST_MAX_BYTES:
        message = f"metadata: the object has {size.stored:,} bytes, and etcd takes no request of more than "
        message += f"{REQUEST_MAX_BYTES:,}: etcdserver: request is too large"
        report.refuse("VG509", _METADATA, message, _advice(obj, max_description, "stored"))
    elif size.annotations > ANNOTATIONS_MAX_BYTES:
        message = f"metadata.annotations: Too long: {texts.too_long(ANNOTATIONS_MAX_BYTES)}, and with what "
        message += f"`kubectl apply` adds they have {size.annotations}"
        help = _advice(obj, max_description, "annotations")
        report.warn("VG509", _METADATA, message, f"use `kubectl apply --server-side` or `kubectl create`, or {help}")


def _advice(obj: dict[str, Any], limit: int | None, name: str) -> str:
    if limit is None:
        least = getattr(size_of(shortened(obj, 0)), name)
        return f"shorten descriptions with --max-description N: without any it would have {least:,} bytes"
    saved = getattr(size_of(shortened(obj, limit)), name)
    return f"shorten descriptions: with --max-description {limit} it would have {saved:,} bytes"


# --- descriptions -----------------------------------------------------------------------------------------------------

_PLACES = frozenset({"properties", "patternProperties", "definitions"})
_LISTS = frozenset({"allOf", "oneOf", "anyOf", "items"})
_SENTENCE_ENDS = ".!?\u3002"
_SINGLE = frozenset({"items", "not", "additionalProperties", "additionalItems"})
_NESTED = _PLACES | _LISTS | _SINGLE


def shortened(obj: dict[str, Any], limit: int) -> dict[str, Any]:
    """Returns a copy of a definition whose schemas have descriptions of at most `limit` characters."""
    spec = obj.get("spec") or {}
    versions = [_short_version(version, limit) for version in spec.get("versions") or ()]
    return {**obj, "spec": {**spec, "versions": versions}}


def _short_version(version: Any, limit: int) -> Any:
    schema = (version or {}).get("schema") or {}
    root = schema.get("openAPIV3Schema")
    return {**version, "schema": {**schema, "openAPIV3Schema": _short(root, limit)}} if root else version


def _short(schema: Any, limit: int) -> Any:
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    text = found.pop("description", None)
    if isinstance(text, str) and limit and text:
        found["description"] = short_text(text, limit)
    for name in found.keys() & _NESTED:  # most schemas have none
        value = found[name]
        if isinstance(value, list) and name in _LISTS:
            found[name] = [_short(part, limit) for part in value]
        elif isinstance(value, dict) and name in _PLACES:
            found[name] = {key: _short(part, limit) for key, part in value.items()}
        elif isinstance(value, dict) and name in _SINGLE:
            found[name] = _short(value, limit)
    return found


def short_text(text: str, limit: int) -> str:
    """Cuts a text to `limit` characters: whole sentences if the first one fits, otherwise whole words and dots."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    end = max(map(cut.rfind, _SENTENCE_ENDS))
    if end > 0:
        return cut[: end + 1]
    words = cut.rsplit(None, 1)
    return f"{words[0] if len(words) > 1 else cut}..."
