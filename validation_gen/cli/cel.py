"""`validation-gen cel …`: evaluates, tests and checks CEL rules of definitions, and shows their cost."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.app import command_group
from validation_gen.cli.options import (
    REPORT_FORMAT,
    REQUIRED,
    TARGET,
    Options,
    ReportFormat,
    TextOrJson,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.diagnostics.visible import one_line

if TYPE_CHECKING:
    from validation_gen.commands.cel.costs import Measured
    from validation_gen.commands.cel.evaluation import SchemaPart
    from validation_gen.kubernetes.manifests import Manifest


@dataclass(frozen=True)
class Costing(Options):
    """Options of the rules, of the objects and of the output."""

    crd: str = option(REQUIRED, "The definition.", "FILE")
    version: str = option("", "A version of it.", "NAME", show_default="that of the object")
    at: str = option("", "The path of RULE, such as .spec.ports[*].", "PATH", show_default="root")
    filename: str | None = option(None, "Count on this object, too.", "FILE|-", names=("--filename", "-f"))
    old: str | None = option(None, "The object as it was before.", "FILE")
    format: TextOrJson = option(TextOrJson.TEXT, "Format of costs.")


@expand_groups
def cost(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE", help="One rule instead of those of the definition, or - to read it from standard input."
        ),
    ] = "",
    *,
    costing: Costing,
) -> int:
    """Print the maximum cost of a definition's rules, and their cost on an object. Writes no files."""
    from validation_gen.commands.cel.costs import (  # noqa: PLC0415
        document,
        estimate_rules,
        find_version,
        lines,
        with_rule,
    )
    from validation_gen.commands.cel.evaluation import RELEASES, PlaceError  # noqa: PLC0415 - late, so that --help stays fast

    at, filename, old = costing.at, costing.filename, costing.old
    if at and not rule:
        raise typer.BadParameter("it is the place of a RULE, and none is given", param_hint="'--at'")
    if old and not filename:
        raise typer.BadParameter("it needs the new object: add --filename", param_hint="'--old'")
    checks.check_files(RULE=rule if rule == "-" else None, filename=filename, old=old)
    manifest = read_definition(costing.crd)
    _refuse_wrong(manifest)
    text = read_expression(rule)
    new = read_first(filename) if filename else None
    try:
        definition, index = manifest.obj, find_version(manifest.obj, costing.version, new)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="'--version'") from None
    with checks.blame("'--at'", PlaceError):
        definition = with_rule(definition, index, at, text) if text else definition
    chosen = definition["spec"]["versions"][index]
    estimates = estimate_rules((chosen.get("schema") or {}).get("openAPIV3Schema") or {}, RELEASES)
    counted = _measure(definition, chosen["name"], new, read_first(old) if old else None)
    if costing.format is TextOrJson.JSON:
        typer.echo(json.dumps(document(estimates, counted), indent=2, ensure_ascii=False))
    else:
        for line in lines(estimates, counted):
            typer.echo(line)
    if counted is not None:
        for problem in [*counted.outcome.problems, *map(str, counted.outcome.errors)]:
            typer.echo(one_line(f"the object is refused: {problem}"), err=True)
    wrong = any(cost.problem for cost in estimates[-1].costs) or any(each.too_much for each in estimates)
    return FINDINGS if wrong or (counted is not None and counted.too_much) else OK


def _refuse_wrong(manifest: Manifest) -> None:
    """Ends the command if a definition has errors other than those about rules: then no costs are known."""
    from validation_gen.kubernetes.crd.run import diagnostics  # noqa: PLC0415

    found = Diagnostics()
    for each in diagnostics(manifest.obj, manifest.positions):
        if each.severity is Severity.ERROR and each.code != "VG508":
            found.add(each)
    if found.items:
        terminal.print_diagnostics(found, "concise")
        raise typer.Exit(ENVIRONMENT)


def _measure(definition: dict[str, Any], version: str, new: Any, old: Any) -> Measured | None:
    from validation_gen.commands.cel.costs import measure_object  # noqa: PLC0415
    from validation_gen.kubernetes.objects import UndefinedError, UnsupportedRequestError  # noqa: PLC0415

    if new is None:
        return None
    if not isinstance(new, dict) or not isinstance(old, dict | None):
        raise typer.BadParameter("it is not an object", param_hint="'--filename'")
    try:
        return measure_object(definition, version, new, old)
    except RecursionError:
        raise typer.BadParameter("its schema is nested too deeply", param_hint="'--crd'") from None
    except (UndefinedError, UnsupportedRequestError) as error:
        raise typer.BadParameter(f"it is not judged: {error}", param_hint="'--filename'") from None


# --- inputs of all commands about rules -------------------------------------------------------------------------------


def read_expression(rule: str) -> str:
    """Returns the text of a rule, which `-` reads from standard input."""
    return typer.get_text_stream("stdin").read().strip() if rule == "-" else rule


def read_first(file: str) -> Any:
    """Returns the first object in a file."""
    found = _read(file)
    if not found:
        raise typer.Exit(ENVIRONMENT)
    return found[0].obj


def read_definition(file: str) -> Manifest:
    """Returns the only definition in a file."""
    from validation_gen.kubernetes.crd.run import is_definition  # noqa: PLC0415 - late, so that --help stays fast

    found = [each for each in _read(file) if is_definition(each.obj)]
    if len(found) != 1:
        raise typer.BadParameter(f"{Path(file).name} has {len(found)} definitions, not one", param_hint="'--crd'")
    return found[0]


def _read(file: str) -> list[Manifest]:
    """Returns the objects in a file. Prints problems of the file and ends the command."""
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = read_manifests([file], diagnostics)
    if diagnostics.items:
        terminal.print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    return found


app = command_group("cel")

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
@expand_groups
def evaluate(rule: Expression, *, evaluated: Evaluated, placed: Placed) -> int:
    """Evaluate an expression on an object; print its value, its type, its cost and the variables. Writes no files."""
    from validation_gen.commands.cel.evaluation import PlaceError, evaluate_at, guess_spot, previous_minor  # noqa: PLC0415 - late, so that --help stays fast

    filename, old, crd = evaluated.filename, evaluated.old, placed.crd
    checks.check_files(RULE=rule if rule == "-" else None, filename=filename, old=old)
    checks.check_target(evaluated.target)
    text, new, before = read_expression(rule), read_first(filename), read_first(old) if old else None
    with checks.blame("'--at'", PlaceError):
        spot = _spot(placed) if crd else guess_spot(new, placed.at)
        found = evaluate_at(
            text, spot, previous_minor(evaluated.target), new, before, optional=evaluated.optional_old_self
        )
        variables = {"self": spot.value(new)} | ({"oldSelf": spot.value(before)} if before is not None else {})
    if found.error:
        typer.echo(found.error, err=True)
        return FINDINGS
    typer.echo(json.dumps(found.value, ensure_ascii=False, default=str))
    typer.echo(f"type {found.type}, cost {found.cost}", err=True)
    for name, value in variables.items():
        typer.echo(f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}", err=True)
    return OK


@app.command("check")
@expand_groups
def check(rule: Expression, *, placed: PlacedByDefinition) -> int:
    """Check a rule for servers of each release, and print its maximum cost. Writes no files."""
    from validation_gen.commands.cel.evaluation import RELEASES, PlaceError, judge_rule, name_span  # noqa: PLC0415
    from validation_gen.kubernetes.cel import RULE_LIMIT  # noqa: PLC0415

    text = read_expression(rule)
    with checks.blame("'--at'", PlaceError):
        found = judge_rule(text, _spot(placed), RELEASES)
    for same, group in itertools.groupby(found, lambda each: (each.error, each.cost)):
        names = name_span([each.release for each in group])
        problem, cost = same
        typer.echo(f"{names}: {problem or f'cost {cost} of {RULE_LIMIT} ({cost / RULE_LIMIT:.2%})'}")
    return FINDINGS if any(each.error for each in found) else OK


@app.command("test")
@expand_groups
def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE|DIR", help="Tests, or directories with *.celtest.yaml.")],
    *,
    tested: Tested,
) -> int:
    """Run tests of CEL rules, and list the rules that none sees hold and fail. Writes no files."""
    from validation_gen.commands.cel.suites import (  # noqa: PLC0415 - late, so that --help stays fast
        Coverage,
        Subjects,
        find_test_files,
        read_suites,
        run_all,
    )
    from validation_gen.commands.cel.suites.report import Results  # noqa: PLC0415

    min_coverage, format = tested.min_coverage, tested.format
    checks.refuse_empty(files, "FILE")
    if min_coverage is not None and math.isnan(min_coverage):
        raise typer.BadParameter("it is not a number", param_hint="'--min-coverage'")
    diagnostics = Diagnostics()
    with Progress() as progress:
        progress("reading")
        suites = [suite for file in find_test_files(files, diagnostics) for suite in read_suites(file, diagnostics)]
        progress("testing")
        subjects = Subjects(diagnostics)
        ran = list(run_all(suites, subjects))
    wrong = diagnostics.has_errors
    # With errors, only some cases have run, and the coverage of rules is unknown.
    results = Results(
        ran, Coverage() if wrong else Coverage.from_subjects(subjects.known, min_coverage), diagnostics.items
    )
    terminal.print_report(results, format.record)
    return ENVIRONMENT if wrong else FINDINGS if results.failed or results.coverage.fails else OK


@app.command("schema")
def schema() -> None:
    """Print the JSON Schema of test files, for editors. Writes no files."""
    from validation_gen.commands.cel.suites.reading import schema as made  # noqa: PLC0415

    typer.echo(json.dumps(made(), indent=2))


def _spot(placed: Placed) -> SchemaPart:
    from validation_gen.commands.cel.evaluation import spot_in  # noqa: PLC0415

    return spot_in(read_definition(placed.crd or "").obj, placed.version, placed.at)


app.command("cost")(cost)
