"""Paths of printer columns, which are JSONPath of `kubectl`, and whether a schema has the fields that they name.

The server accepts any text that begins with a dot; other mistakes leave the column empty.
"""

from __future__ import annotations

import re

from validation_gen.kubernetes.crd.gotypes import OBJECT_META, STRING_MAP
from validation_gen.kubernetes.crd.schema import Schema

#: Step into items, or into all values.
ANY = 0
Step = str | int

_TOKEN = re.compile(
    r"""
    (?P<field> \.(?!\.) (?: \\. | [^.,\[\]$@{}\s\\] )* )
    | (?P<deep> \.\. )
    | \[' (?P<key> [^']* ) '\]
    | (?P<filter> \[\?\( (?: "[^"]*" | '[^']*' | [^"')] )* \)\] )
    | (?P<items> \[ (?: \* | -?\d* (?: :-?\d* ){0,2} ) \] )
    | (?P<union> \[ [^\]]* , [^\]]* \] )
    """,
    re.VERBOSE,
)


class PrinterPathError(ValueError):
    """The text is no JSONPath of kubectl."""


def steps(path: str) -> list[Step] | None:
    """Returns the steps of a path; `None` if it may select several values.

    Raises:
        PrinterPathError: it is malformed.
    """
    found: list[Step] = []
    many = False
    at = 0
    while at < len(path):
        match = _TOKEN.match(path, at)
        if match is None or match.end() == at:
            raise PrinterPathError(path[at:])
        at = match.end()
        if match["field"]:
            name = re.sub(r"\\(.)", r"\1", match["field"][1:])
            found += [name] if name else []
        elif match["key"] is not None:
            found += [name for name in match["key"].split(".") if name]
        elif match["deep"] or match["union"]:
            many = True
        else:
            found.append(ANY)
    return None if many else found


def missing(found: list[Step], schema: Schema, *, root: bool = True) -> tuple[str, list[str]] | None:
    """Returns the first name in a path that no value of the schema can have, and the possible names."""
    for index, step in enumerate(found):
        if isinstance(step, str) and (root or schema.embedded_resource) and step in ("apiVersion", "kind", "metadata"):
            return _missing_in_metadata(found[index + 1 :]) if step == "metadata" else None
        part = schema.item if step == ANY and schema.type == "array" else None
        if isinstance(step, str):
            part = schema.properties.get(step) or schema.additional
        if part is None:
            return None if _anything(schema, step) else (str(step), list(schema.properties))
        schema, root = part, False
    return None


def _anything(schema: Schema, step: Step) -> bool:
    """Returns whether the schema allows values that it does not describe."""
    additional = schema.additional_properties
    free = additional is not None and additional.allows
    return schema.preserves or free or (step == ANY and schema.type != "array")


def _missing_in_metadata(found: list[Step]) -> tuple[str, list[str]] | None:
    if not found or not isinstance(found[0], str):
        return None
    known = OBJECT_META.fields
    if found[0] not in known:
        return found[0], list(known)
    if len(found) > 1 and known[found[0]] != STRING_MAP and isinstance(found[1], str):
        return found[1], []
    return None
