"""`metadata` of custom objects: decoding to the server's struct, and validation of updates.

Sources of the behaviour: `pkg/apis/meta/v1/types.go`, `pkg/api/validation/objectmeta.go` of `k8s.io/apimachinery`, and
`pkg/apiserver/schema/objectmeta` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from validation_gen.kubernetes.crd.schema_path import under
from validation_gen.kubernetes.crd.stored_metadata import (
    MetadataError,
    NameCheck,
    check_metadata,
    path_segment_messages,
    subdomain_messages,
    to_stored_metadata,
)
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.names import label_key

_IMMUTABLE = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
_JUDGED_AGAIN = ("labels", "annotations", "ownerReferences", "managedFields")
#: Greatest length of the part of `generateName` in generated names.
_LONGEST_BASE = 58
#: Finalizers of the server itself.
STANDARD_FINALIZERS = ("orphan", "foregroundDeletion", "kubernetes")


def decoded(metadata: Any, *, unknown: list[str] | None = None, lenient: bool = False) -> dict[str, Any]:
    """Returns metadata in the form of the server's struct. Appends unknown names to `unknown`.

    With `lenient`, as for stored objects, fields of wrong types are left out.

    Raises:
        DecodingError: a field has a wrong type.
    """
    found: list[str] = []
    try:
        held = to_stored_metadata(metadata, unknown=found, lenient=lenient)
    except MetadataError as problem:
        raise DecodingError(str(problem)) from None
    if unknown is not None:
        unknown += [f"metadata.{path}" for path in found]
    return held


def named(metadata: dict[str, Any]) -> None:
    """Sets a possible generated name, with a fixed suffix, for a new object with `generateName`."""
    if metadata.get("generateName") and not metadata.get("name"):
        metadata["name"] = metadata["generateName"][:_LONGEST_BASE] + "xxxxx"


def drop_duplicate_owners(metadata: Any, *, patched: bool = False) -> list[str]:
    """Drops equal owner references, in place, and returns the server's warning about them.

    For a patch the server does this after the mutating webhooks, for other requests before.
    """
    owners = metadata.get("ownerReferences") if isinstance(metadata, dict) else None
    if not isinstance(owners, list):
        return []
    kept: dict[str, Any] = {}
    uids: list[str] = []
    for owner in owners:
        if not isinstance(owner, dict):
            return []  # which no server decodes
        text = json.dumps(owner, sort_keys=True, default=str)
        if text in kept:
            uids.append(str(owner.get("uid") or ""))
        kept[text] = owner
    if not uids:
        return []
    metadata["ownerReferences"] = list(kept.values())
    after = " after mutating admission happens" if patched else ""
    text = (
        f".metadata.ownerReferences contains duplicate entries{after}; API server dedups owner references in 1.20+, "
        "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
    )
    return [text + ", ".join(uids)]


def without_metadata(obj: dict[str, Any]) -> dict[str, Any]:
    """Returns an object without its metadata."""
    return {name: value for name, value in obj.items() if name != "metadata"}


def with_owned(obj: dict[str, Any]) -> dict[str, Any]:
    """Adds a server-set field to the metadata of an object.

    A schema that describes metadata must describe that field, too.
    """
    return {**obj, "metadata": {"generation": 1, **obj["metadata"]}}


# --- validation -------------------------------------------------------------------------------------------------------


def create_errors(metadata: dict[str, Any], *, namespaced: bool) -> list[FieldError]:
    """Returns the errors of the metadata of a new object."""
    return check_name(metadata, subdomain_messages, namespaced=namespaced)


def check_name(metadata: dict[str, Any], check_name: NameCheck, *, namespaced: bool) -> list[FieldError]:
    """Returns the errors of the metadata of a new object whose name has a rule of its own."""
    return list(under(check_metadata(metadata, check_name, namespaced=namespaced), ".metadata"))


def common_errors(metadata: dict[str, Any], *, namespaced: bool) -> list[FieldError]:
    """Returns the errors that an update checks for every object, whatever its kind."""
    return list(under(check_metadata(metadata, path_segment_messages, namespaced=namespaced), ".metadata"))


def update_errors(new: dict[str, Any], old: dict[str, Any]) -> list[FieldError]:
    """Returns the errors of an update's metadata: changes of immutable fields, and invalid values."""
    return list(under(_update_errors(new, old), ".metadata"))


def _update_errors(new: dict[str, Any], old: dict[str, Any]) -> Iterator[FieldError]:
    if old.get("deletionTimestamp"):
        added = sorted(set(new.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if added:
            shown = "[]string{" + ", ".join(map(go_quote, added)) + "}"
            detail = f"no new finalizers can be added if the object is being deleted, found new finalizers {shown}"
            yield FieldError(ErrorType.FORBIDDEN, "", detail, "", ".finalizers")
    for name in _IMMUTABLE:
        if new.get(name) != old.get(name):
            value = new.get(name)
            if value is None and name in ("name", "namespace", "uid"):
                value = ""
            yield FieldError(ErrorType.INVALID, value, texts.IMMUTABLE, "", f".{name}")
    again: dict[str, Any] = {name: new[name] for name in _JUDGED_AGAIN if name in new}
    yield from check_metadata({**again, "name": "x"}, path_segment_messages)


def is_moved(new: dict[str, Any], old: dict[str, Any]) -> bool:
    """Returns whether an immutable field of metadata has changed, or the old object is being deleted."""
    if "deletionTimestamp" in old:
        return True
    for name in _IMMUTABLE:  # noqa: SIM110 - it runs for each update, and a generator is slower
        if new.get(name) != old.get(name):
            return True
    return False


def finalizer_warnings(new: dict[str, Any], old: dict[str, Any] | None) -> list[str]:
    """Returns warnings about new finalizers whose names may collide with others."""
    if not new.get("finalizers"):
        return []
    known = set((old or {}).get("finalizers") or ())
    found = []
    for name in sorted(set(new["finalizers"]) - known):
        start = f"metadata.finalizers: {go_quote(name)}: "
        found += [start + message for message in label_key(name)]
        if "/" not in name and name not in STANDARD_FINALIZERS:
            path = " including a path (/)" if "." in name else ""
            found.append(
                f"{start}prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other "
                "finalizer writers"
            )
    return found
