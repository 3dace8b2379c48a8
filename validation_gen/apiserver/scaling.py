"""The `scale` subresource: reads and writes of a number of replicas within an object.

Sources of the behaviour: `ScaleREST` in `pkg/registry/customresource/etcd.go` of `k8s.io/apiextensions-apiserver`, and
`scalehandler.go` in `pkg/util/managedfields` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.apiserver.bodies import read_unknown
from validation_gen.apiserver.errors import bad_request, internal, internal_error
from validation_gen.apiserver.tables import Columns
from validation_gen.kubernetes.crd.definition import Scale
from validation_gen.kubernetes.crd.gotypes import SCALE
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import FieldManager, FieldSet, make_type
from validation_gen.kubernetes.managedfields.entries import Managed, read_managed, write_managed
from validation_gen.kubernetes.managedfields.updates import Ownership
from validation_gen.kubernetes.objects.scale import UnscalableError, set_replicas, to_scale
from validation_gen.runtime.gotext import go_quote

API_VERSION, KIND = "autoscaling/v1", "Scale"
#: Number of replicas of an object without one.
_UNSET = -(1 << 31)
_IN_SCALE = ("f:spec", "f:replicas")
_TYPE = make_type(
    {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
            "status": {
                "type": "object",
                "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}},
            },
        },
    }
)
_UNREGISTERED = (
    'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/'
    'customresource_handler.go:781"'
)


def get_scale(obj: dict[str, Any], scale: Scale | None) -> dict[str, Any]:
    """Returns the scale of an object of a version with a scale."""
    assert scale is not None
    found = show_scale(obj, scale)
    if _replicas(obj, scale) is None:
        text = f"the spec replicas field {go_quote(_join_path(scale))} does not exist"
        raise internal_error(text)
    return found


def _join_path(scale: Scale) -> str:
    return f".{scale.spec_replicas.removeprefix('.')}"


def show_scale(obj: dict[str, Any], scale: Scale) -> dict[str, Any]:
    """Returns the scale of an object, with or without a number of replicas."""
    try:
        return to_scale(obj, scale)
    except UnscalableError as problem:
        raise internal(str(problem)) from None


def _replicas(obj: Any, scale: Scale) -> Any:
    for name in scale.spec_replicas.removeprefix(".").split("."):
        obj = obj.get(name) if isinstance(obj, dict) else None
    return obj


def decode_scale(obj: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Returns a sent scale in the server's form, and its unknown fields.

    Raises:
        DecodingError: it cannot be decoded.
        ApiError: it has another kind.
    """
    if (obj.get("apiVersion"), obj.get("kind")) != (API_VERSION, KIND):
        raise bad_request(_UNREGISTERED)
    unknown = read_unknown(obj, SCALE)
    spec, status = (obj.get(name) or {} for name in ("spec", "status"))
    replicas = spec.get("replicas") or 0
    known = {name: status[name] for name in ("replicas", "selector") if status.get(name)}
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": to_stored_metadata(obj.get("metadata") or {}),
        "spec": {"replicas": replicas} if replicas else {},
        "status": {"replicas": 0, **known},
    }, unknown


#: The columns of a scale's table.
COLUMNS = Columns(
    [
        {
            "name": "Desired",
            "type": "integer",
            "jsonPath": ".spec.replicas",
            "description": "Number of desired replicas",
        },
        {
            "name": "Available",
            "type": "integer",
            "jsonPath": ".status.replicas",
            "description": "Number of actual replicas",
        },
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ],
    described=True,
)


class ScaleFields:
    """Field management of requests about the scale of an object.

    Args:
        api_version: the version of the object.
        scale: the paths of its replicas.
        versions: the paths of all versions by `apiVersion`; None for a version without a scale.
    """

    def __init__(self, api_version: str, scale: Scale, versions: dict[str, Scale | None]) -> None:
        self._api_version = api_version
        self._scale = scale
        self._paths = {
            name: None if each is None else tuple(f"f:{part}" for part in each.spec_replicas.strip(".").split("."))
            for name, each in versions.items()
        }
        self._fields = FieldManager(
            (API_VERSION, KIND), {API_VERSION: _TYPE}, lambda obj, version: obj, subresource="scale"
        )

    def live(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Returns the scale of an object before a write, with its managed fields."""
        found = show_scale(obj, self._scale)
        if _replicas(obj, self._scale) is None:
            found["spec"] = {"replicas": _UNSET}
        managed = read_managed((obj.get("metadata") or {}).get("managedFields"))
        mine = {}
        for manager, its in managed.owners.items():
            path = self._paths.get(its.api_version)
            if path is not None and its.fields.has(path):
                mine[manager] = Ownership(FieldSet.from_paths(_IN_SCALE), API_VERSION, its.applied)
        if mine:
            found["metadata"] = {**found["metadata"], "managedFields": _write_owners(mine, managed)}
        return found

    def updated(
        self,
        obj: dict[str, Any],
        write: Callable[[FieldManager, dict[str, Any]], dict[str, Any]],
    ) -> dict[str, Any]:
        """Returns an object after a write of its scale."""
        sent = write(self._fields, self.live(obj))
        replicas = (sent.get("spec") or {}).get("replicas") or 0
        if replicas == _UNSET:
            raise bad_request(f"the spec replicas field {go_quote(_join_path(self._scale))} cannot be empty")
        try:
            found = set_replicas(obj, self._scale, replicas)
        except UnscalableError as problem:
            raise internal(str(problem)) from None
        meta, new = {**obj["metadata"]}, sent.get("metadata") or {}
        if new.get("resourceVersion"):
            meta["resourceVersion"] = new["resourceVersion"]
        if entries := self._to_parent(meta.pop("managedFields", None), new.get("managedFields")):
            meta["managedFields"] = entries
        found["metadata"] = meta
        return found

    def _to_parent(self, parent: Any, scale: Any) -> list[dict[str, Any]]:
        managed, own = read_managed(parent), read_managed(scale)
        left, found = dict(own.owners), {}
        for manager, its in managed.owners.items():
            if its.api_version not in self._paths:
                continue
            path = self._paths[its.api_version]
            fields = its.fields
            if path is not None and fields.has(path):
                if manager in left:
                    del left[manager]
                else:
                    fields = fields.difference(FieldSet.from_paths(path))
            if fields:
                found[manager] = Ownership(fields, its.api_version, its.applied)
        mine = self._paths[self._api_version]
        for manager, its in left.items():
            if its.fields.has(_IN_SCALE) and mine is not None:
                found[manager] = Ownership(FieldSet.from_paths(mine), self._api_version, its.applied)
        return _write_owners(found, managed)


def _write_owners(owners: dict[Any, Ownership], known: Managed) -> list[dict[str, Any]]:
    """Returns the entries of `managedFields` for owners, with the times of known ones."""
    return write_managed(Managed(owners, {each: known.times[each] for each in owners if each in known.times}))
