"""Objects that mean no good: the answer comes in bounded time, or it says why there is none."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kubernetes.objects.answers import answer, robot, root, scheme_of, texts
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.objects import Outcome, UnsupportedRequestError

TEXT = {"type": "string"}
FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def ruled(rule: str, **schema: Any) -> dict[str, Any]:
    return {**schema, "x-kubernetes-validations": [{"rule": rule}]}


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = {"a": value}
    return value


def test_deep_objects() -> None:
    assert answer(root(FREE), robot(nested(100))).ok
    with pytest.raises(UnsupportedRequestError):
        answer(root(FREE), robot(nested(5_000)))
    with pytest.raises(UnsupportedRequestError):
        answer(root(FREE), robot({}), robot(nested(5_000)))


@each(
    "rule",
    [
        "!self.matches('^(a+)+$')",
        "!self.matches('(a|a|aa)*b')",
        "self.find('(a*)*b') == ''",
        "self.findAll('a*b|a').size() >= 0",
        "self.replace('a', 'aaaaaaaaaaaaaaaaaaaa').replace('a', 'aaaaaaaaaaaaaaaaaaaa').size() > 0",
        "self.split('').all(a, self.split('').all(b, self.split('').exists(c, c == b)))",
        "self.split('').map(a, self).map(b, b + b).map(c, c + c).size() >= 0",
    ],
    parts=3,
)
def test_rules_end(rule: str) -> None:
    """Whatever the text, and whether or not the rule holds."""
    start = time.process_time()
    answer(root(ruled(rule, **TEXT)), robot("a" * 20_000 + "!"))
    assert time.process_time() - start < 60


_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
_values = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcde"), inner, max_size=4)
)
_ITEM = {"type": "object", "properties": {"a": TEXT, "b": {"type": "integer", "default": 1}}, "required": ["a"]}
_SPEC = ruled(
    "!has(self.a) || self.a.all(x, !has(x.b) || x.b >= 0)",
    type="object",
    properties={
        "a": {"type": "array", "items": _ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]},
        "b": ruled("self.size() < 3 || self == oldSelf", type="string", format="date-time"),
        "c": {"x-kubernetes-int-or-string": True},
        "d": ruled("self.all(k, self[k] != 'x')", type="object", additionalProperties=TEXT),
        "e": {**FREE, "x-kubernetes-embedded-resource": True},
    },
)
_VERSION = {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}}
_SCHEME = scheme_of({}, versions=[{**_VERSION, "schema": {"openAPIV3Schema": root(_SPEC, status=FREE)}}])


@settings(max_examples=drawn(400), deadline=None)
@given(_values, _values, _values, st.sampled_from(["", "status"]))
def test_nothing_raises(new: Any, old: Any, metadata: Any, subresource: str) -> None:
    """Nor is what is handed in ever changed."""
    sent, before = robot(new, metadata=metadata), robot(old, metadata={"name": "talos"})
    kept = copy.deepcopy((sent, before))
    for outcome in (_SCHEME.admit(sent), _SCHEME.admit(sent, before, subresource=subresource, field_validation="Warn")):
        assert isinstance(outcome, Outcome)
        assert outcome.ok == (outcome.object is not None) == (not texts(outcome))
    assert repr((sent, before)) == repr(kept)
