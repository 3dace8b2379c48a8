"""What the parser says about a text that breaks the grammar, near to the words of the API server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from validation_gen.cel.issues import Issue

if TYPE_CHECKING:
    from lark import UnexpectedToken

_OPERAND = (
    "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
)
_UNENDING = re.compile(r"""[bBrR]{0,2}("(?:[^"\\\n\r]|\\.)*|'(?:[^'\\\n\r]|\\.)*)""")


def unknown_characters(text: str, offset: int) -> Issue:
    """Characters that are no token, such as `=`, `&` or a string without an end."""
    match = _UNENDING.match(text, offset)
    wrong = text[offset : match.end() + 1] if match else text[offset : offset + (2 if text[offset] in "&|=" else 1)]
    return Issue(f"Syntax error: token recognition error at: '{wrong}'", offset)


def token_issue(text: str, error: UnexpectedToken) -> Issue:
    """A token where the grammar has no place for it."""
    token = error.token
    ended = token.type == "$END"
    offset = len(text) if ended else token.start_pos or 0
    shown = "<EOF>" if ended else str(token)
    accepts = error.accepts or error.expected
    if "IDENTIFIER" in accepts and "LPAR" in accepts:
        return Issue(f"Syntax error: mismatched input '{shown}' expecting {{{_OPERAND}}}", offset)
    if "IDENTIFIER" in accepts:
        return Issue(f"Syntax error: mismatched input '{shown}' expecting IDENTIFIER", offset)
    for name, closing in (("RPAR", "')'"), ("RSQB", "']'"), ("RBRACE", "'}'"), ("COLON", "':'")):
        if name in accepts:
            return Issue(f"Syntax error: mismatched input '{shown}' expecting {closing}", offset)
    return Issue(f"Syntax error: mismatched input '{shown}' expecting <EOF>", offset)
