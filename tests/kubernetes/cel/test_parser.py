"""What texts are parsed into. Mistakes are in `samples`, with the server's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel import InvalidExpression, parse, tree
from validation_gen.kubernetes.cel.types import BYTES, DOUBLE, INT, STRING, UINT, Type


def _written(node: tree.Node) -> str:
    """A tree as text, each call with its function in front."""
    match node:
        case tree.Literal():
            return repr(node.value)
        case tree.Ident():
            return node.name
        case tree.Select():
            return (
                f"has({_written(node.operand)}.{node.field})"
                if node.test_only
                else f"{_written(node.operand)}.{node.field}"
            )
        case tree.Call():
            target = f"{_written(node.target)}." if node.target else ""
            return f"{target}{node.function}({', '.join(map(_written, node.args))})"
        case tree.ListLiteral():
            elements = enumerate(node.elements)
            return f"[{', '.join('?' * (i in node.optional) + _written(element) for i, element in elements)}]"
        case tree.MapLiteral():
            return f"{{{', '.join(map(_written, node.entries))}}}"
        case tree.ObjectLiteral():
            return f"{node.type_name}{{{', '.join(map(_written, node.entries))}}}"
        case tree.Entry():
            return f"{'?' * node.optional}{_written(node.key)}: {_written(node.value)}"
        case tree.Comprehension():
            parts = map(_written, tree.children(node))
            return f"fold({node.var}, {node.var2}, {node.accu}; {'; '.join(parts)})"
    raise AssertionError(node)


@each(
    ("text", "written"),
    [
        ("a + b * c - d", "_-_(_+_(a, _*_(b, c)), d)"),
        ("a < b == c in d", "@in(_==_(_<_(a, b), c), d)"),
        ("a || b && c", "_||_(a, _&&_(b, c))"),
        ("a && b && c && d", "_&&_(_&&_(a, b), _&&_(c, d))"),
        ("a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"),
        ("!a.b", "!_(a.b)"),
        ("!!a", "a"),
        ("-a", "-_(a)"),
        ("-1", "-1"),
        ("-1.5", "-1.5"),
        ("1 - 1", "_-_(1, 1)"),
        ("1 -1", "_-_(1, 1)"),
        ("a[0].b(c)[?d]", "_[?_](_[_](a, 0).b(c), d)"),
        ("a.?b.c", "_?._(a, 'b').c"),
        ("a.`b.c-d`", "a.b.c-d"),
        (".a.b", ".a.b"),
        ("f()", "f()"),
        ("[,]", "[]"),
        ("[a, ?b,]", "[a, ?b]"),
        ("{a: b, ?c: d,}", "{a: b, ?c: d}"),
        ("a.B{c: d}", "a.B{'c': d}"),
        ("inside in into", "@in(inside, into)"),
        ("truest || nullable", "_||_(truest, nullable)"),
        ("a // comment\n + b", "_+_(a, b)"),
        ("has(a.b)", "has(a.b)"),
        ("has(a, b)", "has(a, b)"),
        ("a.all(x)", "a.all(x)"),
        ("a.all(x, y)", "fold(x, , @result; a; True; @not_strictly_false(@result); _&&_(@result, y); @result)"),
        ("a.map(k, v)", "fold(k, , @result; a; []; True; _+_(@result, [v]); @result)"),
        (
            "a.filter(x, y)",
            "fold(x, , @result; a; []; True; _?_:_(y, _+_(@result, [x]), @result); @result)",
        ),
        (
            "a.exists(i, v, y)",
            "fold(i, v, @result; a; False; @not_strictly_false(!_(@result)); _||_(@result, y); @result)",
        ),
        (
            "a.transformMap(k, v, y)",
            "fold(k, v, @result; a; {}; True; cel.@mapInsert(@result, k, y); @result)",
        ),
        (
            "a.optFlatMap(x, y)",
            "_?_:_(a.hasValue(), fold(#unused, , x; []; a.value(); False; x; y), optional.none())",
        ),
    ],
)
def test_tree(text: str, written: str) -> None:
    assert _written(parse(text).root) == written


@each(
    ("text", "value", "type"),
    [
        ("0x1F", 31, INT),
        ("-0x1f", -31, INT),
        ("-9223372036854775808", -(2**63), INT),
        ("18446744073709551615u", 2**64 - 1, UINT),
        ("0xFFu", 255, UINT),
        ("1e3", 1000.0, DOUBLE),
        (".5e-1", 0.05, DOUBLE),
        (r"'a\'\"\n\x41\u00e9\U0001F600\101'", "a'\"\nA\u00e9\U0001f600A", STRING),
        (r"r'\d\'", "\\d\\", STRING),
        ("'''a'b\nc'''", "a'b\nc", STRING),
        ('"""a"b\r\nc"""', 'a"b\nc', STRING),
        ('R"""\\n"""', "\\n", STRING),
        ("''", "", STRING),
        (r"b'\xff\303é'", b"\xff\xc3\xc3\xa9", BYTES),
        (r"br'\x'", b"\\x", BYTES),
    ],
)
def test_literal(text: str, value: object, type: Type) -> None:
    root = parse(text).root
    assert isinstance(root, tree.Literal)
    assert (root.value, root.type) == (value, type)


@each(
    ("text", "offset"),
    [
        ("a  + b", 3),
        ("a.b", 1),
        ("a.b(c)", 3),
        ("f(x)", 1),
        ("a[0]", 1),
        ("[a]", 0),
        (" 'é' == b", 5),
        ("a ? b : c", 2),
    ],
)
def test_a_node_stands_where_its_operator_is(text: str, offset: int) -> None:
    assert parse(text).root.offset == offset


def test_nodes_are_numbered() -> None:
    expression = parse("a.optMap(x, x + 1).orValue(0) == b.c")
    numbers = []
    pending: list[tree.Node] = [expression.root]
    while pending:
        node = pending.pop()
        numbers.append(node.id)
        pending += tree.children(node)
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) < expression.size


def test_equal_texts_share_a_tree() -> None:
    assert parse("a + b") is parse("a + b")


_LIMIT = "expression recursion limit exceeded: 250"
_VISITS = "max recursion depth exceeded"


@each(
    ("text", "most", "message"),
    [
        (lambda n: "(" * n + "a" + ")" * n, 249, _LIMIT),
        (lambda n: "a" + ".b" * n, 250, _VISITS),
        (lambda n: "a" + "[0]" * n, 250, _VISITS),
        (lambda n: "a" + ".b()" * n, 250, _VISITS),
        (lambda n: "[" * n + "]" * n, 250, _LIMIT),
        (lambda n: "{0: " * n + "a" + "}" * n, 249, _LIMIT),
        (lambda n: "f(" * n + "a" + ")" * n, 249, _LIMIT),
        (lambda n: "a" + " + a" * n, 250, _VISITS),
        (lambda n: "a" + " * a" * n, 250, _VISITS),
        (lambda n: "a" + " == a" * n, 250, _VISITS),
        (lambda n: "a ? a : " * n + "a", 249, _LIMIT),
        (lambda n: "(a + " * n + "a" + ")" * n, 124, _LIMIT),
        (lambda n: "a[" * n + "a" + "]" * n, 249, _LIMIT),
        (lambda n: "a" + ".b" * n + " + a" * 100, 150, _VISITS),
    ],
)
def test_what_is_nested_too_deeply_is_refused(text: Callable[[int], str], most: int, message: str) -> None:
    """The server counts while it reads, for each rule of its grammar, and again when it makes a tree."""
    assert parse(text(most))
    with pytest.raises(InvalidExpression, match=f"^{message}$"):
        parse(text(most + 1))


def test_a_long_chain_of_logic_is_not_deep() -> None:
    assert parse("a" + " && a" * 2000).size == 4001


def test_what_grows_too_large_is_refused() -> None:
    with pytest.raises(InvalidExpression, match=r"^expression node limit exceeded: 200000$"):
        parse("a" + ".optMap(x, x)" * 30)


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(
        InvalidExpression, match=r"^expression code point size exceeds limit: size: 100001, limit 100000$"
    ):
        parse(" " * 100_000 + "a")


OPERANDS = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
ARGUMENTS = OPERANDS.replace("'(', '.'", "'(', ')', '.'")


@each(
    ("text", "found"),
    [
        ("a ? b ? c : d : e", [(6, "mismatched input '?' expecting ':'")]),
        (
            "(a ? b ? c : d : e)",
            [(7, "mismatched input '?' expecting ':'"), (15, "mismatched input ':' expecting <EOF>")],
        ),
        (
            "f((a ? b ? c : d : e), 1)",
            [(9, "mismatched input '?' expecting ':'"), (17, "mismatched input ':' expecting ')'")],
        ),
        ("f(a b)", [(4, "extraneous input 'b' expecting ')'")]),
        ("[1, 2", [(5, "mismatched input '<EOF>' expecting {']', ','}")]),
        ("f(a", [(3, "missing ')' at '<EOF>'")]),
        ("a[1, 2] + b[2", [(3, "mismatched input ',' expecting ']'"), (13, "missing ']' at '<EOF>'")]),
        ("a +", [(3, f"mismatched input '<EOF>' expecting {OPERANDS}")]),
        ("a || * b", [(5, f"extraneous input '*' expecting {OPERANDS}")]),
        ("f(+)", [(2, f"extraneous input '+' expecting {ARGUMENTS}")]),
        ("!* a", [(1, f"extraneous input '*' expecting {OPERANDS}")]),
        (
            "a. ? 1 == b",
            [(5, "mismatched input '1' expecting {IDENTIFIER, ESC_IDENTIFIER}"), (5, "unsupported ident kind")],
        ),
        ("a. )", [(3, "no viable alternative at input '. )'")]),
        ("{'a': 1, 'b'}", [(12, "mismatched input '}' expecting ':'")]),
        ("f(1 {a: 2})", [(4, "mismatched input '{' expecting ')'")]),
        (
            "a = b & c",
            [
                (2, "token recognition error at: '= '"),
                (4, "mismatched input 'b' expecting <EOF>"),
                (6, "token recognition error at: '& '"),
            ],
        ),
        ("a + 'b", [(4, "token recognition error at: ''b'"), (6, f"mismatched input '<EOF>' expecting {OPERANDS}")]),
    ],
)
def test_all_mistakes_of_syntax_are_reported(text: str, found: list[tuple[int, str]]) -> None:
    """The server leaves out a token, supposes one, or skips to one that can follow."""
    with pytest.raises(InvalidExpression) as caught:
        parse(text)
    assert [issue.offset for issue in caught.value.issues] == [offset for offset, _ in found]
    for issue, (_, message) in zip(caught.value.issues, found, strict=True):
        assert issue.message.removeprefix("Syntax error: ") == message


@pytest.mark.parametrize(
    "text", ["(" * 5000 + "a b", "\x00" * 90_000, "a. " * 30_000, "f(a b, " * 10_000, "! * " * 20_000]
)
def test_many_mistakes_end_soon(text: str) -> None:
    with pytest.raises(InvalidExpression) as caught:
        parse(text)
    assert 1 <= len(caught.value.issues) <= 101
