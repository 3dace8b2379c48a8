"""The structural schemas that Go tests build, as JSON, and the functions that they build them with."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from tests.kubernetes.cel.upstream.gotables import Struct, UnreadableError, fields_of

Json = dict[str, Any]

_PLAIN = {
    "Type": "type",
    "Nullable": "nullable",
    "Format": "format",
    "Pattern": "pattern",
    "Required": "required",
    "MaxLength": "maxLength",
    "MinLength": "minLength",
    "MaxItems": "maxItems",
    "MinItems": "minItems",
    "MaxProperties": "maxProperties",
    "MinProperties": "minProperties",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "XListType": "x-kubernetes-list-type",
    "XMapType": "x-kubernetes-map-type",
    "XListMapKeys": "x-kubernetes-list-map-keys",
    "XIntOrString": "x-kubernetes-int-or-string",
    "XPreserveUnknownFields": "x-kubernetes-preserve-unknown-fields",
    "XEmbeddedResource": "x-kubernetes-embedded-resource",
}
_EMBEDDED = ("Generic", "Extensions", "ValidationExtensions", "ValueValidation")
_RULE = {
    "Rule": "rule",
    "Message": "message",
    "MessageExpression": "messageExpression",
    "Reason": "reason",
    "FieldPath": "fieldPath",
    "OptionalOldSelf": "optionalOldSelf",
}


def json_of(schema: Any) -> Json:
    """A `schema.Structural` as the JSON that it is made of."""
    found: Json = {}
    for name, value in (schema.fields if isinstance(schema, Struct) else schema).items():
        if value is None:
            continue
        if name in _EMBEDDED:
            found |= json_of(value)
        elif name in _PLAIN:
            found[_PLAIN[name]] = value
        elif name == "XValidations":
            found["x-kubernetes-validations"] = [
                {_RULE[key]: part for key, part in fields_of(rule).items() if part is not None} for rule in value
            ]
        elif name == "Properties":
            found["properties"] = {key: json_of(part) for key, part in value.items()}
        elif name == "Items":
            found["items"] = json_of(value)
        elif name == "AdditionalProperties":
            inner = fields_of(value)
            found["additionalProperties"] = json_of(inner.get("Structural", value))
        elif name in ("AllOf", "AnyOf", "OneOf"):
            found[name[0].lower() + name[1:]] = [json_of(part) for part in value]
        elif name == "Not":
            found["not"] = json_of(value)
        elif name == "Default":
            found["default"] = fields_of(value)["Object"]
        elif name == "Enum":
            found["enum"] = [fields_of(part)["Object"] for part in value]
        elif name == "json":
            found |= value
        else:
            raise UnreadableError(name)
    return found


def _schema(**fields: Any) -> Struct:
    return Struct("schema.Structural", fields)


def _with(schema: Any, **fields: Any) -> Struct:
    return Struct("schema.Structural", {**fields_of(schema), **fields})


def _primitive(type: str, format: str) -> Struct:
    return _schema(Type=type, **({"Format": format} if format else {}))


def _array(list_type: str, keys: Any, items: Any) -> Struct:
    more = {"XListMapKeys": keys} if keys and list_type == "map" else {}
    return _schema(Type="array", XListType=list_type, Items=items, **more)


def _object(properties: Any) -> Struct:
    return _schema(Type="object", Properties=properties)


def _map(values: Any) -> Struct:
    return _schema(Type="object", AdditionalProperties={"Structural": values})


def _objs(*values: Any) -> Json:
    return {f"val{index}": value for index, value in enumerate(values, 1)}


def _ruled(schema: Any, rule: str, **more: Any) -> Struct:
    return _with(schema, XValidations=[{"Rule": rule, **more}])


def sprintf(format: str, *args: Any) -> str:
    """What `fmt.Sprintf` makes of verbs that both languages have."""
    verbs = re.sub(r"%[vt]", "%s", format)
    return verbs % tuple("true" if arg is True else "false" if arg is False else arg for arg in args)


def _same(value: Any = None, *_: Any) -> Any:
    return value


def _yaml(text: str) -> Any:
    return yaml.safe_load(text.replace("\t", "  "))


def _limited(name: str) -> Callable[[Any, int], Struct]:
    return lambda schema, limit: _with(schema, **{name: limit})


NATIVES: Mapping[str, Any] = {
    **dict.fromkeys("int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64".split(), int),
    "float64": float,
    "float32": float,
    "string": str,
    "bool": bool,
    "len": len,
    "ptr.To": _same,
    "fmt.Sprintf": sprintf,
    "strings.Repeat": lambda text, count: text * count,
    "math.MaxInt64": (1 << 63) - 1,
    "math.MinInt64": -(1 << 63),
    "math.MaxInt32": (1 << 31) - 1,
    "math.MaxUint64": (1 << 64) - 1,
    "math.MaxFloat64": 1.7976931348623157e308,
    "math.MaxFloat32": 3.4028234663852886e38,
    "math.Inf": lambda sign: math.inf * (1 if sign >= 0 else -1),
    "celconfig.RuntimeCELCostBudget": 10_000_000,
    "celconfig.PerCallLimit": 1_000_000,
    "primitiveType": _primitive,
    **dict.fromkeys(("listType", "listTypePtr"), lambda items: _array("atomic", None, items)),
    "listSetType": lambda items: _array("set", None, items),
    **dict.fromkeys(("listMapType", "listMapTypePtr"), lambda keys, items: _array("map", keys, items)),
    "arrayType": _array,
    "stringSchema": _primitive("string", ""),
    **dict.fromkeys(("objectType", "objectTypePtr"), _object),
    **dict.fromkeys(("mapType", "mapTypePtr"), _map),
    "intOrStringType": lambda: _schema(XIntOrString=True),
    "objs": _objs,
    "schemas": lambda *parts: _object(_objs(*parts)),
    **dict.fromkeys(("withRule", "withRulePtr", "cloneWithRule"), _ruled),
    "withReasonAndFldPath": lambda schema, rule, path, reason: _ruled(schema, rule, FieldPath=path, Reason=reason),
    "withMaxLength": _limited("MaxLength"),
    "withMaxItems": _limited("MaxItems"),
    "withMaxProperties": _limited("MaxProperties"),
    "withDefault": lambda default, schema: _with(schema, Default={"Object": default}),
    **dict.fromkeys(("withNullable", "withNullablePtr"), lambda nullable, schema: _with(schema, Nullable=nullable)),
    "nilInterfaceOfStringSlice": lambda: None,
    "buildLargeArray": lambda count: list(range(count)),
    "genString": lambda count, rune: chr(rune) * count,
    "mustSchema": lambda text: _schema(json=_yaml(text)),
    "mustUnstructured": _yaml,
    "apiextensions.FieldValueForbidden": "FieldValueForbidden",
    "apiextensions.FieldValueDuplicate": "FieldValueDuplicate",
    "apiextensions.FieldValueRequired": "FieldValueRequired",
    "apiextensions.FieldValueInvalid": "FieldValueInvalid",
    **{f"field.ErrorType{name}": name for name in ("Forbidden", "Duplicate", "Required", "Invalid")},
}
