"""Writes the files of outputs, or compares them with the existing ones, and counts them in sentences."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from validation_gen.commands.generate.run import GenerateResult, verify
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.diagnostics.formats import one_line
from validation_gen.emit.output import (
    Compared,
    Written,
    is_of_another_api,
    refuse_others,
    replace_files,
    report_invalid_names,
    write_files,
)
from validation_gen.runtime.words import counted


@dataclass(frozen=True, slots=True)
class Output:
    """The files of one emitter by path below a directory. `owned` files belong to users and have complete paths.

    `noun` names one of the files in summaries, `""` for plain files. A `shared` directory may have files that other
    runs have generated, so that no file is reported as obsolete. With `held`, an error, or one foreign file in the way,
    prevents all writes, so that old and new files never mix.
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

    `written` has the state of the files in each directory, and `dropped` the kinds that are left out of the files
    because of errors.
    """

    made: GenerateResult
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    told: list[str] = field(default_factory=list)
    patch: str = ""
    written: list[tuple[str, Written]] = field(default_factory=list)
    dropped: tuple[str, ...] = ()

    def details(self) -> Iterator[str]:
        """Yields the packages, the skipped files, and the state of the files in each directory."""
        if self.made.kept:
            yield "kept result used"
        yield from (f"package {path}" for path in self.made.names)
        yield from (f"left out {line}" for line in self.made.left_out)
        for directory, files in self.written:
            for state in ("written", "unchanged", "removed"):
                for name in getattr(files, state):
                    yield f"{state} {os.path.join(directory, name)}"  # noqa: PTH118 - as it was given


def settle(
    made: GenerateResult,
    outputs: Sequence[Output],
    progress: Callable[[str], None],
    levels: Callable[[Diagnostics], None],
    *,
    check: bool,
    diff: bool,
) -> Outcome:
    """Writes the outputs or, to `check`, compares them with the existing files; with `diff` as a patch, too.

    `levels` changes the severities of findings.
    """
    outcome = Outcome(made)
    outcome.diagnostics.extend(made.findings)
    levels(outcome.diagnostics)
    sound = not outcome.diagnostics.has_errors  # only then is it known which files are extra
    progress("comparing" if check or diff else "writing")
    names = Diagnostics()
    for output in outputs:
        if not output.owned:
            report_invalid_names(output.directory, output.files, names)
            is_of_another_api(output.directory, output.files, names)
    if names.items:
        outcome.diagnostics.extend(names.items)
        outcome.told.append("nothing written")
        return outcome
    for output in outputs:
        if output.held and not output.owned:
            refuse_others(output.directory, output.files, names)
    if names.items:
        outcome.diagnostics.extend(names.items)
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
        outcome.told.append(f"{_list_outputs(held)} not compared because of errors")
    elif held:
        outcome.told.append(describe_held_back(held, "writes"))
    if not any(output.held for output in outputs):
        outcome.dropped = made.dropped
    return outcome


def describe_held_back(outputs: Sequence[Output], verb: str) -> str:
    """Returns a sentence about files held back because of errors, with the option that writes or prints them."""
    return f"{_list_outputs(outputs)} held back because of errors (--keep-going {verb} them all the same)"


def _list_outputs(outputs: Sequence[Output]) -> str:
    return ", ".join(counted(len(output.files), output.noun or "file") for output in outputs)


def _write(output: Output, outcome: Outcome, *, prune: bool) -> None:
    directory, files, diagnostics = output.directory, output.files, outcome.diagnostics
    if output.owned:
        written = replace_files(files, diagnostics, tree=directory)
    else:
        written = write_files(directory, files, diagnostics, prune=prune)
    outcome.written.append(("" if output.owned else directory, written))
    done = len(written.written) + len(written.unchanged) + len(written.removed)
    if not _was_stopped(diagnostics, done):
        outcome.told.append(f"{_count_written(written, output)} in {one_line(directory)}")


def _compare(output: Output, outcome: Outcome, *, prune: bool, diff: bool) -> None:
    directory, files = output.directory, output.files
    found = verify(directory, files, outcome.diagnostics, prune=prune, owned=output.owned)
    if diff:
        outcome.patch += found.patch
    if not _was_stopped(outcome.diagnostics, len(files), *map(len, _parts(found.compared))):
        outcome.told.append(f"{_count_compared(found.compared, output)} in {one_line(directory)}")


def _count_written(written: Written, output: Output) -> str:
    if output.owned:
        return f"{counted(len(output.files), output.noun)} with new schemas"
    removed = f", {len(written.removed)} removed" if written.removed else ""
    if output.noun:
        return f"{_head(output)}{len(written.written)} written, {len(written.unchanged)} unchanged{removed}"
    return f"{counted(len(written.written), 'file')} written, {len(written.unchanged)} unchanged{removed}"


def _count_compared(compared: Compared, output: Output) -> str:
    """Returns a sentence with the numbers of missing, stale, extra and unchanged files."""
    parts = zip(_parts(compared), ("missing", "stale", "extra"), strict=True)
    summary = [f"{len(names)} {state}" for names, state in parts if names]
    same = len(compared.unchanged)
    return _head(output) + ", ".join([*summary, f"{same if output.noun else counted(same, 'file')} up to date"])


def _parts(compared: Compared) -> tuple[list[str], list[str], list[str]]:
    """Returns the missing, the stale and the extra files."""
    return compared.missing, compared.stale, compared.extra


def _head(output: Output) -> str:
    return f"{counted(len(output.files), output.noun)}: " if output.noun else ""


def _was_stopped(diagnostics: Diagnostics, *done: int) -> bool:
    """Tells whether an error about files or arguments ended a run before it had `done` anything."""
    errors = (each.code for each in diagnostics.items if each.severity is Severity.ERROR)
    return not any(done) and any(code.startswith("VG9") for code in errors)
