"""The verdicts of `validation-gen validate` as a report: in the words of kubectl, as JSON, and as findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.commands.validate.verdicts import ReportOptions, State, Verdict, Wrong
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line
from validation_gen.diagnostics.formats.registry import Form, Format
from validation_gen.diagnostics.formats.report import Findings, Page, Report, to_records
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.junitfile import Tests

#: Positions of tags by path and text.
Spans = Mapping[tuple[str, str], Span]

#: Maximum number of listed objects without rules, for people, who also see the number of each kind.
_MOST_UNJUDGED = 20
_ALLOW = "name the sources of this kind, or use --ignore-missing-schemas, or --skip for this kind only"


def wanted(format: Format) -> ReportOptions:
    """Returns the details of objects that a format needs."""
    form = format.form
    return ReportOptions(
        places=format.annotates or form in (Form.LINES, Form.FINDINGS, Form.LOG),
        data=form in (Form.DOCUMENT, Form.RECORDS),
        all=form in (Form.DOCUMENT, Form.RECORDS, Form.TESTS),
    )


@dataclass(frozen=True, slots=True)
class Verdicts(Report):
    """The verdicts, and `beside` them the findings about types and manifests."""

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.LINES, Form.DOCUMENT})
    verdicts: Sequence[Verdict]
    spans: Spans
    beside: Sequence[Diagnostic]
    warned: Severity = Severity.WARNING  # severity of a server's warnings

    def findings(self) -> Iterator[Diagnostic]:
        for verdict in self.verdicts:
            yield from _findings(verdict, self.spans, self.warned)

    def text(self, page: Page) -> str:
        lines: list[str] = []
        unjudged = 0
        noted: set[tuple[str, ...]] = set()
        for verdict in self.verdicts:
            unjudged += verdict.state is State.NOT_JUDGED and verdict.severity is not None
            lines += _lines_of_version(verdict, noted)
            if verdict.state is not State.NOT_JUDGED or unjudged <= _MOST_UNJUDGED:
                lines += _lines(verdict)
        if unjudged > _MOST_UNJUDGED:
            lines.append(f"{counted(unjudged - _MOST_UNJUDGED, 'more object')} not judged")
        return "".join(f"{line}\n" for line in lines)

    def lines(self, page: Page) -> str:
        return Findings(list(self.findings())).lines(page)

    def document(self, page: Page) -> list[dict[str, Any]]:
        return [_as_dict(verdict) for verdict in self.verdicts]

    def records(self, page: Page) -> Iterable[Any]:
        return [*to_records(self.found_beside(page)), *self.document(page)]

    def tests(self, page: Page) -> Tests:
        return _tests(self.verdicts, self.found_beside(page))

    def encode_deep(self, value: Any, indent: int | None) -> str:
        """Encodes bad values that are too deep as text."""
        for verdict in value if isinstance(value, list) else [value]:
            for error in verdict["errors"]:
                if isinstance(error["badValue"], dict | list):
                    error["badValue"] = go_json(error["badValue"])
        return json.dumps(value, indent=indent, default=repr)


# --- text ------------------------------------------------------------------------------------------------------------


def _lines(verdict: Verdict) -> Iterator[str]:
    """Yields the lines of a verdict in kubectl's words: a single error on the line of the object, several as a list."""
    if not verdict.told:
        return
    errors = verdict.errors
    place = verdict.where
    yield from (one_line(f"{place}: warning: {_of_object(verdict)}: {warning}") for warning, _ in verdict.warnings)
    if verdict.state is State.NOT_JUDGED and verdict.severity is None:
        return
    if verdict.state is State.NOT_JUDGED:
        lead = "" if verdict.fails else "warning: "
        yield one_line(f"{place}: {lead}{_without_rules(verdict)}")
        return
    if not errors:
        return
    head = one_line(f"{place}: The {_of_object(verdict)} is invalid:")
    if len(errors) == 1:
        yield f"{head} {_line(errors[0])}"
        return
    yield head
    yield from (f"* {_line(error)}" for error in errors)


def _lines_of_version(verdict: Verdict, noted: set[tuple[str, ...]]) -> Iterator[str]:
    """Yields the finding about an API version; the changes of fields follow the first object of each kind."""
    end = verdict.end
    if end is None:
        return
    lead = "warning: " if end.severity is Severity.WARNING else ""
    use = f"; {end.use}" if end.use and not end.is_served else ""
    yield one_line(f"{verdict.where}: {lead}{_of_object(verdict)}: {end.text}{use}")
    if verdict.identity[:2] not in noted:
        noted.add(verdict.identity[:2])
        yield from (f"* {one_line(note)}" for note in end.notes)


def _of_object(verdict: Verdict) -> str:
    return f'{verdict.identity[1] or "object"} "{verdict.name}"'


def _without_rules(verdict: Verdict) -> str:
    version, kind, _, name = verdict.identity
    if not kind:
        return "not judged: the document has no kind"
    reason = f" ({verdict.reason})" if verdict.known else ""
    return f"not judged: no rules for {version} {kind}" + (f' "{name}"' if name else "") + reason


# --- findings, JSON and tests -----------------------------------------------------------------------------------------


def _findings(verdict: Verdict, spans: Spans, warned: Severity) -> Iterator[Diagnostic]:
    """Yields the errors of an object, each at its position in the manifest, with the template of a rendered object."""
    rendered = ((f"the object is rendered from {verdict.template}", None),) if verdict.template else ()
    if verdict.end is not None:
        end = verdict.end
        help = "; ".join(filter(None, (end.use, *end.notes)))
        place = end.place or _object(verdict)
        code, severity = ("VG808", warned) if end.is_served else ("VG812", end.severity)
        yield Diagnostic(code, severity, f"{_of_object(verdict)}: {end.text}", place, help, notes=rendered)
    if verdict.state is State.NOT_JUDGED:
        if verdict.severity is not None:
            place = verdict.place or _object(verdict)
            yield Diagnostic("VG807", verdict.severity, _without_rules(verdict), place, _ALLOW, notes=rendered)
        return
    for warning, at in verdict.warnings:
        message = f"{_of_object(verdict)}: {warning}"
        yield Diagnostic("VG808", warned, message, at or _object(verdict), notes=rendered)
    for error in verdict.errors:
        tag = spans.get((error.rule, error.tag))
        lines = f"the tag is {error.tag} on {error.source}"
        notes: tuple[tuple[str, Span | None], ...] = ((lines, tag),) if error.tag else ()
        message = f"{_of_object(verdict)}: {error.text}"
        yield Diagnostic("VG804", Severity.ERROR, message, error.place or _object(verdict), notes=(*notes, *rendered))


def _object(verdict: Verdict) -> Span:
    """Returns the position of the object, where no exact position is known."""
    return Span(verdict.file, verdict.line, 1, 2)


def _tests(verdicts: Sequence[Verdict], beside: Sequence[Diagnostic]) -> Tests:
    """Returns the test suites: first those of other findings, then one for each file, with a case for each object."""
    from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, make_tests, suites  # noqa: PLC0415 - late: few formats need it  # noqa: PLC0415

    files: dict[str, list[Case]] = {}
    for verdict in verdicts:
        errors = verdict.errors
        version, kind, namespace, name = verdict.identity
        failure, skipped = None, ""
        place = verdict.where
        if verdict.end is not None and verdict.end.severity is Severity.ERROR:
            failure = Failure(verdict.end.text, "NotServed", f"{place}: {verdict.end.text}")
        elif verdict.state is State.NOT_JUDGED and verdict.fails:
            failure = Failure(_without_rules(verdict), "NotJudged", f"{place}: {_without_rules(verdict)}")
        elif verdict.state is State.NOT_JUDGED:
            skipped = _without_rules(verdict)
        elif verdict.state is State.SKIPPED:
            skipped = verdict.reason or "--skip names this kind"
        elif errors:
            text = "\n".join(f"{place}: {_line(error)}" for error in errors)
            failure = Failure(_line(errors[0]), errors[0].type, text)
        title = f"{version} {kind or 'object'} {f'{namespace}/' if namespace else ''}{name or 'without a name'}"
        lines = [one_line(f"{place}: warning: {warning}") for warning in _warnings(verdict)]
        files.setdefault(verdict.file, []).append(Case(title.strip(), failure, skipped, lines))
    found = [*suites(beside), *(Suite(file, cases) for file, cases in files.items())]
    return make_tests("validation-gen validate", found)


def _warnings(verdict: Verdict) -> list[str]:
    """Returns the server's warnings. The warning of a deprecated API version is first."""
    first = [verdict.end.text] if verdict.end is not None and verdict.end.is_served else []
    return [*first, *(warning for warning, _ in verdict.warnings)]


def _line(error: Wrong) -> str:
    return one_line(error.text)


def _as_dict(verdict: Verdict) -> dict[str, Any]:
    version, kind, namespace, name = verdict.identity
    reason = verdict.reason or (verdict.end.text if verdict.end is not None and not verdict.end.is_served else "")
    return {
        "file": verdict.file,
        "line": verdict.line,
        "apiVersion": version,
        "kind": kind,
        "namespace": namespace,
        "name": name,
        "status": verdict.state.value,
        "errors": [error.data for error in verdict.errors],
        "warnings": _warnings(verdict),
        **({"reason": reason} if reason else {}),
        **({"template": verdict.template} if verdict.template else {}),
    }
