"""Preserves parts of a replaced schema: texts with the same words, and lines with the same meaning."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

#: Properties that all kinds have, with a text that no author of a kind has written.
_EVERYWHERE = ("apiVersion", "kind")
#: Keywords whose values are data, without descriptions.
_DATA = ("default", "enum", "example")


def with_known_texts(schema: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of a kind with the descriptions of another one, where these have the same words in other lines."""
    result = _reworded(schema, known)
    for name in _EVERYWHERE:
        part, before = (_mapping(_mapping(s.get("properties")).get(name)) for s in (result, known))
        if isinstance(part.get("description"), str) and isinstance(before.get("description"), str):
            part["description"] = before["description"]
    return result


def _reworded(schema: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in schema.items():
        before = known.get(key)
        if key == "description" and isinstance(value, str) and isinstance(before, str):
            result[key] = before if value.split() == before.split() else value
        elif isinstance(value, dict) and isinstance(before, dict) and key not in _DATA:
            result[key] = _reworded(value, before)
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
        """The lines of a mapping that begins at a column, without the blanks of the first one."""
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
        """The comment lines above the entries of a mapping, but for those above the first one, which stay anyway."""
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
