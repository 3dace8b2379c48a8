"""`validation-gen cel cost --crd FILE`: costs of a definition's rules, estimated and measured on an object."""

from __future__ import annotations

import enum
import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from validation_gen.cli.options import REQUIRED, Options, grouped, option, refuse_second_stdin
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Severity

if TYPE_CHECKING:
    from validation_gen.commands.cel.costs import Measured
    from validation_gen.kubernetes.manifests import Manifest


class Format(str, enum.Enum):
    """Output format of costs."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True)
class Costing(Options):
    """Options of the rules, of the objects and of the output."""

    crd: str = option(REQUIRED, "The definition.", "FILE")
    version: str = option("", "A version of it.", "NAME", show_default="that of the object")
    at: str = option("", "The path of RULE, such as .spec.ports[*].", "PATH", show_default="root")
    filename: str | None = option(None, "Count on this object, too.", "FILE|-", names=("--filename", "-f"))
    old: str | None = option(None, "The object as it was before.", "FILE")
    format: Format = option(Format.TEXT, "Format of costs.")


@grouped
def cost(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE", help="One rule instead of those of the definition, or - to read it from standard input."
        ),
    ] = "",
    *,
    costing: Costing,
) -> None:
    """Print the maximum cost of a definition's rules, and their cost on an object. Writes no files."""
    from validation_gen.commands.cel import RELEASES  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.cel.costs import (  # noqa: PLC0415
        document,
        estimated,
        lines,
    )

    at, filename, old = costing.at, costing.filename, costing.old
    if at and not rule:
        raise typer.BadParameter("it is the place of a RULE, and none is given", param_hint="'--at'")
    if old and not filename:
        raise typer.BadParameter("it needs the new object: add --filename", param_hint="'--old'")
    refuse_second_stdin(
        RULE=[rule] if rule == "-" else [], filename=[filename] if filename else [], old=[old] if old else []
    )
    manifest = read_definition(costing.crd)
    _refuse_wrong(manifest)
    text = read_expression(rule)
    new = read_first(filename) if filename else None
    definition, index = manifest.obj, _version(manifest.obj, costing.version, new)
    if text:
        definition = _with_rule(definition, index, at, text)
    chosen = definition["spec"]["versions"][index]
    estimates = estimated((chosen.get("schema") or {}).get("openAPIV3Schema") or {}, RELEASES)
    counted = _measured(definition, chosen["name"], new, read_first(old) if old else None)
    if costing.format is Format.JSON:
        typer.echo(json.dumps(document(estimates, counted), indent=2, ensure_ascii=False))
    else:
        for line in lines(estimates, counted):
            typer.echo(line)
    if counted is not None:
        for problem in [*counted.outcome.problems, *map(str, counted.outcome.errors)]:
            typer.echo(one_line(f"the object is refused: {problem}"), err=True)
    wrong = any(cost.problem for cost in estimates[-1].costs) or any(each.too_much for each in estimates)
    if wrong or (counted is not None and counted.too_much):
        raise typer.Exit(FINDINGS)


def _refuse_wrong(manifest: Manifest) -> None:
    """Ends the command if a definition has errors other than those about rules: then no costs are known."""
    from validation_gen.kubernetes.crd.run import diagnostics  # noqa: PLC0415

    found = Diagnostics()
    for each in diagnostics(manifest.obj, manifest.positions):
        if each.severity is Severity.ERROR and each.code != "VG508":
            found.add(each)
    if found.items:
        print_diagnostics(found, "concise")
        raise typer.Exit(ENVIRONMENT)


def _version(definition: dict[str, Any], name: str, obj: Any) -> int:
    """Returns the index of a version: the one with the name, that of the object, or the stored one."""
    versions = definition["spec"]["versions"]
    if not name and isinstance(obj, dict):
        name = str(obj.get("apiVersion")).rpartition("/")[2]
    for index, each in enumerate(versions):
        if each["name"] == name or (not name and each.get("storage")):
            return index
    known = ", ".join(each["name"] for each in versions)
    message = f"the definition has no version {name}; it has {known}"
    raise typer.BadParameter(message, param_hint="'--version'")


def _with_rule(definition: dict[str, Any], index: int, at: str, text: str) -> dict[str, Any]:
    """Returns a copy of a definition in which a version has only one rule."""
    from validation_gen.commands.cel import PlaceError  # noqa: PLC0415
    from validation_gen.commands.cel.costs import with_rule  # noqa: PLC0415
    from validation_gen.commands.cel.evaluation import at_path  # noqa: PLC0415
    from validation_gen.commands.cel.limits import find_keys  # noqa: PLC0415

    found = deepcopy(definition)
    version = found["spec"]["versions"][index]
    schema = (version.get("schema") or {}).get("openAPIV3Schema") or {}
    try:
        spot = at_path(schema, at)
        version["schema"] = {"openAPIV3Schema": with_rule(schema, find_keys(spot.scope(0)), text)}
    except PlaceError as error:
        raise typer.BadParameter(str(error), param_hint="'--at'") from None
    return found


def _measured(definition: dict[str, Any], version: str, new: Any, old: Any) -> Measured | None:
    from validation_gen.commands.cel.costs import measured  # noqa: PLC0415
    from validation_gen.kubernetes.objects import UndefinedError, UnsupportedRequestError  # noqa: PLC0415

    if new is None:
        return None
    if not isinstance(new, dict) or not isinstance(old, dict | None):
        raise typer.BadParameter("it is no object", param_hint="'--filename'")
    try:
        return measured(definition, version, new, old)
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
        print_diagnostics(diagnostics, "concise")
        raise typer.Exit(ENVIRONMENT)
    return found
