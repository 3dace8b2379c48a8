"""Rules, patterns and multiples that admit every value of the older ones: no change of them refuses an object."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import pytest

from tests.commands.breaking.conftest import Project, api, said
from tests.commands.breaking.test_schemas import _changes, _rules
from tests.tables import each
from validation_gen.commands.breaking.ranges import not_implied
from validation_gen.runtime.goregex import compiled
from validation_gen.runtime.goregex.pattern import includes

OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _follows(new: str, old: str, *integers: str) -> bool:
    return not not_implied([new], [old], lambda path: ".".join(("self", *path)) in integers)


@pytest.mark.parametrize("integral", [True, False])
def test_every_pair_of_comparisons(integral: bool) -> None:
    values = [n if integral else n / 4 for n in range(-6 if integral else -12, 14)]
    for old, new in itertools.product(OPERATORS, repeat=2):
        for a, b in itertools.product((-1, 0, 1, 2), repeat=2):
            admits = all(OPERATORS[new](v, b) for v in values if OPERATORS[old](v, a))
            known = ("self.a",) if integral else ()
            assert _follows(f"self.a {new} {b}", f"self.a {old} {a}", *known) is admits, (old, a, new, b)


@each(
    ("old", "new", "follows"),
    [
        ("self.a < 5", "self.a <= 5", True),
        ("5 > self.a", "self.a <= 5", True),
        ("self.a < 5", "5 >= self.a", True),
        ("!(self.a >= 5)", "self.a < 6", True),
        ("!(self.a < 5)", "self.a >= 5", True),
        ("self.a < 5.0", "self.a < 5.5", True),
        ("self.a > -5", "self.a >= -5", True),
        ("self.a < 5u", "self.a <= 5u", True),
        ("self.a < 5", "self.b <= 5", False),
        ("self.a <= 5", "self.a < 5", False),
        ("self.a < 6", "self.a <= 5", False),
        ("size(self.a) < 6", "size(self.a) <= 5", True),
        ("self.a.size() > 0", "self.a.size() != 0", True),
        ("self.a.size() != 0", "self.a.size() >= 1", True),
        ("self.a.size() <= 0", "self.a.size() == 0", True),
        ("!has(self.a) || self.a < 5", "!has(self.a) || self.a <= 5", True),
        ("self.a < 5 || self.b > 1", "self.a < 7 || self.b >= 1", True),
        ("self.a < 5 || self.b > 1", "self.a < 7", False),
        ("self.a > 1 && self.a < 5", "self.a >= 1", True),
        ("self.a >= 1", "self.a > 1 && self.a < 5", False),
        ("self.a + self.b < 5", "self.a + self.b <= 5", True),
        ("self.a < self.b", "self.a <= self.b", False),
        ("self.a", "!self.a", False),
        ("!!self.a", "self.a", True),
        ("self.a == true", "self.a == 1", False),
        ("self.a.all(i, i < 5)", "self.a.all(i, i <= 5)", True),
        ("self.a.all(i, i <= 5)", "self.a.all(i, i < 5)", False),
        ("self.a.exists(i, i.b < 5 && i.c)", "self.a.exists(i, i.b < 6)", True),
        ("self.a.all(i, i < 5)", "self.b.all(i, i <= 5)", False),
        ("self.a.exists(i, i < 5)", "self.a.all(i, i <= 5)", False),
        ("self.a.exists_one(i, i < 5)", "self.a.exists_one(i, i <= 5)", False),
        ("!self.a.all(i, i < 5)", "!self.a.all(i, i <= 5)", False),
        ("self.a.all(i, i < 5)", "self.a.all(i, i < 5 || i > 9)", True),
        ("self.a in [1, 2]", "self.a in [1, 2, 3]", True),
        ("self.a in [1, 2, 3]", "self.a in [1, 2]", False),
        ("self.a in [1, 2]", "self.a in [2, 1]", True),
        ("self.a in ['x']", 'self.a in ["y", "x"]', True),
        ("self.a in ['x', 'y']", "self.a in ['x', 'z']", False),
        ("self.a in ['x', 'y']", "self.a == 'x' || self.a == 'y'", True),
        ("self.a == 'x' || self.a == 'y'", "'y' == self.a || self.a in ['z', 'x']", True),
        ("self.a == 'x'", "self.a != 'y'", True),
        ("self.a == 'x'", "self.a != 'x'", False),
        ("self.a != 'x'", "self.a != 'y'", False),
        ("self.a < 'x'", "self.a <= 'x'", False),
        ("self.a == 1", "self.a == '1'", False),
        ("!(self.a in [1, 2])", "!(self.a in [1])", True),
        ("!(self.a in [1])", "!(self.a in [1, 2])", False),
        ("!(self.a in ['x', 'y'])", "self.a != 'y'", True),
        ("self.a != 'y' && self.a != 'x'", "!(self.a in ['x', 'y'])", True),
        ("!(self.a == 1 || self.a == 2)", "!(self.a in [2])", True),
        ("!(self.a > 1 && self.b)", "!(self.a > 2 && self.b)", True),
        ("!(self.a > 2 && self.b)", "!(self.a > 1 && self.b)", False),
        ("!!(self.a in [1])", "self.a in [1, 2]", True),
        ("self.a in [1, 2]", "self.a <= 2", True),
        ("self.a == 1 || self.a == 2", "self.a == 1 || self.a == 2 || self.a == 3", True),
        ("self.a in [1, 2] || self.b", "self.b || self.a in [3, 2, 1]", True),
        ("self.a in [self.b]", "self.a in [self.b, 1]", False),
        ("self.a in []", "self.a in [1]", False),
        ("self.a.all(i, i in ['x'])", "self.a.all(i, i in ['x', 'y'])", True),
        ("self.a.exists(i, !(i.b in ['x', 'y']))", "self.a.exists(i, i.b != 'x')", True),
    ],
)
def test_rules_that_follow(old: str, new: str, follows: bool) -> None:
    assert _follows(new, old) is follows


def test_integers_are_known_by_both_schemas() -> None:
    def spec(kind: str, rule: str) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {"a": {"type": kind}},
            "x-kubernetes-validations": [{"rule": rule}],
        }

    assert _changes(spec("integer", "self.a < 6"), spec("integer", "self.a <= 5")) == []
    assert [change[:11] for change in _changes(spec("number", "self.a < 6.0"), spec("number", "self.a <= 5.0"))] == [
        "error VG705"
    ]
    own = {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 6"}]}
    assert _changes(own, {**own, "x-kubernetes-validations": [{"rule": "self <= 5"}]}) == []
    gone = ['info VG706 spec: rule "self.a.size() < 5" is gone']
    assert _changes(_rules("self.a.size() < 5"), _rules("self.a.size() <= 5")) == gone


@each(
    ("keyword", "old", "new", "severity"),
    [
        ("multipleOf", 4, 2, "info"),
        ("multipleOf", 2, 4, "error"),
        ("multipleOf", 6, 4, "error"),
        ("multipleOf", 0.5, 0.1, "info"),
        ("multipleOf", 0.1, 0.5, "error"),
        ("multipleOf", 1e40, 5, "info"),  # a quotient of more digits than decimals have
        ("multipleOf", 1e40, 3, "error"),
        ("pattern", "^(a|b)$", "^[ab]$", "info"),
        ("pattern", "^[ab]$", "^(a|b)$", "info"),
        ("pattern", "^[ab]$", "^[abc]$", "info"),
        ("pattern", "^[abc]$", "^[ab]$", "error"),
        ("pattern", "^a$", "a", "info"),
        ("pattern", "a", "^a$", "error"),
        ("pattern", r"a\b", r"a\b|b", "error"),  # word boundaries are not compared
    ],
)
def test_keywords(keyword: str, old: object, new: object, severity: str) -> None:
    kind = "string" if keyword == "pattern" else "number"
    (found,) = _changes({"type": kind, keyword: old}, {"type": kind, keyword: new})
    assert found.startswith(f"{severity} {'VG706' if severity == 'info' else 'VG705'} spec: {keyword} is ")


def test_types_have_the_same_comparisons(project: Project) -> None:
    old, new = (
        api(
            f'// +kubebuilder:validation:Pattern=`{pattern}`\nName string `json:"name"`\n'
            f'// +kubebuilder:validation:MultipleOf={multiple}\nSize int32 `json:"size"`\n'
            f'// +kubebuilder:validation:XValidation:rule="{rule}"\nLoad int32 `json:"load"`'
        )
        for pattern, multiple, rule in (("^(a|b)$", 4, "self < 5"), ("^[ab]$", 2, "self <= 5"))
    )
    found = [text for text in said(project.compare(old, new)) if not text.startswith("info")]
    assert found == []


@each(
    ("wide", "narrow", "included"),
    [
        ("^[a-z]+$", "^[a-z]{1,5}$", True),
        ("^[a-z]{1,5}$", "^[a-z]+$", False),
        ("^(a|b)*$", "^(a*b*)*$", True),
        ("", "x", True),
        ("^a?$", "^$", True),
        ("^a$", "^$", False),
        ("^.*$", "(?s)^.*$", False),
        ("(?i)^abc$", "^ABC$", True),
        ("(?i)[a-z]", "\u212a", True),
        (r"^\d+$", "^[0-9]+$", True),
        (r"^\pL+$", r"^\p{Lu}+$", True),
        (r"^\p{Lu}+$", r"^\pL+$", False),
        ("[^a]", "a", False),
        ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]+)*$", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", True),
        ("a", r"\ba", False),
        ("(", "a", False),
        ("^(a{1,900}b){2}$", "^a{1,900}$", False),
    ],
)
def test_texts_of_patterns(wide: str, narrow: str, included: bool) -> None:
    assert includes(wide, narrow) is included


def test_patterns_and_all_short_texts() -> None:
    patterns = ["a", "^a", "a$", "[^a]", ".", "^a*$", "^(a|b)+$", "^[ab]?c", "b.*c|a", "^$", "(?:a|bc)*c$", "^a.$|b"]
    texts = ["".join(each) for size in range(6) for each in itertools.product("abc\n", repeat=size)]
    for wide, narrow in itertools.product(patterns, repeat=2):
        seen = all(compiled(wide).matches(text) for text in texts if compiled(narrow).matches(text))
        assert includes(wide, narrow) is seen, (wide, narrow)
