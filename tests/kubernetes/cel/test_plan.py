"""Expressions that run: their values, their errors, and what they cost."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel import Scope, compile_rule
from validation_gen.kubernetes.cel.data import build_shape
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.program import compile_at
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.values import ABSENT, EvaluationError, Optional

TEXT, INTEGER = {"type": "string"}, {"type": "integer"}
ITEM = {"type": "object", "properties": {"k": TEXT, "n": INTEGER}}
KEYED = {"type": "array", "items": ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": INTEGER,
        "b": {"type": "boolean"},
        "d": {"type": "number"},
        "s": TEXT,
        "l": {"type": "array", "items": INTEGER},
        "set": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
        "keyed": KEYED,
        "m": {"type": "object", "additionalProperties": TEXT},
        "o": {
            "type": "object",
            "properties": {"x": INTEGER, "y-z": TEXT, "in": TEXT, "nul": {**TEXT, "nullable": True}},
        },
        "any": {"x-kubernetes-int-or-string": True},
        "time": {**TEXT, "format": "date-time"},
        "span": {**TEXT, "format": "duration"},
        "day": {**TEXT, "format": "date"},
        "raw": {**TEXT, "format": "byte"},
    },
}
VALUE: dict[str, Any] = {
    "a": 3,
    "b": True,
    "d": 2,
    "s": "häuser",
    "l": [1, 2, 3],
    "set": ["x", "y"],
    "keyed": [{"k": "x", "n": 1}, {"k": "y", "n": 2}],
    "m": {"p": "q", "r": "s"},
    "o": {"y-z": "w", "in": "i", "nul": None},
    "any": "80",
    "time": "2020-01-02T03:04:05Z",
    "span": "90s",
    "day": "2020-01-02",
    "raw": "aGk=",
}
OLD = {**VALUE, "set": ["y", "x"], "keyed": [{"k": "y", "n": 2}, {"k": "x", "n": 1}], "l": [3, 2, 1]}
SCOPE = Scope(SCHEMA, stored=True, resource=False)
SHAPE = build_shape(SCHEMA)


def run(text: str, value: Any = VALUE, old: Any = OLD, *, limit: int = 1_000_000) -> tuple[Any, int]:
    _, plan = compile_at(text, SCOPE)
    return plan.run((SHAPE.read(value), SHAPE.read(old)), limit)


@each(
    "text",
    [
        # Logic leaves errors out where the other side decides.
        "self.a / 0 > 1 || self.b",
        "!(self.a / 0 > 1 && !self.b)",
        "self.l.exists(x, 6 / (x - 1) == 6)",
        "!self.l.all(x, 6 / (x - 1) == 7)",
        "self.b ? true : self.a / 0 == 1",
        # Numbers are of one kind in comparisons.
        "self.a > self.d && self.d < self.a && self.a == 3 && self.d == 2.0",
        "dyn(self.a) == 3.0 && dyn(1) in [1.0] && {1: 'x'}[dyn(1.0)] == 'x'",
        "dyn(true) != dyn(1) && !(dyn(1) in [dyn(true)])",
        "-7 / 2 == -3 && -7 % 2 == -1 && 1.0 / 0.0 > 1e300",
        # Texts count characters.
        "self.s.size() == 6 && size(self.s) == 6 && self.s.charAt(1) == 'ä'",
        "self.s.startsWith('hä') && self.s.endsWith('er') && self.s.contains('us') && self.s.matches('^[a-zä]+$')",
        "'a' < 'b' && 'Z' < 'a' && 'z' < 'ä'",
        # Null is absent in objects with properties, and a value elsewhere.
        "!has(self.o.nul) && !has(self.o.x) && has(self.o.__in__)",
        "self.o.y__dash__z == 'w'",
        "self.?o.x.orValue(7) == 7 && self.?o.y__dash__z.hasValue() && !self.o.?x.hasValue()",
        # Maps and loops.
        "self.m.all(k, self.m[k] != k) && 'p' in self.m && self.m.p == 'q' && !('z' in self.m)",
        "self.m.map(k, k).sort() == ['p', 'r'] && self.m.size() == 2",
        "self.l.map(x, x > 1, x * 2) == [4, 6] && self.l.filter(x, x % 2 == 1) == [1, 3]",
        "self.l.exists_one(x, x == 2) && !self.l.exists_one(x, x > 1)",
        "self.l.all(i, x, x == i + 1) && self.m.exists(k, v, k == 'p' && v == 'q')",
        "self.l.transformList(i, x, i * x) == [0, 2, 6]",
        "self.m.transformMap(k, v, v + k) == {'p': 'qp', 'r': 'sr'}",
        "self.m.transformMapEntry(k, v, {v: k}) == {'q': 'p', 's': 'r'}",
        "self.l.sum() == 6 && self.l.max() == 3 && self.l.isSorted() && self.l.indexOf(2) == 1",
        "self.keyed.sortBy(i, -i.n)[0].k == 'y'",
        # Lists by their type.
        "self.set == oldSelf.set && self.keyed == oldSelf.keyed && self.l != oldSelf.l",
        "(self.set + ['y', 'z']) == ['x', 'y', 'z'] && self.l + [4] == [1, 2, 3, 4]",
        "(self.keyed + oldSelf.keyed).size() == 2 && self == self && self != oldSelf",
        "sets.contains(self.l, [3, 1]) && !sets.equivalent(self.l, [1]) && sets.intersects(self.l, [9, 1])",
        # Formats.
        "self.time < timestamp('2021-01-01T00:00:00Z') && self.time.getFullYear() == 2020 && self.time.getHours() == 3",
        "self.span == duration('1m30s') && self.span.getSeconds() == 90 && self.day.getDate() == 2",
        "self.raw == b'hi' && string(self.raw) == 'hi'",
        "self.time - timestamp('2020-01-02T03:04:04.5Z') == duration('500ms')",
        # Whatever has no type.
        "type(self.any) == string && string(self.any) == '80' && int(self.any) == 80",
        "[1, 2][0] == 1 && {'a': [1]}.a[0] == 1 && (self.b ? self.o : self.o).y__dash__z == 'w'",
        "optional.of(self.o).optMap(v, v.y__dash__z).value() == 'w' && optional.none().or(optional.of(1)).value() == 1",
        "[?self.?o.x, ?self.?a] == [3] && {?'k': self.?o.x}.size() == 0",
        # Libraries.
        "quantity('1.5Gi').isGreaterThan(quantity('1Gi')) && quantity('2').add(1).compareTo(quantity('3')) == 0",
        "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.2.3.4') && !isIP('10.1')",
        "url('https://a.b:80/c?d=e').getPort() == '80' && url('/x?d=e').getQuery() == {'d': ['e']} && !isURL('a b')",
        "semver('1.2.3').isLessThan(semver('v1.10', true)) && isSemver('1.0.0-a') && !isSemver('1.0')",
        "!format.dns1123Label().validate('ab').hasValue()",
        "format.named('uuid').value().validate('x').value().size() == 1",
        "'a-b-c'.split('-') == ['a', 'b', 'c'] && ['a', 'b'].join('/') == 'a/b'",
        "'abcabc'.findAll('b.') == ['bc', 'bc'] && 'abc'.find('[bc]') == 'b'",
        "'%s is %d'.format(['x', 1]) == 'x is 1' && strings.quote('a\"') == '\"a\\\\\"\"'",
        # Lists that an expression makes are equal to nothing else; those of an object fail, which `!=` does not show.
        "!(dyn([1]) == dyn('a')) && !(dyn('a') == dyn(self.l)) && dyn(self.l) != dyn('a') && dyn(self.m) != dyn(1)",
        # A sum of quantities can be compared, and nothing with it.
        "quantity('1').add(1) == quantity('2') && quantity('2').sub(quantity('1')) in [quantity('1')]",
        "quantity('2') != quantity('1').add(1) && !(quantity('2') in [quantity('1').add(1)])",
        "[quantity('1').add(1)].indexOf(quantity('2')) == 0 && [quantity('2')].indexOf(quantity('1').add(1)) == -1",
    ],
)
def test_true(text: str) -> None:
    value, cost = run(text)
    assert value is True, value
    assert cost > 0


@each(
    ("text", "message"),
    [
        ("self.o.x == 1", "no such key: x"),
        ("self.m.zz == ''", "no such key: zz"),
        ("self.l[3] == 1", "index out of bounds: 3"),
        ("self.l[-1] == 1", "index out of bounds: -1"),
        ("self.a / (self.a - 3) == 1", "division by zero"),
        ("self.a % 0 == 1", "modulus by zero"),
        ("self.a + 9223372036854775807 > 0", "integer overflow"),
        ("self.a / 0 > 1 || !self.b", "division by zero"),
        ("self.l.all(x, 6 / (x - 1) > 1)", "division by zero"),
        ("int(self.any + 'x') > 1", "type conversion error from 'string' to 'int'"),
        ("self.any > 1", "no such overload"),
        ("optional.none().value() == 1", "optional.none() dereference"),
        ("int('x') > 1 || self.b", None),
        ("string(self.a / 0) == ''", "division by zero"),
        ("self.l.map(x, self.l[x]).size() == 3", "index out of bounds: 3"),
        ("dyn(self.l) == dyn('a')", "no such overload"),
        ("!(dyn(self.l) == dyn(self.s))", "no such overload"),
        ("!(dyn(self.set) == dyn('x')) || !(dyn(self.keyed) == dyn(b'x'))", "no such overload"),
        ("!(dyn(self.m) == dyn([1]))", "no such overload"),
        ("sets.contains([self.m].map(x, dyn(x)) + [], [dyn('a')]) || dyn(self.m) == dyn('a')", "no such overload"),
        ("quantity('2') == quantity('1').add(1)", "no such overload"),
        ("!(quantity('1').add(1) == quantity('3').sub(1))", "no such overload"),
        ("!(dyn(quantity('2')) == dyn(2)) || !(dyn(ip('10.0.0.1')) == dyn('10.0.0.1'))", "no such overload"),
        ("cidr('10.0.0.0/8').containsIP('x')", "no such overload"),
        ("[[1]].flatten(self.a - 3).isSorted()", "no such overload: isSorted(list)"),
        ("'%s'.format([dyn(self.o)]) == ''", 'error during formatting: could not find key: "nul"'),
        ("cidr('10.0.0.0/8').containsCIDR('x')", "network address parse error"),
        ("sets.contains(self.s.split(self.m.zz, 1 / 0).slice(0, [1 / 0].sort()[0]), [])", "no such key: zz"),
    ],
)
def test_errors(text: str, message: str | None) -> None:
    if message is None:  # a constant that cannot be converted is refused before anything runs
        with pytest.raises(InvalidExpression):
            run(text)
        return
    value, _ = run(text)
    assert isinstance(value, EvaluationError)
    assert value.message.startswith(message)


@each(
    ("value", "text", "message"),
    [
        ({"a": 1.0}, "self.a > 0", "invalid data, expected int, got float64"),
        ({"a": "x"}, "self.a > 0", "invalid data, expected int, got string"),
        ({"s": None}, "has(self.s) && self.s == ''", None),
        ({"l": [1, None]}, "self.l.all(x, x > 0)", "invalid data, got null for schema with nullable=false"),
        ({"l": {}}, "self.l.size() == 0", "invalid data, expected an array for the provided schema with type=array"),
        ({"o": []}, "has(self.o.x)", "invalid data, expected a map for the provided schema with type=object"),
        ({"any": 1.5}, "self.any == 1", "invalid data, expected XIntOrString value to be either a string or integer"),
        ({"b": 1}, "self.b", "invalid data, expected bool, got int64"),
        ({"d": "x"}, "self.d > 1.0", "invalid data, expected float, got string"),
        ({"span": "x"}, "self.span > duration('1s')", "Invalid duration x: unable to parse x as duration"),
        ({"raw": "_"}, "self.raw == b''", "Invalid byte formatted string _: illegal base64 data at input byte"),
    ],
)
def test_data_that_is_not_of_its_schema(value: Any, text: str, message: str | None) -> None:
    found, _ = run(text, value)
    if message is None:
        assert found is False
        return
    assert isinstance(found, EvaluationError), found
    assert found.message.startswith(message)


@each(
    ("text", "cost"),
    [
        ("true", 0),
        ("self.b", 2),
        ("has(self.o.x)", 2),
        ("self.a == 3", 3),
        ("self.a in [1, 2, 3]", 2),
        ("self.a in self.l", 7),
        ("self.b || self.b", 2),
        ("self.b && self.b", 4),
        ("self.b ? self.b : true", 3),
        ("self.s == 'x'", 3),
        ("self.s.startsWith('hä')", 3),
        ("self.s.matches('^[a-zä]+$')", 5),
        ("[self.a].size() == 1", 14),
        ("[1].size() == 1", 2),
        ("self.l[0] == 1", 4),
        ("self.l[self.a - 3] == 1", 7),
        ("self.l.all(x, x > 0)", 18),
        ("self.l.exists(x, x == 1)", 12),
        ("duration('1s') == duration('1s')", 1),
        ("self.time == timestamp('2020-01-01T00:00:00Z')", 3),
        # An argument that fails ends calls of three, of several overloads, and of constant patterns. They are not paid.
        ("self.m.zz.startsWith('a')", 4),
        ("self.m.zz.matches('^[a-z]+$')", 3),
        ("self.m.zz.matches(self.s)", 7),
        ("self.m.zz.find('[a-z]+') == ''", 3),
        ("self.m.zz.substring(self.a, self.a) == ''", 3),
        ("'abc'.substring(self.o.x, self.a) == ''", 3),
        ("quantity(self.m.zz).add(dyn(1)).isInteger()", 5),
        # So does a key of a map that is made, and no optional step that fails is paid.
        ("{self.m.zz: self.s}.size() == 1", 35),
        ("self.m[?self.o.nul].hasValue()", 5),
        ("self.m[?self.m.zz].orValue('') == ''", 4),
        ("cidr('10.0.0.0/8').containsIP(self.m.zz)", 6),
        ("cidr('10.0.0.0/8').containsCIDR(self.m.zz)", 8),
        ("format.named('x').value().validate(self.s).hasValue()", 6),
    ],
)
def test_costs(text: str, cost: int) -> None:
    assert run(text)[1] == cost


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bool(dyn([1]))", "no such overload: bool(list)"),
        ("self.a == int(dyn({'a': [1]}))", "no such overload: int(map)"),
        ("string(dyn(type(1))) == ''", "no such overload: string(type)"),
    ],
)
def test_constants_are_converted_beforehand(text: str, problem: str) -> None:
    assert compile_rule(text, SCOPE).error == f"program instantiation failed: {problem}"
    with pytest.raises(InvalidExpression, match=re.escape(problem)):
        run(text)


@each(
    ("value", "name"),
    [
        ("quantity('1')", "kubernetes.Quantity"),
        ("url('https://a.b')", "kubernetes.URL"),
        ("semver('1.2.3')", "kubernetes.Semver"),
        ("format.uri()", "kubernetes.NamedFormat"),
        ("ip('10.0.0.1')", "net.IP"),
        ("cidr('10.0.0.0/8')", "net.CIDR"),
    ],
)
def test_types_have_their_whole_names(value: str, name: str) -> None:
    found, _ = run(f"'%s'.format([dyn({value})]) == ''")
    assert isinstance(found, EvaluationError)
    assert found.message.endswith(f"was given {name}")


def test_a_step_above_all_limits() -> None:
    """Its cost until then counts, which may exceed the limit of all rules of an object."""
    with pytest.raises(CostExceededError) as caught:
        run("[self.l].flatten(9223372036854775807).size() == 3")
    assert caught.value.cost > 1 << 62
    with pytest.raises(CostExceededError) as caught:
        run("[self.l, self.l].flatten(9223372036854775807).size() == 3")
    assert (1 << 63) < caught.value.cost < (1 << 63) + 100


def test_a_limit_ends_an_evaluation() -> None:
    assert run("self.l.all(x, x > 0)", limit=18)[1] == 18
    with pytest.raises(CostExceededError):
        run("self.l.all(x, x > 0)", limit=17)


def test_optional_old_values_lose_their_schema() -> None:
    """Servers up to 1.36 hand out what an optional variable holds as plain data: sets are lists there."""
    _, plan = compile_at("oldSelf.value().set == self.set", SCOPE, optional_old_self=True)
    new = SHAPE.read(VALUE)
    assert plan.run((new, Optional(True, SHAPE.read(OLD))), 1000)[0] is False
    assert plan.run((new, Optional(True, SHAPE.read(VALUE))), 1000)[0] is True
    assert isinstance(plan.run((new, ABSENT), 1000)[0], EvaluationError)
