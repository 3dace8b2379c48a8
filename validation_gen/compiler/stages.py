"""The stages from sources to a program: reading, and applying rules."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from validation_gen.compiler.lint import lint
from validation_gen.compiler.lint.unselected_types import report_beginnings, report_overlooked
from validation_gen.compiler.lower import lower_program
from validation_gen.compiler.lower.unknown import dedupe_unknown_types, merge_followups
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import CustomFunction, Program
from validation_gen.rules.base import CustomFunctions
from validation_gen.rules.formats import FORMATS
from validation_gen.sources.customs import Customs, read_customs
from validation_gen.sources.extensions import Extensions, check_samples, read_extensions
from validation_gen.sources.model import Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format


@dataclass(frozen=True, slots=True)
class Sources:
    """The parsed sources: types and comments, handwritten functions, and formats of the project."""

    universe: Universe
    customs: Customs
    extensions: Extensions


def read(settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None] = lambda text: None) -> Sources:
    """Reads the sources of the settings. They can be lowered more than once."""
    progress("reading")
    universe = read_universe(
        settings.paths,
        diagnostics,
        modules=settings.modules,
        readonly=settings.readonly,
        known_tags=settings.known_tags,
    )
    extensions = read_extensions(settings.extensions, diagnostics, FORMATS.__contains__)
    return Sources(universe, read_customs(settings.custom, diagnostics), extensions)


def lower(
    sources: Sources,
    settings: Settings,
    diagnostics: Diagnostics,
    progress: Callable[[str], None] = lambda text: None,
    *,
    kept: Collection[str] = (),
) -> Program:
    """Lowers the sources to a program, and runs lint if the settings enable it.

    Packages that are `kept` are included even without tags.
    """
    universe, customs = sources.universe, sources.customs
    progress("applying rules")
    program = lower_program(
        universe,
        wire_format,
        diagnostics,
        require_directive=settings.require_directive,
        readonly=settings.readonly,
        custom=_accept_any_function(customs) if settings.every_kind else customs.find,
        extensions=sources.extensions,
        every_type=settings.every_type,
        every_kind=settings.every_kind,
        kept=kept,
        bare_kinds=settings.bare_kinds,
        target=settings.target,
    )
    merge_followups(diagnostics)
    dedupe_unknown_types(diagnostics, refused=settings.refuse_unresolved)
    program.custom = customs.texts
    customs.report_unused(diagnostics)
    if not (settings.require_directive or settings.every_type or settings.every_kind):
        report_overlooked(universe, program, _accept_any_function(customs), settings.target, diagnostics)
    else:
        for package in universe.inputs:
            report_beginnings(package, diagnostics)
    if settings.lint:
        progress("linting")
        check_samples(sources.extensions, diagnostics)
        types = TypeSystem(universe, wire_format)
        lint(
            types,
            program,
            diagnostics,
            target=settings.target,
            strict=settings.strict_lint,
            suppressions=settings.suppressions,
        )
    if diagnostics.items:
        from validation_gen.compiler.fixes import propose  # noqa: PLC0415 - most runs find nothing

        propose(universe, diagnostics, settings.target)
    return program


def _accept_any_function(customs: Customs) -> CustomFunctions:
    """Finds any handwritten function: schemas cannot call them, so that their files are not needed."""
    return lambda package, name: customs.find(package, name) or CustomFunction("", name)
