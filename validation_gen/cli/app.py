"""The application: lists the commands by name, and imports the module of a command when it is called."""

from __future__ import annotations

import gc
import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from validation_gen.cli.commands import COMMANDS, GROUPS, PLACES, REMOVED
from validation_gen.cli.helping import WIDEST, Commands
from validation_gen.cli.main import print_version
from validation_gen.cli.shorthand import arguments, nearest

__all__ = ["ARGUMENTS", "COMMANDS", "GROUPS", "PLACES", "Late", "app", "arguments"]


#: Key in the context for the arguments as the user wrote them.
ARGUMENTS = "validation_gen.arguments"


class Late(TyperCommand):
    """A command as listed in the help. Calling it imports its module and runs the real command."""

    def loaded(self) -> Any:
        """Imports and returns the real command."""
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
        if not gc.isenabled() and self.name not in {"generate", "check"}:  # these two decide themselves
            gc.freeze()
            gc.set_threshold(*_SELDOM)
            gc.enable()
        return command.make_context(info_name, args, *rest, **named)


#: Thresholds of the garbage collector: reference cycles are rare here, and collections of a large heap are slow.
_SELDOM = (100_000, 20, 100)
#: Base class of all errors about the command line. Its module depends on the release of typer.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
#: Prefix that some releases of typer put in front of a reason.
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
        # Completion calls this without `arguments`.
        if ctx.resilient_parsing:
            return super().resolve_command(ctx, arguments(args))
        if args and args[0] in REMOVED:
            ctx.fail(f"there is no command {args[0]!r} any more: {REMOVED[args[0]]}")
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], [*COMMANDS, "help"], most=3)
            meant = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
            ctx.fail(f"there is no command or path {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Reports usage errors in the chosen format if programs read that."""
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
    """Returns the format of findings in the arguments, if it is one that owns standard output."""
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
