"""Writes generated files, or compares them with the existing ones.

Checks output directories: a directory, standard output, or an importable package.

Detects default inputs, for a run without arguments.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import typer

from validation_gen.cli.details import print_details
from validation_gen.cli.options import DiagnosticFormat
from validation_gen.cli.terminal import (
    OK,
    Progress,
    apply_levels,
    exit_code,
    one_line,
    print_diagnostics,
    print_patch,
    say,
    say_unjudged,
    was_stopped,
)
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.compiler.config.files import find, opened
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import (
    Compared,
    Written,
    is_of_another_api,
    misnamed,
    refuse_others,
    replace_files,
    write_files,
)
from validation_gen.runtime.words import counted


@dataclass(frozen=True, slots=True)
class Output:
    """The files of one emitter by path below a directory; `owned` ones belong to people and have whole paths.

    `noun` names one of them in summaries, `""` for plain files. A `shared` directory may have generated files of
    others, so that none is extra. `held` files are all left unwritten if there are errors, or if one of them would
    replace a file of others, so that no mix of old and new files results.
    """

    directory: str
    files: Mapping[str, str]
    noun: str = ""
    owned: bool = False
    shared: bool = False
    held: bool = False


@dataclass(slots=True)
class Outcome:
    """Results of all outputs, as sentences and as a patch.

    `written` has the state of the files in each directory, `packages` those that take part, and `left_out` the skipped
    files. `unjudged` names inputs that only schemas judge.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    told: list[str] = field(default_factory=list)
    patch: str = ""
    written: list[tuple[str, Written]] = field(default_factory=list)
    packages: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    #: A sentence about packages whose types come with this program.
    bundled: str = ""
    unjudged: str = ""
    #: Kinds that are left out of the files because of errors.
    dropped: tuple[str, ...] = ()


def settle(
    made: GenerateResult, outputs: Sequence[Output], progress: Progress, *, check: bool, diff: bool = False
) -> Outcome:
    """Writes the outputs or, to `check`, compares them with the existing files; with `diff` as a patch, too."""
    outcome = Outcome(packages=made.names, left_out=made.left_out, bundled=made.bundled)
    for finding in made.findings:
        outcome.diagnostics.add(finding)
    apply_levels(outcome.diagnostics)
    sound = not outcome.diagnostics.has_errors  # only then is it known which files are extra
    progress("comparing" if check or diff else "writing")
    names = Diagnostics()
    for output in outputs:
        if not output.owned:
            misnamed(output.directory, output.files, names)
            is_of_another_api(output.directory, output.files, names)
    if names.items:
        for finding in names.items:
            outcome.diagnostics.add(finding)
        outcome.told.append("nothing written")
        return outcome
    for output in outputs:
        if output.held and not output.owned:
            refuse_others(output.directory, output.files, names)
    if names.items:
        for finding in names.items:
            outcome.diagnostics.add(finding)
        return outcome
    held = [output for output in outputs if output.held and output.files and not sound]
    for output in outputs:
        prune = sound and bool(output.files) and not output.shared
        if output in held:
            continue
        if check or diff:
            _compare(output, outcome, prune=prune, diff=diff)
        else:
            _write(output, outcome, prune=prune)
    if held and (check or diff):
        outcome.told.append(f"{_listed(held)} not compared because of errors")
    elif held:
        outcome.told.append(held_back(held, "writes"))
    if not any(output.held for output in outputs):
        outcome.dropped = made.dropped
    return outcome


def held_back(outputs: Sequence[Output], verb: str) -> str:
    """Returns a sentence about files held back because of errors, with the option that writes or prints them."""
    return f"{_listed(outputs)} held back because of errors (--keep-going {verb} them all the same)"


def _listed(outputs: Sequence[Output]) -> str:
    return ", ".join(counted(len(output.files), output.noun or "file") for output in outputs)


def report(
    outcome: Outcome,
    seconds: float,
    *,
    head: str,
    diff: bool,
    format: DiagnosticFormat,
    quiet: bool,
    fixable: int = 0,
    verbose: bool = False,
    kept: bool = False,
) -> None:
    """Prints the findings and a summary, and ends the command.

    With `diff`, standard output is a patch and nothing else, unless it belongs to the findings. `head` begins the
    summary. `fixable` counts the findings that have a fix. `verbose` prints details; `kept` marks a result of an
    earlier run.

    Raises:
        typer.Exit: there are errors or differences.
    """
    diagnostics = outcome.diagnostics
    if verbose:
        print_details(outcome.packages, outcome.left_out, outcome.written, kept=kept)
    print_diagnostics(diagnostics, format.value, fixable=fixable)
    if format.for_people:
        say_unjudged(outcome.bundled, format, quiet=quiet)
    if not format.owns_stdout:
        print_patch(outcome.patch)
    if outcome.told:  # otherwise nothing was written or compared
        say(f"{head}{'; '.join(outcome.told)} ({seconds:.1f} s)", format, quiet=quiet, aside=diff)
    say_dropped(outcome.dropped, format)
    say_unjudged(outcome.unjudged, format, quiet=quiet)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)


def say_dropped(kinds: Sequence[str], format: DiagnosticFormat) -> None:
    """Prints the kinds that were left out because of errors, each with the reason, if there are any."""
    lines = "".join(f"\n  {one_line(kind)}" for kind in kinds)
    say_unjudged(lines and f"{counted(len(kinds), 'kind')} left out because of errors:{lines}", format)


def _write(output: Output, outcome: Outcome, *, prune: bool) -> None:
    directory, files, diagnostics = output.directory, output.files, outcome.diagnostics
    if output.owned:
        written = replace_files(files, diagnostics, tree=directory)
    else:
        written = write_files(directory, files, diagnostics, prune=prune)
    outcome.written.append(("" if output.owned else directory, written))
    done = len(written.written) + len(written.unchanged) + len(written.removed)
    if not was_stopped(diagnostics, done):
        outcome.told.append(f"{_written(written, output)} in {one_line(directory)}")


def _compare(output: Output, outcome: Outcome, *, prune: bool, diff: bool) -> None:
    from validation_gen.commands.generate.check import verify  # noqa: PLC0415 - most runs write

    directory, files = output.directory, output.files
    found = verify(directory, files, outcome.diagnostics, prune=prune, owned=output.owned)
    if diff:
        outcome.patch += found.patch
    if not was_stopped(outcome.diagnostics, len(files), *map(len, _parts(found.compared))):
        outcome.told.append(f"{_compared(found.compared, output)} in {one_line(directory)}")


def _written(written: Written, output: Output) -> str:
    if output.owned:
        return f"{counted(len(output.files), output.noun)} with new schemas"
    removed = f", {len(written.removed)} removed" if written.removed else ""
    if output.noun:
        return f"{_head(output)}{len(written.written)} written, {len(written.unchanged)} unchanged{removed}"
    return f"{counted(len(written.written), 'file')} written, {len(written.unchanged)} unchanged{removed}"


def _compared(compared: Compared, output: Output) -> str:
    """Returns a sentence with the numbers of missing, stale, extra and unchanged files."""
    parts = zip(_parts(compared), ("missing", "stale", "extra"), strict=True)
    told = [f"{len(names)} {state}" for names, state in parts if names]
    same = len(compared.unchanged)
    return _head(output) + ", ".join([*told, f"{same if output.noun else counted(same, 'file')} up to date"])


def _parts(compared: Compared) -> tuple[list[str], list[str], list[str]]:
    """Returns the missing, the stale and the extra files."""
    return compared.missing, compared.stale, compared.extra


def _head(output: Output) -> str:
    return f"{counted(len(output.files), output.noun)}: " if output.noun else ""


STDOUT = "-"
_OUTPUT = "--output-dir"


def refuse_beside(format: DiagnosticFormat, others: Mapping[str, object]) -> None:
    """Refuses options that conflict with schemas on standard output.

    Raises:
        typer.BadParameter: an option among `others` has a value, or the findings go to standard output, too.
    """
    if format.owns_stdout:
        raise typer.BadParameter(f"standard output cannot hold {format.value} findings, too", param_hint=_OUTPUT)
    for name, value in others.items():
        if value:
            raise typer.BadParameter(f"it is about files, and {_OUTPUT} - writes none", param_hint=name)


def refuse_unimportable(directory: str) -> None:
    """Refuses a directory whose name cannot be imported: the validators there are a package.

    Raises:
        typer.BadParameter: it has such a name. The reason proposes a valid one.
    """
    if directory == STDOUT:
        reason = "validators are a package of several files, which standard output cannot hold; name a directory"
        raise typer.BadParameter(reason, param_hint=_OUTPUT)
    name = os.path.basename(os.path.normpath(directory))  # noqa: PTH119 - of a text
    if name in (os.curdir, os.pardir, "") or (name.isidentifier() and not keyword.iskeyword(name)):
        return
    other = f"{name}_" if keyword.iskeyword(name) else re.sub(r"\W", "_", name)
    other = other if other.isidentifier() else f"_{other}"
    raise typer.BadParameter(f"Python cannot import a package named {name!r}; use {other!r}", param_hint=_OUTPUT)


def has_inputs() -> bool:
    """Returns whether the environment or the configuration names inputs.

    A malformed configuration counts: the run reports it.
    """
    if os.environ.get("VALIDATION_GEN_INPUTS"):
        return True
    named = os.environ.get("VALIDATION_GEN_CONFIG")
    diagnostics = Diagnostics()
    try:
        document = opened(Path(named), diagnostics) if named else find(Path.cwd(), diagnostics)
    except OSError:  # the current directory was deleted
        return False
    return bool(diagnostics.items) or (document is not None and "inputs" in document.table)
