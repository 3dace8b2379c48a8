"""Values as controller-gen reads them, and where their parts stand."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.diagnostics import Severity, Span
from validation_gen.rules.markers.base import Argument, Marker, MarkerError, Use
from validation_gen.rules.markers.parser import find_ignored_word, parse
from validation_gen.rules.markers.values import ANY, BOOL, INT, NUMBER, REST, TEXT, TEXTS, VALUES, ValueType
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import extract


def use(text: str, *arguments: Argument) -> Use:
    marker = Marker("m", frozenset(), "", "+m=1", arguments)
    (raw,) = extract([CommentLine(text, Span("f", 1, 1, 1 + len(text)))])
    return parse(raw, marker)


def value(text: str, type: ValueType) -> object:
    return use(f"+m={text}", Argument("", type, "")).value


@each(
    ("text", "type", "wanted"),
    [
        ("5", INT, 5),
        ("-5", INT, -5),
        ("010", INT, 10),
        ("1.5", NUMBER, 1.5),
        ("-.5", NUMBER, -0.5),
        ("100.0", NUMBER, 100),
        ("1e3", NUMBER, 1000),
        ("18446744073709551615", NUMBER, 18446744073709551615),
        ("-9223372036854775809", NUMBER, -9223372036854775809),
        ("1e+30", NUMBER, 1e30),
        ("true", BOOL, True),
        ("abc", TEXT, "abc"),
        ("a b  c", TEXT, "a b  c"),
        ('"a,b;}"', TEXT, "a,b;}"),
        (r'"a\"\\\n\x41\101\u00e9"', TEXT, 'a"\\\nAAé'),
        (r"`^\d+,;$`", TEXT, r"^\d+,;$"),
        ("^[a-z]([-a-z]*[a-z])?$", TEXT, "^[a-z]([-a-z]*[a-z])?$"),
        ("a:b", TEXT, "a:b"),
        ("a;b;c", TEXTS, ["a", "b", "c"]),
        ("{a, b}", TEXTS, ["a", "b"]),
        ("{}", TEXTS, []),
        ("a", TEXTS, ["a"]),
        ('1;2;"foo";bar;true', VALUES, [1, 2, "foo", "bar", True]),
        ("1.5;2", VALUES, [1.5, 2]),
        ("5", ANY, 5),
        ("5.0", ANY, 5),
        ("true", ANY, True),
        ("truest", ANY, "truest"),
        ("100Mi", ANY, "100Mi"),
        ("2024-01-15", ANY, "2024-01-15"),
        ("087", ANY, "087"),
        ("123/config", ANY, "123/config"),
        ("a;b", ANY, ["a", "b"]),
        ("{1,2}", ANY, [1, 2]),
        ("{}", ANY, {}),
        ('{policy: "delete", n: 1}', ANY, {"policy": "delete", "n": 1}),
        (
            '{{nested: {foo: "baz", bar: true}},{nested: {foo: "qux", bar: false}}}',
            ANY,
            [{"nested": {"foo": "baz", "bar": True}}, {"nested": {"foo": "qux", "bar": False}}],
        ),
        ('[1, "a"]', REST, '[1, "a"]'),
    ],
)
def test_a_value_is_read(text: str, type: ValueType, wanted: object) -> None:
    found = value(text, type)
    assert found == wanted
    assert repr(found) == repr(wanted)  # 1 is not true, and 100 is not 100.0


@each(
    ("text", "type", "message", "column"),
    [
        ("abc", INT, "'abc' is here where an integer is expected", 4),
        ("1.5", INT, "'1.5' is here where an integer is expected", 4),
        ("0x10", INT, "0x10 is not an integer that a marker can have", 4),
        ("99999999999999999999", INT, "99999999999999999999 is not an integer that a marker can have", 4),
        ("1e999", NUMBER, "1e999 is not a number that a marker can have", 4),
        ("yes", BOOL, "'yes' is here where true or false is expected", 4),
        ('"open', TEXT, "the string has no closing quote", 4),
        (r'"open\"', TEXT, "the string has no closing quote", 4),
        ("`open", TEXT, "the string has no closing backtick", 4),
        (r'"\d"', TEXT, r"\d means nothing in a quoted string", 4),
        ("a,b", TEXT, "',b' is left over behind the value", 5),
        ("a;b", TEXT, "';b' is left over behind the value", 5),
        (",b", TEXT, "a value is missing", 4),
        ("{a,b", TEXTS, "the line ends where '}' is expected", 8),
        ("{a;b}", TEXTS, "';' is here where ',' is expected", 6),
        ("{a: 1", ANY, "the line ends where '}' is expected", 9),
        ("{1,a}", ANY, "'a' is here where an integer is expected", 7),
        ("{" * 1000, ANY, "the value is nested too deeply", 55),
        ("", TEXT, "a value is missing", 1),
    ],
)
def test_what_cannot_be_read_is_an_error(text: str, type: ValueType, message: str, column: int) -> None:
    with pytest.raises(MarkerError) as error:
        value(text, type)
    assert error.value.message == message
    assert (error.value.span or Span("f", 1, 1, 2)).column == column


ROBOT = (
    Argument("rule", TEXT, ""),
    Argument("names", TEXTS, "", required=False),
    Argument("n", INT, "", required=False),
)


def test_arguments_know_their_places() -> None:
    found = use('+m:rule="a,b",names=x;"y z",n=-3', *ROBOT)
    assert (found.text("rule"), found.texts("names"), found.arguments["n"].value) == ("a,b", ("x", "y z"), -3)
    assert (found.place("rule").column, found.place("rule").end_column) == (9, 14)
    assert (found.place("names", 1).column, found.place("names", 1).end_column) == (23, 28)
    assert (found.place("n").column, found.place("n").end_column) == (31, 33)
    assert (found.span.column, found.span.end_column) == (1, 33)


@each(
    ("text", "code", "message", "help"),
    [
        ("+m:names=a", "VG523", 'the argument "rule" is missing', "for example: +m=1"),
        ("+m:rules=a", "VG523", 'there is no argument "rules"', "did you mean rule?"),
        ("+m:zzz=a", "VG523", 'there is no argument "zzz"', "the arguments are rule, names, n"),
        ("+m=rule=a", "VG523", "the arguments of this marker have names", "for example: +m=1"),
        ("+m:rule=a names=b,n", "VG520", "the line ends where '=' is expected", "for example: +m=1"),
        ("+m:rule=a,", "VG520", "the line ends where the name of an argument is expected", "for example: +m=1"),
        ("+m:rule", "VG521", "unknown marker", "write :name=value behind the name, for example: +m=1"),
        ("+m rule=a", "VG520", "the line has no effect, as only '=' can follow the name", "for example: +m=1"),
    ],
)
def test_wrong_arguments(text: str, code: str, message: str, help: str) -> None:
    with pytest.raises(MarkerError) as error:
        use(text, *ROBOT)
    assert (error.value.code, error.value.message, error.value.help) == (code, message, help)


def test_a_colon_before_the_sign_means_nothing() -> None:
    assert use("+m:=5", Argument("", INT, "")).value == 5


@pytest.mark.parametrize("text", ["+m: rule=a,n=1", "+m:rule =a, n =1", "+m:  rule = a, n = 1"])
def test_blanks_may_stand_around_names_of_arguments(text: str) -> None:
    found = use(text, *ROBOT)
    assert (found.text("rule"), found.arguments["n"].value) == ("a", 1)
    assert text[found.place("rule").column - 1] == "a"


def test_blanks_may_stand_between_colon_and_sign() -> None:
    assert use("+m: =5", Argument("", INT, "")).value == 5


def test_what_takes_no_value_has_none() -> None:
    with pytest.raises(MarkerError, match="this marker takes no value"):
        use("+m=true")
    assert use("+m=").value is None


@pytest.mark.parametrize(
    ("text", "wanted", "word"),
    [
        ("+m:x=1", 1, "x"),
        ("+m:value=1", 1, "value"),
        ("+m: a b =1", 1, " a b "),
        ("+m:=1", 1, None),
        ("+m=1", 1, None),
    ],
)
def test_one_value_is_taken_whatever_the_word_before_it(text: str, wanted: object, word: str | None) -> None:
    marker = Marker("m", frozenset(), "", "+m=1", (Argument("", INT, ""),))
    (raw,) = extract([CommentLine(text, Span("f", 1, 1, 1 + len(text)))])
    assert parse(raw, marker).value == wanted
    span = find_ignored_word(raw, marker)
    assert (span and text[span.column - 1 : span.end_column - 1]) == word


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("+m:3", "did you mean +m=3?"),
        ("+m: 3", "did you mean +m=3?"),
        ("+m:", "did you mean +m?"),
        ("+m:x,y", "for example: +m=1"),
    ],
)
def test_a_colon_before_the_value_makes_another_name(text: str, help: str) -> None:
    with pytest.raises(MarkerError) as error:
        use(text, Argument("", INT, ""))
    assert (error.value.code, error.value.severity, error.value.help) == ("VG521", Severity.WARNING, help)


def test_parts_of_generated_text_have_the_place_of_the_whole() -> None:
    marker = Marker("m", frozenset(), "", "", (Argument("", INT, ""),))
    span = Span("f", 3, 10, 12)
    (raw,) = extract([CommentLine("+m=5", span, literal=False)])
    found = parse(raw, marker)
    assert found.place() == found.span == span
