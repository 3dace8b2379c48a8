from __future__ import annotations

import textwrap

import pytest

from tests.tables import each
from validation_gen.sources.go.comments import Comments


def comments(text: str) -> Comments:
    return Comments("f.go", textwrap.dedent(text).removeprefix("\n"))


def texts(found: Comments) -> list[tuple[int, int, list[str]]]:
    return [(group.first_line, group.last_line, [line.text for line in found.lines(group)]) for group in found.groups]


@each(
    ("text", "wanted"),
    [
        pytest.param("// a\n//b\n\n//  c\n", [(1, 2, [" a", "b"]), (4, 4, ["  c"])], id="an empty line parts groups"),
        pytest.param("// a\nx\n// b\n", [(1, 1, [" a"]), (3, 3, [" b"])], id="code parts groups"),
        pytest.param(
            "x // a\n// b\n// c\n", [(1, 1, [" a"]), (2, 3, [" b", " c"])], id="trailing comments stand alone"
        ),
        pytest.param("x /* a */ // b\n// c\n", [(1, 1, [" a ", " b"]), (2, 2, [" c"])], id="trailing on one line"),
        pytest.param("x /* a\n b */ // c\n// d\n", [(1, 2, [" a", " b", " c"]), (3, 3, [" d"])], id="trailing block"),
        pytest.param("/* a\n * b\n +c */\n", [(1, 3, [" a", " * b", " +c"])], id="block comments keep their lines"),
        pytest.param("// a\n/* b */\n// c\n", [(1, 3, [" a", " b ", " c"])], id="kinds mix"),
        pytest.param("// a\n//go:generate x\n//nolint:y\n// b\n", [(1, 4, [" a", " b"])], id="directives are no text"),
        pytest.param("//+k8s:optional\n", [(1, 1, ["+k8s:optional"])], id="a tag without a blank is no directive"),
        pytest.param("//go:build x\n", [(1, 1, [])], id="a directive makes a group all the same"),
        pytest.param("// a  \t\n//\n", [(1, 2, [" a", ""])], id="blanks at the end are dropped"),
        pytest.param("// a\r\n// b\r\n\r\n/* c\r\nd */\r\n", [(1, 2, [" a", " b"]), (4, 5, [" c", "d"])], id="CRLF"),
        pytest.param(
            'x("// no", `/* no\n*/`, \'"\', "\\"// no") // a\n', [(2, 2, [" a"])], id="literals hide comments"
        ),
        pytest.param("x := '\\'' // a\n", [(1, 1, [" a"])], id="escaped quotes"),
        pytest.param("/* a\nb", [(1, 2, [" a", "b"])], id="a block comment without end"),
        pytest.param("/*", [(1, 1, [""])], id="a block comment of nothing"),
        pytest.param('"no end // a\n// b\n', [(2, 2, [" b"])], id="a string without end ends with its line"),
        pytest.param("// a\n\t  // b\n", [(1, 2, [" a", " b"])], id="indentation does not matter"),
    ],
)
def test_groups(text: str, wanted: list[tuple[int, int, list[str]]]) -> None:
    found = texts(Comments("f.go", text))
    assert [(first, last, [line.rstrip() for line in lines]) for first, last, lines in found] == [
        (first, last, [line.rstrip() for line in lines]) for first, last, lines in wanted
    ]


def test_spans_cover_the_text_alone() -> None:
    text = "// ä +k8s:x  \nx /* ü\n  +k8s:y */\n"
    lines = text.splitlines()
    for line in Comments("f.go", text).all_lines():
        assert lines[line.span.line - 1][line.span.column - 1 : line.span.end_column - 1] == line.text


def test_doc_comment_and_second_closest() -> None:
    found = comments(
        """
        // far away

        // second
        // closest

        // doc
        type A struct{}

        // detached

        type B struct{}
        // trailing


        // too far


        type C struct{} // behind A
        type D struct{}
        """
    )

    def above(line: int) -> list[str]:
        return [comment.text for comment in found.above(line)]

    def second(line: int) -> list[str]:
        return [comment.text for comment in found.second_above(line)]

    assert above(7) == [" doc"]
    assert second(7) == [" second", " closest"]
    assert above(11) == []
    assert second(11) == [" detached"]
    assert (above(18), second(18)) == ([], [])
    assert above(19) == [" behind A"], "upstream counts the trailing comment of the line above"


def test_group_of_directives_takes_the_place_of_the_doc_comment() -> None:
    found = comments(
        """
        // not this

        // this

        //go:generate x
        type A struct{}
        """
    )
    assert found.above(6) == ()
    assert [line.text for line in found.second_above(6)] == [" this"]
