"""Values of Python source without running it: literals, and calls of our own vocabulary."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

from validation_gen import tags
from validation_gen.sources.python.scope import Meaning
from validation_gen.tags.suggestions import probable
from validation_gen.types import Json

_MOST_LEVELS = 50
_OMITS = get_args(get_type_hints(Json)["omit"])


class NotLiteralError(Exception):
    """A value that is unknown without running the program, or that is invalid."""

    def __init__(self, message: str, node: ast.expr, help: str = "") -> None:
        super().__init__(message)
        self.node = node
        self.help = help


def literal(expression: ast.expr) -> Any:
    """Returns the value of a literal.

    Raises:
        NotLiteralError: it is none.
    """
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        message = f"`{ast.unparse(expression)}` is no literal"
        raise NotLiteralError(message, expression, "write the value itself") from None


def tag_value(expression: ast.expr, meaning: Callable[[ast.expr], Meaning], level: int = 0) -> tags.TagValue | Json:
    """Returns the value of a call such as `EachVal(MaxLength(5))`. `meaning` resolves names.

    Raises:
        NotLiteralError: an argument is no literal, or the call would fail.
    """
    head = expression.func if isinstance(expression, ast.Call) else expression
    full = meaning(head).name
    last = full.rpartition(".")[2]
    known: type[Any] | None = Json if full == "validation_gen.types.Json" else tags.VOCABULARY.get(last)
    if known is None or level > _MOST_LEVELS:
        near = probable(last, list(tags.VOCABULARY))
        raise NotLiteralError(f"there is no tag `{last}`", head, f"did you mean {near}?" if near else "")
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    if isinstance(expression, ast.Call):
        arguments = [_argument(value, meaning, level) for value in expression.args]
        for keyword in expression.keywords:
            if keyword.arg is None:
                raise NotLiteralError("arguments have to be written out", keyword.value, "write them one by one")
            named[keyword.arg] = _argument(keyword.value, meaning, level)
    try:
        made = known(*arguments, **named)
        str(made)
        if isinstance(made, Json):
            _check(made)
    except (TypeError, ValueError) as problem:
        message = str(problem).replace(f"{last}.__init__()", last)
        help = "see docs/python.md" if known is Json else f"see validation-gen explain {last[:1].lower()}{last[1:]}"
        raise NotLiteralError(message, expression, help) from None
    assert isinstance(made, tags.TagValue | Json)
    return made


def _check(made: Json) -> None:
    """Raises `TypeError` or `ValueError` for an invalid field name."""
    for parameter, value in (("name", made.name), ("go", made.go), ("omit", made.omit)):
        if not isinstance(value, str):
            raise TypeError(f"Json: {parameter} must be a string, not {value!r}")
    if made.go and not (made.go.isidentifier() and made.go[0].isupper()):
        raise ValueError(f"Json: go must be an exported name, not {made.go!r}")
    if made.omit not in _OMITS:
        raise ValueError(f"Json: omit must be one of {', '.join(_OMITS[1:])}, not {made.omit!r}")


def _argument(expression: ast.expr, meaning: Callable[[ast.expr], Meaning], level: int) -> Any:
    head = expression.func if isinstance(expression, ast.Call) else expression
    if isinstance(head, ast.Name | ast.Attribute):
        found = meaning(head)
        if found.name.startswith("validation_gen.tags."):
            return tag_value(expression, meaning, level + 1)
        if isinstance(found.node, ast.Constant) and head is expression:
            return literal(found.node)  # a constant of a module, such as a limit that several fields share
    return literal(expression)
