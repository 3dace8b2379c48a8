"""`validation-gen generate PATH…`: writes validators; the default command. `check` is `generate --check --diff`."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

import typer

from validation_gen.cli.config_context import configured
from validation_gen.cli.details import wants_details
from validation_gen.cli.fixing import Fix, fix_first, fixable, found_in
from validation_gen.cli.groups import KeptRules, Sources, grouped
from validation_gen.cli.options import (
    CacheDir,
    Check,
    Defined,
    DiagnosticFormat,
    Diff,
    Format,
    KeepGoing,
    NoCache,
    Quiet,
    Rules,
    StrictLint,
    Verbose,
    refuse_empty,
)
from validation_gen.cli.schemaoptions import Schema
from validation_gen.cli.terminal import Progress, one_line
from validation_gen.cli.trust_policy import end_if_refused, refuse_customs, results_place
from validation_gen.cli.writing import refuse_unimportable
from validation_gen.commands.definitions import is_lasting, split
from validation_gen.commands.generate.cache import remembered
from validation_gen.commands.generate.run import GenerateOptions, GenerateResult, RuntimeSource
from validation_gen.commands.generate.run import generate as make
from validation_gen.commands.generate.store import distrust
from validation_gen.compiler.config.webhooks import webhook_settings
from validation_gen.compiler.emitters import HARNESS, PYTHON, Emitter, beside_validators
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.schema.manner import Manner
from validation_gen.runtime.words import counted
from validation_gen.tags.suggestions import probable


def _said_of_emitters() -> str:
    """Returns the help of `--emit`: emitters with a command of their own, then the others with a sentence each."""
    emitters = beside_validators()
    commands = ", ".join(each.name for each in emitters if not each.help)
    others = "".join(f"{each.name}: {each.help}. " for each in emitters if each.help)
    return f"Another output. {commands}: the output of the commands of these names, into DIR. {others}Repeatable."


OutputDir = Annotated[str, typer.Option("--output-dir", "-o", help="Directory of the generated package.")]
Runtime = Annotated[
    RuntimeSource,
    typer.Option(
        "--runtime",
        help="What validators import. package: validation-gen, which must be installed. vendored: a copy of the part "
        "that they need, in a directory of the generated package.",
    ),
]
Lint = Annotated[bool, typer.Option("--lint/--no-lint", help="Report legal but unwise tags.")]
Emit = Annotated[
    list[str],
    typer.Option(
        "--emit",
        metavar="NAME[=DIR]",
        help=_said_of_emitters(),
        autocompletion=lambda incomplete: [
            each.name for each in beside_validators() if each.name.startswith(incomplete)
        ],
    ),
]
Watch = Annotated[
    bool,
    typer.Option("--watch", help="Run again after each change of an input, until Ctrl-C. Needs the extra `watch`."),
]


@grouped
def generate(
    context: typer.Context,
    paths: Defined,
    *,
    output_dir: OutputDir = PYTHON.directory,
    runtime: Runtime = RuntimeSource.PACKAGE,
    emit: Emit = [],  # noqa: B006 - typer wants a plain default and never changes it
    sources: Sources,
    rules: Rules = None,
    lint: Lint = True,
    strict_lint: StrictLint = False,
    schema: Schema = Manner.IDIOMATIC,
    kept_rules: KeptRules,
    check: Check = False,
    diff: Diff = False,
    fix: Fix = False,
    cache_dir: CacheDir = "",
    no_cache: NoCache = False,
    watch: Watch = False,
    keep_going: KeepGoing = False,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Write Python validators for the tagged types in PATH, and other outputs of --emit."""
    definitions, paths = split(paths)
    if watch:
        for path in definitions:
            if not is_lasting(path):
                raise typer.BadParameter(f"{path} cannot be watched; name files or directories", param_hint="--watch")
        from validation_gen.cli.watching import is_round, watch_rounds  # noqa: PLC0415 - not every run watches

        if not is_round():
            own = [output_dir, *_places(emit).values()]
            watch_rounds(context, own, silent=quiet or not format.for_people)
    from validation_gen.cli.writing import Output, report, settle  # noqa: PLC0415 - so that --help stays fast

    options = sources.settings(paths).with_definitions(definitions, paths)
    options = replace(options, rules=rules, lint=lint or strict_lint, strict_lint=strict_lint)
    options = replace(options, refuse_unresolved=not kept_rules.allow_unresolved, level=kept_rules.level)
    places = {PYTHON: output_dir} | _places(emit)
    refuse_empty([output_dir], "--output-dir")
    refuse_unimportable(output_dir)
    kinds = kept_rules.options(schema)
    config = configured().config
    webhooks = webhook_settings(config)
    wanted = GenerateOptions(
        tuple(places), kinds, runtime=runtime, output_dir=output_dir, config=config, webhooks=webhooks
    )
    if HARNESS in places:
        refused = Diagnostics()
        refuse_customs(refused)  # boundary cases need the validators, which call these functions
        end_if_refused(refused, format.value)
    kept = []
    schemas = any(emitter.make is not None for emitter in places)
    judge = found_in(options, schemas=schemas)
    if fix:
        if check:
            raise typer.BadParameter("it changes sources, and --check writes nothing", param_hint="--fix")
        kept = fix_first(judge, options, diff=diff, format=format, quiet=quiet)
    verbose = wants_details(quiet=quiet, verbose=verbose, format=format)
    worked = False

    def work() -> GenerateResult:
        nonlocal worked
        worked = True
        return make(options, wanted, progress)

    with Progress(verbose=verbose) as progress, _collector(wanted=HARNESS in places):
        place = results_place(cache_dir, no_cache=no_cache or not all(map(is_lasting, definitions)))
        if verbose and place is not None and (doubt := distrust(place)):
            typer.echo(one_line(f"cache {place} not used: {doubt}"), err=True)
        # The harness is tried on the user's own functions, whose dependencies are unknown.
        made = work() if HARNESS in places or place is None else remembered(options, place, work, wanted=wanted.key)
        outputs = [
            Output(directory, made.outputs[emitter.name], emitter.noun, held=not keep_going)
            for emitter, directory in places.items()
            if emitter.name in made.outputs
        ]
        outcome = settle(made, outputs, progress, check=check, diff=diff)
    outcome.unjudged = made.unjudged
    for finding in kept:
        outcome.diagnostics.add(finding)
    read = [(made.packages, "package"), (made.types, "type"), (made.rules, "rule")]
    head = f"{', '.join(counted(number, noun) for number, noun in read)}: "
    report(
        outcome,
        progress.seconds,
        head=head,
        diff=diff,
        format=format,
        quiet=quiet,
        verbose=verbose,
        kept=not worked,
        fixable=0 if fix else fixable(outcome.diagnostics, judge, options, format),
    )


def check() -> None:
    """List generated files that are missing, stale or extra, with a patch: `generate --check --diff`.

    It has the arguments and the other options of `generate`, and writes no files.
    """


def _places(emit: list[str]) -> dict[Emitter, str]:
    """Returns the directory of each chosen emitter: from its argument, else from the configuration.

    Raises:
        typer.BadParameter: there is no such emitter, or it has no directory of its own.
    """
    places: dict[Emitter, str] = {}
    known = {emitter.name: emitter for emitter in beside_validators()}
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
        place = configured().config.place_of(name)
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
