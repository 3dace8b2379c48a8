"""What is compared: one request for a verdict, whatever it was read from or drawn by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.uses.edgecases import Probe


@dataclass(frozen=True, slots=True)
class Request:
    """A create or an update of one object.

    Attributes:
        kind: the name of the Go type or Python class.
        package: its import path or the end of one; `""` when `api_version` or the name alone tells it.
        api_version: `group/version` as the object has it, `""` when `package` or the name alone tells it.
        update: whether `old` is replaced by `obj`. An update may be without an old object.
        obj: the object as decoded JSON.
        old: the object as it was, `None` for a create.
        options: the validation options of the request by name.
        subresource: the path below the object, `/` for the object itself.
        place: where it was read, such as `objects.yaml:12`, for people.
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
        """The request in the terms of the line protocol (docs/protocol.md)."""
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
        """A request that was drawn, or found at the edge of a rule."""
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
        """The request that `as_line` has written."""
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
