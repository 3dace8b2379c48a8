"""Writes a first configuration for a repository."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

from validation_gen.compiler.config.start import Start, proposals, start
from validation_gen.compiler.config.survey import ProjectScan, survey
from validation_gen.compiler.emitters import CRD, PYTHON
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import MARKER, RefusedError, is_within
from validation_gen.emit.output.owned import replace_below
from validation_gen.files import reading
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import find_language

#: Directories for validators, by preference.
_DIRECTORIES = (PYTHON.directory, "validators", "generated_validators")


def propose(root: Path, diagnostics: Diagnostics) -> tuple[ProjectScan, Start] | None:
    """Returns the API types of a repository and its first configuration; `None` if there is a problem."""
    if not os.path.isdir(root):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        diagnostics.error("VG901", "there is no such directory", Span(root.as_posix()), "check the path")
        return None
    found = survey(root)
    if not found.files:
        help = "name the directory of a repository that has API types with markers, tags or TypeMeta"
        diagnostics.error("VG902", "there are no API types here", Span(root.as_posix()), help)
        return None
    made = start(root, found, _output(root), diagnostics)
    return None if made is None else (found, made)


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


def write(made: Start, diagnostics: Diagnostics) -> None:
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


def render_diff(made: Start) -> str:
    """Renders the change of the file."""
    name = made.file.as_posix()
    before, after = ((text or b"").decode(errors="replace").splitlines(True) for text in (made.before, made.after))
    old = "/dev/null" if made.before is None else name
    lines = difflib.unified_diff(before, after, old, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def list_steps(root: Path, found: ProjectScan, made: Start) -> Iterator[str]:
    """Yields a summary of the changes, and the next steps."""
    done = "wrote" if made.before is None else "added [tool.validation-gen] to"
    yield f"{done} {made.file.as_posix()}: {_summary(found)} in {', '.join(found.inputs)}"
    if not (found.tagged or found.marked):
        for proposal in proposals(root, found.files):
            language = find_language(proposal.file)
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


def _summary(found: ProjectScan) -> str:
    """Returns a summary: how many files have API types, and how many of these have tags or markers."""
    files, tagged, marked = len(found.files), len(found.tagged), len(found.marked)
    if files == tagged:
        return f"{counted(files, 'file')} with tags"
    said = f", {marked} with markers of controller-gen" if marked else ""
    types = f"{counted(files, 'file')} with API types{said}"
    return f"{types}, {tagged} with tags," if tagged else f"{types}, but without tags"
