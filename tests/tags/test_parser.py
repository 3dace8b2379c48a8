from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.diagnostics import Span
from validation_gen.tags.model import Arg, CommentLine, Tag, ValueType
from validation_gen.tags.parser import RawTag, TagSyntaxError, extract, parse, parse_raw

LINE, COLUMN = 7, 5  # where the plus sign of the tag under test stands


def raw_tag(text: str) -> RawTag:
    return RawTag(text.partition("(")[0].partition("=")[0], text, Span("x.go", LINE, COLUMN, COLUMN + 1 + len(text)))


def failure(text: str, *, raw: bool = False) -> TagSyntaxError:
    with pytest.raises(TagSyntaxError) as caught:
        (parse_raw if raw else parse)(raw_tag(text))
    return caught.value


def pointed(span: Span | None, text: str) -> str:
    """What a span covers when `text` stands after the plus sign."""
    assert span is not None
    assert (span.file, span.line) == ("x.go", LINE)
    return f"+{text}"[span.column - COLUMN : span.end_column - COLUMN]


def chain(tag: Tag) -> list[Tag]:
    tags = [tag]
    while (payload := tags[-1].payload) is not None:
        tags.append(payload)
    return tags


def content(tag: Tag) -> list[object]:
    """All that a tag says, without where."""
    return [(t.name, [(a.name, a.value, a.type) for a in t.args], t.value, t.value_type) for t in chain(tag)]


# What a tag means, as its canonical form: that form shows the type of every value.
@each(
    ("text", "canonical"),
    [
        # names
        ("name", "+name"),
        ("_", "+_"),
        ("name-dash", "+name-dash"),
        ("name.dot", "+name.dot"),
        ("name:colon", "+name:colon"),
        ("größe2", "+größe2"),
        # comments
        ("name # comment", "+name"),
        ("name \t # comment", "+name"),
        ("name#comment", "+name"),
        ("name() # comment", "+name"),
        ("name(arg) # comment", '+name("arg")'),
        ("name(arg)#(=", '+name("arg")'),
        ("key=1 # comment", "+key=1"),
        ("key=true # comment", "+key=true"),
        ("key=ident # comment", '+key="ident"'),
        ('key="quoted # no comment" # comment', '+key="quoted # no comment"'),
        ("key=`quoted` # comment", '+key="quoted"'),
        ("key=+key2(k1: v1, k2: v2) # comment", '+key=+key2(k1: "v1", k2: "v2")'),
        # one positional argument
        ("name()", "+name"),
        ("name(arg)", '+name("arg")'),
        ("name(ArG)", '+name("ArG")'),
        ("name(has-dash)", '+name("has-dash")'),
        ("name(has.dot)", '+name("has.dot")'),
        ("name(_)", '+name("_")'),
        ('name("hasQuotes")', '+name("hasQuotes")'),
        ("name(`hasRawQuotes`)", '+name("hasRawQuotes")'),
        ("withRaw(`a = b`)", '+withRaw("a = b")'),
        ("name(5)", "+name(5)"),
        ("name(true)", "+name(true)"),
        ('name("true")', '+name("true")'),
        ("name(trueish)", '+name("trueish")'),
        ("name(arg,)", '+name("arg")'),
        ("name(arg, )", '+name("arg")'),
        # named arguments
        ("ident(k: value)", '+ident(k: "value")'),
        ("name(k:value)", '+name(k: "value")'),
        ("name(k:\t 1,j:2,  i:3)", "+name(k: 1, j: 2, i: 3)"),
        ("name(k: 1, j: 2,)", "+name(k: 1, j: 2)"),
        ("name(true: 1)", "+name(true: 1)"),
        ("name(k: 1, k: 2)", "+name(k: 1, k: 2)"),
        ("mixed(s: `value`, i: 2, b: true)", '+mixed(s: "value", i: 2, b: true)'),
        ('name(t: "true", f: "false")', '+name(t: "true", f: "false")'),
        ("bools(t: true, f:false)", "+bools(t: true, f: false)"),
        # strings
        ('key=""', '+key=""'),
        ("key=``", '+key=""'),
        (r'quoted(s: "value \" \\")', r'+quoted(s: "value \" \\")'),
        (r"key=`a \` \\ b`", r'+key="a ` \\ b"'),
        ('key=`say "hi"`', r'+key="say \"hi\""'),
        ('key="a`b"', '+key="a`b"'),
        ('key="/status"', '+key="/status"'),
        # scalar payloads
        ("key=ident", '+key="ident"'),
        ("key=a-b.c_d", '+key="a-b.c_d"'),
        ("key=1", "+key=1"),
        ("key=true", "+key=true"),
        ("key=false", "+key=false"),
        ('key="true"', '+key="true"'),
        ('key="5"', '+key="5"'),
        ("name(arg)=value", '+name("arg")="value"'),
        ("name()=5", "+name=5"),
        ("name(arg)=", '+name("arg")'),
        ("name()=", "+name"),
        ("key=+key2(arg)=", '+key=+key2("arg")'),
        # integers
        ("key=+5", "+key=+5"),
        ("key=-5", "+key=-5"),
        ("key=007", "+key=007"),
        ("key=0xFF", "+key=0xFF"),
        ("key=-0x0000", "+key=-0x0000"),
        ("key=+0x00fF00", "+key=+0x00fF00"),
        ("key=0o04167", "+key=0o04167"),
        ("key=+0b10101", "+key=+0b10101"),
        ("key=9223372036854775807", "+key=9223372036854775807"),
        ("key=-0x8000000000000000", "+key=-0x8000000000000000"),
        # chains
        ("key=+key2", "+key=+key2"),
        ("key=+key2()", "+key=+key2"),
        ("key=+key2(arg)", '+key=+key2("arg")'),
        ("key=+key2=+key3=+key4=value", '+key=+key2=+key3=+key4="value"'),
        ("key(arg1)=+key2(arg2)=+key3(arg3)", '+key("arg1")=+key2("arg2")=+key3("arg3")'),
        (
            'k8s:alpha(since: "1.35")=+k8s:ifEnabled(X)=+k8s:eachVal=+k8s:minimum=1',
            '+k8s:alpha(since: "1.35")=+k8s:ifEnabled("X")=+k8s:eachVal=+k8s:minimum=1',
        ),
    ],
)
def test_meaning(text: str, canonical: str) -> None:
    tag = parse(raw_tag(text))
    assert str(tag) == canonical
    assert content(parse(raw_tag(canonical[1:]))) == content(tag)


# The second column marks what the error points at, `|` a place after the last character.
@each(
    ("text", "mark", "message", "help"),
    [
        # white space
        ("name =x", "    ^", "unexpected character ' ' at position 5", "remove the white space before '='"),
        ("name= x", "     ^", "unexpected character ' ' at position 6", "remove the white space"),
        ("name (x)", "    ^", "unexpected character ' ' at position 5", "remove the white space before '('"),
        ("name \t(x)", "    ^", "unexpected character ' ' at position 5", "remove the white space before '('"),
        ("name\t(x)", "    ^", r"unexpected character '\t' at position 5", "remove the white space before '('"),
        ("name\x85(x)", "    ^", r"unexpected character '\u0085' at position 5", "remove the white space before '('"),
        ("name( x)", "     ^", "unexpected character ' ' at position 6", "remove the white space"),
        ("name(x )", "      ^", "unexpected character ' ' at position 7", "remove the white space before ')'"),
        ("name(k :v)", "      ^", "unexpected character ' ' at position 7", "remove the white space before ':'"),
        ("name(k:v )", "        ^", "unexpected character ' ' at position 9", "remove the white space before ')'"),
        ("name(k:v ,j:w)", "        ^", "unexpected character ' ' at position 9", "remove the white space before ','"),
        ("name() =x", "      ^", "unexpected character ' ' at position 7", "remove the white space before '='"),
        ("name()= x", "       ^", "unexpected character ' ' at position 8", "remove the white space"),
        ("a=+name (x)", "       ^", "unexpected character ' ' at position 8", "remove the white space before '('"),
        ("name(has space)", "        ^", "unexpected character ' ' at position 9", 'quote the value: "has space"'),
        ("key=one two # c", "       ^", "unexpected character ' ' at position 8", 'quote the value: "one two"'),
        ("name // why", "    ^", "unexpected character ' ' at position 5", "a comment after a tag begins with '#'"),
        ("name because", "    ^", "unexpected character ' ' at position 5", "only '(', '='"),
        # values that need quotes
        ("key=x/y", "     ^", "unexpected character '/' at position 6", 'quote the value: "x/y"'),
        ("key=/status # c", "    ^", "unexpected character '/' at position 5", 'quote the value: "/status"'),
        ("key(x)=/status", "       ^", "unexpected character '/' at position 8", 'quote the value: "/status"'),
        ("key=x@y", "     ^", "unexpected character '@' at position 6", 'quote the value: "x@y"'),
        ("key={a,b}", "    ^", "unexpected character '{' at position 5", 'quote the value: "{a,b}"'),
        ("key=a,b", "     ^", "unexpected character ',' at position 6", 'quote the value: "a,b"'),
        ("key='a'", "    ^", r"unexpected character '\'' at position 5", 'quote the value: "a"'),
        ("key=5Gi", "     ^", "unexpected character 'G' at position 6", 'quote the value: "5Gi"'),
        ("key=0X1F", "     ^", "unexpected character 'X' at position 6", 'quote the value: "0X1F"'),
        ("key=1_000", "     ^", "unexpected character '_' at position 6", 'quote the value: "1_000"'),
        ("a(since: 1.35)=+b", "          ^", "unexpected character '.' at position 11", 'quote the value: "1.35"'),
        ("a(x: 1, y: 1.35)=+b", "            ^", "unexpected character '.' at position 13", 'quote the value: "1.35"'),
        ("name(missing`)", "            ^", "unexpected character '`' at position 13", 'quote the value: "missing`"'),
        ("a=+b(missing`)", "            ^", "unexpected character '`' at position 13", 'quote the value: "missing`"'),
        # strings
        ("key=`open", "    ^^^^^", "unterminated string at position 9", "close the string"),
        ('key="open', "    ^^^^^", "unterminated string at position 9", "close the string"),
        ('a(k: "x)', "     ^^^", "unterminated string at position 8", "close the string"),
        ('key="x\\', "    ^^^", "unterminated string at position 7", "close the string"),
        (r'key="a\nb"', "      ^^", "unhandled escaped character 'n'", "in quotes only"),
        (r"a(k: 1, j: `x\"`)", "             ^^", "unhandled escaped character '\"'", "in quotes only"),
        # numbers
        ("key=08", "    ^^", 'invalid number "08" at position 6', "a number is decimal"),
        ("key=0x", "    ^^", 'invalid number "0x" at position 6', "a number is decimal"),
        ("key=0o", "    ^^", 'invalid number "0o" at position 6', "a number is decimal"),
        ("key=0b", "    ^^", 'invalid number "0b" at position 6', "a number is decimal"),
        ("key=0b12", "    ^^^^", 'invalid number "0b12" at position 8', "a number is decimal"),
        ("key=123abc", "    ^^^^^^", 'invalid number "123abc" at position 10', "a number is decimal"),
        ("key=-", "    ^", 'invalid number "-" at position 5', "a number is decimal"),
        ("key=+", "    ^", 'invalid number "+" at position 5', "a number is decimal"),
        ("key=-x", "    ^", 'invalid number "-" at position 5', "a number is decimal"),
        ("key=٣", "    ^", 'invalid number "٣" at position 5', "a number is decimal"),
        ("a(k: 1, j: 09)", "           ^^", 'invalid number "09" at position 13', "a number is decimal"),
        (
            "key=9999999999999999999",
            "    ^^^^^^^^^^^^^^^^^^^",
            'invalid number "9999999999999999999" at position 23',
            "a number is decimal",
        ),
        # ends
        ("name=", "     |", "unexpected end of input", "write a value after '='"),
        ("a=+b=", "     |", "unexpected end of input", "write a value after '='"),
        ("name=#c", "     ^", "unexpected character '#' at position 6", "write a value after '='"),
        ("name(x)= # c", "        ^", "unexpected character ' ' at position 9", "write a value after '='"),
        ("name(", "     |", "unexpected end of input", "close the arguments with ')'"),
        ("name(x", "      |", "unexpected end of input", "close the arguments with ')'"),
        ("name(x,", "       |", "unexpected end of input", "close the arguments with ')'"),
        ("name(k:", "       |", "unexpected end of input", "write a value after ':'"),
        # arguments
        ("name(a, b)", "        ^", "multiple arguments must use 'name: value' syntax", "give a single argument"),
        ("a=+name(a, b)", "           ^", "multiple arguments must use 'name: value' syntax", "give a single argument"),
        ("name(a, k: b)", "        ^^^^", "can't mix named and positional arguments", "give a single argument"),
        ("name(k: b, a)", "           ^", "can't mix named and positional arguments", "give a single argument"),
        ("name(k=v)", "      ^", "unexpected character '=' at position 7", "write an argument as `name: value`"),
        ('name("k": v)', "        ^", "unexpected character ':' at position 9", "names of arguments are not quoted"),
        ("name(,)", "     ^", "unexpected character ',' at position 6", "a value is missing"),
        # codetags drops such a name, or keeps it for the argument that comes next
        ("name(k:)", "       ^", "unexpected character ')' at position 8", "a value is missing"),
        ("name(k: j: v)", "         ^", "unexpected character ':' at position 10", 'quote the value: "j: v"'),
        # other spellings
        ("a(x):=5", "    ^", "unexpected character ':' at position 5", "`:=` is how kubebuilder writes it; write '='"),
        ("a(k:=5)", "    ^", "unexpected character '=' at position 5", "`:=` is how kubebuilder writes it; write ':'"),
        (
            "k8s:eachVal=k8s:minimum=1",
            "               ^",
            "unexpected character ':' at position 16",
            "write '=+' before",
        ),
        ("name/x", "    ^", "unexpected character '/' at position 5", "only '(', '='"),
    ],
)
def test_error(text: str, mark: str, message: str, help: str) -> None:
    error = failure(text)
    assert error.message == message
    assert error.span == Span("x.go", LINE, COLUMN + 1 + len(mark.rstrip("^|")), COLUMN + 1 + len(mark.rstrip("|")))
    assert error.help.startswith(help)
    assert str(error) == message


@each(
    ("text", "name", "args", "value"),
    [
        ("key", "key", [], None),
        ("key(x)", "key", ["x"], None),
        ("key # comment=1", "key", [], None),
        ("key=", "key", [], ""),
        ("key(x)=", "key", ["x"], ""),
        ("key=true # comment", "key", [], "true # comment"),
        ("key=+key2", "key", [], "+key2"),
        (r"key=this is \ arbitrary content !!", "key", [], r"this is \ arbitrary content !!"),
        ("key(k: 1)= =#", "key", ["1"], " =#"),
        ("k8s:validation-gen-input=k8s.io/api/apps/v1", "k8s:validation-gen-input", [], "k8s.io/api/apps/v1"),
    ],
)
def test_raw(text: str, name: str, args: list[str], value: str | None) -> None:
    tag = parse_raw(raw_tag(text))
    assert (tag.name, [a.value for a in tag.args], tag.value, tag.payload) == (name, args, value, None)
    assert tag.value_type is (ValueType.NONE if value is None else ValueType.RAW)
    if value is None:
        assert tag.value_span is None
    else:
        assert pointed(tag.value_span, text) == value
        assert pointed(tag.span, text) == f"+{text}"


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("key =x", "unexpected character ' ' at position 4", "remove the white space before '='"),
        ("key(since: 1.35)=x", "unexpected character '.' at position 13", 'quote the value: "1.35"'),
        ("key(x", "unexpected end of input", "close the arguments with ')'"),
        ("key // why", "unexpected character ' ' at position 4", "a comment after a tag begins with '#'"),
    ],
)
def test_raw_error(text: str, message: str, help: str) -> None:
    error = failure(text, raw=True)
    assert error.message == message
    assert error.help.startswith(help)


def test_every_part_knows_its_columns() -> None:
    text = 'k8s:item(type: "A", n:  -5)=+k8s:eachVal()=+k8s:format="x" # why'
    tag = parse(raw_tag(text))
    outer, middle, inner = chain(tag)
    end = '+k8s:format="x"'
    assert pointed(outer.span, text) == f'+k8s:item(type: "A", n:  -5)=+k8s:eachVal()={end}'
    assert pointed(outer.name_span, text) == "k8s:item"
    assert [pointed(a.span, text) for a in outer.args] == ['type: "A"', "n:  -5"]
    assert pointed(middle.span, text) == f"+k8s:eachVal()={end}"
    assert pointed(middle.name_span, text) == "k8s:eachVal"
    assert pointed(inner.span, text) == end
    assert pointed(inner.value_span, text) == '"x"'
    assert outer.value_span is middle.value_span is None


def test_equal_lines_keep_their_own_positions() -> None:
    spans = [Span("a.go", 1, 3, 16), Span("b.go", 20, 11, 24)]
    tags = [parse(RawTag("name", "name(x)=+b=5", span)) for span in spans]
    assert [t.span for t in tags] == spans
    assert [t.args[0].span for t in tags] == [Span("a.go", 1, 9, 10), Span("b.go", 20, 17, 18)]
    errors = []
    for span in spans:
        with pytest.raises(TagSyntaxError) as caught:
            parse(RawTag("name", "name(x)=+b/5", span))
        errors.append(caught.value.span)
    assert errors == [Span("a.go", 1, 14, 15), Span("b.go", 20, 22, 23)]


def test_long_chains_do_not_exhaust_the_stack() -> None:
    tag = parse(raw_tag("a" + "=+a" * 3000 + "=5"))
    assert len(chain(tag)) == 3001
    assert chain(tag)[-1].value == "5"


def test_huge_numbers_are_errors_of_the_tag() -> None:
    assert failure(f"a={'9' * 10_000}").message.startswith('invalid number "999')


def test_lark_is_imported_with_the_first_tag() -> None:
    program = "import sys, validation_gen.tags.parser; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


NOWHERE = Span("")
NAMES = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.:-]*", fullmatch=True)
WORDS = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.-]*", fullmatch=True)
SCALARS = st.one_of(
    st.tuples(st.text(), st.just(ValueType.STRING)),
    st.tuples(st.integers(-(2**63), 2**63 - 1).map(str), st.just(ValueType.INT)),
    st.tuples(st.sampled_from(["true", "false"]), st.just(ValueType.BOOL)),
)
ARGUMENTS = st.one_of(
    st.just([]), SCALARS.map(lambda s: [("", s)]), st.lists(st.tuples(WORDS, SCALARS), min_size=1, max_size=3)
).map(lambda args: tuple(Arg(name, value, kind, NOWHERE) for name, (value, kind) in args))


def _bare(name: str, args: tuple[Arg, ...], scalar: tuple[str, ValueType] | None) -> Tag:
    value, kind = scalar or (None, ValueType.NONE)
    return Tag(name, args, value, kind, None, NOWHERE, NOWHERE)


TAGS = st.recursive(
    st.builds(_bare, NAMES, ARGUMENTS, st.none() | SCALARS),
    lambda tags: st.builds(
        lambda name, args, tag: Tag(name, args, None, ValueType.TAG, tag, NOWHERE, NOWHERE), NAMES, ARGUMENTS, tags
    ),
    max_leaves=4,
)


@given(TAGS)
def test_canonical_form_means_the_same_tag(tag: Tag) -> None:
    (raw,) = extract([CommentLine(str(tag), Span("x.go", LINE, COLUMN, COLUMN + len(str(tag))))])
    parsed = parse(raw)
    assert raw.name == tag.name
    assert content(parsed) == content(tag)
    assert str(parsed) == str(tag)


@given(TAGS)
def test_spans_point_at_their_parts(tag: Tag) -> None:
    text = str(tag)[1:]
    for link in chain(parse(raw_tag(text))):
        assert pointed(link.span, text) == str(link)
        assert pointed(link.name_span, text) == link.name
        assert [pointed(a.span, text) for a in link.args] == [str(a) for a in map(_shown, link.args)]
        if link.value is not None:
            assert f"{pointed(link.span, text)}".endswith(f"={pointed(link.value_span, text)}")


def _shown(arg: Arg) -> str:
    """An argument in canonical form, taken from a tag that has no other."""
    return str(_bare("a", (arg,), None))[3:-1]


PIECES = [
    "a",
    "k8s:b",
    "true",
    "5",
    "-",
    "0x1F",
    "08",
    '"',
    "`",
    '"x"',
    "\\",
    "(",
    ")",
    "=",
    "=+",
    ",",
    ":",
    " ",
    "#",
    ".",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)), st.booleans())
def test_no_text_raises_any_other_error(text: str, raw: bool) -> None:
    try:
        span = (parse_raw if raw else parse)(raw_tag(text)).span
    except TagSyntaxError as error:
        span = error.span
    assert COLUMN <= span.column <= span.end_column <= COLUMN + 1 + len(text)


def test_characters_are_named_as_go_names_them() -> None:
    """`%q` has two hexadecimal digits for what is ASCII, and four or eight for all else."""
    for character, shown in (("\x7f", r"\x7f"), ("\x80", r"\u0080"), ("\x01", r"\x01"), ("\U000e0001", r"\U000e0001")):
        assert f"'{shown}'" in str(failure(f"na{character}me"))


def test_numbers_fill_64_bits() -> None:
    for number in ("-9223372036854775808", "9223372036854775807"):
        assert parse(raw_tag(f"a={number}")).value == number
    for number in ("-9223372036854775809", "9223372036854775808"):
        assert f'invalid number "{number}"' in str(failure(f"a={number}"))
