"""Kubernetes manifests: every object in YAML or JSON files, read as the Kubernetes clients read them.

Files that begin with `{` are JSON if they can be. The module does not validate objects.
"""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import ref

import yaml

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files.reading import HEAD, detect_packing
from validation_gen.files.tree import Tree
from validation_gen.kubernetes.manifestfiles import Unpack, as_it_is, contents, names, nothing_at
from validation_gen.kubernetes.positions import Positions
from validation_gen.kubernetes.yaml import (
    MOST_VALUES,
    Document,
    make_syntax_error,
    mark_at,
    plain,
    read_documents,
    too_many,
    whole,
)

#: Start of a Helm template: `{{ .Values.name }}`, `{{- if …`, `{{ include "…" . }}`.
_TEMPLATE = re.compile(r"\{\{-?\s*(?:[.$]|/\*|(?:define|else|end|if|include|range|template|toYaml|tpl|with)\b)")
#: Name of standard input in findings.
STDIN = "<stdin>"
_RENDER = "this is a Helm template; render it first: helm template CHART | validation-gen validate PATH -f -"
#: Returns whether an object is a single one although it looks like a list. It is called in order, so that it can learn
#: from definitions.
IsObject = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One object and its first line.

    `obj` is the value of the document, `positions` finds the positions of its parts.
    """

    obj: Any
    file: str
    line: int
    positions: Positions = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """`metadata.name`, empty when there is none."""
        return _text_of_metadata(self.obj, "name")

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """Identity of the object across files: API version, kind, namespace, name."""
        obj = self.obj if isinstance(self.obj, dict) else {}
        return _text(obj.get("apiVersion")), _text(obj.get("kind")), _text_of_metadata(obj, "namespace"), self.name

    @property
    def title(self) -> str:
        """Name of the object in kubectl's form: `httproute.gateway.networking.k8s.io/name`."""
        version, kind, _, name = self.identity
        group = version.rpartition("/")[0]
        return f"{kind.lower()}{f'.{group}' if group else ''}/{name}"

    @property
    def template(self) -> str:
        """The Helm template of an object on standard input; empty for objects in files, whose path is enough."""
        return self.positions.find_template(self.line) if self.file == STDIN else ""

    def named(self) -> Manifest:
        """Returns the manifest without its text, and with only the identity of its object."""
        version, kind, namespace, name = self.identity
        obj = {"apiVersion": version, "kind": kind, "metadata": {"namespace": namespace, "name": name}}
        return Manifest(obj, self.file, self.line, Positions(self.file, "", 0))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text_of_metadata(obj: Any, name: str) -> str:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return _text(metadata.get(name)) if isinstance(metadata, dict) else ""


# --- files ------------------------------------------------------------------------------------------------------------


def read_manifests(
    paths: Sequence[str],
    diagnostics: Diagnostics,
    *,
    recursive: bool = True,
    is_object: IsObject | None = None,
    tree: Tree | None = None,
) -> list[Manifest]:
    """Reads all objects in files, in directories (`.yaml`, `.yml`, `.json`) and, for `-`, on standard input.

    A name that no file has may be a pattern, such as `crds/**/*.yaml`, or several names with commas between them.
    Unless it is `recursive`, directories inside a directory are left out. Items of a list count one by one; `is_object`
    is called for each object, in order, and returns whether it is a single one although it looks like a list.
    Unreadable files are reported, and the rest is still returned.
    """
    return list(each_manifest(paths, diagnostics, recursive=recursive, is_object=is_object, tree=tree))


def each_manifest(
    paths: Sequence[str],
    diagnostics: Diagnostics,
    *,
    recursive: bool = True,
    is_object: IsObject | None = None,
    unpack: Unpack = as_it_is,
    tree: Tree | None = None,
) -> Iterator[Manifest]:
    """Yields the objects one after the other, as all may not fit into memory.

    With a `tree` its files are read, and each path is one name.
    """
    for argument in names(paths) if tree is None else paths:
        own = Diagnostics()
        none = True
        for file, content in contents(argument, own, recursive=recursive, unpack=unpack, tree=tree):
            for manifest in _parse(file, content, own, is_object or (lambda _: False)):
                none = False
                yield manifest
        if none and not own.items:
            own.add(nothing_at(argument))
        for problem in own.items:
            diagnostics.add(problem)


# --- documents --------------------------------------------------------------------------------------------------------


def parse(file: str, content: bytes, diagnostics: Diagnostics, is_object: IsObject = lambda _: False) -> list[Manifest]:
    """Parses the objects of a file's content. A malformed document does not hide those that come after it."""
    return list(_parse(file, content, diagnostics, is_object))


def _parse(file: str, content: bytes, diagnostics: Diagnostics, is_object: IsObject) -> Iterator[Manifest]:
    for piece in pieces(file, content, diagnostics):
        yield from parse_piece(file, piece, diagnostics, is_object)


class Form(enum.IntEnum):
    """Forms of a piece of input."""

    WHOLE = 0  #: it is the whole file
    YAML = 1  #: the file is not JSON
    LINES = 2  #: the file seems to have a JSON value on each line


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file that can be read without the others: its text, and the number of lines before it."""

    text: str = field(repr=False)
    line: int = 0
    form: Form = Form.WHOLE


class CutError(Exception):
    """The file of a piece cannot be read in pieces."""


def pieces(file: str, content: bytes, diagnostics: Diagnostics, size: int | None = None) -> Iterator[Piece]:
    """Yields the text of a file in pieces of at least `size` characters, or whole.

    It is cut where documents or lines begin. Reading all pieces in order gives the same result as reading the whole. A
    file that is not a string is reported.
    """
    with _reporting(file, "", 0, diagnostics):
        text = _decode(content)
        if size is None or len(text) <= size:
            yield Piece(text)
        elif text.lstrip(_BLANKS).startswith("{"):
            if text.count("\n") >= MOST_DOCUMENTS and _has_lines(text):
                raise _too_many_objects(text, 0)
            yield from _lines(text, size) if _has_lines(text) else [Piece(text)]
        else:
            yield from _join_pieces(_parts(text), size)


def _join_pieces(parts: Iterator[str], size: int) -> Iterator[Piece]:
    """Joins parts of YAML to pieces of the minimum size."""
    line, waiting, length = 0, list[str](), 0
    error: yaml.MarkedYAMLError | None = None
    while True:
        try:
            part = next(parts, None)
        except yaml.MarkedYAMLError as problem:  # it comes after the waiting parts
            part, error = None, problem
        if part is None:
            break
        waiting.append(part)
        length += len(part)
        if length >= size:
            yield Piece("".join(waiting), line, Form.YAML)
            line += sum(each.count("\n") for each in waiting)
            waiting, length = [], 0
    if waiting:
        yield Piece("".join(waiting), line, Form.YAML)
    if error is not None:
        raise error


def _has_lines(text: str) -> bool:
    """Returns whether the first line that is not blank is one complete JSON value."""
    begin = len(text) - len(text.lstrip(_BLANKS))
    end = text.find("\n", begin)
    return end >= 0 and bool(_json_documents(text[begin:end]))


def _lines(text: str, size: int) -> Iterator[Piece]:
    begin = line = 0
    while begin < len(text):
        end = text.find("\n", begin + size - 1) + 1 or len(text)
        piece = text[begin:end]
        yield Piece(piece, line, Form.LINES)
        line += piece.count("\n")
        begin = end


def parse_piece(
    file: str, piece: Piece, diagnostics: Diagnostics, is_object: IsObject = lambda _: False
) -> Iterator[Manifest]:
    """Yields the objects of a piece.

    Raises:
        CutError: the file must be read as a whole, to find the error.
    """
    with _reporting(file, "", 0, diagnostics):
        text, line = piece.text, piece.line
        found = _read_json(piece)
        for document in found:
            place = Positions(file, text, document.root, line=line, is_json=True)
            yield from _objects(document, place, is_object)
        for part in [] if found or piece.form is Form.LINES else _parts(text):
            with _reporting(file, part, line, diagnostics):
                for document in () if _is_empty(part) else read_documents(part):
                    place = Positions(
                        file, part, document.root, line=line, node=ref(document.node) if document.node else None
                    )
                    yield from _objects(document, place, is_object)
            line += part.count("\n")


def _read_json(piece: Piece) -> list[Document]:
    if piece.form is Form.YAML:
        return []
    try:
        found = _json_documents(piece.text)
    except yaml.MarkedYAMLError:
        if piece.form is Form.LINES:
            raise CutError from None
        raise
    is_empty = not found and piece.text.strip(_BLANKS)
    if piece.form is Form.LINES and (is_empty or len(found) > piece.text.count("\n") + 1):
        raise CutError  # more objects than lines: the limit on objects counts for the whole file
    return found


@contextmanager
def _reporting(file: str, text: str, offset: int, diagnostics: Diagnostics) -> Iterator[None]:
    """Reports malformed text that begins after `offset` lines of its file."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Span(file, offset + mark.line + 1, mark.column + 1, mark.column + 2) if mark else Span(file)
        help = "indent with blanks, not with tabs" if mark and text[mark.index : mark.index + 1] == "\t" else ""
        help = _RENDER if _TEMPLATE.search(text) else error.note or help
        diagnostics.error("VG905", str(error.problem or error.context), place, help)


def _decode(content: bytes) -> str:
    """Decodes a text in one of the encodings that YAML allows."""
    encoding = "UTF-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "UTF-8"
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, errors="replace")
        problem = f"byte 0x{content[error.start]:02x} is not {encoding}"
        packing = detect_packing(content[:HEAD])
        help = f"it is compressed by {packing}: unpack it first" if packing else "save the file as UTF-8"
        raise make_syntax_error(mark_at(before, len(before)), problem, help) from None


#: Greatest number of documents of a file, and of items of a list: as many are kept at once if each has a finding.
MOST_DOCUMENTS = 500_000
#: Empty documents, which are skipped together.
_RUN = "---\n" * 1024
#: A document without a value: comments, and a null.
_EMPTY = re.compile(r"(?:---)?(?:[ \r\n]|#[ -~]*)*(?:(?:null|~)[ \r\n]*)?")


def _parts(text: str) -> Iterator[str]:
    """Cuts the text where documents begin, at kubectl's separator lines.

    Raises:
        MarkedYAMLError: something else than a comment follows a separator, or there are too many.
    """
    start = 0
    if "\n---" not in text and not text.startswith("---"):  # most files have none
        yield text
        return
    # A directive belongs to the document that follows it.
    directive = 0 if text.startswith("%") else text.find("\n%")
    for number, separator in enumerate(_separators(text)):
        if number >= MOST_DOCUMENTS:
            raise _too_many_objects(text, separator)
        if directive < 0 or directive >= separator:
            yield _without_marker(text[start:separator])
            start = separator
        rest = text[separator + 3 : text.find("\n", separator) + 1 or None].strip()
        if rest and not rest.startswith("#"):
            problem = f"invalid Yaml document separator: {rest}"
            raise make_syntax_error(mark_at(text, separator), problem, "only a comment can follow `---` on its line")
    yield _without_marker(text[start:])


def _without_marker(part: str) -> str:
    """Turns a `---#` line into a comment: without a blank before `#` it is no separator in YAML."""
    return f"   {part[3:]}" if part.startswith("---#") else part


def _too_many_objects(text: str, at: int) -> yaml.MarkedYAMLError:
    problem = f"the file has more than {MOST_DOCUMENTS:,} objects, the most that are read"
    return make_syntax_error(mark_at(text, at), problem, "give it in parts")


def _is_empty(part: str) -> bool:
    """Returns whether a part obviously has no value."""
    return part.startswith(_RUN[:8]) or (len(part) < 1000 and _EMPTY.fullmatch(part) is not None)


def _separators(text: str) -> Iterator[int]:
    """Yields the offsets of lines that begin with `---`; both ends of a run."""
    at = 0 if text.startswith("---") else text.find("\n---") + 1 or -1
    while at >= 0:
        yield at
        begin = at
        while text.startswith(_RUN, at):
            at += len(_RUN)
        if at > begin:
            at -= 4
            continue
        at = text.find("\n---", at) + 1 or -1


def _objects(document: Document, positions: Positions, is_object: IsObject) -> Iterator[Manifest]:
    """Yields the object of a document, or the items of a list. Items may inherit version and kind from their list."""
    obj = document.value
    file, offset = positions.file, positions.line
    line = document.line + offset + 1
    kind = _text(obj.get("kind")) if isinstance(obj, dict) else ""
    if not is_object(obj) and kind.endswith("List") and isinstance(obj.get("items"), list):
        if len(obj["items"]) > MOST_DOCUMENTS:
            raise _too_many_objects(positions.text, 0)
        own = {"apiVersion": obj.get("apiVersion"), "kind": kind.removesuffix("List")}
        lines = [item_line + offset + 1 for item_line in document.item_lines] or [line] * len(obj["items"])
        for index, (item, item_line) in enumerate(zip(obj["items"], lines, strict=True)):
            anonymous = isinstance(item, dict) and not item.get("apiVersion") and not item.get("kind")
            whole_item = {**item, **own} if anonymous and own["kind"] else item
            is_object(whole_item)
            yield Manifest(whole_item, file, item_line, replace(positions, path=("items", index)))
    elif obj is not None:  # there may be nothing between two separators
        yield Manifest(obj, file, line, positions)


# --- JSON -------------------------------------------------------------------------------------------------------------

_BLANKS = " \t\r\n"
_JSON_VALUE = re.compile(f"[^{_BLANKS}]")


def _json_documents(text: str) -> list[Document]:
    """Returns the values of a stream of JSON; none if it is malformed: reading it as YAML then finds the error."""
    found: list[Document] = []
    begin = _JSON_VALUE.search(text)
    if begin is None or begin[0] != "{":
        return []
    if len(text) > MOST_VALUES and sum(map(text.count, ",[{")) > MOST_VALUES:
        raise too_many(None, MOST_VALUES)
    line = counted = 0
    try:
        while begin:
            if len(found) >= MOST_DOCUMENTS:
                raise _too_many_objects(text, begin.start())
            line += text.count("\n", counted, begin.start())
            counted = begin.start()
            value, end = _JSON.raw_decode(text, counted)
            found.append(Document(value, line, root=counted))
            begin = _JSON_VALUE.search(text, end)
    except (ValueError, RecursionError):
        return []
    return found


def _json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        raise ValueError("a key is there twice")
    return obj


def _json_number(text: str) -> Any:
    value = plain(text)
    if isinstance(value, str):
        raise yaml.MarkedYAMLError(problem=f"{text:.40} is more than a JSON number can be")
    return whole(value) if isinstance(value, float) else value


def _no_json(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_JSON = json.JSONDecoder(
    object_pairs_hook=_json_object,
    parse_int=_json_number,
    parse_float=_json_number,
    parse_constant=_no_json,
)
