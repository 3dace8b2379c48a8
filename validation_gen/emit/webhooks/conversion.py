"""What the definitions of kinds with several versions say of the server: a kustomize component of patches.

Definitions stay as they are written elsewhere. Who converts by other means leaves the component out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.webhooks.configurations import CONVERT, client_config
from validation_gen.emit.webhooks.kinds import Resource
from validation_gen.emit.webhooks.kustomize import component, patch
from validation_gen.emit.webhooks.settings import WebhookSettings


def conversions(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, dict[str, Any]]:
    """The files of the component, a patch for each definition, all of which must be there."""
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
