"""Kubernetes manifests: every object in YAML or JSON files, read as the Kubernetes clients read them.

YAML goes through JSON there (sigs.k8s.io/yaml, on go.yaml.in/yaml/v2): timestamps stay text, `y` and `n` are booleans,
sexagesimal numbers are none, keys become strings, whole floats become integers, and unknown tags mean nothing. A key
that is there twice is an error, as it is for the API server. Files that begin with `{` are JSON if they can be.

The module never judges what an object says.
"""

from __future__ import annotations

import base64
import json
import math
import os
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.gotext import render_bad_value

_SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object and where it begins. `obj` is whatever the document holds."""

    obj: Any
    file: str
    line: int

    @property
    def name(self) -> str:
        """`metadata.name`, empty when there is none."""
        return _text_of_metadata(self.obj, "name")

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What makes it the same object in another file: API version, kind, namespace, name."""
        obj = self.obj if isinstance(self.obj, dict) else {}
        return _text(obj.get("apiVersion")), _text(obj.get("kind")), _text_of_metadata(obj, "namespace"), self.name


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text_of_metadata(obj: Any, name: str) -> str:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return _text(metadata.get(name)) if isinstance(metadata, dict) else ""


# --- files ------------------------------------------------------------------------------------------------------------


def read_manifests(paths: Sequence[str], diagnostics: Diagnostics) -> list[Manifest]:
    """All objects in files, in directories below (`.yaml`, `.yml`, `.json`) and, for `-`, on standard input.

    Items of a list count one by one. What cannot be read is reported, and the rest is still returned.
    """
    found: list[Manifest] = []
    for argument in paths:
        own = Diagnostics()
        objects = _read(argument, own)
        if not objects and not own.items:
            place = Span("<stdin>" if argument == "-" else argument)
            help = f"name a file that holds manifests, or a directory with such files ({', '.join(_SUFFIXES)})"
            own.error("VG902", "there are no objects here", place, help)
        found += objects
        for problem in own.items:
            diagnostics.add(problem)
    return found


def _read(argument: str, diagnostics: Diagnostics) -> list[Manifest]:
    """The objects that one argument names."""
    if argument == "-":
        return _parse("<stdin>", sys.stdin.buffer.read(), diagnostics)
    found: list[Manifest] = []
    for file in _files(argument, diagnostics):
        try:
            content = file.read_bytes()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = getattr(error, "strerror", None) or error
            diagnostics.error("VG901", f"cannot read: {reason}", Span(file.as_posix()), "check the path")
        else:
            found += _parse(file.as_posix(), content, diagnostics)
    return found


def _files(argument: str, diagnostics: Diagnostics) -> list[Path]:
    """The file that is meant, or the manifests in and below a directory, sorted."""
    if not os.path.isdir(argument):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return [Path(argument)]

    def report(error: OSError) -> None:
        place = Span(Path(error.filename).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {error.strerror}", place, "check the permissions")

    found: list[Path] = []
    for directory, _, names in os.walk(argument, onerror=report):  # it does not follow links to directories
        files = [Path(directory, name) for name in names if name.endswith(_SUFFIXES)]
        # A link to nowhere is kept, and fails when it is read; pipes and devices must not be waited for.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
    return sorted(found)


def _parse(file: str, content: bytes, diagnostics: Diagnostics) -> list[Manifest]:
    """The objects of a file."""
    found: list[Manifest] = []
    problems: list[_MalformedError] = []
    try:
        text = _decoded(content)
        for document in _json_documents(text) or _yaml_documents(text, problems):
            found += _objects(document, file)
    except _MalformedError as error:
        problems.append(error)
    for problem in problems:
        line, column = problem.line, problem.column
        place = Span(file, line, column, column + 1) if line else Span(file)
        diagnostics.error("VG905", problem.reason, place, problem.help)
    return found


def _decoded(content: bytes) -> str:
    """The text, in one of the encodings that YAML allows."""
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, errors="replace")
        reason = f"byte 0x{content[error.start]:02x} is not {'UTF-16' if encoding == 'utf-16' else 'UTF-8'}"
        raise _MalformedError.at(before, len(before), reason, "save the file as UTF-8") from None


@dataclass(slots=True)
class _Document:
    """One value, the line where it begins, and the lines of its `items` if they are known."""

    root: Any = None
    line: int = 1
    item_lines: list[int] = field(default_factory=list)


def _objects(document: _Document, file: str) -> Iterator[Manifest]:
    """The object of a document, or the items of a list. Items may leave it to their list to say what they are."""
    obj = document.root
    kind = _text(obj.get("kind")) if isinstance(obj, dict) else ""
    if kind.endswith("List") and isinstance(obj.get("items"), list):
        own = {"apiVersion": obj.get("apiVersion"), "kind": kind.removesuffix("List")}
        lines = document.item_lines or [document.line] * len(obj["items"])
        for item, line in zip(obj["items"], lines, strict=True):
            anonymous = isinstance(item, dict) and not item.get("apiVersion") and not item.get("kind")
            yield Manifest({**item, **own} if anonymous and own["kind"] else item, file, line)
    elif obj is not None:  # there may be nothing between two separators
        yield Manifest(obj, file, document.line)


class _MalformedError(Exception):
    """Text that is not what Kubernetes reads. `line` and `column` count from 1; 0 when they are not known (yet).

    `begun` is the index where the document begins of which this is said.
    """

    begun = 0

    def __init__(self, reason: str, line: int = 0, column: int = 0, help: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.help = help

    @classmethod
    def at(cls, text: str, index: int, reason: str, help: str = "") -> _MalformedError:
        return cls(reason, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index), help)


# --- JSON -------------------------------------------------------------------------------------------------------------

_JSON_VALUE = re.compile(r"[^ \t\r\n]")


def _json_documents(text: str) -> list[_Document]:
    """The values of a stream of JSON; none if it is malformed: then it is read as YAML, which tells what is wrong."""
    found: list[_Document] = []
    begin = _JSON_VALUE.search(text)
    if begin is None or begin[0] != "{":
        return []
    line = 1
    counted = 0
    try:
        while begin:
            line += text.count("\n", counted, begin.start())
            counted = begin.start()
            value, end = _DECODER.raw_decode(text, begin.start())
            found.append(_Document(value, line))
            begin = _JSON_VALUE.search(text, end)
    except (ValueError, RecursionError):
        return []
    return found


def _json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        raise ValueError("a key is there twice")
    return obj


def _json_number(text: str) -> int | float:
    if len(text) < _MANY_DIGITS and text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    if math.isinf(value):
        shown = text if len(text) < _MANY_DIGITS else f"a number of {len(text)} digits"
        raise _MalformedError(f"{shown} is more than a JSON number can be")
    return _whole(value)


def _no_json(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_json_object,
    parse_int=_json_number,
    parse_float=_json_number,
    parse_constant=_no_json,
)


# --- scalars ----------------------------------------------------------------------------------------------------------

_MANY_DIGITS = 70
_INT64, _UINT64 = 2**63, 2**64
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | float | None] = {
    spelling: value
    for value, words in ((True, ("y", "yes", "true", "on")), (False, ("n", "no", "false", "off")), (None, ("null",)))
    for word in words
    for spelling in (word, word.capitalize(), word.upper())
}
_WORDS |= {"": None, "~": None}
_WORDS |= {f"{sign}.{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in ("inf", "Inf", "INF")}
_WORDS |= dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan)
_TAG = "tag:yaml.org,2002:"
_TAGGED: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (float, int), "null": (type(None),)}


def _plain(text: str) -> Any:
    """What an unquoted scalar means (`resolve.go` of go.yaml.in/yaml/v2)."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    digits = text if text[0] == "." else text.replace("_", "")
    if len(digits) < _MANY_DIGITS and _INTEGER.fullmatch(digits):
        signed = digits[0] in "+-"
        octal = re.match("0[0-7]", digits[signed:])
        value = int(digits, 8 if octal else 0)
        if -_INT64 <= value < (_INT64 if signed else _UINT64):
            return value
    if _FLOAT.fullmatch(digits):
        number = float(digits)
        return number if math.isfinite(number) else text
    return text


def _scalar(event: yaml.ScalarEvent) -> Any:
    """The value of a scalar. Tags that Kubernetes' YAML reader does not know are ignored, as it does."""
    text: str = event.value
    if event.tag in (None, "!"):
        return _plain(text) if event.implicit[0] else text
    tag = event.tag.removeprefix(_TAG)
    if tag == "binary":
        try:
            data = base64.b64decode(re.sub("[\r\n]", "", text), validate=True)
        except ValueError:
            raise _MalformedError("the value of !!binary is not base64") from None
        return re.sub("[\udc80-\udcff]", "\ufffd", data.decode(errors="surrogateescape"))  # Go replaces every byte
    if tag not in _TAGGED:
        return text
    value = _plain(text)
    if not isinstance(value, _TAGGED[tag]) or (isinstance(value, bool) and tag != "bool"):
        raise _MalformedError(f"`{text}` is not of the type !!{tag}")
    return value


def _whole(value: float) -> int | float:
    """A float after its way through JSON: whole ones lose their fraction, and there are neither infinities nor NaN."""
    if not math.isfinite(value):
        raise _MalformedError(f"{render_bad_value(value, json_string=False)} is not a JSON number", help="quote it")
    return int(value) if value.is_integer() and -_INT64 <= value < _UINT64 else value


def _key(value: Any) -> str:
    """The name in JSON that a key in YAML becomes."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _float_key(value)
    if isinstance(value, bool | int):
        return render_bad_value(value, json_string=False)
    raise _MalformedError("a key must not be null" if value is None else "a key must be a scalar")


def _float_key(value: float) -> str:
    """With the digits of a 32-bit float, as Go's `strconv.FormatFloat(value, 'g', -1, 32)`."""
    if math.isnan(value):
        return ".nan"
    try:
        packed = struct.pack("f", value)
    except OverflowError:
        packed = struct.pack("f", math.copysign(math.inf, value))
    (single,) = struct.unpack("f", packed)
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    shortest = next(n for n in (float(f"{single:.{digits}e}") for digits in range(9)) if struct.pack("f", n) == packed)
    return render_bad_value(shortest, json_string=False)


# --- YAML -------------------------------------------------------------------------------------------------------------

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SEPARATOR = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
_UNPRINTABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MAX_DEPTH = 10_000


def _yaml_documents(text: str, problems: list[_MalformedError]) -> Iterator[_Document]:
    """The documents of a file. A malformed one does not hide those that come after it."""
    if _UNPRINTABLE.search(text):  # the parser reads ahead: it would not even return what comes before
        starts = [0, *(m.start() for m in _SEPARATOR.finditer(text, 1))]
    else:
        try:
            yield from _stream(text, 0)
            return
        except _MalformedError as problem:
            problems.append(problem)
            starts = [m.start() for m in _SEPARATOR.finditer(text, problem.begun + 1)]
    line = counted = 0
    for start, end in pairwise([*starts, len(text)]):
        line += text.count("\n", counted, start)
        counted = start
        try:
            yield from _stream(text[start:end], line)
        except _MalformedError as problem:
            problems.append(problem)


def _stream(text: str, offset: int) -> Iterator[_Document]:
    """The documents of YAML that begins after `offset` lines of its file."""
    mark: Any = None
    begun = 0
    try:
        if bad := _UNPRINTABLE.search(text):
            reason = f"the character U+{ord(bad[0]):04X} is not allowed"
            raise _MalformedError.at(text, bad.start(), reason, "write it as an escape in double quotes")
        builder = _Builder()
        for event in yaml.parse(text, Loader=_LOADER):
            mark = event.start_mark
            if isinstance(event, yaml.DocumentStartEvent):
                builder, begun = _Builder(), mark.index
            elif isinstance(event, yaml.DocumentEndEvent):
                builder.document.line += offset
                builder.document.item_lines = [line + offset for line in builder.document.item_lines]
                yield builder.document
            else:
                builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None) or mark
        tab = "indent with blanks, not with tabs" if mark and text[mark.index : mark.index + 1] == "\t" else ""
        reason = str(getattr(error, "problem", None) or error)
        line, column = (mark.line + 1 + offset, mark.column + 1) if mark else (0, 0)
        problem = _MalformedError(reason, line, column, tab)
        problem.begun = begun
        raise problem from None
    except _MalformedError as problem:
        if not problem.line and mark:
            problem.line, problem.column = mark.line + 1, mark.column + 1
        problem.line += offset
        problem.begun = begun
        raise


@dataclass(slots=True)
class _Anchor:
    """A value with a name, and how many steps it takes to build; 0 while that is going on."""

    value: Any = None
    steps: int = 0


@dataclass(slots=True)
class _Frame:
    """A list or an object that is not complete: where it began in steps, and the key whose value comes next."""

    value: list[Any] | dict[str, Any]
    begun: int
    anchor: _Anchor
    key: str | None = None
    merging: bool = False
    merged: set[str] = field(default_factory=set)


class _Builder:
    """Builds the value of one document from the events of the parser.

    It neither recurses nor copies: how deep a document is and how often it repeats itself is its author's choice.
    """

    def __init__(self) -> None:
        self.document = _Document()
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Anchor] = {}
        self._steps = 0
        self._aliased = 0

    def take(self, event: yaml.Event) -> None:
        """Takes an event inside of a document."""
        if isinstance(event, yaml.CollectionEndEvent):
            frame = self._frames.pop()
            frame.anchor.steps = self._steps - frame.begun
            self._put(frame.value)
        elif isinstance(event, yaml.NodeEvent):
            self._note_line(event.start_mark)
            self._steps += 1
            self._begin(event)

    def _note_line(self, mark: Any) -> None:
        frames, line = self._frames, mark.line + 1
        if not frames:
            self.document.line = line
        elif len(frames) == 2 and frames[0].key == "items" and isinstance(frames[1].value, list):
            self.document.item_lines.append(line)

    def _begin(self, event: yaml.NodeEvent) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._put(self._repeated(event.anchor))
            return
        anchor = _Anchor()
        if event.anchor is not None:
            self._anchors[event.anchor] = anchor
        frame = self._frames[-1] if self._frames else None
        wants_key = frame is not None and isinstance(frame.value, dict) and frame.key is None
        if isinstance(event, yaml.ScalarEvent):
            anchor.steps = 1
            if wants_key and event.value == "<<" and (event.implicit[0] or event.tag == f"{_TAG}merge"):
                assert frame is not None
                frame.key, frame.merging = "<<", True
            else:
                anchor.value = _scalar(event)
                self._put(anchor.value)
        elif wants_key:
            raise _MalformedError("a key must be a scalar")
        elif len(self._frames) >= _MAX_DEPTH:
            raise _MalformedError(f"nested deeper than {_MAX_DEPTH} levels")
        else:
            anchor.value = [] if isinstance(event, yaml.SequenceStartEvent) else {}
            self._frames.append(_Frame(anchor.value, self._steps - 1, anchor))

    def _repeated(self, name: str | None) -> Any:
        """The value of an alias, unless it is a bomb (the limits are those of `decode.go`)."""
        anchor = self._anchors.get(name or "")
        if anchor is None:
            raise _MalformedError(f"there is no anchor `&{name}` above")
        if not anchor.steps:
            raise _MalformedError(f"the value of the anchor `&{name}` contains itself")
        self._steps += anchor.steps
        self._aliased += anchor.steps
        allowed = 0.99 - 0.89 * min(max((self._steps - 400_000) / 3_600_000, 0), 1)
        if self._aliased > 100 and self._steps > 1000 and self._aliased > allowed * self._steps:
            raise _MalformedError("the document repeats too much by aliases", help="write the values out")
        return anchor.value

    def _put(self, value: Any) -> None:
        """Puts a complete value where it belongs."""
        frame = self._frames[-1] if self._frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            frame.key = _key(value)
            if frame.key in frame.value and frame.key not in frame.merged:
                raise _MalformedError(f"the key `{frame.key}` is there twice", help="keep one of the two")
            return
        if isinstance(value, float):
            value = _whole(value)
        if frame is None:
            self.document.root = value
        elif isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.merging:
            _merge(frame, frame.value, value)
            frame.key, frame.merging = None, False
        else:
            assert frame.key is not None
            frame.merged.discard(frame.key)
            frame.value[frame.key] = value
            frame.key = None


def _merge(frame: _Frame, target: dict[str, Any], value: Any) -> None:
    """`<<: value`. What is written out counts more, but YAML and its reader in Go differ if it stands before."""
    sources = value if isinstance(value, list) else [value]
    if not all(isinstance(source, dict) for source in sources):
        raise _MalformedError("`<<` wants an object or a list of objects")
    for source in reversed(sources):
        for key, item in source.items():
            if key in target and key not in frame.merged:
                raise _MalformedError(
                    f"`<<` brings the key `{key}` again", help="put `<<` before the keys of the object"
                )
            target[key] = item
            frame.merged.add(key)
