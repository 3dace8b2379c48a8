"""What a language is called and how its files end is said once."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.tables import each
from validation_gen.cli.convert import Target
from validation_gen.commands.convert import WRITERS
from validation_gen.compiler.config import survey
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.fs_queries import SUFFIXES
from validation_gen.sources.languages import GO, LANGUAGES, PYTHON, Language, find_language
from validation_gen.sources.reader import LanguageFinder, take_arguments

PACKAGE = Path(__file__).parents[2] / "validation_gen"
#: Rooms and modules that speak of files which are no sources of types.
OTHERS = (
    "sources/languages.py",
    "sources/fs_queries.py",
    "emit/",  # generated modules
    "commands/generate/",  # these, and modules of this program
    "commands/compare/",  # functions of the user
    "compiler/config/named.py",  # the same
    "compiler/config/values.py",  # the same
    "cli/writing.py",  # generated modules
    "mismatch/",
    "runtime/",
)


@each(
    ("file", "language"),
    [("a/b.go", GO), ("a.py", PYTHON), ("a.pyi", PYTHON), ("go", None), ("a.go.txt", None), ("", None)],
)
def test_languages_of_files(file: str, language: Language | None) -> None:
    assert find_language(file) is language


def test_tests_are_no_sources() -> None:
    assert [GO.is_test(name) for name in ("a_test.go", "a.go")] == [True, False]
    assert [PYTHON.is_test(name) for name in ("test_a.py", "conftest.py", "a.py")] == [True, False, False]
    assert PYTHON.tools == ("conftest.py", "setup.py")


def test_nobody_else_knows_how_files_end() -> None:
    found = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if not str(file.relative_to(PACKAGE)).startswith(OTHERS)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in {".go", ".py", ".pyi", "_test.go", "test_"}
    ]
    assert found == []


class _Finder(LanguageFinder):
    def __init__(self) -> None:
        self.passed = []
        self.advice = "name others"
        self.taken: list[str] = []

    def take_file(self, file: Path) -> bool:
        self.taken.append(file.name)
        return True

    def take_tree(self, root: Path) -> bool:
        self.taken.append(f"{root.name}/")
        return False


def test_a_further_language_is_asked_as_the_others_are(tmp_path: Path) -> None:
    rust = Language("rust", "Rust", ".rs", "//", "Rust files", lambda name: False)
    (tmp_path / "apis").mkdir()
    (tmp_path / "a.rs").touch()
    (tmp_path / "a.c").touch()
    finder, diagnostics = _Finder(), Diagnostics()
    take_arguments(["apis/...", "a.rs", "a.c", "b"], {rust: finder}, diagnostics, tmp_path)
    assert finder.taken == ["apis/", "a.rs"]
    assert [each.message for each in diagnostics.items] == [
        "no Rust files are in or below `apis/...`",
        "`a.c` is neither a directory nor a Go or Python file",
        "there is no file or directory `b`",
    ]
    assert len(SUFFIXES) == len(LANGUAGES)
    finder.passed, diagnostics = ["apis/x.rs: not for linux"], Diagnostics()
    take_arguments(["apis"], {rust: finder}, diagnostics, tmp_path)
    (told,) = diagnostics.items
    assert (told.message, told.help) == (
        "no Rust file in or below `apis` counts, such as apis/x.rs: not for linux",
        "name others",
    )


def test_all_can_be_written() -> None:
    assert list(WRITERS) == [each.record for each in Target] == list(LANGUAGES)


def test_repositories_are_looked_through_for_all() -> None:
    assert set(survey._SIGNS) == set(LANGUAGES)
