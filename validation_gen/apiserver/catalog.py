"""The resources of a server: built-in resources, and custom resources from definitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validation_gen.apiserver.core.resource import make_resources
from validation_gen.apiserver.definitions import GROUP, PLURAL, DefinitionResource
from validation_gen.apiserver.lifecycle import Definitions


class Catalog:
    """All resources.

    Args:
        definitions: has the resources of definitions.

    Attributes:
        builtin: the built-in resources, by group and plural.
    """

    def __init__(self, definitions: Definitions) -> None:
        self.builtin: dict[tuple[str, str], Any] = {**make_resources(), (GROUP, PLURAL): DefinitionResource()}
        self._definitions = definitions
        self._stored_at = {each.prefix: each for each in self.builtin.values()}
        self._kinds: tuple[int, dict[tuple[str, str], Any]] = (-1, {})

    def __iter__(self) -> Iterator[Any]:
        return iter((*self.builtin.values(), *self._definitions.resources.values()))

    def find(self, group: str, plural: str) -> Any:
        """Returns a resource, None if it is not served."""
        return self.builtin.get((group, plural)) or self._definitions.find(group, plural)

    def find_by_key(self, key: str) -> Any:
        """Returns the resource of a stored object, None if it is not served."""
        group, plural = (*key.split("/", 3), "", "")[1:3]
        return self._stored_at.get(f"/{group}/{plural}/") or self._definitions.find(group, plural)

    def find_kind(self, group: str, kind: str) -> Any:
        """Returns the resource of a kind, None if it is not served."""
        if self._kinds[0] != self._definitions.changed:
            self._kinds = (self._definitions.changed, {(each.group, each.names.kind): each for each in self})
        return self._kinds[1].get((group, kind))

    def find_by_kind(self, group: str, version: str, kind: str) -> Any:
        """Returns the resource of a kind, None if the version is not served."""
        found = self.find_kind(group, kind)
        return found if found is not None and found.version(version) is not None else None
