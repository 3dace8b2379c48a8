"""Fields that a client may not set: they are removed, or taken from the old object.

Sources of the behaviour: `pkg/registry/rest` of `k8s.io/apiserver`, and the strategies in `pkg/registry/customresource`
of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.kinds import Kind, Served
from validation_gen.runtime.native import accept
from validation_gen.runtime.wire import identical

#: Fields that the server sets itself when an object is created.
_WIPED = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
#: Fields that an update never changes.
_KEPT = ("resourceVersion", "creationTimestamp", "generation")


def place(meta: dict[str, Any], *, namespaced: bool) -> None:
    """Sets the namespace of the request in the object, or removes it for cluster-scoped ones."""
    if namespaced:
        meta.setdefault("namespace", "default")
    else:
        meta.pop("namespace", None)


def prepare(
    obj: dict[str, Any], old: dict[str, Any] | None, kind: Kind, version: Served, *, is_status: bool = False
) -> None:
    """Prepares an object, in place, for the validation of a create, or of an update of an old object.

    It may share parts with the old object afterwards.
    """
    meta = obj.setdefault("metadata", {})
    place(meta, namespaced=kind.namespaced)
    if old is None:
        metadata.named(meta)
        for name in _WIPED:
            meta.pop(name, None)
        if version.status:
            obj.pop("status", None)
    elif is_status:
        _take_all_but_status(obj, old)
    else:
        _keep(meta, old["metadata"])
        if version.status:
            obj.pop("status", None)
            if "status" in old:
                obj["status"] = old["status"]
        generation = old["metadata"].get("generation")
        if generation and not _are_same(metadata.without_metadata(obj), metadata.without_metadata(old)):
            meta["generation"] = generation + 1


def _are_same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return (accept is not None and accept.same(a, b)) or identical(a, b)


def _take_all_but_status(obj: dict[str, Any], old: dict[str, Any]) -> None:
    kept = {"status": obj["status"]} if "status" in obj else {}
    managers = obj["metadata"].get("managedFields")
    obj.clear()
    obj.update(old)
    obj["metadata"] = dict(old["metadata"])
    obj["metadata"].pop("managedFields", None)
    if managers:
        obj["metadata"]["managedFields"] = managers
    obj.pop("status", None)
    obj.update(kept)


def _keep(meta: dict[str, Any], known: dict[str, Any]) -> None:
    """Restores the metadata that an update cannot change."""
    for name in _KEPT:
        meta.pop(name, None)
        if name in known:
            meta[name] = known[name]
    if not meta.get("uid") and known.get("uid"):
        meta["uid"] = known["uid"]
    if "deletionTimestamp" in known:
        meta["deletionTimestamp"] = known["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in known:
        meta.setdefault("deletionGracePeriodSeconds", known["deletionGracePeriodSeconds"])
