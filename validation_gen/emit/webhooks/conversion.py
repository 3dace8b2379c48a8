"""What the definitions of kinds with several versions say of the server: a kustomize component of patches.

Definitions stay as they are written elsewhere. Who converts by other means leaves the component out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.webhooks.configurations import CONVERT, client_config
from validation_gen.emit.webhooks.kinds import Resource
from validation_gen.emit.webhooks.kustomize import component
from validation_gen.emit.webhooks.settings import WebhookSettings


def conversions(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, dict[str, Any]]:
    """The files of the component, a patch for each definition."""
    files: dict[str, dict[str, Any]] = {}
    patches = []
    webhook = {"clientConfig": client_config(settings, CONVERT), "conversionReviewVersions": ["v1"]}
    for resource in resources:
        file = f"{resource.name}.yaml"
        files[file] = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": resource.name},
            "spec": {"conversion": {"strategy": "Webhook", "webhook": webhook}},
        }
        patches.append({"path": file})
    files["kustomization.yaml"] = component(patches=patches)
    return files
