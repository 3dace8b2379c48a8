"""What the parser says about a text that breaks the grammar, in the words of the API server where they have a system.

The server goes on after a mistake and often finds more, which follow from the first. Here the first one is all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from validation_gen.kubernetes.cel.issues import Issue

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedToken
    from lark.parsers.lalr_interactive_parser import InteractiveParser

#: Tokens in upstream's order, and how they are shown.
_SHOWN = {
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LPAR": "'('",
    "RPAR": "')'",
    "DOT": "'.'",
    "COMMA": "','",
    "MINUS": "'-'",
    "NOT": "'!'",
    "QUESTION": "'?'",
    "COLON": "':'",
    "TRUE": "'true'",
    "FALSE": "'false'",
    "NULL": "'null'",
    "NUM_FLOAT": "NUM_FLOAT",
    "NUM_INT": "NUM_INT",
    "NUM_UINT": "NUM_UINT",
    "STRING": "STRING",
    "RAW_STRING": "BYTES",  # upstream tells strings from bytes, the grammar here plain from raw ones
    "IDENTIFIER": "IDENTIFIER",
    "ESC_IDENTIFIER": "ESC_IDENTIFIER",
    "$END": "<EOF>",
}
_UNENDING = re.compile(r"""[bBrR]{0,2}("(?:[^"\\\n\r]|\\.)*|'(?:[^'\\\n\r]|\\.)*)""")


def unknown_characters(text: str, offset: int) -> Issue:
    """Characters that are no token, such as `=`, `&` or a string without an end."""
    match = _UNENDING.match(text, offset)
    wrong = text[offset : match.end() + 1] if match else text[offset : offset + (2 if text[offset] in "&|=" else 1)]
    return Issue(f"Syntax error: token recognition error at: '{wrong}'", offset)


def token_issue(lark: Lark, text: str, error: UnexpectedToken) -> Issue:
    """A token where the grammar has no place for it."""
    token, parser = error.token, error.interactive_parser
    assert parser
    ended = token.type == "$END"
    offset = len(text) if ended else token.start_pos or 0
    found = "<EOF>" if ended else str(token)
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    before = text[:offset].rstrip()
    if "IDENTIFIER" in accepted and "LPAR" not in accepted and before.endswith("."):
        return Issue(f"Syntax error: no viable alternative at input '.{'' if ended else found}'", offset)
    wanted = _wanted(accepted)
    shown = [_SHOWN[name] for name in wanted]
    expected = shown[0] if len(shown) == 1 else f"{{{', '.join(shown)}}}"
    if not ended and _type_after(lark, text, token) in wanted:
        message = f"extraneous input '{found}' expecting {expected}"
    elif len(wanted) == 1 and wanted[0] != "$END" and _fits_after(parser, wanted[0], token):
        message = f"missing {expected} at '{found}'"
    else:
        message = f"mismatched input '{found}' expecting {expected}"
    return Issue(f"Syntax error: {message}", offset)


def _wanted(accepted: set[str]) -> list[str]:
    """What upstream says that it expects: the beginning of an operand, or what ends the innermost part."""
    if "IDENTIFIER" in accepted:
        return [name for name in _SHOWN if name in accepted]
    if "COMMA" in accepted and (closing := accepted & {"RSQB", "RBRACE"}):
        return [*closing, "COMMA"]
    for name in ("RPAR", "RSQB", "RBRACE", "COLON"):
        if name in accepted:
            return [name]
    return ["$END"]


def _type_after(lark: Lark, text: str, token: Token) -> str:
    """The type of the token that follows one."""
    from lark import UnexpectedCharacters  # noqa: PLC0415

    rest = lark.lex(text[token.end_pos :])
    try:
        return next((following.type for following in rest), "$END")
    except UnexpectedCharacters:
        return ""


def _fits_after(parser: InteractiveParser, missing: str, token: Token) -> bool:
    """Whether the token would be right if another one stood before it."""
    from lark import Token as Made  # noqa: PLC0415

    attempt = parser.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
    attempt.feed_token(Made(missing, ""))
    return token.type in attempt.accepts()
