"""Syntax errors of expressions, in the words of the API server.

The server recovers from a mistake: it leaves out a token, inserts one, or skips to a token that can follow one of the
open rules. `_Recognizer` does so, too. It makes no tree, and only runs where there is a mistake.

Source of the behaviour: `DefaultErrorStrategy` in the runtime of ANTLR, and the parser that it makes of the grammar of
cel-go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from validation_gen.kubernetes.cel.tree import Issue

if TYPE_CHECKING:
    from lark import Lark

#: Tokens in upstream's order, and their text in errors.
_SHOWN = {
    **dict(
        zip(
            "LSQB RSQB LBRACE RBRACE LPAR RPAR DOT COMMA MINUS NOT QUESTION COLON TRUE FALSE NULL".split(),
            "'[' ']' '{' '}' '(' ')' '.' ',' '-' '!' '?' ':' 'true' 'false' 'null'".split(),
            strict=True,
        )
    ),
    **{name: name for name in "NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER ESC_IDENTIFIER".split()},
    "$END": "<EOF>",
}
_ESCAPED = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
#: Beginning of a string without an end, or with an unknown escape: up to the character that does not fit.
_ESCAPE = r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"""
_BROKEN = r"""\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?"""
_UNENDING = re.compile(
    rf"""[bB]?[rR](?:"[^"\n\r]*|'[^'\n\r]*)"""
    rf"""|[bB]?(?:"(?:[^"\\\n\r]|{_ESCAPE})*|'(?:[^'\\\n\r]|{_ESCAPE})*)(?:{_BROKEN})?"""
)

Names = frozenset[str]
#: Operators by levels, of which the last is the tightest.
_OPERATORS = (
    frozenset(("OR",)),
    frozenset(("AND",)),
    frozenset(("EQ", "NE", "IN", "LT", "LE", "GE", "GT")),
    frozenset(("PLUS", "MINUS", "STAR", "SLASH", "PERCENT")),
)
_NUMBERS = frozenset(("NUM_INT", "NUM_FLOAT"))
_LITERALS = frozenset(("TRUE", "FALSE", "NULL", "NUM_UINT", "STRING", "BYTES")) | _NUMBERS
_MEMBERS = frozenset(("LSQB", "LBRACE", "LPAR", "DOT", "MINUS", "IDENTIFIER")) | _LITERALS
_OPERANDS = _MEMBERS | {"NOT"}
_OPTIONAL = _OPERANDS | {"QUESTION"}
_FIELDS = frozenset(("IDENTIFIER", "ESC_IDENTIFIER"))
_STEPS = frozenset(("DOT", "LSQB"))
_NOTHING: Names = frozenset()
#: Upstream's limits for attempts to recover, and for reported mistakes.
_MOST_ATTEMPTS, _MOST_ISSUES = 30, 100


class _Token(NamedTuple):
    name: str
    text: str
    offset: int


class _Follow(NamedTuple):
    """Tokens that can follow an open rule, and whether the enclosing rule may end there."""

    names: Names
    ends: bool


class _MismatchError(Exception):
    """A token does not fit, so the parser leaves the rule."""


class _NoMoreError(Exception):
    """Upstream makes no more attempts to recover."""


def syntax_issues(lark: Lark, text: str) -> list[Issue]:
    """Returns all syntax errors of a text, ordered by position."""
    issues: list[Issue] = []
    skipped: list[tuple[int, int]] = []
    tokens = list(_tokens(lark, text, skipped))
    for begin, end in skipped:
        issues.append(Issue(f"Syntax error: token recognition error at: '{text[begin:end]}'", begin))
    recognizer = _Recognizer(tokens, issues, lambda begin, end: _without(text, begin, end, skipped))
    try:
        recognizer.start()
    except _NoMoreError:
        issues.append(
            Issue(f"Syntax error: error recovery attempt limit exceeded: {_MOST_ATTEMPTS}", recognizer.offset)
        )
    found = sorted(issues, key=lambda issue: issue.offset)
    if len(found) > _MOST_ISSUES:
        found[_MOST_ISSUES] = Issue(f"Syntax error: More than {_MOST_ISSUES} syntax errors", found[_MOST_ISSUES].offset)
    return found[: _MOST_ISSUES + 1]


def _tokens(lark: Lark, text: str, skipped: list[tuple[int, int]]) -> Iterator[_Token]:
    """Yields the tokens of a text, and records the characters that belong to none in `skipped`."""
    from lark import UnexpectedCharacters  # noqa: PLC0415

    begin = 0
    while len(skipped) <= _MOST_ISSUES:
        try:
            for token in lark.lex(text[begin:]):
                name = "STRING" if token.type == "RAW_STRING" else token.type
                if name == "STRING" and token[0] in "bB":
                    name = "BYTES"
                yield _Token(name, str(token), begin + (token.start_pos or 0))
            break
        except UnexpectedCharacters as error:
            offset = begin + (error.pos_in_stream or 0)
            begin = _end_of_unknown(text, offset)
            skipped.append((offset, begin))
    yield _Token("$END", "<EOF>", len(text))


def _end_of_unknown(text: str, offset: int) -> int:
    """Returns the end of characters that form no token, such as `=`, `&` or a string without an end."""
    match = _UNENDING.match(text, offset)
    end = match.end() + 1 if match else offset + (2 if text[offset] in "&|=" else 1)
    return min(end, len(text))


def _without(text: str, begin: int, end: int, skipped: list[tuple[int, int]]) -> str:
    """Returns a part of a text without the characters that form no token."""
    shown = []
    for first, last in skipped:
        if begin <= first and last <= end:
            shown.append(text[begin:first])
            begin = last
    return "".join([*shown, text[begin:end]])


class _Recognizer:
    """Goes through the rules of the grammar, and records where a token does not fit."""

    def __init__(self, tokens: list[_Token], issues: list[Issue], text: Callable[[int, int], str]) -> None:
        self._tokens = tokens
        self._issues = issues
        self._text = text
        self._at = 0
        self._open: list[_Follow] = []
        self._recovering = False
        self._attempts = 0
        self._failed: tuple[int, set[str]] = (-1, set())

    @property
    def offset(self) -> int:
        return self._tokens[self._at].offset

    # --- rules of the grammar -----------------------------------------------------------------------------------------

    def start(self) -> None:
        with self._rule("start"):
            self._call(self._expr, frozenset(("$END",)))
            self._match("$END", ends=True)

    def _expr(self) -> None:
        with self._rule("expr"):
            self._call(self._operation, frozenset(("QUESTION",)), ends=True)
            if self._next() == "QUESTION":
                self._match("QUESTION", _OPERANDS)
                self._call(self._operation, frozenset(("COLON",)))
                self._match("COLON", _OPERANDS)
                self._call(self._expr, _NOTHING, ends=True)

    def _operation(self, level: int = 0) -> None:
        """Recognizes the operators of one level, with those of the tighter levels between them."""
        if level == len(_OPERATORS):
            self._unary()
            return
        operators = _OPERATORS[level]
        self._call(lambda: self._operation(level + 1), operators, ends=True)
        while self._next() in operators:
            self._match(self._next(), _OPERANDS)
            self._call(lambda: self._operation(level + 1), operators, ends=True)

    def _unary(self) -> None:
        with self._rule("unary"):
            self._sync("operand", _OPERANDS)
            first, second = self._next(), self._next(1)
            if first not in _OPERANDS:
                self._no_alternative("operand")
            if first == "MINUS" and second not in _MEMBERS:
                self._no_alternative("operand", 1)
            if first == "NOT":
                while self._next() == "NOT":
                    self._match("NOT", _OPERANDS)
                    self._skip_unwanted(_OPERANDS)
            elif first == "MINUS" and second not in _NUMBERS:
                while self._next() == "MINUS" and self._next(1) in _MEMBERS:
                    self._match("MINUS", _MEMBERS)
            self._call(self._member, _NOTHING, ends=True)

    def _member(self) -> None:
        with self._rule("member"):
            self._call(self._primary, _STEPS, ends=True)
            while self._next() in _STEPS:
                if self._next() == "LSQB":
                    self._match("LSQB", _OPTIONAL)
                    self._sync("index", _OPTIONAL)
                    self._skip("QUESTION")
                    self._call(self._expr, frozenset(("RSQB",)))
                    self._match("RSQB", _STEPS, ends=True)
                    continue
                if self._next(1) not in _FIELDS | {"QUESTION"}:
                    self._no_alternative("step", 1)
                self._match("DOT", _FIELDS)
                if self._next() == "IDENTIFIER" and self._next(1) == "LPAR":
                    self._match("IDENTIFIER", frozenset(("LPAR",)))
                    self._arguments(_STEPS)
                else:
                    self._skip("QUESTION")
                    self._call(self._field_name, _STEPS, ends=True)

    def _arguments(self, follow: Names = _NOTHING) -> None:
        self._match("LPAR", _OPERANDS | {"RPAR"})
        self._sync("arguments", _OPERANDS | {"RPAR"})
        if self._next() in _OPERANDS:
            self._call(self._expr_list, frozenset(("RPAR",)))
        self._match("RPAR", follow, ends=True)

    def _field_name(self, offset: int | None = None) -> None:
        offset = self.offset if offset is None else offset
        is_name = False
        with self._rule("field name"):
            self._sync("name", _FIELDS)
            if self._next() not in _FIELDS:
                self._no_alternative("name")
            self._match(self._next(), ends=True)
            is_name = True
        if not is_name:
            self._issues.append(Issue("unsupported ident kind", offset))

    def _primary(self) -> None:
        with self._rule("primary"):
            self._sync("primary", _MEMBERS)
            first = self._next()
            if first not in _MEMBERS:
                self._no_alternative("primary")
            if first == "DOT" and self._next(1) != "IDENTIFIER":
                self._no_alternative("primary", 1)
            if first in ("DOT", "IDENTIFIER"):
                self._named()
            elif first == "LPAR":
                self._match("LPAR", _OPERANDS)
                self._call(self._expr, frozenset(("RPAR",)))
                self._match("RPAR", ends=True)
            elif first == "LSQB":
                self._literal("LSQB", "RSQB", _OPTIONAL, self._elements)
            elif first == "LBRACE":
                self._literal("LBRACE", "RBRACE", _OPTIONAL, self._entries)
            else:
                self._call(self._constant, _NOTHING, ends=True)

    def _named(self) -> None:
        """Recognizes a variable, a call, or the literal of an object."""
        ahead = 1 if self._next() == "DOT" else 0
        is_call = self._next(ahead + 1) == "LPAR"
        last = ahead
        while self._next(last + 1) == "DOT" and self._next(last + 2) == "IDENTIFIER":
            last += 2
        is_object = self._next(last + 1) == "LBRACE"
        self._skip("DOT")
        self._match("IDENTIFIER", ends=True)
        if is_call:
            self._arguments()
        elif is_object:
            for _ in range((last - ahead) // 2):
                self._match("DOT", ends=True)
                self._match("IDENTIFIER", ends=True)
            self._literal("LBRACE", "RBRACE", _FIELDS | {"QUESTION"}, self._object_fields)

    def _literal(self, opening: str, closing: str, first: Names, content: Callable[[], None]) -> None:
        ending = frozenset((closing, "COMMA"))
        self._match(opening, first | ending)
        self._sync(f"{opening} content", first | ending)
        if self._next() in first:
            self._call(content, ending)
        self._sync(f"{opening} comma", ending)
        self._skip("COMMA")
        self._match(closing, ends=True)

    def _constant(self) -> None:
        with self._rule("literal"):
            self._sync("literal", _LITERALS | {"MINUS"})
            if self._next() == "MINUS":
                if self._next(1) not in _NUMBERS:
                    self._no_alternative("literal", 1)
                self._match("MINUS", _NUMBERS)
            self._match(self._next(), ends=True)

    # --- lists of parts -----------------------------------------------------------------------------------------------

    def _expr_list(self) -> None:
        comma = frozenset(("COMMA",))
        with self._rule("arguments"):
            self._call(self._expr, comma, ends=True)
            while self._next() == "COMMA":
                self._match("COMMA", _OPERANDS)
                self._call(self._expr, comma, ends=True)

    def _elements(self) -> None:
        self._list("elements", _OPTIONAL, lambda: self._call(self._optional, frozenset(("COMMA",)), ends=True))

    def _entries(self) -> None:
        self._list("entries", _OPTIONAL, lambda: self._entry(self._optional))

    def _object_fields(self) -> None:
        self._list("fields", _FIELDS | {"QUESTION"}, lambda: self._entry(self._object_field))

    def _list(self, name: str, first: Names, part: Callable[[], None]) -> None:
        with self._rule(name):
            part()
            while self._next() == "COMMA" and self._next(1) in first:
                self._match("COMMA", first)
                part()

    def _entry(self, key: Callable[[], None]) -> None:
        self._call(key, frozenset(("COLON",)))
        self._match("COLON", _OPERANDS)
        self._call(self._expr, frozenset(("COMMA",)), ends=True)

    def _optional(self) -> None:
        with self._rule("optional"):
            self._sync("optional", _OPTIONAL)
            self._skip("QUESTION")
            self._call(self._expr, _NOTHING, ends=True)

    def _object_field(self) -> None:
        with self._rule("field"):
            self._sync("field", _FIELDS | {"QUESTION"})
            offset = self.offset
            self._skip("QUESTION")
            self._call(lambda: self._field_name(offset), _NOTHING, ends=True)

    # --- tokens -------------------------------------------------------------------------------------------------------

    def _next(self, ahead: int = 0) -> str:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)].name

    def _consume(self) -> None:
        self._at = min(self._at + 1, len(self._tokens) - 1)

    def _fastpath(self) -> None:
        self._recovering, self._failed = False, (-1, set())
        self._consume()

    def _skip(self, name: str) -> None:
        if self._next() == name:
            self._fastpath()

    def _match(self, name: str, follow: Names = _NOTHING, *, ends: bool = False) -> None:
        """Takes a token. `follow` are the tokens after it in its rule."""
        if self._next() == name:
            self._fastpath()
            return
        self._attempt()
        wanted = frozenset((name,))
        if self._delete(wanted):
            self._consume()
        elif self._next() in self._find_following(follow, ends):
            self._report(f"missing {_join_names(wanted)} at {self._render_token()}")
        else:
            self._mismatch(f"match {name}", wanted)

    def _find_following(self, names: Names, ends: bool) -> Names:
        """Returns the tokens that can follow a token, in its rule and the enclosing ones."""
        for outer in reversed(self._open):
            if not ends:
                return names
            names, ends = names | outer.names, outer.ends
        return names

    def _delete(self, wanted: Names) -> bool:
        """Skips a token if the next one is in `wanted`."""
        if self._next(1) not in wanted:
            return False
        self._report(f"extraneous input {self._render_token()} expecting {_join_names(wanted)}")
        self._consume()
        self._recovering, self._failed = False, (-1, set())
        return True

    def _sync(self, site: str, wanted: Names) -> None:
        if not self._recovering and self._next() not in wanted and not self._delete(wanted):
            self._mismatch(site, wanted)

    def _skip_unwanted(self, wanted: Names) -> None:
        if not self._recovering and self._next() not in wanted:
            self._report(f"extraneous input {self._render_token()} expecting {_join_names(wanted)}")
            self._consume_until(wanted | self._resume())

    # --- errors -------------------------------------------------------------------------------------------------------

    @contextmanager
    def _rule(self, name: str) -> Iterator[None]:
        """Runs a rule of the grammar, and ends it where a token does not fit; its caller goes on."""
        try:
            yield
        except _MismatchError as error:
            self._attempt()
            site = f"{name} {error}"
            if self._failed[0] == self._at and site in self._failed[1]:
                self._consume()
            self._failed = self._at, self._failed[1] | {site}
            self._consume_until(self._resume())

    def _call(self, rule: Callable[[], None], follow: Names, *, ends: bool = False) -> None:
        self._open.append(_Follow(follow, ends))
        rule()
        self._open.pop()

    def _resume(self) -> Names:
        """Returns the tokens with which one of the open grammar rules can continue."""
        return _NOTHING.union(*(follow.names for follow in self._open))

    def _consume_until(self, names: Names) -> None:
        while self._next() not in names and self._next() != "$END":
            self._consume()

    def _attempt(self) -> None:
        if self._attempts == _MOST_ATTEMPTS:
            raise _NoMoreError
        self._attempts += 1

    def _mismatch(self, site: str, wanted: Names) -> None:
        self._report(f"mismatched input {self._render_token()} expecting {_join_names(wanted)}")
        raise _MismatchError(site)

    def _no_alternative(self, site: str, ahead: int = 0) -> None:
        first = self._tokens[self._at]
        wrong = self._tokens[min(self._at + ahead, len(self._tokens) - 1)]
        end = wrong.offset if wrong.name == "$END" else wrong.offset + len(wrong.text)
        shown = "<EOF>" if first.name == "$END" else self._text(first.offset, end).translate(_ESCAPED)
        self._report(f"no viable alternative at input '{shown}'", wrong.offset)
        raise _MismatchError(site)

    def _render_token(self) -> str:
        return f"'{self._tokens[self._at].text.translate(_ESCAPED)}'"

    def _report(self, message: str, offset: int | None = None) -> None:
        """Records a mistake, unless it follows from the one before it."""
        if not self._recovering:
            self._recovering = True
            self._issues.append(Issue(f"Syntax error: {message}", self.offset if offset is None else offset))


def _join_names(names: Names) -> str:
    shown = [text for name, text in _SHOWN.items() if name in names]
    return shown[0] if len(shown) == 1 else f"{{{', '.join(shown)}}}"
