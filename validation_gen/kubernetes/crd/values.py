"""Validates values by a schema: the API server's errors for custom resources and for defaults.

Follows `pkg/validation/validate` of `k8s.io/kube-openapi`, and the conversion of its results in
`pkg/apiserver/validation` of `k8s.io/apiextensions-apiserver`. It does not run rules of `x-kubernetes-validations`.
Values are those of a JSON decoder; `place.as_decoded` gives them the numbers that Go's decoder has. Limits of numbers
are compared as Go does: integers as integers, even if the limit loses precision.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from validation_gen.kubernetes.crd import verdict
from validation_gen.kubernetes.crd.correlation import Correlation
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.verdict import Result, ValuePath, Violation, invalid, make_failed, make_pathless
from validation_gen.kubernetes.formats.valueformats import FORMATS, is_known, normalize
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.goregex import GoRegexError, compiled
from validation_gen.runtime.gotext import render_bad_value
from validation_gen.runtime.wire import frozen, identical

_MAX_WHOLE = float(2**53 - 1)
_EPSILON = 1e-9
Number = int | float


def is_whole(value: float) -> bool:
    """Returns whether the server accepts a float as an integer: it is one, or nearly one."""
    if math.isnan(value) or abs(value) > _MAX_WHOLE:
        return False
    if value.is_integer():
        return True
    near = math.trunc(value) % 2**64
    if not near:
        return False
    difference = abs(value - near)
    return difference / (abs(value) + near) < _EPSILON


def number_violations(schema: Schema, type: str, format: str, value: Number, where: ValuePath) -> Iterator[Violation]:
    """Yields the violations of a number. `type` is empty where a schema has not exactly one type."""
    ranged = type if type in ("integer", "number") else ""
    if (violation := _range(value, ranged, format, "Checked", where)) is not None:
        yield violation
    for limit, prefix, check in (
        (schema.multiple_of, "MultipleOf", _multiple),
        (schema.minimum, "Minimum boundary", _above if schema.exclusive_minimum else _at_least),
        (schema.maximum, "Maximum boundary", _below if schema.exclusive_maximum else _at_most),
    ):
        if limit is None:
            continue
        violation = _range(float(limit), ranged, format, prefix, where)
        if violation is not None:
            yield violation
        native = isinstance(value, int) and violation is None
        found = check(value if native else float(value), _as_int(limit) if native else float(limit), where)
        if found is not None:
            yield found


def _range(value: Number, type: str, format: str, prefix: str, where: ValuePath) -> Violation | None:
    """Checks that a value, or a limit, is in the range of its type and format.

    Of floats the digits count that Go writes.
    """
    if type == "integer":
        bits = 31 if format == "int32" else 63
        shown = int(Decimal(repr(value))) if isinstance(value, float) and value.is_integer() else value
        fits = isinstance(shown, int) and -(2**bits) <= shown < 2**bits
        known = format if format in ("int32", "int64") else ""
    elif type == "number" and format == "float":
        fits, known = _fits_float32(float(value)), format
    else:
        return None
    if fits:
        return None
    suffix = f"with format {known}" if known else "(default format)"
    return make_pathless(f"{prefix} value must be of type {type} {suffix} in {where.name}")


def _fits_float32(value: float) -> bool:
    try:
        struct.pack("<f", value)
    except OverflowError:
        return False
    return True


def _as_int(limit: Number) -> int:
    return max(min(math.trunc(limit), 2**63 - 1), -(2**63))


def _render_number(value: Number) -> str:
    return render_bad_value(value, json_string=False)


def _multiple(value: Number, factor: Number, where: ValuePath) -> Violation | None:
    if factor <= 0:
        text = f"factor MultipleOf declared for {where.name} must be positive: {_render_number(factor)}"
        return Violation(ErrorType.INVALID, where, text, factor)
    if isinstance(value, int):
        whole = value % factor == 0
    else:
        whole = is_whole(1 / factor * value if factor < 1 else value / factor)
    return None if whole else invalid(where, f"should be a multiple of {_render_number(factor)}", value)


def _limit(
    holds: Callable[[Number, Number], bool], text: str
) -> Callable[[Number, Number, ValuePath], Violation | None]:
    """Returns the check of a limit."""

    def check(value: Number, limit: Number, where: ValuePath) -> Violation | None:
        return None if holds(value, limit) else invalid(where, f"should be {text} {_render_number(limit)}", value)

    return check


_above = _limit(operator.gt, "greater than")
_at_least = _limit(operator.ge, "greater than or equal to")
_below = _limit(operator.lt, "less than")
_at_most = _limit(operator.le, "less than or equal to")


@dataclass(frozen=True, slots=True)
class Mode:
    """Difference between the validation of whole resources and of defaults, by two forms of the same schema.

    For resources, formats that a type does not have are ignored, and `x-kubernetes-int-or-string` is a type.
    """

    resource: bool = True

    def types(self, schema: Schema) -> tuple[str, ...]:
        if self.resource and schema.int_or_string:
            return "integer", "string"
        return (schema.type,) if schema.type else ()

    def format(self, schema: Schema) -> str:
        types = self.types(schema)
        if self.resource and not is_known(types[0] if len(types) == 1 else "", schema.format):
            return ""
        return schema.format


RESOURCE = Mode()
DEFAULT = Mode(resource=False)


def judge(
    schema: Schema, value: Any, mode: Mode = RESOURCE, *, correlation: Correlation | None = None
) -> list[Violation]:
    """Returns all violations of a value. Unchanged parts, by the correlation, have none."""
    return list(_ratchet(schema, value, ValuePath(), mode, correlation))


def _ratchet(schema: Schema, value: Any, where: ValuePath, mode: Mode, correlation: Correlation | None) -> Result:
    result = _judge(schema, value, where, mode, correlation)
    return Result() if correlation is not None and not result.valid and correlation.is_equal else result


def _judge(schema: Schema, value: Any, where: ValuePath, mode: Mode, correlation: Correlation | None = None) -> Result:
    types, format = mode.types(schema), mode.format(schema)
    result = Result()
    if value is None:
        if types and "null" not in types and not schema.nullable:
            result.add(verdict.wrong_type(where, ",".join(types), "null"))
        else:
            result.matches += 1
        result.merge(_enum(schema, value, where))
        return result
    checks = [_combine(schema, value, where, mode)]
    if types or format:
        checks.append(_type(types, format, value, where))
    if isinstance(value, str):
        checks.append(_string(schema, value, where))
        if normalize(format) in FORMATS:
            checks.append(_format(format, value, where))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        checks.append(_number(schema, types, format, value, where))
    elif isinstance(value, list):
        checks.append(_list(schema, value, where, mode, correlation))
    elif isinstance(value, dict):
        checks.append(_object(schema, value, where, mode, correlation))
    checks.append(_enum(schema, value, where))
    for check in checks:
        result.merge(check)
    result.matches += len(checks) + 1
    return result


# --- types ------------------------------------------------------------------------------------------------------------


def find_type(value: Any) -> tuple[str, str]:
    """Returns the type of a value, and upstream's format for it."""
    if isinstance(value, bool):
        return "boolean", ""
    if isinstance(value, int):
        return "integer", "int64"
    if isinstance(value, float):
        return "number", "float64"
    return ("string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"), ""


def _type(types: tuple[str, ...], format: str, value: Any, where: ValuePath) -> Result:
    kind, own = find_type(value)
    textual = isinstance(value, str | list)
    fits = (
        kind in types
        or (kind == "number" and "integer" in types and is_whole(value))
        or (kind == "integer" and "number" in types)
    )
    if format and not textual and not fits and own != format:
        return make_failed(verdict.wrong_type(where, format, own))
    if fits or (format and textual and not {"number", "integer"} & set(types)):
        return Result(matches=1)
    return make_failed(verdict.wrong_type(where, ",".join(types), kind))


def _enum(schema: Schema, value: Any, where: ValuePath) -> Result:
    if not schema.enum or any(_same(value, allowed.value) for allowed in schema.enum):
        return Result()
    return make_failed(verdict.not_supported(where, value, [allowed.value for allowed in schema.enum]))


def _same(value: Any, allowed: Any) -> bool:
    """Compares values after Go's conversion to the other's type: `1.5` is 1, and 65 is "A"."""
    if value is None or allowed is None:
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        if isinstance(allowed, str) and isinstance(value, int):
            return allowed == (chr(value) if 0 <= value <= 0x10FFFF and not 0xD800 <= value < 0xE000 else "\ufffd")
        if isinstance(allowed, int | float) and not isinstance(allowed, bool):
            return (int(value) if isinstance(allowed, int) else float(value)) == allowed
    return identical(value, allowed)


# --- scalars ----------------------------------------------------------------------------------------------------------


def _string(schema: Schema, value: str, where: ValuePath) -> Result:
    """Returns the first violation of a string."""
    length = len(value)
    if schema.max_length is not None and length > schema.max_length:
        return make_failed(verdict.too_long(where, schema.max_length))
    if schema.min_length is not None and length < schema.min_length:
        return make_failed(invalid(where, f"should be at least {schema.min_length} chars long", value))
    if not schema.pattern:
        return Result()
    try:
        if compiled(schema.pattern).matches(value) is not False:
            return Result()
        shown = schema.pattern
    except GoRegexError as error:
        shown = f"{schema.pattern}, but pattern is invalid: {error}"
    return make_failed(invalid(where, f"should match '{shown}'", value))


def _format(format: str, value: str, where: ValuePath) -> Result:
    if FORMATS[normalize(format)](value):
        return Result()
    return make_failed(verdict.wrong_type(where, format, value))


def _number(schema: Schema, types: tuple[str, ...], format: str, value: float, where: ValuePath) -> Result:
    result = Result(matches=1)
    result.add(*number_violations(schema, types[0] if len(types) == 1 else "", format, value, where))
    return result


# --- lists and objects ------------------------------------------------------------------------------------------------


def _list(schema: Schema, value: list[Any], where: ValuePath, mode: Mode, correlation: Correlation | None) -> Result:
    result = Result()
    if schema.item is not None:
        for index, item in enumerate(value):
            old = correlation.index(index) if correlation is not None else None
            result.merge(_ratchet(schema.item, item, where.item(index), mode, old))
    size = len(value)
    if schema.min_items is not None and size < schema.min_items:
        result.add(verdict.too_few(where, size, schema.min_items, "items"))
    if schema.max_items is not None and size > schema.max_items:
        result.add(verdict.too_many(where, size, schema.max_items, "items"))
    if schema.unique_items and len(set(map(frozen, value))) < size:
        result.add(invalid(where, "shouldn't contain duplicates"))
    result.matches += 1
    return result


def _object(
    schema: Schema, value: dict[str, Any], where: ValuePath, mode: Mode, correlation: Correlation | None
) -> Result:
    result = Result()
    size = len(value)
    if schema.min_properties is not None and size < schema.min_properties:
        result.add(verdict.too_few(where, size, schema.min_properties, "properties"))
    if schema.max_properties is not None and size > schema.max_properties:
        result.add(verdict.too_many(where, size, schema.max_properties, "properties"))
    additional = schema.additional_properties
    for key, item in value.items():
        old = None if correlation is None else _part(correlation, key, where)
        if key in schema.properties:
            result.merge(_ratchet(schema.properties[key], item, where.property(key), mode, old))
        elif additional is not None and not additional.allows:
            text = f"{where.name}.{key} in body is a forbidden property"
            result.add(Violation(invalid(where, "").type, where, text, key))
        elif additional is not None and additional.schema is not None:
            result.merge(_ratchet(additional.schema, item, where.entry(key), mode, old))
    result.add(*(verdict.required(where.entry(name)) for name in schema.required if name not in value))
    return result


def _part(correlation: Correlation, key: str, where: ValuePath) -> Correlation | None:
    """Returns the correlation of a field.

    The kind and version of the object have none, because both objects were converted to one version.
    """
    return None if not where.keys and key in ("apiVersion", "kind") else correlation.key(key)


# --- combinations -----------------------------------------------------------------------------------------------------


def _combine(schema: Schema, value: Any, where: ValuePath, mode: Mode) -> Result:
    result = Result()
    name = f'"{where.name}"'
    if schema.any_of:
        _add_best(
            result, _results(schema.any_of, value, where, mode), f"{name} must validate at least one schema (anyOf)"
        )
    if schema.one_of:
        found = list(_results(schema.one_of, value, where, mode))
        passed = sum(one.valid for one in found)
        count = f"Found {passed} valid alternatives" if passed else "Found none valid"
        text = f"{name} must validate one and only one schema (oneOf). {count}"
        if passed > 1:
            result.add(make_pathless(text))
        else:
            _add_best(result, found, text)
    if schema.all_of:
        found = list(_results(schema.all_of, value, where, mode))
        for one in found:
            result.merge(one)
        if not all(one.valid for one in found):
            none = "" if any(one.valid for one in found) else ". None validated"
            result.add(make_pathless(f"{name} must validate all the schemas (allOf){none}"))
    if schema.not_ is not None and _judge(schema.not_, value, where, mode).valid:
        result.add(make_pathless(f"{name} must not validate the schema (not)"))
    result.matches += 1
    return result


def combination_holds(schema: Schema, value: Any) -> bool:
    """Returns whether a resource's value fits `allOf`, `anyOf`, `oneOf` and `not`."""
    return _combine(schema, value, ValuePath(), RESOURCE).valid


def _results(schemas: Iterable[Schema], value: Any, where: ValuePath, mode: Mode) -> Iterable[Result]:
    return (_judge(schema, value, where, mode) for schema in schemas)


def _add_best(result: Result, found: Iterable[Result], text: str) -> None:
    """Adds the first valid result; otherwise a sentence, and the violations of the first result with most matches."""
    best: Result | None = None
    for one in found:
        if one.valid:
            result.merge(one)
            return
        if best is None or one.matches > best.matches:
            best = one
    result.add(make_pathless(text))
    if best is not None:
        result.merge(best)
