"""`validation-gen config trust [PROJECT]`: edits the user's list of projects whose code may run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from validation_gen.cli.option_schema import sections
from validation_gen.cli.options import DiagnosticFormat, Format, refuse_empty
from validation_gen.cli.terminal import ENVIRONMENT, one_line, print_diagnostics
from validation_gen.compiler.config import Config, named, read_config
from validation_gen.compiler.config.trust import Store, read_store, record_of, store_file, write_store
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.runtime.words import counted


def trust(
    project: Annotated[
        str,
        typer.Argument(metavar="PROJECT", help="A directory, or its configuration; by default the current directory."),
    ] = ".",
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust PROJECT no longer.")] = False,
    list: Annotated[bool, typer.Option("--list", help="List trusted code, and its changes since then.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list the code.")] = False,
    format: Format = DiagnosticFormat.FULL,
) -> None:
    """Trust the current code that the configuration of PROJECT names. Lists it first.

    It is trusted until the configuration, or a file that it names, changes. Imports of these files are not checked.
    """
    refuse_empty([project], "PROJECT")
    if sum((revoke, list, dry_run)) > 1:
        raise typer.BadParameter("--revoke, --list and --dry-run are three things to do; choose one")
    diagnostics = Diagnostics()
    store = read_store(store_file())
    place = Span(str(store.file or "HOME"))
    if store.problem:
        help = "let it and its directories be writable by you alone, or delete it to begin anew"
        diagnostics.error("VG903", f"the list of trusted projects cannot be believed: {store.problem}", place, help)
    elif store.file is None and not dry_run:
        help = "set HOME or XDG_CONFIG_HOME, or give --trust to each command"
        diagnostics.error("VG903", "there is no place for the list of trusted projects", place, help)
    lines: Iterator[str] = iter(())
    if not diagnostics.items:
        if list:
            lines = _listed(store)
        elif revoke:
            lines = _revoked(project, store, diagnostics)
        else:
            lines = _trusted(project, store, diagnostics, write=not dry_run)
    for line in [*lines]:
        if format.for_people:
            typer.echo(one_line(line))
    print_diagnostics(diagnostics, format.value)
    if diagnostics.has_errors:
        raise typer.Exit(ENVIRONMENT)


def _listed(store: Store) -> Iterator[str]:
    for name, record in store.projects.items():
        changed = [file for file, known in record.files.items() if named.digest(file) != known]
        yield f"{name}: {f'not trusted any more, as {changed[0]} has changed' if changed else 'trusted'}"
    yield f"{counted(len(store.projects), 'project')} in {store.file}"


def _trusted(project: str, store: Store, diagnostics: Diagnostics, *, write: bool) -> Iterator[str]:
    config = _config(project, diagnostics)
    if config is None:
        return
    here = named.directory_of(config)
    code, outside = named.code(config, here), named.outside(config)
    yield named.identity(config)
    for each in code:
        files = [file.removeprefix(os.path.join(here, "")) for file in each.files]  # noqa: PTH118 - texts
        known = f" ({', '.join(files)})" if files and files != [each.text] else ""
        yield f"  {'asks' if each.asked else 'runs'} {redact(each.text)}{known}, by {each.key}:{each.span.line}"
    for place in outside:
        yield f"  writes to {place.path}, by {place.key}:{place.span.line}"
    if not code and not outside:
        yield "  names nothing that would be run or asked, and no place outside: there is nothing to trust"
        return
    record = record_of(config, here)
    missing = [file for file, digest in record.files.items() if not digest]
    for path in missing:
        diagnostics.error("VG901", "cannot read: it is no file", Span(path), "check the configuration")
    if missing or not write:
        return
    store.projects[named.identity(config)] = record
    if _written(store, diagnostics):
        number = counted(len(record.files), "file")
        yield f"trusted until one of {number} changes; validation-gen config trust --revoke takes it back"


def _revoked(project: str, store: Store, diagnostics: Diagnostics) -> Iterator[str]:
    """Revokes the trust in a project, even if it no longer exists."""
    path = os.path.realpath(project)
    own = os.path.join(os.path.realpath(Path(project).parent), Path(project).name)  # noqa: PTH118 - texts
    found = [name for name in store.projects if name in (path, own) or os.path.dirname(name) == path]  # noqa: PTH120
    if not found and os.path.isdir(project):  # noqa: PTH112 - it never raises
        config = read_config(Path(project), Diagnostics(), sections())
        found = [named.identity(config)] if config.file and named.identity(config) in store.projects else []
    if not found:
        help = "validation-gen config trust --list names those that are"
        diagnostics.error("VG904", f"{project} is not among the trusted projects", Span("PROJECT"), help)
        return
    for name in found:
        del store.projects[name]
    if _written(store, diagnostics):
        yield from (f"{name}: not trusted any more" for name in found)


def _written(store: Store, diagnostics: Diagnostics) -> bool:
    try:
        write_store(store)
    except OSError as error:
        place = Span(str(store.file))
        diagnostics.error("VG903", f"cannot write: {error.strerror or error}", place, "check the permissions")
        return False
    return True


def _config(project: str, diagnostics: Diagnostics) -> Config | None:
    """Reads the configuration of a project. Reports its problems."""
    path = Path(project)
    is_directory = os.path.isdir(path)  # noqa: PTH112 - it never raises
    config = read_config(path, diagnostics, sections(), file=None if is_directory else path)
    if diagnostics.items:
        return None
    if config.file is None:
        help = "name the directory of a project that has a validation-gen.toml"
        diagnostics.error("VG902", "there is no configuration here", Span(path.as_posix()), help)
        return None
    return config
