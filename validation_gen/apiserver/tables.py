"""Other forms of objects: tables with columns, and metadata alone.

Sources of the behaviour: `pkg/registry/customresource/tableconvertor` of `k8s.io/apiextensions-apiserver`,
`pkg/registry/rest/table.go` and `pkg/endpoints/handlers/response.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from validation_gen.apiserver.columns import JsonPath, JsonPathError, to_text

_NAME = (
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a "
    "client to request the generation of an appropriate name automatically. Name is primarily intended for creation "
    "idempotence and configuration definition. Cannot be updated. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names"
)
AGE = (
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed "
    "to be set in happens-before order across separate operations. Clients may not set this value. It is represented "
    "in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"
)
_META = "meta.k8s.io"


class Columns:
    """The columns of a version's tables.

    Args:
        printed: the columns of a definition; without any, there is the age. Those of built-in kinds may have another
            type for their cells, in `cell`.
        described: whether the columns show metadata, which has its own descriptions.
    """

    def __init__(self, printed: Sequence[Mapping[str, Any]], described: bool = False) -> None:
        self.definitions = [define_column("Name", "string", "name", _NAME)]
        self._paths: list[tuple[str, JsonPath]] = []
        for column in printed or [{"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}]:
            try:
                path = JsonPath(column["jsonPath"])
            except JsonPathError:
                continue
            text = f"Custom resource definition column (in JSONPath format): {column['jsonPath']}"
            if described or not printed:
                text = AGE
            self.definitions.append(
                define_column(
                    column["name"],
                    column["type"],
                    column.get("format") or "",
                    column.get("description") or text,
                    column.get("priority") or 0,
                )
            )
            self._paths.append((column.get("cell") or column["type"], path))

    def cells(self, obj: Mapping[str, Any], now: datetime) -> list[Any]:
        """Returns the cells of one object, with its age at a time."""
        found: list[Any] = [(obj.get("metadata") or {}).get("name", "")]
        for kind, path in self._paths:
            try:
                values = path.find(obj)
            except JsonPathError:
                found.append(None)
                continue
            found.append(_cell(kind, values, now) if values else None)
        return found


def define_column(name: str, kind: str, format: str, description: str, priority: int = 0) -> dict[str, Any]:
    """Returns the definition of a column."""
    return {"name": name, "type": kind, "format": format, "description": description, "priority": priority}


def _cell(kind: str, values: Sequence[Any], now: datetime) -> Any:
    first = values[0]
    if kind == "integer":
        if isinstance(first, bool) or not isinstance(first, (int, float)):
            return None
        return int(first)
    if kind == "number":
        return first if isinstance(first, (int, float)) and not isinstance(first, bool) else None
    if kind == "boolean":
        return first if isinstance(first, bool) else None
    if kind == "date":
        return show_age(first, now) if isinstance(first, str) else "<unknown>" if first is None else None
    if kind == "string":
        return to_text(first)
    return None


def show_age(text: str, now: datetime) -> str:
    """Returns the time since a timestamp in short form."""
    try:
        then = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return "<invalid>"
    if then.tzinfo is None:
        return "<invalid>"
    return human_duration((now - then).total_seconds())


def human_duration(seconds: float) -> str:
    """Returns a duration in short form, such as `5m`, `3d4h`.

    Source of the behaviour: `HumanDuration` in `pkg/util/duration` of `k8s.io/apimachinery`.
    """
    whole = int(seconds)
    if seconds < -1:
        return "<invalid>"
    if whole < 0:
        return "0s"
    if whole < 120:
        return f"{whole}s"
    minutes = whole // 60
    if minutes < 10:
        return f"{minutes}m" if whole % 60 == 0 else f"{minutes}m{whole % 60}s"
    if minutes < 180:
        return f"{minutes}m"
    hours = whole // 3600
    if hours < 8:
        return f"{hours}h" if minutes % 60 == 0 else f"{hours}h{minutes % 60}m"
    if hours < 48:
        return f"{hours}h"
    days = hours // 24
    if hours < 192:
        return f"{days}d" if hours % 24 == 0 else f"{days}d{hours % 24}h"
    if days < 365 * 2:
        return f"{days}d"
    years = days // 365
    if days < 365 * 8:
        return f"{years}y" if days % 365 == 0 else f"{years}y{days % 365}d"
    return f"{years}y"


def partial(obj: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Returns the metadata of an object."""
    return {
        "kind": "PartialObjectMetadata",
        "apiVersion": f"{_META}/{version}",
        "metadata": obj.get("metadata") or {},
    }


def table(
    columns: Columns,
    objects: Sequence[Mapping[str, Any]],
    metadata: Mapping[str, Any],
    version: str,
    include: str,
    now: datetime,
    *,
    with_columns: bool = True,
) -> dict[str, Any]:
    """Returns a table of objects.

    Args:
        columns: its columns.
        objects: its rows.
        metadata: the metadata of the list, or those of the object that can be a table's.
        version: the version of `meta.k8s.io`.
        include: the part of its object that each row has: `Metadata`, `Object` or `None`.
        now: the time, for ages.
        with_columns: False for all events of a watch but the first.
    """
    rows = []
    for obj in objects:
        row: dict[str, Any] = {"cells": columns.cells(obj, now)}
        if include == "Object":
            row["object"] = obj
        elif include != "None":
            row["object"] = partial(obj, version)
        else:
            row["object"] = None
        rows.append(row)
    return {
        "kind": "Table",
        "apiVersion": f"{_META}/{version}",
        "metadata": metadata,
        "columnDefinitions": columns.definitions if with_columns else None,
        "rows": rows,
    }
