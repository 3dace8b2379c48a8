"""`validation-gen webhook …`: answers requests, or sends them. `webhook review` and `webhook stdio` are here."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.app import command_group
from validation_gen.cli.config_context import Configurable
from validation_gen.cli.loading import import_customs, load
from validation_gen.cli.options import FILENAME, OLD, RULES, Defined, Options, Sources, expand_groups, option
from validation_gen.cli.serve import serve
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK
from validation_gen.cli.trust_policy import PEER, end_if_untrusted, leave_out_customs
from validation_gen.commands.definitions import split
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validation_gen.commands.review import Reviewed, Webhook


class Operation(str, enum.Enum):
    """Operation of a request."""

    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


class Output(str, enum.Enum):
    """Output format of admitted objects."""

    YAML = "yaml"
    NAME = "name"


@dataclass(frozen=True)
class Address(Options):
    """Address of the webhook, its certificates and the timeout."""

    panel: ClassVar[str | None] = "The webhook"
    unlisted: ClassVar[tuple[str, ...]] = ("server_name",)
    url: str = option("https://127.0.0.1:9443", "The address of the webhook.", "URL")
    path: str = option(
        "", "The path, such as /mutate; by default that of the URL, else /validate, or /convert with --to.", "PATH"
    )
    ca: str = option("", "Trusted certificates for the webhook.", "FILE", names=("--ca", "--ca-file"))
    insecure: bool = option(False, "Trust any certificate of a webhook on this machine.")
    client_cert: str = option("", "The certificate to show to the webhook.", "FILE")
    client_key: str = option("", "The key of that certificate.", "FILE")
    server_name: str = option("", "The name in the webhook's certificate, if it is not the host of the URL.", "NAME")
    timeout: float = option(10, "Time limit of an answer.", "SECONDS", min=0.1, max=3600)

    def webhook(self) -> Webhook:
        """Returns the address as the webhook client takes it."""
        from validation_gen.commands.review import Webhook  # noqa: PLC0415 - late, so that --help stays fast

        if self.ca and self.insecure:
            raise typer.BadParameter("it is the opposite of --ca; leave one of them out", param_hint="--insecure")
        if self.client_key and not self.client_cert:
            raise typer.BadParameter("it needs --client-cert", param_hint="--client-key")
        shown = (self.client_cert, self.client_key)
        return Webhook(self.url, self.path, self.ca, self.insecure, *shown, self.server_name, self.timeout)


@dataclass(frozen=True)
class Sending(Options):
    """Options of the objects, and of the printed output."""

    filename: list[str] = FILENAME("Objects to send, in order. Repeatable.")
    old: list[str] = OLD("Old objects: those of the same kind, namespace and name are updated. Repeatable.")
    output: Output | None = option(None, "Print the objects with the changes of the webhook.", names=("--output", "-o"))


@dataclass(frozen=True)
class Asking(Options):
    """Options of the request about each object."""

    panel: ClassVar[str | None] = "The request"
    operation: Operation | None = option(
        None, "The operation; by default objects among the old ones are updated.", case_sensitive=False
    )
    subresource: str = option("", "The subresource of the request, such as status.", "NAME")
    user: str = option("", "The user of the request.", "NAME")
    group: list[str] = option([], "A group of that user. Repeatable.", "NAME")
    dry_run: bool = option(True, "Send requests as dry runs, which store nothing.", names=("--dry-run/--no-dry-run",))
    to: str = option("", "Convert the objects to this version, instead of admitting them.", "VERSION")


app = command_group("webhook")
app.command("serve", cls=Configurable)(serve)


@app.command("review", cls=Configurable)
@expand_groups
def review(*, sending: Sending, address: Address, asking: Asking) -> int:
    """Send a webhook the requests of an API server, and print its answers. Writes no files."""
    from validation_gen.commands.review import Question, WebhookConfigError, convert  # noqa: PLC0415
    from validation_gen.commands.review import review as ask  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415 - late, so that --help stays fast

    filename, old = sending.filename, sending.old
    checks.check_files(filename=filename, old=old)
    checks.refuse_urls(filename, "--filename")
    checks.refuse_urls(old, "--old")
    webhook = address.webhook()
    end_if_untrusted("concise", *PEER)
    diagnostics = Diagnostics()
    manifests = read_manifests(filename, diagnostics)
    olds = read_manifests(old, diagnostics)
    terminal.print_diagnostics(diagnostics, "concise")
    code = terminal.exit_code(diagnostics)
    if code == ENVIRONMENT:
        return code
    operation = asking.operation.value if asking.operation else ""
    question = Question(operation, asking.subresource.strip("/"), asking.user, asking.group, asking.dry_run)
    try:
        if asking.to:
            found = list(convert(webhook, manifests, asking.to))
        else:
            found = list(ask(webhook, manifests, olds, question))
    except WebhookConfigError as problem:
        terminal.fail(one_line(str(problem)))
    _print(found, sending.output, address.url, converted=bool(asking.to))
    if any(each.problem for each in found):
        return ENVIRONMENT
    return code if all(each.allowed for each in found) else FINDINGS


def _print(found: Sequence[Reviewed], output: Output | None, url: str, *, converted: bool) -> None:
    """Prints the answer for each object; errors and warnings on standard error, as kubectl does."""
    from validation_gen.commands.review import complaints, lines, render_admitted  # noqa: PLC0415

    for each in found:
        for line in complaints(each, url):
            typer.echo(line, err=True)
        if output is Output.NAME and each.allowed:
            typer.echo(one_line(each.manifest.title))
        elif output is None:
            for line in lines(each, converted=converted):
                typer.echo(line)
    if output is Output.YAML:
        try:
            text = render_admitted(found)
        except RecursionError:
            terminal.fail("an object is nested too deeply to be printed")
        typer.echo(text, nl=False)


# --- stdio ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answers(Options):
    """Options of the answers."""

    rules: RuleSource | None = RULES()
    custom_objects: bool = option(
        False, "Answer for custom objects: of kinds in PATH, and of those that requests define."
    )


@app.command("stdio", cls=Configurable)
@expand_groups
def stdio(
    paths: Defined = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    sources: Sources,
    answers: Answers,
) -> int:
    """Answer requests for verdicts, one JSON object a line. Writes no files."""
    objects = answers.custom_objects
    if objects and answers.rules is not None:
        raise typer.BadParameter("custom objects are judged by tags and schemas alike", param_hint="--rules")
    if objects and not paths:
        from validation_gen.commands.stdio import answer_objects  # noqa: PLC0415

        _answer(answer_objects)
        return OK
    if not paths:
        raise typer.BadParameter(
            "Missing argument PATH: name the types, or ask about custom objects with --custom-objects"
        )
    from validation_gen.commands.stdio import answer_lines  # noqa: PLC0415

    definitions, types = split(paths)
    options = replace(sources.settings(types), rules=answers.rules)
    if "-" in definitions:
        raise typer.BadParameter("requests come from standard input, so that definitions cannot", param_hint="PATH")
    if objects:
        return _answer_objects(replace(options, paths=tuple(types)), definitions)
    # A request names its type, so include types that generation would leave out.
    options = options.with_definitions(definitions, types)
    result, registry = load(replace(options, every_type=not sources.require_directive))
    code = terminal.exit_code(result.diagnostics)
    if code != ENVIRONMENT or result.program.packages:  # types that could not be read have no answers to wait for
        _answer(lambda lines: answer_lines(lines, registry, result.program.broken))
    return code


def _answer_objects(options: Settings, definitions: list[str]) -> int:
    """Answers for the custom objects of kinds in sources and definitions, and of those that requests define.

    Returns the exit code.
    """
    from validation_gen.commands.schemes import load_scheme  # noqa: PLC0415
    from validation_gen.commands.stdio import answer_objects  # noqa: PLC0415
    from validation_gen.commands.typeschemes import add_kinds, lower_kinds  # noqa: PLC0415
    from validation_gen.compiler.pipeline import Result, load_validators, lower, read  # noqa: PLC0415

    found = Diagnostics()
    scheme = load_scheme(definitions, found, options.target)
    if options.paths:
        sources = read(options, found)
        result = Result(lower(sources, options, found), found)
        leave_out_customs(result)
        registry = load_validators(result.program)
        import_customs(result, options, registry)
        markers = lower_kinds(sources, options, found)
        add_kinds(scheme, markers, registry, found, options=dict.fromkeys(result.program.options, False))
    terminal.print_diagnostics(found, "concise")
    code = terminal.exit_code(found)
    if code != ENVIRONMENT or scheme.kinds:  # kinds that could not be read have no answers to wait for
        _answer(lambda lines: answer_objects(lines, scheme.kinds.values()))
    return code


def _answer(answers: Callable[[Iterable[bytes]], Iterable[str]]) -> None:
    """Writes an answer to each line of standard input. Flushes the answers before it waits for more lines."""
    from validation_gen.commands.stdio import arriving  # noqa: PLC0415

    for answer in answers(arriving(sys.stdin.buffer, sys.stdout.flush)):
        sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()
