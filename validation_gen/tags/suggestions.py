"""Helps for tags that are not understood: corrections of syntax errors, and similar known names.

Helps may be wrong. Corrections that are called certain leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from validation_gen.runtime.words import nearest
from validation_gen.tags.model import quote

if TYPE_CHECKING:
    from lark import UnexpectedToken

NAMED_ARGUMENTS = "give a single argument, or name all of them: `name: value`"
_QUOTE = "quote the value: {value}"
_SLASHES = "a comment after a tag begins with '#', not with '//'"
NUMBERS = "a number is decimal, `0x…`, `0o…` or `0b…` and fits into 64 bits; if it is text, quote it: {value}"

#: Syntax errors by example: the help, and tags with this error at their end. An error gets the help of the example that
#: leaves the parser in the same state at the same text, else at text of the same kind, else at any: then the first
#: counts. `{value}` is the value with the error, quoted, `{next}` the text after it.
_EXAMPLES = {
    _QUOTE: [
        *("a=/", "a=x/", "a=1.", "a=x (", "a=x y", "a=1 y", "a=x,", "a=1,"),
        *("a(/", "a(x/", "a(1.", "a(x y", "a(1 y", "a(k:/", "a(k:x/", "a(k:1.", "a(k:x y", "a(k:1 y", "a(k:1,/"),
    ],
    "only '(', '=' or a comment that begins with '#' can follow the name of a tag": ["a/", "a x"],
    "only '=' or a comment that begins with '#' can follow the arguments of a tag": ["a(x)/", "a(x) y"],
    "only a comment that begins with '#' can follow the value of a tag": ['a="x"y', 'a="x" y'],
    "only ',' or ')' can follow the value of an argument": ['a("x"y', 'a("x" y', 'a(k:"x"y', 'a(k:"x" y'],
    _SLASHES: ["a //", "a(x) //", "a=x //", "a=1 //", 'a="x" //'],
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

#: Wrong text at the parser's position and its replacement, where the help leaves no choice.
_REPAIRS: dict[str, tuple[str, str]] = {
    _SLASHES: (r"\s*//", " #"),
    "remove the white space before '{next}'": (r"\s+", ""),
    "remove the white space": (r"\s+", ""),
    "write an argument as `name: value`": ("=", ": "),
    "`:=` is how kubebuilder writes it; write '='": (":=", "="),
    "`:=` is how kubebuilder writes it; write ':'": ("=", " "),
}
#: Quoted values that the grammar does not accept.
_TYPOGRAPHIC = r"'[^']*'|‘[^’]*’|“[^”]*”"
#: Lengths of names: in shorter ones one slip can give another name; in longer ones two slips do not.
_SHORT, _LONG = 5, 10


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "", *, prefix: str = "") -> str:
    """Returns a help: the known name that was probably meant, behind a prefix, or another sentence without one."""
    near = probable(word, known)
    return f"did you mean {prefix}{near}?" if near else otherwise


def probable(word: str, known: Iterable[str]) -> str | None:
    """Returns the known name that was probably meant, or `None`.

    Capitals, dashes, prefixes and a colon at the end (from kubebuilder's `:=`) are the commonest slips, so names that
    differ in nothing else come before merely similar ones.
    """
    names: dict[str, str] = {}
    for name in sorted(known):
        names.setdefault(_essence(name), name)
    matches = nearest(_essence(word), names, cutoff=0.7)
    return names[matches[0]] if matches else None


def _essence(name: str) -> str:
    return letters(name.rstrip(":").rpartition(":")[2])


def certain(word: str, known: Iterable[str]) -> str | None:
    """Returns the known name that was certainly meant, or `None` in case of doubt.

    It differs in capitals and dashes only, or it is the one name with a single slip (two in long names): a letter too
    much, one missing, a wrong one, or two in the wrong order.
    """
    own = letters(word)
    names = sorted(set(known))
    same = [name for name in names if letters(name) == own]
    if same:
        return same[0] if len(same) == 1 else None
    length = len(_essence(word))
    near = sorted((_slips(own, letters(name)), name) for name in names if abs(len(name) - len(word)) < 4)
    if not near or length < _SHORT or near[0][0] > (2 if length >= _LONG else 1):
        return None
    best = near[0][0]
    rival = near[1][0] if len(near) > 1 else best + 9
    return near[0][1] if rival > (best if best == 1 else best + 1) else None


def letters(name: str) -> str:
    """Returns the letters and digits of a name, regardless of case."""
    return "".join(c for c in name.casefold() if c.isalnum())


def _slips(one: str, other: str) -> int:
    """Returns the edit distance: letters to add, remove, change, or swap with the next one."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def remedy(error: UnexpectedToken, parse: Callable[[str], object], text: str) -> tuple[str, str | None]:
    """Returns the help for `text`, for which the parser gave `error`, and the corrected text if that is certain.

    The help is `""` if no example matches. The corrected text may have further mistakes after it.
    """
    from lark import Token, UnexpectedToken  # noqa: PLC0415 (an error comes from a parser: lark has been imported)

    stack = error.state.value_stack
    in_arguments = any(isinstance(value, Token) and value.type == "LPAR" for value in stack)
    start, end = error.token.start_pos or 0, error.token.end_pos or 0
    begin = start
    if stack and isinstance(stack[-1], Token) and stack[-1].type in ("WORD", "INT"):
        begin = stack[-1].start_pos or 0

    def attempt(example: str) -> Any:
        try:
            return parse(example)
        except UnexpectedToken as failure:
            failure.state = failure.state.position
            raise

    # States of Lark's parser are equal only at the same depth of its stack; the help does not depend on the number of
    # the argument.
    error.state = error.state.position
    template = error.match_examples(attempt, _EXAMPLES, token_type_match_fallback=True)
    if template is None:
        return "", None
    match = re.compile(r"[^,)]*" if in_arguments else r".*?(?=\s+#|\Z)", re.DOTALL).match(text, begin)
    value = match[0].rstrip() if match else ""
    bare = value[1:-1] if re.fullmatch(_TYPOGRAPHIC, value) else value
    help = template.format(next=text[end : end + 1], value=quote(bare))
    wrong, right = _REPAIRS.get(template, (r"(?!)", ""))
    if found := re.compile(wrong).match(text, start):
        return help, f"{text[:start]}{right}{text[found.end() :]}"
    if template == _QUOTE and bare and not re.search(r'["`+=:]', bare):
        return help, f"{text[:begin]}{quote(bare)}{text[begin + len(value) :]}"
    return help, None
