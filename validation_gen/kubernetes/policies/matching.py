"""Matching of requests by a policy or a binding: resource, operation, name, scope and labels.

Equivalent versions of a resource are not known here: the request has to be in the version that a rule names. Source of
the behaviour: `pkg/admission/plugin/policy/matching` and `pkg/admission/plugin/webhook/predicates` of
`k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.admission.rules import ResourceRule
from validation_gen.kubernetes.admission.selectors import is_empty, selects
from validation_gen.kubernetes.policies.reading import MatchResources
from validation_gen.kubernetes.policies.requests import Request

_OWN_GROUP = "admissionregistration.k8s.io"
_OWN = ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
_OWN_MUTATING = ("mutatingadmissionpolicies", "mutatingadmissionpolicybindings")


def matches(resources: MatchResources | None, request: Request, *, needed: bool = False) -> bool:
    """Returns whether a request matches. Without resources every request does, unless they are `needed`."""
    if resources is None:
        return not needed
    if request.resource.group == _OWN_GROUP and request.resource.resource in (*_OWN, *_OWN_MUTATING):
        return False  # so that a policy cannot block its own repair
    if any(_rule_matches(rule, request) for rule in resources.excluded):
        return False
    if resources.rules and not any(_rule_matches(rule, request) for rule in resources.rules):
        return False
    if not resources.rules and needed:
        return False
    return _namespaces(resources.namespaces, request) and _objects(resources.objects, request)


def _rule_matches(rule: ResourceRule, request: Request) -> bool:
    resource = request.resource
    return (
        _has(rule.operations, request.operation)
        and _has(rule.groups, resource.group)
        and _has(rule.versions, resource.version)
        and _scope(rule.scope, request)
        and any(_resource(each, request) for each in rule.resources)
        and (not rule.names or request.name in rule.names)
    )


def _has(values: Sequence[str], value: str) -> bool:
    return value in values or "*" in values


def _scope(scope: str, request: Request) -> bool:
    if scope == "*":
        return True
    is_namespace = request.resource.group == "" and request.resource.resource == "namespaces"
    namespaced = bool(request.namespace) and not is_namespace
    return namespaced == (scope == "Namespaced")


def _resource(text: str, request: Request) -> bool:
    resource, _, subresource = text.partition("/")
    return resource in ("*", request.resource.resource) and subresource in _subresources(text, request)


def _subresources(text: str, request: Request) -> tuple[str, ...]:
    return ("*", request.subresource) if "/" in text else (request.subresource,)


def _namespaces(selector: Mapping[str, Any], request: Request) -> bool:
    """Returns whether the labels of the namespace match; cluster-scoped objects always do."""
    if is_empty(selector):
        return True
    if request.resource.group == "" and request.resource.resource == "namespaces":
        return selects(selector, _labels(request.object if request.object is not None else request.old))
    if not request.namespace:
        return True
    known = _labels(request.namespace_object) if request.namespace_object is not None else {}
    return selects(selector, {"kubernetes.io/metadata.name": request.namespace} | known)


def _objects(selector: Mapping[str, Any], request: Request) -> bool:
    if is_empty(selector):
        return True
    return any(isinstance(each, Mapping) and selects(selector, _labels(each)) for each in (request.object, request.old))


def _labels(obj: Any) -> dict[str, str]:
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    labels = metadata.get("labels") if isinstance(metadata, Mapping) else None
    if not isinstance(labels, Mapping):
        return {}
    return {key: value for key, value in labels.items() if isinstance(key, str) and isinstance(value, str)}
