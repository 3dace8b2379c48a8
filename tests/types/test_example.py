"""The example of docs/python.md is Python like any other: it runs, can be inspected, and type checkers accept it.

`robots.py` holds its text, so that mypy reads it with everything else.
"""

from __future__ import annotations

import dataclasses
import runpy
import typing
from pathlib import Path
from typing import Annotated, Any

import pytest

from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.tags import EachVal, IfMode, ListType, MaxItems, MaxLength, Required
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta

ROBOTS = Path(__file__).with_name("robots.py")
DOCUMENT = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.fixture(scope="module")
def robots() -> dict[str, Any]:
    return runpy.run_path(str(ROBOTS), run_name="robots")


def test_the_file_is_the_example() -> None:
    example = DOCUMENT.read_text(encoding="utf-8").partition("```python\n")[2].partition("```\n")[0]
    assert ROBOTS.read_text(encoding="utf-8") == example


def test_nothing_is_wrong_with_it() -> None:
    result = build_program(Settings(paths=(str(ROBOTS),)))
    assert result.diagnostics.items == []
    assert result.program.packages


def test_objects_are_made_by_keyword(robots: dict[str, Any]) -> None:
    spec = robots["RobotSpec"](model="R2", callsign="artoo")
    robot = robots["Robot"](kind="Robot", metadata=ObjectMeta(name="r2"), spec=spec)
    assert isinstance(robot, TypeMeta)
    assert dataclasses.asdict(robot)["spec"]["pod_ips"] == []


def test_annotations_can_be_inspected(robots: dict[str, Any]) -> None:
    hints = typing.get_type_hints(robots["RobotSpec"], include_extras=True)
    assert hints["pod_ips"] == Annotated[list[str], ListType("set"), MaxItems(2)]
    assert hints["spare_parts"] == Annotated[int, Int32] | None
    assert typing.get_type_hints(robots["Robot"])["metadata"] is ObjectMeta


def test_type_checkers_know_what_tags_take() -> None:
    """mypy reports a comment that silences nothing, so each of these is an error to it."""
    with pytest.raises(TypeError):
        MaxLength("64")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        MaxLength()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Required(5)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        EachVal(int)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        IfMode("Static")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        ObjectMeta("name")  # type: ignore[call-arg]
