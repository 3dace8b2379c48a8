"""Options of `validation-gen compare`. `comparearguments` reads those that have a text of their own."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.options import ReportFormat

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
