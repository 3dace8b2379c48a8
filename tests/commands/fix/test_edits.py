from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.commands.fix.files import StaleError, apply_edits
from validation_gen.diagnostics import Edit, Span


def edit(file: str, line: int, text: str, old: str, new: str, *, whole: bool = False) -> Edit:
    column = text.index(old) + 1
    return Edit(Span(file, line, column, column + len(old)), old, new, whole)


@pytest.mark.parametrize(
    ("content", "number", "wanted"),
    [
        (b"a\r\n\t// +old\r\nb", 2, b"a\r\n\t// +new\r\nb"),
        (b"\xef\xbb\xbf// +old\n", 1, b"\xef\xbb\xbf// +new\n"),
        ("é // +old é".encode(), 1, "é // +new é".encode()),
        (b"// +old", 1, b"// +new"),
        (b"a\n// +old\x0cx\n", 2, b"a\n// +new\x0cx\n"),
    ],
)
def test_all_else_stays(content: bytes, number: int, wanted: bytes) -> None:
    line = content.decode("utf-8-sig").split("\n")[number - 1]
    assert apply_edits(content, [edit("a.go", number, line, "+old", "+new")], "a.go") == (wanted, [])


def test_the_encoding_of_a_python_file() -> None:
    content = "# coding: latin-1\n# é +old\r# b".encode("latin-1")
    assert apply_edits(content, [edit("a.py", 2, "# é +old", "+old", "+né")], "a.py")[0] == content.replace(
        b"+old", "+né".encode("latin-1")
    )
    with pytest.raises(StaleError):
        apply_edits(content, [edit("a.py", 2, "# é +old", "+old", "+€")], "a.py")
    with pytest.raises(StaleError):
        apply_edits(b"# coding: nope\n# +old\n", [edit("a.py", 2, "# +old", "+old", "")], "a.py")


@each(
    ("line", "wanted"),
    [
        ("\t// +old", None),
        ("\t//+old", None),
        ("    # +old", None),
        ("    #: +old", None),
        (" * +old", None),
        ("+old", None),
        ("\tName string // +old", "\tName string"),
        ("name: str  # +old", "name: str"),
        ("/* +old", "/*"),
        ("/* +old */", "/*  */"),
        ('"""+old', '"""'),
        ('+old"""', '"""'),
    ],
)
def test_a_comment_goes_with_its_marker(line: str, wanted: str | None) -> None:
    content = f"before\n{line}\nafter\n"
    found, gone = apply_edits(content.encode(), [edit("a.go", 2, line, "+old", "", whole=True)], "a.go")
    assert found.decode() == ("before\nafter\n" if wanted is None else f"before\n{wanted}\nafter\n")
    assert gone == ([2] if wanted is None else [])


def test_several() -> None:
    content = b"// +a +b\n// +c\n// +d\n"
    edits = [
        edit("a.go", 1, "// +a +b", "+a", "+long"),
        edit("a.go", 1, "// +a +b", "+b", ""),
        edit("a.go", 2, "// +c", "+c", "", whole=True),
        edit("a.go", 3, "// +d", "+d", "+e"),
    ]
    assert apply_edits(content, edits, "a.go") == (b"// +long \n// +e\n", [2])


@pytest.mark.parametrize(
    "span", [Span("a.go", 9, 1, 5), Span("a.go", 0, 1, 5), Span("a.go", 1, 3, 7), Span("a.go", 1, 0, 4)]
)
def test_what_is_not_there(span: Span) -> None:
    with pytest.raises(StaleError):
        apply_edits(b"+old\n", [Edit(span, "+old", "+new")], "a.go")


def test_no_text() -> None:
    with pytest.raises(StaleError):
        apply_edits(b"\xff +old\n", [Edit(Span("a.go", 1, 3, 7), "+old", "+new")], "a.go")


@given(st.binary(max_size=40), st.integers(0, 4), st.integers(0, 9), st.text("a# \n", max_size=3))
def test_either_done_or_stale(content: bytes, line: int, column: int, old: str) -> None:
    for file in ("a.py", "a.go"):
        for whole in (True, False):
            edits = [Edit(Span(file, line, column, column + len(old)), old, old, whole)]
            try:
                found, gone = apply_edits(content, edits, file)
            except StaleError:
                continue
            assert whole or (found, gone) == (content, [])
