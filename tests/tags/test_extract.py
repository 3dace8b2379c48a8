from __future__ import annotations

from tests.tables import each
from validation_gen.diagnostics import Span
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import RawTag, extract


def lines(*texts: str) -> list[CommentLine]:
    return [CommentLine(text, Span("x.go", 10 + i, 4, 4 + len(text))) for i, text in enumerate(texts)]


@each(
    ("line", "name", "text"),
    [
        ("+name", "name", "name"),
        (" +name", "name", "name"),
        (" \t \t +name", "name", "name"),
        (" +name \t ", "name", "name"),
        ("+k8s:required", "k8s:required", "k8s:required"),
        ("+k8s:noArgs // comment", "k8s:noArgs", "k8s:noArgs // comment"),
        ("+a:t1(arg: value)=tagValue", "a:t1", "a:t1(arg: value)=tagValue"),
        ("+_x-y.z=1", "_x-y.z", "_x-y.z=1"),
        ("+größe", "größe", "größe"),
        # Bad syntax after the name is for the parser to report, if the tag is one of ours.
        (" +name= value", "name", "name= value"),
        ("  +name = value", "name", "name = value"),
        ("+k8s:maxItems:=5", "k8s:maxItems:", "k8s:maxItems:=5"),
        ("+name/x", "name", "name/x"),
    ],
)
def test_line_with_a_tag(line: str, name: str, text: str) -> None:
    (tag,) = extract(lines(line))
    assert (tag.name, tag.text) == (name, text)
    start = 4 + line.index("+")
    assert tag.span == Span("x.go", 10, start, start + 1 + len(text))


@each(
    "line",
    [
        "",
        "Comment without a tag",
        "see +k8s:required",
        "* +k8s:required",
        "+",
        "+ ",
        "+ name",
        "+ // comment",
        "+1",
        "+:name",
        "++name",
        "@k8s:required",
        "\u00a0+name",
    ],
)
def test_line_without_a_tag(line: str) -> None:
    assert extract(lines(line)) == []


def test_source_order_is_kept() -> None:
    tags = extract(lines("Name is a name.", "+b=2", "", " +a=1", "+b=1"))
    assert tags == [
        RawTag("b", "b=2", Span("x.go", 11, 4, 8)),
        RawTag("a", "a=1", Span("x.go", 13, 5, 9)),
        RawTag("b", "b=1", Span("x.go", 14, 4, 8)),
    ]
