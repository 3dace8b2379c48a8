"""The one place where words are made that are made often: which name was meant, how many of what there are."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tables import each
from validation_gen.runtime.words import counted, inflected, likeness, nearest

PACKAGE = Path(__file__).resolve().parents[2] / "validation_gen"
WORDS = PACKAGE / "runtime" / "words.py"


@each(
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


@each(
    ("number", "noun", "wanted"),
    [
        (0, "item", "0 items"),
        (1, "item", "1 item"),
        (2, "more item", "2 more items"),
        (1, "mismatch", "1 mismatch"),
        (3, "mismatch", "3 mismatches"),
        (3, "class", "3 classes"),
        (12345, "byte", "12345 bytes"),
    ],
)
def test_counted(number: int, noun: str, wanted: str) -> None:
    assert counted(number, noun) == wanted
    assert inflected(noun, number) == wanted.partition(" ")[2]


def test_counted_in_groups_of_digits() -> None:
    assert counted(12345, "byte", grouped=True) == "12,345 bytes"
    assert counted(1, "byte", grouped=True) == "1 byte"


# --- nobody makes them elsewhere -------------------------------------------------------------------------------------


def _elsewhere(pattern: str, *types: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """The nodes of these types in other modules in whose text is the pattern, and where they are."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if file != WORDS and re.search(pattern, text := file.read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, types):
                    yield f"{file.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}", node


def test_names_are_compared_nowhere_else() -> None:
    """Others take from `difflib` what shows two texts side by side, and no more."""
    found = []
    for place, node in _elsewhere("difflib", ast.ImportFrom, ast.Attribute):
        taken = isinstance(node, ast.ImportFrom) and node.module == "difflib"
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "difflib":
            taken = node.attr != "unified_diff"
        found += [place] * taken
    assert not found


def _is_ending(one: str, other: str) -> bool:
    return one != other and one.rstrip("s").removesuffix("e") == other.rstrip("s").removesuffix("e")


def test_plurals_are_made_nowhere_else() -> None:
    """Nobody chooses between a noun and its plural, or between an `s` and nothing."""
    found = []
    for place, node in _elsewhere(r"""["']\s+if\s""", ast.IfExp):
        if isinstance(node, ast.IfExp):
            choice = [part.value for part in (node.body, node.orelse) if isinstance(part, ast.Constant)]
            texts = [part for part in choice if isinstance(part, str) and part not in ("http", "https")]
            if len(texts) == 2 and _is_ending(*texts):
                found.append(place)
    assert not found


def test_progress_counts_with_nouns() -> None:
    """A number in a sentence about progress has its noun from here: there may be one of what is counted."""
    found = []
    for place, node in _elsewhere(r"progress\(", ast.Call):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "progress":
            for text in (part for part in ast.walk(node) if isinstance(part, ast.JoinedStr)):
                for value, after in itertools.pairwise(text.values):
                    counts = isinstance(value, ast.FormattedValue) and "counted(" not in ast.unparse(value)
                    noun = isinstance(after, ast.Constant) and re.match(r" \w+s\b", str(after.value))
                    found += [place] * bool(counts and noun)
    assert not found
