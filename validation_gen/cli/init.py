"""`validation-gen config init [DIR]`: writes a first configuration for a repository."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.options import DiagnosticFormat, Format, refuse_empty
from validation_gen.cli.terminal import exit_code, one_line, print_diagnostics
from validation_gen.compiler.emitters import CRD, PYTHON
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import MARKER, RefusedError, is_within
from validation_gen.emit.output.owned import replace_below
from validation_gen.files import reading
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import language_of

if TYPE_CHECKING:
    from validation_gen.compiler.config.start import Start
    from validation_gen.compiler.config.survey import Survey

#: Directories for validators, by preference.
_DIRECTORIES = (PYTHON.directory, "validators", "generated_validators")


def init(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="The repository, by default the current directory.")
    ] = ".",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; print the file.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print the change.")] = False,
    format: Format = DiagnosticFormat.FULL,
) -> None:
    """Write a first configuration for the repository in DIR. Changes no existing configuration."""
    from validation_gen.compiler.config.start import start  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.compiler.config.survey import survey  # noqa: PLC0415

    refuse_empty([directory], "DIR")
    diagnostics = Diagnostics()
    root = Path(directory)
    made = None
    if not os.path.isdir(root):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        diagnostics.error("VG901", "there is no such directory", Span(root.as_posix()), "check the path")
    else:
        found = survey(root)
        if found.files:
            made = start(root, found, _output(root), diagnostics)
        else:
            help = "name the directory of a repository that has API types with markers, tags or TypeMeta"
            diagnostics.error("VG902", "there are no API types here", Span(root.as_posix()), help)
    if made is not None and not dry_run and not diff:
        _write(made, diagnostics)
    print_diagnostics(diagnostics, format.value)
    code = exit_code(diagnostics)
    if code or made is None:
        raise typer.Exit(code)
    if not format.for_people:  # standard output is the document
        return
    if diff:
        typer.echo(_diff(made), nl=False)
    elif dry_run:
        typer.echo(made.after.decode(errors="replace"), nl=False)
    else:
        for line in _steps(root, found, made):
            typer.echo(one_line(line))


def _output(root: Path) -> str:
    """Returns a directory for validators: a new one, or one that an earlier run has generated."""
    for name in _DIRECTORIES:
        if not os.path.lexists(root / name) or _is_generated(root / name):
            return name
    return _DIRECTORIES[0]


def _is_generated(directory: Path) -> bool:
    try:
        return reading.read(directory / "__init__.py").startswith(MARKER.encode())
    except OSError:
        return False


def _write(made: Start, diagnostics: Diagnostics) -> None:
    """Writes the file: creates it if it is missing, else adds to it."""
    try:
        if made.before is None:
            with made.file.open("xb") as file:
                file.write(made.after)
            return
        if not is_within(os.fspath(made.file), os.fspath(made.file.parent)):
            raise RefusedError("this is a link that leads out of the directory, so it is kept")
        if reading.read(made.file) != made.before:
            raise RefusedError("it has changed while it was read; run again")
        replace_below(os.fspath(made.file.parent), os.path.realpath(made.file), made.after)
    except OSError as error:
        place = Span(made.file.as_posix())
        diagnostics.error("VG903", f"cannot write: {error.strerror or error}", place, "check the permissions")


def _diff(made: Start) -> str:
    name = made.file.as_posix()
    before, after = ((text or b"").decode(errors="replace").splitlines(True) for text in (made.before, made.after))
    old = "/dev/null" if made.before is None else name
    lines = difflib.unified_diff(before, after, old, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _steps(root: Path, found: Survey, made: Start) -> Iterator[str]:
    """Yields a summary of the changes, and the next steps."""
    from validation_gen.compiler.config.start import proposals  # noqa: PLC0415

    done = "wrote" if made.before is None else "added [tool.validation-gen] to"
    yield f"{done} {made.file.as_posix()}: {_summary(found)} in {', '.join(found.inputs)}"
    if not (found.tagged or found.marked):
        for proposal in proposals(root, found.files):
            language = language_of(proposal.file)
            comment = language.comment if language else "#"
            yield f"a first tag, above {proposal.field} in {(root / proposal.file).as_posix()}:{proposal.line}"
            yield from (f"  {comment} {tag}" for tag in proposal.tags if tag)
    yield "next:"
    place = "" if root.resolve() == Path.cwd() else f"cd {root.as_posix()} && "
    validators = f"validators into {made.outputs[PYTHON]}/"
    crds = made.outputs.get(CRD, "")
    is_emitted = crds and not made.patched
    steps = [("validation-gen", f"write {validators}" + (f", definitions into {crds}/" if is_emitted else ""))]
    if made.patched:
        steps.append(("validation-gen crd", f"put the schemas into the definitions in {crds}/"))
    if found.marked:
        steps.append(
            (f"validation-gen convert markers {found.inputs[0]}", "show which markers can be rewritten as tags")
        )
    steps.append(("validation-gen --check", "in CI: fail if one of them is not up to date"))
    if made.patched:
        steps.append(("validation-gen crd --check", "in CI: fail if a definition has another schema"))
    width = max(len(command) for command, _ in steps)
    yield from (f"  {place}{command:{width}}  # {text}" for command, text in steps)
    if found.kinds and not crds:
        yield "for CustomResourceDefinitions:"
        yield f'  write +groupName=GROUP above the package clause, then emit = ["{CRD.name}"] in {made.file.name}'


def _summary(found: Survey) -> str:
    """Returns a summary: how many files have API types, and how many of these have tags or markers."""
    files, tagged, marked = len(found.files), len(found.tagged), len(found.marked)
    if files == tagged:
        return f"{counted(files, 'file')} with tags"
    said = f", {marked} with markers of controller-gen" if marked else ""
    types = f"{counted(files, 'file')} with API types{said}"
    return f"{types}, {tagged} with tags," if tagged else f"{types}, but without tags"
