"""The application: names and summaries of all commands, and the choice of a command from the arguments.

A path alone means `generate`, and after `crd` it means `crd generate`. Several manifests may follow one option, as
shells expand `-f manifests/*.yaml`. `apply --dry-run=server` is the spelling of kubectl.

The module of a command is imported when it is called, so that the help and completion stay fast.
"""

from __future__ import annotations

import functools
import gc
import importlib
import os
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from validation_gen.cli.helping import WIDEST, Commands, common_options
from validation_gen.cli.main import print_version

#: The commands in the order of the help, each with the first paragraph of its docstring.
COMMANDS: dict[str, str] = {
    "generate": "Write Python validators for the tagged types in PATH, and other outputs of --emit.",
    "check": "List generated files that are missing, stale or extra, with a patch: `generate --check --diff`.",
    "lint": "Report mistakes and unwise tags in the sources in PATH; --fix corrects them. Writes nothing else.",
    "validate": "Check Kubernetes manifests and print errors like kubectl. Writes no files but that of --resume.",
    "apply": "Predict `kubectl apply --dry-run=server`, without a cluster. Writes no files.",
    "explain": "Explain tags, codes, the rules of a field, or the checks of an object. Without a name: list all.",
    "crd": "CustomResourceDefinitions, and conversions between their versions.",
    "openapi": "Write an OpenAPI document for each group and version in PATH.",
    "jsonschema": "Write a JSON Schema for each kind in PATH, for editors and checks of manifests.",
    "cel": "CEL rules at a path of an object.",
    "webhook": "Answers to requests, over HTTPS as an admission webhook or line by line; and requests to a webhook.",
    "apiserver": "Run a local API server for the kinds in PATH, until Ctrl-C or while a command after `--` runs.",
    "breaking": "Compare sources or definitions with an older state: what breaks clients or stored objects. "
    "Writes no files.",
    "compare": "Compare handwritten validation with that of the tags, on many objects. "
    "Writes only the files that are named.",
    "coverage": "List the errors that the tags declare and no test has triggered. "
    "Writes no files but that of --resume.",
    "convert": "API types in another language, and markers as tags.",
    "config": "The configuration: a first one, its values and keys, and trust in the code that it names.",
}
#: Commands of the release before, each with its name of today.
RENAMED = {
    "serve": "webhook serve",
    "review": "webhook review",
    "stdio": "webhook stdio",
    "crd check": "crd lint",
    "conversions check": "crd test-conversion",
    "conversions new": "crd new-conversion",
    "migrate": "convert markers",
    "init": "config init",
    "trust": "config trust",
}
#: Options of the release before by command, each with its name of today.
RENAMED_OPTIONS = {
    "compare": {"--objects": "--filename"},
    "explain": {"--object": "--filename"},
    "webhook stdio": {"--objects": "--custom-objects"},
}
#: Removed commands, each with its replacement.
REMOVED = {
    "certs": "cert-manager makes certificates for a cluster (component `cert-manager` of `generate --emit webhooks`), "
    "and `webhook serve --self-signed` makes one for a try",
    "monitoring": "`generate PATH --emit monitoring` writes its files, with the `prefix` of the table `monitoring`",
}
#: Modules of commands that have not the name of the command.
MODULES = {"openapi": "schemas", "jsonschema": "schemas", "check": "generate", "config": "configuration"}
#: Commands with subcommands. The first subcommand is the default, unless it is empty.
GROUPS = {
    "crd": ("generate", "lint", "test-conversion", "new-conversion"),
    "cel": ("", "eval", "check", "cost", "test", "schema"),
    "webhook": ("", "serve", "review", "stdio"),
    "convert": ("language", "markers"),
    "config": ("", "show", "schema", "init", "trust"),
}


#: Usual names of directories, which are no slips of a command's.
_DIRECTORIES = ("api", "apis")
#: Options of the main command that look like those of the program.
_LIKE_OWN = ("--verbose", "--select")


def replace_former_names(given: list[str]) -> list[str]:
    """Replaces former names of commands and options in the arguments, with hints on standard error."""
    start = _about_configuration(given)
    for size in (1, 2):
        old = " ".join(given[start : start + size])
        if old in RENAMED and not os.path.lexists(old):
            _print_hint(old, RENAMED[old])
            given = [*given[:start], *RENAMED[old].split(), *given[start + size :]]
            break
    names = (" ".join(given[start : start + size]) for size in (1, 2))
    options = next((RENAMED_OPTIONS[name] for name in names if name in RENAMED_OPTIONS), {})
    return [_rename_option(word, options) for word in given]


def _rename_option(word: str, options: Mapping[str, str]) -> str:
    option, equals, value = word.partition("=")
    if option not in options:
        return word
    _print_hint(option, options[option])
    return f"{options[option]}{equals}{value}"


def _print_hint(old: str, new: str) -> None:
    typer.echo(f"hint: `{old}` is now `{new}`", err=True)


def arguments(given: list[str]) -> list[str]:
    """Inserts the main command into the arguments, unless they begin with a command or an option of the program."""
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
    if given[0] in own or given[0] in COMMANDS or (given[0] in REMOVED and not os.path.lexists(given[0])):
        return given
    if _is_slip(given[0], (*COMMANDS, "help")) or _is_own_slip(given[0], own):
        return given
    return ["generate", *given]


def _about_configuration(given: list[str]) -> int:
    """Counts the leading arguments that are `--config FILE` and `--no-config`: each command has these options."""
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
    """Returns whether a run without arguments has inputs."""
    from validation_gen.cli.config_context import has_default_inputs  # noqa: PLC0415 - only if nothing is given

    return has_default_inputs()


def _is_own_slip(word: str, own: Iterable[str]) -> bool:
    """Returns whether an option is a misspelt option of the program itself, which is refused with a suggestion."""
    near = nearest(word, [*own, *_LIKE_OWN], cutoff=0.8) if word.startswith("--") else []
    return bool(near) and near[0] not in _LIKE_OWN


def _is_slip(word: str, commands: Iterable[str]) -> bool:
    """Returns whether a word is a misspelt command: it is refused with a suggestion."""
    return (
        word not in _DIRECTORIES
        and word[:1].isalpha()
        and word.replace("-", "").isalpha()
        and not os.path.lexists(word)
        and bool(nearest(word, commands))
    )


def nearest(word: str, known: Iterable[str], *, most: int = 1, cutoff: float = 0.6) -> list[str]:
    from validation_gen.runtime.words import nearest  # noqa: PLC0415 (the help does without)

    return nearest(word, known, most=most, cutoff=cutoff)


def command_group(name: str) -> typer.Typer:
    """Returns a command that only has commands below it."""
    return typer.Typer(
        cls=Commands,
        name=name,
        help=COMMANDS[name],
        no_args_is_help=True,
        add_completion=False,  # the program itself has completion
        rich_markup_mode=None,
    )


#: Key in the context for the arguments as the user wrote them.
ARGUMENTS = "validation_gen.arguments"


#: The options of `generate` that `check` adds.
_CHECK = ("--check", "--diff")


class Late(TyperCommand):
    """A command as listed in the help. Calling it imports its module and runs the real command."""

    def loaded(self) -> Any:
        """Imports and returns the real command, which the caller may change."""
        return _build(str(self.name))

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **named: Any) -> Any:
        name = str(self.name)
        if name == "check" and not {"-h", "--help"} & {*args}:
            return Late(name="generate").make_context(info_name, [*_CHECK, *args], *rest, **named)
        command = _build_once(name)
        meta: dict[str, Any] = {}
        if prepare := getattr(find_module(name), "prepare", None):
            args = prepare(args, meta)
        if not gc.isenabled() and name not in {"generate", "check"}:  # these two decide themselves
            gc.freeze()
            gc.set_threshold(*_SELDOM)
            gc.enable()
        context = command.make_context(info_name, args, *rest, **named)
        context.meta.update(meta)
        return context


def find_module(name: str) -> Any:
    """Imports the module of a command.

    It has the group of commands as `app`, or else the function of the command by its name. A function `prepare`, if it
    has one, changes the arguments before they are parsed, and may add values to the `meta` of their context.
    """
    return importlib.import_module(f"validation_gen.cli.{MODULES.get(name, name)}")


def _build(name: str) -> Any:
    from validation_gen.cli.config_context import Configurable  # noqa: PLC0415 - not to list the commands

    module = find_module(name)
    if name in GROUPS:
        return typer.main.get_command(module.app)
    found = typer.Typer(add_completion=False, rich_markup_mode=None)
    cls = None if name in {"check", "explain"} else Configurable
    found.command(name, cls=cls, epilog=getattr(module, "EXAMPLES", None))(getattr(module, name))
    return typer.main.get_command(found)


#: Builds a command, for all its runs in this process: typer takes longer for that than many a run.
_build_once = functools.cache(_build)


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

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        with formatter.section("Options of all commands"):
            formatter.write_dl([param.get_help_record(ctx) for param in common_options()])

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
            suggestion = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
            ctx.fail(f"there is no command or path {args[0]!r}{suggestion}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command. Reports usage errors in the chosen format if programs read that."""
        try:
            return super().invoke(ctx)
        except _UsageError as error:
            if isinstance(message := getattr(error, "message", None), str):
                error.message = message.removeprefix(_LEAKED)  # type: ignore[attr-defined]
            from validation_gen.cli.terminal import print_usage_error  # noqa: PLC0415 - most command lines are right

            if not print_usage_error(error, ctx.meta[ARGUMENTS]):
                raise
            raise typer.Exit(2) from None


app = typer.Typer(
    name="validation-gen",
    cls=_Group,
    help="Kubernetes declarative validation: Python validators from +k8s: tags.\n\n"
    "`validation-gen PATH...` is short for `validation-gen generate PATH...`, "
    "`validation-gen crd PATH...` for `validation-gen crd generate PATH...`.\n\n"
    "PATH and options may stand in validation-gen.toml or pyproject.toml (see `validation-gen config`); "
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
