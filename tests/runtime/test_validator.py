"""What validators make of unusual objects: foreign lists, deep ones, wrong old ones, and requests that share things."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.decoded import case_of, sample
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import BYTES

_ROBOT = """
spec:
  compartments:
  - name: a
    volumeLiters: 0
  - name: main
    volumeLiters: 20
  - name: b
    volumeLiters: 0
"""


class _OwnWay(list[Any]):
    """A list that is iterated by a generator, as YAML readers have it."""

    def __iter__(self) -> Iterator[Any]:
        yield from list.__iter__(self)


def _fields(obj: Any) -> list[str]:
    return [error.field for error in sample().registry.validate(obj, type="robots/v1.Robot")]


def test_lists_of_yaml_readers_have_positions() -> None:
    plain = YAML(typ="safe", pure=True).load(_ROBOT)
    assert "spec.compartments[0].volumeLiters" in _fields(plain)
    assert _fields(YAML().load(_ROBOT)) == _fields(plain)
    own = {"spec": {"compartments": _OwnWay(plain["spec"]["compartments"])}}
    assert _fields(own) == _fields(plain)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": [value]}
    return value


def test_what_nobody_looks_at_may_be_deep() -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    valid = {"name": "a", "number": 5, "inner": {"b": 1}}
    assert (
        registry.run(kind, {**valid, "unknown": _nested(5000)}, {**valid, "unknown": _nested(5000)}, update=True) == []
    )
    circle: dict[str, Any] = {**valid, "name": "a"}
    circle["unknown"] = circle
    again: dict[str, Any] = {**valid, "name": "a"}
    again["unknown"] = again
    assert registry.run(kind, circle, again, update=True) == []


def test_a_wrong_text_is_told_from_one_that_looks_like_it() -> None:
    errors = sample().registry.validate({"poolName": 1.0}, {"poolName": 1}, type="robots/v1.RobotSpec")
    assert "poolName: Invalid value: 1: must be a string, not a number" in [str(error) for error in errors]


def _calls(count: int) -> int:
    """The number of calls in an update with many wrong values, new and old."""
    registry, calls = sample().registry, 0
    new, old = {"capabilities": [1] * count}, {"capabilities": [2] * count}
    for _ in range(64):  # what is made after a few objects is made now
        registry.validate({}, type="robots/v1.RobotSpec")

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        errors = registry.validate(new, old, type="robots/v1.RobotSpec")
    finally:
        sys.setprofile(None)
    assert len(errors) >= count
    return calls


def test_many_wrong_values_are_no_trap() -> None:
    assert _calls(1000) < 12 * _calls(100)


def test_requests_do_not_share_options() -> None:
    with pytest.raises(TypeError):
        Operation().options["leak"] = True  # type: ignore[index]


def test_bytes_are_not_remembered() -> None:
    BYTES.decoded("c2VjcmV0")
    assert BYTES.known == set()
