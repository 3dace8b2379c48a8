"""The first conversion between two versions: it can be imported, is as black leaves it, and proposes what is likely."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import black
import pytest

from tests.commands.conversions.definitions import INTEGER, STRING, written
from tests.tables import each
from validation_gen.commands.conversions.kinds import read_kinds
from validation_gen.commands.conversions.skeleton import skeleton
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.runtime.words import likeness
from validation_gen.webhooks.conversions import Conversion, FieldOnlyIn

SAMPLE = Path(__file__).parents[3] / "testdata" / "apis"


def _object(**fields: Any) -> Any:
    return {"type": "object", "properties": fields}


def _text(tmp_path: Path, first: Any, second: Any) -> str:
    file = tmp_path / "robots.yaml"
    file.write_text(written(v1=first, v2=second))
    (kind,) = read_kinds(Settings((), definitions=(str(file),)), Diagnostics())
    return skeleton(kind, "v1", "v2")


def _conversion(text: str) -> Conversion:
    assert black.format_str(text, mode=black.Mode()) == text
    names: dict[str, Any] = {}
    exec(text, names)
    (found,) = [each for each in names.values() if isinstance(each, Conversion)]
    return found


def _calls(text: str) -> list[str]:
    """What is proposed: the moves, in one line each, and the comments that list fields."""
    found = [repr(move) for move in _conversion(text).moves]
    return found + [line.strip() for line in text.splitlines() if line.strip().startswith("# -")]


LONG = {f"a_rather_long_name_of_a_field_number_{number}": INTEGER for number in range(3)}
PORT = _object(name=STRING, num=INTEGER, protocol=STRING)
ENDPOINT = _object(name=STRING, number=INTEGER, protocol=STRING)
CASES: list[tuple[Any, Any, list[str]]] = [
    ({"a": INTEGER}, {"a": INTEGER}, []),
    ({"size": INTEGER}, {"sizes": INTEGER}, ["Rename(first='spec.size', name='sizes')"]),
    (
        {"size": INTEGER},
        {"sizes": STRING},
        ["FieldOnlyIn(version='v1', path='spec.size'", "FieldOnlyIn(version='v2', path='spec.sizes'"],
    ),
    (
        {"size": INTEGER},
        {"color": INTEGER},
        ["FieldOnlyIn(version='v1', path='spec.size'", "FieldOnlyIn(version='v2', path='spec.color'"],
    ),
    (
        {"batteryCapacity": INTEGER},
        {"battery": _object(capacity=INTEGER, serial=STRING)},
        [
            "Move(first='spec.batteryCapacity', second='spec.battery.capacity')",
            "FieldOnlyIn(version='v2', path='spec.battery'",
        ],
    ),
    (
        {"ports": {"type": "array", "items": PORT}, "others": {"type": "array", "items": ENDPOINT}},
        {"ports": {"type": "array", "items": ENDPOINT}, "others": {"type": "array", "items": PORT}},
        ["Rename(first='spec.ports[*].num', name='number')", "Rename(first='spec.others[*].number', name='num')"],
    ),
    ({"resources": PORT}, {"computeResources": PORT}, ["Rename(first='spec.resources', name='computeResources')"]),
    (
        {"ports": {"type": "array", "items": PORT}},
        {"portList": {"type": "array", "items": ENDPOINT}},
        [
            "Rename(first='spec.ports', name='portList')",
            "Move(first='spec.ports[*].num', second='spec.portList[*].number')",
        ],
    ),
    ({"host": STRING}, {"host": {"type": "array", "items": STRING}}, ["Wrap(first='spec.host'"]),
    ({"tool": STRING}, {"tools": {"type": "array", "items": STRING}}, ["second='spec.tools'"]),
    (
        {"mode": STRING | {"enum": ["a"]}, "x": INTEGER},
        {"mode": STRING | {"enum": ["b"]}, "x": STRING},
        ['# - spec.mode: "a" in v1, "b" in v2', "# - spec.x: integer in v1, string in v2"],
    ),
    (
        {"type": "object", "properties": {"a": INTEGER}},
        {"type": "object", "properties": {"a": INTEGER, "new": STRING}, "required": ["a", "new"]},
        ["FieldOnlyIn(version='v2', path='spec.new'", "# - spec.a: required in v2", "# - spec.new: required in v2"],
    ),
    ({"with-dash": INTEGER, "a.b": INTEGER}, {}, ["path='spec.with-dash'", "path=\"spec['a.b']\""]),
]


@each(("first", "second", "wanted"), CASES, ids=range(len(CASES)))
def test_what_differs_is_proposed(tmp_path: Path, first: Any, second: Any, wanted: list[str]) -> None:
    calls = _calls(_text(tmp_path, first, second))
    assert len(calls) == len(wanted)
    for part in wanted:
        assert any(part in call for call in calls), calls


def test_long_lines_are_broken_as_black_does_it(tmp_path: Path) -> None:
    deep = {"an_object_with_a_long_name": _object(another_object_with_a_long_name=_object(**LONG))}
    renamed = {f"{name}_which_is_renamed": schema for name, schema in LONG.items()}
    other = {"an_object_with_a_long_name": _object(another_object_with_a_long_name=_object(**renamed))}
    assert len(_conversion(_text(tmp_path, deep, other)).moves) == 3


def test_texts_of_others_cannot_break_out(tmp_path: Path) -> None:
    names = ["a\nimport os", 'b"""', "c'\\", "d'\"", "e[*]", ""]
    strange = {**dict.fromkeys(names, INTEGER), "x": STRING | {"enum": ["\n# -", "a"]}}
    moves = _conversion(_text(tmp_path, strange, {"x": STRING | {"enum": ["b"]}})).moves
    only = [move.where.steps[1] for move in moves if isinstance(move, FieldOnlyIn)]
    assert sorted(map(str, only)) == sorted(names[:3] + names[4:5])


def test_a_skeleton_of_types() -> None:
    (kind,) = read_kinds(Settings((str(SAMPLE),)), Diagnostics())
    text = skeleton(kind, "v1beta1", "v1")
    found = _conversion(text)
    assert (found.first, found.second, found.kind, found.group) == ("v1beta1", "v1", "Robot", "robots.example.com")
    assert 'Move("spec.batteryCapacity", "spec.battery.capacity")' in text
    assert "model" not in text


TEXTS = {"type": "array", "items": STRING}


@pytest.mark.parametrize(
    "other",
    [
        lambda n: {f"other{i}": STRING for i in range(n)},
        lambda n: {f"field{i}s": TEXTS for i in range(n)},
        lambda n: {f"field{i}xs": STRING for i in range(n)},
        lambda n: {"o": _object(**{f"field{i}s": STRING for i in range(n)})},
    ],
    ids=["others", "lists", "renamed", "moved"],
)
def test_names_are_compared_so_many_times_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: Callable[[int], Any]
) -> None:
    compared = 0

    def counting(one: str, another: str) -> float:
        nonlocal compared
        compared += 1
        return likeness(one, another)

    monkeypatch.setattr("validation_gen.commands.conversions.skeleton.likeness", counting)
    for number in (50, 400, 1600):
        assert _text(tmp_path, {f"field{i}": STRING for i in range(number)}, other(number))
    assert 0 < compared < 100_000
