"""Tables of built-in kinds, with the columns of a real server.

Source of the behaviour: `pkg/printers/internalversion/printers.go` of `k8s.io/kubernetes`. Descriptions are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from validation_gen.apiserver.columns import JsonPath
from validation_gen.apiserver.tables import AGE, Columns, define_column, show_age

_TEXTS = {"Age": AGE, "Data": "The number of entries.", "Status": "The phase of the namespace."}


class CoreColumns(Columns):
    """The columns of a built-in kind.

    Args:
        columns: for each one its name, the kind of its cells, and a path; its priority, if it is not 0.
    """

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        super().__init__([])
        del self.definitions[1:]
        self._cells = []
        for name, kind, *rest in columns:
            path, priority = rest[0] if rest else "", rest[1] if len(rest) > 1 else 0
            text = _TEXTS.get(name, f"{name} of the object.")
            self.definitions.append(define_column(name, "string", "", text, priority))
            self._cells.append((kind, JsonPath(path)))

    def cells(self, obj: Mapping[str, Any], now: datetime) -> list[Any]:
        return [obj["metadata"].get("name", ""), *(_cell(kind, path, obj, now) for kind, path in self._cells)]


def _cell(kind: str, path: JsonPath, obj: Mapping[str, Any], now: datetime) -> Any:
    if kind == "age":
        created = obj["metadata"].get("creationTimestamp")
        return show_age(created, now) if created else "<unknown>"
    if kind == "entries":
        return len(obj.get("data") or {}) + len(obj.get("binaryData") or {})
    found = path.find(obj)
    value = found[0] if found else None
    if kind == "count":
        return len(value or ())
    return "" if value is None else value
