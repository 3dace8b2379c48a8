"""Input of a comparison: one request for a verdict, read or drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.edgecases import Probe


@dataclass(frozen=True, slots=True)
class Request:
    """A create or an update of one object.

    Attributes:
        kind: the name of the Go type or Python class.
        package: its import path or the end of one; `""` when `api_version` or the name alone identifies it.
        api_version: `group/version` as the object has it, `""` when `package` or the name alone identifies it.
        update: True if `obj` replaces `old`. An update may be without an old object.
        obj: the object as decoded JSON.
        old: the old object, `None` for a create.
        options: the validation options of the request by name.
        subresource: the path below the object, `/` for the object itself.
        place: location in the input for messages, such as `objects.yaml:12`.
    """

    kind: str
    obj: Any
    old: Any = None
    update: bool = False
    package: str = ""
    api_version: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    subresource: str = "/"
    place: str = ""

    def as_line(self, id: int) -> dict[str, Any]:
        """Returns the request in the terms of the line protocol (docs/protocol.md)."""
        line: dict[str, Any] = {"id": id, "kind": self.kind}
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
        return cls(
            probe.kind,
            probe.obj,
            probe.old,
            probe.update,
            probe.package,
            probe.api_version,
            dict(probe.options),
            probe.subresource,
            place,
        )

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
