"""Options of `validation-gen compare`, and how those with a text of their own are read."""

from __future__ import annotations

import enum
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from validation_gen.compare.sides import RoutedSpec, SideOptions, SideSpec, SpecError, parse_spec
from validation_gen.config import read_config
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.mismatch.gates import FeatureGates, parse_gates
from validation_gen.mismatch.matcher import NormalizationRule


class ReportFormat(str, enum.Enum):
    """How the results are printed."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"


Spec = Annotated[
    str,
    typer.Option(
        "--handwritten",
        metavar="SPEC",
        help="The handwritten validators: python:MODULE:FUNCTION, python:FILE.py:FUNCTION, exec:COMMAND, webhook:URL. "
        "By default those that pyproject.toml names.",
        show_default=False,
    ),
]
Objects = Annotated[
    list[str],
    typer.Option(
        "--objects",
        metavar="FILE|DIR|-",
        help="Objects to compare: YAML, JSON, JSON lines, requests of the line protocol, audit logs; also with gzip. "
        "Repeatable.",
        show_default=False,
    ),
]
Old = Annotated[
    list[str],
    typer.Option(
        "--old", metavar="FILE|DIR", help="Objects as they were, to compare updates. Repeatable.", show_default=False
    ),
]
Fuzz = Annotated[int, typer.Option("--fuzz", min=0, metavar="N", help="Draw N requests from the types as well.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Draw the same requests as with this seed before.")]
Kinds = Annotated[
    list[str],
    typer.Option(
        "--kind", metavar="[PACKAGE.]NAME", help="Only this kind when drawing. Repeatable.", show_default=False
    ),
]
Cases = Annotated[
    str,
    typer.Option(
        "--cases",
        metavar="DIR",
        help="Compare the cases in DIR first, and save the smallest request of each new mismatch there.",
        show_default=False,
    ),
]
Option = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="NAME=true|false",
        help="A validation option of requests that have none of their own; others are off. Repeatable.",
        show_default=False,
    ),
]
Expected = Annotated[
    list[str],
    typer.Option(
        "--expected",
        metavar="FILE",
        help="Differences that are known, with a reason and a date on which they expire. Repeatable.",
        show_default=False,
    ),
]
Lifecycle = Annotated[
    bool,
    typer.Option(
        "--lifecycle",
        help="Compare as the run-time library does: errors that are marked as covered, with alpha and beta rules.",
    ),
]
Gates = Annotated[
    str,
    typer.Option(
        "--feature-gates", metavar="A=true,B=false", help="Feature gates for --lifecycle.", show_default=False
    ),
]
Normalize = Annotated[
    list[str],
    typer.Option(
        "--normalize",
        metavar="REGEXP=PATH",
        help="Rewrite paths of tags into those that the handwritten side reports; $1 is a group. Repeatable.",
        show_default=False,
    ),
]
ShortCircuit = Annotated[
    bool,
    typer.Option(
        "--short-circuit-mismatch",
        help="Let a tag's error that stops all checks below its field stand for any handwritten error there.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 for all cores.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first input that cannot be compared.")]
Resume = Annotated[
    str,
    typer.Option(
        "--resume",
        metavar="FILE",
        help="Keep in FILE how far the comparison has come, and go on from there.",
        show_default=False,
    ),
]
Allow = Annotated[int, typer.Option("--allow", min=0, metavar="N", help="Up to N mismatches are no failure.")]
Report = Annotated[
    str, typer.Option("--report", metavar="FILE", help="Write a page (.html) about it all.", show_default=False)
]
History = Annotated[
    str,
    typer.Option("--history", metavar="FILE", help="Add the totals to FILE, and show the trend.", show_default=False),
]
ReportAs = Annotated[ReportFormat, typer.Option("--format", help="How the results are printed.")]
MetricsFile = Annotated[
    str,
    typer.Option("--metrics-file", metavar="FILE", help="Write Prometheus metrics in text form.", show_default=False),
]
MetricsPrefix = Annotated[str, typer.Option("--metrics-prefix", metavar="PREFIX", help="How metrics begin.")]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=0.1,
        metavar="SECONDS",
        help="How long a program or a webhook may take for an answer; by default 60 and 10.",
        show_default=False,
    ),
]
Retries = Annotated[int, typer.Option("--retries", min=0, metavar="N", help="How often a webhook is asked again.")]
CaFile = Annotated[
    str, typer.Option("--ca-file", metavar="FILE", help="Certificates to trust a webhook by.", show_default=False)
]
ClientCert = Annotated[
    str, typer.Option("--client-cert", metavar="FILE", help="The certificate to show to a webhook.", show_default=False)
]
ClientKey = Annotated[
    str, typer.Option("--client-key", metavar="FILE", help="The key of that certificate.", show_default=False)
]
ServerName = Annotated[
    str,
    typer.Option(
        "--server-name",
        metavar="NAME",
        help="The name in a webhook's certificate, if it is not the host of the URL.",
        show_default=False,
    ),
]
Plural = Annotated[
    list[str],
    typer.Option(
        "--plural",
        metavar="KIND=PLURAL",
        help="The resource of a kind for a webhook, where it is not the usual plural. Repeatable.",
        show_default=False,
    ),
]
Header = Annotated[
    list[str],
    typer.Option("--header", metavar="NAME:VALUE", help="A header for a webhook. Repeatable.", show_default=False),
]


def handwritten_side(text: str, options: SideOptions, headers: list[str], plurals: list[str]) -> SideSpec:
    """The side that `--handwritten` names.

    Raises:
        typer.BadParameter: it names none, or a header or a plural is malformed.
    """
    pairs = _pairs(headers, ":", "--header", "NAME:VALUE"), _pairs(plurals, "=", "--plural", "KIND=PLURAL")
    try:
        return parse_spec(text, replace(options, headers=pairs[0], plurals=pairs[1]))
    except SpecError as error:
        raise typer.BadParameter(str(error), param_hint="--handwritten") from None


def configured_side(diagnostics: Diagnostics) -> SideSpec | None:
    """The side that the project's settings name, `None` if they name none. What is wrong is reported.

    Raises:
        typer.BadParameter: a function cannot be found.
    """
    config = read_config(Path.cwd(), diagnostics)
    if not config.handwritten:
        if not diagnostics.has_errors:
            help = "name it with --handwritten, or in pyproject.toml below [tool.validation-gen.handwritten]"
            diagnostics.error("VG904", "no handwritten validator is named", Span("--handwritten"), help)
        return None
    routes = []
    for type, function in config.handwritten.items():
        package, _, name = type.rpartition(".")
        try:
            routes.append(((package, name), parse_spec(f"python:{function}")))
        except SpecError as error:
            diagnostics.error("VG904", error.reason, config.spans[type], error.suggestion)
    return RoutedSpec(tuple(routes))


def _pairs(texts: list[str], separator: str, flag: str, form: str) -> tuple[tuple[str, str], ...]:
    found = []
    for text in texts:
        name, separated, value = text.partition(separator)
        if not separated or not name.strip():
            raise typer.BadParameter(f"{text!r} is not {form}", param_hint=flag)
        found.append((name.strip(), value.strip()))
    return tuple(found)


def normalization(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """The patterns and replacements of `--normalize`.

    Raises:
        typer.BadParameter: one of them is malformed.
    """
    rules = []
    for text in texts:
        regexp, equals, path = text.rpartition("=")
        try:
            if not equals or not regexp:
                raise ValueError(f"{text!r} is not REGEXP=PATH")
            NormalizationRule(regexp, path)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--normalize") from None
        rules.append((regexp, path))
    return tuple(rules)


def feature_gates(text: str, lifecycle: bool, target: str) -> dict[str, bool] | None:
    """The gates of `--feature-gates`, `None` without `--lifecycle`.

    Raises:
        typer.BadParameter: they are malformed or unknown, or not asked for.
    """
    if text and not lifecycle:
        raise typer.BadParameter("feature gates matter with --lifecycle only", param_hint="--feature-gates")
    try:
        gates = parse_gates(text)
        FeatureGates(target, gates)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--feature-gates") from None
    return gates if lifecycle else None
