"""One check of conversions: imports a module of the user, and checks its conversions on drawn objects.

It can also write a test that checks them as the command does.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from validation_gen.commands.compare.sides.functions import find_location, load_file
from validation_gen.commands.compare.sides.untrusted import SpecError
from validation_gen.commands.conversions.checking import check_round_trips, find_known_versions
from validation_gen.commands.conversions.kinds import Versioned, read_kinds
from validation_gen.commands.conversions.report import Checked
from validation_gen.commands.conversions.skeleton import skeleton
from validation_gen.commands.written_tests import render_list, render_path, render_settings
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.loading.generated import reaching
from validation_gen.emit.output import MARKER
from validation_gen.emit.text import literal, render_template
from validation_gen.runtime.words import nearest
from validation_gen.webhooks.conversions import Converter, DeclarationError


def check(
    settings: Settings,
    file: str,
    kinds: Sequence[str],
    cases: int,
    seed: int,
    diagnostics: Diagnostics,
    tell: Callable[[str], None] = lambda text: None,
) -> Checked | None:
    """Returns the results of a check; None if the diagnostics prevent it.

    Args:
        settings: the types or definitions.
        file: the user's module. It is imported, and so run.
        kinds: the only kinds that are checked, none for all.
        cases: the number of objects that are drawn of each version.
        seed: their seed.
        diagnostics: take the problems of all of these.
        tell: called with the name of the next step.
    """
    converter = load(file, diagnostics)
    tell("reading")
    known = read_kinds(settings, diagnostics)
    if converter is None or diagnostics.has_errors:
        return None
    chosen = choose_kinds(converter, known, kinds, settings, diagnostics)
    if not chosen:
        return None
    # Functions of a project can import modules while they run, and their output is no part of the report.
    with contextlib.redirect_stdout(sys.stderr), reaching():
        trips = [trip for versioned in chosen for trip in check_round_trips(converter, versioned, cases, seed, tell)]
    return Checked(trips, file, _spans(converter, file, chosen), diagnostics.items)


def begin(settings: Settings, kind: str, versions: tuple[str, str], diagnostics: Diagnostics) -> str | None:
    """Returns a first conversion between two versions, as text; None if the diagnostics prevent it."""
    known = read_kinds(settings, diagnostics)
    if diagnostics.has_errors:
        return None
    matching = [each for each in known if each.is_called(kind)]
    if len(matching) != 1:
        names = sorted({each.kind for each in known})
        near = nearest(kind, names)
        there = f"there are {', '.join(names)}" if known else "no kind here has several that are served"
        help = f"did you mean {near[0]}?" if near else there
        message = f"there is no kind {kind} with several versions"
        if matching:
            message, help = (
                f"several groups have a kind {kind}",
                f"name one of {', '.join(each.name for each in matching)}",
            )
        diagnostics.error("VG904", message, Span("--kind"), help)
        return None
    (found,) = matching
    for option, version in zip(("--from", "--to"), versions, strict=True):
        if version not in found.versions:
            near = nearest(version, found.versions)
            help = f"did you mean {near[0]}?" if near else f"there are {', '.join(found.versions)}"
            diagnostics.error("VG904", f"{kind} has no version {version}", Span(option), help)
    if versions[0] == versions[1]:
        diagnostics.error("VG904", f"{versions[0]} is named twice", Span("--to"), "name another version")
    return None if diagnostics.has_errors else skeleton(found, *versions)


def load(file: str, diagnostics: Diagnostics) -> Converter | None:
    """Returns the converter of a user's module; None if the diagnostics prevent it."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            module = load_file(file)
        return Converter.of(module)
    except SpecError as error:
        if isinstance(error.__cause__, DeclarationError):
            _refuse(error.__cause__, file, diagnostics)
        else:
            diagnostics.error("VG904", error.reason, Span("--with"), error.suggestion)
    except DeclarationError as error:
        _refuse(error, file, diagnostics)
    return None


def _refuse(error: DeclarationError, file: str, diagnostics: Diagnostics) -> None:
    """Reports a contradictory declaration, at its line if that is known."""
    message, _, help = str(error).partition("; ")
    where, _, line = find_location(error).rpartition(":")
    if line.isdigit() and Path(where).is_file():
        diagnostics.error("VG904", message, Span(where, int(line), 1, 2), help)
    else:
        diagnostics.error("VG904", f"{file}: {message}", Span("--with"), help)


def choose_kinds(
    converter: Converter, known: Sequence[Versioned], kinds: Sequence[str], settings: Settings, diagnostics: Diagnostics
) -> list[Versioned]:
    """Returns the kinds to check; none if the diagnostics prevent it."""
    place = Span((*settings.paths, *settings.definitions)[0])
    names = {each.kind for each in known}
    for kind in kinds:
        if not any(each.is_called(kind) for each in known):
            near = nearest(kind, sorted(names))
            help = f"did you mean {near[0]}?" if near else "name a kind that has several versions"
            diagnostics.error("VG904", f"there is no kind {kind} with several versions", Span("--kind"), help)
    if diagnostics.has_errors:
        return []
    wanted = [each for each in known if not kinds or any(map(each.is_called, kinds))]
    found = [each for each in wanted if len(find_known_versions(converter, each)) > 1]
    for each in wanted if kinds else ():
        if each not in found:
            message = f"there are no conversions between versions of {each.kind}"
            diagnostics.error("VG904", message, Span("--kind"), "declare one, or leave the kind out")
    if not found and not diagnostics.has_errors:
        if not known:
            help = "name a directory with several versions of a kind, or its definition"
            diagnostics.error("VG902", "no kind here has several versions", place, help)
        else:
            help = f"there are {', '.join(sorted(names))}; declare a conversion between two of their versions"
            diagnostics.error("VG902", "none of the conversions is of a kind with several versions here", place, help)
    return [] if diagnostics.has_errors else found


def _spans(converter: Converter, file: str, chosen: Sequence[Versioned]) -> dict[tuple[str, str, str], Span]:
    """Returns the locations of functions for conversions, as far as they are in the user's file."""
    return {
        (versioned.kind, source, target): span
        for versioned in chosen
        for source, target, span in _places(converter, file, versioned)
    }


def _places(converter: Converter, file: str, versioned: Versioned) -> Iterator[tuple[str, str, Span]]:
    names = find_known_versions(converter, versioned)
    for source in names:
        for target in names:
            if source == target:
                continue
            code = getattr(converter.way(versioned.kind, source, target, versioned.group)[0].run, "__code__", None)
            if code is not None and os.path.realpath(code.co_filename) == os.path.realpath(file):
                yield source, target, Span(file, code.co_firstlineno, 1, 2)


def render_test(settings: Settings, conversions: str, kinds: Sequence[str], cases: int, seed: int, file: str) -> str:
    """Returns the text of a test at a path. It finds its inputs relative to that, for any working directory."""
    here = os.path.dirname(file) or "."  # noqa: PTH120 - it is not opened
    arguments = render_settings(settings, here)
    if kinds:
        arguments.append(("kinds", render_list(map(literal, kinds))))
    arguments.append(("cases", [str(cases)]))
    if seed:
        arguments.append(("seed", [str(seed)]))
    return render_template(
        "conversions/test.py.j2",
        marker=MARKER,
        conversions=render_path(conversions, here),
        sources=[render_path(path, here) for path in (*settings.paths, *settings.definitions)],
        settings=arguments,
    )
