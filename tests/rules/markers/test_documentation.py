"""Descriptions in comments."""

from __future__ import annotations

import textwrap

from tests.rules.markers.sources import read_text
from tests.tables import each


@each(
    ("comment", "doc"),
    [
        ("", ""),
        ("// One line.", "One line."),
        ("// Two\n// lines.  ", "Two\nlines."),
        ("//\n// A\n//\n//\n// B\n//", "A\n\nB"),
        ("// A\n// +optional\n// B", "A\nB"),
        ("// A\n//\n// +optional", "A"),
        ("// A\n//   + b", "A"),
        ("// A\n//   indented\n// - item", "A\n  indented\n- item"),
        ("// A\n// TODO: b\n// TODO(c) d\n// E", "A\nE"),
        ("// A\n// ---\n// B", "A"),
        ("// A\n//\n// --- B\n// C", "A\n"),
        ("// A\n// ```\n// TODO\n// ---\n// ```\n// B", "A\n```\nTODO\n---\n```\nB"),
        ("// A\n//go:generate b\n// C", "A\nC"),
        ("/* A */", "A"),
        ("/*\n   A\n\n   * B\n*/", "A\n\n* B"),
        ("// +optional", ""),
    ],
)
def test_a_description(comment: str, doc: str) -> None:
    found = read_text(f'{comment}\ntype T struct{{\n{textwrap.indent(comment, chr(9))}\n\tF string `json:"f"`\n}}\n')
    assert found.types["T"].doc == doc
    assert found.fields["T.f"].doc == doc


def test_comments_belong_to_the_code_before_them() -> None:
    found = read_text(
        """
        type T struct {
            A string `json:"a"` // of A +optional
            B string `json:"b"` // +optional
            C string `json:"c"`

            // +optional

            // of D
            D string `json:"d"`

            // +optional

            E string `json:"e"`
        }
        """
    )
    assert {name: (notes.doc, notes.presence) for name, notes in found.fields.items()} == {
        "T.a": ("", ""),
        "T.b": ("", ""),
        "T.c": ("", ""),
        "T.d": ("of D", "optional"),
        "T.e": ("", "optional"),
    }
    assert found.found == ["VG522 +optional has no effect behind other code on its line"]
