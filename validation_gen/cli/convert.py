"""`validation-gen convert …`: converts API types to another language, and markers of controller-gen to tags."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from validation_gen.cli import checks, terminal
from validation_gen.cli.app import command_group
from validation_gen.cli.config_context import Configurable
from validation_gen.cli.options import (
    MODULE,
    READONLY,
    REQUIRED,
    Defined,
    Findings,
    Options,
    Paths,
    Types,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import Progress
from validation_gen.cli.trust_policy import untouchable
from validation_gen.commands.definitions import split
from validation_gen.commands.fix import write as write_changes
from validation_gen.diagnostics import Span
from validation_gen.diagnostics.visible import one_line
from validation_gen.emit.output import write_files
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import LANGUAGES, Language


class Target(str, enum.Enum):
    """Languages of API types."""

    _ignore_ = "each"
    for each in LANGUAGES:
        vars()[each.name.upper()] = each.name

    @property
    def record(self) -> Language:
        """Returns the record of the language."""
        return next(each for each in LANGUAGES if each.name == self.value)


app = command_group("convert")


@dataclass(frozen=True)
class Conversion(Options):
    """Options of converted packages."""

    unlisted: ClassVar[tuple[str, ...]] = ("readonly_pkg",)
    to: Target = option(REQUIRED, "The language to write.")
    output_dir: str = option("converted", "Directory of the converted packages.", names=("--output-dir", "-o"))
    module: list[str] = MODULE()
    readonly_pkg: list[str] = READONLY()


@dataclass(frozen=True)
class Rewriting(Options):
    """Options of rewritten markers."""

    write: bool = option(False, "Change the files; without it only the patch is printed.")
    zeros: bool = option(
        False, "Accept that validators take a zero value that is written for unset, where the schema refuses it."
    )


@app.command("language", cls=Configurable)
@expand_groups
def language(paths: Defined, *, conversion: Conversion, findings: Findings) -> int:
    """Write Go types, Python classes or definitions in PATH as Python dataclasses or Go types."""
    from validation_gen.commands.convert import convert_sources  # noqa: PLC0415

    definitions, sources = split(paths)
    to, output_dir, format = conversion.to, conversion.output_dir, findings.format
    checks.refuse_empty_import(conversion.readonly_pkg)
    options = replace(Types(conversion.module).settings(sources), readonly=tuple(conversion.readonly_pkg))
    options = options.with_definitions(definitions, sources)
    checks.refuse_empty([output_dir], "--output-dir")
    with Progress() as progress:
        files, diagnostics = convert_sources(options, to.record, progress)
        if not files and not diagnostics.has_errors:
            message = f"nothing here can be converted to {to.record.title}"
            help = "name a directory with types in the other language, or definitions"
            diagnostics.warning("VG902", message, Span((*options.paths, *options.definitions)[0]), help)
        progress("writing")
        # a package marker is empty, so an existing one is fine
        wanted = {name: text for name, text in files.items() if text or not os.path.lexists(Path(output_dir) / name)}
        written = write_files(output_dir, wanted, diagnostics, prune=False)
    terminal.print_diagnostics(diagnostics, format.value)
    stopped = terminal.was_stopped(diagnostics, len(written.written), len(written.unchanged))
    summary = f"{counted(len(written.written), 'file')} written, {len(written.unchanged)} unchanged"
    terminal.say(
        f"{summary} in {one_line(output_dir)} ({progress.seconds:.1f} s)", format, quiet=findings.quiet or stopped
    )
    return terminal.exit_code(diagnostics)


@app.command("markers", cls=Configurable)
@expand_groups
def markers(paths: Paths, *, rewriting: Rewriting, types: Types, findings: Findings) -> int:
    """Rewrite markers in PATH as tags where definitions and verdicts stay the same, and print the patch.

    The definitions that `crd` makes stay the same to the byte, and validators refuse what the schema refused by the
    markers, on objects at the edges of all rules and on drawn ones. Each marker that stays is reported with its reason.

    Examples:
    validation-gen convert markers ./api/... | git apply

    validation-gen convert markers ./api/v1 --write --format concise
    """
    from validation_gen.commands.migrate import migrate as run  # noqa: PLC0415

    write, format, quiet = rewriting.write, findings.format, findings.quiet
    options = types.settings(paths)
    named = [*options.paths, *map(str, options.modules.values())]
    with Progress() as progress:
        trees = [path.removesuffix("/...") for path in named]
        result = run(options, zeros=rewriting.zeros, trees=trees, bar=untouchable(), progress=progress)
    diagnostics = result.diagnostics
    names = write_changes(result.files, diagnostics) if write else sorted(result.files)
    kept = len(result.kept)
    diagnostics.extend(result.kept if not quiet or not format.for_people else ())
    terminal.print_diagnostics(diagnostics, format.value)
    if not format.owns_stdout and not write:
        terminal.print_patch("".join(result.files[name].patch for name in names))
    verb = "rewritten" if write else "can be rewritten"
    summary = f"{counted(result.migrated, 'marker')} {verb} in {counted(len(names), 'file')}, {kept} kept"
    terminal.say(
        summary, format, quiet=quiet or terminal.was_stopped(diagnostics, result.migrated, kept), aside=not write
    )
    return terminal.exit_code(diagnostics)
