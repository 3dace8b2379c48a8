"""The objects that are validated: a small custom resource and a Deployment, right, wrong, and changed by one value.

Nothing here knows a validator. Every function gives new objects, so that no contender can have seen them before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

JSON: TypeAlias = Any
Path: TypeAlias = Sequence[str | int]
Edits: TypeAlias = Sequence[tuple[Path, Any]]

#: Stands for "take this away".
GONE = object()


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind with the objects of all cases.

    Attributes:
        key: the name in results.
        title: the name in tables.
        api_version: of the kind.
        kind: the name of the kind.
        build: makes the valid object.
        one: the edit that makes one error.
        ten: edits that make ten errors, of which some are wrong types.
        ten_typed: edits that make ten errors, all of them on values of the right type.
        change: the edit of an update that changes one value.
        options: the feature switches of requests.
        is_drawn: whether others know all rules, so that objects can be drawn by them.
    """

    key: str
    title: str
    api_version: str
    kind: str
    build: Callable[[], JSON]
    one: tuple[Path, Any]
    ten: Edits
    ten_typed: Edits
    change: tuple[Path, Any]
    options: Mapping[str, bool] | None = None
    is_drawn: bool = True


def brew() -> JSON:
    """A small custom resource with 22 values."""
    return {
        "apiVersion": "brews.example.com/v1",
        "kind": "Brew",
        "metadata": {"name": "winter-porter", "namespace": "cellar", "labels": {"season": "winter"}},
        "spec": {
            "style": "Porter",
            "tank": "tank-7",
            "note": "Mashed on a Tuesday, as every year.",
            "liters": 1200,
            "organic": True,
            "malts": [
                {"name": "pale", "percent": 70},
                {"name": "brown", "percent": 20},
                {"name": "black", "percent": 10},
            ],
            "batchLabels": {"yeast": "s-04", "water": "soft", "shift": "early"},
            "boil": {"minutes": 75, "hops": ["fuggles", "goldings"]},
        },
    }


def _resources(cpu: str, memory: str) -> JSON:
    return {"requests": {"cpu": cpu, "memory": memory}, "limits": {"cpu": "1", "memory": "1Gi"}}


def _probe(path: str, port: str, period: int) -> JSON:
    return {"httpGet": {"path": path, "port": port}, "periodSeconds": period, "failureThreshold": 3}


def _environment() -> JSON:
    return [
        {"name": "LOG_LEVEL", "value": "info"},
        {"name": "LISTEN", "value": ":8080"},
        {"name": "DATABASE", "value": "orders"},
        {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "orders-db", "key": "password"}}},
        {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
        {"name": "FLAGS", "valueFrom": {"configMapKeyRef": {"name": "orders", "key": "flags"}}},
    ]


def _containers() -> list[JSON]:
    return [
        {
            "name": "orders",
            "image": "registry.example.com/shop/orders:2.14.0",
            "args": ["--config=/etc/orders/config.yaml", "--shutdown-delay=5s"],
            "ports": [
                {"name": "http", "containerPort": 8080, "protocol": "TCP"},
                {"name": "metrics", "containerPort": 9090, "protocol": "TCP"},
            ],
            "env": _environment(),
            "resources": _resources("250m", "256Mi"),
            "volumeMounts": [
                {"name": "config", "mountPath": "/etc/orders", "readOnly": True},
                {"name": "cache", "mountPath": "/var/cache/orders"},
                {"name": "certificates", "mountPath": "/etc/tls", "readOnly": True},
            ],
            "livenessProbe": _probe("/healthz", "http", 20),
            "readinessProbe": _probe("/readyz", "http", 5),
            "startupProbe": _probe("/readyz", "http", 1),
            "lifecycle": {"preStop": {"exec": {"command": ["/bin/sleep", "5"]}}},
            "imagePullPolicy": "IfNotPresent",
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
        },
        {
            "name": "proxy",
            "image": "registry.example.com/mesh/proxy:1.22.3",
            "ports": [{"name": "proxy", "containerPort": 15001, "protocol": "TCP"}],
            "env": [{"name": "MESH", "value": "shop"}, {"name": "DRAIN", "value": "10s"}],
            "resources": _resources("100m", "128Mi"),
            "volumeMounts": [{"name": "certificates", "mountPath": "/etc/tls", "readOnly": True}],
            "livenessProbe": _probe("/alive", "proxy", 10),
            "readinessProbe": _probe("/ready", "proxy", 2),
            "imagePullPolicy": "IfNotPresent",
            "securityContext": {"runAsUser": 1337, "runAsGroup": 1337},
        },
        {
            "name": "exporter",
            "image": "registry.example.com/tools/exporter:0.9.1",
            "args": ["--target=localhost:8080"],
            "ports": [{"name": "exporter", "containerPort": 9100, "protocol": "TCP"}],
            "env": [{"name": "INTERVAL", "value": "15s"}],
            "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}},
            "readinessProbe": _probe("/metrics", "exporter", 15),
            "imagePullPolicy": "IfNotPresent",
        },
        {
            "name": "log-shipper",
            "image": "registry.example.com/tools/shipper:3.1.0",
            "args": ["--from=/var/cache/orders", "--to=logs.example.com"],
            "env": [{"name": "BATCH", "value": "500"}],
            "resources": {"limits": {"cpu": "200m", "memory": "64Mi"}},
            "volumeMounts": [{"name": "cache", "mountPath": "/var/cache/orders", "readOnly": True}],
            "terminationMessagePolicy": "FallbackToLogsOnError",
            "imagePullPolicy": "Always",
        },
    ]


def _scheduling() -> JSON:
    labels = {"matchLabels": {"app.kubernetes.io/name": "orders"}}
    arm = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64", "arm64"]}
    near = {"labelSelector": labels, "topologyKey": "kubernetes.io/hostname"}
    return {
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [arm]}]}
            },
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 50, "podAffinityTerm": near}]
            },
        },
        "tolerations": [{"key": "shop.example.com/dedicated", "operator": "Exists", "effect": "NoSchedule"}],
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "topology.kubernetes.io/zone",
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": labels,
            }
        ],
    }


def deployment() -> JSON:
    """A Deployment with four containers and 161 values, as a service in a shop would have it."""
    labels = {"app.kubernetes.io/name": "orders", "app.kubernetes.io/part-of": "shop"}
    pod = {
        "containers": _containers(),
        "volumes": [
            {"name": "config", "configMap": {"name": "orders", "defaultMode": 420}},
            {"name": "cache", "emptyDir": {"sizeLimit": "2Gi"}},
            {
                "name": "certificates",
                "secret": {"secretName": "orders-tls", "items": [{"key": "tls.crt", "path": "cert.pem", "mode": 256}]},
            },
        ],
        "restartPolicy": "Always",
        "dnsPolicy": "ClusterFirst",
        "schedulerName": "default-scheduler",
        "serviceAccountName": "orders",
        "terminationGracePeriodSeconds": 30,
        "securityContext": {"runAsNonRoot": True, "fsGroup": 2000, "seccompProfile": {"type": "RuntimeDefault"}},
        "imagePullSecrets": [{"name": "registry"}],
        **_scheduling(),
    }
    copied: JSON = json.loads(
        json.dumps(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {
                    "name": "orders",
                    "namespace": "shop",
                    "labels": labels,
                    "annotations": {"example.com/owner": "team-orders"},
                },
                "spec": {
                    "replicas": 3,
                    "minReadySeconds": 5,
                    "revisionHistoryLimit": 5,
                    "progressDeadlineSeconds": 300,
                    "selector": {"matchLabels": {"app.kubernetes.io/name": "orders"}},
                    "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}},
                    "template": {
                        "metadata": {"labels": labels, "annotations": {"example.com/scrape": "true"}},
                        "spec": pod,
                    },
                },
            }
        )
    )
    return copied


_POD: Path = ("spec", "template", "spec")
_FIRST: Path = (*_POD, "containers", 0)

BREW = Subject(
    key="small",
    title="Small custom resource",
    api_version="brews.example.com/v1",
    kind="Brew",
    build=brew,
    one=(("spec", "liters"), 9000),
    ten=[
        (("metadata", "name"), "Winter Porter"),
        (("spec", "style"), "Wine"),
        (("spec", "tank"), GONE),
        (("spec", "note"), "x" * 300),
        (("spec", "liters"), "much"),
        (("spec", "organic"), "yes"),
        (("spec", "malts", 0, "percent"), 700),
        (("spec", "malts", 2, "name"), "brown"),
        (("spec", "batchLabels", "yeast"), "not a label"),
        (("spec", "boil", "minutes"), 0),
    ],
    ten_typed=[
        (("metadata", "name"), "Winter Porter"),
        (("spec", "style"), "Wine"),
        (("spec", "tank"), GONE),
        (("spec", "note"), "x" * 300),
        (("spec", "liters"), 9000),
        (("spec", "malts", 0, "percent"), 700),
        (("spec", "malts", 2, "name"), "brown"),
        (("spec", "batchLabels", "yeast"), "not a label"),
        (("spec", "batchLabels", "water"), "soft!"),
        (("spec", "boil", "minutes"), 0),
    ],
    change=(("spec", "note"), "Mashed on a Wednesday, for once."),
)

DEPLOYMENT = Subject(
    key="deployment",
    title="Deployment",
    api_version="apps/v1",
    kind="Deployment",
    build=deployment,
    one=((*_FIRST, "ports", 1, "containerPort"), 99090),
    ten=[
        (("metadata", "name"), "Orders_Service"),
        (("spec", "replicas"), "three"),
        (("spec", "strategy", "type"), "Rolling"),
        ((*_FIRST, "image"), "registry.example.com/" + "x" * 1100),
        ((*_FIRST, "ports", 1, "containerPort"), 99090),
        ((*_FIRST, "env", 2, "name"), "LISTEN"),
        ((*_FIRST, "livenessProbe", "httpGet", "port"), GONE),
        ((*_FIRST, "securityContext", "readOnlyRootFilesystem"), "true"),
        ((*_POD, "containers", 3, "imagePullPolicy"), "Sometimes"),
        ((*_POD, "affinity", "podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution", 0, "weight"), 500),
    ],
    ten_typed=[
        (("metadata", "name"), "Orders_Service"),
        (("spec", "replicas"), -3),
        (("spec", "strategy", "type"), "Rolling"),
        ((*_FIRST, "image"), "registry.example.com/" + "x" * 1100),
        ((*_FIRST, "ports", 1, "containerPort"), 99090),
        ((*_FIRST, "env", 2, "name"), "LISTEN"),
        ((*_FIRST, "livenessProbe", "httpGet", "port"), GONE),
        ((*_POD, "volumes", 1, "name"), "The Cache"),
        ((*_POD, "containers", 3, "imagePullPolicy"), "Sometimes"),
        ((*_POD, "affinity", "podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution", 0, "weight"), 500),
    ],
    change=((*_FIRST, "image"), "registry.example.com/shop/orders:2.15.0"),
)

SUBJECTS = (BREW, DEPLOYMENT)


def copy_of(obj: JSON) -> JSON:
    """A deep copy that shares nothing with the object, as if it had been sent."""
    return json.loads(json.dumps(obj))


def edited(obj: JSON, *edits: tuple[Path, Any]) -> JSON:
    """A copy with values replaced or taken away."""
    copy = copy_of(obj)
    for path, value in edits:
        *way, last = path
        place = copy
        for step in way:
            place = place[step]
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return copy


def leaves(value: JSON, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values that hold no others."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path


def keyed_list(size: int, first: int = 0) -> JSON:
    """A Deployment whose first container has that many variables, which are a list-map, with numbers from `first`."""
    obj = deployment()
    numbers = range(first, first + size)
    variables = [{"name": f"NAME_{number}", "value": f"value-{number}"} for number in numbers]
    obj["spec"]["template"]["spec"]["containers"][0]["env"] = variables
    return obj
