"""Files of kustomize: a base, and components that change other objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.schema.yamltext import as_yaml


def base(resources: Sequence[str]) -> dict[str, Any]:
    return {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": list(resources),
    }


def component(**parts: Sequence[Any]) -> dict[str, Any]:
    """Returns a component with these parts; empty ones are omitted."""
    filled = {name: list(part) for name, part in parts.items() if part}
    return {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", **filled}


def patch(change: dict[str, Any]) -> dict[str, Any]:
    """Returns a patch of one object. It is inline, as readers of all manifests would take a file for an object."""
    return {"patch": as_yaml(change, marker=None)}
