"""Runs all checks of one admission policy or binding, as when it is created. This module contains none itself."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import GROUP, KINDS, PolicyError, read_binding, read_policy

BINDING = "Binding"


def is_policy(obj: Any) -> bool:
    """Returns whether an object has the kind of a policy or a binding, in any version."""
    version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
    return isinstance(version, str) and version.startswith(f"{GROUP}/") and isinstance(kind, str) and kind in KINDS


def problems(obj: dict[str, Any], *, minor: int = NEWEST) -> list[tuple[str, str]]:
    """Returns the API server's errors for an object that `is_policy`: path and text.

    Expressions may use the functions of 1.`minor`, the release before the server's. A reading error hides all others,
    and has no path.
    """
    try:
        if obj["kind"].endswith(BINDING):
            errors = binding_errors(read_binding(obj))
        else:
            errors = policy_errors(read_policy(obj), minor=minor)
    except PolicyError as problem:
        return [("", str(problem))]
    return [(error.field, str(error)) for error in errors]
