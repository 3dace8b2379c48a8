"""YAML as the Kubernetes clients read it: through JSON (sigs.k8s.io/yaml, on go.yaml.in/yaml/v2).

Timestamps stay text, `y` and `n` are booleans, sexagesimal numbers are text, keys become strings, and whole floats
become integers. A duplicate key is an error, as it is for the API server. So are tags that YAML itself does not define,
and `%TAG`: nothing in Kubernetes uses them, and short ones may expand to very long ones.

Native code reads plain YAML, if it is available. PyYAML reads the rest, and malformed texts; this module changes
the meaning of scalars, keys and aliases.
"""

from __future__ import annotations

import base64
import ctypes
import math
import operator
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

import yaml

from validation_gen.runtime import native
from validation_gen.runtime.gotext import render_bad_value


@dataclass(frozen=True, slots=True)
class Document:
    """One value, its first line (from 0), and those of its `items`, if it has any.

    `root` identifies the document in its text: its number in YAML (see `compose_documents`), or the offset of its text
    in JSON. `node` is its node, if PyYAML has read it.
    """

    value: Any
    line: int
    item_lines: list[int] = field(default_factory=list)
    root: int = field(default=0, compare=False, repr=False)
    node: yaml.Node | None = field(default=None, compare=False, repr=False)


def read_documents(text: str) -> Iterator[Document]:
    """Yields the documents of a text. Any error in it is a `yaml.MarkedYAMLError`."""
    if (quick := _read_quickly(text)) is not None:
        return iter((quick,))
    return read_unusual(text)


def read_unusual(text: str) -> Iterator[Document]:
    """Yields the documents of any text by PyYAML alone."""
    if bad := yaml.reader.Reader.NON_PRINTABLE.search(text):
        problem = f"the character U+{ord(bad[0]):04X} is not allowed"
        raise make_syntax_error(mark_at(text, bad.start()), problem, "write it as an escape in double quotes")
    refuse_tag_directives(text)
    numbers = count()

    def document(loader: _Loader, node: yaml.Node) -> Document:
        value = loader.construct_document(node)
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        items = [item for key, items in pairs if key.value == "items" for item in items.value]
        lines = [item.start_mark.line for item in items if isinstance(item, yaml.Node)]
        return Document(value, node.start_mark.line, lines, next(numbers), node)

    return _make_documents(text, document)


def _read_quickly(text: str) -> Document | None:
    """Returns the document of a text with one document in plain YAML; `None` for unusual or malformed texts."""
    if native.accept is None:
        return None
    try:
        found = native.accept.read_yaml(text, _meaning, MOST_VALUES)
    except OverflowError:
        raise too_many(mark_at(text, 0), MOST_VALUES) from None
    return Document(*found) if found else None


def places(text: str) -> tuple[int, Any] | None:
    """Returns the positions of all parts of the document of a plain text.

    A scalar is the offsets of its start and its end, and a third element if it is an empty text; it is `None` if
    nothing is written. A list is the offset of its start, and the positions of its items. An object is that offset, and
    by name: both offsets of the name, and the position of the value.
    """
    return native.accept.yaml_places(text, _meaning, MOST_VALUES) if native.accept else None


def compose_documents(text: str) -> Iterator[yaml.Node]:
    """Yields the nodes of the documents of a text that has been read.

    They have positions, and are larger than values.
    """
    return _make_documents(text, lambda _, node: node)


_T = TypeVar("_T")


def _make_documents(text: str, made: Callable[[_Loader, yaml.Node], _T]) -> Iterator[_T]:
    """Yields the result of a function for each document."""
    loader = (_AnchorLoader if re.search(r"&[\w-]", text) else _Loader)(text)
    try:
        while loader.check_node():
            yield made(loader, loader.get_node())
    except RecursionError:  # by PyYAML where it recurses in Python, or by `<<` in `<<` in `<<`
        raise make_syntax_error(mark_at(text, 0), "nested too deeply") from None
    except yaml.scanner.ScannerError as error:
        if error.problem != _LIBYAML_DEPTH:
            raise
        raise make_syntax_error(error.problem_mark, _TOO_DEEP) from None
    finally:
        loader.dispose()


def mark_at(text: str, index: int) -> Any:
    """Returns a position as a PyYAML mark."""
    return yaml.Mark("", index, text.count("\n", 0, index), index - text.rfind("\n", 0, index) - 1, None, 0)


def refuse_tag_directives(text: str) -> None:
    """Raises an error for `%TAG`, before its prefix is expanded."""
    if not _TAG_LINE.search(text):
        return
    try:
        for token in yaml.scan(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(token, yaml.DirectiveToken) and token.name == "TAG":
                raise make_syntax_error(token.start_mark, "the directive `%TAG` is not allowed", _NO_TAG)
    except yaml.scanner.ScannerError:
        return  # the parser ends here, too


def too_many(mark: Any, most: int) -> yaml.MarkedYAMLError:
    """Returns the error of a document that takes too much memory."""
    return make_syntax_error(
        mark, f"the document has more than {most:,} values, the most that are read", "give it in parts"
    )


def make_syntax_error(mark: Any, problem: str, help: str = "") -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark, note=help)


# --- scalars ----------------------------------------------------------------------------------------------------------

_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}


def plain(text: str) -> Any:
    """Returns the value of an unquoted scalar (`resolve.go` of go.yaml.in/yaml/v2)."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    digits = text if text[0] == "." else text.replace("_", "")
    if len(digits) < 70 and _INTEGER.fullmatch(digits):  # 64 bits need no more
        signed = digits[0] in "+-"
        octal = re.match("0[0-7]", digits[signed:])
        value = int(digits, 8 if octal else 0)
        if -(2**63) <= value < (2**63 if signed else 2**64):
            return value
    number = float(digits) if _FLOAT.fullmatch(digits) else math.inf
    return number if math.isfinite(number) else text


#: Names and short values, most of which are repeated.
_short = lru_cache(maxsize=4096)(plain)
_SHORT = 64


def whole(value: float) -> int | float:
    """Returns a float after a round trip through JSON: whole ones lose their fraction."""
    return int(value) if value.is_integer() and -(2**63) <= value < 2**64 else value


def _meaning(text: str) -> Any:
    """Returns the JSON value of an unquoted scalar; raises a `ValueError` for a number that JSON does not have."""
    value = _short(text) if len(text) < _SHORT else plain(text)
    if value.__class__ is not float:
        return value
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a JSON number")
    return whole(value)


def _float_key(value: float) -> str:
    """Returns a float as a key, with the digits of a 32-bit float: Go's `strconv.FormatFloat(value, 'g', -1, 32)`."""
    single = ctypes.c_float(value).value
    if not math.isfinite(single):
        return ".nan" if math.isnan(single) else ".inf" if single > 0 else "-.inf"
    candidates = (float(f"{single:.{digits}e}") for digits in range(9))
    return render_bad_value(next(n for n in candidates if ctypes.c_float(n).value == single), json_string=False)


# --- loaders ----------------------------------------------------------------------------------------------------------

#: Greatest number of values of a document. One takes up to 200 bytes if native code has read it, and 600 as a node of
#: PyYAML.
MOST_VALUES = 5_000_000
MOST_NODES = 2_000_000
_MAX_DEPTH = 1000  # PyYAML recurses in C, and stacks of threads are small. Upstream has 10,000.
_TOO_DEEP = f"nested deeper than {_MAX_DEPTH} levels"
_LIBYAML_DEPTH = "exceeded maximum nesting depth"  # of PyYAML 6.0.4 and later, which has the same limit of its own
_OPENING = "-?:[{,"  # each list and each object has one of these of its own, and no more than three nodes have the same
_PLAIN = "plain scalar"  # no tag that can be written has a blank
_TAG = "tag:yaml.org,2002:"
_TAG_LINE = re.compile(r"^%TAG\b", re.MULTILINE)
_LONGEST_TAG = 60
_NO_TAG = "leave it out: Kubernetes knows only the tags of YAML, such as !!str"
_KNOWN = frozenset(
    f"{_TAG}{name}" for name in "binary bool float int map merge null omap pairs seq set str timestamp".split()
)
_TYPES: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (float, int), "null": (type(None),)}


def _refuse_unknown_tag(node: yaml.Node) -> None:
    tag = node.tag
    if tag != _PLAIN and tag not in _KNOWN:
        shown = f"!!{tag.removeprefix(_TAG)}" if tag.startswith(_TAG) else tag
        shown = shown if len(shown) <= _LONGEST_TAG else f"{shown[:_LONGEST_TAG]}…"
        raise make_syntax_error(node.start_mark, f"the tag `{shown}` is not known", _NO_TAG)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's loader with the types of Kubernetes. The tags of lists and objects have no effect."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = self._nodes = 0
        if sum(map(text.count, _OPENING)) < _MAX_DEPTH:
            # Nothing can be too deep or too large, so PyYAML calls functions that take no time.
            self.descend_resolver, self.ascend_resolver = operator.is_, tuple  # type: ignore[method-assign, assignment]
        self._merged: dict[yaml.Node, dict[str, Any]] = {}
        self._made: dict[yaml.Node, Any] = {}  # lists and objects: an alias is the same object as its anchor
        self._unfilled: deque[yaml.Node] = deque()

    def descend_resolver(self, parent: yaml.Node | None, index: Any) -> None:
        """Counts a node on PyYAML's way down, and checks the limits."""
        self._depth += 1
        self._nodes += 1
        if parent is not None and self._depth > _MAX_DEPTH:
            raise make_syntax_error(parent.start_mark, _TOO_DEEP)
        if self._nodes > MOST_NODES:
            raise too_many(parent.start_mark if parent else None, MOST_NODES)

    def ascend_resolver(self) -> None:
        """Counts a node on PyYAML's way up."""
        self._depth -= 1

    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        """Returns the tag of a node that has none."""
        return _PLAIN if kind is yaml.ScalarNode and implicit[0] else f"{_TAG}str"

    def construct_document(self, node: yaml.Node) -> Any:
        """Returns the value of a document.

        Lists and objects are created empty and filled later, so that depth needs no recursion.
        """
        value = self.construct_object(node)
        while self._unfilled:
            inner = self._unfilled.popleft()
            if isinstance(inner, yaml.MappingNode):
                self._made[inner] |= self.construct_mapping(inner)
            else:
                self._made[inner] += map(self.construct_object, inner.value)
        self._merged, self._made = {}, {}
        return value

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        _refuse_unknown_tag(node)
        if not isinstance(node, yaml.ScalarNode):
            if node not in self._made:
                self._made[node] = {} if isinstance(node, yaml.MappingNode) else []
                self._unfilled.append(node)
            return self._made[node]
        value = _short(node.value) if node.tag == _PLAIN and len(node.value) < _SHORT else self.construct_scalar(node)
        if value.__class__ is not float:
            return value
        if not math.isfinite(value):
            shown = render_bad_value(value, json_string=False)
            raise make_syntax_error(node.start_mark, f"{shown} is not a JSON number", "quote it")
        return whole(value)

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        text = node.value
        if node.tag == _PLAIN:
            return plain(text)
        type = node.tag.removeprefix(_TAG)
        if type == "binary":
            try:
                data = base64.b64decode(re.sub("[\r\n]", "", text), validate=True)
            except ValueError:
                raise make_syntax_error(node.start_mark, "the value of !!binary is not base64") from None
            return re.sub("[\udc80-\udcff]", "\ufffd", data.decode(errors="surrogateescape"))  # Go replaces every byte
        if type not in _TYPES:
            return text
        value = plain(text)
        if not isinstance(value, _TYPES[type]) or (isinstance(value, bool) and type != "bool"):
            raise make_syntax_error(node.start_mark, f"`{text}` is not of the type !!{type}")
        return value

    def construct_key(self, node: yaml.Node) -> str:
        """Returns the JSON name for a YAML key."""
        _refuse_unknown_tag(node)
        value = self.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else node
        if isinstance(value, str):
            return value
        if isinstance(value, float):
            return _float_key(value)
        if isinstance(value, bool | int):
            return render_bad_value(value, json_string=False)
        raise make_syntax_error(node.start_mark, f"a key must {'not be null' if value is None else 'be a scalar'}")

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        obj: dict[str, Any] = {}
        merged: set[str] = set()
        for key_node, value_node in node.value:
            if key_node.value == "<<" and key_node.tag in (_PLAIN, f"{_TAG}merge"):
                added = self.construct_merged(value_node)
                if again := [key for key in added if key in obj and key not in merged]:
                    # YAML keeps the explicit key, its reader in Go the last one.
                    problem = f"`<<` brings the key `{again[0]}` again"
                    raise make_syntax_error(key_node.start_mark, problem, "put `<<` before the keys of the object")
                obj |= added
                merged |= added.keys()
                continue
            text = key_node.value
            key = _short(text) if key_node.tag == _PLAIN and len(text) < _SHORT else text
            if key.__class__ is not str or key_node.tag != _PLAIN:
                key = self.construct_key(key_node)
            if key in obj and key not in merged:
                raise make_syntax_error(key_node.start_mark, f"the key `{key}` is there twice", "keep one of the two")
            merged.discard(key)
            obj[key] = self.construct_object(value_node)
        return obj

    def construct_merged(self, node: yaml.Node) -> dict[str, Any]:
        """Returns the keys of `<<: node`. The first of several objects wins."""
        sources = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for each in (node, *sources):
            _refuse_unknown_tag(each)
        if not all(isinstance(source, yaml.MappingNode) for source in sources):
            raise make_syntax_error(node.start_mark, "`<<` wants an object or a list of objects")
        return {key: value for source in reversed(sources) for key, value in self._mapping(source).items()}

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        """Returns a merged object. It is constructed only once, because long chains of anchors may merge each other."""
        if node not in self._merged:
            self._merged[node] = self.construct_mapping(node)
        return self._merged[node]


class _AnchorLoader(_Loader):
    """Composes nodes by PyYAML's Python code: the C code is faster, but refuses duplicate anchors and has no hooks."""

    check_node = yaml.composer.Composer.check_node
    get_node = yaml.composer.Composer.get_node
    compose_document = yaml.composer.Composer.compose_document
    compose_scalar_node = yaml.composer.Composer.compose_scalar_node
    compose_sequence_node = yaml.composer.Composer.compose_sequence_node
    compose_mapping_node = yaml.composer.Composer.compose_mapping_node

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.anchors: dict[str, yaml.Node] = {}
        self._sizes: dict[yaml.Node, int] = {}  # of complete values, with the values of aliases
        self._steps = 0
        self._repeated = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        begun = self._steps
        self._steps += 1
        event = self.peek_event()
        is_alias = isinstance(event, yaml.AliasEvent)
        if not is_alias:
            self.anchors.pop(event.anchor, None)
        node: Any = yaml.composer.Composer.compose_node(self, parent, index)
        if is_alias:
            self._note_alias(event, node)
        else:
            self._sizes[node] = self._steps - begun
        return node

    def _note_alias(self, event: yaml.AliasEvent, node: Any) -> None:
        """Refuses values that contain themselves or grow too much by aliases (the limits are those of `decode.go`)."""
        if node not in self._sizes:
            raise make_syntax_error(event.start_mark, f"the value of the anchor `&{event.anchor}` contains itself")
        self._steps += self._sizes[node]
        self._repeated += self._sizes[node]
        allowed = 0.99 - 0.89 * min(max((self._steps - 400_000) / 3_600_000, 0), 1)
        if self._repeated > 100 and self._steps > 1000 and self._repeated > allowed * self._steps:
            raise make_syntax_error(
                event.start_mark, "the document repeats too much by aliases", "write the values out"
            )
