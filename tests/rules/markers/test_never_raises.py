"""Whatever a comment holds, it is read: with findings, never with an exception."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import ListOf, MapOf, PointerTo, Scalar, Shape, StructRef, Wire
from validation_gen.rules.markers import MarkerReader, catalogue
from validation_gen.rules.markers.catalogue import find_shared_tags
from validation_gen.sources.model import Builtin, Field, Package, Struct, TypeDecl
from validation_gen.tags.model import CommentLine

_NAMES = st.sampled_from(sorted([*catalogue(), *find_shared_tags(), "k8s:validation:cel[0]", "kubebuilder", "x"]))
_PIECES = st.one_of(
    st.text(max_size=6),
    st.text(alphabet="{}[]();,:=\"`\\'a1.-+ >e", max_size=12),
    st.sampled_from(
        [
            *(
                "true",
                "5",
                "-1",
                "1e999",
                "9" * 30,
                '"x"',
                "`x`",
                "'x'",
                "a;b",
                "{a,b}",
                "{a: {b: 1}}",
                "[1]",
                '{"a":1}',
            ),
            *("rule=", "name=", "JSONPath=.a", "path=a", "strategy=Webhook", "url=https://[", "service=a/b", "ref(a)"),
            *(
                "(?=a)",
                "merge",
                "map",
                "Cluster",
                "items:",
                "properties:a:",
                "cel[0]:rule",
                "cel[1]:message",
                "null",
                "NaN",
            ),
        ]
    ),
)
_MARKERS = st.builds(
    lambda name, sign, pieces: f"+{name}{sign}{''.join(pieces)}",
    _NAMES,
    st.sampled_from(["=", ":=", ":", "", " ", ">"]),
    st.lists(_PIECES, max_size=4),
)
_LINES = st.lists(st.one_of(_MARKERS, _MARKERS, _MARKERS, st.text(max_size=20)), max_size=6)
_SHAPES: st.SearchStrategy[Shape] = st.recursive(
    st.sampled_from(
        [
            *(Scalar(go) for go in ("string", "int32", "bool", "float64")),
            *(Wire(form) for form in ("any", "quantity", "raw")),
            StructRef("p.T"),
            ListOf(Scalar("uint8"), packed=True),
        ]
    ),
    lambda inner: st.one_of(st.builds(ListOf, inner), st.builds(MapOf, inner), st.builds(PointerTo, inner)),
    max_leaves=3,
)


def comment(texts: list[str], literal: bool) -> tuple[CommentLine, ...]:
    return tuple(
        CommentLine(f" {text}", Span("f", number, 3, 4 + len(text)), literal) for number, text in enumerate(texts, 1)
    )


@settings(max_examples=drawn(1500), deadline=None)
@given(_LINES, _LINES, _SHAPES, st.booleans())
def test_any_comment_is_read(above: list[str], texts: list[str], shape: Shape, literal: bool) -> None:
    span = Span("f", 9, 1, 2)
    lines, apart = comment(texts, literal), comment(above, literal)
    members = tuple(Field(n, Builtin("string"), n, False, False, False, lines, span) for n in "ab")
    declaration = TypeDecl("p", "T", Struct(members), span, closest=lines, apart=apart)
    package = Package("p", "p", ".", "p", comments=lines, loose=apart, types={"T": declaration})
    diagnostics = Diagnostics()
    reader = MarkerReader(diagnostics, lambda name: declaration)
    notes = reader.of_type(declaration, shape)
    reader.of_field(members[0], shape, "p.T")
    reader.resource(declaration)
    reader.of_package(package)
    assert notes.keywords.keys() >= notes.spans.keys() - {"presence"}
    for found in diagnostics.sorted():
        assert found.message
        assert found.span.file == "f"
        assert found.span.end_column >= found.span.column >= 1
        line = next((line for line in (*lines, *apart) if line.span.line == found.span.line), None)
        assert line is not None
    again = Diagnostics()
    assert MarkerReader(again, lambda name: declaration).of_type(declaration, shape) == notes
