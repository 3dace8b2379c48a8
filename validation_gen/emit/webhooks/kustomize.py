"""The files by which kustomize knows what belongs together: a base, and components that change what others bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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
