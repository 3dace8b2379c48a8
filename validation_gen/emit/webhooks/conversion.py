"""Patches definitions of kinds with several versions to use the server: a kustomize component.

Definitions are written elsewhere. Projects with another conversion omit the component.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.webhooks.configurations import CONVERT, client_config
from validation_gen.emit.webhooks.kinds import Resource
from validation_gen.emit.webhooks.kustomize import component, patch
from validation_gen.emit.webhooks.settings import WebhookSettings


def conversions(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, dict[str, Any]]:
    """Returns the files of the component, a patch for each definition, all of which must exist."""
    webhook = {"clientConfig": client_config(settings, CONVERT), "conversionReviewVersions": ["v1"]}
    patches = [
        patch(
            {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": "CustomResourceDefinition",
                "metadata": {"name": resource.name},
                "spec": {"conversion": {"strategy": "Webhook", "webhook": webhook}},
            }
        )
        for resource in resources
    ]
    return {"kustomization.yaml": component(patches=patches)}
