"""Writes of the scale of an object: updates, patches and applied configurations.

Source of the behaviour: `ScaleREST` in `pkg/registry/customresource/etcd.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from validation_gen.apiserver.bodies import check_kind, check_type, read_object, report_slips, unreadable
from validation_gen.apiserver.calls import Call, find_manager
from validation_gen.apiserver.decoding import check_identity
from validation_gen.apiserver.errors import internal
from validation_gen.apiserver.patches import Transform, invalid_patch, read_config, read_patch, run_apply
from validation_gen.apiserver.requests import WriteOptions
from validation_gen.apiserver.scaling import decode_scale
from validation_gen.kubernetes.managedfields import FieldManager
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_json, sort_members


def replace_scale(call: Call, options: WriteOptions) -> tuple[Transform, str]:
    """Returns the change of an update, and the uid that the object must have."""
    obj, _, _ = read_object(call)
    check_kind(call, obj)
    try:
        sent, unknown = decode_scale(obj)
    except DecodingError as problem:
        raise unreadable(call, obj, str(problem)) from None
    slips = [f'unknown field "{path}"' if not path.startswith("unknown") else path for path in unknown]
    report_slips(call, options.field_validation, slips, partial(unreadable, call, obj))
    meta = sent["metadata"]
    check_identity(call, meta)
    manager, stamp = find_manager(call, options), call.clock.stamp()

    def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
        return fields.update(live, sent, manager, stamp)

    return _transform(call, write), meta.get("uid") or ""


def _transform(call: Call, write: Callable[[FieldManager, dict[str, Any]], dict[str, Any]]) -> Transform:
    fields = call.resource.scale_fields(call.version)

    def mutated(managed: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
        sent = write(managed, live)
        if call.review is None:
            return sent
        return call.review.mutate(Normalized(sent), live, call.target.name).object

    def transform(live: Normalized | None) -> Normalized:
        assert live is not None
        return Normalized(fields.updated(live.object, mutated))

    return transform


def patch_scale(call: Call, options: WriteOptions, kind: str) -> Transform:
    """Returns the change that a JSON patch or a merge patch makes."""
    patched, _ = read_patch(call, options, kind)
    manager, stamp = find_manager(call, options), call.clock.stamp()

    def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
        found, _ = patched(live)
        try:
            check_type(found)
            sent, unknown = decode_scale(found)
        except DecodingError as problem:
            raise invalid_patch(go_json(found), str(problem)) from None
        shown = go_json(sort_members(found))
        report_slips(call, options.field_validation, unknown, partial(invalid_patch, shown))
        check_identity(call, sent["metadata"])
        return fields.update(live, sent, manager, stamp)

    return _transform(call, write)


def apply_scale(call: Call, options: WriteOptions) -> Transform:
    """Returns the change that an applied configuration makes."""
    config, _ = read_config(call)
    manager, stamp = options.field_manager, call.clock.stamp()

    def write(fields: FieldManager, live: dict[str, Any]) -> dict[str, Any]:
        run_apply(lambda: fields.apply(live, config, manager, stamp, force=options.force))
        # The server fails here, too: it converts the scale as if it were the object.
        text = (
            f"failed to convert new object (/{call.target.name}; autoscaling/v1, Kind=Scale) to proper version: "
            "request to convert CR to an invalid group/version: autoscaling/v1"
        )
        raise internal(text)

    return _transform(call, write)
