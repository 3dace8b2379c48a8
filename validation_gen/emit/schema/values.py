"""Schemas of single values: of scalars and types with their own JSON form, and of conditions.

A condition is the keyword where there is one, and an equivalent CEL condition with its message. Both forms are data.
`constrain` chooses the form and the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.schema.expressions import join_all, listing, literal
from validation_gen.ir import Bound, Predicate, PredicateSpec, predicates
from validation_gen.runtime import checks, texts

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
# Go's (?i) takes the long s and the kelvin sign for letters, too.
_CASELESS_LABEL = _LABEL.replace("a-z", "A-Za-z\u017f\u212a")
_CASELESS = rf"{_CASELESS_LABEL}(\.{_CASELESS_LABEL})*"
_NAME_63 = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"


def _ip() -> str:
    octet = "0*(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    v4 = rf"{octet}(\.{octet}){{3}}"
    group = "0*[0-9A-Fa-f]{1,4}"
    forms = [v4, f"({group}:){{7}}{group}", f"({group}:){{6}}{v4}"]
    for left in range(8):  # groups before the gap; all groups together are fewer than eight
        head = f"({group}(:{group}){{{left - 1}}})" if left else ""
        right = 7 - left
        tails = []
        if right:
            tails.append(f"{group}(:{group}){{0,{right - 1}}}")
        if right >= 2:
            tails.append(f"({group}:){{0,{right - 2}}}{v4}")
        forms.append(f"{head}::({'|'.join(tails)})?" if tails else f"{head}::")
    return f"^({'|'.join(forms)})$"


@dataclass(frozen=True, slots=True)
class FormatSchema:
    """A format as a schema.

    `pattern` and `max_bytes` make the idiomatic form: `maxLength` limits the length. `exact_pattern` (by default the
    same) is combined with `conditions`: CEL with `{v}` for the value. `cel` is the whole format in CEL, where that is
    better than the pattern.
    """

    pattern: str
    max_bytes: int | None = None
    exact_pattern: str = ""
    conditions: tuple[str, ...] = ()
    cel: tuple[str, ...] = ()
    #: True if the validators also distinguish excess length from other errors.
    reports_length: bool = False


def _at_most(limit: int, part: str = "{v}") -> str:
    return f"{part}.size() <= {limit}"


#: With rules about parts, a length that no valid text reaches bounds the cost of the rules.
BOUND = 1024


def _is(name: str, value: str = "{v}") -> str:
    """Returns a format of the Kubernetes library for CEL, which costs less than a pattern does."""
    return f"!format.{name}().validate({value}).hasValue()"


_PREFIX = "{v}.indexOf('/') <= 253"

_EXTENDED = ("!{v}.contains('kubernetes.io/')", "!{v}.startsWith('requests.')")

#: The formats by the name in the tag.
FORMAT_SCHEMAS: dict[str, FormatSchema] = {
    "k8s-extended-resource-name": FormatSchema(
        # Not below requests. nor of Kubernetes itself, and still a label key behind `requests.`.
        rf"^{_SUBDOMAIN}/{_NAME_63}$",
        253 + 1 + 63 - len("requests."),
        conditions=(*_EXTENDED, "{v}.indexOf('/') <= 244"),
        cel=("{v}.contains('/')", *_EXTENDED, _is("qualifiedName", "'requests.' + {v}")),
    ),
    "k8s-ip": FormatSchema(_ip()),
    "k8s-label-key": FormatSchema(
        rf"^({_SUBDOMAIN}/)?{_NAME_63}$", 253 + 1 + 63, conditions=(_PREFIX,), cel=(_is("qualifiedName"),)
    ),
    "k8s-label-value": FormatSchema(
        "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$",
        63,
        exact_pattern=f"^({_NAME_63})?$",
        cel=(_is("labelValue"),),
    ),
    "k8s-long-name": FormatSchema(
        rf"^{_SUBDOMAIN}$",
        253,
        conditions=(_at_most(253),),
        cel=(_is("dns1123Subdomain"),),
    ),
    "k8s-long-name-caseless": FormatSchema(rf"^{_CASELESS}$", 253, conditions=("bytes({v}).size() <= 253",)),
    "k8s-path-segment-name": FormatSchema("^([^/%.]|[^/%.][^/%]|[.][^/%.]|[^/%]{3,})?$"),
    "k8s-prefixed-label-key": FormatSchema(
        rf"^{_SUBDOMAIN}/{_NAME_63}$",
        253 + 1 + 63,
        conditions=(_PREFIX,),
        cel=("{v}.contains('/')", _is("qualifiedName")),
    ),
    "k8s-resource-fully-qualified-name": FormatSchema(
        rf"^({_SUBDOMAIN}/{_C_IDENTIFIER}|[^/]*/[^/]*/(.|\n)*)$",
        conditions=(r"{v}.matches('^([^/]{0,63}/[^/]{0,32}|[^/]*/[^/]*/(.|\n)*)$')",),
    ),
    "k8s-resource-pool-name": FormatSchema(rf"^{_SUBDOMAIN}(/{_SUBDOMAIN})*$", 253, reports_length=True),
    "k8s-short-name": FormatSchema(
        f"^{_LABEL}$",
        63,
        exact_pattern="^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
        cel=(_is("dns1123Label"),),
    ),
    "k8s-uuid": FormatSchema("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"),
}


Keywords = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ValueForm:
    """A test of one value.

    `keywords` are handwritten style, `exact` those keywords that the test implies with the same error. `rest` is the
    part that `exact` omits and `complete` the whole test, both as CEL with `{v}` for the value, empty if there is none.
    """

    keywords: Keywords
    exact: Keywords
    rest: str
    complete: str
    message: str


def _make_bound(keyword: str, limit: Any, condition: str, message: str) -> ValueForm:
    return ValueForm({keyword: limit}, {keyword: limit}, "", condition, message)


#: API servers read limits as floating-point numbers, so that greater ones become others.
_PRECISE = 2**53
_WIDEST = 2**63 - 1


def _number(predicate: Predicate) -> ValueForm:
    (limit,) = predicate.operands
    assert isinstance(limit, int)
    keyword, message = predicate.record.keyword, _text(predicate)
    sign = ">=" if predicate.record.bound is Bound.LEAST else "<="
    if abs(limit) <= _PRECISE:
        return _make_bound(keyword, limit, f"{{v}} {sign} {literal(limit)}", message)
    if limit >= _WIDEST and sign == "<=":
        return ValueForm({}, {}, "", "", message)  # API servers know no greater numbers
    condition = "false" if limit > _WIDEST else f"{{v}} {sign} {literal(limit)}"
    return ValueForm({}, {}, condition, condition, message)


def _enum(predicate: Predicate) -> ValueForm:
    (values,) = predicate.operands
    assert isinstance(values, tuple)
    if not values:  # API servers take an empty list for none
        return ValueForm({}, {}, "false", "false", "there are no supported values")
    condition = f"{{v}} in {listing(values)}"
    return _make_bound(predicate.record.keyword, list(values), condition, texts.supported(values))


def _format(predicate: Predicate) -> ValueForm:
    name = str(predicate.operands[0])
    schema = FORMAT_SCHEMAS[name]
    keywords: Keywords = {"pattern": schema.pattern}
    if schema.max_bytes is not None:
        keywords["maxLength"] = schema.max_bytes
    exact: Keywords = {"pattern": schema.exact_pattern or schema.pattern}
    if schema.reports_length:
        exact = keywords
    if schema.conditions and schema.max_bytes is not None:
        exact["maxLength"] = BOUND
    complete = [*schema.cel] or [f"{{v}}.matches({literal(exact['pattern'])})", *schema.conditions]
    if schema.reports_length:
        complete.append(f"bytes({{v}}).size() <= {schema.max_bytes}")
    rest = join_all(*schema.conditions)
    return ValueForm(keywords, exact, rest, join_all(*complete), f"must have the format {name}")


#: Tests whose form depends on the operands.
_BY_OPERANDS: dict[PredicateSpec, Callable[[Predicate], ValueForm]] = {
    predicates.ENUM: _enum,
    predicates.FORMAT: _format,
    predicates.MAXIMUM: _number,
    predicates.MINIMUM: _number,
}


def has_form(record: PredicateSpec) -> bool:
    """Returns whether schemas can express a test of one value."""
    return bool(record.cel) or record in _BY_OPERANDS


def find_form(predicate: Predicate) -> ValueForm:
    """Returns the form of a predicate in schemas; it must have one (`has_form`)."""
    record = predicate.record
    if record in _BY_OPERANDS:
        return _BY_OPERANDS[record](predicate)
    operands = [each for each in predicate.operands if isinstance(each, str | int)]
    condition = record.cel.format(*map(literal, operands), v="{v}")
    if record.keyword and record.keyword_is_exact:
        return _make_bound(record.keyword, operands[0], condition, _text(predicate))
    keywords = {record.keyword: operands[0]} if record.keyword else {}
    return ValueForm(keywords, keywords, condition, condition, _text(predicate))


def _text(predicate: Predicate) -> str:
    """Returns the API server's message about a value that fails."""
    assert predicate.record.text is not None, f"{predicate.record} has no text"
    return predicate.record.text(*predicate.operands)


def passes(predicate: Predicate, value: object) -> bool:
    """Returns the verdict of the validators on a value that is known beforehand, such as a zero value."""
    operands = [
        dict.fromkeys(o) if predicate.record is predicates.ENUM and isinstance(o, tuple) else o
        for o in predicate.operands
    ]
    return not getattr(checks, predicate.name)(value, *operands)


PRESERVES = "x-kubernetes-preserve-unknown-fields"
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


_DECIMAL = r"(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
_QUANTITY = rf"^(\+|-)?{_DECIMAL}(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?{_DECIMAL}))?$"
_INT_OR_STRING: Mapping[str, Any] = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
}

#: Schemas of the wire forms of `sources.wellknown`.
WIRE: dict[str, Mapping[str, Any]] = {
    "any": {"x-kubernetes-preserve-unknown-fields": True},
    "duration": {"type": "string"},
    "gotime": {"type": "string", "format": "date-time"},
    "intorstring": _INT_OR_STRING,
    "microtime": {"type": "string", "format": "date-time"},
    "quantity": {**_INT_OR_STRING, "pattern": _QUANTITY},
    "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "time": {"type": "string", "format": "date-time"},
}

_DIGITS = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
_SUFFIX = r"([KMGTPE]i|[numkMGTPE]|[eE][+-]?0*[0-9]{1,18})"
#: Validators read a missing number as zero where the suffix is not too small or too large for that.
_SUFFIX_OF_NOTHING = r"([KMGT]i|[numkMGTPE]|[eE](\+?0*[0-9]{1,9}|-0*[0-9]))"

#: The same for the exact manner, as far as it differs.
EXACT_WIRE: dict[str, Mapping[str, Any]] = {
    "intorstring": {**_INT_OR_STRING, "maximum": 2**31 - 1, "minimum": -(2**31)},
    "quantity": {
        **_INT_OR_STRING,
        "pattern": rf"^ *([+-]?{_DIGITS}{_SUFFIX}?|[+-]?\.?{_SUFFIX_OF_NOTHING}|[+-]\.?|\.) *$",
    },
}

#: The widths that OpenAPI has no format for, as limits.
_RANGES = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint8": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
}


def scalar(go: str) -> Mapping[str, Any]:
    """Returns the keywords of a Go type that is no more than a string, a number or a boolean."""
    if go in ("int32", "int64"):
        return {"type": "integer", "format": go}
    if go in ("float32", "float64"):
        return {"type": "number", "format": "float" if go == "float32" else "double"}
    if go in _RANGES:
        low, high = _RANGES[go]
        return {"type": "integer", "minimum": low, "maximum": high}
    if go in ("uint64", "uint"):
        return {"type": "integer", "minimum": 0}
    return {"type": {"bool": "boolean", "int": "integer"}.get(go, go)}
