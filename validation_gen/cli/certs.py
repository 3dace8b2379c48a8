"""`validation-gen certs`: a certificate for a webhook in a cluster, and the authority that vouches for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.build.config.webhooks import webhook_settings
from validation_gen.cli.configured import configured
from validation_gen.cli.options import DiagnosticFormat, Format, Quiet, refuse_empty
from validation_gen.cli.terminal import ENVIRONMENT, OK, exit_code, one_line, print_diagnostics, say
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.webhooks.settings import WebhookSettings
from validation_gen.kubernetes.formats import dnsnames

if TYPE_CHECKING:
    from validation_gen.uses.serve.certificates import Issued

_PLAIN = WebhookSettings()
#: What a DNS name of a certificate may be, with a first part that stands for any.
_WILD = re.compile(r"\*\.")


def certs(
    *,
    service: Annotated[
        str,
        typer.Option(
            "--service",
            metavar="NAME",
            help=f"The Service of the webhook. Without it: `name` in the table webhooks, or {_PLAIN.name}.",
            show_default=False,
        ),
    ] = "",
    namespace: Annotated[
        str,
        typer.Option(
            "--namespace",
            metavar="NAME",
            help=f"Its namespace. Without it: `namespace` in the table webhooks, or {_PLAIN.namespace}.",
            show_default=False,
        ),
    ] = "",
    dns: Annotated[
        list[str],
        typer.Option(
            "--dns", metavar="NAME", help="Another name or IP address of the server. Repeatable.", show_default=False
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="For how long it is valid.")] = 365,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the files go.")] = "certificates",
    secret: Annotated[
        bool, typer.Option("--secret", help="Write the manifest of a Secret instead of files of PEM.")
    ] = False,
    renew: Annotated[
        bool,
        typer.Option("--renew", help="Make a new certificate, and trust the authority of the one that is there, too."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    patch: Annotated[
        list[str],
        typer.Option(
            "--patch",
            metavar="FILE",
            help="Put the authority into the webhook configurations and definitions in this file. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Make a certificate for a webhook in a cluster, signed by an authority of its own. Needs the extra `serve`."""
    refuse_empty([output_dir], "--output-dir")
    refuse_empty(patch, "--patch")
    if renew and force:
        raise typer.BadParameter("it is the opposite of --force; leave one of them out", param_hint="--renew")
    try:
        import cryptography  # noqa: F401, PLC0415 - an extra
    except ImportError as problem:
        typer.echo(f"error: certificates need {problem.name}: pip install 'validation-gen[serve]'", err=True)
        raise typer.Exit(ENVIRONMENT) from None
    known = webhook_settings(configured().config)
    service, namespace = service or known.name, namespace or known.namespace
    names = _names(service, namespace, dns)
    diagnostics = Diagnostics()
    manifest = (f"{service}-tls", namespace) if secret else None
    told: list[str] = []
    issued = _issued(
        output_dir, manifest, names, days, diagnostics, told, renew=renew, force=force, patches=bool(patch)
    )
    if issued is not None and patch:
        _patch(patch, issued, service, namespace, diagnostics, told)
    print_diagnostics(diagnostics, format.value)
    for line in told:
        say(line, format, quiet=quiet)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)


def _names(service: str, namespace: str, others: list[str]) -> list[str]:
    """The names under which the server is called, the one of the API server first.

    Raises:
        typer.BadParameter: one cannot be a name.
    """
    found = [
        ("--service", service, dnsnames.label_1035(service)),
        ("--namespace", namespace, dnsnames.label(namespace)),
    ]
    from validation_gen.uses.serve.certificates import is_address  # noqa: PLC0415 - an extra

    texts = [name for name in others if not is_address(name)]
    found += [("--dns", name, dnsnames.subdomain(_WILD.sub("", name, count=1))) for name in texts]
    for option, name, messages in found:
        if messages:
            raise typer.BadParameter(f"{one_line(name)!r}: {messages[0]}", param_hint=option)
    host = f"{service}.{namespace}.svc"
    return list(dict.fromkeys([host, f"{host}.cluster.local", f"{service}.{namespace}", *others]))


def _issued(
    directory: str,
    secret: tuple[str, str] | None,
    names: list[str],
    days: int,
    diagnostics: Diagnostics,
    told: list[str],
    *,
    renew: bool,
    force: bool,
    patches: bool,
) -> Issued | None:
    """The certificate: a new one that has been written, or the one that is there; `None` after an error."""
    from validation_gen.uses.serve import certificatefiles as files  # noqa: PLC0415 - an extra
    from validation_gen.uses.serve.certificates import ends, issued, names_of, renewed  # noqa: PLC0415

    there = files.found_in(directory, secret=secret is not None)
    place = Span(Path(directory, there[0]).as_posix() if there else Path(directory).as_posix())
    try:
        old = files.read(directory, secret=secret is not None) if there and not force else None
        if old is not None and not renew and patches:
            if names[0] not in names_of(old.certificate):
                help = "--renew makes a certificate with this name beside those of the old one"
                diagnostics.error("VG903", f"the certificate here is not for {names[0]}", place, help)
                return None
            told.append(f"{_shown(directory, there)}: kept, until {ends(old.certificate):%Y-%m-%d}")
            return old
        if old is not None and not renew:
            help = "--renew rotates the certificate, --force begins anew, or choose another place with --output-dir"
            diagnostics.error("VG903", "the file exists, so it is kept", place, help)
            return None
        if renew and old is None:
            help = "leave --renew out to make the first certificate"
            diagnostics.error("VG903", "there is no certificate to renew", place, help)
            return None
        made = renewed(old, names, days) if old is not None else issued(names, days)
        written = files.write(directory, made, secret)
    except ValueError as error:
        diagnostics.error("VG903", f"the certificate here is kept: {error}", place, "--force writes over it")
        return None
    except OSError as error:
        help = "check the permissions, or choose another place with --output-dir"
        diagnostics.error("VG903", f"cannot read or write: {error.strerror or error}", place, help)
        return None
    until = f"{ends(made.certificate):%Y-%m-%d}"
    told.append(f"{_shown(directory, written)}: for {names[0]}, until {until}")
    return made


def _patch(
    patch: list[str], issued: Issued, service: str, namespace: str, diagnostics: Diagnostics, told: list[str]
) -> None:
    from validation_gen.emit.output import replace_files  # noqa: PLC0415
    from validation_gen.uses.serve.bundles import Service, with_bundle  # noqa: PLC0415

    texts = with_bundle(patch, issued.authorities, Service(service, namespace), diagnostics)
    if diagnostics.has_errors:
        return
    done = replace_files(texts, diagnostics)
    told += [f"{one_line(name)}: has the authority now" for name in done.written]
    told += [f"{one_line(name)}: has the authority already" for name in done.unchanged]


def _shown(directory: str, names: list[str]) -> str:
    return ", ".join(one_line(Path(directory, name).as_posix()) for name in names)
