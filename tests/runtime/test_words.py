"""The one place where words are made that are made often: which name was meant."""

import ast
from pathlib import Path

import pytest

from validation_gen.runtime.words import likeness, nearest

PACKAGE = Path(__file__).resolve().parents[2] / "validation_gen"
WORDS = PACKAGE / "runtime" / "words.py"


@pytest.mark.parametrize(
    ("name", "names", "options", "wanted"),
    [
        ("Robto", ["Robot", "Robots", "Arm"], {}, ["Robot"]),
        ("Robto", ["Robot", "Robots", "Arm"], {"most": 3}, ["Robot", "Robots"]),
        ("Robto", ["Robot", "Robots"], {"cutoff": 0.9}, []),
        ("robot", ["ROBOT"], {}, []),
        ("ab", ["abc", "abd"], {}, ["abd"]),
        ("ab", ["abd", "abc"], {"most": 2}, ["abd", "abc"]),
        ("ab", [], {}, []),
        ("", ["a"], {}, []),
    ],
)
def test_nearest(name: str, names: list[str], options: dict[str, float], wanted: list[str]) -> None:
    assert nearest(name, names, **options) == wanted  # type: ignore[arg-type]


def test_likeness() -> None:
    assert likeness("json", "json") == 1
    assert likeness("json", "abc") == 0
    assert 0.8 < likeness("jsn", "json") < 1


def test_names_are_compared_nowhere_else() -> None:
    """Others take from `difflib` what shows two texts side by side, and no more."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        if file == WORDS:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            taken = isinstance(node, ast.ImportFrom) and node.module == "difflib"
            called = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "difflib"
            if taken or (called and isinstance(node, ast.Attribute) and node.attr != "unified_diff"):
                found.append(f"{file.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}")
    assert not found
