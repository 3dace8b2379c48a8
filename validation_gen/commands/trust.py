"""Edits the user's list of projects whose code may run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from validation_gen.compiler.config import Config, Sections, named, read_config
from validation_gen.compiler.config.trust import Store, build_record, write_store
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.runtime.words import counted


def list_projects(store: Store) -> Iterator[str]:
    """Yields the trusted projects, and changes of their code."""
    for name, record in store.projects.items():
        changed = [file for file, known in record.files.items() if named.digest(file) != known]
        yield f"{name}: {f'not trusted any more, as {changed[0]} has changed' if changed else 'trusted'}"
    yield f"{counted(len(store.projects), 'project')} in {store.file}"


def trust_project(
    project: str, store: Store, sections: Sections, diagnostics: Diagnostics, *, write: bool
) -> Iterator[str]:
    """Yields the code that the configuration of a project names, and trusts it, or only lists it without `write`."""
    config = _config(project, sections, diagnostics)
    if config is None:
        return
    here = named.find_directory(config)
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
    record = build_record(config, here)
    missing = [file for file, digest in record.files.items() if not digest]
    for path in missing:
        diagnostics.error("VG901", "cannot read: it is not a file", Span(path), "check the configuration")
    if missing or not write:
        return
    store.projects[named.identity(config)] = record
    if _write(store, diagnostics):
        number = counted(len(record.files), "file")
        yield f"trusted until one of {number} changes; validation-gen config trust --revoke takes it back"


def revoke_project(project: str, store: Store, sections: Sections, diagnostics: Diagnostics) -> Iterator[str]:
    """Revokes the trust in a project, even if it no longer exists."""
    path = os.path.realpath(project)
    own = os.path.join(os.path.realpath(Path(project).parent), Path(project).name)  # noqa: PTH118 - texts
    found = [name for name in store.projects if name in (path, own) or os.path.dirname(name) == path]  # noqa: PTH120
    if not found and os.path.isdir(project):  # noqa: PTH112 - it never raises
        config = read_config(Path(project), Diagnostics(), sections)
        found = [named.identity(config)] if config.file and named.identity(config) in store.projects else []
    if not found:
        help = "validation-gen config trust --list names those that are"
        diagnostics.error("VG904", f"{project} is not among the trusted projects", Span("PROJECT"), help)
        return
    for name in found:
        del store.projects[name]
    if _write(store, diagnostics):
        yield from (f"{name}: not trusted any more" for name in found)


def _write(store: Store, diagnostics: Diagnostics) -> bool:
    try:
        write_store(store)
    except OSError as error:
        place = Span(str(store.file))
        diagnostics.error("VG903", f"cannot write: {error.strerror or error}", place, "check the permissions")
        return False
    return True


def _config(project: str, sections: Sections, diagnostics: Diagnostics) -> Config | None:
    """Reads the configuration of a project. Reports its problems."""
    path = Path(project)
    is_directory = os.path.isdir(path)  # noqa: PTH112 - it never raises
    config = read_config(path, diagnostics, sections, file=None if is_directory else path)
    if diagnostics.items:
        return None
    if config.file is None:
        help = "name the directory of a project that has a validation-gen.toml"
        diagnostics.error("VG902", "there is no configuration here", Span(path.as_posix()), help)
        return None
    return config
