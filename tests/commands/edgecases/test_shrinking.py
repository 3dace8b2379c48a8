"""Small requests: what matters stays, the rest goes, with few questions."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.commands.edgecases.samples import apis, errors, subjects
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.edgecases import Drawing, Probe, boundary_cases, make_random_source, shrink

Predicate = Callable[[Request], bool]


def request(obj: Any, old: Any = None, **more: Any) -> Request:
    return Request("Widget", obj, old, update=old is not None, **more)


def shrunk(found: Request, predicate: Predicate, most: int = 1000) -> tuple[Request, int]:
    """The smallest request, and the number of questions."""
    questions = 0

    def ask(candidate: Request) -> bool:
        nonlocal questions
        questions += 1
        return predicate(candidate)

    before = copy.deepcopy(found)
    result = shrink(found, ask, most=most)
    assert found == before
    assert predicate(result)
    assert questions <= most
    return result, questions


def test_what_does_not_matter_goes() -> None:
    big = {"spec": {"size": 5, "name": "x" * 50, "parts": [{"a": n} for n in range(30)]}, "status": {"a": {"b": 1}}}
    small, questions = shrunk(request(big, big, options={"A": True}, subresource="/status"), lambda r: "spec" in r.obj)
    assert small == request({"spec": {}})
    assert questions < 40


def test_values_become_simple() -> None:
    def predicate(r: Request) -> bool:
        return isinstance(r.obj, dict) and len(r.obj.get("name", "")) > 10 and r.obj.get("size", 0) > 100

    small, _ = shrunk(request({"name": "Some long name!", "size": 123456, "flag": True}), predicate)
    assert small.obj == {"name": "a" * 11, "size": 101}


def test_numbers_shrink_towards_zero_from_both_sides() -> None:
    small, _ = shrunk(request({"a": -5000, "b": 2.5}), lambda r: r.obj.get("a", 0) < -7 and r.obj.get("b", 0) > 1)
    assert small.obj == {"a": -8, "b": 2}


def test_an_update_stays_one_only_if_it_must() -> None:
    small, _ = shrunk(request({"a": 1}, {"a": 2}), lambda r: "a" in r.obj)
    assert small == request({"a": 0})
    small, _ = shrunk(request({"a": 17, "b": 3}, {"a": 20, "b": 3}), lambda r: r.update and r.old and r.obj != r.old)
    assert small.update
    assert len(str(small.obj)) + len(str(small.old)) <= len(str({"a": 0}) * 2)


def test_parts_that_both_sides_have_go_together() -> None:
    parts = [{"name": f"part-{n}", "size": n} for n in range(8)]
    old = copy.deepcopy(parts)
    parts[5]["size"] = 99

    def unequal(r: Request) -> bool:
        """One item has changed, and nothing else: what is dropped on one side only is another change."""
        if not r.update or not isinstance(r.old, dict):
            return False
        new, old = r.obj.get("parts", []), r.old.get("parts", [])
        return len(new) == len(old) and sum(1 for a, b in zip(new, old, strict=True) if a != b) == 1

    small, _ = shrunk(request({"parts": parts, "x": 1}, {"parts": old, "x": 1}), unequal)
    assert small.update
    assert len(small.obj["parts"]) == len(small.old["parts"]) == 1


def test_duplicates_become_simple_together() -> None:
    names = ["first-name", "twice", "second-name", "twice"]
    small, _ = shrunk(
        request({"names": names}), lambda r: len(set(r.obj.get("names", []))) < len(r.obj.get("names", []))
    )
    assert small.obj in ({"names": ["", ""]}, {"names": ["a", "a"]})


def test_options_that_matter_stay() -> None:
    small, _ = shrunk(request({}, options={"A": True, "B": True, "C": False}), lambda r: bool(r.options.get("B")))
    assert small.options == {"B": True}


def test_what_an_object_is_told_by_stays() -> None:
    obj = {"apiVersion": "v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {}}
    small, _ = shrunk(request(obj), lambda r: True)
    assert small.obj == {"apiVersion": "v1", "kind": "Widget"}
    other, _ = shrunk(request({**obj, "kind": "Another"}), lambda r: True)
    assert other.obj == {}


def test_keys_of_maps_become_simple() -> None:
    small, _ = shrunk(request({"labels": {"example.com/name": "x"}}), lambda r: bool(r.obj.get("labels")))
    assert small.obj == {"labels": {"a": ""}}


def test_the_number_of_questions_is_limited() -> None:
    big = {"names": [f"name-{n}" for n in range(500)]}
    small, questions = shrunk(request(big), lambda r: len(r.obj.get("names", [])) >= 400, most=50)
    assert questions <= 50
    assert len(small.obj["names"]) < 500


def test_the_same_request_becomes_the_same() -> None:
    def predicate(r: Request) -> bool:
        return len(r.obj.get("a", "")) + len(r.obj.get("b", "")) > 7

    first, second = (shrunk(request({"b": "xyz" * 9, "a": "uvw" * 9}), predicate)[0] for _ in range(2))
    assert first == second


def smaller(value: Any) -> Iterator[Any]:
    """A value with one part less, all that there are."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: less} for less in smaller(inner))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield [*value[:index], *value[index + 1 :]]
            yield from ([*value[:index], less, *value[index + 1 :]] for less in smaller(inner))


def marks(value: Any) -> Counter[str]:
    """How often the numbers 1 to 3 and null are in a value."""
    if isinstance(value, dict | list):
        return sum((marks(each) for each in (value.values() if isinstance(value, dict) else value)), Counter())
    return Counter([str(value)] if value in (1, 2, 3, None) else [])


marked = st.recursive(
    st.sampled_from([None, 1, 2, 3, 4, "a", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=drawn(200), deadline=None)
@given(obj=marked, old=marked, wanted=st.lists(st.sampled_from(["1", "2", "3", "None"]), max_size=3))
def test_nothing_raises_and_no_single_part_can_be_dropped(obj: Any, old: Any, wanted: list[str]) -> None:
    some = Counter(wanted) & marks(obj)

    def has_them(r: Request) -> bool:
        return r.update and some <= marks(r.obj) and some <= marks(r.old) + marks(r.obj)

    small, _ = shrunk(Request("Widget", obj, old, update=True), has_them, most=5000)
    assert not any(has_them(replace(small, obj=less)) for less in smaller(small.obj))
    assert not any(has_them(replace(small, old=less)) for less in smaller(small.old))


@each("number", range(0, 220, 20))
def test_requests_of_broken_rules_become_nearly_as_small_as_boundary_cases(number: int) -> None:
    program, registry = apis()
    case = list(boundary_cases(program, registry))[number]
    assert case.failing is not None
    rule = case.rule
    kind = next(k for k in subjects(program, registry) if (k.kind.package, k.kind.name) == (rule.package, rule.kind))
    conditions = {f"option {name}": state for name, state in case.failing.options.items()}
    drawing = Drawing(kind, make_random_source(number))
    big = replace(case.failing, obj=drawing.changed(case.failing.obj, conditions))
    wanted = {(e.type, e.field, e.tag) for e in errors(registry, case.failing)}

    def breaks(probe: Probe) -> bool:
        return wanted <= {(e.type, e.field, e.tag) for e in errors(registry, probe)}

    if breaks(big):
        small = shrink(big, breaks)
        assert len(str(small.obj)) <= len(str(case.failing.obj)) + 20
