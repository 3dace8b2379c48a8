"""The files by which kustomize knows what belongs together: a base, and components that change what others bring."""

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
    """A component with these parts, of which empty ones are left out."""
    filled = {name: list(part) for name, part in parts.items() if part}
    return {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", **filled}


def patch(change: dict[str, Any]) -> dict[str, Any]:
    """An entry that changes one object. It is no file of its own: who reads all manifests would take it for one."""
    return {"patch": as_yaml(change, marker=None)}
