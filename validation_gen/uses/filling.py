"""Objects with the defaults that their types declare, as a server fills them in before it judges.

The defaults are those of the schema of a kind: one that its own rules refuse is none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.ir import Program, Root
from validation_gen.kubernetes.crd.defaulting import filled
from validation_gen.kubernetes.crd.schema import Schema, has_default, read_schema


class Defaults:
    """Fills in what types declare. A schema is made when the first object of its kind comes.

    `program` gives the types with what markers say of them, which no other judgement needs.
    """

    def __init__(self, program: Callable[[], Program]) -> None:
        self._make = program
        self._schemas: dict[str, Schema | None] = {}

    @cached_property
    def _program(self) -> Program:
        return self._make()

    @cached_property
    def _roots(self) -> dict[tuple[str, str], Root]:
        packages = self._program.packages.values()
        return {(root.api_version, root.kind): root for package in packages for root in package.roots}

    def filled(self, obj: Any) -> Any:
        """A copy of an object with what is not there; the object itself if its kind has no defaults."""
        version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
        if not isinstance(version, str) or not isinstance(kind, str):
            return obj
        root = self._roots.get((version, kind))
        schema = self._schema(root) if root is not None else None
        try:
            return obj if schema is None else filled(obj, schema)
        except RecursionError:
            return obj

    def _schema(self, root: Root) -> Schema | None:
        if root.type not in self._schemas:
            found = None
            if self._program.is_sound(root.type):
                found = read_schema(ResourceEmitter(self._program, SchemaOptions()).schema(root).as_json())
            self._schemas[root.type] = found if found is not None and has_default(found) else None
        return self._schemas[root.type]
