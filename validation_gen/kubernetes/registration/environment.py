"""What the expressions of admission may name: the objects of a request, the request itself, and the authorizer.

Source of the behaviour: `pkg/admission/plugin/cel/compile.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from functools import cache

from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.cel.declarations import functions
from validation_gen.kubernetes.cel.environment import Environment
from validation_gen.kubernetes.cel.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Type,
    list_of,
    map_of,
    object_type,
)

_STRINGS, _STRING_MAP = list_of(STRING), map_of(STRING, STRING)
_REQUEST, _KIND, _RESOURCE, _USER, _NAMESPACE = (
    object_type(f"kubernetes.{name}")
    for name in ("AdmissionRequest", "GroupVersionKind", "GroupVersionResource", "UserInfo", "Namespace")
)
_OBJECTS: dict[str, dict[str, Type]] = {
    _REQUEST.name: {
        **dict.fromkeys(("kind", "requestKind"), _KIND),
        **dict.fromkeys(("resource", "requestResource"), _RESOURCE),
        **dict.fromkeys(("subResource", "requestSubResource", "name", "namespace", "operation"), STRING),
        "userInfo": _USER,
        "dryRun": BOOL,
        "options": DYN,
    },
    _KIND.name: dict.fromkeys(("group", "version", "kind"), STRING),
    _RESOURCE.name: dict.fromkeys(("group", "version", "resource"), STRING),
    _USER.name: {
        **dict.fromkeys(("username", "uid"), STRING),
        "groups": _STRINGS,
        "extra": map_of(STRING, _STRINGS),
    },
    _NAMESPACE.name: {
        "metadata": object_type("kubernetes.NamespaceMetadata"),
        "spec": object_type("kubernetes.NamespaceSpec"),
        "status": object_type("kubernetes.NamespaceStatus"),
    },
    "kubernetes.NamespaceMetadata": {
        **dict.fromkeys(("name", "generateName", "namespace", "UID", "resourceVersion"), STRING),
        **dict.fromkeys(("labels", "annotations"), _STRING_MAP),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), TIMESTAMP),
        **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), INT),
        "finalizers": _STRINGS,
    },
    "kubernetes.NamespaceSpec": {"finalizers": _STRINGS},
    "kubernetes.NamespaceStatus": {
        "conditions": list_of(object_type("kubernetes.NamespaceCondition")),
        "phase": STRING,
    },
    "kubernetes.NamespaceCondition": {
        **dict.fromkeys(("status", "type", "message", "reason"), STRING),
        "lastTransitionTime": TIMESTAMP,
    },
}
_VARIABLES: dict[str, Type] = {
    **dict.fromkeys(("object", "oldObject"), DYN),
    "namespaceObject": _NAMESPACE,
    "request": _REQUEST,
    "authorizer": object_type("kubernetes.authorization.Authorizer"),
    "authorizer.requestResource": object_type("kubernetes.authorization.ResourceCheck"),
}


@cache
def admission_environment(minor: int = NEWEST) -> Environment:
    """Names as a condition sees them. It may use what 1.`minor` knows, the release before the server's."""
    return Environment(_VARIABLES, functions(minor), _OBJECTS)
