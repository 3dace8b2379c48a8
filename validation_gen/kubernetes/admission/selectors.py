"""Label selectors, and the requests that a webhook, a policy or a binding names, with the errors of the API server.

Sources of the behaviour: `pkg/apis/meta/v1/validation` and `pkg/labels` of `k8s.io/apimachinery`, and `validateRule` in
`pkg/apis/admissionregistration/validation` of Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.runtime import names
from validation_gen.runtime.errors import FieldError

_WITH_VALUES, _WITHOUT = ("In", "NotIn"), ("Exists", "DoesNotExist")


def selector_errors(selector: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yields the errors of a selector, which must have the form that `is_selector` checks."""
    for key, value in (selector.get("matchLabels") or {}).items():
        for problem in names.label_key(key):
            yield FieldError.invalid(f"{path}.matchLabels", key, problem)
        for problem in names.label_value(value):
            yield FieldError.invalid(f"{path}.matchLabels", value, problem)
    for i, requirement in enumerate(selector.get("matchExpressions") or ()):
        yield from _requirement(requirement, f"{path}.matchExpressions[{i}]")


def _requirement(requirement: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    key, operator = requirement.get("key") or "", requirement.get("operator") or ""
    values = requirement.get("values") or []
    if operator in _WITH_VALUES and not values:
        yield FieldError.required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in _WITHOUT and values:
        yield FieldError.forbidden(
            f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        )
    elif operator not in _WITH_VALUES and operator not in _WITHOUT:
        yield FieldError.invalid(f"{path}.operator", operator, "not a valid selector operator")
    for problem in names.label_key(key):
        yield FieldError.invalid(f"{path}.key", key, problem)
    for i, value in enumerate(values):
        for problem in names.label_value(value):
            yield FieldError.invalid(f"{path}.values[{i}]", value, problem)


def is_selector(value: Any) -> bool:
    """Returns whether a value has the form of a selector, with strings where it needs them."""
    if not isinstance(value, Mapping):
        return False
    labels, expressions = value.get("matchLabels") or {}, value.get("matchExpressions") or []
    return (
        isinstance(labels, Mapping)
        and all(isinstance(each, str) for pair in labels.items() for each in pair)
        and isinstance(expressions, list)
        and all(map(_is_requirement, expressions))
    )


def _is_requirement(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    values = value.get("values") or []
    texts = (value.get("key") or "", value.get("operator") or "")
    return (
        all(isinstance(each, str) for each in texts)
        and isinstance(values, list)
        and all(isinstance(each, str) for each in values)
    )


def is_empty(selector: Mapping[str, Any]) -> bool:
    """Returns whether a selector has no requirements."""
    return not (selector.get("matchLabels") or selector.get("matchExpressions"))


def selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Returns whether a selector matches labels. An invalid requirement matches nothing."""
    wanted = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        _holds(each, labels) for each in selector.get("matchExpressions") or ()
    )


def _holds(requirement: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    key, values = requirement.get("key"), requirement.get("values") or []
    if not isinstance(key, str):
        return False
    match requirement.get("operator"):
        case "In":
            return key in labels and labels[key] in values
        case "NotIn":
            return key not in labels or labels[key] not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    return False


MATCH_POLICIES = ("Equivalent", "Exact")
_OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_SCOPES = ("*", "Cluster", "Namespaced")
_Errors = Iterator[FieldError]


@dataclass(frozen=True, slots=True)
class ResourceRule:
    """Requests, by operation and resource. Rules of webhooks have no `names`."""

    operations: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    scope: str = "*"
    names: tuple[str, ...] = ()


def rule_errors(rule: ResourceRule, path: str) -> _Errors:
    """Yields the errors of a rule."""
    seen: set[str] = set()
    for i, name in enumerate(rule.names):
        for problem in names.path_segment(name):
            yield FieldError.invalid(f"{path}.resourceNames[{i}]", name, problem)
        if name in seen:
            yield FieldError.duplicate(f"{path}.resourceNames[{i}]", name)
        seen.add(name)
    yield from _alone(rule.operations, f"{path}.operations", "operations")
    for i, operation in enumerate(rule.operations):
        if operation not in _OPERATIONS:
            yield FieldError.not_supported(f"{path}.operations[{i}]", operation, _OPERATIONS)
    yield from _alone(rule.groups, f"{path}.apiGroups", "API groups")
    yield from _alone(rule.versions, f"{path}.apiVersions", "API versions")
    for i, version in enumerate(rule.versions):
        if not version:
            yield FieldError.required(f"{path}.apiVersions[{i}]")
    yield from _resources(rule.resources, f"{path}.resources")
    if rule.scope not in _SCOPES:
        yield FieldError.not_supported(f"{path}.scope", rule.scope, _SCOPES)


def _alone(values: Sequence[str], path: str, what: str) -> _Errors:
    if not values:
        yield FieldError.required(path)
    if len(values) > 1 and "*" in values:
        yield FieldError.invalid(path, [*values], f"if '*' is present, must not specify other {what}")


def _resources(resources: Sequence[str], path: str) -> _Errors:
    if not resources:
        yield FieldError.required(path)
    all_subresources: set[str] = set()
    of_all: set[str] = set()
    plain = False
    for i, text in enumerate(resources):
        if not text:
            yield FieldError.required(f"{path}[{i}]")
            continue
        resource, slash, subresource = text.partition("/")
        if not slash:
            plain = text != "*"  # of several, the server uses only the last
            continue
        if resource in all_subresources:
            detail = f"if '{resource}/*' is present, must not specify {text}"
            yield FieldError.invalid(f"{path}[{i}]", text, detail)
        if subresource in of_all:
            detail = f"if '*/{subresource}' is present, must not specify {text}"
            yield FieldError.invalid(f"{path}[{i}]", text, detail)
        if subresource == "*":
            all_subresources.add(resource)
        if resource == "*":
            of_all.add(subresource)
    if len(resources) > 1 and "*/*" in resources:
        yield FieldError.invalid(path, [*resources], "if '*/*' is present, must not specify other resources")
    if "*" in resources and plain:
        detail = "if '*' is present, must not specify other resources without subresources"
        yield FieldError.invalid(path, [*resources], detail)
