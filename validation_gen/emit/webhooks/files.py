"""All files of a webhook by path: a base of kustomize at the top, and components below it.

The base runs the server as a Deployment, which needs no permissions. The component `cert-manager` has its certificate
made and its authority written into the configurations and definitions, by which the API server knows the server.
Another component patches definitions of kinds with several versions to convert by the server: projects with another
conversion omit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.emit.text import render_template
from validation_gen.emit.webhooks import WebhookSettings, kinds
from validation_gen.emit.webhooks.kinds import CONVERT, Resource, client_config


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
    """Returns an inline patch of one object. Tools that read all files would take a patch file for a manifest."""
    return {"patch": as_yaml(change, marker=None)}


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
    of_authority = {
        "commonName": authority,
        "duration": "87600h0m0s",
        "isCA": True,
        "issuerRef": {"kind": "Issuer", "name": root},
        "privateKey": {"algorithm": "ECDSA", "size": 256},
        "secretName": authority,
    }
    of_server = {
        "dnsNames": [settings.host, f"{settings.host}.cluster.local"],
        "issuerRef": {"kind": "Issuer", "name": settings.name},
        "privateKey": {"algorithm": "ECDSA", "rotationPolicy": "Always", "size": 256},
        "secretName": settings.secret,
        "usages": ["digital signature", "server auth"],
    }
    files = {
        "root.yaml": _object(_MANAGER, "Issuer", settings, root, spec={"selfSigned": {}}),
        "authority.yaml": _object(_MANAGER, "Certificate", settings, authority, spec=of_authority),
        "issuer.yaml": _object(_MANAGER, "Issuer", settings, spec={"ca": {"secretName": authority}}),
        "certificate.yaml": _object(_MANAGER, "Certificate", settings, spec=of_server),
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


def _exactly(name: str) -> str:
    """Returns a name as a selector of kustomize has it, which is a pattern."""
    return "^" + name.replace(".", "\\.") + "$"


#: Directory of the certificate in a container.
CERTIFICATES = "/certificates"
#: Directory of the types in a container, which is the working directory of the server.
TYPES = "/types"
#: A user that no image knows, and that is not root.
USER = 65532
#: Seconds until the server is killed. It still answers for 5 seconds, until clients stop, and takes 10 for pending
#: requests: it needs no hook.
GRACE = 30


def command(settings: WebhookSettings, types: list[str]) -> list[str]:
    """Returns the command of the container."""
    return [
        *("validation-gen", "webhook", "serve", *types),
        *("--host", "0.0.0.0"),  # noqa: S104 - a container of its own, behind a NetworkPolicy
        *("--port", str(settings.port)),
        *("--tls-cert", f"{CERTIFICATES}/tls.crt"),
        *("--tls-key", f"{CERTIFICATES}/tls.key"),
        *settings.arguments,
    ]


def objects(settings: WebhookSettings, types: list[str]) -> dict[str, dict[str, Any]]:
    """Returns the objects by the names of their files, in the order in which they are applied."""
    service = {
        "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": "https"}],
        "selector": settings.labels,
    }
    budget = {
        "maxUnavailable": 1,
        "selector": {"matchLabels": settings.labels},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
    return {
        "namespace.yaml": _namespace(settings),
        "serviceaccount.yaml": _object("v1", "ServiceAccount", settings, automountServiceAccountToken=False),
        "service.yaml": _object("v1", "Service", settings, spec=service),
        "deployment.yaml": _deployment(settings, types),
        "networkpolicy.yaml": _network_policy(settings),
        "poddisruptionbudget.yaml": _object("policy/v1", "PodDisruptionBudget", settings, spec=budget),
    }


def _object(version: str, kind: str, settings: WebhookSettings, name: str = "", **parts: Any) -> dict[str, Any]:
    """Returns an object in the namespace of the server; without another name it has that of the server."""
    metadata = {"labels": settings.labels, "name": name or settings.name, "namespace": settings.namespace}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **parts}


def _namespace(settings: WebhookSettings) -> dict[str, Any]:
    labels = settings.labels | {"pod-security.kubernetes.io/enforce": "restricted"}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"labels": labels, "name": settings.namespace}}


def _network_policy(settings: WebhookSettings) -> dict[str, Any]:
    """Returns the network policy.

    The API server has no label for a selector, so all may connect; the server itself opens no connection.
    """
    spec = {
        "egress": [],
        "ingress": [{"ports": [{"port": "https", "protocol": "TCP"}]}],
        "podSelector": {"matchLabels": settings.labels},
        "policyTypes": ["Ingress", "Egress"],
    }
    return _object("networking.k8s.io/v1", "NetworkPolicy", settings, spec=spec)


def _deployment(settings: WebhookSettings, types: list[str]) -> dict[str, Any]:
    spread = {
        "labelSelector": {"matchLabels": settings.labels},
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
    }
    pod = {
        "automountServiceAccountToken": False,
        "containers": [_container(settings, types)],
        "enableServiceLinks": False,
        "securityContext": {
            "fsGroup": USER,
            "runAsGroup": USER,
            "runAsNonRoot": True,
            "runAsUser": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "serviceAccountName": settings.name,
        "terminationGracePeriodSeconds": GRACE,
        "topologySpreadConstraints": [spread],
        "volumes": [
            {"name": "certificates", "secret": {"defaultMode": 0o440, "secretName": settings.secret}},
            {"emptyDir": {"sizeLimit": "16Mi"}, "name": "tmp"},  # for communication between processes
        ],
    }
    spec = {
        "replicas": settings.replicas,
        "selector": {"matchLabels": settings.labels},
        "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}, "type": "RollingUpdate"},
        "template": {"metadata": {"labels": settings.labels}, "spec": pod},
    }
    return _object("apps/v1", "Deployment", settings, spec=spec)


def _container(settings: WebhookSettings, types: list[str]) -> dict[str, Any]:
    def probe(path: str, **more: int) -> dict[str, Any]:
        return {**more, "httpGet": {"path": path, "port": "https", "scheme": "HTTPS"}, "timeoutSeconds": 5}

    return {
        "name": "webhook",
        "image": settings.image,
        "command": command(settings, types),
        "workingDir": TYPES,
        "ports": [{"containerPort": settings.port, "name": "https", "protocol": "TCP"}],
        "startupProbe": probe("/livez", failureThreshold=30, periodSeconds=2),
        "livenessProbe": probe("/livez", failureThreshold=3, periodSeconds=10),
        "readinessProbe": probe("/readyz", failureThreshold=1, periodSeconds=5),
        "resources": {"limits": {"memory": "512Mi"}, "requests": {"cpu": "50m", "memory": "128Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": [
            {"mountPath": CERTIFICATES, "name": "certificates", "readOnly": True},
            {"mountPath": "/tmp", "name": "tmp"},  # noqa: S108 - of the container
        ],
    }


def conversions(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, dict[str, Any]]:
    """Returns the files of the component, a patch for each definition, all of which must exist."""
    webhook = {"clientConfig": client_config(settings, CONVERT), "conversionReviewVersions": ["v1"]}
    patches = [
        patch(
            {
                "apiVersion": "apiextensions.k8s.io/v1",
                "kind": _DEFINITION,
                "metadata": {"name": resource.name},
                "spec": {"conversion": {"strategy": "Webhook", "webhook": webhook}},
            }
        )
        for resource in resources
    ]
    return {"kustomization.yaml": component(patches=patches)}


def manifests(resources: list[Resource], settings: WebhookSettings, types: list[str]) -> dict[str, dict[str, Any]]:
    """Returns the objects by path, for at least one resource. `types` are the paths that the server reads."""
    found = objects(settings, types)
    asked = {"validatingwebhookconfiguration.yaml": kinds.validating(resources, settings)}
    defaults = kinds.mutating(resources, settings)
    if defaults is not None:
        asked["mutatingwebhookconfiguration.yaml"] = defaults
    found |= asked
    found["kustomization.yaml"] = base(list(found))
    known = list(asked.values())
    below = {"cert-manager": cert_manager(known, resources, settings)}
    converted = [resource for resource in resources if resource.is_converted]
    if converted:
        below["conversion"] = conversions(converted, settings)
    for directory, files in below.items():
        found |= {f"{directory}/{name}": obj for name, obj in files.items()}
    return found


def as_files(
    objects: Mapping[str, dict[str, Any]], settings: WebhookSettings, types: list[str], copied: list[str]
) -> dict[str, str]:
    """Returns the objects as YAML, and the Dockerfile of an image with the `copied` files and directories."""
    found = {path: as_yaml(obj) for path, obj in objects.items()}
    found["Dockerfile"] = render_template(
        "webhooks/Dockerfile.j2",
        command=command(settings, types),
        directory=TYPES,
        port=settings.port,
        copied=copied,
        user=USER,
    )
    return found
