"""`validation-gen apiserver PATH… -- COMMAND…`: runs a local API server for one's own kinds."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.options import Defined, Options, Types, expand_groups, option
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, Progress
from validation_gen.cli.trust_policy import end_if_untrusted
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validation_gen.apiserver.application import Application
    from validation_gen.apiserver.storage import Store
    from validation_gen.commands.apiserver.running import Options as Run
    from validation_gen.kubernetes.manifests import Manifest

#: Name of the file of objects in a directory.
_FILE = "objects.db"
#: Key in the context for the command after `--`.
COMMAND = "validation_gen.apiserver.command"
EXAMPLES = "Example: validation-gen apiserver crds -- kubectl get crds"


def prepare(given: list[str], meta: dict[str, Any]) -> list[str]:
    """Moves the command after `--` from the arguments to the context."""
    if "--" not in given:
        return given
    at = given.index("--")
    meta[COMMAND] = given[at + 1 :]
    return given[:at]


@dataclass(frozen=True)
class Serving(Options):
    """Options of the server."""

    unlisted: ClassVar[tuple[str, ...]] = ("strict_namespaces",)

    filename: list[str] = option(
        [], "Objects to begin with, in order. Repeatable.", "FILE|DIR", names=("--filename", "-f")
    )
    port: int = option(0, "Port of HTTPS on loopback; 0: any.", min=0, max=65535)
    insecure_port: int | None = option(
        None, "Port of plain HTTP on loopback, where no token is needed; 0: any.", min=0, max=65535
    )
    data: Path | None = option(
        None, f"Keep the objects in a SQLite file, in a directory {_FILE}; without it, in memory.", "FILE|DIR"
    )
    etcd: str = option("", "Keep the objects in etcd v3, which several servers may share.", "URL")
    strict_namespaces: bool = option(
        False, "Refuse objects whose namespace does not exist, as a cluster does; otherwise it is created."
    )
    audit_log: Path | None = option(
        None, "Append an event for each request about a resource, as the audit log of a cluster has it.", "FILE"
    )
    kubeconfig: Path | None = option(None, "Write the kubeconfig there, not to a temporary file.", "FILE")


@expand_groups
def apiserver(
    paths: Defined = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    context: typer.Context,
    serving: Serving,
    types: Types,
) -> int:
    """Run a local API server for the kinds in PATH, until Ctrl-C or while a command after `--` runs.

    It serves custom kinds as a cluster does, and runs no pods. Needs the extra `serve`.
    """
    terminal.require("the server", "serve", "starlette", "uvicorn", "cryptography")
    terminal.require("the server", "etcd", *(["aetcd"] if serving.etcd else []))
    from validation_gen.apiserver.application import Application  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.apiserver.kinds import check_objects, find_definitions  # noqa: PLC0415
    from validation_gen.commands.apiserver.running import Options as Run  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    end_if_untrusted("concise")
    command = context.meta.get(COMMAND)
    if command == []:
        raise typer.BadParameter("a command must come after it", param_hint="'--'")
    for path in paths if command is None else ():
        if os.sep not in path and shutil.which(path) and not os.path.exists(path):  # noqa: PTH110 - no other use of it
            raise typer.BadParameter(f"{path} is a command, and no file; write `-- {path} …`", param_hint="'PATH'")
    store = _make_store(serving)
    with Progress() as progress:
        progress("reading")
        objects = find_definitions(paths, types.settings([]), diagnostics) if paths else []
        manifests = list(read_manifests(serving.filename, diagnostics))
        check_objects(manifests, diagnostics)
        objects += [manifest.obj for manifest in manifests]
    terminal.print_diagnostics(diagnostics, "concise")
    code = terminal.exit_code(diagnostics)
    if code:
        return code
    options = Run(serving.port, serving.insecure_port, serving.kubeconfig, objects, command or ())
    app = Application(store, strict_namespaces=serving.strict_namespaces)
    return _run(app, options, serving, manifests)


def _make_store(serving: Serving) -> Store:
    if not serving.etcd:
        from validation_gen.apiserver.storage.sqlite import SqliteStore  # noqa: PLC0415 - as above

        file = serving.data
        return SqliteStore(file / _FILE if file is not None and file.is_dir() else file)
    if serving.data is not None:
        raise typer.BadParameter("it cannot be combined with --data", param_hint="'--etcd'")
    from validation_gen.apiserver.storage.etcd import EtcdStore  # noqa: PLC0415 - as above

    with checks.blame("'--etcd'", ValueError):
        return EtcdStore(serving.etcd)


def _run(app: Application, options: Run, serving: Serving, manifests: Sequence[Manifest]) -> int:
    """Runs the server, and returns the exit code."""
    from validation_gen.apiserver.audit import AuditLog  # noqa: PLC0415 - as above
    from validation_gen.apiserver.errors import ApiError  # noqa: PLC0415
    from validation_gen.apiserver.storage import StoreError  # noqa: PLC0415
    from validation_gen.commands.apiserver import running  # noqa: PLC0415

    class Print(running.Announce):
        def listening(self, url: str, kubeconfig: Path) -> None:
            if not options.command:
                typer.echo(f"listening at {url}")
                typer.echo(f"export KUBECONFIG={kubeconfig}")

        def insecure(self, url: str) -> None:
            if not options.command:
                typer.echo(f"without TLS and token at {url}")

    def report(problem: OSError) -> None:
        typer.echo(f"warning: the audit log lacks events: {problem.strerror}: {serving.audit_log}", err=True)

    try:
        if serving.audit_log is not None:
            app.audit = AuditLog(serving.audit_log, report)
        return running.run(app, options, Print())
    except ApiError as problem:
        place = "".join(f"{each.file}:{each.line}: " for each in manifests if each.obj is problem.first)
        typer.echo(f"{place}error: {problem.message}", err=True)
        return FINDINGS
    except StoreError as problem:
        typer.echo(f"error: the store cannot be used: {problem}", err=True)
        return ENVIRONMENT
    except OSError as problem:
        typer.echo(f"error: {problem.strerror or problem}: {problem.filename or 'the server cannot start'}", err=True)
        return ENVIRONMENT
