"""Loads the validators of a run, for types and for definitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from validation_gen.commands.defaulting import Defaults
from validation_gen.commands.schemes import load_definitions
from validation_gen.commands.validate.judging import Request
from validation_gen.commands.validate.pieces import Judge, Origin
from validation_gen.commands.validate.verdicts import ReportOptions
from validation_gen.compiler import pipeline
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.emit.loading.generated import import_customs
from validation_gen.ir import Program
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.words import nearest

#: Called with the types' result and the findings about definitions, before validators are loaded.
Review = Callable[[pipeline.Result, Diagnostics], None]


@dataclass(slots=True)
class Loaded:
    """The validators of a run with all findings about types and definitions.

    Without `usable` validators every verdict would be wrong.
    """

    result: pipeline.Result
    judge: Judge
    usable: bool


def load_judge(
    definitions: list[str],
    settings: Settings,
    request: Request,
    details: ReportOptions,
    review: Review,
    progress: Callable[[str], None],
    *,
    raw: bool,
) -> Loaded:
    """Reads types and definitions, and loads their validators.

    Args:
        definitions: files with definitions.
        settings: the sources of types; their paths may be empty.
        request: the request about each object.
        details: the details of objects that the report needs.
        review: may remove findings, and functions that must not run.
        progress: called with the name of the next step.
        raw: True to fill in no defaults.
    """
    result, defaults = pipeline.Result(Program(), Diagnostics()), None
    if settings.paths:
        found = result.diagnostics
        types = pipeline.read(settings, found, progress)
        lowered = pipeline.lower_checked(types, settings, found, progress)
        result = pipeline.Result(lowered.program, found, pipeline.describe_unchecked(types, lowered.program))
        marked = replace(settings, every_kind=True, lint=False)
        known = lowered.program.schemas if lowered.markers and not settings.definitions else {}
        defaults = Defaults(lambda: lowered.markers or pipeline.lower(types, marked, Diagnostics()), known)
        pipeline.warn_of_nothing(result.program, settings, found)
    defined = Diagnostics()
    kinds = load_definitions(definitions, defined, settings.target)
    request = replace(request, scheme=kinds.scheme, defaults=None if raw else defaults)
    review(result, defined)
    result.diagnostics.extend(defined.items)
    registry = pipeline.load_validators(result.program)
    if request.type is not None:
        _find_type(request.type, registry, result.diagnostics)
    before = len(result.diagnostics.items)
    import_customs(result.program.custom, settings.custom, registry, result.diagnostics)
    judge = Judge(registry, request, details)
    judge.origin = Origin(partial(pipeline.build_files, result.program), kinds.objects)
    errors = [each for each in result.diagnostics.items if each.severity is Severity.ERROR]
    usable = not any(each.code.startswith("VG9") for each in errors) and len(result.diagnostics.items) == before
    return Loaded(result, judge, usable)


def _find_type(type: str, registry: Registry, diagnostics: Diagnostics) -> None:
    """Reports a `--type` that is unknown or ambiguous."""
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) > 1:
        names = ", ".join(f"{k.package}.{k.name}" for k in found)
        diagnostics.error("VG904", f"--type {type} could be any of {names}", Span("--type"), "name the package too")
    elif not found and not diagnostics.has_errors:
        near = nearest(name, {k.name for k in registry.kinds}, most=3)
        help = f"did you mean {' or '.join(sorted(near))}?" if near else "write the name of a Go type"
        diagnostics.error("VG904", f"there is no type {type}", Span("--type"), help)
