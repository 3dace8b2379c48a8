"""Runs the server in a cluster: a Deployment and its surrounding objects. It needs no permissions."""

from __future__ import annotations

from typing import Any

from validation_gen.emit.webhooks.settings import WebhookSettings

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
        *("validation-gen", "serve", *types),
        *("--host", "0.0.0.0"),  # noqa: S104 - a container of its own, behind a NetworkPolicy
        *("--port", str(settings.port)),
        *("--tls-cert", f"{CERTIFICATES}/tls.crt"),
        *("--tls-key", f"{CERTIFICATES}/tls.key"),
        *settings.arguments,
    ]


def objects(settings: WebhookSettings, types: list[str]) -> dict[str, dict[str, Any]]:
    """Returns the objects by the names of their files, in the order in which they are applied."""
    return {
        "namespace.yaml": _namespace(settings),
        "serviceaccount.yaml": _object("v1", "ServiceAccount", settings) | {"automountServiceAccountToken": False},
        "service.yaml": _object("v1", "Service", settings)
        | {
            "spec": {
                "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": "https"}],
                "selector": settings.labels,
            }
        },
        "deployment.yaml": _deployment(settings, types),
        "networkpolicy.yaml": _network_policy(settings),
        "poddisruptionbudget.yaml": _object("policy/v1", "PodDisruptionBudget", settings)
        | {
            "spec": {
                "maxUnavailable": 1,
                "selector": {"matchLabels": settings.labels},
                "unhealthyPodEvictionPolicy": "AlwaysAllow",
            }
        },
    }


def _object(version: str, kind: str, settings: WebhookSettings) -> dict[str, Any]:
    metadata = {"labels": settings.labels, "name": settings.name, "namespace": settings.namespace}
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


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
    return _object("networking.k8s.io/v1", "NetworkPolicy", settings) | {"spec": spec}


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
    return _object("apps/v1", "Deployment", settings) | {"spec": spec}


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
