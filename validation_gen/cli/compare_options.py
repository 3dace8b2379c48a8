"""Options of `validation-gen compare`. `comparearguments` parses those with a syntax of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import typer

from validation_gen.cli.cluster_options import RUN as _RUN
from validation_gen.cli.options import ReportFormat

_OBJECTS = "What is compared"
_SIDES = "The handwritten side"
_VERDICT = "What is no failure"
_RESULTS = "Results"
_WEBHOOKS = "Webhooks"

#: End of the help text. A \\b keeps the lines as they are.
EXAMPLES = """\b
Examples:
  validation-gen compare apis --handwritten python:checks:validate --objects manifests
  validation-gen compare apis --handwritten exec:./validate --fuzz 1000 --report mismatches.html
  validation-gen compare apis --handwritten webhook:https://localhost:9443/validate --ca-file ca.crt --fuzz 200
  validation-gen compare apis --objects audit.log.gz --expected expected.yaml --format junit
"""

Spec = Annotated[
    str,
    typer.Option(
        "--handwritten",
        rich_help_panel=_SIDES,
        metavar="SPEC",
        help="The handwritten validators: python:MODULE:FUNCTION, python:FILE.py:FUNCTION, exec:COMMAND, webhook:URL. "
        "By default those that pyproject.toml names.",
    ),
]
Objects = Annotated[
    list[str],
    typer.Option(
        "--objects",
        rich_help_panel=_OBJECTS,
        metavar="FILE|DIR|-",
        help="Objects to compare: YAML, JSON, JSON lines, requests of the line protocol, audit logs; also with gzip "
        "or Zstandard; Parquet. Repeatable.",
    ),
]
Old = Annotated[
    list[str],
    typer.Option(
        "--old", rich_help_panel=_OBJECTS, metavar="FILE|DIR", help="Old objects, to compare updates. Repeatable."
    ),
]
Column = Annotated[
    str,
    typer.Option(
        "--column",
        rich_help_panel=_OBJECTS,
        metavar="NAME",
        help="The column of Parquet files that holds objects as JSON, if there are several with texts.",
    ),
]
Fuzz = Annotated[
    int,
    typer.Option(
        "--fuzz", rich_help_panel=_OBJECTS, min=0, metavar="N", help="Draw N requests from the types as well."
    ),
]
Seed = Annotated[int, typer.Option("--seed", rich_help_panel=_OBJECTS, metavar="S", help="Seed of the drawn requests.")]
Kinds = Annotated[
    list[str],
    typer.Option(
        "--kind", rich_help_panel=_OBJECTS, metavar="[PACKAGE.]NAME", help="Only this kind when drawing. Repeatable."
    ),
]
Cases = Annotated[
    str,
    typer.Option(
        "--cases",
        rich_help_panel=_OBJECTS,
        metavar="DIR",
        help="Compare the cases in DIR first, and save the smallest request of each new mismatch there.",
    ),
]
Option = Annotated[
    list[str],
    typer.Option(
        "--option",
        rich_help_panel=_OBJECTS,
        metavar="NAME=true|false",
        help="A validation option of requests that have none of their own; others are off. Repeatable.",
    ),
]
Expected = Annotated[
    list[str],
    typer.Option(
        "--expected",
        rich_help_panel=_VERDICT,
        metavar="FILE",
        help="Known differences, with a reason and a date on which they expire. Repeatable.",
    ),
]
Lifecycle = Annotated[
    bool,
    typer.Option(
        "--lifecycle",
        rich_help_panel=_SIDES,
        help="Compare as the run-time library does: errors that are marked as covered, with alpha and beta rules.",
    ),
]
Gates = Annotated[
    str,
    typer.Option(
        "--feature-gates", rich_help_panel=_SIDES, metavar="A=true,B=false", help="Feature gates for --lifecycle."
    ),
]
Normalize = Annotated[
    list[str],
    typer.Option(
        "--normalize",
        rich_help_panel=_SIDES,
        metavar="REGEXP=PATH",
        help="Rewrite paths of tags into those that the handwritten side reports; $1 is a group. Repeatable.",
    ),
]
ShortCircuit = Annotated[
    bool,
    typer.Option(
        "--short-circuit-mismatch",
        rich_help_panel=_SIDES,
        help="Let a tag's error that stops all checks below its field match any handwritten error there.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", rich_help_panel=_RUN, help="Stop at the first input that cannot be compared.")
]
Resume = Annotated[
    str,
    typer.Option(
        "--resume", rich_help_panel=_RUN, metavar="FILE", help="Keep the progress in FILE, and continue from there."
    ),
]
Allow = Annotated[
    int, typer.Option("--allow", rich_help_panel=_VERDICT, min=0, metavar="N", help="Accept up to N mismatches.")
]
Report = Annotated[
    str,
    typer.Option("--report", rich_help_panel=_RESULTS, metavar="FILE", help="Write a page (.html) with all results."),
]
History = Annotated[
    str,
    typer.Option(
        "--history", rich_help_panel=_RESULTS, metavar="FILE", help="Add the totals to FILE, and show the trend."
    ),
]
ReportAs = Annotated[
    ReportFormat, typer.Option("--format", rich_help_panel=_RESULTS, help="How the results are printed.")
]
MetricsFile = Annotated[
    str,
    typer.Option(
        "--metrics-file",
        rich_help_panel=_RESULTS,
        metavar="FILE",
        help="Write Prometheus metrics in text form. Needs the extra `metrics`.",
    ),
]
MetricsPrefix = Annotated[
    str, typer.Option("--metrics-prefix", rich_help_panel=_RESULTS, metavar="PREFIX", help="Prefix of the metrics.")
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        rich_help_panel=_WEBHOOKS,
        min=0.1,
        metavar="SECONDS",
        help="Time limit for an answer of a program or a webhook; by default 60 and 10.",
    ),
]
Retries = Annotated[
    int,
    typer.Option(
        "--retries", rich_help_panel=_WEBHOOKS, min=0, metavar="N", help="Number of repeated requests to a webhook."
    ),
]
CaFile = Annotated[
    str,
    typer.Option("--ca-file", rich_help_panel=_WEBHOOKS, metavar="FILE", help="Trusted certificates for a webhook."),
]
ClientCert = Annotated[
    str,
    typer.Option(
        "--client-cert", rich_help_panel=_WEBHOOKS, metavar="FILE", help="The certificate to show to a webhook."
    ),
]
ClientKey = Annotated[
    str, typer.Option("--client-key", rich_help_panel=_WEBHOOKS, metavar="FILE", help="The key of that certificate.")
]
ServerName = Annotated[
    str,
    typer.Option(
        "--server-name",
        rich_help_panel=_WEBHOOKS,
        metavar="NAME",
        help="The name in a webhook's certificate, if it is not the host of the URL.",
    ),
]
Plural = Annotated[
    list[str],
    typer.Option(
        "--plural",
        rich_help_panel=_WEBHOOKS,
        metavar="KIND=PLURAL",
        help="The resource of a kind for a webhook, where it is not the usual plural. Repeatable.",
    ),
]
Header = Annotated[
    list[str],
    typer.Option(
        "--header", rich_help_panel=_WEBHOOKS, metavar="NAME:VALUE", help="A header for a webhook. Repeatable."
    ),
]


Spill = Annotated[
    str,
    typer.Option(
        "--spill",
        rich_help_panel=_RUN,
        metavar="DIR|URL",
        help="With --cluster, where audit logs and --old are sorted by object. All processes have to share it; "
        "what is written there is removed in the end.",
    ),
]


@dataclass(frozen=True)
class Requests:
    """Options that choose the compared objects."""

    objects: Objects = field(default_factory=list)
    old: Old = field(default_factory=list)
    fuzz: Fuzz = 0
    seed: Seed = 0
    kind: Kinds = field(default_factory=list)
    cases: Cases = ""
    option: Option = field(default_factory=list)
    column: Column = ""


@dataclass(frozen=True)
class Judging:
    """Options that define a difference."""

    expected: Expected = field(default_factory=list)
    lifecycle: Lifecycle = False
    feature_gates: Gates = ""
    normalize: Normalize = field(default_factory=list)
    short_circuit_mismatch: ShortCircuit = False


@dataclass(frozen=True)
class Reports:
    """Options of the reports and their files."""

    report: Report = ""
    history: History = ""
    format: ReportAs = ReportFormat.TEXT
    metrics_file: MetricsFile = ""
    metrics_prefix: MetricsPrefix = "apiserver_validation_"


@dataclass(frozen=True)
class Connection:
    """Options for connections to webhooks and programs."""

    timeout: Timeout = None
    retries: Retries = 3
    ca_file: CaFile = ""
    client_cert: ClientCert = ""
    client_key: ClientKey = ""
    server_name: ServerName = ""
    header: Header = field(default_factory=list)
    plural: Plural = field(default_factory=list)
