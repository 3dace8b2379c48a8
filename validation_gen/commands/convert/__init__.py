"""Writes the model as source text: Go types as Python dataclasses, Python classes as Go types, definitions as both.

A reader of the other language finds the same packages in the output: the same types, comments and constants. Features
that one language lacks are reported as VG107 and left open, never guessed. `convert` reads the sources or definitions
of the settings first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from validation_gen.commands.convert.comments import Layout, choose_packages, find_hidden, source_language
from validation_gen.commands.convert.defined import convert_definitions
from validation_gen.commands.convert.go import go_files
from validation_gen.commands.convert.python import python_module
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.sources.languages import GO, PYTHON, Language
from validation_gen.sources.model import Package, Struct, Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem

__all__ = ["WRITERS", "convert", "convert_defined"]


def convert(
    universe: Universe, language: Language, diagnostics: Diagnostics, *, readonly: Collection[str] = ()
) -> dict[str, str]:
    """Returns the input packages and their references in a language: text by path below the output directory.

    Packages that are in the language already are not written, and neither are those that `readonly` names.
    """
    types = TypeSystem(universe, lambda declaration: None)
    packages = choose_packages(universe, language, readonly)
    layout = Layout(packages, {p.module for p in universe.inputs if source_language(p) is not language}, readonly)
    files = WRITERS[language](_report_hidden(packages, diagnostics), layout, types, diagnostics)
    return dict(sorted(files.items()))


def convert_defined(
    manifests: Iterable[Manifest], universe: Universe, language: Language, diagnostics: Diagnostics
) -> dict[str, str]:
    """Returns the kinds of CustomResourceDefinitions, a package for each group and version.

    `universe` finds the types of Kubernetes itself. The packages of the definitions are added to it.
    """
    packages = convert_definitions(manifests, diagnostics, docstrings=language is PYTHON)
    universe.packages |= packages
    types = TypeSystem(universe, lambda declaration: None)
    chosen = [packages[path] for path in sorted(packages)]
    return dict(sorted(WRITERS[language](chosen, Layout(chosen, ()), types, diagnostics).items()))


def _report_hidden(packages: Iterable[Package], diagnostics: Diagnostics) -> Iterator[Package]:
    """Yields the packages; reports the problems of each before it is written."""
    for package in packages:
        _tell_of_hidden(package, diagnostics)
        yield package


def _write_go(
    packages: Iterable[Package], layout: Layout, types: TypeSystem, diagnostics: Diagnostics
) -> dict[str, str]:
    return {
        "/".join([*layout.place(package), name]): text
        for package in packages
        for name, text in go_files(package, types, diagnostics).items()
    }


def _write_python(
    packages: Iterable[Package], layout: Layout, types: TypeSystem, diagnostics: Diagnostics
) -> dict[str, str]:
    files = dict.fromkeys(layout.missing_packages(), "")
    return files | {layout.file(package): python_module(package, layout, types, diagnostics) for package in packages}


#: Writers of packages, by language.
WRITERS: dict[Language, Callable[[Iterable[Package], Layout, TypeSystem, Diagnostics], dict[str, str]]] = {
    GO: _write_go,
    PYTHON: _write_python,
}


def _tell_of_hidden(package: Package, diagnostics: Diagnostics) -> None:
    """Warns of tags with invisible characters: everywhere else these become escapes."""
    lines = [*package.comments]
    for declaration in package.types.values():
        lines += (*declaration.second_closest, *declaration.closest)
        if isinstance(declaration.type, Struct):
            lines += [line for field in declaration.type.fields for line in field.comments]
    for line, character in find_hidden(dict.fromkeys(lines)):
        message = f"the tag holds {character}, which is invisible; a tag has no escape for it, so it is kept"
        help = f"take it out, or write \\x{{{character[2:]}}} if this is a pattern"
        diagnostics.warning("VG107", message, line.span, help)


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
