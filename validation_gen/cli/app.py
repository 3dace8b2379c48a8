"""The commands and their names. What a command needs is imported when it is named, not to list it."""

from __future__ import annotations

import gc
import importlib
import os
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from validation_gen.cli.helping import WIDEST, Commands
from validation_gen.cli.main import print_version

#: The commands in the order of the help, each with the first paragraph of its own.
COMMANDS: dict[str, str] = {
    "generate": "Write Python validators for the tagged types in PATH, and what else is wanted of them.",
    "check": "Tell which generated files are missing, stale or extra, with a patch. Writes no files.",
    "lint": "Say what is wrong or unwise in the sources in PATH, and with --fix correct it. Writes nothing else.",
    "validate": "Check Kubernetes manifests and print errors as kubectl would. Writes no files.",
    "stdio": "Answer requests for verdicts, one JSON object a line (docs/protocol.md). Writes no files.",
    "serve": "Answer admission reviews over HTTPS, until Ctrl-C. Needs the extra `serve`. Writes no files.",
    "review": "Ask a webhook about objects as an API server does, and print what it answers. Writes no files.",
    "certs": "Make a certificate for a webhook in a cluster, signed by an authority of its own. "
    "Needs the extra `serve`.",
    "coverage": "List the errors that the tags declare and no test has triggered. Writes no files.",
    "apply": "Say what `kubectl apply --dry-run=server` would, without a cluster. Writes no files.",
    "compare": "Compare handwritten validation with that of the tags, on many objects. "
    "Writes only the files that are named.",
    "conversions": "Conversions between the versions of a kind.",
    "convert": "Write Go types, Python classes or definitions in PATH as Python dataclasses or Go types.",
    "migrate": "Rewrite markers in PATH as tags where definitions and verdicts stay the same, and print the patch.",
    "breaking": "Compare sources or definitions with an older state: what breaks clients or stored objects. "
    "Writes no files.",
    "openapi": "Write an OpenAPI document for each group and version in PATH.",
    "jsonschema": "Write a JSON Schema for each kind in PATH, for editors and checks of manifests.",
    "monitoring": "Write a Grafana dashboard and Prometheus alert rules for the metrics of the mismatch harness.",
    "explain": "Say what a tag or a code means, which rules a field has, or what becomes of an object. "
    "Without a name: list all.",
    "crd": "CustomResourceDefinitions.",
    "cel": "CEL rules, where they are to stand.",
    "config": "The configuration: what holds and why, and what may stand in it.",
    "trust": "Trust the code that the configuration of PROJECT names, as it is now. Shows it first.",
    "init": "Write a first configuration for the repository in DIR. Changes nothing that is there.",
}
#: The key in the context for the arguments as they were given.
ARGUMENTS = "validation_gen.arguments"
#: Where a command is, unless it is a function in a module of its own name.
PLACES = {
    "check": ("generate", "check"),
    "openapi": ("schemas", "openapi"),
    "jsonschema": ("schemas", "jsonschema"),
    "crd": ("crd", "app"),
    "cel": ("cel", "app"),
    "config": ("configuration", "app"),
    "conversions": ("conversions", "app"),
}
#: Commands that have commands of their own. The first is meant where none is named, unless it is empty.
GROUPS = {
    "crd": ("generate", "check"),
    "config": ("", "show", "schema"),
    "conversions": ("", "check", "new"),
    "cel": ("", "eval", "check", "cost", "test", "schema"),
}


class Late(TyperCommand):
    """A command as the help lists it. Whoever calls it gets the real one, whose module is imported then."""

    def loaded(self) -> Any:
        """The command itself."""
        from validation_gen.cli.configured import Configurable  # noqa: PLC0415 - not to list the commands

        own = str(self.name)
        module, name = PLACES.get(own, (own, own))
        found = getattr(importlib.import_module(f"validation_gen.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
            plain = own in {"init", "explain", "trust"}
            epilog = getattr(importlib.import_module(function.__module__), "EXAMPLES", None)
            found.command(self.name, cls=None if plain else Configurable, epilog=epilog)(function)
        return typer.main.get_command(found)

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **named: Any) -> Any:
        command = self.loaded()
        if self.name == "validate":
            from validation_gen.cli.severalnames import named_manifests  # noqa: PLC0415 - only it takes manifests

            args = named_manifests(args)
        if self.name == "apply":
            from validation_gen.cli.dryrun import without_value  # noqa: PLC0415 - as above

            args = without_value(args)
        if not gc.isenabled() and self.name not in {"generate", "check"}:  # which decides for itself
            gc.freeze()
            gc.set_threshold(*_SELDOM)
            gc.enable()
        return command.make_context(info_name, args, *rest, **named)


#: How often garbage is looked for: nearly nothing refers to itself here, and to look at a large input takes long.
_SELDOM = (100_000, 20, 100)
#: Options of the main command that look like those of the program.
_LIKE_OWN = ("--verbose", "--select")
#: What all mistakes on a command line are. Releases of typer have it in different places.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
#: What some releases of typer put in front of their reason.
_LEAKED = "Value error, "


class _Group(Commands):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, summary in COMMANDS.items():
            self.add_command(Late(name=name, help=summary))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        # Who asks for completions has not been through `arguments`.
        if ctx.resilient_parsing:
            return super().resolve_command(ctx, arguments(args))
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = _nearest(args[0], [*COMMANDS, "help"], most=3)
            meant = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
            ctx.fail(f"there is no command or path {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Its wrong arguments are told in the format that is asked for, if that is for programs."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            if isinstance(message := getattr(error, "message", None), str):
                error.message = message.removeprefix(_LEAKED)  # type: ignore[attr-defined]
            format = _format(ctx.meta[ARGUMENTS])
            if format is None:
                raise
            from validation_gen.cli.terminal import print_usage_error  # noqa: PLC0415 - most command lines are right

            print_usage_error(error, format)
            raise typer.Exit(2) from None


def _format(given: list[str]) -> str | None:
    """The format of findings that arguments name, if standard output belongs to it."""
    from validation_gen.diagnostics.formats.names import DiagnosticFormat  # noqa: PLC0415

    named = ""
    for index, word in enumerate(given):
        if word == "--":
            break
        if word == "--format":
            named = "".join(given[index + 1 : index + 2])
        elif word.startswith("--format="):
            named = word.partition("=")[2]
    return next((each.value for each in DiagnosticFormat if each.value == named and each.owns_stdout), None)


app = typer.Typer(
    name="validation-gen",
    cls=_Group,
    help="Kubernetes declarative validation: Python validators from +k8s: tags.\n\n"
    "`validation-gen PATH...` is short for `validation-gen generate PATH...`, "
    "`validation-gen crd PATH...` for `validation-gen crd generate PATH...`.\n\n"
    "PATH and options may stand in validation-gen.toml or pyproject.toml (docs/configuration.md); "
    "--config FILE names another file, --no-config none.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)


def _version(wanted: bool) -> None:
    if wanted:
        print_version()
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version; with -v also how validators run here.",
            callback=_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Kubernetes declarative validation: Python validators from +k8s: tags."""


def arguments(given: list[str]) -> list[str]:
    """The arguments with the main command named, unless they begin with a command or an option of the program."""
    own = {"-h", "--help", "--version", "--install-completion", "--show-completion"}
    if not given:
        return ["generate"] if _has_inputs() else given
    about = _about_configuration(given)
    if about:
        rest = arguments(given[about:]) or ["generate"]
        words = 2 if rest[0] in GROUPS else 1
        return [*rest[:words], *given[:about], *rest[words:]]
    if given[0] in GROUPS and GROUPS[given[0]][0]:
        names = GROUPS[given[0]]
        if len(given) == 1:
            return [*given, names[0]] if _has_inputs() else given
        known = given[1] in {*names, "-h", "--help"} or _is_slip(given[1], names)
        return given if known else [given[0], names[0], *given[1:]]
    if given[0] == "help" and not os.path.lexists("help"):
        return [*arguments(given[1:])[: len(given) - 1], "--help"]
    if given[0] in own or given[0] in COMMANDS:
        return given
    if _is_slip(given[0], (*COMMANDS, "help")) or _is_own_slip(given[0], own):
        return given
    return ["generate", *given]


def _about_configuration(given: list[str]) -> int:
    """How many arguments at the beginning are `--config FILE` and `--no-config`: each command has these options."""
    count = 0
    while count < len(given):
        if given[count] == "--config" and count + 1 < len(given):
            count += 2
        elif given[count] == "--no-config" or given[count].startswith("--config="):
            count += 1
        else:
            break
    return count


def _has_inputs() -> bool:
    """Whether there is something to do without any argument."""
    from validation_gen.cli.inputs import has_inputs  # noqa: PLC0415 - only if nothing is given

    return has_inputs()


def _is_own_slip(word: str, own: Iterable[str]) -> bool:
    """Whether an option is meant as one of the program: it is refused as such then, with a suggestion."""
    near = _nearest(word, [*own, *_LIKE_OWN], cutoff=0.8) if word.startswith("--") else []
    return bool(near) and near[0] not in _LIKE_OWN


def _is_slip(word: str, commands: Iterable[str]) -> bool:
    """Whether a word is meant as a command: it is refused as such then, with a suggestion."""
    return word.isalpha() and not os.path.lexists(word) and bool(_nearest(word, commands))


def _nearest(word: str, known: Iterable[str], *, most: int = 1, cutoff: float = 0.6) -> list[str]:
    from validation_gen.runtime.words import nearest  # noqa: PLC0415 (the help does without)

    return nearest(word, known, most=most, cutoff=cutoff)
