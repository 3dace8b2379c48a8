"""Go types that configurations of webhooks are decoded into: names, kinds, fields.

Follows `types.go` of `k8s.io/api/admissionregistration/v1`. This module does not validate values.
"""

from __future__ import annotations

from validation_gen.kubernetes.crd.gotypes import (
    CLIENT,
    INT32,
    OBJECT_META,
    STRING,
    STRING_MAP,
    STRINGS,
    GoType,
    ListOf,
    Scalar,
    Struct,
)

_REQUIREMENT = Struct(
    "v1.LabelSelectorRequirement",
    {"key": STRING, "operator": Scalar("v1.LabelSelectorOperator", "string"), "values": STRINGS},
)
_SELECTOR = Struct(
    "v1.LabelSelector",
    {"matchLabels": STRING_MAP, "matchExpressions": ListOf(_REQUIREMENT, "[]v1.LabelSelectorRequirement")},
)
_RULE = Struct(
    "v1.RuleWithOperations",
    {
        "operations": ListOf(Scalar("v1.OperationType", "string"), "[]v1.OperationType"),
        **dict.fromkeys(("apiGroups", "apiVersions", "resources"), STRINGS),
        "scope": Scalar("v1.ScopeType", "string"),
    },
)
_CONDITION = Struct("v1.MatchCondition", {"name": STRING, "expression": STRING})


def _webhook(name: str, **more: GoType) -> Struct:
    return Struct(
        name,
        {
            "name": STRING,
            "clientConfig": CLIENT,
            "rules": ListOf(_RULE, "[]v1.RuleWithOperations"),
            "failurePolicy": Scalar("v1.FailurePolicyType", "string"),
            "matchPolicy": Scalar("v1.MatchPolicyType", "string"),
            **dict.fromkeys(("namespaceSelector", "objectSelector"), _SELECTOR),
            "sideEffects": Scalar("v1.SideEffectClass", "string"),
            "timeoutSeconds": INT32,
            "admissionReviewVersions": STRINGS,
            "matchConditions": ListOf(_CONDITION, "[]v1.MatchCondition"),
            **more,
        },
    )


def _configuration(name: str, webhook: Struct) -> Struct:
    return Struct(
        name,
        {
            **dict.fromkeys(("apiVersion", "kind"), STRING),
            "metadata": OBJECT_META,
            "webhooks": ListOf(webhook, f"[]{webhook.name}"),
        },
    )


VALIDATING, MUTATING = "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"
#: The types by the kinds of configurations.
CONFIGURATIONS = {
    VALIDATING: _configuration(f"v1.{VALIDATING}", _webhook("v1.ValidatingWebhook")),
    MUTATING: _configuration(
        f"v1.{MUTATING}",
        _webhook("v1.MutatingWebhook", reinvocationPolicy=Scalar("v1.ReinvocationPolicyType", "string")),
    ),
}
