"""Characters that people do not see: which they are, and that no output has them while every value stays what it is."""

from __future__ import annotations

import ast
import json
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.tables import each
from validation_gen.cli.app import app, arguments
from validation_gen.commands.convert.go import quote
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import DiagnosticFormat, excerpt, render
from validation_gen.diagnostics.visible import has_hidden, one_line, visible, without_hidden
from validation_gen.emit.schema.jsonschema import as_json
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.emit.text import escape, literal

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
OTHERS = (
    "\x00\x07\x1b\x7f\x85\x9b\xad\u034f\u115f\u1160\u180e\u200b\u2028\u2029\u2060\u2064\u3164\ufeff\uffa0\U000e0041"
)
HIDDEN = BIDI + OTHERS
ORDINARY = (
    "größe",
    "日本",
    "שלום עולם",
    "مرحبا بالعالم",
    "می\u200cخواهم",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "1\ufe0f\u20e3",
    "🏳\ufe0f\u200d🌈",
    "क्\u200dष",
    "葛\U000e0100",
    "café",
)


@each("character", HIDDEN, ids=lambda c: f"U+{ord(c):04X}")
def test_hidden(character: str) -> None:
    for text in (character, f"a{character}b", f"א{character}ב"):
        assert has_hidden(text)
        assert not has_hidden(visible(text))
        assert character not in without_hidden(text)
    assert visible(f"a{character}b") == f"a{character.encode('unicode_escape').decode()}b"


@each("text", ORDINARY)
def test_ordinary(text: str) -> None:
    assert visible(text) == one_line(text) == without_hidden(text) == escape(text) == text
    assert excerpt(text, Span("f", 1, 1, 2))[0] == text
    assert as_yaml({"a": text}, marker=None).strip() in (f"a: {text}", f'a: "{text}"', f"a: '{text}'")
    assert f'"{text}"' in as_json({"a": text})


@each("text", ["a\u200db", "\u200d", "א\u200d", "\u200dא", "a\ufe0f", "❤\ufe0f\ufe0f", "א\u200d\u200dא"])
def test_joiners_that_join_nothing_are_hidden(text: str) -> None:
    assert has_hidden(text)


def test_every_format_character_is_known() -> None:
    """But those that are written in front of numbers and words, and those of hieroglyphs, which people see."""
    seen = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)}
    known = {c for c in range(0x110000) if unicodedata.category(chr(c)) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert {hex(c) for c in known - seen if not has_hidden(chr(c))} == set()


TEXTS = st.text(st.sampled_from([*HIDDEN, *"aא ❤🔥\u200d\u200c\ufe0f\n\t'\"\\%:"]) | st.characters())


@given(TEXTS)
def test_no_text_has_them(text: str) -> None:
    assert not has_hidden(visible(text))
    assert visible(visible(text)) == visible(text)
    assert not has_hidden(one_line(text))
    assert not has_hidden(without_hidden(text), keep="\t\n")
    assert not has_hidden(escape(text))


@each("text", ["\u0378\U000e0100", "א\u200d\u0378"])
def test_nothing_joins_or_varies_an_escape(text: str) -> None:
    assert not has_hidden(one_line(text))


@given(TEXTS)
def test_values_stay(text: str) -> None:
    source = literal(text)
    assert not has_hidden(source)
    assert ast.literal_eval(source) == text
    document = as_json({"a": text, f"b{text}": "b"})
    assert not has_hidden(document, keep="\n")
    assert json.loads(document)["a"] == text
    assert not has_hidden(quote(text))
    if text.isprintable() or not any(0xD800 <= ord(c) < 0xE000 for c in text):
        manifest = as_yaml({"a": text, "b": [text], "c": {"d": f"{text}\n"}})
        assert not has_hidden(manifest, keep="\t\n")
        assert yaml.safe_load(manifest) == {"a": text, "b": [text], "c": {"d": f"{text}\n"}}


# --- whole outputs --------------------------------------------------------------------------------------------------

MARKS = "\u202e\u2066\u200f\x1b[31m\x9b31m\x1b]0;x\x07\u200b"
VALUE = "^a\u202eb\u2066$"
TYPES = f"""\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing {MARKS} is 👩\u200d👩\u200d👧 שלום.
type Thing struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Name {MARKS}
	// +k8s:required
	// +k8s:maxLength=5
	// +kubebuilder:validation:Pattern=`{VALUE}`
	Name string `json:"name"`

	// Color {MARKS}
	// +k8s:required
	// +k8s:item(x: "%0A::error::{MARKS}")=+k8s:immutable
	// +k8s:subfield("{MARKS}")=+k8s:required
	// +k8s:nonsense{MARKS}
	Color Color `json:"color"`
}}

// Color {MARKS}
// +k8s:enum
type Color string

const Red Color = "red{VALUE}"
"""


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "none"))
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1/doc.go").write_text(f"// Package {MARKS}\n// +groupName=a.example.com\npackage v1\n")
    return tmp_path / "v1/types.go"


def test_generated_files(api: Path) -> None:
    text = "\n".join(
        line for line in TYPES.split("\n") if not line.lstrip().startswith(("// +k8s:item", "// +k8s:sub"))
    )
    api.write_text(text)
    emitters = [part for name in ("crd", "openapi", "jsonschema") for part in ("--emit", name)]
    result = CliRunner().invoke(app, arguments(["generate", "v1", "--no-cache", *emitters]))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not has_hidden(result.output, keep="\n")
    files = {p: p.read_text() for ending in ("py", "yaml", "json") for p in api.parents[1].rglob(f"*.{ending}")}
    assert len(files) >= 6
    for path, content in files.items():
        assert not has_hidden(content, keep="\n"), path
    (crd,) = (content for path, content in files.items() if path.suffix == ".yaml")
    schema = yaml.safe_load(crd)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema["properties"]["name"]["pattern"] == VALUE
    assert schema["properties"]["color"]["enum"] == [f"red{VALUE}"]
    assert not has_hidden(schema["description"], keep="\n")
    assert "👩\u200d👩\u200d👧 שלום" in schema["description"]
    assert any("red^a\\u202eb\\u2066$" in content for path, content in files.items() if path.suffix == ".py")


def test_converted_sources(api: Path) -> None:
    api.write_text(TYPES)
    result = CliRunner().invoke(app, arguments(["convert", "v1", "--to", "python", "--format", "concise"]))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not has_hidden(result.output, keep="\n")
    (path,) = (p for p in (api.parents[1] / "converted").rglob("*.py") if p.stat().st_size)
    tags = [line for line in path.read_text().split("\n") if "+k8s:" in line or "+kubebuilder:" in line]
    others = [line for line in path.read_text().split("\n") if line not in tags]
    assert not any(map(has_hidden, others))
    assert "\x1b" not in path.read_text()
    assert any(VALUE in line for line in tags)  # a tag has no escapes
    assert "warning VG107 the tag holds U+202E" in result.output


@pytest.mark.parametrize("format", DiagnosticFormat)
def test_findings(api: Path, format: DiagnosticFormat) -> None:
    api.write_text(TYPES)
    result = CliRunner().invoke(app, arguments(["lint", "v1", "--no-cache", "--format", format.value]))
    assert result.exit_code in (0, 1)
    assert result.output
    assert not has_hidden(result.output, keep="\n")
    if format is DiagnosticFormat("github"):
        assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in result.stdout.splitlines())


@pytest.mark.parametrize("format", DiagnosticFormat)
@given(text=TEXTS)
def test_findings_with_any_text(format: DiagnosticFormat, text: str) -> None:
    span = Span(text.replace("\0", "") or "f", 1, 1, 2)
    found = Diagnostic("VG103", Severity.ERROR, text, span, text, ((text, span), (text, None)))
    for color in (False, True):
        told = render([found], color=color, format=format.value)
        for style in ("\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m"):
            told = told.replace(style, "")
        assert not has_hidden(told, keep="\n")
        if format is DiagnosticFormat("github"):
            assert told.count("\n") == 1
