"""Annotation for values that a version cannot represent, and the guard of all other metadata.

Anyone who may change an object may change the annotation. So it is read with care, and invalid entries are ignored. A
conversion may change labels and annotations, and nothing else of metadata.

Source of the behaviour: `validateConvertedObject` and `restoreObjectMeta` in `pkg/apiserver/conversion` of
`k8s.io/apiextensions-apiserver`. A server refuses another kind, name, namespace or UID, and silently reverts all other
changes; here they are refused, too, as they were probably intended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.webhooks.conversions.kept import Entry
from validation_gen.webhooks.conversions.paths import FREE
from validation_gen.webhooks.conversions.values import (
    ABSENT,
    ConversionError,
    check_depth,
    copy_value,
    not_json,
    render_value,
    same,
)

#: Name of the annotation with the values that an object's version cannot represent.
KEPT = "conversions.validation-gen.dev/kept"
#: Size limit of all annotations of an object in bytes (`TotalAnnotationSizeLimitB` of apimachinery's validation).
MOST = 256 << 10


def take_annotation(obj: dict[str, Any]) -> dict[str, list[Entry]]:
    """Removes the annotation, and returns its entries by version."""
    metadata = obj.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.pop(KEPT, None) if isinstance(annotations, dict) else None
    if text is None:
        return {}
    if not annotations:
        del obj["metadata"]["annotations"]
    try:
        read = json.loads(text) if isinstance(text, str) else None
        check_depth(read, KEPT)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(read, dict) or not_json(read):
        return {}
    entries = {version: _entries(items) for version, items in read.items() if isinstance(items, list)}
    return {version: found for version, found in entries.items() if found}


def write_annotation(obj: dict[str, Any], kept: Mapping[str, Sequence[Entry]]) -> None:
    """Sets the annotation, if there are entries."""
    items = {version: [_encode(entry) for entry in entries] for version, entries in kept.items() if entries}
    if not items:
        return
    text = json.dumps(items, separators=(",", ":"), sort_keys=True)
    annotations = obj["metadata"].get("annotations") or {}
    room = MOST - size(annotations) - len(KEPT)
    if len(text) > room:
        names = " and ".join(sorted(items))
        raise ConversionError(
            f"what other versions have of it ({names}) would take {len(text)} bytes of annotations, "
            f"which have room for {max(room, 0)}"
        )
    obj["metadata"]["annotations"] = {**annotations, KEPT: text}


def size(annotations: Mapping[str, Any]) -> int:
    """Returns the bytes of annotations, as servers count them."""
    return sum(
        len(text.encode("utf-8", "surrogatepass"))
        for pair in annotations.items()
        for text in pair
        if isinstance(text, str)
    )


def _encode(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"at": list(entry.at)}
    if entry.value is not ABSENT:
        found["value"] = entry.value
    if entry.was:
        found["was"] = entry.was
    if entry.inside != len(entry.at) - 1:
        found["in"] = entry.inside
    if entry.beside is not None:
        found["beside"] = [list(entry.beside[0]), entry.beside[1]]
    return found


def _entries(items: list[Any]) -> list[Entry]:
    return [entry for item in items if isinstance(item, dict) and (entry := _entry(item)) is not None]


def _entry(item: Mapping[str, Any]) -> Entry | None:
    at, was = _steps(item.get("at")), item.get("was", "")
    if at is None or not isinstance(at[-1], str) or at[0] in ("apiVersion", "kind") or not isinstance(was, str):
        return None
    if at[0] == "metadata" and (len(at) < 3 or at[1] not in ("labels", "annotations") or at[2] == KEPT):
        return None
    if at[0] == "metadata" and (len(at) > 3 or not isinstance(item.get("value", ""), str)):
        return None
    inside = item.get("in", len(at) - 1)
    if not isinstance(inside, int):
        return None
    beside = None
    if "beside" in item:
        given = item["beside"]
        near = _steps(given[0]) if isinstance(given, list) and len(given) == 2 else None
        if near is None or not isinstance(given[1], str):
            return None
        beside = near, given[1]
    return Entry(at, item.get("value", ABSENT), was, inside, beside)


def _steps(given: Any) -> tuple[Any, ...] | None:
    if not isinstance(given, list) or not given or not all(map(_is_step, given)):
        return None
    return tuple(given)


def _is_step(step: Any) -> bool:
    if isinstance(step, list):
        return len(step) == 3 and isinstance(step[0], str) and all(type(number) is int for number in step[1:])
    return isinstance(step, str) or (isinstance(step, dict) and bool(step))


_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LONGEST_PREFIX = 253


def restore_identity(before: Mapping[str, Any], after: dict[str, Any]) -> None:
    """Sets the kind and the metadata of a converted object to those of the original."""
    kind = after.setdefault("kind", before["kind"])
    if kind != before["kind"]:
        raise ConversionError(f"the kind must stay {before['kind']}, and is {render_value(kind)}")
    own = before.get("metadata", {})
    if "metadata" not in after:
        after["metadata"] = copy_value(own)
        return
    found = after["metadata"]
    if not isinstance(found, dict):
        raise ConversionError(f"metadata is {render_value(found)}, which is not an object")
    for name, value in found.items():
        if name not in FREE and not (name in own and same(own[name], value)):
            was = (
                f"{render_value(own[name])}, and is {render_value(value)}"
                if name in own
                else f"absent, and is {render_value(value)}"
            )
            raise ConversionError(f"metadata.{name} must stay {was}")
    after["metadata"] = {name: copy_value(value) for name, value in own.items() if name not in FREE}
    for name in FREE:
        value = found.get(name)
        if value is None:
            continue
        if not same(value, own.get(name)):
            _check(name, value)
        after["metadata"][name] = value


def _check(field: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise ConversionError(f"metadata.{field} is {render_value(value)}, which is not an object")
    for key, text in value.items():
        if not isinstance(text, str):
            raise ConversionError(f"metadata.{field}[{key:.80}] is {render_value(text)}, which is not a string")
        prefix, slash, name = key.rpartition("/")
        prefix = prefix if field == "labels" else prefix.lower()
        if not _NAME.fullmatch(name) or (slash and not _PREFIX.fullmatch(prefix)) or len(prefix) > _LONGEST_PREFIX:
            raise ConversionError(f"metadata.{field}: {key!r:.80} is not the name of one")
        if field == "labels" and text and not _NAME.fullmatch(text):
            raise ConversionError(f"metadata.labels[{key}]: {text!r:.80} is no value of a label")
    if field == "annotations" and size(value) > MOST:
        raise ConversionError(f"metadata.annotations have more than {MOST} bytes")
