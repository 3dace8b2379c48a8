"""Label selectors: the errors of one, and whether it selects an object.

Sources of the behaviour: `pkg/apis/meta/v1/validation` and `pkg/labels` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.runtime import names
from validation_gen.runtime.errors import FieldError

_WITH_VALUES, _WITHOUT = ("In", "NotIn"), ("Exists", "DoesNotExist")


def selector_errors(selector: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yields the errors of a selector, which must have the form that `is_selector` checks."""
    for key, value in (selector.get("matchLabels") or {}).items():
        for problem in names.label_key(key):
            yield FieldError.invalid(f"{path}.matchLabels", key, problem)
        for problem in names.label_value(value):
            yield FieldError.invalid(f"{path}.matchLabels", value, problem)
    for i, requirement in enumerate(selector.get("matchExpressions") or ()):
        yield from _requirement(requirement, f"{path}.matchExpressions[{i}]")


def _requirement(requirement: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    key, operator = requirement.get("key") or "", requirement.get("operator") or ""
    values = requirement.get("values") or []
    if operator in _WITH_VALUES and not values:
        yield FieldError.required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in _WITHOUT and values:
        yield FieldError.forbidden(
            f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        )
    elif operator not in _WITH_VALUES and operator not in _WITHOUT:
        yield FieldError.invalid(f"{path}.operator", operator, "not a valid selector operator")
    for problem in names.label_key(key):
        yield FieldError.invalid(f"{path}.key", key, problem)
    for i, value in enumerate(values):
        for problem in names.label_value(value):
            yield FieldError.invalid(f"{path}.values[{i}]", value, problem)


def is_selector(value: Any) -> bool:
    """Returns whether a value has the form of a selector, with strings where it needs them."""
    if not isinstance(value, Mapping):
        return False
    labels, expressions = value.get("matchLabels") or {}, value.get("matchExpressions") or []
    return (
        isinstance(labels, Mapping)
        and all(isinstance(each, str) for pair in labels.items() for each in pair)
        and isinstance(expressions, list)
        and all(map(_is_requirement, expressions))
    )


def _is_requirement(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    values = value.get("values") or []
    texts = (value.get("key") or "", value.get("operator") or "")
    return (
        all(isinstance(each, str) for each in texts)
        and isinstance(values, list)
        and all(isinstance(each, str) for each in values)
    )


def is_empty(selector: Mapping[str, Any]) -> bool:
    """Returns whether a selector has no requirements."""
    return not (selector.get("matchLabels") or selector.get("matchExpressions"))


def selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Returns whether a selector matches labels. An invalid requirement matches nothing."""
    wanted = selector.get("matchLabels") or {}
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        _holds(each, labels) for each in selector.get("matchExpressions") or ()
    )


def _holds(requirement: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    key, values = requirement.get("key"), requirement.get("values") or []
    if not isinstance(key, str):
        return False
    match requirement.get("operator"):
        case "In":
            return key in labels and labels[key] in values
        case "NotIn":
            return key not in labels or labels[key] not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    return False
