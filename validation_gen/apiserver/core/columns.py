"""Tables of built-in kinds, with the columns of a real server.

Source of the behaviour: `pkg/printers/internalversion/printers.go` of `k8s.io/kubernetes`. Descriptions are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from validation_gen.apiserver.columns import JsonPath
from validation_gen.apiserver.tables import AGE, Columns, define_column, show_age
from validation_gen.runtime.gotext import go_json

_TEXTS = {"Age": AGE, "Data": "The number of entries.", "Status": "The phase of the namespace."}
_UNSET, _UNKNOWN = "<unset>", "<unknown>"


class CoreColumns(Columns):
    """The columns of a built-in kind.

    Args:
        columns: for each one its name, the kind of its cells, and a path; its priority, if it is not 0. There is a
            column of the name before them, unless they have one.
        convert: converts an object to a version.
    """

    def __init__(
        self, columns: Sequence[Sequence[Any]], convert: Callable[[dict[str, Any], str], dict[str, Any]]
    ) -> None:
        super().__init__([])
        first = self.definitions[:1]
        self.definitions = [] if any(name == "Name" for name, *_ in columns) else first
        self._cells: list[tuple[str, JsonPath]] = [("text", JsonPath(".metadata.name"))] if self.definitions else []
        self._convert = convert
        for name, kind, *rest in columns:
            path, priority = rest[0] if rest else "", rest[1] if len(rest) > 1 else 0
            text = first[0]["description"] if name == "Name" else _TEXTS.get(name, f"{name} of the object.")
            form = "name" if name == "Name" else ""
            self.definitions.append(define_column(name, "string", form, text, priority))
            self._cells.append((kind, JsonPath(path)))

    def cells(self, obj: Mapping[str, Any], now: datetime) -> list[Any]:
        if obj.get("kind") == "Event":
            obj = self._convert(dict(obj), "v1")
        return [_cell(kind, path, obj, now) for kind, path in self._cells]


def _cell(kind: str, path: JsonPath, obj: Mapping[str, Any], now: datetime) -> Any:
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(obj, now)
    found = path.find(obj)
    value = found[0] if found else None
    if kind == "count":
        return len(value or ())
    if kind == "paramKind":
        return _UNSET if value is None else f"{value.get('apiVersion', '')}/{value.get('kind', '')}"
    if kind == "paramRef":
        return _show_parameters(value)
    return "" if value is None else value


def _show_parameters(value: Mapping[str, Any] | None) -> str:
    if value is None:
        return _UNSET
    if value.get("name"):
        return f"{value.get('namespace') or '*'}/{value['name']}"
    return go_json(value["selector"]) if value.get("selector") is not None else _UNSET


def _since(stamp: str | None, now: datetime) -> str:
    return show_age(stamp, now) if stamp else _UNKNOWN


def _count_entries(obj: Mapping[str, Any], _: datetime) -> int:
    return len(obj.get("data") or {}) + len(obj.get("binaryData") or {})


def _first_seen(obj: Mapping[str, Any], now: datetime) -> str:
    return _since(obj.get("firstTimestamp") or obj.get("eventTime"), now)


def _last_seen(obj: Mapping[str, Any], now: datetime) -> str:
    if obj.get("series") is not None:
        return _since(obj["series"].get("lastObservedTime"), now)
    return _since(obj["lastTimestamp"], now) if obj.get("lastTimestamp") else _first_seen(obj, now)


def _show_object(obj: Mapping[str, Any], _: datetime) -> str:
    involved = obj.get("involvedObject") or {}
    kind, name = (involved.get("kind") or "").lower(), involved.get("name")
    return f"{kind}/{name}" if name else kind


def _show_source(obj: Mapping[str, Any], _: datetime) -> str:
    source = obj.get("source") or {}
    component = source.get("component") or obj.get("reportingComponent") or ""
    instance = source.get("host") or obj.get("reportingInstance") or ""
    return f"{component}, {instance}" if instance else component


def _count_events(obj: Mapping[str, Any], _: datetime) -> int:
    if obj.get("series") is not None:
        return obj["series"].get("count") or 0
    return obj.get("count") or 1


#: Cells that more than one field gives.
_SPECIAL: Mapping[str, Callable[[Mapping[str, Any], datetime], Any]] = {
    "age": lambda obj, now: _since(obj["metadata"].get("creationTimestamp"), now),
    "entries": _count_entries,
    "eventCount": _count_events,
    "firstSeen": _first_seen,
    "lastSeen": _last_seen,
    "message": lambda obj, _: (obj.get("message") or "").strip(),
    "object": _show_object,
    "source": _show_source,
}
