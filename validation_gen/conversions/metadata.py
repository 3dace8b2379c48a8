"""Guards metadata: a conversion may change labels and annotations, and nothing else of it.

Source of the behaviour: `validateConvertedObject` and `restoreObjectMeta` in `pkg/apiserver/conversion` of
`k8s.io/apiextensions-apiserver`. A server refuses another kind, name, namespace or UID, and silently reverts all other
changes; here they are refused, too, as they were probably intended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from validation_gen.conversions.annotation import MOST, size
from validation_gen.conversions.errors import ConversionError
from validation_gen.conversions.values import copied, same, shown

FREE = ("labels", "annotations")
_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LONGEST_PREFIX = 253


def guarded(before: Mapping[str, Any], after: dict[str, Any]) -> None:
    """Gives a converted object the kind and the metadata of the original one.

    Raises:
        ConversionError: the conversion has changed a protected field.
    """
    kind = after.setdefault("kind", before["kind"])
    if kind != before["kind"]:
        raise ConversionError(f"the kind must stay {before['kind']}, and is {shown(kind)}")
    own = before.get("metadata", {})
    if "metadata" not in after:
        after["metadata"] = copied(own)
        return
    found = after["metadata"]
    if not isinstance(found, dict):
        raise ConversionError(f"metadata is {shown(found)}, which is no object")
    for name, value in found.items():
        if name not in FREE and not (name in own and same(own[name], value)):
            was = f"{shown(own[name])}, and is {shown(value)}" if name in own else f"absent, and is {shown(value)}"
            raise ConversionError(f"metadata.{name} must stay {was}")
    after["metadata"] = {name: copied(value) for name, value in own.items() if name not in FREE}
    for name in FREE:
        value = found.get(name)
        if value is None:
            continue
        if not same(value, own.get(name)):
            _check(name, value)
        after["metadata"][name] = value


def _check(field: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise ConversionError(f"metadata.{field} is {shown(value)}, which is no object")
    for key, text in value.items():
        if not isinstance(text, str):
            raise ConversionError(f"metadata.{field}[{key:.80}] is {shown(text)}, which is no text")
        prefix, slash, name = key.rpartition("/")
        prefix = prefix if field == "labels" else prefix.lower()
        if not _NAME.fullmatch(name) or (slash and not _PREFIX.fullmatch(prefix)) or len(prefix) > _LONGEST_PREFIX:
            raise ConversionError(f"metadata.{field}: {key!r:.80} is no name of one")
        if field == "labels" and text and not _NAME.fullmatch(text):
            raise ConversionError(f"metadata.labels[{key}]: {text!r:.80} is no value of a label")
    if field == "annotations" and size(value) > MOST:
        raise ConversionError(f"metadata.annotations have more than {MOST} bytes")
