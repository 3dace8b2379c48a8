"""One conversion: reads the sources or definitions of the settings, and writes them in a language."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.commands.convert import convert, convert_defined
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.sources.languages import Language
from validation_gen.sources.reader import read_universe


def convert_sources(
    settings: Settings, language: Language, progress: Callable[[str], None] = lambda text: None
) -> tuple[dict[str, str], Diagnostics]:
    """Returns the input packages in another language, as text by path, and the diagnostics."""
    diagnostics = Diagnostics()
    progress("reading")
    if settings.definitions:
        return _convert_definitions(settings, language, diagnostics), diagnostics
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    progress("converting")
    return convert(universe, language, diagnostics, readonly=settings.readonly), diagnostics


def _convert_definitions(settings: Settings, language: Language, diagnostics: Diagnostics) -> dict[str, str]:
    """Returns the kinds of definitions as classes. Lint findings of a definition are left to `crd lint`."""
    place = Span(settings.definitions[0])
    if settings.paths:
        message = "definitions and sources of types cannot be converted together"
        diagnostics.error("VG902", message, place, "convert one after the other, with an --output-dir for each")
    if diagnostics.has_errors:
        return {}
    from validation_gen.compiler.defined import read_definitions  # noqa: PLC0415 - it brings YAML and the checker

    found = Diagnostics()
    manifests = read_definitions(settings.definitions, found)
    for finding in found.items:
        if finding.severity is Severity.ERROR:
            diagnostics.add(finding)
    return convert_defined(manifests, read_universe([], diagnostics), language, diagnostics)
