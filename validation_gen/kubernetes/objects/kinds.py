"""Kinds and their versions from definitions, with all that validation needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from validation_gen.kubernetes.cel import NEWEST, Scope
from validation_gen.kubernetes.crd.definition import Definition, Scale, Version
from validation_gen.kubernetes.crd.expressions import Rules, rules_of
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.objects.fastpath import FastPath
from validation_gen.runtime.errors import FieldError

#: Rules of a source's types, in addition to the schema. Arguments: the prepared object, the old one, and the
#: subresource (`/` or `/status`).
TypeRules = Callable[[Any, Any, str], list[FieldError]]


class UndefinedError(LookupError):
    """The kind, or this version of it, is not defined."""


class Served:
    """A version of a kind, with its parsed schema."""

    def __init__(self, definition: Definition, version: Version) -> None:
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
        return rules_of(self.schema, Scope(self.raw, minor=NEWEST, stored=True))

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
    def of(definition: Definition) -> Kind:
        """Builds the kind of a definition.

        Raises:
            UndefinedError: no version of it is stored.
        """
        versions = {version.name: Served(definition, version) for version in definition.versions}
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
