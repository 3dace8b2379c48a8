"""Errors of the API server about the requests that a policy or a binding names."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.kubernetes.admission.rules import MATCH_POLICIES, rule_errors
from validation_gen.kubernetes.admission.selectors import selector_errors
from validation_gen.kubernetes.policies.reading import MatchResources
from validation_gen.runtime.errors import FieldError

_MUTATING = ("*", "CONNECT", "CREATE", "UPDATE")
_Errors = Iterator[FieldError]


def resource_errors(resources: MatchResources, path: str) -> _Errors:
    """Yields the errors of match resources."""
    if resources.match_policy not in MATCH_POLICIES:
        yield FieldError.not_supported(f"{path}.matchPolicy", resources.match_policy, MATCH_POLICIES)
    yield from selector_errors(resources.namespaces, f"{path}.namespaceSelector")
    yield from selector_errors(resources.objects, f"{path}.objectSelector")
    for i, rule in enumerate(resources.rules):
        yield from rule_errors(rule, f"{path}.resourceRules[{i}]")
    for i, rule in enumerate(resources.excluded):
        yield from rule_errors(rule, f"{path}.excludeResourceRules[{i}]")


def mutated_errors(resources: MatchResources, path: str) -> _Errors:
    """Yields the errors of operations without an object to change."""
    for rule in resources.rules:
        for operation in rule.operations:
            if operation not in _MUTATING:
                yield FieldError.not_supported(f"{path}.resourceRules.operations", operation, _MUTATING)
