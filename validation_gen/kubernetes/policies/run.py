"""All checks of one admission policy or binding, as when it is created. This module makes none itself."""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import GROUP, KINDS, PolicyError, read_binding, read_policy

BINDING = "Binding"


def is_policy(obj: Any) -> bool:
    """Whether an object says of itself that it is a policy or a binding, of whatever version."""
    version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
    return isinstance(version, str) and version.startswith(f"{GROUP}/") and isinstance(kind, str) and kind in KINDS


def problems(obj: dict[str, Any], *, minor: int = NEWEST) -> list[tuple[str, str]]:
    """What the API server has against an object that `is_policy`: each path, and what is said of it.

    Expressions may use what 1.`minor` knows, the release before the server's. What cannot be read hides all else, and
    has no path.
    """
    try:
        if obj["kind"].endswith(BINDING):
            errors = binding_errors(read_binding(obj))
        else:
            errors = policy_errors(read_policy(obj), minor=minor)
    except PolicyError as problem:
        return [("", str(problem))]
    return [(error.field, str(error)) for error in errors]
