"""The handwritten checks that Kubernetes has for its own types, by the names in its tags.

Source of the behaviour: `pkg/apis/core/v1` and `pkg/apis/lifecycle/v1alpha1` of kubernetes/kubernetes, and
`pkg/apis/meta/v1/validation` of k8s.io/apimachinery.
"""

# ruff: noqa: ARG001, N802 - names and parameters are upstream's convention

from __future__ import annotations

from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.wire import WIRE

_RESERVED_DOMAINS = (".k8s.io", ".kubernetes.io")
_RESERVED_PRIORITIES = range(1000)


def ValidateCustom_Condition_LastTransitionTime(value: Any, old: Any, op: Operation) -> list[FieldError]:
    """Requires the time of a condition's last change."""
    return [FieldError(ErrorType.REQUIRED)] if WIRE["time"].is_zero(value) else []


def ValidateCustom_EvictionResponder_Name(value: Any, old: Any, op: Operation) -> list[FieldError]:
    """Reserves names under the domains of Kubernetes."""
    return _reserved_domain(value)


def ValidateCustom_EvictionResponder_Priority(value: Any, old: Any, op: Operation) -> list[FieldError]:
    """Reserves the lowest priorities for responders of Kubernetes, of which there are none yet."""
    if value not in _RESERVED_PRIORITIES:
        return []
    detail = "priorities 0-999 are reserved for responders with *.k8s.io suffix"
    return [FieldError(ErrorType.INVALID, value, detail)]


def ValidateCustom_EvictionRequestSpec_Requester(value: Any, old: Any, op: Operation) -> list[FieldError]:
    """Reserves names under the domains of Kubernetes."""
    return _reserved_domain(value)


def _reserved_domain(value: Any) -> list[FieldError]:
    if value is None:
        return []
    domain = value.partition("/")[0].lower().strip().rstrip(".")
    if not domain.endswith(_RESERVED_DOMAINS) and f".{domain}" not in _RESERVED_DOMAINS:
        return []
    shown = ", ".join(f"*{suffix}" for suffix in _RESERVED_DOMAINS)
    return [FieldError(ErrorType.INVALID, value, f"domain names {shown} are reserved", json_string=False)]
