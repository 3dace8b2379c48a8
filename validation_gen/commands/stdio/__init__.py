"""The line protocols for other programs: one request in, one answer out, as JSON (see docs/protocol.md).

This module reads lines, and answers for custom objects and their definitions; `types` answers for Go and Python types.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from validation_gen.commands.stdio.types import RefusedError, answer_lines
from validation_gen.kubernetes.crd.run import check_definition, is_definition
from validation_gen.kubernetes.objects import (
    Duplicates,
    Kind,
    Outcome,
    Scheme,
    UndefinedError,
    UnsupportedRequestError,
    read_json,
)
from validation_gen.kubernetes.objects.admission import SUBRESOURCES, admit
from validation_gen.runtime.errors import FieldError

#: Bytes of a read: usually the size of a pipe's buffer.
_MOST = 1 << 16


def arriving(source: BinaryIO, before_waiting: Callable[[], object]) -> Iterator[bytes]:
    """Yields the lines of a stream, with their ends; the last may be without.

    `before_waiting` is called whenever no complete line is left, so that the caller can flush its answers. A client
    that sends many lines at once gets many answers at once, and one that waits for an answer gets it.
    """
    begun: list[bytes] = []  # an incomplete line
    read = getattr(source, "read1", source.read)
    while True:
        before_waiting()
        chunk = read(_MOST)
        whole = chunk.rfind(b"\n") + 1
        if whole:
            yield from io.BytesIO(b"".join([*begun, chunk[:whole]]))
            begun = []
        if not chunk:
            break
        if whole < len(chunk):
            begun.append(chunk[whole:])
    if begun:
        yield b"".join(begun)


_SERVER_OWNED = ("uid", "resourceVersion", "creationTimestamp", "generation")
_LEVELS = ("Strict", "Warn", "Ignore")
#: Error type in a refusal without fields, by status.
_REASONS = {400: "BadRequest", 409: "Conflict"}

_write = json.JSONEncoder(separators=(",", ":"), default=repr).encode


def answer_objects(lines: Iterable[str | bytes], known: Iterable[Kind] = ()) -> Iterator[str]:
    """Yields the answer to each line, in order. No content of a line ends the stream; empty lines are skipped.

    The `known` kinds need no definition; they are named by their resources.
    """
    kinds = {kind.resource: kind for kind in known}
    for line in lines:
        if line.strip():
            yield _write(_answer(line, kinds))


def _answer(line: str | bytes, kinds: dict[str, Kind]) -> dict[str, Any]:
    id = None
    try:
        try:
            request, duplicates = read_json(line)
        except ValueError as error:
            raise RefusedError(f"not JSON: {error}") from None
        if not isinstance(request, dict):
            raise RefusedError("a request is a JSON object")
        id = request.get("id")
        match request.get("op"):
            case "define":
                return {"id": id, **_handle_definition(request, kinds)}
            case "admit":
                return {"id": id, **_handle_admission(request, duplicates, kinds)}
            case other:
                raise RefusedError(f'op is "define" or "admit", not {json.dumps(other)}')
    except RefusedError as refusal:
        return {"id": id, "error": str(refusal)}
    except UnsupportedRequestError as reason:
        return {"id": id, "error": str(reason)}
    except RecursionError:
        return {"id": id, "error": "nested too deeply"}


def _text(request: Mapping[str, Any], name: str, known: tuple[str, ...] | None = None, default: str = "") -> str:
    value = request.get(name, default)
    if not isinstance(value, str) or (known is not None and value not in known):
        wanted = "a text" if known is None else "one of " + ", ".join(json.dumps(each) for each in known)
        raise RefusedError(f"{name} is {wanted}")
    return value


def _handle_definition(request: Mapping[str, Any], kinds: dict[str, Kind]) -> dict[str, Any]:
    definition = request.get("definition")
    if not is_definition(definition):
        raise RefusedError("definition is a CustomResourceDefinition")
    checked = check_definition(definition)
    if checked.errors or checked.definition is None:
        return {"ok": False, "errors": [finding.message for finding in checked.errors]}
    try:
        kinds[_text(request, "name")] = Scheme().define(checked.definition)
    except UndefinedError as error:
        return {"ok": False, "errors": [str(error)]}
    return {"ok": True, "errors": []}


def _handle_admission(request: Mapping[str, Any], duplicates: Duplicates, kinds: dict[str, Kind]) -> dict[str, Any]:
    kind = kinds.get(_text(request, "definition"))
    if kind is None:
        raise RefusedError(f"there is no definition {json.dumps(request.get('definition'))}")
    version = kind.versions.get(_text(request, "version"))
    if version is None:
        raise RefusedError(f"{kind.kind} has no version {json.dumps(request.get('version'))}")
    if "obj" not in request:
        raise RefusedError("obj is missing")
    if not isinstance(request.get("oldObj"), dict | None):
        raise RefusedError("oldObj is an object")
    name, namespace = _text(request, "name"), _text(request, "namespace", default="default")
    outcome = admit(
        kind,
        version,
        request["obj"],
        request.get("oldObj"),
        subresource=_text(request, "subresource", SUBRESOURCES),
        field_validation=_text(request, "fieldValidation", _LEVELS, "Strict"),
        duplicates=duplicates,
        url=(namespace, name) if name else None,
    )
    return _to_json(outcome)


def _to_json(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = {"ok": outcome.ok, "code": outcome.code, "warnings": outcome.warnings}
    found["errors"] = [_cause(error) for error in outcome.errors]
    reason = _REASONS.get(outcome.code, "InternalError")
    found["errors"] += [{"type": reason, "field": "", "detail": problem} for problem in outcome.problems]
    if outcome.object is not None:
        meta = {name: value for name, value in outcome.object["metadata"].items() if name not in _SERVER_OWNED}
        found["object"] = {**outcome.object, "metadata": meta}
    return found


def _cause(error: FieldError) -> dict[str, str]:
    """Returns an error in the form of the causes of a `Status`."""
    return {"type": error.type.value, "field": error.field, "detail": error.body}


__all__ = ["answer_lines", "answer_objects", "arriving"]
