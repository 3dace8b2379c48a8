"""Paths to one field, as in `selectableFields` and the `fieldPath` of rules: `.spec.arm['left hand']`.

Follows `ValidFieldPath` in `pkg/apiserver/schema/cel` of `k8s.io/apiextensions-apiserver`. It is apart from `rules`, as
generated validators need it without the checks of definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.kubernetes.crd.schema import EMPTY, Schema

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = dict(zip("abfnrtv'\\", "\a\b\f\n\r\t\v'\\", strict=True))
NO_FIELD = "does not refer to a valid field"
_END = "unexpected end of JSON path"


class FieldPathError(ValueError):
    """The path is malformed, or leads to no field."""


def resolve(path: str, schema: Schema, *, brackets: bool = True) -> tuple[tuple[str, ...], Schema]:
    """Returns the segments of a path as the server writes them, and the schema that it leads to.

    Raises:
        FieldPathError: with the server's text.
    """
    found: list[str] = []
    tokens = iter(_tokens(path))
    for mark in tokens:
        if mark == "[":
            if not brackets:
                raise FieldPathError("array notation is not allowed")
            name = _unquoted(_next(tokens))
        elif mark == ".":
            name = _next(tokens)
        else:
            raise FieldPathError(f"expected [ or . but got: {mark}")
        if schema.properties:
            found.append(f".{name}")
            if name not in schema.properties:
                raise FieldPathError(NO_FIELD)
            schema = schema.properties[name]
        elif schema.additional_properties is not None:
            found.append(f"[{name}]")
            schema = schema.additional or EMPTY
        else:
            raise FieldPathError(NO_FIELD)
        if mark == "[" and (end := _next(tokens)) != "]":
            raise FieldPathError(f"expected ] but got {end}")
    return tuple(found), schema


def _tokens(path: str) -> list[str]:
    """Splits a path into dots, brackets, quoted texts, and the rest; a quote without an end takes the rest."""
    found: list[str] = []
    at = 0
    while at < len(path):
        if path[at] == "'":
            end = at + 1
            while end < len(path) and not (path[end] == "'" and path[end - 1] != "\\"):
                end += 1
            end = min(end + 1, len(path))
        elif path[at] in ".[]":
            end = at + 1
        else:
            end = min((position for mark in ".[]" if (position := path.find(mark, at)) >= 0), default=len(path))
        found.append(path[at:end])
        at = end
    return found


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens, None)
    if token is None:
        raise FieldPathError(_END)
    return token


def _unquoted(token: str) -> str:
    if len(token) < 2 or not (token.startswith("'") and token.endswith("'")):
        raise FieldPathError(f"expected single quoted string but got {token}")
    for match in _ESCAPED.finditer(token[1:-1]):
        if match[1] not in _ESCAPES:
            raise FieldPathError(f"invalid string literal: invalid escape char {match[0]}")
    return _ESCAPED.sub(lambda match: _ESCAPES[match[1]], token[1:-1])
