"""Errors of the API server about the requests that a webhook, a policy or a binding names.

Source of the behaviour: `validateRule` and what it calls in `pkg/apis/admissionregistration/validation` of Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from validation_gen.runtime import names
from validation_gen.runtime.errors import FieldError

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
