"""The `scale` subresource: checks of the replica paths, and conversion between objects and `Scale`.

Sources of the behaviour: `ValidateScaleSpec` and `ValidateScaleStatus` in `pkg/registry/customresource/validator.go` of
`k8s.io/apiextensions-apiserver`, and `ScaleREST` in `etcd.go` beside it.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.cel.data import go_type
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.definition import Scale
from validation_gen.kubernetes.crd.gotypes import SCALE
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.objects.outcome import DecodingError, UnsupportedRequestError
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_value

_MOST = (1 << 31) - 1
#: Number of replicas in an update of the scale that sets none.
_UNSET = -(1 << 31)
_MISSING = object()
_API_VERSION, _KIND = "autoscaling/v1", "Scale"
#: Fields of an object's metadata that its scale shows.
_SHOWN = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


class UnscalableError(Exception):
    """Replica path is missing or not a number; a server fails then, with this text."""


def scale_errors(obj: dict[str, Any], scale: Scale | None, *, only_status: bool = False) -> list[FieldError]:
    """Returns the errors of the numbers of replicas, and of the label selector."""
    if scale is None:
        return []
    errors = [] if only_status else _replicas(obj, scale.spec_replicas)
    errors += _replicas(obj, scale.status_replicas)
    if scale.label_selector is not None:
        _, problem = _find_value(obj, scale.label_selector, str)
        if problem:
            errors.append(_invalid(scale.label_selector, "", problem))
    return errors


# --- requests ---------------------------------------------------------------------------------------------------------


def read_replicas(sent: Any) -> tuple[int, list[str]]:
    """Returns the number of replicas in a `Scale`, and its unknown fields in the server's words.

    Raises:
        DecodingError: it cannot be decoded.
        UnjudgedError: it is something else.
    """
    if not isinstance(sent, dict):
        raise UnsupportedRequestError("a request about scale sends an object")
    kind, version = sent.get("kind", _KIND), sent.get("apiVersion", _API_VERSION)
    if (kind, version) != (_KIND, _API_VERSION):
        raise UnsupportedRequestError(
            f"a request about scale sends a {_KIND} of {_API_VERSION}, not a {kind} of {version}"
        )
    unknown: list[str] = []
    for mistake in mistakes(sent, SCALE, SchemaPath("")):
        if mistake.unknown is None:
            raise DecodingError(mistake.text)
        if not mistake.hidden:
            unknown.append(mistake.in_words)
    spec = sent.get("spec") or {}
    return spec.get("replicas") or 0, unknown


def set_replicas(obj: dict[str, Any], scale: Scale, replicas: int) -> dict[str, Any]:
    """Returns a copy of an object with another number of replicas.

    Raises:
        DecodingError: the number is the server's marker for an unset one.
        UnscalableError: the replica path is missing or not a number.
    """
    to_scale(obj, scale)
    if replicas == _UNSET:
        raise DecodingError(f'the spec replicas field ".{scale.spec_replicas.removeprefix(".")}" cannot be empty')
    *above, last = _names(scale.spec_replicas)
    found = inner = dict(obj)
    for index, name in enumerate(above):
        below = inner.get(name, {})
        if not isinstance(below, dict):
            at = ".".join(above[: index + 1])
            raise UnscalableError(f"value cannot be set because .{at} is not a map[string]interface{{}}")
        inner[name] = dict(below)
        inner = inner[name]
    inner[last] = replicas
    return found


def to_scale(obj: dict[str, Any], scale: Scale) -> dict[str, Any]:
    """Returns the `Scale` of an object.

    Raises:
        UnscalableError: a replica path is not a number.
    """
    spec, status = (_number(obj, path) for path in (scale.spec_replicas, scale.status_replicas))
    selector, problem = _find_value(obj, scale.label_selector, str) if scale.label_selector else (_MISSING, "")
    if problem:
        raise UnscalableError(problem)
    meta = obj.get("metadata") or {}
    found: dict[str, Any] = {"replicas": status}
    if selector not in (_MISSING, ""):
        found["selector"] = selector
    return {
        "apiVersion": _API_VERSION,
        "kind": _KIND,
        "metadata": {name: meta[name] for name in _SHOWN if name in meta},
        "spec": {"replicas": spec} if spec else {},
        "status": found,
    }


def _number(obj: dict[str, Any], path: str) -> int:
    value, problem = _find_value(obj, path, int)
    if problem:
        raise UnscalableError(problem)
    return 0 if value is _MISSING else int(value)


def _names(path: str) -> list[str]:
    return path.removeprefix(".").split(".")


# --- values -----------------------------------------------------------------------------------------------------------


def _replicas(obj: dict[str, Any], path: str) -> list[FieldError]:
    value, problem = _find_value(obj, path, int)
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


def _find_value(obj: dict[str, Any], path: str, wanted: type) -> tuple[Any, str]:
    """Returns the value at a path such as `.spec.replicas`, or the problem."""
    names = _names(path)
    value: Any = obj
    for index, name in enumerate(names):
        if value is None:
            return _MISSING, ""
        if not isinstance(value, dict):
            at = "." + ".".join(names[: index + 1])
            found = f"{go_value(value)} is of the type {_go(value)}"
            return None, f"{at} accessor error: {found}, expected map[string]interface{{}}"
        if name not in value:
            return _MISSING, ""
        value = value[name]
    if type(value) is not wanted:
        expected = "int64" if wanted is int else "string"
        return (
            None,
            f".{'.'.join(names)} accessor error: {go_value(value)} is of the type {_go(value)}, expected {expected}",
        )
    return value, ""


def _go(value: Any) -> str:
    return "<nil>" if value is None else go_type(value)
