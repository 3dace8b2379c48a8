"""Values of options: parses those with a syntax of their own, and refuses those that no command can use.

A value that is refused raises `typer.BadParameter`, whose text has the reason.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

import typer

from validation_gen.cli.config_context import get_configuration
from validation_gen.commands.distributed.opening import is_url
from validation_gen.rules.releases import RELEASES


@contextlib.contextmanager
def blame(option: str, *errors: type[Exception]) -> Iterator[None]:
    """Makes errors in the block those of an option, with the same text."""
    try:
        yield
    except errors as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def modules(texts: list[str]) -> dict[str, str]:
    """Parses `--module`: directories by import path."""
    table = {}
    for text in texts:
        path, equals, directory = text.partition("=")
        if not equals or not path or not directory:
            raise typer.BadParameter(
                f"{text!r} is not IMPORT=DIR, such as k8s.io/apimachinery=../apimachinery", param_hint="--module"
            )
        if not os.path.isdir(directory):  # noqa: PTH112 - unlike Path.is_dir, it never raises
            raise typer.BadParameter(f"{directory} is not a directory", param_hint="--module")
        table[path] = directory
    return table


def check_target(target: str, releases: Sequence[str] = RELEASES) -> None:
    """Refuses an unknown target release."""
    if target not in releases:
        release = ".".join(target.removeprefix("v").split(".")[:2])
        if release in releases:
            raise typer.BadParameter(f"{target!r} is no release, did you mean {release}?", param_hint="--target")
        raise typer.BadParameter(f"{target!r} is none of {', '.join(releases)}", param_hint="--target")


def refuse_empty(values: list[str], name: str) -> None:
    """Refuses an empty path: it would mean the current directory, but comes from an unset variable."""
    if "" in values:
        raise typer.BadParameter("the path is empty; write . for the current directory", param_hint=name)


def refuse_empty_import(values: list[str]) -> None:
    """Refuses an empty import path."""
    if "" in values:
        raise typer.BadParameter("the import path is empty", param_hint="--readonly-pkg")


def check_files(**named: list[str] | str | None) -> None:
    """Refuses empty paths, and a second `-` among the files of all options: standard input can be read once.

    Args:
        named: the values by parameter, `None` for none; each may contain several comma-separated names. A name in
            capitals is that of an argument.
    """
    readers = []
    for name, given in named.items():
        values = [given] if isinstance(given, str) else given or []
        refuse_empty(values, _flag(name))
        readers += [name for value in values for file in _split_names(value) if file == "-"]
    if len(readers) > 1:
        first, second = map(_flag, readers[:2])
        problem = "is named twice" if first == second else f"is read for {first} already, and cannot be for {second}"
        raise typer.BadParameter(f"standard input {problem}: it can be read once", param_hint=second)


def _flag(name: str) -> str:
    return f"--{name}" if name.islower() else name


def _split_names(value: str) -> list[str]:
    """Splits a value into names as a reader of manifests does."""
    return [value] if os.path.lexists(value) else value.split(",")


def assignments(values: list[str], flag: str) -> dict[str, bool]:
    """Parses `X=true` and `X=false` into a table; a bare `X` means true."""
    table = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not name or (equals and value.lower() not in ("true", "false")):
            raise typer.BadParameter(f"{text!r} is not NAME=true or NAME=false", param_hint=flag)
        table[name] = not equals or value.lower() == "true"
    return table


def refuse_on_cluster(objects: Sequence[str], option: str = "--filename") -> None:
    """Refuses inputs that the processes of a cluster cannot read."""
    if "-" in objects:
        raise typer.BadParameter("the processes of a cluster cannot read standard input", param_hint=option)


def refuse_urls(arguments: Sequence[str], option: str, help: str = "") -> None:
    """Refuses URLs where only paths are allowed, also among comma-separated names.

    `help` is a sentence with the next step.
    """
    for argument in arguments:
        if not os.path.lexists(argument) and any(map(is_url, argument.split(","))):
            raise typer.BadParameter(f"{help}{': ' if help else ''}{argument} is not a path", param_hint=option)


def refuse_state_at_url(resume: str) -> str:
    """Refuses a checkpoint at a URL for a run on one machine. Ignores a configured URL, which is for runs on a cluster.

    Returns:
        The path of the checkpoint, `""` for none.
    """
    if is_url(resume) and get_configuration().is_configured("resume"):
        return ""
    refuse_urls([resume], "--resume", "work on one machine is kept in a file, and at a URL with --cluster alone")
    return resume
