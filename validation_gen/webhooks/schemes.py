"""Facts of definitions that webhooks need beside validators: defaults, and the kinds with a scale."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.crd.defaulting import filled
from validation_gen.kubernetes.crd.schema import Schema, has_default
from validation_gen.kubernetes.objects import Scheme
from validation_gen.webhooks.mutating import Defaults
from validation_gen.webhooks.scaling import Scalable


def defaults_of(scheme: Scheme) -> Defaults | None:
    """Returns a function that fills in the defaults of definitions; None if none has defaults."""
    schemas: dict[tuple[str, str], Schema] = {
        (version.api_version, kind.kind): version.schema
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served and has_default(version.schema)
    }

    def fill(obj: Any) -> Any:
        schema = schemas.get((str(obj.get("apiVersion")), str(obj.get("kind"))))
        return obj if schema is None else filled(obj, schema)

    return fill if schemas else None


def scalable_of(scheme: Scheme) -> list[Scalable]:
    """Returns the kinds that have a scale, in each of their versions."""
    return [
        Scalable(kind.group, kind.resource.partition(".")[0], version.api_version, kind.kind, version.scale)
        for kind in scheme.kinds.values()
        for version in kind.versions.values()
        if version.served and version.scale is not None
    ]
