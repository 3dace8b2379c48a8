"""`validation-gen cel …`: CEL rules of definitions, evaluated and checked where they are to stand."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from validation_gen.cli import celtest
from validation_gen.cli.helping import Commands
from validation_gen.cli.options import Target, check_target, refuse_second_stdin
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, print_diagnostics
from validation_gen.diagnostics import Diagnostics
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.uses.cel import Spot

#: The releases whose servers know rules.
_RELEASES = tuple(f"1.{minor}" for minor in range(25, 38))

app = typer.Typer(
    cls=Commands,
    name="cel",
    help="CEL rules, where they are to stand.",
    no_args_is_help=True,
    add_completion=False,  # the program has it
    rich_markup_mode=None,
)

Expression = Annotated[str, typer.Argument(metavar="RULE", help="An expression, or - to read it from standard input.")]
Definition = Annotated[
    str | None,
    typer.Option(
        "--crd",
        metavar="FILE",
        help="The definition whose schema has the place. Without it, the types are guessed from the object.",
        show_default=False,
    ),
]
Version = Annotated[
    str, typer.Option("--version", metavar="NAME", help="A version of the definition.", show_default="the stored one")
]
At = Annotated[
    str,
    typer.Option("--at", metavar="PATH", help="The place of the rule, such as .spec.ports[*].", show_default="root"),
]


@app.command("eval")
def evaluate(
    rule: Expression,
    *,
    filename: Annotated[str, typer.Option("--filename", "-f", metavar="FILE|-", help="The object that has self.")],
    old: Annotated[
        str | None, typer.Option("--old", metavar="FILE", help="The object that has oldSelf.", show_default=False)
    ] = None,
    crd: Definition = None,
    version: Version = "",
    at: At = "",
    optional_old_self: Annotated[
        bool, typer.Option("--optional-old-self", help="oldSelf is an optional, as with optionalOldSelf.")
    ] = False,
    target: Target = NEWEST,
) -> None:
    """Evaluate an expression on an object; print its value, its type, its cost and the variables. Writes no files."""
    from validation_gen.uses.cel import PlaceError, spot_of, tried  # noqa: PLC0415 - late, so that --help stays fast

    refuse_second_stdin(RULE=[rule] if rule == "-" else [], filename=[filename], old=[old] if old else [])
    check_target(target)
    text, new, before = _text(rule), _object(filename), _object(old) if old else None
    try:
        spot = _spot(crd, version, at) if crd else spot_of(new, at)
        found = tried(text, spot, _minor(target), new, before, optional=optional_old_self)
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
    crd: Annotated[str, typer.Option("--crd", metavar="FILE", help="The definition whose schema has the place.")],
    version: Version = "",
    at: At = "",
) -> None:
    """Say what servers of each release think of a rule, and what it costs at most. Writes no files."""
    from validation_gen.kubernetes.cel import RULE_LIMIT  # noqa: PLC0415
    from validation_gen.uses.cel import PlaceError, judged  # noqa: PLC0415

    text = _text(rule)
    try:
        found = judged(text, _spot(crd, version, at), _RELEASES)
    except PlaceError as error:
        raise typer.BadParameter(str(error), param_hint="'--at'") from None
    for same, group in itertools.groupby(found, lambda each: (each.error, each.cost)):
        releases = [each.release for each in group]
        names = releases[0] if len(releases) == 1 else f"{releases[0]} to {releases[-1]}"
        problem, cost = same
        typer.echo(f"{names}: {problem or f'cost {cost} of {RULE_LIMIT} ({cost / RULE_LIMIT:.2%})'}")
    if any(each.error for each in found):
        raise typer.Exit(FINDINGS)


def _minor(target: str) -> int:
    """The release before a server's, whose functions new rules may use."""
    return int(target.partition(".")[2]) - 1


def _text(rule: str) -> str:
    return typer.get_text_stream("stdin").read().strip() if rule == "-" else rule


def _object(file: str) -> Any:
    """The first object in a file."""
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = read_manifests([file], diagnostics)
    if not found or diagnostics.items:
        print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    return found[0].obj


def _spot(crd: str, version: str, at: str) -> Spot:
    from validation_gen.kubernetes.crd.run import is_definition  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import read_manifests  # noqa: PLC0415
    from validation_gen.uses.cel import spot_in  # noqa: PLC0415

    diagnostics = Diagnostics()
    found = [each.obj for each in read_manifests([crd], diagnostics) if is_definition(each.obj)]
    if diagnostics.items:
        print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    if len(found) != 1:
        raise typer.BadParameter(f"{Path(crd).name} has {len(found)} definitions, not one", param_hint="'--crd'")
    return spot_in(found[0], version, at)


app.command("test")(celtest.run)
app.command("schema")(celtest.schema)
