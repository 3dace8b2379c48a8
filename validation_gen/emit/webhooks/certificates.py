"""The kustomize component `cert-manager`: cert-manager makes the server's certificate.

It also writes its authority into the configurations and definitions, by which the API server knows the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.webhooks.kinds import Resource
from validation_gen.emit.webhooks.kustomize import component, patch
from validation_gen.emit.webhooks.settings import WebhookSettings

_MANAGER = "cert-manager.io/v1"
_DEFINITION = "CustomResourceDefinition"


def cert_manager(
    configurations: Sequence[dict[str, Any]], resources: Sequence[Resource], settings: WebhookSettings
) -> dict[str, dict[str, Any]]:
    """Returns the files of the component for cert-manager.

    It makes a long-lived authority first: after each renewal, a self-signed certificate would be used before clients
    trust it.
    """
    root = f"{settings.name}-root"
    authority = f"{settings.name}-ca"
    files = {
        "root.yaml": _object("Issuer", root, settings, {"selfSigned": {}}),
        "authority.yaml": _object(
            "Certificate",
            authority,
            settings,
            {
                "commonName": authority,
                "duration": "87600h0m0s",
                "isCA": True,
                "issuerRef": {"kind": "Issuer", "name": root},
                "privateKey": {"algorithm": "ECDSA", "size": 256},
                "secretName": authority,
            },
        ),
        "issuer.yaml": _object("Issuer", settings.name, settings, {"ca": {"secretName": authority}}),
        "certificate.yaml": _object(
            "Certificate",
            settings.name,
            settings,
            {
                "dnsNames": [settings.host, f"{settings.host}.cluster.local"],
                "issuerRef": {"kind": "Issuer", "name": settings.name},
                "privateKey": {"algorithm": "ECDSA", "rotationPolicy": "Always", "size": 256},
                "secretName": settings.secret,
                "usages": ["digital signature", "server auth"],
            },
        ),
    }
    source = {"cert-manager.io/inject-ca-from": f"{settings.namespace}/{settings.name}"}
    targets = [(each["apiVersion"], each["kind"], each["metadata"]["name"]) for each in configurations]
    targets += [
        ("apiextensions.k8s.io/v1", _DEFINITION, resource.name) for resource in resources if resource.is_converted
    ]
    patches = [
        patch({"apiVersion": version, "kind": kind, "metadata": {"annotations": source, "name": name}})
        # By a target, as a definition need not be there.
        | {"target": {"kind": kind, "name": _exactly(name)}}
        for version, kind, name in targets
    ]
    files["kustomization.yaml"] = component(resources=list(files), patches=patches)
    return files


def _object(kind: str, name: str, settings: WebhookSettings, spec: dict[str, Any]) -> dict[str, Any]:
    metadata = {"labels": settings.labels, "name": name, "namespace": settings.namespace}
    return {"apiVersion": _MANAGER, "kind": kind, "metadata": metadata, "spec": spec}


def _exactly(name: str) -> str:
    """A name as a selector of kustomize has it, which is a pattern."""
    return "^" + name.replace(".", "\\.") + "$"
