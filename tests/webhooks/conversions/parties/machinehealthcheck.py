"""MachineHealthCheck of Cluster API between v1beta1 and v1beta2, as its own functions convert it."""

from __future__ import annotations

import re
from typing import Any

from validation_gen.runtime.gotime import parse_duration
from validation_gen.webhooks.conversions import Apply, Conversion, Default, FieldOnlyIn, Move


def seconds(text: Any) -> int:
    """Whole seconds; what is no duration is none, as nothing of the kind can be stored by Go."""
    return min(max((parse_duration(text) or 0) // 10**9, 0), 2**31 - 1)


def duration(number: int) -> str:
    return f"{number}s"


_REFERENCE = {
    "apiVersion": r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z]([-a-z0-9]*[a-z0-9])?",
    "kind": r"[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?",
    "name": r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
}
_LONGEST = {"apiVersion": 317, "kind": 63, "name": 253}


def to_v1beta2(new: dict[str, Any], old: dict[str, Any]) -> None:
    """Drops what v1beta2 does not take."""
    remediation = new["spec"].get("remediation", {})
    template = remediation.get("templateRef", {})
    if any(
        not re.fullmatch(pattern, template.get(name, "")) or len(template[name]) > _LONGEST[name]
        for name, pattern in _REFERENCE.items()
    ):
        remediation.pop("templateRef", None)
    checks = new["spec"].get("checks", {})
    if checks.get("unhealthyNodeConditions") == []:
        del checks["unhealthyNodeConditions"]
    for name in ("remediation", "checks"):
        if new["spec"].get(name) == {}:
            del new["spec"][name]
    if new.get("status", {}).get("observedGeneration", 1) < 1:
        del new["status"]["observedGeneration"]
    if new.get("status") == {}:
        del new["status"]


MACHINE_HEALTH_CHECK = Conversion(
    "v1beta1",
    "v1beta2",
    kind="MachineHealthCheck",
    group="cluster.x-k8s.io",
    moves=[
        Move("spec.maxUnhealthy", "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo"),
        Move("spec.unhealthyRange", "spec.remediation.triggerIf.unhealthyInRange"),
        Move("spec.remediationTemplate.apiVersion", "spec.remediation.templateRef.apiVersion"),
        Move("spec.remediationTemplate.kind", "spec.remediation.templateRef.kind"),
        Move("spec.remediationTemplate.name", "spec.remediation.templateRef.name"),
        FieldOnlyIn("v1beta1", "spec.remediationTemplate"),
        Apply("spec.nodeStartupTimeout", seconds, duration, "spec.checks.nodeStartupTimeoutSeconds", exact=False),
        Move("spec.unhealthyConditions", "spec.checks.unhealthyNodeConditions"),
        Apply(
            "spec.unhealthyConditions[*].timeout",
            seconds,
            duration,
            "spec.checks.unhealthyNodeConditions[*].timeoutSeconds",
            exact=False,
        ),
        Move("spec.unhealthyMachineConditions", "spec.checks.unhealthyMachineConditions"),
        Apply(
            "spec.unhealthyMachineConditions[*].timeout",
            seconds,
            duration,
            "spec.checks.unhealthyMachineConditions[*].timeoutSeconds",
            exact=False,
        ),
        Move("status.conditions", "status.deprecated.v1beta1.conditions"),
        Move("status.v1beta2.conditions", "status.conditions"),
        FieldOnlyIn("v1beta1", "status.v1beta2"),
        FieldOnlyIn("v1beta2", "status.deprecated"),
        Default("v1beta2", "spec.clusterName", "unknown"),
        Default("v1beta2", "spec.selector", {}),
    ],
    keeps=["spec.unhealthyConditions", "status.observedGeneration"],
    forward=to_v1beta2,
)
