"""Traced validators give the errors of the usual ones, also for drawn objects. `tests/test_cases.py` has the cases."""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_folders import Case, Request, all_cases
from tests.thorough import drawn
from validation_gen.commands.explain.replay.record import Record, Replay, SkipReason, Status, matching, narrowed
from validation_gen.commands.explain.replay.run import TracedValidators
from validation_gen.emit.python import Trace, emit_python
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Kind

CASES = [case for case in all_cases() if case.requests()]
REQUESTS = [(case, request) for case in CASES for request in case.requests()]


@functools.cache
def _traced(path: Path) -> TracedValidators:
    return TracedValidators(Case(path).build().program)


def traced(case: Case) -> TracedValidators:
    """Returns the traced validators of a case."""
    return _traced(case.path)


def kind_of(case: Case, request: Request) -> Kind | None:
    registry = case.registry()
    package, _, name = request.type.rpartition(".")
    kinds = registry.of_type(name, package)
    if len(kinds) == 1:
        return kinds[0]
    return registry.of_object(request.obj)


def replay_request(case: Case, request: Request) -> Replay | None:
    """Replays a request of a case; returns nothing for one without a kind."""
    kind = kind_of(case, request)
    if kind is None:
        return None
    update = request.op == "update"
    found = traced(case).replay(
        kind, request.obj, request.old, update=update, options=request.options, subresource=request.subresource
    )
    usual = case.registry().run(
        kind, request.obj, request.old, update=update, options=request.options, subresource=request.subresource
    )
    assert list(map(str, found.errors)) == list(map(str, usual))
    return found


def check_replay(found: Replay) -> None:
    """Checks that each error belongs to one failed check and each failed check has an error, where one was expected."""
    given: list[FieldError] = [error for record in found.records for error in record.errors]
    assert sorted(map(id, given)) == sorted(map(id, found.errors))
    for record in found.records:
        assert bool(record.errors) == (record.status is Status.FAILED), record
        assert (record.skip is not None) == (record.status is Status.SKIPPED), record
        assert record.status is not Status.STOPS or record.silent, record
        for error in record.errors:
            place = error.place.replace("<nil>", "")
            assert place.startswith(record.path), record
    assert found.surprises == 0, [str(e) for e in found.errors]


# --- objects that nobody has thought of ------------------------------------------------------------------------------

SCALARS = st.none() | st.booleans() | st.integers(-3, 2**40) | st.floats(allow_nan=False) | st.text(max_size=4)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def places(obj: Any) -> list[tuple[Any, Any]]:
    """All containers in a value with each of their keys."""
    found: list[tuple[Any, Any]] = []
    waiting = [obj]
    while waiting:
        value = waiting.pop()
        keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        found += [(value, key) for key in keys]
        waiting += [value[key] for key in keys]
    return found


@st.composite
def changed(draw: st.DrawFn, obj: Any, others: list[Any]) -> Any:
    """An object with some of its parts exchanged, taken from other objects, or gone."""
    obj = copy.deepcopy(obj)
    for _ in range(draw(st.integers(0, 3))):
        spots = places(obj)
        if not spots:
            return draw(JSON)
        container, key = draw(st.sampled_from(spots))
        action = draw(st.sampled_from(["drop", "other", "any", "twice"]))
        if action == "drop":
            del container[key]
        elif action == "other" and others:
            taken = [c[k] for c, k in places(draw(st.sampled_from(others)))]
            container[key] = copy.deepcopy(draw(st.sampled_from(taken))) if taken else None
        elif action == "twice" and isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        else:
            container[key] = draw(JSON)
    return obj


@st.composite
def requests(draw: st.DrawFn) -> tuple[Case, Request]:
    case, request = draw(st.sampled_from(REQUESTS))
    alike = [other for other in case.requests() if other.type == request.type]
    objects = [value for other in alike for value in (other.obj, other.old) if value is not None]
    obj = draw(changed(request.obj, objects))
    old = draw(st.none() | changed(draw(st.sampled_from(objects or [None])), objects))
    options = {name: draw(st.booleans()) for name in case.build().program.options if draw(st.booleans())}
    op = "create" if old is None else "update"
    return case, Request("drawn", type=request.type, op=op, obj=obj, old=old, options=options)


@settings(deadline=None, max_examples=drawn(150))
@given(requests())
def test_any_object(drawn: tuple[Case, Request]) -> None:
    found = replay_request(*drawn)
    if found is not None:
        check_replay(found)
        for record in found.records:
            if record.skip is not None and record.skip.why is SkipReason.STOPPED:
                assert any(map(stops_others, found.records)), f"{record} is stopped by nothing"


def stops_others(record: Record) -> bool:
    """Returns whether a check has stopped others: it failed, or its error is hidden (a stand-in, its level)."""
    hidden = record.skip is not None and record.skip.why in (SkipReason.WRONG_TYPE, SkipReason.LEVEL)
    return record.stops and (hidden or record.status in (Status.FAILED, Status.STOPS))


@given(JSON, st.none() | JSON)
@settings(deadline=None)
def test_it_never_raises(obj: Any, old: Any) -> None:
    case = next(case for case in CASES if case.name == "shape-recursion")
    for kind in case.registry().kinds:
        for before in (old, obj):
            check_replay(traced(case).replay(kind, obj, before))


def test_deep_objects() -> None:
    case = next(case for case in CASES if case.name == "shape-recursion")
    obj: dict[str, Any] = {}
    for _ in range(100_000):
        obj = {"left": obj, "name": "x"}
    for kind in case.registry().kinds:
        found = traced(case).replay(kind, obj)
        assert len(found.records) >= len(found.errors)


def test_a_failure_about_a_stand_in_is_hidden() -> None:
    """The check fails for the value in the place of the wrong one, and validators do not report that."""
    case = next(case for case in CASES if case.name == "dependent-forbidden")
    (request,) = [request for request in case.requests() if request.name == "create-wrong-type"]
    found = replay_request(case, request)
    assert found is not None
    hidden = [r for r in found.records if r.skip is not None and r.skip.why is SkipReason.WRONG_TYPE]
    assert "its error is about a value of the wrong type" in {r.skip.text for r in hidden if r.skip}


def test_usual_code_has_no_hooks() -> None:
    """Traced code reports each check to its operation; other code knows nothing of that."""
    case = next(case for case in CASES if case.name == "if-mode")
    program, trace = case.build().program, Trace()
    hooks = ("op.ran(", "op.failed(", "op.part(")
    text = "".join(emit_python(program, trace=trace).values())
    assert all(hook in text for hook in hooks)
    assert trace.operations
    assert not any(hook in text for text in emit_python(program).values() for hook in hooks)


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("spec.tools[*].name", ["spec.tools[0].name", "spec.tools[1].name"]),
        ("spec.tools[*]", ["spec.tools[0]", "spec.tools[1]"]),
        ("spec.tools[*].nam", ["spec.tools[*].nam"]),
        ("spec.tools", ["spec.tools"]),
    ],
)
def test_a_star_means_each_item(path: str, places: list[str]) -> None:
    paths = ("spec.tools", "spec.tools[0].name", "spec.tools[1].name", "spec.other[0].name")
    records = [Record(each, "", "", "", Status.HELD) for each in paths]
    assert matching(records, path) == places
    assert [r.path for r in narrowed(records, path)] == [p for p in paths if any(p.startswith(x) for x in places)]
