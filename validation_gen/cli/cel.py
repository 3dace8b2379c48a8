"""`validation-gen cel …`: evaluates and checks CEL rules of definitions."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli import cel_cost
from validation_gen.cli.cel_cost import read_definition, read_expression, read_first
from validation_gen.cli.helping import command_group
from validation_gen.cli.options import (
    REPORT_FORMAT,
    REQUIRED,
    TARGET,
    Options,
    ReportFormat,
    check_target,
    grouped,
    option,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, print_report
from validation_gen.diagnostics import Diagnostics

if TYPE_CHECKING:
    from validation_gen.commands.cel import SchemaPart

app = command_group("cel", "CEL rules at a path of an object.")

Expression = Annotated[str, typer.Argument(metavar="RULE", help="An expression, or - to read it from standard input.")]


@dataclass(frozen=True)
class Placed(Options):
    """Options of the place of a rule."""

    crd: str | None = option(
        None, "The definition whose schema has the path. Without it, the types are guessed from the object.", "FILE"
    )
    version: str = option("", "A version of the definition.", "NAME", show_default="the stored one")
    at: str = option("", "The path of the rule, such as .spec.ports[*].", "PATH", show_default="root")


@dataclass(frozen=True)
class PlacedByDefinition(Placed):
    """The same options, where a definition is needed."""

    crd: str = option(REQUIRED, "The definition whose schema has the path.", "FILE")


@dataclass(frozen=True)
class Evaluated(Options):
    """Options of the objects that a rule is evaluated on."""

    filename: str = option(REQUIRED, "The object that has self.", "FILE|-", names=("--filename", "-f"))
    old: str | None = option(None, "The object that has oldSelf.", "FILE")
    optional_old_self: bool = option(False, "oldSelf is an optional, as with optionalOldSelf.")
    target: str = TARGET()


@dataclass(frozen=True)
class Tested(Options):
    """Options of tests."""

    min_coverage: float | None = option(
        None, "Fail if cases see fewer rules both hold and fail.", "PERCENT", min=0, max=100
    )
    format: ReportFormat = REPORT_FORMAT()


@app.command("eval")
@grouped
def evaluate(rule: Expression, *, evaluated: Evaluated, placed: Placed) -> None:
    """Evaluate an expression on an object; print its value, its type, its cost and the variables. Writes no files."""
    from validation_gen.commands.cel import PlaceError, evaluate_at, guess_spot  # noqa: PLC0415 - late, so that --help stays fast

    filename, old, crd = evaluated.filename, evaluated.old, placed.crd
    refuse_second_stdin(RULE=[rule] if rule == "-" else [], filename=[filename], old=[old] if old else [])
    check_target(evaluated.target)
    text, new, before = read_expression(rule), read_first(filename), read_first(old) if old else None
    try:
        spot = _spot(placed) if crd else guess_spot(new, placed.at)
        found = evaluate_at(text, spot, _minor(evaluated.target), new, before, optional=evaluated.optional_old_self)
        variables = {"self": spot.value(new)} | ({"oldSelf": spot.value(before)} if before is not None else {})
    except PlaceError as error:
        raise typer.BadParameter(str(error), param_hint="'--at'") from None
    if found.error:
        typer.echo(found.error, err=True)
        raise typer.Exit(FINDINGS)
    typer.echo(json.dumps(found.value, ensure_ascii=False, default=str))
    typer.echo(f"type {found.type}, cost {found.cost}", err=True)
    for name, value in variables.items():
        typer.echo(f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}", err=True)


@app.command("check")
@grouped
def check(rule: Expression, *, placed: PlacedByDefinition) -> None:
    """Check a rule for servers of each release, and print its maximum cost. Writes no files."""
    from validation_gen.commands.cel import RELEASES, PlaceError, judge_rule, name_span  # noqa: PLC0415
    from validation_gen.kubernetes.cel import RULE_LIMIT  # noqa: PLC0415

    text = read_expression(rule)
    try:
        found = judge_rule(text, _spot(placed), RELEASES)
    except PlaceError as error:
        raise typer.BadParameter(str(error), param_hint="'--at'") from None
    for same, group in itertools.groupby(found, lambda each: (each.error, each.cost)):
        names = name_span([each.release for each in group])
        problem, cost = same
        typer.echo(f"{names}: {problem or f'cost {cost} of {RULE_LIMIT} ({cost / RULE_LIMIT:.2%})'}")
    if any(each.error for each in found):
        raise typer.Exit(FINDINGS)


@app.command("test")
@grouped
def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR", help="Tests, or directories with *.celtest.yaml.")],
    *,
    tested: Tested,
) -> None:
    """Run tests of CEL rules, and list the rules that none sees hold and fail. Writes no files."""
    from validation_gen.commands.cel.suites import (  # noqa: PLC0415 - late, so that --help stays fast
        Coverage,
        Subjects,
        named,
        read_suites,
        run_all,
    )
    from validation_gen.commands.cel.suites.report import Results  # noqa: PLC0415

    min_coverage, format = tested.min_coverage, tested.format
    refuse_empty(files, "FILE")
    if min_coverage is not None and math.isnan(min_coverage):
        raise typer.BadParameter("it is no number", param_hint="'--min-coverage'")
    diagnostics = Diagnostics()
    with Progress() as progress:
        progress("reading")
        suites = [suite for file in named(files, diagnostics) for suite in read_suites(file, diagnostics)]
        progress("testing")
        subjects = Subjects(diagnostics)
        ran = list(run_all(suites, subjects))
    wrong = diagnostics.has_errors
    # With errors, only some cases have run, and the coverage of rules is unknown.
    results = Results(
        ran, Coverage() if wrong else Coverage.from_subjects(subjects.known, min_coverage), diagnostics.items
    )
    print_report(results, format.record)
    code = ENVIRONMENT if wrong else FINDINGS if results.failed or results.coverage.fails else OK
    if code != OK:
        raise typer.Exit(code)


@app.command("schema")
def schema() -> None:
    """Print the JSON Schema of test files, for editors. Writes no files."""
    from validation_gen.commands.cel.suites.reading import schema as made  # noqa: PLC0415

    typer.echo(json.dumps(made(), indent=2))


def _minor(target: str) -> int:
    """Returns the minor version before a server's: new rules may use its functions only."""
    return int(target.partition(".")[2]) - 1


def _spot(placed: Placed) -> SchemaPart:
    from validation_gen.commands.cel import spot_in  # noqa: PLC0415

    return spot_in(read_definition(placed.crd or "").obj, placed.version, placed.at)


app.command("cost")(cel_cost.cost)
