"""`validation-gen serve PATH…`: the validators of types and definitions as an admission webhook."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import Defined, Rules, assignments
from validation_gen.cli.servechecks import Beside
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, exit_code
from validation_gen.runtime.words import counted
from validation_gen.uses.definitions import split

if TYPE_CHECKING:
    from validation_gen.webhooks import Webhook


@grouped
def serve(
    paths: Defined,
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any that is free.")] = 9443,
    tls_cert: Annotated[
        str, typer.Option("--tls-cert", metavar="FILE", help="The certificate, as PEM.", show_default=False)
    ] = "",
    tls_key: Annotated[
        str, typer.Option("--tls-key", metavar="FILE", help="Its key, as PEM.", show_default=False)
    ] = "",
    self_signed: Annotated[
        bool, typer.Option("--self-signed", help="Make a certificate to try it with; it is kept nowhere.")
    ] = False,
    option: Annotated[
        list[str],
        typer.Option("--option", metavar="NAME[=BOOL]", help="A validation option. Repeatable.", show_default=False),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    beside: Beside,
    sources: Sources,
    rules: Rules = None,
) -> None:
    """Answer admission reviews over HTTPS, until Ctrl-C. Needs the extra `serve`. Writes no files."""
    if self_signed == bool(tls_cert or tls_key) or bool(tls_cert) != bool(tls_key):
        raise typer.BadParameter("name both --tls-cert and --tls-key, or else --self-signed")
    try:
        import validation_gen.uses.serve.running  # noqa: F401, PLC0415 - an extra
    except ImportError as problem:
        typer.echo(f"error: serving needs {problem.name}: pip install 'validation-gen[serve]'", err=True)
        raise typer.Exit(ENVIRONMENT) from None
    webhook = _webhook(list(paths), sources, rules, option, beside)
    if self_signed:
        from validation_gen.uses.serve.certificates import self_signed as made  # noqa: PLC0415

        found = made(host)
        with tempfile.TemporaryDirectory(prefix="validation-gen-") as directory:  # which nobody else can enter
            files = Path(directory, "tls.crt"), Path(directory, "tls.key")
            for file, content in zip(files, (found.certificate, found.key), strict=True):
                file.write_bytes(content)
            tls_cert, tls_key = map(str, files)
            _run(webhook, host, port, tls_cert, tls_key)
    else:
        _run(webhook, host, port, tls_cert, tls_key)


def _webhook(paths: list[str], sources: Sources, rules: Rules, option: list[str], beside: Beside) -> Webhook:
    """The webhook for the kinds in PATH; ends the run if there are none."""
    from validation_gen.cli.loading import load  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.webhooks import Webhook  # noqa: PLC0415

    definitions, types = split(paths)
    options = replace(sources.settings(types), rules=rules).with_definitions(definitions, types)
    result, registry = load(options)
    kinds = [kind for kind in registry.kinds if kind.api_version]
    code = exit_code(result.diagnostics)
    if code or not kinds:
        raise typer.Exit(code or FINDINGS)  # a webhook that lacks rules would let pass what they refuse
    given = assignments(option, "--option")
    typer.echo(f"{counted(len(kinds), 'kind')}: {', '.join(sorted({kind.name for kind in kinds}))}", err=True)
    known = dict.fromkeys(result.program.options, False) | given
    return Webhook(beside.endpoints(result, registry, options, known, lambda text: typer.echo(text, err=True)))


def _run(webhook: Webhook, host: str, port: int, certificate: str, key: str) -> None:
    import ssl  # noqa: PLC0415 - not every command needs it

    from validation_gen.uses.serve.running import serve as run  # noqa: PLC0415

    def listening(port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        typer.echo(f"listening at https://{shown}:{port}/validate", err=True)

    try:
        begun = run(webhook, host, port, certificate, key, listening, lambda text: typer.echo(text, err=True))
    except (OSError, ssl.SSLError) as problem:
        typer.echo(f"error: the certificate {certificate} cannot be used: {problem}", err=True)
        raise typer.Exit(ENVIRONMENT) from None
    except SystemExit:
        begun = False
    if not begun:
        typer.echo(f"error: nothing can listen at {host}:{port}; is it in use?", err=True)
        raise typer.Exit(ENVIRONMENT)
