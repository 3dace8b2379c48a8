"""One conversion: the sources that settings name are read, and written in another language."""

from __future__ import annotations

from collections.abc import Callable

from validation_gen.build.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.languages import Language
from validation_gen.sources.reader import read_universe
from validation_gen.uses.convert import convert


def convert_sources(
    settings: Settings, language: Language, progress: Callable[[str], None] = lambda text: None
) -> tuple[dict[str, str], Diagnostics]:
    """The input packages in another language, as text by path, and what was noticed on the way."""
    diagnostics = Diagnostics()
    progress("reading")
    universe = read_universe(settings.paths, diagnostics, modules=settings.modules, readonly=settings.readonly)
    progress("converting")
    return convert(universe, language, diagnostics, readonly=settings.readonly), diagnostics
