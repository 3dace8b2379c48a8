"""What to advise people whose tag is not understood: how to mend a syntax error, which known name was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import UnexpectedToken

NAMED_ARGUMENTS = "give a single argument, or name all of them: `name: value`"
NUMBERS = "a number is decimal, `0x…`, `0o…` or `0b…` and fits into 64 bits; if it is text, quote it: {value}"

#: Syntax errors by example: advice, and tags that go wrong at their end in the way meant. An error gets the advice of
#: the example that leaves the parser in the same state at the same text, else at text of the same kind, else at any:
#: then the first counts. `{value}` is the value in which the error stands, quoted, `{next}` what follows it.
_EXAMPLES = {
    "quote the value: {value}": [
        *("a=/", "a=x/", "a=1.", "a=x (", "a=x y", "a=1 y", "a=x,", "a=1,"),
        *("a(/", "a(x/", "a(1.", "a(x y", "a(1 y", "a(k:/", "a(k:x/", "a(k:1.", "a(k:x y", "a(k:1 y", "a(k:1,/"),
    ],
    "only '(', '=' or a comment that begins with '#' can follow the name of a tag": ["a/", "a x"],
    "only '=' or a comment that begins with '#' can follow the arguments of a tag": ["a(x)/", "a(x) y"],
    "only a comment that begins with '#' can follow the value of a tag": ['a="x"y', 'a="x" y'],
    "only ',' or ')' can follow the value of an argument": ['a("x"y', 'a("x" y', 'a(k:"x"y', 'a(k:"x" y'],
    "a comment after a tag begins with '#', not with '//'": ["a //", "a(x) //", "a=x //", "a=1 //", 'a="x" //'],
    "remove the white space before '{next}'": [
        *("a (", "a =", "a(x) =", "a(x ,", "a(1 ,", 'a("x" ,', "a(k:x ,", "a(k:1 ,", 'a(k:"x" ,'),
    ],
    "remove the white space": ["a= x", "a( x"],
    "write an argument as `name: value`": ["a(k=x"],
    "`:=` is how kubebuilder writes it; write '='": ["a(x):="],
    "`:=` is how kubebuilder writes it; write ':'": ["a(k:=x"],
    "names of arguments are not quoted": ['a("k":x'],
    "write '=+' before the name of a chained tag, or quote the value: {value}": ["a=b:"],
    "a value is missing": ["a(,", "a(k:,", "a(k:)", "a(k:1,,"],
    "write a value after '=', or remove it": ["a=", "a=#"],
    "write a value after ':'": ["a(k:"],
    "close the arguments with ')'": ["a(", "a(x", "a(1", 'a("x"', "a(k:x", "a(k:1", 'a(k:"x"', "a(k:1,"],
    "close the string with the quote that opens it": ['a="x', 'a("x', 'a(k:"x', 'a(k:1,"x'],
    "in quotes only the quote itself and the backslash can be escaped; for a backslash write two": [
        *(r'a="\n"', r'a("\n"', r'a(k:"\n"', r'a(k:1,"\n"'),
    ],
    NUMBERS: ["a=08", "a(08", "a(k:08", "a(k:1,08"],
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, or `None`.

    Capitals, dashes, prefixes and a colon at the end (from kubebuilder's `:=`) are the commonest slips, so names that
    differ in nothing else come before all that are merely similar.
    """
    names: dict[str, str] = {}
    for name in sorted(known):
        names.setdefault(_essence(name), name)
    matches = difflib.get_close_matches(_essence(word), names, n=1, cutoff=0.7)
    return names[matches[0]] if matches else None


def _essence(name: str) -> str:
    last = name.rstrip(":").rpartition(":")[2]
    return "".join(c for c in last.casefold() if c.isalnum())


def advice(error: UnexpectedToken, parse: Callable[[str], object], text: str) -> str:
    """How to mend `text`, for which the parser gave `error`; `""` if no example is like it."""
    from lark import Token, UnexpectedToken  # noqa: PLC0415 (an error comes from a parser: lark has been imported)

    stack = error.state.value_stack
    in_arguments = any(isinstance(value, Token) and value.type == "LPAR" for value in stack)
    start, end = error.token.start_pos or 0, error.token.end_pos or 0
    if stack and isinstance(stack[-1], Token) and stack[-1].type in ("WORD", "INT"):
        start = stack[-1].start_pos or 0

    def attempt(example: str) -> Any:
        try:
            return parse(example)
        except UnexpectedToken as failure:
            failure.state = failure.state.position
            raise

    # States of Lark's parser are equal only at the same depth of its stack; for advice it is all the same
    # which argument it is.
    error.state = error.state.position
    template = error.match_examples(attempt, _EXAMPLES, token_type_match_fallback=True)
    if template is None:
        return ""
    value = re.compile(r"[^,)]*" if in_arguments else r".*?(?=\s+#|\Z)", re.DOTALL).match(text, start)
    return template.format(next=text[end : end + 1], value=quoted(value[0].rstrip() if value else ""))


def quoted(text: str) -> str:
    """A string value as one writes it in a tag."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
