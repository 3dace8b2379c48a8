"""Parses pieces into requests. It runs in any process, keeps only an open file, and never raises."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import yaml

from validation_gen.commands.compare.inputs import json_pieces
from validation_gen.commands.compare.inputs.decoding import (
    Audited,
    Bad,
    DuplicateKeyError,
    Form,
    Item,
    Piece,
    load,
    render_position,
)
from validation_gen.commands.compare.inputs.stores import NO_OBJECTS, Objects
from validation_gen.commands.compare.requests import Request
from validation_gen.kubernetes.yaml import read_documents

_QUOTED = 80
#: Beginning of JSON among YAML. It is read as JSON: some of its escapes are invalid in YAML.
_JSON_DOCUMENT = re.compile(r"(?:---[ \t]*(?:#[^\n]*)?\r?\n)?\s*(?=\{)")
_GENERATED = "xxxxx"  # the server appends five random characters to at most 58
_GENERATED_FROM = 58


class _BadError(Exception):
    """An input that is no request."""

    def __init__(self, reason: str, quote: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.quote, self.line, self.column = reason, quote, line, column


def parse_item(item: Item) -> list[Request | Bad]:
    """Parses a piece: one request for each object, usually one; none for empty documents."""
    piece = item.piece
    found: list[Request | Bad] = []
    try:
        olds = Objects.shared(item.olds) if item.olds else NO_OBJECTS
        for value, line, column in _values(piece):
            where = render_position(item.file, line, 0 if item.audited else column)
            try:
                found.append(_request(value, where, item, olds))
            except _BadError as bad:
                found.append(Bad(where, bad.quote or _render_value(value), bad.reason))
    except _BadError as bad:
        line, column = (bad.line, bad.column) if bad.line else (piece.line, piece.column)
        found.append(Bad(render_position(item.file, line, column), bad.quote, bad.reason))
    except sqlite3.Error as error:
        where = render_position(item.file, piece.line, piece.column)
        found.append(Bad(where, "", f"the object as it was cannot be looked up: {error}"))
    return found


# --- values -----------------------------------------------------------------------------------------------------------


def _values(piece: Piece) -> Iterator[tuple[Any, int, int]]:
    """Yields the objects of a piece with line and column. Those before a mistake come before the mistake."""
    if piece.form is Form.UNREADABLE:
        raise _BadError(piece.reason, _shorten(piece.data.decode(errors="replace")), piece.line, piece.column)
    text = _decode(piece)
    if piece.form is Form.JSON:
        yield from _of_json(text.rstrip(), piece)
        return
    if piece.form is Form.YAML and (begin := _JSON_DOCUMENT.match(text)):
        line = piece.line + text.count("\n", 0, begin.end())
        with suppress(_BadError):  # YAML looks alike, and its reader has better error messages
            yield from list(_of_json(text[begin.end() :].rstrip(), piece._replace(line=line, column=0)))
            return
    for value, line, lines in _of_yaml(text, piece):
        if piece.form is Form.YAML_FRAME:
            continue
        if piece.form is Form.YAML_ITEM and isinstance(value, list):
            yield from ((_with_kind(item, piece.own), line, 0) for item in value)
        elif json_pieces.is_list(value):
            items = value["items"] if isinstance(value, dict) else value
            own = json_pieces.item_kind(value)
            places = lines if len(lines) == len(items) else [line] * len(items)
            yield from ((_with_kind(item, own), at, 0) for item, at in zip(items, places, strict=True))
        elif value is not None:  # there may be nothing between two separators
            yield value, line, 0


def _decode(piece: Piece) -> str:
    try:
        text = piece.data.decode()
    except UnicodeDecodeError as error:
        before = piece.data[: error.start].decode(errors="replace")
        line, column = piece.line + before.count("\n"), len(before) - before.rfind("\n")
        reason = f"byte 0x{piece.data[error.start]:02x} is not UTF-8"
        raise _BadError(reason, _excerpt(piece.data.decode(errors="replace"), len(before)), line, column) from None
    return text.removeprefix("\ufeff")


def _of_json(text: str, piece: Piece) -> Iterator[tuple[Any, int, int]]:
    try:
        value = load(text)
    except json.JSONDecodeError as error:
        column = error.colno + max(piece.column - 1, 0) * (error.lineno == 1)
        raise _BadError(
            f"not JSON: {error.msg}", _excerpt(text, error.pos), piece.line + error.lineno - 1, column
        ) from None
    except DuplicateKeyError as error:
        if len(text) <= json_pieces.LONG:
            for _ in _of_yaml(text, piece):  # the YAML reader finds the position
                pass
        raise _BadError(str(error), _shorten(text)) from None
    except ValueError as error:
        raise _BadError(f"not JSON: {error}", _shorten(text)) from None
    except RecursionError:
        raise _BadError("nested too deeply", _shorten(text)) from None
    if not json_pieces.is_list(value):
        yield _with_kind(value, piece.own), piece.line, piece.column
        return
    for item in json_pieces.of_list(text, value, piece.line):
        inner = load(item.data.decode())
        if isinstance(inner, list):
            raise _BadError("a list in a list", _render_value(inner), item.line, item.column)
        yield _with_kind(inner, item.own), item.line, item.column


def _of_yaml(text: str, piece: Piece) -> Iterator[tuple[Any, int, list[int]]]:
    """Yields the documents of a text: values, lines, and the lines of their items."""
    try:
        for document in read_documents(text):
            yield document.value, piece.line + document.line, [piece.line + line for line in document.item_lines]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = str(error.problem or error.context) + (f" ({error.note})" if error.note else "")
        if mark is None or piece.form is Form.YAML_FRAME:
            raise _BadError(reason, _shorten(text)) from None
        column = mark.column + 1 + (max(piece.column - 1, 0) if mark.line == 0 else 0)
        raise _BadError(reason, _excerpt(text, mark.index), piece.line + mark.line, column) from None


def _with_kind(value: Any, own: tuple[str, str]) -> Any:
    """Returns an item of a list, with the list's kind if it has none."""
    if own[1] and isinstance(value, dict) and not value.get("apiVersion") and not value.get("kind"):
        return {**value, "apiVersion": own[0], "kind": own[1]}
    return value


# --- requests ---------------------------------------------------------------------------------------------------------


def _request(value: Any, where: str, item: Item, olds: Objects) -> Request:
    if not isinstance(value, dict):
        raise _BadError("an object is wanted")
    if "apiVersion" not in value and "obj" in value:
        return _of_protocol(value, where)
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if not isinstance(kind, str) or not isinstance(api_version, str) or not kind or not api_version:
        raise _BadError("neither an object with apiVersion and kind nor a request with kind and obj")
    if item.audited is not None:
        return _of_audit(value, item.audited, item.old, where)
    if api_version.startswith("audit.k8s.io/") and kind == "Event":
        raise _BadError("events of an audit log are read from JSON only")
    old = olds.get(value)
    return Request(kind, value, old, update=old is not None, api_version=api_version, place=where)


def _of_protocol(value: Mapping[str, Any], where: str) -> Request:
    """Converts a request of the line protocol. `null` counts as absent, except for the objects."""
    kind = _typed(value, "kind", str, "")
    if not kind:
        raise _BadError("the kind of the request is missing")
    op = _typed(value, "op", str, "create")
    if op not in ("create", "update"):
        raise _BadError('op is "create" or "update"')
    options = _typed(value, "options", dict, {})
    if not all(isinstance(state, bool) for state in options.values()):
        raise _BadError("options maps names to true or false")
    parts = _typed(value, "subresources", list, [])
    if not all(isinstance(part, str) for part in parts):
        raise _BadError("subresources is a list of path segments")
    update = op == "update"
    return Request(
        kind,
        value["obj"],
        value.get("oldObj") if update else None,
        update=update,
        package=_typed(value, "package", str, ""),
        options=options,
        subresource="/" + "/".join(parts),
        place=where,
    )


def _typed(value: Mapping[str, Any], name: str, wanted: type, default: Any) -> Any:
    found = value.get(name)
    if found is not None and not isinstance(found, wanted):
        raise _BadError(f"{name} has the wrong type")
    return default if found is None else found


def _of_audit(obj: dict[str, Any], audited: Audited, old: bytes | None, where: str) -> Request:
    """Converts a request of an audit log. The server fills in namespace and generated name before it validates."""
    metadata = obj.get("metadata")
    if isinstance(metadata, dict):
        if audited.namespace and not metadata.get("namespace"):
            metadata["namespace"] = audited.namespace
        base = metadata.get("generateName")
        if base and isinstance(base, str) and not metadata.get("name"):
            metadata["name"] = audited.name or base[:_GENERATED_FROM] + _GENERATED
    before = None
    if old is not None:
        try:
            before = load(old.decode())
        except (ValueError, RecursionError) as error:
            raise _BadError(f"the object as it was is malformed: {error}") from None
    return Request(
        obj["kind"],
        obj,
        before,
        update=audited.update,
        api_version=obj["apiVersion"],
        subresource="/" + audited.subresource,
        place=where,
    )


# --- quotations -------------------------------------------------------------------------------------------------------


def _excerpt(text: str, index: int) -> str:
    """Returns the text near a position, in its line."""
    begin = max(text.rfind("\n", 0, index) + 1, index - _QUOTED // 2)
    end = text.find("\n", index)
    return _shorten(text[begin : end if end >= 0 else len(text)]) or _shorten(text)


def _render_value(value: Any) -> str:
    try:
        return _shorten(json.dumps(value, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""


def _shorten(text: str) -> str:
    line = " ".join(text[: 4 * _QUOTED].split())
    return line if len(line) <= _QUOTED else line[: _QUOTED - 1] + "…"
