"""The verdicts of `validation-gen validate` as a report: in the words of kubectl, as JSON, and as findings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line
from validation_gen.diagnostics.formats.known import Form
from validation_gen.diagnostics.formats.report import Findings, Page, Report, records_of
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.ways import way_to
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.uses.validate import State, Verdict

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.junitfile import Tests

#: Where tags stand, by their places and texts.
Spans = Mapping[tuple[str, str], Span]

#: What a warning about a field begins with: its path.
_PATH = re.compile(r"[a-z]\w*(?:\.\w+|\[[^]]*\])*", re.ASCII)
_ALLOW = "name the sources of this kind, or use --ignore-missing-schemas, or --skip for this kind only"


@dataclass(frozen=True, slots=True)
class Verdicts(Report):
    """The verdicts, and `beside` them what was found while the types and manifests were read."""

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.LINES, Form.DOCUMENT})
    verdicts: Sequence[Verdict]
    spans: Spans
    beside: Sequence[Diagnostic]
    warned: Severity = Severity.WARNING  # what the warnings of a server are

    def findings(self) -> Iterator[Diagnostic]:
        for verdict in self.verdicts:
            yield from _findings(verdict, self.spans, self.warned)

    def text(self, page: Page) -> str:
        return "".join(f"{line}\n" for verdict in self.verdicts for line in _lines(verdict))

    def lines(self, page: Page) -> str:
        return Findings(list(self.findings())).lines(page)

    def document(self, page: Page) -> list[dict[str, Any]]:
        return [_as_dict(verdict) for verdict in self.verdicts]

    def records(self, page: Page) -> Iterable[Any]:
        return [*records_of(self.found_beside(page)), *self.document(page)]

    def tests(self, page: Page) -> Tests:
        return _tests(self.verdicts, self.found_beside(page))

    def encode_deep(self, value: Any, indent: int | None) -> str:
        """Bad values that are too deep become their text."""
        for verdict in value if isinstance(value, list) else [value]:
            for error in verdict["errors"]:
                if isinstance(error["badValue"], dict | list):
                    error["badValue"] = go_json(error["badValue"])
        return json.dumps(value, indent=indent, default=repr)


# --- for people -------------------------------------------------------------------------------------------------------


def _lines(verdict: Verdict) -> Iterator[str]:
    """One error on the line of its object, several as a list, in kubectl's words."""
    if not verdict.told:
        return
    manifest, errors = verdict.manifest, verdict.errors
    place = f"{manifest.file}:{manifest.line}"
    yield from (one_line(f"{place}: warning: {_of_object(manifest)}: {warning}") for warning in verdict.warnings)
    if verdict.state is State.NOT_JUDGED:
        lead = "" if verdict.fails else "warning: "
        yield one_line(f"{place}: {lead}{_without_rules(verdict)}")
        return
    if not errors:
        return
    head = one_line(f"{place}: The {_of_object(manifest)} is invalid:")
    if len(errors) == 1:
        yield f"{head} {_line(errors[0])}"
        return
    yield head
    yield from (f"* {_line(error)}" for error in errors)


def _of_object(manifest: Manifest) -> str:
    return f'{manifest.identity[1] or "object"} "{manifest.name}"'


def _without_rules(verdict: Verdict) -> str:
    version, kind, _, name = verdict.manifest.identity
    found = verdict.recognised
    reason = "" if found is None or not (found.hint or found.built_in) else f" ({found.reason})"
    return f"not judged: no rules for {version} {kind}" + (f' "{name}"' if name else "") + reason


# --- for programs -----------------------------------------------------------------------------------------------------


def _findings(verdict: Verdict, spans: Spans, warned: Severity) -> Iterator[Diagnostic]:
    """What is wrong with an object, each at the place in the manifest that it speaks of."""
    manifest = verdict.manifest
    if verdict.state is State.NOT_JUDGED:
        if verdict.severity is not None:
            way, _ = way_to(manifest.obj, "kind")
            place = manifest.positions.span(way)
            yield Diagnostic("VG807", verdict.severity, _without_rules(verdict), place, _ALLOW)
        return
    for warning in verdict.warnings:
        message = f"{_of_object(manifest)}: {warning}"
        yield Diagnostic("VG808", warned, message, _place_of_warning(manifest, warning))
    for error in verdict.errors:
        way, _ = way_to(manifest.obj, error.field)
        message = f"{_of_object(manifest)}: {error}"
        tag, source = error.rule.tag, error.rule.source
        stands = spans.get((error.rule.place, tag))
        notes: tuple[tuple[str, Span | None], ...] = ((f"the tag is {tag} on {source}", stands),) if tag else ()
        yield Diagnostic("VG804", Severity.ERROR, message, manifest.positions.span(way), notes=notes)


def _place_of_warning(manifest: Manifest, warning: str) -> Span:
    """Where a warning belongs: at the field that it begins with, or at the object."""
    path = warning.partition(":")[0]
    way, _ = way_to(manifest.obj, path if _PATH.fullmatch(path) else "kind")
    return manifest.positions.span(way)


def _tests(verdicts: Sequence[Verdict], beside: Sequence[Diagnostic]) -> Tests:
    """A suite for each file with a case for each object, behind those of other findings."""
    from validation_gen.diagnostics.formats.junit import suites, tests_of  # noqa: PLC0415 - late: few formats need it
    from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite  # noqa: PLC0415

    files: dict[str, list[Case]] = {}
    for verdict in verdicts:
        manifest, errors = verdict.manifest, verdict.errors
        version, kind, namespace, name = manifest.identity
        failure, skipped = None, ""
        place = f"{manifest.file}:{manifest.line}"
        if verdict.state is State.NOT_JUDGED and verdict.fails:
            failure = Failure(_without_rules(verdict), "NotJudged", f"{place}: {_without_rules(verdict)}")
        elif verdict.state is State.NOT_JUDGED:
            skipped = _without_rules(verdict)
        elif verdict.state is State.SKIPPED:
            skipped = "--skip names this kind"
        elif errors:
            text = "\n".join(f"{place}: {_line(error)}" for error in errors)
            failure = Failure(_line(errors[0]), errors[0].type.value, text)
        title = f"{version} {kind or 'object'} {f'{namespace}/' if namespace else ''}{name or 'without a name'}"
        told = [one_line(f"{place}: warning: {warning}") for warning in verdict.warnings]
        files.setdefault(manifest.file, []).append(Case(title.strip(), failure, skipped, told))
    found = [*suites(beside), *(Suite(file, cases) for file, cases in files.items())]
    return tests_of("validation-gen validate", found)


def _line(error: FieldError) -> str:
    return one_line(str(error))


def _as_dict(verdict: Verdict) -> dict[str, Any]:
    manifest = verdict.manifest
    version, kind, namespace, name = manifest.identity
    return {
        "file": manifest.file,
        "line": manifest.line,
        "apiVersion": version,
        "kind": kind,
        "namespace": namespace,
        "name": name,
        "status": verdict.state.value,
        "errors": [error.as_dict() for error in verdict.errors],
        "warnings": list(verdict.warnings),
        **({} if verdict.recognised is None else {"reason": verdict.recognised.reason}),
    }
