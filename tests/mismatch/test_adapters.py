"""Functions of any signature, whatever they return, yield or raise."""

from __future__ import annotations

import builtins
import dataclasses
import functools
import inspect
import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.adapted import ask, asked, told
from tests.tables import each
from validation_gen.mismatch.adapters import HandwrittenError, adapt
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.paths import Path

WIDGET = {"kind": "Widget", "spec": {"replicas": -1, "ports": [{"name": "a"}], "labels": {"a.b/c": "x"}}}


# --- signatures -------------------------------------------------------------------------------------------------------


class Recorder:
    """Says what functions were called with."""

    def __init__(self) -> None:
        self.seen: Any = None

    def __call__(self, obj: Any, *, old: Any) -> None:
        self.seen = (obj, old)

    def method(self, obj: Any, old: Any, op: Operation) -> None:
        self.seen = (obj, old, op.update)


SIGNATURES: list[tuple[Any, Any]] = [
    (lambda obj: (obj,), ("new",)),
    (lambda anything: (anything,), ("new",)),
    (lambda obj, old: (obj, old), ("new", "was")),
    (lambda a, b: (a, b), ("new", "was")),
    (lambda old, new: (old, new), ("was", "new")),
    (lambda a, b, c: (a, b, c.update), ("new", "was", True)),
    (lambda obj, op: (obj, op.option("Gate")), ("new", True)),
    (lambda obj, /, old=None: (obj, old), ("new", "was")),
    (lambda obj, strict=False: (obj, strict), ("new", False)),
    (lambda obj, strict=False, old=None: (obj, strict, old), ("new", False, "was")),
    (lambda obj, *, options, subresource: (obj, options, subresource), ("new", {"Gate": True}, "/status")),
    (lambda obj, *, update=False, subresources=(): (obj, update, subresources), ("new", True, ["status"])),
    (lambda *, new, old_obj: (new, old_obj), ("new", "was")),
    (lambda *all: all[:2], ("new", "was")),
    (lambda obj, **rest: (obj, rest), ("new", {})),
    (functools.partial(lambda limit, obj, old: (limit, obj, old), 3), (3, "new", "was")),
    (functools.partial(lambda obj, *, limit: (obj, limit), limit=3), ("new", 3)),
]


@each(("function", "wanted"), SIGNATURES)
def test_functions_get_what_they_ask_for(function: Any, wanted: Any) -> None:
    seen = []

    @functools.wraps(function)
    def noted(*args: Any, **kwargs: Any) -> None:
        seen.append(function(*args, **kwargs))

    if isinstance(function, functools.partial):
        noted.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    assert adapt(noted)("new", "was", Operation({"Gate": True}, update=True), "/status") == []
    assert seen == [wanted]


def test_the_operation_as_a_word() -> None:
    seen = []

    def check(obj: Any, operation: str) -> None:
        seen.append(operation)

    adapted = adapt(check)
    adapted({}, None, Operation())
    adapted({}, {}, Operation(update=True))
    assert seen == ["CREATE", "UPDATE"]


def test_objects_and_methods_are_functions() -> None:
    recorder = Recorder()
    ask(recorder, "new", "was")
    assert recorder.seen == ("new", "was")
    ask(recorder.method, "new", "was")
    assert recorder.seen == ("new", "was", True)
    assert ask(Recorder, "new") == []
    assert getattr(adapt(recorder.method), "__name__", "") == "method"


class Needy:
    def __init__(self, limit: int) -> None: ...

    def __call__(self, obj: Any) -> None: ...


@each(
    ("function", "reason"),
    [
        (lambda obj, old, op, colour: None, "has a parameter colour"),
        (lambda obj, *, colour: None, "has a parameter colour"),
        (lambda *, old: None, "does not take the object"),
        (lambda: None, "does not take the object"),
        (5, "5 is no function"),
        (dict, "builtins.dict is a class whose instances cannot be called"),
        (Needy, "is a class, and needs arguments"),
    ],
)
def test_what_cannot_be_called_is_told_at_once(function: Any, reason: str) -> None:
    with pytest.raises(HandwrittenError, match=reason):
        adapt(function)


# --- async ------------------------------------------------------------------------------------------------------------


async def waits(obj: Any) -> str:
    return "spec.replicas: Required value"


async def yields(obj: Any, old: Any = None) -> AsyncIterator[Any]:
    yield "spec.a: Required value"
    raise ValueError("spec.b: Required value")


class Waits:
    async def __call__(self, obj: Any) -> list[str]:
        return ["spec.replicas: Required value"]


def test_async_functions_stay_async() -> None:
    assert all(map(inspect.iscoroutinefunction, map(adapt, (waits, yields, Waits(), functools.partial(waits)))))
    assert not inspect.iscoroutinefunction(adapt(lambda obj: None))
    for function in (waits, Waits(), functools.partial(waits)):
        assert asked(function) == [("spec.replicas", "Required", "?")]
    assert asked(yields) == [("spec.a", "Required", "?"), ("spec.b", "Required", "?")]


def test_a_coroutine_that_nobody_awaits_is_a_mistake() -> None:
    made = waits({})
    with pytest.raises(HandwrittenError, match="returned a coroutine: adapt an async function"):
        ask(lambda obj: made)
    made.close()


# --- returns ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Decoded:
    replicas: int


@dataclasses.dataclass
class Problem:
    path: str
    message: str


class Pair(NamedTuple):
    where: str
    what: str


UNKNOWN = ("?", "?", "?")
VALID: list[Any] = [None, [], (), {}, True, "", " ", set(), (True, None), (True, ""), Decoded(1), WIDGET]
RETURNS: list[tuple[Any, list[tuple[str, str, str]]]] = [
    *((valid, []) for valid in VALID),
    (json.loads(json.dumps(WIDGET)), []),
    (False, [UNKNOWN]),
    ((False, "too bad"), [UNKNOWN]),
    ((False, None), [UNKNOWN]),
    (FieldError.required("spec.a"), [("spec.a", "Required", "")]),
    ((FieldError.required("spec.a"),), [("spec.a", "Required", "")]),
    ([FieldError.invalid("a", 1, "").with_origin("minimum"), "too bad"], [("a", "Invalid", "minimum"), UNKNOWN]),
    ("too bad", [UNKNOWN]),
    (["too bad", ["worse"]], [UNKNOWN, UNKNOWN]),
    ("spec.replicas: too small", [("spec.replicas", "?", "?")]),
    ("note: too small", [UNKNOWN]),
    (("spec.replicas", "too small"), [("spec.replicas", "?", "?")]),
    (("spec.replicas", "Required value: must be set"), [("spec.replicas", "Required", "?")]),
    ((("spec", "ports", 0, "name"), "too short"), [("spec.ports[0].name", "?", "?")]),
    ((Path("spec").child("labels").key("a.b/c"), "odd"), [("spec.labels[a.b/c]", "?", "?")]),
    ((None, "too bad"), [("<nil>", "?", "?")]),
    ([("/spec/ports/0/name", "odd"), ("$.spec.ports[0].name", "odd")], [("spec.ports[0].name", "?", "?")] * 2),
    (("all is bad", "and worse"), [UNKNOWN, UNKNOWN]),
    (Pair("spec.replicas", "odd"), [("spec.replicas", "?", "?")]),
    (Problem("spec.replicas", "odd"), [("spec.replicas", "?", "?")]),
    ([Problem("spec.replicas", "odd")], [("spec.replicas", "?", "?")]),
    ({"spec.replicas": "odd"}, [("spec.replicas", "?", "?")]),
    ({"spec": {"replicas": ["odd", "small"], "ports": {0: {"name": "odd"}}}},
     [("spec.replicas", "?", "?"), ("spec.replicas", "?", "?"), ("spec.ports[0].name", "?", "?")]),
    ({"_schema": ["all bad"], "spec": {"non_field_errors": ["odd"]}}, [("<nil>", "?", "?"), ("spec", "?", "?")]),
    ({"spec.ports[0].name": "Unsupported value: \"a\": supported values: \"b\""},
     [("spec.ports[0].name", "NotSupported", "?")]),
    ({"errors": []}, []),
    ({"errors": [{"type": "FieldValueInvalid", "field": "spec.replicas", "badValue": -1, "origin": "minimum"}]},
     [("spec.replicas", "Invalid", "minimum")]),
    ({"field": "spec.replicas", "type": "TooMany", "detail": "no"}, [("spec.replicas", "TooMany", "?")]),
    ({"loc": ("spec", "replicas"), "msg": "no", "type": "less_than"}, [("spec.replicas", "Invalid", "maximum")]),
    ({"allowed": True}, []),
    ({"allowed": False, "status": {"message": "spec.a: Forbidden"}}, [("spec.a", "Forbidden", "?")]),
    (ValueError("spec.a: Forbidden: no"), [("spec.a", "Forbidden", "?")]),
    ([KeyError("odd")], [UNKNOWN]),
]  # fmt: skip


@each(("answer", "wanted"), RETURNS, ids=lambda value: repr(value)[:40])
def test_returns(answer: Any, wanted: list[tuple[str, str, str]]) -> None:
    given_obj = WIDGET if answer is WIDGET else json.loads(json.dumps(WIDGET))
    assert asked(lambda obj: answer, given_obj) == wanted


def test_what_is_yielded_before_an_exception_counts() -> None:
    def check(obj: Any) -> Iterator[Any]:
        yield FieldError.required("a")
        yield "b", "odd"
        raise ValueError("c: Required value")

    assert asked(check) == [("a", "Required", ""), ("b", "?", "?"), ("c", "Required", "?")]


@each("answer", [5, 1.5, b"text", object(), [5], {"a": 5}, {"errors": [{"type": 5}]}, [[[object()]]]])
def test_other_answers_are_mistakes_of_the_function(answer: Any) -> None:
    def check_widgets(obj: Any) -> Any:
        return answer

    with pytest.raises(HandwrittenError, match=r"test_adapters\.test_other.*check_widgets returned "):
        ask(check_widgets, {"b": 1})


def test_endless_nesting_is_a_mistake() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(HandwrittenError, match="nested too deeply"):
        ask(lambda obj: endless)


def test_lists_of_errors_are_handed_on() -> None:
    errors = [FieldError.required("a")]
    assert ask(lambda obj: errors) is errors
    assert not errors[0].marks


# --- raises -----------------------------------------------------------------------------------------------------------


def raises(error: BaseException) -> Any:
    def check(obj: Any) -> None:
        raise error

    return check


def _assertion(obj: Any) -> None:
    assert obj["spec"]["replicas"] > 0


@pytest.mark.parametrize("error", [ValueError, AssertionError, TypeError])
def test_messages_of_exceptions_are_answers(error: type[Exception]) -> None:
    found = ask(raises(error("spec.replicas: Invalid value: -1: must be positive")))
    assert [told(each) for each in found] == [("spec.replicas", "Invalid", "?")]
    assert (found[0].bad_value, found[0].detail) == (-1, "must be positive")
    assert asked(raises(error("too bad"))) == [UNKNOWN]
    assert asked(raises(error())) == [UNKNOWN]


def test_an_assertion_without_a_text_is_an_answer() -> None:
    assert asked(_assertion, WIDGET) == [UNKNOWN]


def test_conversions_that_fail_are_answers() -> None:
    assert asked(lambda obj: int(obj["a"]) and None, {"a": "x"}) == [UNKNOWN]


def test_code_that_has_run_often_answers_as_before() -> None:
    def position(obj: Any) -> None:
        ["a", "b"].index(obj["a"])

    for _ in range(100):  # the interpreter replaces instructions by faster ones
        assert asked(position, {"a": "x"}) == [UNKNOWN]


@each(
    "crashing",
    [
        lambda obj: obj["nope"],
        lambda obj: obj.nope,
        lambda obj: obj["spec"]["replicas"]["min"],
        lambda obj: len(5),  # type: ignore[arg-type]
        lambda obj: Pair(*obj["spec"]["ports"]),
        lambda obj: [a for a, b in [obj["spec"]["ports"]]],
        lambda obj: 1 / 0,
    ],
)
def test_crashes_go_through(crashing: Any) -> None:
    with pytest.raises((KeyError, AttributeError, TypeError, ValueError, ZeroDivisionError)) as caught:
        ask(crashing, WIDGET)
    assert not isinstance(caught.value, HandwrittenError)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no exception groups")
def test_exception_groups() -> None:
    group: Any = getattr(builtins, "ExceptionGroup", None)
    both = group("two", [ValueError("a: Required value"), group("", [AssertionError("b: Forbidden")])])
    assert asked(raises(both)) == [("a", "Required", "?"), ("b", "Forbidden", "?")]
    with pytest.raises(group):
        ask(raises(group("one crash", [ValueError("a: Required value"), KeyError("b")])))


# --- coverage and places ----------------------------------------------------------------------------------------------


def test_who_decides_what_is_covered() -> None:
    def check(obj: Any) -> list[Any]:
        return [FieldError.required("a"), FieldError.required("b").covered_by_declarative(), "c: Required value"]

    def covered(**options: Any) -> list[bool]:
        return [Mark.COVERED in error.marks for error in ask(check, **options)]

    assert covered() == [False, True, True]
    assert covered(covered=True) == [True, True, True]
    assert covered(covered=False) == [False, True, False]
    assert covered(covered=lambda error: error.field == "a") == [True, True, False]


def test_a_validator_of_a_part() -> None:
    found = ask(lambda obj: [("replicas", "odd"), "ports[0].name: Required value"], WIDGET, at="spec")
    assert [error.field for error in found] == ["spec.replicas", "spec.ports[0].name"]
    assert found[0].bad_value == -1


# --- never raises -----------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(answer=JSON)
def test_every_answer_is_understood_or_refused(answer: Any) -> None:
    try:
        assert all(isinstance(error, FieldError) for error in ask(lambda obj: answer, {"a": 1}))
    except HandwrittenError as error:
        assert "returned" in str(error)  # noqa: PT017


@given(error=st.fixed_dictionaries({}, optional={
    "type": JSON | st.sampled_from([each.value for each in ErrorType]), "field": JSON | st.text(), "badValue": JSON,
    "detail": st.text(), "origin": st.text() | JSON, "message": st.text(), "covered": JSON, "level": JSON,
}))  # fmt: skip
def test_every_error_of_a_program_is_read_or_refused(error: Any) -> None:
    try:
        [found] = ask(lambda obj: {"errors": [error]})
        assert str(found)
    except HandwrittenError as mistake:
        assert "malformed error" in str(mistake)  # noqa: PT017
