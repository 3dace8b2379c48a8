"""The stages in their order: sources, rules, program, files. This is the one module that knows them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.python import emit_python
from validation_gen.ir import CustomFunction, Program
from validation_gen.lint import lint
from validation_gen.lower import lower_program
from validation_gen.rules.base import CustomFunctions
from validation_gen.settings import Settings
from validation_gen.sources.customs import Customs, read_customs
from validation_gen.sources.reader import read_universe
from validation_gen.sources.wellknown import wire_format
from validation_gen.typesystem import TypeSystem

if TYPE_CHECKING:
    from validation_gen.convert import Language
    from validation_gen.runtime.registry import Registry

__all__ = ["Result", "Settings", "build_files", "build_program", "convert_sources", "load_validators"]


@dataclass(frozen=True, slots=True)
class Result:
    """A program, and what was noticed on the way to it."""

    program: Program
    diagnostics: Diagnostics


def build_program(settings: Settings, progress: Callable[[str], None] = lambda text: None) -> Result:
    """Reads the sources and lowers them. Never raises on what the user's files hold.

    `progress` is told what comes next.
    """
    diagnostics = Diagnostics()
    progress("reading")
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    customs = read_customs(settings.custom, diagnostics)
    progress("applying rules")
    program = lower_program(
        universe,
        wire_format,
        diagnostics,
        require_directive=settings.require_directive,
        readonly=settings.readonly,
        custom=_found_or_not(customs) if settings.every_kind else customs.find,
        every_type=settings.every_type,
        every_kind=settings.every_kind,
        target=settings.target,
    )
    program.custom = customs.texts
    customs.report_unused(diagnostics)
    if settings.lint:
        progress("linting")
        types = TypeSystem(universe, wire_format)
        lint(types, program, diagnostics, target=settings.target, strict=settings.strict_lint)
    return Result(program, diagnostics)


def _found_or_not(customs: Customs) -> CustomFunctions:
    """Finds any handwritten function: schemas cannot call them, so that nobody has to name their files."""
    return lambda package, name: customs.find(package, name) or CustomFunction("", name)


def build_files(program: Program) -> dict[str, str]:
    """The generated Python package by path below its directory."""
    return emit_python(program)


def convert_sources(
    settings: Settings, language: Language, progress: Callable[[str], None] = lambda text: None
) -> tuple[dict[str, str], Diagnostics]:
    """The input packages in another language, as text by path, and what was noticed on the way."""
    from validation_gen.convert import convert  # noqa: PLC0415 - not every run needs it

    diagnostics = Diagnostics()
    progress("reading")
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    progress("converting")
    return convert(universe, language, diagnostics, readonly=settings.readonly), diagnostics


def load_validators(program: Program) -> Registry:
    """The generated package, imported from memory."""
    from validation_gen.memory import load_registry  # noqa: PLC0415 - not every run needs it

    return load_registry(build_files(program))
