"""`validation-gen apply -f FILE`: predicts the answers of an API server to manifests."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.options import FILENAME, OLD, RECURSIVE, Options, expand_groups, option
from validation_gen.cli.terminal import FINDINGS, OK, Progress
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import one_line

if TYPE_CHECKING:
    from validation_gen.commands.apply import Applied


class FieldValidation(str, enum.Enum):
    """Handling of unknown and duplicate fields."""

    STRICT = "Strict"
    WARN = "Warn"
    IGNORE = "Ignore"


class Output(str, enum.Enum):
    """Output format of accepted objects."""

    YAML = "yaml"
    JSON = "json"
    NAME = "name"
    DIFF = "diff"


@dataclass(frozen=True)
class Applying(Options):
    """Options of the objects and of the request."""

    unlisted: ClassVar[tuple[str, ...]] = ("dry_run", "recursive", "show_managed_fields")
    filename: list[str] = FILENAME(
        "Manifests to apply, in order. Definitions among them define kinds for those after them. Repeatable."
    )
    dry_run: bool = option(False, "Taken for granted, as there is no server to change.")
    namespace: str = option(
        "", "The namespace of objects without one; those with another are refused.", "NAME", names=("--namespace", "-n")
    )
    old: list[str] = OLD("Stored objects: those of the same kind, namespace and name are updated. Repeatable.")
    field_validation: FieldValidation = option(
        FieldValidation.STRICT, "Treatment of unknown and duplicate fields.", case_sensitive=False
    )
    output: Output | None = option(None, "Print the stored objects.", names=("--output", "-o"))
    show_managed_fields: bool = option(False, "Print managedFields with -o yaml and -o json.")
    recursive: bool = RECURSIVE()


class Subresource(str, enum.Enum):
    """Subresources that a server-side apply can be about."""

    STATUS = "status"


@dataclass(frozen=True)
class ServerSide(Options):
    """Options of server-side apply."""

    unlisted: ClassVar[tuple[str, ...]] = ("force_conflicts", "subresource")
    server_side: bool = option(False, "Merge on the server, by the owners of fields.")
    field_manager: str | None = option(None, "The owner of the applied fields.", "NAME")
    force_conflicts: bool = option(False, "Take fields from other managers.")
    subresource: Subresource | None = option(None, "Apply to a subresource of the object.")

    def check(self) -> None:
        """Refuses options that have no effect without others."""
        if self.force_conflicts and not self.server_side:
            raise typer.BadParameter("--force-conflicts only works with --server-side; add that, or remove this")
        if self.subresource is not None and not self.server_side:
            text = "--subresource can only be specified for --server-side; add that, or try `validation-gen validate`"
            raise typer.BadParameter(text)
        if self.field_manager == "" and self.server_side:
            text = "is required for apply patch; name a manager, or leave the option out for kubectl"
            raise typer.BadParameter(text, param_hint="'--field-manager'")
        name = self.field_manager or ""
        if len(name.encode()) > _LONGEST_MANAGER:
            text = f"may not be more than {_LONGEST_MANAGER} bytes; choose a shorter name"
            raise typer.BadParameter(text, param_hint="'--field-manager'")
        if not name.isprintable():
            text = f"{name!r} has characters that cannot be printed; remove them"
            raise typer.BadParameter(text, param_hint="'--field-manager'")

    @property
    def manager(self) -> str:
        """The name of the manager; the default is that of kubectl."""
        return self.field_manager or ("kubectl" if self.server_side else "kubectl-client-side-apply")


_DRY_RUN = "--dry-run"
_CLIENT = "kubectl judges no custom object with it; write --dry-run=server, which this command answers without a server"


def prepare(given: list[str], _: dict[str, Any]) -> list[str]:
    """Replaces `--dry-run=server` by `--dry-run` in the arguments."""
    applies = "--server-side" in given
    return [_DRY_RUN if word.startswith(f"{_DRY_RUN}=") and _is_server(word, applies) else word for word in given]


def _is_server(word: str, applies: bool) -> bool:
    value = word.partition("=")[2]
    if value == "server":
        return True
    client = f"{word} doesn't work with --server-side (did you mean --dry-run=server instead?)" if applies else _CLIENT
    reasons = {"client": client, "none": "there is no server to change; write --dry-run=server"}
    reason = reasons.get(value, f"{value!r} is none of its values; write --dry-run=server")
    raise typer.BadParameter(reason, param_hint=f"'{_DRY_RUN}'")


#: Greatest length of the name of a field manager, in bytes.
_LONGEST_MANAGER = 128


@expand_groups
def apply(*, applying: Applying, server_side: ServerSide) -> int:
    """Predict `kubectl apply --dry-run=server`, without a cluster. Writes no files."""
    from validation_gen.commands.apply import Request, apply_all  # noqa: PLC0415
    from validation_gen.commands.schemes import Lists  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415 - late, so that --help stays fast

    filename, old, recursive = applying.filename, applying.old, applying.recursive
    checks.check_files(filename=filename, old=old)
    checks.refuse_urls(filename, "--filename")
    checks.refuse_urls(old, "--old")
    server_side.check()
    diagnostics = Diagnostics()
    request = Request(
        applying.field_validation.value,
        applying.namespace,
        server_side=server_side.server_side,
        manager=server_side.manager,
        force=server_side.force_conflicts,
        subresource=server_side.subresource.value if server_side.subresource is not None else "",
        tracks=applying.show_managed_fields and applying.output in (Output.YAML, Output.JSON),
        now=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    with Progress() as progress:
        progress("reading")
        lists = Lists()
        olds = read_manifests(old, diagnostics, recursive=recursive, is_object=lists.is_object)
        manifests = read_manifests(filename, diagnostics, recursive=recursive, is_object=lists.is_object)
        progress("applying")
        found = list(apply_all(manifests, olds, request, diagnostics))
    terminal.print_diagnostics(diagnostics, "concise")
    _print(found, applying.output, managed=applying.show_managed_fields)
    return terminal.exit_code(diagnostics) or (FINDINGS if any(each.fails for each in found) else OK)


def _print(found: Sequence[Applied], output: Output | None, *, managed: bool) -> None:
    """Prints the outcome of each object, errors and warnings on standard error, as kubectl does."""
    from validation_gen.commands.apply.render import complaints, lines, render_objects, summary  # noqa: PLC0415

    for each in found:
        for line in complaints(each):
            typer.echo(line, err=True)
        if output in (None, Output.NAME, Output.DIFF):
            for line in lines(each, output.value if output else ""):
                typer.echo(line)
    if output in (Output.YAML, Output.JSON):
        try:
            text = render_objects(
                [each.object for each in found if each.object is not None], output.value, managed=managed
            )
        except RecursionError:
            terminal.fail("an object is nested too deeply to be printed")
        typer.echo(text, nl=False)
    for line in summary(found):
        typer.echo(one_line(line), err=True)
