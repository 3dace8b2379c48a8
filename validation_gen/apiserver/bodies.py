"""Decodes bodies of requests, objects and patches, with the server's error texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import yaml

from validation_gen.apiserver.errors import ApiError, bad_request
from validation_gen.apiserver.negotiation import PROTOBUF, YAML, input_type
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import GoType
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.objects import Duplicates, read_json
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.kubernetes.yaml import read_documents
from validation_gen.runtime.gotext import go_json, go_quote

if TYPE_CHECKING:
    from validation_gen.apiserver.calls import Call

_SUMMARY = 30
#: Beginning of a text about a body that is no JSON object.
NOT_JSON = "couldn't get version/kind; json parse error: "
_TOO_DEEP = "exceeded max depth"
#: An object in errors of Go's JSON decoder.
MAP = "value of type map[string]interface {}"


class BodyError(Exception):
    """A body cannot be decoded; the text is the server's."""


def read_object(call: Call) -> tuple[Any, Duplicates | None, list[str]]:
    """Returns the object of a body, its duplicate names, and other problems of a strict decoder."""
    try:
        return decode_body(call)
    except BodyError as problem:
        raise unreadable(call, {}, str(problem)) from None


def decode_body(call: Call) -> tuple[Any, Duplicates | None, list[str]]:
    """Returns the value of a body, its duplicate names, and other problems of a strict decoder.

    Raises:
        BodyError: it is malformed.
    """
    media = input_type(call.headers.get("content-type"), protobuf=call.resource.reads_protobuf)
    if media == PROTOBUF:
        try:
            return call.resource.read_protobuf(call.body), None, []
        except ValueError as problem:
            raise BodyError(str(problem)) from None
    if media == YAML:
        value, problems = read_yaml(call.body)
        return value, None, problems
    try:
        value, duplicates = parse_json(call.body)
    except BodyError as problem:
        raise BodyError(f"{'' if str(problem) == _TOO_DEEP else NOT_JSON}{problem}") from None
    return value, duplicates, []


def parse_json(body: bytes) -> tuple[Any, Duplicates]:
    """Returns the value of a JSON text, and its duplicate names.

    Raises:
        BodyError: it is malformed.
    """
    try:
        return read_json(body)
    except RecursionError:
        raise BodyError(_TOO_DEEP) from None
    except ValueError as problem:
        raise BodyError(_json_problem(body, problem)) from None


def read_yaml(body: bytes) -> tuple[Any, list[str]]:
    """Returns the value of a YAML document, and the problems of a strict decoder.

    Raises:
        BodyError: it is malformed.
    """
    try:
        text = body.decode()
        documents = list(read_documents(text))
    except UnicodeDecodeError:
        raise BodyError("yaml: invalid leading UTF-8 octet") from None
    except yaml.MarkedYAMLError as problem:
        line = 0 if problem.problem_mark is None else problem.problem_mark.line
        match = re.match(r"the key `(.*)` is there twice", problem.problem or "", re.DOTALL)
        if match:
            slip = f"line {line + 1}: key {go_quote(match[1])} already set in map"
            return _lenient(text), [slip]
        line += bool(line and isinstance(problem, yaml.scanner.ScannerError))
        where = f"line {line}: " if line else ""
        raise BodyError(f"yaml: {where}{problem.problem}") from None
    except RecursionError:
        raise BodyError("yaml: exceeded max depth") from None
    return (documents[0].value if documents else None), []


def _lenient(text: str) -> Any:
    """Parses a document with duplicate keys; the last value of a key wins."""
    return yaml.load(text, Loader=_LastWins)  # noqa: S506 - a safe loader


class _LastWins(yaml.SafeLoader):
    """A safe loader without timestamps."""


_LastWins.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _json_problem(body: bytes, problem: ValueError) -> str:
    """Returns the error of Go's JSON decoder for a malformed text."""
    text = body.decode("utf-8", "replace")
    if not text.strip():
        return "unexpected end of JSON input"
    message = str(problem)
    at = getattr(problem, "pos", None)
    if at is None:
        return message
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    if at >= len(text) or "Unterminated string" in message:
        return "unexpected end of JSON input"
    where = "looking for beginning of value"
    literal = next((each for each in ("null", "true", "false") if text[at] == each[0]), "")
    if literal and "Expecting value" in message:
        for index, wanted in enumerate(literal):
            found = text[at + index : at + index + 1]
            if not found:
                return "unexpected end of JSON input"
            if found != wanted:
                return f"invalid character {_quote(found)} in literal {literal} (expecting {_quote(wanted)})"
    if "Extra data" in message:
        where = "after top-level value"
    elif "':' delimiter" in message:
        where = "after object key"
    elif "',' delimiter" in message:
        where = "after object key:value pair" if _is_in_object(text, at) else "after array element"
    elif "property name" in message:
        where = "looking for beginning of object key string"
    return f"invalid character {_quote(text[at])} {where}"


def _is_in_object(text: str, at: int) -> bool:
    depth = 0
    for char in reversed(text[:at]):
        if char in "}]":
            depth += 1
        elif char in "{[":
            if depth == 0:
                return char == "{"
            depth -= 1
    return True


def _quote(char: str) -> str:
    return "'\\''" if char == "'" else "'\"'" if char == '"' else f"'{go_quote(char)[1:-1]}'"


def summary(body: bytes) -> str:
    """Returns the beginning of a body."""
    if not body:
        return "<empty>"
    shown = body[:_SUMMARY]
    rest = " ..." if len(body) > _SUMMARY else ""
    return (shown.decode("utf-8", "replace") if body[:1] == b"{" else shown.hex()) + rest


def unreadable(call: Call, obj: Any, problem: str) -> ApiError:
    """Returns 400 for a body that is not decoded."""
    kind = call.resource.names.kind if call.target.subresource != "scale" else "Scale"
    found = obj.get("kind") if isinstance(obj, dict) else None
    if isinstance(found, str) and found:
        version = str(obj.get("apiVersion") or "").rpartition("/")[2]
        return bad_request(f"{found} in version {go_quote(version)} cannot be handled as a {kind}: {problem}")
    return bad_request(
        f"the object provided is unrecognized (must be of type {kind}): {problem} ({summary(call.body)})"
    )


def report_slips(call: Call, level: str, slips: list[str], refuse: Callable[[str], ApiError]) -> None:
    """Refuses duplicate and unknown fields, warns of them, or ignores them, as the request demands."""
    if slips and level == "Strict":
        raise refuse(f"strict decoding error: {', '.join(slips)}")
    if level == "Warn":
        call.warnings += slips


def check_kind(call: Call, obj: Any) -> None:
    """Checks that a decoded body is an object with a kind."""
    shown = call.body.decode("utf-8", "replace") if call.body[:1] == b"{" else None
    try:
        check_type(obj, shown)
    except DecodingError as problem:
        raise unreadable(call, {}, str(problem)) from None


def read_unknown(obj: Any, type: GoType) -> list[str]:
    """Returns the unknown fields of an object, in the server's words.

    Raises:
        DecodingError: it cannot be decoded as the type.
    """
    found = []
    for mistake in mistakes(obj, type, SchemaPath("")):
        if mistake.unknown is None:
            raise DecodingError(mistake.text)
        if not mistake.hidden:
            found.append(mistake.in_words)
    return found


def describe_mistype(value: Any, target: str) -> str:
    """Returns the error of Go's JSON decoder for a value that does not have the type of `target`."""
    names: dict[type, str] = {dict: "object", list: "array", str: "string", bool: "bool", type(None): "null"}
    return f"json: cannot unmarshal {names.get(type(value), 'number')} into Go {target}"


def check_type(obj: Any, shown: str | None = None) -> None:
    """Checks that a value is an object with a kind. `shown` is its text for the error.

    Raises:
        DecodingError: the value is no object, or has no kind.
    """
    if not isinstance(obj, dict):
        target = (
            'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
        )
        if obj is None:
            raise DecodingError("Object 'Kind' is missing in 'null'")
        raise DecodingError(f"{NOT_JSON}{describe_mistype(obj, f'value of type {target}')}")
    for name in ("apiVersion", "kind"):
        value = obj.get(name)
        if value is not None and not isinstance(value, str):
            raise DecodingError(f"{NOT_JSON}{describe_mistype(value, f'struct field .{name} of type string')}")
    if not obj.get("kind"):
        raise DecodingError(f"Object 'Kind' is missing in '{go_json(obj) if shown is None else shown}'")
