"""The fields that Go's JSON decoder finds in types that are embedded more than once, and the time that it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.growth.measuring import assert_linear
from validation_gen.compiler.lower.shapes import dominant
from validation_gen.compiler.pipeline import Result, Settings, build_program, read
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Named
from validation_gen.sources.typesystem import TypeSystem

_HEAD = "// +k8s:validation-gen=*\npackage v1\n\n"


def _built(directory: Path, text: str) -> Result:
    (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (directory / "types.go").write_text(_HEAD + text, encoding="utf-8")
    with inside(directory):
        result = build_program(Settings((".",)))
    assert not result.diagnostics.has_errors
    return result


def _struct(name: str, *fields: str) -> str:
    return f"type {name} struct {{\n" + "".join(f"\t{field}\n" for field in fields) + "}\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(
            _struct("Top", "P", "Q") + _struct("P", "A") + _struct("Q", "A") + _struct("A", 'N string `json:"n"`'),
            [],
            id="a type that is embedded twice on one level cancels its fields",
        ),
        pytest.param(
            _struct("Top", "P", "Q")
            + _struct("P", "A")
            + _struct("Q", "A")
            + _struct("A", "B")
            + _struct("B", 'N string `json:"n"`'),
            ["n"],
            id="but not those of what it embeds in turn",
        ),
        pytest.param(
            _struct("Top", "A", "P") + _struct("P", "A") + _struct("A", 'N string `json:"n"`'),
            ["n"],
            id="a type counts on its shallowest level only",
        ),
        pytest.param(
            _struct("Top", "P", "Q") + _struct("P", "Name string") + _struct("Q", 'Other string `json:"Name"`'),
            ["Name"],
            id="a name in a tag wins",
        ),
        pytest.param(
            _struct("Top", "P", "Q") + _struct("P", 'Name string `json:"Name"`') + _struct("Q", "Name string"),
            ["Name"],
            id="even if it is the Go name",
        ),
    ],
)
def test_fields_of_types_that_are_embedded_twice(text: str, wanted: list[str], tmp_path: Path) -> None:
    structs = _built(tmp_path, text).program.structs
    assert [member.json for member in structs["example.com/m.Top"]] == wanted


def _levels(size: int) -> str:
    """Types that embed both types of the next level: there are 2 ** size ways to the last."""
    return _struct("Top", "A0", "B0") + "".join(
        _struct(f"{letter}{i}", *([f"A{i + 1}", f"B{i + 1}"] if i < size else [f'{letter} string `json:"{letter}"`']))
        for i in range(size + 1)
        for letter in "AB"
    )


def test_the_time_grows_with_the_types(tmp_path: Path) -> None:
    sizes: dict[int, TypeSystem] = {}

    def work(size: int) -> Callable[[], object]:
        if size not in sizes:
            (directory := tmp_path / str(size)).mkdir()
            (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
            (directory / "types.go").write_text(_HEAD + _levels(size), encoding="utf-8")
            with inside(directory):
                sizes[size] = TypeSystem(read(Settings((".",)), Diagnostics()).universe, lambda declaration: None)
        return lambda: dominant(sizes[size], Named("example.com/m", "Top"))

    assert_linear(work, 200)
