"""Edits the text of a manifest to put a schema into one version.

It works on the nodes that PyYAML composed from the text, and returns the range to replace. It preserves the style:
blocks stay blocks, JSON stays JSON, and additions are indented to fit. Texts with the same words and lines with the
same meaning stay as they are. It does not check the result; the caller reads it again and compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from validation_gen.diagnostics.visible import as_json_escape, replace_invisible
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.kubernetes.yaml import make_syntax_error, plain

#: Properties that all kinds have, with a text that no author of a kind has written.
_EVERYWHERE = ("apiVersion", "kind")
#: Keywords whose values are data, without descriptions.
_DATA = ("default", "enum", "example")


def with_known_texts(schema: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema that takes the descriptions of another one where they differ only in line breaks."""
    result = _replace_texts(schema, known)
    for name in _EVERYWHERE:
        part, before = (_mapping(_mapping(s.get("properties")).get(name)) for s in (result, known))
        if isinstance(part.get("description"), str) and isinstance(before.get("description"), str):
            part["description"] = before["description"]
    return result


def _replace_texts(schema: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in schema.items():
        before = known.get(key)
        if key == "description" and isinstance(value, str) and isinstance(before, str):
            result[key] = before if value.split() == before.split() else value
        elif isinstance(value, dict) and isinstance(before, dict) and key not in _DATA:
            result[key] = _replace_texts(value, before)
        else:
            result[key] = value
    return result


@dataclass(frozen=True, slots=True)
class KeptLines:
    """Writes a mapping in block style anew, and copies the lines of entries that stay the same.

    `end` finds the end of the last line of a node, `write` gives the block of a mapping at a column.
    """

    text: str
    newline: str
    end: Callable[[yaml.Node], int]
    write: Callable[[Mapping[str, Any], int], str]

    def block(self, node: yaml.MappingNode, old: Mapping[str, Any], new: Mapping[str, Any], column: int) -> str:
        """Returns the lines of a mapping that begins at a column, without the blanks of the first one."""
        places = {key.value: (key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)}
        comments = self._comments(node)
        parts = []
        for name, value in new.items():
            place = places.get(name)
            if place is None or name not in old or place[0].start_mark.column != column:
                parts.append(self.write({name: value}, column))
            elif _same(old[name], value):
                parts += comments.get(name, [])
                parts.append(self.text[place[0].start_mark.index : self.end(place[1])])
            elif value and isinstance(value, dict) and isinstance(old[name], dict) and _is_block(place[1]):
                inner = place[1].value[0][0].start_mark
                head = self.text[place[0].start_mark.index : inner.index]
                parts += comments.get(name, [])
                parts.append(head + self.block(place[1], old[name], value, inner.column))
            else:
                parts.append(self.write({name: value}, column))
        return f"{self.newline}{' ' * column}".join(parts)

    def _comments(self, node: yaml.MappingNode) -> dict[str, list[str]]:
        """Returns the comment lines above each entry of a mapping except the first, whose comments always stay."""
        found = {}
        for (_, before), (key, _) in zip(node.value, node.value[1:], strict=False):
            if not isinstance(key, yaml.ScalarNode):
                continue
            gap = self.text[self.end(before) : key.start_mark.index].strip()
            found[key.value] = [line.strip() for line in gap.splitlines() if line.strip()]
        return found


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.MappingNode) and not node.flow_style and bool(node.value)


def _same(old: Any, new: Any) -> bool:
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


OUTER, INNER = "schema", "openAPIV3Schema"

_COMMENT_LINE = re.compile(r"(?:\r\n|\n|\r)([ \t]*)(#[^\r\n]*)?(?=[\r\n]|\Z)")
_BLANKS = re.compile(r"[ \t]*")
_END_OF_LINE = re.compile(r"[^\r\n]*")
_NO_YAML = re.compile("[\ufffe\uffff]")  # valid in JSON, not in YAML


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`text` replaces the range from `start` to `end` (exclusive)."""

    start: int
    end: int
    text: str


def child(node: yaml.Node | None, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Returns the key and the value of that name, as far as it is written in the mapping itself."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((pair for pair in pairs if isinstance(pair[0], yaml.ScalarNode) and pair[0].value == name), None)


def build_edit(
    text: str, version: yaml.MappingNode, schema: Mapping[str, Any], old: Mapping[str, Any] | None = None
) -> Edit:
    """Returns the edit that puts the schema into a version; raises `yaml.MarkedYAMLError` if that is impossible.

    Lines equal to those of the `old` schema stay in block style.
    """
    return _Splicer(text, "\r\n" if "\r\n" in text else "\n", old).edit(version, schema)


@dataclass(frozen=True, slots=True)
class _Splicer:
    text: str
    newline: str
    old: Mapping[str, Any] | None = None

    def edit(self, version: yaml.MappingNode, schema: Mapping[str, Any]) -> Edit:
        outer = child(version, OUTER)
        if outer is None:
            name = child(version, "name")
            assert name is not None, "versions are found by their names"
            return self._insert_after(version, name, OUTER, {INNER: schema})
        if _is_null(outer[1]) or outer[1].value == []:
            return self._replace(version, *outer, {INNER: schema})
        if not isinstance(outer[1], yaml.MappingNode):
            raise make_syntax_error(outer[1].start_mark, f"`{OUTER}` is not an object")
        inner = child(outer[1], INNER)
        if inner is None:
            return self._insert_first(outer[1], INNER, schema)
        if not _is_null(inner[1]) and not isinstance(inner[1], yaml.MappingNode):
            raise make_syntax_error(inner[1].start_mark, f"`{INNER}` is not an object")
        return self._replace(outer[1], *inner, schema)

    # --- places -------------------------------------------------------------------------------------------------------

    def _replace(self, parent: yaml.MappingNode, key: yaml.Node, value: yaml.Node, new: Mapping[str, Any]) -> Edit:
        """Replaces the value of a key."""
        start, end = value.start_mark.index, value.end_mark.index
        if parent.flow_style:
            gap = "" if start > key.end_mark.index + 1 or start < end else " "
            return Edit(start, end, gap + self._json(parent, key, new))
        if isinstance(value, yaml.MappingNode) and not value.flow_style:
            start = value.value[0][0].start_mark.index
        elif self._lead(value) is None or start == end:
            # It follows its key. A comment there stays, and the new value begins on the next line.
            column = key.start_mark.column + 2
            tail = self._line_end(end)
            comment = self.text[end:tail].strip()
            while self.text[start - 1] in " \t":
                start -= 1
            block = f"{' ' + comment if comment else ''}{self.newline}{' ' * column}{self._block(new, column)}"
            return Edit(start, self._end_of_comments(tail, column), block)
        column = start - self._line_start(start)
        end = self._end_of_comments(self._line_end(self._end(value)), column)
        if self.old is not None and isinstance(value, yaml.MappingNode) and not value.flow_style and key.value == INNER:
            kept = KeptLines(self.text, self.newline, lambda node: self._line_end(self._end(node)), self._block)
            return Edit(start, end, kept.block(value, self.old, new, column))
        return Edit(start, end, self._block(new, column))

    def _insert_after(
        self, parent: yaml.MappingNode, pair: tuple[yaml.Node, yaml.Node], name: str, new: Mapping[str, Any]
    ) -> Edit:
        """Inserts a key into a mapping after an existing one."""
        key, value = pair
        if parent.flow_style:
            end = value.end_mark.index
            return Edit(end, end, f",{self._gap(key)}{self._entry(parent, key, name, new)}")
        column = key.start_mark.column
        end = self._end_of_comments(self._line_end(self._end(value)), column + 1)
        return Edit(end, end, f"{self.newline}{' ' * column}{self._block({name: new}, column)}")

    def _insert_first(self, parent: yaml.MappingNode, name: str, new: Mapping[str, Any]) -> Edit:
        """Inserts a first key into a mapping."""
        key = parent.value[0][0]
        start, column = key.start_mark.index, key.start_mark.column
        if parent.flow_style:
            return Edit(start, start, f"{self._entry(parent, key, name, new)},{self._gap(key)}")
        return Edit(start, start, f"{self._block({name: new}, column)}{self.newline}{' ' * column}")

    # --- stretches ----------------------------------------------------------------------------------------------------

    def _end(self, node: yaml.Node) -> int:
        """Returns the end of the last entry in a node; PyYAML's end includes comments and empty lines."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style:
            last = node.value[-1]
            node = max(last, key=lambda part: part.end_mark.index) if isinstance(last, tuple) else last
        end: int = node.end_mark.index
        while self.text[end - 1] in " \t\r\n":
            end -= 1
        return end

    def _end_of_comments(self, end: int, column: int) -> int:
        """Returns the end of the following comment lines with this indentation, which a block scalar would include."""
        place = end
        while match := _COMMENT_LINE.match(self.text, place):
            place = match.end()
            if match[2] and len(match[1]) < column:
                break
            if match[2]:
                end = place
        return end

    def _line_start(self, index: int) -> int:
        return max(self.text.rfind("\n", 0, index), self.text.rfind("\r", 0, index)) + 1

    def _line_end(self, index: int) -> int:
        match = _END_OF_LINE.match(self.text, index)
        assert match is not None, "the pattern may be empty"
        return match.end()

    def _lead(self, node: yaml.Node) -> str | None:
        """Returns the blanks before a node that is the first of its line."""
        index = node.start_mark.index
        before = self.text[self._line_start(index) : index]
        return None if before.strip() else before

    # --- text ---------------------------------------------------------------------------------------------------------

    def _block(self, value: Mapping[str, Any], column: int) -> str:
        """Renders a value as YAML indented to a column, except for its first line."""
        lines = as_yaml(value, marker=None).removesuffix("\n").split("\n")
        return self.newline.join([lines[0], *(" " * column + line if line else "" for line in lines[1:])])

    def _gap(self, key: yaml.Node) -> str:
        """Returns the separator of the entries of a mapping in flow style."""
        lead = self._lead(key)
        return (" " if self._is_spaced(key) else "") if lead is None else self.newline + lead

    def _is_spaced(self, key: yaml.Node) -> bool:
        return not re.compile(r"\s*:[^\s]").match(self.text, key.end_mark.index)

    def _entry(self, parent: yaml.MappingNode, key: yaml.Node, name: str, new: Mapping[str, Any]) -> str:
        return f'"{name}":{" " if self._is_spaced(key) else ""}{self._json(parent, key, new)}'

    def _json(self, parent: yaml.MappingNode, key: yaml.Node, new: Mapping[str, Any]) -> str:
        """JSON on one line or on many, as the entry of that key is written."""
        lead = self._lead(key)
        if lead is None:
            separators = (", ", ": ") if self._is_spaced(key) else (",", ":")
            return _escape(json.dumps(new, ensure_ascii=False, separators=separators))
        outer = _BLANKS.match(self.text, self._line_start(parent.start_mark.index))
        step = lead.removeprefix(outer[0]) if outer and lead.startswith(outer[0]) else ""
        text = json.dumps(new, ensure_ascii=False, indent=step or ("\t" if "\t" in lead else "  "))
        return _escape(text.replace("\n", self.newline + lead))


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and plain(node.value) is None


def _escape(text: str) -> str:
    text = replace_invisible(text, as_json_escape, keep="\t\r\n")
    return _NO_YAML.sub(lambda match: as_json_escape(match[0]), text)
