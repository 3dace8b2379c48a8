"""What a client may not say of an object: it is left out, or taken from the old object.

Sources of the behaviour: `pkg/registry/rest` of `k8s.io/apiserver`, and the strategies in
`pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from validation_gen.kubernetes.objects.kinds import Kind, Served

#: What the server sets itself when an object is created.
_WIPED = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
#: What an update never changes, whatever it says.
_KEPT = ("resourceVersion", "creationTimestamp", "generation")


def place(metadata: dict[str, Any], *, namespaced: bool) -> None:
    """The namespace of the request, as if it were that of the object."""
    if namespaced:
        metadata.setdefault("namespace", "default")
    else:
        metadata.pop("namespace", None)


def prepare(
    obj: dict[str, Any], old: dict[str, Any] | None, kind: Kind, version: Served, *, is_status: bool = False
) -> None:
    """Make an object, in place, what a server looks at in a create, or in an update of an old object."""
    metadata = obj.setdefault("metadata", {})
    place(metadata, namespaced=kind.namespaced)
    if old is None:
        for name in _WIPED:
            metadata.pop(name, None)
        if version.status:
            obj.pop("status", None)
    elif is_status:
        _take_all_but_status(obj, old)
    else:
        _keep(metadata, old["metadata"])
        if version.status:
            obj.pop("status", None)
            if "status" in old:
                obj["status"] = deepcopy(old["status"])


def _take_all_but_status(obj: dict[str, Any], old: dict[str, Any]) -> None:
    kept = {"status": obj["status"]} if "status" in obj else {}
    obj.clear()
    obj.update(deepcopy(old))
    obj.pop("status", None)
    obj.update(kept)


def _keep(metadata: dict[str, Any], known: dict[str, Any]) -> None:
    """What an update cannot change of metadata."""
    for name in _KEPT:
        metadata.pop(name, None)
        if name in known:
            metadata[name] = known[name]
    if not metadata.get("uid") and known.get("uid"):
        metadata["uid"] = known["uid"]
    if "deletionTimestamp" in known:
        metadata["deletionTimestamp"] = known["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in known:
        metadata.setdefault("deletionGracePeriodSeconds", known["deletionGracePeriodSeconds"])
