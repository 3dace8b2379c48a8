"""Go text as lint rules see it."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.case_folders import inside
from validation_gen.compiler.lint import lint
from validation_gen.compiler.lint.survey import Declaration, Survey, lint_rules
from validation_gen.compiler.lower import lower_program
from validation_gen.compiler.lower.comments import TagReader
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.rules.releases import NEWEST
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format


def written(directory: Path, text: str, version: str = "v1") -> Path:
    """A module with one package `example.com/m/<version>`."""
    package = directory / version
    package.mkdir(parents=True)
    (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (package / "types.go").write_text(f"package {version}\n{textwrap.dedent(text)}", encoding="utf-8")
    return directory


def linted(directory: Path, *, target: str = NEWEST, strict: bool = False) -> list[Diagnostic]:
    """All that is said of the packages in a directory, before lint rules come and by them, in order of position."""
    diagnostics = Diagnostics()
    with inside(directory):
        universe = read_universe(["."], diagnostics)
        program = lower_program(universe, wire_format, diagnostics, target=target)
        lint(TypeSystem(universe, wire_format), program, diagnostics, target=target, strict=strict)
    return diagnostics.sorted()


def surveyed(directory: Path, *, target: str = NEWEST) -> Survey:
    """The declarations of the packages in a directory, also of packages in which no tag has an effect."""
    diagnostics = Diagnostics()
    with inside(directory):
        universe = read_universe(["."], diagnostics)
        program = lower_program(universe, wire_format, diagnostics, every_type=True, target=target)
    return Survey(TypeSystem(universe, wire_format), TagReader(diagnostics, target), program)


def declarations(survey: Survey, name: str) -> list[Declaration]:
    """A type by its name, and its fields."""
    owner = next(owner for owner in survey.owners() if owner.name == name)
    return list(survey.together(owner))


def messages(code: str, declaration: Declaration) -> list[str]:
    """What one rule alone has against a declaration, whatever else is wrong with it."""
    return [finding.message for finding in lint_rules()[code].check(declaration)]
