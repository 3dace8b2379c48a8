"""Rules whose judgement by a real API server is kept in `facts.json`, and the schema that they are written for.

There is one rule for each overload of each function that the declarations have, so that none lacks a measured cost; the
others are about what the sizes of values do to costs, about macros, and about mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.declarations import Overload, functions
from validation_gen.kubernetes.cel.types import Kind, Type

_ITEM = {
    "type": "object",
    "required": ["key"],
    "properties": {
        "key": {"type": "string", "maxLength": 16},
        "few": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 4}},
        "many": {"type": "array", "maxItems": 1000, "items": {"type": "string", "maxLength": 9}},
    },
}


def _list(items: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **keywords}


def _map(values: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, **keywords}


_STRING: dict[str, Any] = {"type": "string"}

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 20},
        "long": _STRING,
        "kind": {"type": "string", "enum": ["a", "bcd"]},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "on": {"type": "boolean"},
        "blob": {"type": "string", "format": "byte", "maxLength": 30},
        "when": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "span": {"type": "string", "format": "duration"},
        "port": {"x-kubernetes-int-or-string": True},
        "names": _list({"type": "string", "maxLength": 10}, maxItems=5),
        "texts": _list(_STRING),
        "counts": _list({"type": "integer"}, maxItems=8),
        "lists": _list(_list({"type": "integer"}, maxItems=4), maxItems=6),
        "map": _map({"type": "integer"}, maxProperties=7),
        "labels": _map(_STRING),
        "items": _list(_ITEM, maxItems=10),
        "keyed": _list(_ITEM, maxItems=10, **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"]}),
        "object": {"type": "object", "properties": {"inner": _STRING, "in": {"type": "integer"}, "x-y": _STRING}},
        "namespace": _STRING,
        "template": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "properties": {"spec": {"type": "object"}},
        },
        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "anything": {"x-kubernetes-preserve-unknown-fields": True},
    },
}

_VALUES: dict[Type, str] = {
    types.STRING: "self.text",
    types.INT: "self.count",
    types.UINT: "uint(self.count)",
    types.DOUBLE: "self.share",
    types.BOOL: "self.on",
    types.BYTES: "self.blob",
    types.TIMESTAMP: "self.when",
    types.DURATION: "self.span",
    types.DYN: "self.port",
    types.URL: "url(self.text)",
    types.QUANTITY: "quantity(self.text)",
    types.SEMVER: "semver(self.text)",
    types.FORMAT: "format.dns1123Label()",
    types.IP: "ip(self.text)",
    types.CIDR: "cidr(self.text)",
    types.list_type(types.STRING): "self.names",
    types.list_type(types.INT): "self.counts",
    types.map_type(types.STRING, types.INT): "self.map",
    types.list_type(types.list_type(types.STRING)): "[self.names]",
}
_PARAMETERS = dict.fromkeys("AKT", types.STRING) | dict.fromkeys("BV", types.INT)


def _value(type: Type) -> str:
    if type.kind is Kind.PARAM:
        return _value(_PARAMETERS[type.name])
    if type.kind is Kind.OPAQUE and type.parameters:
        return f"optional.of({_value(type.parameters[0])})"
    inner = tuple(_PARAMETERS.get(parameter.name, parameter) for parameter in type.parameters)
    if type.kind is Kind.LIST:
        return _VALUES.get(types.list_type(inner[0])) or f"[{_value(type.parameters[0])}]"
    return _VALUES[types.map_type(*inner)] if type.kind is Kind.MAP else _VALUES[type]


def spell_call(name: str, overload: Overload, args: Sequence[str]) -> str:
    if name == "_?_:_":
        return f"({args[0]} ? {args[1]} : {args[2]})"
    if name in ("_[_]", "_[?_]"):
        return f"{args[0]}[{'?' * ('?' in name)}{args[1]}]"
    if name in ("!_", "-_"):
        return f"{name[0]}({args[0]})"
    if name == "@in" or name.startswith("_"):
        return f"({args[0]} {name.strip('_@')} {args[1]})"
    return f"{args[0]}.{name}({', '.join(args[1:])})" if overload.method else f"{name}({', '.join(args)})"


def _of_overloads() -> list[str]:
    """A rule for each overload that can be called and stays.

    Nobody has an authorizer here, and some are for macros only. `test_releases` tries those that a release takes away.
    """
    rules = []
    for name, function in functions().items():
        for overload in function.overloads:
            if any("authorization" in type.name for type in overload.args) or name == "_?._":
                continue
            if "@" in name.replace("@in", "") or overload.until:
                continue
            call = spell_call(name, overload, [_value(type) for type in overload.args])
            rules.append(call if overload.result == types.BOOL else f"[{call}].size() == 1")
    return rules


_SIZES = """
true
self.long == 'a'
self.long == self.text
self.text == self.text
self.kind == self.long
self.kind.contains(self.long)
self.labels == self.labels
self.names == ['a', 'b']
self.port == 1 || self.port == 'a'
self.namespace.size() < 9
self.__namespace__.matches('^a+$')
self.object.__in__ > 0
self.object.x__dash__y.startsWith('a')
self.template.metadata.name.size() < 9
self.template.metadata.generateName != self.template.kind
self.open == self.open
has(self.text) && has(self.object.inner)
has(self.labels.a) ? self.labels.a == 'b' : self.labels['c'] == 'd'
self.on && self.on || !self.on && (self.on || self.on)
self.count + 1 == 2 && self.share * 2.0 > 1.0 && self.count < self.share
self.text + self.long != self.long + 'é'
[self.text] + [self.long] != []
{'a': self.text, 'b': self.long}.b == ''
{'a': [1, 2], 'b': []}['a'].size() == 2
(self.names + self.texts).size() < 9
self.text in self.names && 1 in self.counts && 'a' in self.labels
self.text.matches(self.long)
self.long.matches('^[a-z]{3,}(-[0-9]+)?$')
self.long.replace('a', 'bb').size() < 9
self.long.replace('', self.text) == ''
self.long.replace(self.text, '') == ''
self.text.split(',').size() < self.text.split(',', 3).size()
self.texts.join(',') == self.names.join()
self.long.find('[a-z]+') == self.text.findAll('[0-9]')[0]
string(self.blob) == self.text
bytes(self.long) == self.blob
self.when < timestamp('2030-01-01T00:00:00Z') && self.day != self.when
self.span < duration('1h')
dyn(self.long) == dyn(self.text)
url(self.long) == url(self.text)
quantity(self.text) == quantity('1')
format.dns1123Label().validate(self.long).hasValue()
oldSelf.text == self.text
oldSelf.labels == self.labels
type(self.port) == int ? self.port < 5 : self.port.matches('%$')
""".strip()

_MACROS = """
self.names.all(x, x.size() > 2)
self.texts.all(x, x != '')
self.texts.all(x, self.texts.exists_one(y, x == y))
self.labels.all(k, k.startsWith('a') && self.labels[k] != '')
self.labels.all(k, v, k != v)
self.names.all(i, v, i < 3 || v == '')
self.names.exists(x, x in self.texts)
self.names.existsOne(i, v, i == 1 && v == 'a')
self.names.map(x, x + 'a').join(',') != ''
self.names.map(x, x != '', x.size()).sum() > 3
self.names.filter(x, x.contains('a')).size() > 1
self.names.filter(x, x != 'a').map(x, x.upperAscii()) == ['A']
self.names.transformList(i, v, i + v.size()).max() < 9
self.names.transformList(i, v, i > 0, v)[0] == ''
self.map.transformMap(k, v, v > 1, v + 1) == {}
self.map.transformMapEntry(k, v, {v: k}).size() > 0
self.items.sortBy(x, x.key)[0].key == 'a'
self.items.all(x, x.few.all(y, y in x.many))
self.items.all(x, x.few.all(y, x.many.exists(z, z == y)))
self.items.all(x, x.few.map(y, x.many).size() > 0)
self.items.all(x, x.few == x.many ? x.few.all(y, y != '') : x.many.all(y, y in x.few))
self.items.map(x, x.few).flatten().all(y, y != '')
self.items.all(x, self.items.filter(y, y.key == x.key).size() == 1)
self.?text.orValue('a') == 'a'
self.?object.?inner.hasValue()
self.names[?0].orValue('') != ''
self.?text.optMap(t, t.size()).orValue(0) < 3
self.?names.optFlatMap(n, n[?0]).orValue('') == ''
[?self.?text, ?optional.none()].size() == 1
{?'a': self.?text}.size() == 1
optional.of(self.names).orValue([]).all(x, x != '')
self.lists.all(l, l.all(x, x > 0))
self.lists.flatten().sum() == self.lists[0].sum()
'%s has %d of %s'.format([self.text, self.count, self.names]) != ''
""".strip()

_MISTAKES = r"""
self.txt == 'a'
self.anything == 1
self.text == 1
self.text == null
self.count == 1.5
self.text
self.names == [1]
self.names.all(x, x > 1)
self.count.all(x, true)
self.names.all(1, true)
self.names.all(x, y)
self.names.map(x.y, x) == []
has(self)
has(self.names[0])
self.object.in == 1
self.text.foo == 1
self.text.foo()
foo(self.text)
cel.bind(x, self.text, x == '')
self.text.size(1) == 1
size(self) > 1
self + 1 == 2
!self.count
self.on && self.count
self.on ? 1 : 'a'
[1, 'a'].size() == 2
{'a': 1, 'b': 'c'}.size() == 2
[1, dyn(2)].size() == 2
self.object == self.template
oldSelf.orValue(self) == self
self.names[?0] == 'a'
self.names.all(i, i, true)
for == 1
self.for == 1
Foo{a: 1} == 1
int{} == 1
duration('1d') == self.span
timestamp('2020-01-01') == self.when
self.text.matches('a++')
self.text.matches('(?=a)')
matches(self.text, 'a{2000}')
self.text.find('(') == ''
self.text.findAll('[z-a]', 2) == []
int('a') == 1
uint(-1) == 1u
bool('yes')
string(b'\xff') == ''
'%d'.format(['a']) == ''
'%s'.format([]) == ''
'%q'.format([1]) == ''
'%'.format([1]) == ''
'%.f'.format([1.0]) == ''
'a'.format([1]) == ''
9223372036854775808 == 1
18446744073709551616u == 1u
'\ud800' == ''
b'\u0041' == b''
self.text ==
self.text = 'a'
self.text == 'a
self.text == '\d'
self.text == 'a')
(self.text == 'a'
self.names[0 == 'a'
[1, 2
{'a' 1}
self.
self..text
true true
true false true
self.text == 'a' and true
self.text <> 'a'
self.names.all(x x == 'a')
@
""".strip()

MISTAKES = _MISTAKES.splitlines()
RULES = [*dict.fromkeys([*_of_overloads(), *_SIZES.splitlines(), *_MACROS.splitlines(), *MISTAKES])]
