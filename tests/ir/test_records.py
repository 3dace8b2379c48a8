"""What records say of tests is what the runtime does, and whoever must have an answer for each test has one."""

from __future__ import annotations

import ast
import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generated_files import build_sample_program, refusals

from tests.tables import each
from validation_gen.commands.edgecases import sides
from validation_gen.emit.policies import single
from validation_gen.emit.schema import constrain
from validation_gen.emit.text import literal
from validation_gen.ir import (
    AbsentPolicy,
    AppliesOn,
    Aspect,
    Bound,
    MembershipKind,
    PredicateSpec,
    Presence,
    Scalar,
    plain_predicates,
    predicates,
    value_shape,
)
from validation_gen.runtime import checks
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.items import Selector, WholeItems
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import STRING

PACKAGE = Path(__file__).parents[2] / "validation_gen"
#: What the runtime offers beside tests: what generated code needs for operands, and operations of their own.
OTHERS = {"KNOWN", "one_of", "undefined_option", *(kind.value for kind in MembershipKind)}


@dataclass(frozen=True)
class Sample:
    """A call that passes and one that fails, each as all arguments of the function; `zero` is the zero value."""

    passing: tuple[Any, ...]
    failing: tuple[Any, ...] | None
    zero: object = None

    def with_value(self, value: object) -> tuple[Any, ...]:
        return (value, *(self.passing or self.failing or ())[1:])


def _limit(record: PredicateSpec) -> Sample:
    few: Any = {Aspect.SIZE: ["a"], Aspect.NUMBER: 1}.get(record.measures, "a")
    many: Any = {Aspect.SIZE: ["a", "b", "c"], Aspect.NUMBER: 3}.get(record.measures, "abc")
    zero: Any = {Aspect.SIZE: [], Aspect.NUMBER: 0}.get(record.measures, "")
    if record.name.endswith("properties"):
        few, many, zero = ({str(key): key for key in value} for value in (few, many, zero))
    passing, failing = (few, many) if record.bound is Bound.MOST else (many, few)
    return Sample((passing, 2), (failing, 2), zero)


def _presence(record: PredicateSpec) -> Sample:
    good, bad = ("", "a") if record.presence is Presence.FORBIDDEN else ("a", "")
    if record.pointer:
        return Sample((good or None,), (bad or None,), None)
    return Sample((good,), (bad,), "")


SETS = WholeItems(STRING)
CONSTRAINTS = (("NoSet", "NoUnset", "NoModify"),)
SAMPLES = {
    **{record: _limit(record) for record in predicates.PREDICATES.values() if record.bound},
    **{record: _presence(record) for record in predicates.PREDICATES.values() if record.presence},
    predicates.ENUM_WITH_OPTIONS: Sample(
        ("a", ("a",), (), False, Operation()), ("b", ("a",), (), False, Operation()), ""
    ),
    predicates.MATCHES: Sample(("a", "^a$", "must be a", "format=a"), ("b", "^a$", "must be a", "format=a"), ""),
    predicates.UNIQUE: Sample((["a"], SETS), (["a", "a"], SETS), []),
    predicates.NO_NULLS: Sample((["a"],), ([None],), []),
    predicates.REQUIRED_ITEM: Sample(([{"a": 1}], Selector(("a", 1, 0)), "a"), ([], Selector(("a", 1, 0)), "a"), []),
    predicates.IMMUTABLE: Sample((), ("a",)),
    predicates.MONOTONIC: Sample((2, 1), (1, 2)),
    predicates.UPDATE_VALUE: Sample((1, 1, ()), (1, 0, *CONSTRAINTS)),
    predicates.UPDATE_POINTER: Sample((1, 1, ()), (1, None, *CONSTRAINTS)),
    predicates.UPDATE_STRUCT: Sample(({}, False, *CONSTRAINTS), ({}, True, *CONSTRAINTS)),
    predicates.UPDATE_LIST: Sample(([1], [1], ()), ([1], [], *CONSTRAINTS)),
    predicates.UPDATE_MAP: Sample(({}, {}, ()), ({"a": 1}, {}, *CONSTRAINTS)),
    predicates.ALWAYS_FAILS: Sample((), ("a", "", STRING)),
    predicates.NEVER_FAILS: Sample(("a", "", STRING), None),
    predicates.CUSTOM: Sample((), None),  # what handwritten functions say is theirs
}


@functools.cache
def _by_rules() -> dict[PredicateSpec, Sample]:
    """Samples from the objects that rules say their tags refuse, for tests of one member."""
    found = {}
    for refusal in refusals().values():
        program = build_sample_program(refusal)
        obj = json.loads(refusal.object)
        for plan in program.types.values():
            for member in plan.fields:
                shape = value_shape(member.shape)
                named = program.types[member.type].checks if member.type else []
                for test in plain_predicates([*member.checks, *named]):
                    if isinstance(shape, Scalar) and member.json in obj:
                        found[test.record] = Sample((), (obj[member.json], *test.operands), shape.zero)
    return found


def _sample(record: PredicateSpec) -> Sample:
    return SAMPLES[record] if record in SAMPLES else _by_rules()[record]


RECORDS = each("record", predicates.PREDICATES.values(), ids=lambda record: record.name)


def _ask(record: PredicateSpec, arguments: tuple[Any, ...]) -> list[FieldError]:
    function: Callable[..., list[FieldError] | None] = getattr(checks, record.name)
    found = function(*arguments)
    return found if isinstance(found, list) else []


def test_each_function_of_the_runtime_has_a_record() -> None:
    assert set(checks.__all__) - OTHERS == set(predicates.PREDICATES)


@RECORDS
def test_errors_are_those_of_the_record(record: PredicateSpec) -> None:
    sample = _sample(record)
    if sample.passing:
        assert not _ask(record, sample.passing)
    if sample.failing is None or record.presence is Presence.UNSET:  # which only asks
        assert not record.emits
        return
    errors = _ask(record, sample.failing)
    assert errors
    if record.emits:
        told = {(e.type, e.origin, e.path) for e in record.emits}
        assert {
            (error.type.value, error.origin, "[*]" if error.field.startswith("[") else "") for error in errors
        } <= told


@RECORDS
def test_absent_values_pass_as_the_record_says(record: PredicateSpec) -> None:
    sample = _sample(record)
    if record.measures in (Aspect.CHANGE, Aspect.ANYTHING):
        assert record.passes is AbsentPolicy.NONE
        return
    passes = AbsentPolicy.NONE
    if not _fails(record, sample.with_value(None)):
        passes = AbsentPolicy.NULL
        if not _fails(record, sample.with_value(sample.zero)) and _passes_any_zero(record):
            passes = AbsentPolicy.ZERO
    assert record.passes is passes
    if not record.judges_null:
        assert passes >= AbsentPolicy.NULL


def _fails(record: PredicateSpec, arguments: tuple[Any, ...]) -> bool:
    """What `unset` says is no error, but the same question."""
    return bool(getattr(checks, record.name)(*arguments))


def _passes_any_zero(record: PredicateSpec) -> bool:
    """Whether a zero value passes whatever the operand is, which a single sample cannot show."""
    return record.measures is not Aspect.VALUE and record.bound is not Bound.LEAST and record is not predicates.MAXIMUM


@RECORDS
def test_the_quick_condition_holds_whenever_a_value_fails(record: PredicateSpec) -> None:
    failing = _sample(record).failing
    if not record.quick or failing is None:
        return
    operands = (literal(each) for each in failing[1:] if isinstance(each, str | int))
    assert eval(record.quick.format(*operands, v="value"), {"value": failing[0]})


@RECORDS
def test_the_text_is_that_of_the_runtime(record: PredicateSpec) -> None:
    failing = _sample(record).failing
    if record.text is None or failing is None:
        assert not record.cel
        return
    (error,) = _ask(record, failing)
    assert record.text(*failing[1:]) == error.detail


@RECORDS
def test_what_a_call_takes(record: PredicateSpec) -> None:
    assert (record.when is AppliesOn.UPDATE) == (record.measures is Aspect.CHANGE)
    assert not (record.old and record.known)
    assert (record.presence is not None) == (record.measures is Aspect.PRESENCE)


@RECORDS
def test_everybody_has_an_answer(record: PredicateSpec) -> None:
    assert constrain.is_known(record), "emit/schema/constrain does not know what schemas say of it"
    assert single.is_known(record), "emit/policies does not know what policies say of it"
    assert sides.is_known(record), "commands/edgecases/sides does not know where its edges are"


def test_nobody_compares_names() -> None:
    """The names of tests stand in the runtime and in the records alone."""
    names = {name for name in predicates.PREDICATES if "_" in name}  # others are words of other vocabularies, too
    files = [f for room in ("rules", "compiler", "emit", "commands", "ir") for f in (PACKAGE / room).rglob("*.py")]
    files.remove(PACKAGE / "ir/predicates.py")
    assert not [
        f"{file.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
