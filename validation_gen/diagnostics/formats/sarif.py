"""Diagnostics as SARIF: a rule for each code that occurs, a result for each finding in a file.

Findings about arguments are in no file, so they become notifications about the run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validation_gen.diagnostics import CODES, Diagnostic, Severity
from validation_gen.diagnostics.formats import sariflog
from validation_gen.diagnostics.formats.about import About, Explain
from validation_gen.diagnostics.formats.places import is_argument, relative
from validation_gen.diagnostics.formats.report import Page, Report


def render(report: Report, page: Page) -> str:
    """Renders the log of a report."""
    return sariflog.sarif_log(report.log(page))


def log_of(diagnostics: Sequence[Diagnostic], explain: Explain | None) -> sariflog.Log:
    """Returns a log of the findings; without any it has no rules."""
    codes = sorted({d.code for d in diagnostics})
    index = {code: place for place, code in enumerate(codes)}
    rules = [_rule(code, (explain or _titles)(code)) for code in codes]
    configuration = [
        sariflog.notification(_level(d.severity), f"{d.span}: {_sentence(d)}", d.code)
        for d in diagnostics
        if is_argument(d.span)
    ]
    failed = any(d.code.startswith("VG9") and d.severity is Severity.ERROR for d in diagnostics)
    return sariflog.Log(
        rules,
        _told_apart([_result(d, index) for d in diagnostics if not is_argument(d.span)]),
        sariflog.sarif_invocation(not failed, configuration=configuration),
    )


def _level(severity: Severity) -> str:
    return "note" if severity is Severity.INFO else severity.value


def _titles(code: str) -> About:
    return About(CODES[code], CODES[code], "", Severity.ERROR)


def _rule(code: str, about: About) -> sariflog.SarifRule:
    words = re.findall(r"[A-Za-z0-9]+", CODES[code])
    name = "".join(word[0].upper() + word[1:] for word in words)
    return sariflog.SarifRule(
        code, name, CODES[code], about.reason, about.text, about.markdown, _level(about.severity), about.uri
    )


def _result(d: Diagnostic, index: dict[str, int]) -> sariflog.Json:
    # Positions are left out, so the fingerprint stays the same when lines move.
    fingerprint = sariflog.fingerprint_of([d.code, relative(d.span.file), re.sub(r":\d+(:\d+)?\b", "", d.message)])
    result = sariflog.sarif_result(
        d.code,
        index,
        _level(d.severity),
        _sentence(d),
        [sariflog.sarif_location(d.span)],
        {"finding/v1": fingerprint},
    )
    if d.notes:
        result["relatedLocations"] = [
            sariflog.sarif_location(span, message=text, id=number) for number, (text, span) in enumerate(d.notes, 1)
        ]
    if d.fix and not d.fix.barrier:
        result["fixes"] = [sariflog.sarif_fix(d.fix)]
    return result


def _sentence(d: Diagnostic) -> str:
    """Returns problem and help in one text: some servers show nothing else."""
    return sariflog.text(d.message) + (f"; {sariflog.text(d.help)}" if d.help else "")


def _told_apart(results: list[sariflog.Json]) -> list[sariflog.Json]:
    """Returns the results with unique fingerprints: equal findings are numbered in their order."""
    seen: dict[str, int] = {}
    for result in results:
        value = result["partialFingerprints"]["finding/v1"]
        seen[value] = count = seen.get(value, 0) + 1
        if count > 1:
            result["partialFingerprints"] = {"finding/v1": f"{value}:{count}"}
    return results
