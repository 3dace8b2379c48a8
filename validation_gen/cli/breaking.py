"""`validation-gen breaking PATH… --against git:REF|DIR`: finds breaking changes of sources."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.cli import checks, terminal
from validation_gen.cli.options import REQUIRED, Defined, Findings, Options, Packages, expand_groups, option
from validation_gen.cli.terminal import ENVIRONMENT, Progress
from validation_gen.commands.definitions import split
from validation_gen.diagnostics import Severity
from validation_gen.runtime.words import counted


@dataclass(frozen=True)
class OlderState(Options):
    """Options of the older state, and of listed changes."""

    against: str = option(
        REQUIRED,
        "The older state: a revision such as git:main or git:v1.2.0 (git:REF:DIR is a directory of it), "
        "a directory with the same paths, or a file with definitions.",
        "git:REF|DIR",
    )
    all: bool = option(False, "Show safe changes, too: new fields, weaker rules.")


@expand_groups
def breaking(paths: Defined, *, older: OlderState, packages: Packages, findings: Findings) -> int:
    """Compare sources or definitions with an older state: what breaks clients or stored objects. Writes no files."""
    from validation_gen.commands.breaking.run import compare  # noqa: PLC0415 - late, so that --help stays fast

    definitions, sources = split(paths)
    all, format = older.all, findings.format
    options = packages.settings(sources).with_definitions(definitions, sources)
    checks.refuse_empty([older.against], "--against")
    with Progress() as progress:
        result = compare(options, older.against, all=all, progress=progress)
    terminal.print_diagnostics(result.diagnostics, format.value)
    code = terminal.exit_code(result.diagnostics)
    if code != ENVIRONMENT:
        changes = [d for d in result.diagnostics.items if d.code.startswith("VG7")]
        shown = "" if all or not result.safe else " (--all shows them)"
        accepted = f", {result.accepted} accepted" if result.accepted else ""
        broken, dangerous = (sum(d.severity is s for d in changes) for s in (Severity.ERROR, Severity.WARNING))
        kinds = counted(result.kinds, "kind")
        summary = f"{kinds}: {broken} breaking, {dangerous} dangerous, {result.safe} safe{shown}{accepted}"
        terminal.say(summary, format, quiet=findings.quiet)
    return code
