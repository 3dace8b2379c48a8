"""`validation-gen cel …`: evaluates and checks CEL rules of definitions."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli import celcost, celtest
from validation_gen.cli.celinputs import definition, expression, first_object
from validation_gen.cli.helping import command_group
from validation_gen.cli.options import Target, check_target, refuse_second_stdin
from validation_gen.cli.terminal import FINDINGS
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.commands.cel import SchemaPart

app = command_group("cel", "CEL rules at a path of an object.")

Expression = Annotated[str, typer.Argument(metavar="RULE", help="An expression, or - to read it from standard input.")]
Definition = Annotated[
    str | None,
    typer.Option(
        "--crd",
        metavar="FILE",
        help="The definition whose schema has the path. Without it, the types are guessed from the object.",
    ),
]
Version = Annotated[
    str, typer.Option("--version", metavar="NAME", help="A version of the definition.", show_default="the stored one")
]
At = Annotated[
    str, typer.Option("--at", metavar="PATH", help="The path of the rule, such as .spec.ports[*].", show_default="root")
]


@app.command("eval")
def evaluate(
    rule: Expression,
    *,
    filename: Annotated[str, typer.Option("--filename", "-f", metavar="FILE|-", help="The object that has self.")],
    old: Annotated[str | None, typer.Option("--old", metavar="FILE", help="The object that has oldSelf.")] = None,
    crd: Definition = None,
    version: Version = "",
    at: At = "",
    optional_old_self: Annotated[
        bool, typer.Option("--optional-old-self", help="oldSelf is an optional, as with optionalOldSelf.")
    ] = False,
    target: Target = NEWEST,
) -> None:
    """Evaluate an expression on an object; print its value, its type, its cost and the variables. Writes no files."""
    from validation_gen.commands.cel import PlaceError, evaluate_at, guess_spot  # noqa: PLC0415 - late, so that --help stays fast

    refuse_second_stdin(RULE=[rule] if rule == "-" else [], filename=[filename], old=[old] if old else [])
    check_target(target)
    text, new, before = expression(rule), first_object(filename), first_object(old) if old else None
    try:
        spot = _spot(crd, version, at) if crd else guess_spot(new, at)
        found = evaluate_at(text, spot, _minor(target), new, before, optional=optional_old_self)
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
def check(
    rule: Expression,
    *,
    crd: Annotated[str, typer.Option("--crd", metavar="FILE", help="The definition whose schema has the path.")],
    version: Version = "",
    at: At = "",
) -> None:
    """Check a rule for servers of each release, and print its maximum cost. Writes no files."""
    from validation_gen.commands.cel import RELEASES, PlaceError, judge_rule, name_span  # noqa: PLC0415
    from validation_gen.kubernetes.cel import RULE_LIMIT  # noqa: PLC0415

    text = expression(rule)
    try:
        found = judge_rule(text, _spot(crd, version, at), RELEASES)
    except PlaceError as error:
        raise typer.BadParameter(str(error), param_hint="'--at'") from None
    for same, group in itertools.groupby(found, lambda each: (each.error, each.cost)):
        names = name_span([each.release for each in group])
        problem, cost = same
        typer.echo(f"{names}: {problem or f'cost {cost} of {RULE_LIMIT} ({cost / RULE_LIMIT:.2%})'}")
    if any(each.error for each in found):
        raise typer.Exit(FINDINGS)


def _minor(target: str) -> int:
    """Returns the minor version before a server's: new rules may use its functions only."""
    return int(target.partition(".")[2]) - 1


def _spot(crd: str, version: str, at: str) -> SchemaPart:
    from validation_gen.commands.cel import spot_in  # noqa: PLC0415

    return spot_in(definition(crd).obj, version, at)


app.command("cost")(celcost.cost)
app.command("test")(celtest.run)
app.command("schema")(celtest.schema)
