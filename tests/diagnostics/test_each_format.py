"""Formats for other programs, finding by finding: escapes, places, and that no text breaks a document."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents import junit_of, sarif_of
from tests.thorough import drawn
from validation_gen.commands.explain.codes import brief
from validation_gen.diagnostics import CODES, Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import DiagnosticFormat, render
from validation_gen.diagnostics.formats.github import step_summary
from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, junit_file
from validation_gen.diagnostics.formats.locations import relative, uri


def error(span: Span, message: str = "it is wrong", **more: Any) -> Diagnostic:
    return Diagnostic("VG204", Severity.ERROR, message, span, **more)


def told(format: str, *diagnostics: Diagnostic) -> str:
    return render(diagnostics, color=True, format=format, explain=brief)


PLACE = Span("apis/types.go", 4, 5, 20)
NOTES = (("here", Span("apis/größe.go", 1, 1, 8)), ("anywhere", None))
WARNING = Diagnostic("VG902", Severity.WARNING, "no Go files", Span("apis"))


def test_json_lines_are_those_of_the_array() -> None:
    findings = [error(PLACE, "größer", help="try this", notes=NOTES), WARNING]
    text = told("jsonl", *findings)
    assert text.isascii()
    assert [json.loads(line) for line in text.splitlines()] == json.loads(told("json", *findings))
    assert told("jsonl") == ""


# --- GitHub -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _outside_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)


def test_workflow_commands() -> None:
    assert told("github", error(PLACE, "50% of a: b, c", help="try\r\nthis", notes=NOTES), WARNING) == (
        "::error file=apis/types.go,line=4,endLine=4,col=5,endColumn=20,title=VG204::50%25 of a: b, c"
        "%0Anote: here (apis/größe.go:1:1)%0Anote: anywhere%0Ahelp: try\\r\\nthis\n"
        "::warning file=apis,title=VG902::no Go files\n"
    )
    assert told("github") == ""


@pytest.mark.parametrize(
    ("file", "escaped"),
    [("a,b.go", "a%2Cb.go"), ("a:b.go", "a%3Ab.go"), ("100%.go", "100%25.go"), ("a\nb::error::.go", None)],
)
def test_values_of_workflow_commands(file: str, escaped: str | None) -> None:
    command = told("github", error(Span(file, 1, 1, 2)))
    assert command.count("\n") == 1
    assert command.startswith(f"::error file={escaped or 'a%5Cnb%3A%3Aerror%3A%3A.go'.replace('%5C', chr(92))},line=1,")


@pytest.mark.parametrize("file", ["--type", "<stdin>", "<command line>", "NAME"])
def test_what_is_not_in_a_file(file: str) -> None:
    assert told("github", error(Span(file))) == f"::error title=VG204::{file}: it is wrong\n"


def test_nothing_in_the_summary_is_markup() -> None:
    page = step_summary([error(Span("a|b.go", 1, 2, 3), "`x` <img src=x> *a* @b [c](d)\n| e", help="~x~"), WARNING])
    assert page.startswith("### validation-gen: 1 error, 1 warning\n\n| Severity | Code | Place | Finding |\n|---|---|")
    row = page.splitlines()[4]
    assert row.startswith("| error | VG204 | a&#124;b.go:1:2 | &#96;x&#96; &#60;img src=x&#62; ")
    assert row.endswith("<br>&#126;x&#126; |")
    assert not re.search(r"[`*@\[\]]", row)
    assert step_summary([]) == "### validation-gen: no problems\n\n"


def test_long_summaries_are_cut() -> None:
    page = step_summary([error(Span("a.go", n, 1, 2), "x" * 5000) for n in range(1, 3000)])
    assert len(page.encode()) < 2**20
    assert page.endswith("\n… and 1999 more\n\n")


# --- SARIF ------------------------------------------------------------------------------------------------------------


def test_sarif_has_rules_places_and_notes() -> None:
    run = sarif_of(told("sarif", error(PLACE, "a {0} b", help="try this", notes=NOTES), WARNING))
    rule, other = run["tool"]["driver"]["rules"]
    assert (rule["id"], other["id"], other["defaultConfiguration"]["level"]) == ("VG204", "VG902", "error")
    assert rule["name"] == "ATagDoesNotFitTheTypeThatItIsWrittenOn"
    assert rule["shortDescription"]["text"] == CODES["VG204"]
    assert rule["help"]["text"].startswith("VG204: ")
    assert "```go\n" in rule["help"]["markdown"]
    first, second = run["results"]
    assert first["message"]["text"] == "a {{0}} b; try this"  # single braces are placeholders
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "apis/types.go"},
                "region": {"startLine": 4, "startColumn": 5, "endColumn": 20},
            }
        }
    ]
    here, anywhere = first["relatedLocations"]
    assert (here["id"], here["message"]["text"]) == (1, "here")
    assert here["physicalLocation"]["artifactLocation"]["uri"] == "apis/gr%C3%B6%C3%9Fe.go"
    assert anywhere == {"id": 2, "message": {"text": "anywhere"}}
    assert second["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "apis"}}}]
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_sarif_tells_of_arguments_beside_the_results() -> None:
    wrong = Diagnostic("VG904", Severity.ERROR, "there is no type X", Span("--type"), "did you mean Y?")
    run = sarif_of(told("sarif", wrong))
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolConfigurationNotifications"]
    assert note["descriptor"] == {"id": "VG904"}
    assert note["message"]["text"] == "--type: there is no type X; did you mean Y?"


def fingerprints(*diagnostics: Diagnostic) -> list[str]:
    results = sarif_of(told("sarif", *diagnostics))["results"]
    return [result["partialFingerprints"]["finding/v1"] for result in results]


def test_fingerprints_stay_when_lines_move() -> None:
    before = fingerprints(error(PLACE, "declared at a.go:3:4"), error(Span("b.go", 9, 1, 2)))
    moved = Span(PLACE.file, 40, 7, 22)
    assert fingerprints(error(moved, "declared at a.go:30:4"), error(Span("b.go", 9, 1, 2))) == before
    assert len(set(before)) == 2


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    twice = fingerprints(error(PLACE), error(Span(PLACE.file, 9, 1, 2)), WARNING)
    assert len(set(twice)) == 3


def test_a_rule_without_an_explanation() -> None:
    (rule,) = sarif_of(render([error(PLACE)], color=False, format="sarif"))["tool"]["driver"]["rules"]
    assert rule["help"] == {"text": CODES["VG204"]}


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("a b/c#d.go", "a%20b/c%23d.go"),
        ("/src/a.go", "file:///src/a.go"),
        ("C:/src/a.go", "file:///C%3A/src/a.go".replace("%3A", ":")),
        ("./a.go", "a.go"),
        ("../a.go", "../a.go"),
        ("a\udcff.go", "a%FF.go"),
        ("a\ud800.go", "a%3F.go"),
    ],
)
def test_files_as_uris(file: str, wanted: str) -> None:
    assert uri(file) == wanted


def test_files_below_the_current_directory_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert relative(str(tmp_path / "a" / "b.go")) == "a/b.go"
    assert relative("a/b.go") == "a/b.go"
    assert relative("/elsewhere/b.go") == "/elsewhere/b.go"
    assert relative("b.go", str(tmp_path.parent)) == f"{tmp_path.name}/b.go"
    assert relative("../../b.go", str(tmp_path)) == "../../b.go"
    assert relative("nul\0.go", str(tmp_path)) == "nul\0.go"


# --- JUnit ------------------------------------------------------------------------------------------------------------


def test_junit_has_a_suite_a_file() -> None:
    findings = [error(PLACE, help="try this", notes=NOTES), error(PLACE), WARNING]
    root = junit_of(told("junit", *findings))
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("apis/types.go", "2", "2"),
        ("apis", "1", "0"),
    ]
    assert [case.get("name") for case in root.iter("testcase")] == [
        "VG204: it is wrong",
        "VG204: it is wrong [2]",  # cases of one name count once on some servers
        "VG902: no Go files",
    ]
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.attrib == {"message": "it is wrong", "type": "VG204"}
    assert failure.text == (
        "apis/types.go:4:5: error VG204 it is wrong (try this)\napis/größe.go:1:1: note: here\nnote: anywhere"
    )
    assert root.findtext(".//system-out") == "apis: warning VG902 no Go files"


def test_junit_without_findings_has_passed() -> None:
    root = junit_of(told("junit"))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_junit_of_nothing() -> None:
    assert junit_of(junit_file("a", [], 1.25)).attrib["time"] == "1.250"
    junit_of(junit_file("a", [Suite("b", [Case("c", Failure("d", "e", "f\0\ng"), "skipped, too", ["\ud800"])])]))


# --- any text ---------------------------------------------------------------------------------------------------------

_TEXT = st.text(st.characters(), max_size=40) | st.sampled_from(["]]>", "::error::", "%0A", "\x1b[2J", "\ud800", "{0}"])
_SPANS = st.builds(Span, _TEXT, st.integers(0, 5), st.integers(0, 9), st.integers(0, 9))
_FINDINGS = st.builds(
    Diagnostic,
    st.sampled_from(sorted(CODES)),
    st.sampled_from(Severity),
    _TEXT.filter(bool),
    _SPANS,
    _TEXT,
    st.lists(st.tuples(_TEXT, st.none() | _SPANS), max_size=2).map(tuple),
)


@settings(max_examples=drawn(150), deadline=None)
@given(findings=st.lists(_FINDINGS, max_size=4))
def test_no_text_breaks_a_format(findings: list[Diagnostic]) -> None:
    texts = {
        format: render(findings, color=False, format=format.value) for format in DiagnosticFormat if format.owns_stdout
    }
    assert len(texts[DiagnosticFormat("jsonl")].splitlines()) == len(findings)
    assert len(texts[DiagnosticFormat("github")].split("\n")) == len(findings) + 1
    texts[DiagnosticFormat("github")].encode()
    step_summary(findings).encode()
    sarif_of(texts[DiagnosticFormat("sarif")])
    assert len(junit_of(texts[DiagnosticFormat("junit")]).findall(".//testcase")) == max(len(findings), 1)
