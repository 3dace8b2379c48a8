"""What the `scale` subresource asks of the places where it finds the numbers of replicas.

Source of the behaviour: `ValidateScaleSpec` and `ValidateScaleStatus` in `pkg/registry/customresource/validator.go` of
`k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel.data import go_type
from validation_gen.kubernetes.crd.definition import Scale
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import render_bad_value

_MOST = (1 << 31) - 1
_MISSING = object()


def scale_errors(obj: dict[str, Any], scale: Scale | None, *, only_status: bool = False) -> list[FieldError]:
    """What is wrong with the numbers of replicas, and with the label selector."""
    if scale is None:
        return []
    errors = [] if only_status else _replicas(obj, scale.spec_replicas)
    errors += _replicas(obj, scale.status_replicas)
    if scale.label_selector is not None:
        _, problem = _found(obj, scale.label_selector, str)
        if problem:
            errors.append(_invalid(scale.label_selector, "", problem))
    return errors


def _replicas(obj: dict[str, Any], path: str) -> list[FieldError]:
    value, problem = _found(obj, path, int)
    if problem:
        return [_invalid(path, 0, problem)]
    if value is _MISSING:
        return []
    if value < 0:
        return [_invalid(path, value, "should be a non-negative integer")]
    if value > _MOST:
        return [_invalid(path, value, f"should be less than or equal to {_MOST}")]
    return []


def _invalid(path: str, value: Any, detail: str) -> FieldError:
    return FieldError(ErrorType.INVALID, value, detail, "", f".{path}")  # the server shows the dot before the path


def _found(obj: dict[str, Any], path: str, wanted: type) -> tuple[Any, str]:
    """What stands at a path such as `.spec.replicas`, or why it cannot be had."""
    names = path.removeprefix(".").split(".")
    value: Any = obj
    for index, name in enumerate(names):
        if value is None:
            return _MISSING, ""
        if not isinstance(value, dict):
            at = "." + ".".join(names[: index + 1])
            return (
                None,
                f"{at} accessor error: {_shown(value)} is of the type {_go(value)}, expected map[string]interface{{}}",
            )
        if name not in value:
            return _MISSING, ""
        value = value[name]
    if type(value) is not wanted:
        expected = "int64" if wanted is int else "string"
        return (
            None,
            f".{'.'.join(names)} accessor error: {_shown(value)} is of the type {_go(value)}, expected {expected}",
        )
    return value, ""


def _go(value: Any) -> str:
    return "<nil>" if value is None else go_type(value)


def _shown(value: Any) -> str:
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return render_bad_value(value, json_string=False)
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{_shown(item)}' for key, item in sorted(value.items()))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_shown, value))}]"
    return str(value)
