"""Kinds and their versions from definitions, with the data for validation; and JSON as the API server decodes it.

Numbers keep their form, and duplicate names are recorded; the last value of a name counts. Source of the behaviour:
`sigs.k8s.io/json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from validation_gen.kubernetes.cel import NEWEST, Scope
from validation_gen.kubernetes.crd.definition import Definition, Scale, Version
from validation_gen.kubernetes.crd.expressions import Rules, compile_rules
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.verdict import SERVER
from validation_gen.kubernetes.objects.fastpath import FastPath
from validation_gen.runtime.errors import FieldError

#: Rules of a source's types, in addition to the schema. Arguments: the prepared object, the old one, and the
#: subresource (`/` or `/status`).
TypeRules = Callable[[Any, Any, str], list[FieldError]]


class UndefinedError(LookupError):
    """The kind, or this version of it, is not defined."""


class Served:
    """A version of a kind, with its parsed schema. Errors have the texts of servers of release 1.`server`."""

    def __init__(self, definition: Definition, version: Version, server: int = SERVER) -> None:
        self.server = server
        self.name = version.name
        self.api_version = f"{definition.group}/{version.name}"
        self.storage = version.storage
        self.served = version.served
        self.deprecated = version.deprecated
        self.deprecation_warning = version.deprecation_warning
        part, shared = version.part, definition.shared
        validation = part.validation or shared.validation
        self.schema: Schema = (validation.schema if validation else None) or Schema()
        self.raw: Mapping[str, Any] = (validation.raw if validation else None) or {}
        subresources = part.subresources or shared.subresources
        self.status = subresources is not None and subresources.status
        self.scale: Scale | None = subresources.scale if subresources is not None else None
        #: The rules of tags, if the kind is from a source that has them.
        self.type_rules: TypeRules | None = None

    @cached_property
    def rules(self) -> Rules | None:
        """The CEL rules; None if there are none."""
        return compile_rules(self.schema, Scope(self.raw, minor=NEWEST, stored=True))

    @cached_property
    def fast(self) -> FastPath:
        """The fast path for objects of this version."""
        # Native code looks at the sent object, from which the server takes the status before it validates.
        used = not (self.status and "status" in self.schema.required)
        return FastPath(self.schema, self.raw, lambda: self.rules, used=used)


@dataclass(slots=True)
class Kind:
    """A kind from a definition. `resource` is its name, such as `robots.example.com`."""

    group: str
    kind: str
    namespaced: bool
    versions: dict[str, Served]
    storage: Served
    resource: str = ""

    @staticmethod
    def from_definition(definition: Definition, server: int = SERVER) -> Kind:
        """Builds the kind of a definition, on servers of release 1.`server`.

        Raises:
            UndefinedError: no version of it is stored.
        """
        versions = {version.name: Served(definition, version, server) for version in definition.versions}
        storage = next((version for version in versions.values() if version.storage), None)
        if storage is None:
            raise UndefinedError("the definition has no version that is stored")
        names, namespaced = definition.names, definition.scope == "Namespaced"
        return Kind(definition.group, names.kind, namespaced, versions, storage, f"{names.plural}.{definition.group}")

    def deprecation(self, version: Served) -> str:
        """Returns the warning that a server sends with each answer in a deprecated version, empty for others."""
        if not version.deprecated:
            return ""
        if version.deprecation_warning is not None:
            return version.deprecation_warning
        warning = f"{version.api_version} {self.kind} is deprecated"
        newer = [
            each
            for each in self.versions.values()
            if each.served and not each.deprecated and _order(each.name) > _order(version.name)
        ]
        best = max(newer, key=lambda each: _order(each.name), default=None)
        return warning if best is None else f"{warning}; use {best.api_version} {self.kind}"


_KUBE_AWARE = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")


def _order(version: str) -> tuple[object, ...]:
    """Sort key of versions: `v2` is newer than `v1`, `v1` than `v2beta1`, and all these than other names."""
    match = _KUBE_AWARE.fullmatch(version)
    if match is None:
        # Of other names the first one in the alphabet is the newest.
        return (0, *(-ord(char) for char in version))
    major, stage, number = match.groups()
    return 1, {"alpha": 0, "beta": 1, None: 2}[stage], int(major), int(number or 0)


_MOST_TOLD = 100
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


class Duplicates:
    """Duplicate names in the objects of one document, with all their values."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[dict[str, Any], dict[str, list[Any]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._names)

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Makes an object from its pairs, for `json.loads`."""
        found = dict(pairs)
        if len(found) < len(pairs):
            values: dict[str, list[Any]] = {}
            for name, value in pairs:
                values.setdefault(name, []).append(value)
            self._names[id(found)] = found, {name: those for name, those in values.items() if len(those) > 1}
        return found

    def paths(self, value: Any) -> list[str]:
        """Returns the paths of duplicate names in a value, such as `spec.a`, each once; the server stops at 100."""
        return list(islice(dict.fromkeys(self._paths(value, "")), _MOST_TOLD)) if self._names else []

    def _paths(self, value: Any, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            twice = self._names.get(id(value), (None, {}))[1]
            for name in twice:
                yield f"{path}.{name}".removeprefix(".")
            for name, item in value.items():
                for each in twice.get(name, (item,)):
                    yield from self._paths(each, f"{path}.{name}")
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._paths(item, f"{path}[{index}]")


def read_json(text: str | bytes) -> tuple[Any, Duplicates]:
    """Returns a document, and its duplicate names.

    Raises:
        ValueError: it is not JSON; neither are `NaN` and `Infinity`.
        RecursionError: it is nested too deeply.
    """
    duplicates = Duplicates()
    value = json.loads(
        text, object_pairs_hook=duplicates.object, parse_int=_integer, parse_float=_float, parse_constant=_refused
    )
    return value, duplicates


def _integer(text: str) -> int | float:
    """Returns an integer of 64 bits, or a float as Go does."""
    if len(text) > 20:
        return _float(text)
    value = int(text)
    return value if _LEAST <= value <= _MOST else float(text)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:20]} is out of range")
    return value


def _refused(text: str) -> Any:
    raise ValueError(f"invalid character {text[0]!r} looking for beginning of value")
