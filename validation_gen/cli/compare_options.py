"""Options of `validation-gen compare`. `compare_arguments` parses those with a syntax of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from validation_gen.cli.cluster_options import OnDask
from validation_gen.cli.options import OLD, OPTION, REPORT_FORMAT, RULES, Options, ReportFormat, option
from validation_gen.compiler.settings import RuleSource

#: End of the help text. A \\b keeps the lines as they are.
EXAMPLES = """\b
Examples:
  validation-gen compare apis --handwritten python:checks:validate -f manifests
  validation-gen compare apis --handwritten exec:./validate --fuzz 1000 --report mismatches.html
  validation-gen compare apis --handwritten webhook:https://localhost:9443/validate --ca-file ca.crt --fuzz 200
  validation-gen compare apis -f audit.log.gz --expected expected.yaml --format junit
"""


@dataclass(frozen=True)
class Requests(Options):
    """Options that choose the compared objects."""

    panel: ClassVar[str | None] = "What is compared"
    filename: list[str] = option(
        [],
        "Objects to compare: YAML, JSON, JSON lines, requests of the line protocol, audit logs; also with gzip "
        "or Zstandard; Parquet. Repeatable.",
        "FILE|DIR|-",
        names=("--filename", "-f"),
    )
    old: list[str] = OLD("Old objects, to compare updates. Repeatable.")
    fuzz: int = option(0, "Draw N requests from the types as well.", "N", min=0)
    seed: int = option(0, "Seed of the drawn requests.", "S")
    kind: list[str] = option([], "Only this kind when drawing. Repeatable.", "[PACKAGE.]NAME")
    cases: str = option(
        "", "Compare the cases in DIR first, and save the smallest request of each new mismatch there.", "DIR"
    )
    column: str = option(
        "", "The column of Parquet files that holds objects as JSON, if there are several with texts.", "NAME"
    )
    option: list[str] = OPTION(
        help="A validation option of requests that have none of their own; others are off. Repeatable."
    )


@dataclass(frozen=True)
class Sides(Options):
    """Options of both sides, and of how their answers are compared."""

    panel: ClassVar[str | None] = "Both sides"
    handwritten: str = option(
        "",
        "The handwritten validators: python:MODULE:FUNCTION, python:FILE.py:FUNCTION, exec:COMMAND, webhook:URL. "
        "By default those that pyproject.toml names.",
        "SPEC",
    )
    rules: RuleSource | None = RULES()
    lifecycle: bool = option(
        False, "Compare as the run-time library does: errors that are marked as covered, with alpha and beta rules."
    )
    feature_gates: str = option("", "Feature gates for --lifecycle.", "A=true,B=false")
    normalize: list[str] = option(
        [],
        "Rewrite paths of tags into those that the handwritten side reports; $1 is a group. Repeatable.",
        "REGEXP=PATH",
    )
    short_circuit_mismatch: bool = option(
        False, "Let a tag's error that stops all checks below its field match any handwritten error there."
    )


@dataclass(frozen=True)
class Connection(Options):
    """Options for connections to webhooks and programs."""

    panel: ClassVar[str | None] = "Webhooks"
    unlisted: ClassVar[tuple[str, ...]] = ("server_name", "plural")
    timeout: float | None = option(
        None, "Time limit for an answer of a program or a webhook; by default 60 and 10.", "SECONDS", min=0.1
    )
    retries: int = option(3, "Number of repeated requests to a webhook.", "N", min=0)
    ca_file: str = option("", "Trusted certificates for a webhook.", "FILE")
    client_cert: str = option("", "The certificate to show to a webhook.", "FILE")
    client_key: str = option("", "The key of that certificate.", "FILE")
    server_name: str = option("", "The name in a webhook's certificate, if it is not the host of the URL.", "NAME")
    header: list[str] = option([], "A header for a webhook. Repeatable.", "NAME:VALUE")
    plural: list[str] = option(
        [], "The resource of a kind for a webhook, where it is not the usual plural. Repeatable.", "KIND=PLURAL"
    )


@dataclass(frozen=True)
class Reports(Options):
    """Options of the results: tolerated differences, and written files."""

    panel: ClassVar[str | None] = "Results"
    expected: list[str] = option(
        [], "Known differences, with a reason and a date on which they expire. Repeatable.", "FILE"
    )
    allow: int = option(0, "Accept up to N mismatches.", "N", min=0)
    report: str = option("", "Write a page (.html) with all results.", "FILE")
    history: str = option("", "Add the totals to FILE, and show the trend.", "FILE")
    metrics_file: str = option("", "Write Prometheus metrics in text form. Needs the extra `metrics`.", "FILE")
    format: ReportFormat = REPORT_FORMAT()


@dataclass(frozen=True)
class Run(OnDask):
    """Options of the run, here or on a cluster."""

    unlisted: ClassVar[tuple[str, ...]] = (*OnDask.unlisted, "spill")
    strict: bool = option(False, "Stop at the first input that cannot be compared.")
    resume: str = option("", "Keep the progress in FILE, and continue from there.", "FILE")
    spill: str = option(
        "",
        "With --cluster, where audit logs and --old are sorted by object. All processes have to share it; "
        "what is written there is removed in the end.",
        "DIR|URL",
    )
