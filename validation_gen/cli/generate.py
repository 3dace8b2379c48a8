"""`validation-gen generate PATH…`: writes validators; the default command. `check` is `generate --check --diff`."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import typer

from validation_gen.cli import checks
from validation_gen.cli.config_context import get_configuration
from validation_gen.cli.lint import find_in, fixable
from validation_gen.cli.options import (
    RULES,
    Caching,
    Defined,
    ListedSources,
    Options,
    Schemas,
    Writing,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import Progress, apply_levels
from validation_gen.cli.trust_policy import end_if_untrusted
from validation_gen.cli.writing import refuse_unimportable, report
from validation_gen.commands.definitions import is_lasting, split
from validation_gen.commands.generate.cache import distrust, load_or_run
from validation_gen.commands.generate.run import GenerateOptions, GenerateResult, RuntimeSource
from validation_gen.commands.generate.run import generate as make
from validation_gen.commands.generate.writing import Output, settle
from validation_gen.compiler.config.webhooks import webhook_settings
from validation_gen.compiler.emitters import HARNESS, PYTHON, Emitter, list_other_outputs
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.diagnostics.visible import one_line
from validation_gen.tags.suggestions import probable


def _describe_emitters() -> str:
    """Returns the help of `--emit`: emitters with a command of their own, then the others with a sentence each."""
    emitters = list_other_outputs()
    commands = ", ".join(each.name for each in emitters if not each.help)
    others = "".join(f"{each.name}: {each.help}. " for each in emitters if each.help)
    return f"Another output. {commands}: the output of the commands of these names, into DIR. {others}Repeatable."


@dataclass(frozen=True)
class Outputs(Options):
    """Options of the outputs."""

    output_dir: str = option(PYTHON.directory, "Directory of the generated package.", names=("--output-dir", "-o"))
    runtime: RuntimeSource = option(
        RuntimeSource.PACKAGE,
        "What validators import. package: validation-gen, which must be installed. vendored: a copy of the part "
        "that they need, in a directory of the generated package.",
    )
    emit: list[str] = option(
        [],
        _describe_emitters(),
        "NAME[=DIR]",
        autocompletion=lambda incomplete: [
            each.name for each in list_other_outputs() if each.name.startswith(incomplete)
        ],
    )
    rules: RuleSource | None = RULES()
    lint: bool = option(True, "Report legal but unwise tags.", names=("--lint/--no-lint",))
    strict_lint: bool = option(False, "Make findings of Kubernetes' own lint errors.")
    watch: bool = option(False, "Run again after each change of an input, until Ctrl-C. Needs the extra `watch`.")

    def places(self) -> dict[Emitter, str]:
        """Returns the directory of each output."""
        places = {PYTHON: self.output_dir} | _places(self.emit)
        if HARNESS in places and self.runtime is RuntimeSource.VENDORED:
            reason = "a harness uses the installed validation-gen, so --emit harness needs --runtime package"
            raise typer.BadParameter(reason, param_hint="--runtime")
        return places


@expand_groups
def generate(
    context: typer.Context,
    paths: Defined,
    *,
    outputs: Outputs,
    sources: ListedSources,
    schemas: Schemas,
    writing: Writing,
    caching: Caching,
) -> int:
    """Write Python validators for the tagged types in PATH, and other outputs of --emit."""
    definitions, paths = split(paths)
    places = outputs.places()
    if outputs.watch:
        _watch(context, definitions, [*places.values()], silent=writing.quiet or not writing.format.for_people)
    checks.refuse_empty([outputs.output_dir], "--output-dir")
    refuse_unimportable(outputs.output_dir)
    _refuse_unread(places, writing)
    settings = sources.settings(paths).with_definitions(definitions, paths)
    settings = _complete(settings, outputs, schemas)
    config = get_configuration().config
    wanted = GenerateOptions(
        tuple(places),
        schemas.options(),
        output_dir=outputs.output_dir,
        runtime=outputs.runtime,
        config=config,
        webhooks=webhook_settings(config),
    )

    def work() -> GenerateResult:
        return make(settings, wanted, progress)

    with Progress(verbose=writing.details) as progress, _collector(wanted=HARNESS in places):
        place = caching.directory(lasting=all(map(is_lasting, definitions)))
        if writing.details and place is not None and (doubt := distrust(place)):
            typer.echo(one_line(f"cache {place} not used: {doubt}"), err=True)
        # The harness is tried on the user's own functions, whose dependencies are unknown.
        made = work() if HARNESS in places or place is None else load_or_run(settings, place, work, wanted=wanted.key)
        written = [
            Output(directory, made.outputs[emitter.name], emitter.noun, held=not writing.keep_going)
            for emitter, directory in places.items()
            if emitter.name in made.outputs
        ]
        outcome = settle(made, written, progress, apply_levels, check=writing.check, diff=writing.diff)
    judge = find_in(settings, schemas=any(emitter.make is not None for emitter in places))
    fixes = fixable(outcome.diagnostics, judge, settings, writing.format)
    return report(outcome, progress.seconds, writing, fixable=fixes)


def check() -> None:
    """List generated files that are missing, stale or extra, with a patch: `generate --check --diff`.

    It has the arguments and the other options of `generate`, and writes no files.
    """


def _complete(settings: Settings, outputs: Outputs, schemas: Schemas) -> Settings:
    return replace(
        settings,
        rules=outputs.rules,
        lint=outputs.lint or outputs.strict_lint,
        strict_lint=outputs.strict_lint,
        refuse_unresolved=not schemas.allow_unresolved,
        level=schemas.level,
    )


def _refuse_unread(places: dict[Emitter, str], writing: Writing) -> None:
    """Refuses options that no output reads, and a harness of functions that only an untrusted configuration names.

    Raises:
        typer.BadParameter: an option of schemas is on the command line, and no output is a schema.
        typer.Exit: there are such functions, which has been printed.
    """
    if HARNESS in places:
        # Boundary cases need the validators, which call these functions.
        end_if_untrusted(writing.format.value, "custom_validations")
    for parameter in ("schema", "option", "max_description") if not any(each.make for each in places) else ():
        if get_configuration().origin(parameter) == "COMMANDLINE":
            reason = "no output reads it: add one with schemas, such as --emit crd"
            raise typer.BadParameter(reason, param_hint=f"--{parameter.replace('_', '-')}")


def _watch(context: typer.Context, definitions: Sequence[str], own: Sequence[str], *, silent: bool) -> None:
    for path in definitions:
        if not is_lasting(path):
            raise typer.BadParameter(f"{path} cannot be watched; name files or directories", param_hint="--watch")
    from validation_gen.cli.watching import is_round, watch_rounds  # noqa: PLC0415 - not every run watches

    if not is_round():
        watch_rounds(context, own, silent=silent)


def _places(emit: list[str]) -> dict[Emitter, str]:
    """Returns the directory of each chosen emitter: from its argument, else from the configuration."""
    places: dict[Emitter, str] = {}
    known = {emitter.name: emitter for emitter in list_other_outputs()}
    for text in emit:
        name, equals, directory = text.partition("=")
        if name == PYTHON.name:
            raise typer.BadParameter("python is always written; --output-dir says where", param_hint="--emit")
        emitter = known.get(name)
        if emitter is None:
            near = probable(name, list(known))
            hint = f"; did you mean {near}?" if near else ""
            raise typer.BadParameter(f"{name!r} is none of {', '.join(known)}{hint}", param_hint="--emit")
        if equals and (not directory or not emitter.directory):
            reason = "is a part of the package of validators" if directory else "has no directory"
            raise typer.BadParameter(f"{name} {reason}", param_hint="--emit")
        place = get_configuration().config.find_output(name)
        places[emitter] = directory or (str(place.value) if place else emitter.directory)
    return places


@contextlib.contextmanager
def _collector(*, wanted: bool) -> Iterator[None]:
    """Disables the garbage collector while all objects stay alive: it would take a quarter of the time.

    `wanted` enables it, for functions that run on many objects.
    """
    before = gc.isenabled()
    (gc.enable if wanted else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()
