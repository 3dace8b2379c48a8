"""A schema of a Helm chart's values, in which some values are parts of our kinds: `values.schema.json`.

Helm checks the values of a release by it, after those of the user are merged into the chart's: `helm install`,
`upgrade`, `template` and `lint`. All versions of Helm 3 read draft 7. Values that no request names are accepted, as
every chart gets `global` and those of its dependencies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.schema.jsonschema import DIALECT
from validation_gen.ir import PackagePlan, Root
from validation_gen.runtime.words import nearest

#: Name of the file beside `values.yaml`.
FILE = "values.schema.json"
_REQUEST = re.compile(r"(?:(?P<version>[^=]*)/)?(?P<kind>[A-Za-z]\w*)(?P<fields>(?:\.[\w$-]+)*)(?:=(?P<path>.+))?")
_STEP = re.compile(r"\*|[A-Za-z_][\w-]*(?:\[\])?")
#: The field of an object whose schema is taken without another name.
_USUAL = "spec"

#: A kind with the schema of its objects.
Entry = tuple[PackagePlan, Root, Mapping[str, Any]]


class ValuesError(ValueError):
    """A request is malformed, or no kind fits. `help` is the next step."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


@dataclass(frozen=True, slots=True)
class ValuesRequest:
    """A request for a part of a kind as a value: `[VERSION/]KIND[.FIELD…][=PATH]`.

    Attributes:
        version: the API version of the kind, empty for the only one.
        kind: its name.
        fields: the path of the part in an object of the kind; empty for its spec.
        path: the path of the value. A step `name[]` has items of the part, and `*` is any key.
    """

    version: str
    kind: str
    fields: tuple[str, ...]
    path: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> ValuesRequest:
        """Parses a request.

        Raises:
            ValuesError: it is malformed.
        """
        match = _REQUEST.fullmatch(text)
        path = match["path"] if match is not None else None
        steps = tuple((path or "").split(".")) if path else ()
        if match is None or not all(map(_STEP.fullmatch, steps)):
            help = "write KIND, KIND=path.of.value or example.com/v1/KIND.spec.field=path.of.list[]"
            raise ValuesError(f"{text!r} names no kind and no value", help)
        kind = match["kind"]
        fields = tuple(match["fields"].split(".")[1:])
        return cls(match["version"] or "", kind, fields, steps or (f"{kind[0].lower()}{kind[1:]}",))

    def find(self, entries: Iterable[Entry]) -> Mapping[str, Any]:
        """Returns the schema of the part.

        Raises:
            ValuesError: no kind has it, or more than one.
        """
        known = list(entries)
        named = [each for each in known if each[1].kind == self.kind]
        found = [each for each in named if self.version in ("", each[0].api_version)]
        if len(found) > 1:
            versions = " and ".join(sorted(package.api_version for package, _, _ in found))
            raise ValuesError(f"{self.kind} is a kind of {versions}", f"write {found[-1][0].api_version}/{self.kind}")
        if not found:
            names = {root.kind for _, root, _ in known}
            near = nearest(self.kind, names, most=3) or sorted(names)[:3]
            help = f"the kinds here are {', '.join(near)}" if near else "name types with kinds, or definitions"
            name = f"{self.version}/{self.kind}" if self.version else self.kind
            raise ValuesError(f"there is no kind {name}", help)
        schema = found[0][2]
        if not self.fields and _USUAL not in schema.get("properties", {}):
            message = f"{self.kind} has no {_USUAL}"
            raise ValuesError(message, f"name one of its fields, such as {self.kind}.{_first_field(schema)}")
        for field in self.fields or (_USUAL,):
            properties = schema.get("properties", {})
            if field not in properties:
                near = nearest(field, set(properties), most=3)
                help = f"did you mean {' or '.join(sorted(near))}?" if near else "name a field of the kind"
                raise ValuesError(f"{self.kind} has no field {'.'.join(self.fields)}", help)
            schema = properties[field]
        return schema


def build_values_schema(requests: Sequence[ValuesRequest], entries: Iterable[Entry]) -> dict[str, Any]:
    """Returns the schema of the values of a chart.

    Raises:
        ValuesError: a request fits no kind, or two requests are about one value.
    """
    entries = list(entries)
    root: dict[str, Any] = {"$schema": DIALECT, "type": "object"}
    for count, request in enumerate(requests):
        for other in requests[:count]:
            if _overlap(request.path, other.path):
                message = f"two requests are about one value: {'.'.join(other.path)} and {'.'.join(request.path)}"
                raise ValuesError(message, "give each a path of its own, as in KIND=path")
        part = request.find(entries)
        schema = root
        for place, step in enumerate(request.path):
            schema = _descend(schema, step, part if place + 1 == len(request.path) else {"type": "object"})
    return root


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Returns whether two paths are equal, or one contains the other, or they disagree on the type of a value."""
    for step, against in zip(one, other, strict=False):
        if step != against:
            return "*" in (step, against) or step.removesuffix("[]") == against.removesuffix("[]")
    return True


def _descend(schema: dict[str, Any], step: str, inner: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema of a step, which is put below a schema of values if it is not there."""
    if step == "*":
        found: dict[str, Any] = schema.setdefault("additionalProperties", dict(inner))
        return found
    properties = schema.setdefault("properties", {})
    if step.endswith("[]"):
        found = properties.setdefault(step[:-2], {"type": "array", "items": dict(inner)})["items"]
    else:
        found = properties.setdefault(step, dict(inner))
    return found


def _first_field(schema: Mapping[str, Any]) -> str:
    names = [name for name in schema.get("properties", {}) if name not in ("apiVersion", "kind", "metadata")]
    return names[0] if names else "metadata"
