"""Reads the lists of errors that tests need not trigger, for `validation-gen coverage`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import yaml

from validation_gen.commands.coverage import Allowance
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading
from validation_gen.kubernetes.yaml import read_unusual

_KEYS = ("kind", "path", "type", "origin", "reason")


class _UnusableError(Exception):
    """An entry is malformed. The text has the reason."""


def _read(file: str, diagnostics: Diagnostics) -> bytes:
    try:
        return reading.read_named(file)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file).as_posix()), "check the path")
        return b""


def read_allowances(file: str, diagnostics: Diagnostics) -> Iterator[Allowance]:
    """Yields the entries of a YAML list of allowances. All keys are required, so that no entry allows too much."""
    name = Path(file).as_posix()
    try:
        text = _read(file, diagnostics).decode("utf-8-sig")
        roots = [document.node for document in islice(read_unusual(text), 2)]
    except UnicodeDecodeError as error:
        diagnostics.error("VG901", f"not UTF-8: {error.reason} at byte {error.start + 1}", Span(name))
        return
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = Span(name, mark.line + 1, mark.column + 1, mark.column + 2) if mark else Span(name)
        reason = getattr(error, "problem", None) or "it cannot be read"
        help = getattr(error, "note", None) or 'a star is written in quotes: "*"'
        diagnostics.error("VG901", f"not YAML: {reason}", place, help)
        return
    if len(roots) > 1 and roots[1] is not None:
        place = Span(name, roots[1].start_mark.line + 1, 1)
        diagnostics.error("VG901", "there is more than one document", place, "write one list of allowances")
        return
    root = roots[0] if roots else None
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
