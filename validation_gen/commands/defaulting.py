"""Defaulting of objects before validation, with the defaults of their types.

They are the defaults of the kind's schema, which has no default that its own rules refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.ir import KindSchema, Program
from validation_gen.kubernetes.crd.pruning import fill_absent
from validation_gen.kubernetes.crd.schema import Schema, has_default, read_schema


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind with its type, from which a schema can be made."""

    type: str
    api_version: str
    kind: str


class Defaults:
    """Fills in the defaults of types. A schema is made when the first object of its kind comes.

    `program` has the types with their markers, which no other validation needs. `known` are the schemas of kinds, by
    the ids of their types, made from the same program without tags.
    """

    def __init__(self, program: Callable[[], Program], known: Mapping[str, KindSchema] | None = None) -> None:
        self._make = program
        self._known = known or {}
        self._schemas: dict[str, Schema | None] = {}
        self._filling: dict[str, Schema | None] = {}  # schemas with defaults

    def as_data(self) -> dict[str, Any]:
        """Returns plain data for `of_data`. This makes the schemas of all kinds."""
        return {
            "kinds": [list(astuple(kind)) for kind in self._kinds.values()],
            "schemas": {kind.type: self._written(kind) for kind in self._kinds.values()},
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Defaults:
        """Restores defaults from `as_data`, without a program."""
        return _Written(data)

    @cached_property
    def _program(self) -> Program:
        return self._make()

    @cached_property
    def _kinds(self) -> dict[tuple[str, str], _Kind]:
        packages = self._program.packages.values()
        roots = (root for package in packages for root in package.roots)
        return {(root.api_version, root.kind): _Kind(root.type, root.api_version, root.kind) for root in roots}

    def _written(self, kind: _Kind) -> Any:
        """Returns the schema of a kind as JSON-ready data, None if there is none."""
        if not self._program.is_sound(kind.type):
            return None
        if kind.type in self._known and not self._program.checks_something(kind.type):
            return self._known[kind.type].schema  # tags add nothing
        root = next(
            root
            for package in self._program.packages.values()
            for root in package.roots
            if (root.api_version, root.kind, root.type) == (kind.api_version, kind.kind, kind.type)
        )
        return ResourceEmitter(self._program, SchemaOptions()).schema(root).as_json()

    def filled(self, obj: Any) -> Any:
        """Returns a copy of an object with its defaults; the object itself if its kind has none."""
        kind = self._find_kind(obj)
        if kind is None:
            return obj
        if kind.type not in self._filling:
            schema = self._schema(kind)
            self._filling[kind.type] = schema if schema is not None and has_default(schema) else None
        schema = self._filling[kind.type]
        try:
            return obj if schema is None else fill_absent(obj, schema)
        except RecursionError:
            return obj

    def _find_kind(self, obj: Any) -> _Kind | None:
        version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
        if not isinstance(version, str) or not isinstance(kind, str):
            return None
        return self._kinds.get((version, kind))

    def _schema(self, kind: _Kind) -> Schema | None:
        if kind.type not in self._schemas:
            written = self._written(kind)
            self._schemas[kind.type] = None if written is None else read_schema(written)
        return self._schemas[kind.type]


class _Written(Defaults):
    """Defaults as data from another process."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(Program)
        self._data = data["schemas"]
        kinds = [_Kind(*each) for each in data["kinds"]]
        self._kinds = {(kind.api_version, kind.kind): kind for kind in kinds}

    def _written(self, kind: _Kind) -> Any:
        return self._data[kind.type]
