"""Rules as Python source say "true" only where their plans do, and never less than what these cost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from validation_gen.kubernetes.cel import Scope
from validation_gen.kubernetes.cel.compiled import DoubtError, UnsupportedError, compile_function
from validation_gen.kubernetes.cel.data import build_shape
from validation_gen.kubernetes.cel.program import prepare
from validation_gen.kubernetes.cel.values import EvaluationError

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": STRING,
        "short": {"type": "string", "maxLength": 3},
        "count": INTEGER,
        "share": {"type": "number"},
        "is": {"type": "boolean"},
        "maybe": {"type": "string", "nullable": True},
        "port": {"x-kubernetes-int-or-string": True},
        "when": {"type": "string", "format": "date-time"},
        "wait": {"type": "string", "format": "duration"},
        "names": {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"},
        "counts": {"type": "array", "items": INTEGER},
        "labels": {"type": "object", "additionalProperties": STRING},
        "a-b": STRING,
        "parts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": STRING, "count": INTEGER, "names": {"type": "array", "items": STRING}},
            },
        },
    },
}
RULES = [
    "self.name == self.short",
    "self.name != 'a' || self.count > 3",
    "self.name < self.short",
    "self.share * 2.0 <= 1.0 && self.share != 0.5",
    "double(self.count) == self.share",
    "self.count + 9223372036854775800 > 5",
    "size(self.names) + self.counts.size() + 1 < 4",
    "self.count - 1 == 3 || self.count / self.count == 1 || self.count % 2 == 0",
    "has(self.maybe) && self.maybe == 'a'",
    "self.maybe != 'b'",
    "self.port == 80 || self.port == 'a'",
    "self.when > timestamp('2020-01-01T00:00:00Z') && self.wait < duration('1h')",
    "self.name in self.names",
    "self.name in ['a', 'b'] || self.count in [1, 2]",
    "'a' in self.labels && self.labels['a'] == 'b' && has(self.labels.a)",
    "self.counts[0] == 1 && self.counts[self.count] == 2",
    "self.names == ['a', 'b']",
    "self.names.all(n, n.startsWith('a')) && self.names.exists(n, n.endsWith('a'))",
    "self.parts.exists_one(p, p.name == self.name)",
    "self.parts.all(p, p.names.all(n, self.parts.exists(q, q.name == n)))",
    "self.parts.filter(p, p.count > 1).map(p, p.name) == ['a']",
    "self.parts.filter(p, p.names.exists(n, n == 'a')).size() == 1",
    "self.parts.filter(p, has(p.name)) == self.parts",
    "self.parts.map(p, p.names.size() > 1 ? 1 : 2).sum() == 3",
    "self.parts.all(i, p, p.count >= i)",
    "self.labels.all(k, v, k != v) && self.labels.exists(k, k == 'a')",
    "self.name.matches('^a+b?$') || self.name.contains('b')",
    "self.counts.all(c, self.name.lowerAscii() != 'x' && self.name.startsWith('a'))",
    "self.name.matches(self.short)",
    "self.name.lowerAscii().split('b').join('c') == 'aca'",
    "self.a__dash__b == 'a'",
    "(self.is ? self.parts[0] : self.parts[1]).name == 'a'",
    "(has(self.name) ? self.name : self.short) + 'a' == 'aa'",
    "(has(self.names) ? self.names.size() : 0) + (has(self.counts) ? self.counts.size() : 0) <= 3",
    "quantity('1Ki').isGreaterThan(quantity(self.name))",
    "isURL(self.name) || url('https://a').getHost() == self.short",
    "self == oldSelf",
    "self.parts == oldSelf.parts && self.labels == oldSelf.labels",
    "self.names.all(n, n in oldSelf.names) || self.count >= oldSelf.count",
    "[1, 2].exists(x, x == self.count)",
    "{'a': 1, 'b': 2}[self.name] > 1 || self.counts.isSorted()",
    "dyn(self.count) == 1.0",
    "self.name.size() < 4 && self.name.substring(0, 1) == 'a'",
    "self.counts[1 - 2] >= 0 || self.counts[-(1)] >= 0",
    "[1, 2, 3][2 - 3] == 3 || self.count > 0",
    "!(self.name in 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z'.split(','))",
    "self.count in [1, 2, 3, 4] + [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]",
    "!(self.share / self.share > 1.0)",
    "!(self.share <= 0.0 / 0.0) && self.share != 0.0 / 0.0",
]
#: What has no form of its own, at least for now.
UNSUPPORTED = [
    "type(self.count) == int",
    "self.parts.map(p, {'n': p}).exists(m, m.n.count == 1)",
    "self.?name.orValue('a') == 'a'",
    "self.labels[?'a'].hasValue()",
]

_words = st.sampled_from(["", "a", "b", "aa", "ab", "aba", "aB", "é", "https://a"])
_counts = st.sampled_from([0, 1, 2, 3, 4, -1, 9223372036854775807])
_names = st.lists(_words, max_size=3)


def _objects(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


_parts = _objects({"name": _words, "count": _counts, "names": _names})
_values = _objects(
    {
        "name": _words,
        "short": st.sampled_from(["", "a", "ab"]),
        "count": _counts,
        "share": st.sampled_from([0, 1, 0.5, 0.25, 1.0]),
        "is": st.booleans(),
        "maybe": st.sampled_from(["a", "b"]),
        "port": st.sampled_from([80, "a", 81]),
        "when": st.sampled_from(["2021-01-01T00:00:00Z", "2019-01-01T00:00:00Z"]),
        "wait": st.sampled_from(["1m", "2h"]),
        "names": st.lists(_words, max_size=3, unique=True),
        "counts": st.lists(_counts, max_size=3),
        "labels": st.dictionaries(_words, _words, max_size=2),
        "a-b": _words,
        "parts": st.lists(_parts, max_size=3),
    }
)


class Ready:
    """A rule in both forms."""

    def __init__(self, text: str) -> None:
        scope = Scope(SCHEMA, stored=True, resource=False)
        found = prepare(text, scope)
        self.plan, self.shape = found.plan, build_shape(SCHEMA)
        self.quick = compile_function(found.typed, self.shape)


@cache
def ready_of(rule: str) -> Ready:
    return Ready(rule)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=drawn(60), deadline=None)
@given(new=_values, old=_values)
def test_the_source_says_what_the_plan_says(rule: str, new: Any, old: Any) -> None:
    ready = ready_of(rule)
    value, spent = ready.plan.run((ready.shape.read(new), ready.shape.read(old)), 1 << 40)
    try:
        quick, bound = ready.quick(new, old)
    except (DoubtError, LookupError, TypeError, EvaluationError):
        return
    assert not isinstance(value, EvaluationError)
    assert quick is value
    assert bound >= spent


@pytest.mark.parametrize("rule", UNSUPPORTED)
def test_what_has_no_form_of_its_own(rule: str) -> None:
    with pytest.raises(UnsupportedError):
        Ready(rule)


def test_each_rule_can_be_true() -> None:
    """Otherwise nothing would be compared."""
    new = {
        "name": "a",
        "short": "a",
        "count": 1,
        "share": 0.25,
        "is": True,
        "maybe": "a",
        "port": 80,
        "a-b": "a",
        "when": "2021-01-01T00:00:00Z",
        "wait": "1m",
        "names": ["a"],
        "counts": [1, 2],
        "labels": {"a": "b"},
        "parts": [{"name": "a", "count": 2, "names": ["a"]}],
    }
    true = [rule for rule in RULES if _is_true(ready_of(rule), new)]
    assert len(true) > len(RULES) / 2


def _is_true(ready: Ready, new: Any) -> bool:
    try:
        return bool(ready.quick(new, new)[0])
    except (DoubtError, LookupError, TypeError, EvaluationError):
        return False


def test_work_is_bounded_by_the_cost_of_a_call() -> None:
    ready = ready_of("self.parts.all(p, p.names.all(n, self.parts.exists(q, q.name == n)))")
    parts = [{"name": "a", "names": ["b"] * 1000}] * 1000 + [{"name": "b", "names": []}]
    with pytest.raises(DoubtError):
        ready.quick({"parts": parts}, None)


def test_names_of_a_schema_do_not_become_code() -> None:
    name = "a'] or __import__('os').abort() or v['"
    schema = {"type": "object", "additionalProperties": {"type": "string"}}
    found = prepare(f'self["{name}"] == "{name}"', Scope(schema, stored=True, resource=False))
    assert compile_function(found.typed, build_shape(schema))({name: name}, None)[0] is True


def test_what_a_loop_spends_on_texts_ends_it() -> None:
    """Each turn reads a long text, of which nothing limits the length."""
    ready = ready_of("self.counts.all(c, self.name.lowerAscii() != 'x' && self.name.startsWith('a'))")
    turns: list[int] = []

    class Counts(list[int]):
        def __iter__(self) -> Iterator[int]:
            for count in super().__iter__():
                turns.append(count)
                yield count

    with pytest.raises(DoubtError):
        ready.quick({"name": "aA" * 500_000, "counts": Counts([1] * 1_000)}, None)
    assert len(turns) < 20
