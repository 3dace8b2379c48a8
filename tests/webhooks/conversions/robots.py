"""Objects of a small kind, for tests of conversions."""

from __future__ import annotations

from typing import Any

from validation_gen.webhooks.conversions import Conversion, Converter
from validation_gen.webhooks.conversions.moves import AnyMove


def robot(version: str, spec: Any = None, **more: Any) -> dict[str, Any]:
    """A robot of `example.com` in a version."""
    metadata = {"name": "r2", "uid": "1", **more.pop("metadata", {})}
    rest = {} if spec is None else {"spec": spec}
    return {"apiVersion": f"example.com/{version}", "kind": "Robot", "metadata": metadata, **rest, **more}


def converter(*moves: AnyMove, **more: Any) -> Converter:
    """The converter of robots between v1alpha1 and v1."""
    return Converter([Conversion("v1alpha1", "v1", kind="Robot", moves=list(moves), **more)])


def up(of: Converter, spec: Any) -> Any:
    """The spec of a robot of v1alpha1 in v1."""
    return of.convert(robot("v1alpha1", spec), "example.com/v1").get("spec")


def down(of: Converter, spec: Any) -> Any:
    """The spec of a robot of v1 in v1alpha1."""
    return of.convert(robot("v1", spec), "example.com/v1alpha1").get("spec")
