"""Diagnostics as text: what people see, what programs read, and what must never reach a terminal."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.cli import options
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import MAX_EXCERPT, DiagnosticFormat, render, summary
from validation_gen.diagnostics.formats.registry import FORMATS, Format
from validation_gen.diagnostics.formats.report import Page, Report
from validation_gen.files import reading

SOURCE = "package robots\n\ntype Robot struct {\n\t// +k8s:maxItems=3\n\tName string\n}\n"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("types.go")
    path.write_bytes(SOURCE.encode())
    return path


def error(span: Span, message: str = "something is wrong", **more: object) -> Diagnostic:
    return Diagnostic("VG204", Severity.ERROR, message, span, **more)  # type: ignore[arg-type]


def full(*diagnostics: Diagnostic) -> str:
    return render(diagnostics, color=False)


def excerpt(line: str, column: int, end_column: int, directory: Path) -> tuple[str, str]:
    """The source line and the line of carets of a finding in a file of one line."""
    path = directory / "one.go"
    path.write_bytes(line.encode("utf-8", "surrogatepass"))
    lines = full(error(Span(str(path), 1, column, end_column))).split("\n")
    return lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")


def cells(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def test_full_shows_the_place_the_line_and_the_help(source: Path) -> None:
    finding = error(
        Span(str(source), 4, 5, 20),
        "`+k8s:maxItems` can only be used on list types (string)",
        help="use `+k8s:maxLength`",
    )
    assert full(finding) == (
        "error[VG204]: `+k8s:maxItems` can only be used on list types (string)\n"
        " --> types.go:4:5\n"
        "  |\n"
        "4 |     // +k8s:maxItems=3\n"
        "  |        ^^^^^^^^^^^^^^^\n"
        "  |\n"
        "  = help: use `+k8s:maxLength`\n"
    )


def test_full_shows_notes_with_and_without_a_place(source: Path) -> None:
    source.write_text("\n" * 99 + "type A string\ntype A int\n")
    notes = (("it was declared here first", Span(str(source), 100, 6, 7)), ("names are unique in a package", None))
    assert full(error(Span(str(source), 101, 6, 7), "`A` is declared twice", notes=notes)) == (
        "error[VG204]: `A` is declared twice\n"
        "   --> types.go:101:6\n"
        "    |\n"
        "101 | type A int\n"
        "    |      ^\n"
        "    |\n"
        "note: it was declared here first\n"
        "   --> types.go:100:6\n"
        "    |\n"
        "100 | type A string\n"
        "    |      ^\n"
        "    |\n"
        "    = note: names are unique in a package\n"
    )


def test_findings_are_separated_by_an_empty_line_and_keep_their_order(source: Path) -> None:
    text = full(error(Span(str(source), 5, 2, 6), "second line"), error(Span(str(source), 4, 5, 9), "first line"))
    assert text.index("second line") < text.index("\n\nerror[VG204]: first line")
    assert text.endswith("|\n")


def test_concise_is_one_line_a_finding(source: Path) -> None:
    warning = Diagnostic("VG902", Severity.WARNING, "no Go files", Span("apis"))
    text = render([error(Span(str(source), 4, 5, 20), help="try this"), warning], color=False, format="concise")
    assert text == "types.go:4:5: error VG204 something is wrong (try this)\napis: warning VG902 no Go files\n"


def test_json_holds_everything(source: Path) -> None:
    notes = (("here", Span(str(source), 1, 1, 8)), ("anywhere", None))
    finding = error(Span("größe.go", 4, 5, 20), help="try this", notes=notes)
    text = render([finding], color=True, format="json")
    assert text.isascii()
    assert text.endswith("]\n")
    assert json.loads(text) == [
        {
            "code": "VG204",
            "title": "a tag does not fit the type that it is written on",
            "severity": "error",
            "message": "something is wrong",
            "file": "größe.go",
            "line": 4,
            "column": 5,
            "end_column": 20,
            "help": "try this",
            "notes": [
                {"message": "here", "file": "types.go", "line": 1, "column": 1, "end_column": 8},
                {"message": "anywhere"},
            ],
            "fix": None,
        }
    ]


@pytest.mark.parametrize(("format", "empty"), [("full", ""), ("concise", ""), ("json", "[]\n")])
def test_nothing_to_say(format: str, empty: str) -> None:
    assert render([], color=True, format=format) == empty


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="unknown diagnostic format 'xml', expected one of: full, concise, json"):
        render([], color=False, format="xml")


@pytest.mark.parametrize("format", ["full", "concise"])
def test_colours_change_nothing_but_colours(source: Path, format: str) -> None:
    findings = [
        error(Span(str(source), 4, 5, 20), help="try this", notes=(("here", Span(str(source), 5, 2, 6)), ("so", None))),
        Diagnostic("VG902", Severity.WARNING, "no Go files", Span("apis")),
    ]
    colored = render(findings, color=True, format=format)
    plain = render(findings, color=False, format=format)
    assert "\x1b[1;31m" in colored
    assert "\x1b[1;33m" in colored
    assert "\x1b" not in plain
    assert ESCAPE.sub("", colored) == plain


@each(
    ("line", "column", "end", "lines"),
    [
        ("\t\t+k8s:x", 3, 9, ("        +k8s:x", "        ^^^^^^")),
        ("ab\t+k8s:x", 4, 10, ("ab  +k8s:x", "    ^^^^^^")),
        ("abcd\tx", 6, 7, ("abcd    x", "        ^")),
        ("// 日本語 x", 8, 9, ("// 日本語 x", "          ^")),
        ("// 日本語 x", 4, 7, ("// 日本語 x", "   ^^^^^^")),
        ("// u\u0308ber x", 10, 11, ("// u\u0308ber x", "        ^")),
        ("// x\r\n", 4, 5, ("// x", "   ^")),
        ("// x", 5, 6, ("// x", "    ^")),  # just behind the end: something is missing there
        ("// x", 4, 4, ("// x", "   ^")),  # an empty span still has a caret
        ("// x", 4, 0, ("// x", "   ^")),  # so has one whose end is unknown
        ("// x y", 4, 99, ("// x y", "   ^^^")),  # carets end with the line
        ("// \x1b[31mred x", 13, 14, ("// \ufffd[31mred x", "            ^")),
        ("// a\u202eb x", 8, 9, ("// a\ufffdb x", "       ^")),
        ("// a\x0bb\x0cc\u2028d x", 12, 13, ("// a\ufffdb\ufffdc\ufffdd x", "           ^")),
        ("// \x00 x", 6, 7, ("// \ufffd x", "     ^")),
    ],
)
def test_carets_stand_below_what_they_mean(
    line: str, column: int, end: int, lines: tuple[str, str], tmp_path: Path
) -> None:
    assert excerpt(line, column, end, tmp_path) == lines


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin1.go"
    path.write_bytes(b"// caf\xe9 x")
    assert "1 | // caf\ufffd x\n  |         ^\n" in full(error(Span(str(path), 1, 9, 10)))


def test_bytes_that_are_compressed(tmp_path: Path) -> None:
    """A span counts the lines of what they hold, and no line of their own is shown for it."""
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n", mtime=0x0A0A0A0A))  # whose head alone has some lines
    assert full(error(Span(str(path), 2, 1, 2))).endswith(f"--> {path}:2:1\n")


@pytest.mark.parametrize("column", [1, 40, 150, 201, 259])
def test_long_lines_are_cut_around_the_caret(column: int, tmp_path: Path) -> None:
    line = "".join(chr(ord("a") + i % 26) for i in range(260))
    shown, carets = excerpt(line, column, column + 2, tmp_path)
    assert len(shown.strip("…")) == MAX_EXCERPT
    assert shown[carets.index("^") :].startswith(line[column - 1 : column + 1])
    assert carets.count("^") == 2
    assert shown.startswith("…") == (column > 50)
    assert shown.endswith("…") == (column < 210)


def test_a_long_span_is_cut_with_its_line(tmp_path: Path) -> None:
    shown, carets = excerpt("// " + "x" * 500, 4, 504, tmp_path)
    assert shown == "…" + "x" * MAX_EXCERPT + "…"
    assert carets == " " + "^" * MAX_EXCERPT


@each(
    "span",
    [
        Span("gone.go", 4, 5, 20),
        Span("types.go", 70, 1, 2),  # shorter than it was
        Span("types.go", 5, 70, 72),
        Span("types.go", 5, 0, 0),
        Span(".", 1, 1, 2),
        Span("nul\0.go", 1, 1, 2),
        Span("x" * 5000, 1, 1, 2),
        Span("types.go/types.go", 1, 1, 2),
    ],
)
def test_no_excerpt_where_there_is_no_line(source: Path, span: Span) -> None:
    assert source.exists()
    lines = full(error(span, help="try this")).splitlines()
    assert len(lines) == 3
    assert lines[1].lstrip().startswith("--> ")
    assert lines[2].lstrip() == "= help: try this"


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.go")
    assert "|" not in full(error(Span(str(tmp_path / "pipe.go"), 1, 1, 2)))


def test_a_file_is_read_once_and_only_when_needed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = reading.read

    def counted(path: str) -> bytes:
        reads.append(path)
        return read(path)

    monkeypatch.setattr(reading, "read", counted)
    findings = [error(Span(str(source), line, 1, 2)) for line in (1, 3, 5)]
    render(findings, color=False, format="concise")
    assert reads == []
    render(findings, color=False)
    assert reads == [str(source)]


@pytest.mark.parametrize("format", ["full", "concise"])
def test_messages_cannot_move_the_cursor(format: str) -> None:
    finding = error(Span("a\nb.go", 1, 1, 2), 'unknown tag "x\x1b[2J\r\ny\udc80"', help="\x07", notes=(("\n", None),))
    text = render([finding], color=False, format=format)
    assert text.encode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert r'unknown tag "x\x1b[2J\r\ny\udc80"' in text
    assert r"a\nb.go:1:1" in text
    assert text.count("\n") == {"full": 4, "concise": 1}[format]


@settings(max_examples=drawn(150), deadline=None)
@given(
    line=st.text(max_size=300).filter(lambda t: "\n" not in t), column=st.integers(0, 310), width=st.integers(-2, 310)
)
def test_any_line_and_span_gives_aligned_carets(
    line: str, column: int, width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.go"
    path.write_bytes(line.encode("utf-8", "surrogatepass"))
    lines = full(error(Span(str(path), 1, column, column + width))).split("\n")
    assert len(lines) in {3, 7}
    if len(lines) == 7:
        shown, carets = lines[3][4:], lines[4][4:]
        assert set(carets.strip()) == {"^"}
        assert cells(shown) <= MAX_EXCERPT + 2
        assert len(carets) <= MAX_EXCERPT + 3


@pytest.mark.parametrize(
    ("severities", "text"),
    [
        ([], "no problems"),
        ([Severity.ERROR], "1 error"),
        ([Severity.WARNING], "1 warning"),
        ([Severity.WARNING, Severity.ERROR, Severity.ERROR], "2 errors, 1 warning"),
        ([Severity.WARNING] * 12, "12 warnings"),
    ],
)
def test_summary(severities: list[Severity], text: str) -> None:
    assert summary([Diagnostic("VG204", s, "x", Span("x")) for s in severities]) == text


def test_the_formats_are_listed_for_the_command_line() -> None:
    assert DiagnosticFormat is options.DiagnosticFormat
    assert {f.value for f in options.ReportFormat} == {f.value for f in DiagnosticFormat} | {"text"}
    assert [f.record for f in DiagnosticFormat] == list(FORMATS)
    assert {f.record.name for f in options.ReportFormat if f.value != f.record.name} == {"full"}
    assert {f.of_findings for f in options.ReportFormat} == {f.value for f in DiagnosticFormat} - {"json"}


@each("format", FORMATS, ids=lambda each: each.name)
def test_every_format_writes_a_report_of_findings(format: Format) -> None:
    """The least that a report has: what it has found. The rest follows for all formats."""

    class Least(Report):
        def findings(self) -> list[Diagnostic]:
            return [Diagnostic("VG204", Severity.ERROR, "it is wrong", Span("a.go", 1, 2))]

    assert "it is wrong" in format.render(Least(), Page())
    assert "VG204" in format.render(Least(), Page(explain=None, columns=80))


def test_a_report_has_to_say_what_it_found() -> None:
    with pytest.raises(TypeError, match="findings"):
        type("Silent", (Report,), {})()


def test_rendering_is_cheap_to_import() -> None:
    heavy = {"rich", "typer", "click", "jinja2", "lark", "black", "tree_sitter"}
    code = f"import sys, validation_gen.diagnostics.formats; sys.exit(', '.join({heavy!r} & set(sys.modules)) or 0)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
