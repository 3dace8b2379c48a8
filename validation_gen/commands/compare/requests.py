"""Input of a comparison: one request for a verdict, read or drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from validation_gen.commands.edgecases import Probe


@dataclass(frozen=True, slots=True)
class Request(Probe):
    """A probe with its location in the input for messages, such as `objects.yaml:12`."""

    place: str = ""

    def as_line(self, id: int | None = None) -> dict[str, Any]:
        """Returns the request in the terms of the line protocol (docs/protocol.md)."""
        line: dict[str, Any] = {"kind": self.kind} if id is None else {"id": id, "kind": self.kind}
        if self.package:
            line["package"] = self.package
        line |= {"op": "update" if self.update else "create", "options": dict(self.options), "obj": self.obj}
        if self.update:
            line["oldObj"] = self.old
        line["subresources"] = [part for part in self.subresource.split("/") if part]
        return line

    @classmethod
    def of_probe(cls, probe: Probe, place: str = "") -> Request:
        """Returns a request for a probe, drawn or at the limit of a rule."""
        return cls(**{each.name: getattr(probe, each.name) for each in fields(Probe)}, place=place)

    @classmethod
    def of_line(cls, line: Mapping[str, Any], place: str = "") -> Request:
        """Restores a request from `as_line`."""
        return cls(
            kind=line["kind"],
            obj=line.get("obj"),
            old=line.get("oldObj"),
            update=line.get("op") == "update",
            package=line.get("package") or "",
            api_version=line.get("apiVersion") or "",
            options=line.get("options") or {},
            subresource="/" + "/".join(line.get("subresources") or ()),
            place=place,
        )
