"""Decides which requests a policy, a binding or a webhook is about.

Sources of the behaviour: `pkg/admission/plugin/policy/matching` and `pkg/admission/plugin/webhook/predicates` of
`k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from validation_gen.kubernetes.admission.selectors import ResourceRule, is_empty, selects
from validation_gen.kubernetes.policies.reading import MatchResources
from validation_gen.kubernetes.policies.requests import GroupVersionResource, Request

GROUP = "admissionregistration.k8s.io"
POLICIES = (
    *("validatingadmissionpolicies", "validatingadmissionpolicybindings"),
    *("mutatingadmissionpolicies", "mutatingadmissionpolicybindings"),
)


def matches(resources: MatchResources | None, request: Request, *, needed: bool = False) -> bool:
    """Returns whether a request matches. Without resources every request does, unless they are `needed`."""
    return find_match(resources, request, needed=needed) is not None


def find_match(
    resources: MatchResources | None,
    request: Request,
    equivalents: Sequence[GroupVersionResource] = (),
    *,
    needed: bool = False,
) -> GroupVersionResource | None:
    """Returns the resource as which a request matches: its own or an equivalent one; None if it does not match.

    Args:
        resources: the requests to match; without them every request matches, unless they are `needed`.
        request: the request.
        equivalents: the same resource in other versions, for the match policy `Equivalent`.
        needed: whether rules are needed for a match.
    """
    own = request.resource
    if resources is None:
        return None if needed else own
    if own.group == GROUP and own.resource in POLICIES:
        return None  # so that a policy cannot block its own repair
    if not _namespaces(resources.namespaces, request) or not _objects(resources.objects, request):
        return None
    known = equivalents if resources.match_policy == "Equivalent" else ()
    if _find_rule(resources.excluded, request, known) is not None:
        return None
    if not resources.rules:
        return None if needed else own
    return _find_rule(resources.rules, request, known)


def _find_rule(
    rules: Sequence[ResourceRule], request: Request, equivalents: Sequence[GroupVersionResource]
) -> GroupVersionResource | None:
    if any(_rule_matches(rule, request) for rule in rules):
        return request.resource
    others = [replace(request, resource=each) for each in equivalents if each != request.resource]
    return next((other.resource for rule in rules for other in others if _rule_matches(rule, other)), None)


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
