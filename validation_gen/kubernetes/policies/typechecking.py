"""Warnings of the API server's type checker: expressions that do not fit the schema of a kind that a policy matches.

They do not change what a policy does. Source of the behaviour: `pkg/admission/plugin/policy/validating/typechecking.go`
of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.admission.compiling import type_checked
from validation_gen.kubernetes.admission.environment import Names, typed
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.reading import Policy
from validation_gen.kubernetes.policies.requests import GroupVersionKind

#: Schemas of kinds, from their definitions.
Schemas = Mapping[GroupVersionKind, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ExpressionWarning:
    """An entry of `status.typeChecking.expressionWarnings`."""

    field: str
    warning: str


def type_warnings(
    policy: Policy, kinds: Schemas, *, params: Mapping[str, Any] | None = None
) -> list[ExpressionWarning]:
    """Returns the warnings of the type checker.

    Args:
        policy: the policy, which is checked with each kind.
        kinds: schemas of the kinds that the policy matches.
        params: the schema of its parameters, if it is known.
    """
    found: list[ExpressionWarning] = []
    names = [(kind, _names(policy, kind, schema, params)) for kind, schema in sorted(kinds.items(), key=_order)]
    for i, validation in enumerate(policy.validations):
        for name, text in (("expression", validation.expression), ("messageExpression", validation.message_expression)):
            if name == "messageExpression" and not text:
                continue
            problems = [_problem(kind, known, text) for kind, known in names]
            told = "\n".join(filter(None, problems))
            if told:
                found.append(ExpressionWarning(f"spec.validations[{i}].{name}", told))
    return found


def _order(pair: tuple[GroupVersionKind, Any]) -> tuple[str, str, str]:
    kind = pair[0]
    return kind.group, kind.version, kind.kind


def _names(
    policy: Policy, kind: GroupVersionKind, schema: Mapping[str, Any], params: Mapping[str, Any] | None
) -> Names:
    """Returns the names that expressions see, with the variables of the policy."""
    parameters = typed(params, policy.param_kind.kind) if params is not None and policy.param_kind is not None else None
    names = Names(
        policy.param_kind is not None,
        typed(schema, kind.kind),
        parameters,
        minor=NEWEST,
        stored=True,
    )
    for variable in policy.variables:
        checked, _ = type_checked(variable.expression, names.environment(), minor=names.minor)
        names.add(variable.name, checked.type if checked is not None else None)
    return names


def _problem(kind: GroupVersionKind, names: Names, text: str) -> str:
    _, problem = type_checked(text, names.environment(), minor=names.minor)
    version = f"{kind.group}/{kind.version}" if kind.group else kind.version
    return f"{version}, Kind={kind.kind}: {problem}\n" if problem else ""
