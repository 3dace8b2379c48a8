"""What `validation-gen coverage` reads: the errors that tests have seen, and those that need not be seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading
from validation_gen.uses.coverage import Allowance, Observed

_EXAMPLE = '{"package": "robots/v1", "kind": "Robot", "errors": [{"type": "FieldValueRequired", "field": "spec.arm"}]}'
_KEYS = ("kind", "path", "type", "origin", "reason")


class _UnusableError(Exception):
    """The text says what is wrong with a record or an entry, `help` what to write instead."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(message)
        self.help = help


def read_observed(file: str, diagnostics: Diagnostics) -> Iterator[Observed]:
    """The errors in a file of requests with their answers, one JSON object a line; `-` is standard input.

    Such a record has `kind`, `package` or `apiVersion` unless the kind is in one package only, and `errors` with
    `type`, `field` and `origin` (tag reference 5.7). Other names are ignored. Lines that are unusable are reported.
    """
    name = "<stdin>" if file == "-" else Path(file).as_posix()
    for number, line in enumerate(_read(file, diagnostics).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield from _observed(line)
        except _UnusableError as problem:
            place = Span(name, number, 1, 2)
            diagnostics.error("VG901", f"this line is no test result: {problem}", place, problem.help)


def _read(file: str, diagnostics: Diagnostics) -> bytes:
    try:
        return reading.read_input() if file == "-" else reading.read_named(file)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file).as_posix()), "check the path")
        return b""


def _observed(line: bytes) -> list[Observed]:
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise _UnusableError(f"not JSON: {problem}", f"write {_EXAMPLE}") from None
    if not isinstance(record, dict):
        raise _UnusableError("not a JSON object", f"write {_EXAMPLE}")
    kind = _text(record, "kind")
    if not kind:
        raise _UnusableError("kind is missing", "an answer of `validation-gen stdio` is joined with its request")
    errors = record.get("errors")
    if not isinstance(errors, list):
        refusal = f": {record['error']}" if isinstance(record.get("error"), str) else ""
        raise _UnusableError(f"it has no list of errors{refusal}", "an empty list stands for a valid object")
    found = []
    for error in errors:
        if not isinstance(error, dict) or not _text(error, "type") or not _text(error, "field"):
            raise _UnusableError("an error has no type or no field", f"write {_EXAMPLE}")
        place = (kind, _text(error, "field"), _text(error, "type"), _text(error, "origin"))
        found.append(Observed(*place, package=_text(record, "package"), api_version=_text(record, "apiVersion")))
    return found


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise _UnusableError(f"{name} is no string")
    return value or ""


# --- allowances ------------------------------------------------------------------------------------------------------


def read_allowances(file: str, diagnostics: Diagnostics) -> Iterator[Allowance]:
    """The entries of a YAML list of allowances. All keys are wanted, so that no entry allows more than it says."""
    name = Path(file).as_posix()
    try:
        root = yaml.compose(_read(file, diagnostics).decode("utf-8-sig"), yaml.SafeLoader)
    except UnicodeDecodeError as error:
        diagnostics.error("VG901", f"not UTF-8: {error.reason} at byte {error.start + 1}", Span(name))
        return
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = Span(name, mark.line + 1, mark.column + 1, mark.column + 2) if mark else Span(name)
        reason = getattr(error, "problem", None) or "it cannot be read"
        diagnostics.error("VG901", f"not YAML: {reason}", place, 'a star is written in quotes: "*"')
        return
    if root is None:
        return
    for node in root.value if isinstance(root, yaml.SequenceNode) else [root]:
        place = Span(name, node.start_mark.line + 1, node.start_mark.column + 1, node.start_mark.column + 2)
        try:
            yield _allowance(node, place)
        except _UnusableError as problem:
            example = '{kind: Robot, path: spec.arm, type: FieldValueRequired, origin: "*", reason: why}'
            diagnostics.error("VG901", f"this entry is no allowance: {problem}", place, f"write - {example}")


def _allowance(node: yaml.Node, place: Span) -> Allowance:
    if not isinstance(node, yaml.MappingNode):
        raise _UnusableError("not a mapping")
    values = {}
    for key, value in node.value:
        if key.value not in _KEYS:
            raise _UnusableError(f"there is no key {key.value!r}; the keys are {', '.join(_KEYS)}")
        if not isinstance(value, yaml.ScalarNode):
            raise _UnusableError(f"{key.value} is no string")
        values[key.value] = value.value.strip()
    for key in _KEYS:
        if key not in values or (not values[key] and key in ("kind", "type", "reason")):
            raise _UnusableError(f"{key} is missing")
    kind, path, type, origin, reason = (values[key] for key in _KEYS)
    return Allowance(kind, path, type, origin, reason, place)
