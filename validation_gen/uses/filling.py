"""Objects as a server has them before it judges: with the defaults of their types, and without what no type declares.

Both are those of the schema of a kind: one that its own rules refuse is none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.ir import Program, Root
from validation_gen.kubernetes.crd.defaulting import filled
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.pruning import pruned
from validation_gen.kubernetes.crd.schema import Schema, has_default, read_schema
from validation_gen.kubernetes.objects import Outcome
from validation_gen.kubernetes.objects.anykind import metadata_refusal


def _is_metadata(path: str) -> bool:
    """Whether a field is one of metadata within an object: its type has it, though no schema says so."""
    above, _, name = path.rpartition(".")
    return above.endswith(".metadata") and name in OBJECT_META.fields


class Defaults:
    """Fills in what types declare. A schema is made when the first object of its kind comes.

    `program` gives the types with what markers say of them, which no other judgement needs.
    """

    def __init__(self, program: Callable[[], Program]) -> None:
        self._make = program
        self._schemas: dict[str, Schema | None] = {}
        self._filling: dict[str, Schema | None] = {}  # those that have defaults

    @cached_property
    def _program(self) -> Program:
        return self._make()

    @cached_property
    def _roots(self) -> dict[tuple[str, str], Root]:
        packages = self._program.packages.values()
        return {(root.api_version, root.kind): root for package in packages for root in package.roots}

    def filled(self, obj: Any) -> Any:
        """A copy of an object with what is not there; the object itself if its kind has no defaults."""
        root = self._root_of(obj)
        if root is None:
            return obj
        if root.type not in self._filling:
            schema = self._schema(root)
            self._filling[root.type] = schema if schema is not None and has_default(schema) else None
        schema = self._filling[root.type]
        try:
            return obj if schema is None else filled(obj, schema)
        except RecursionError:
            return obj

    def unknown(self, obj: Any) -> list[str]:
        """The paths of the fields that no type declares, such as `spec.replcias`; a server would drop them."""
        found: list[str] = []
        schema = self._schema_of(obj)
        if schema is not None and schema.properties:
            with suppress(RecursionError):
                pruned(obj, schema, resource=True, unknown=found)
        return [path for path in dict.fromkeys(found) if not _is_metadata(path)]

    def refusal(self, obj: Any) -> Outcome | None:
        """Why a server refuses the metadata of an object; None if it does not, or the kind has none."""
        schema = self._schema_of(obj)
        if schema is None or "metadata" not in schema.properties:
            return None
        root = self._roots[obj["apiVersion"], obj["kind"]]
        group = root.api_version.rpartition("/")[0]
        is_custom = "." in group and not group.endswith(".k8s.io")
        return metadata_refusal(obj, namespaced=root.resource.scope != "Cluster", custom=is_custom)

    def _schema_of(self, obj: Any) -> Schema | None:
        root = self._root_of(obj)
        return self._schema(root) if root is not None else None

    def _root_of(self, obj: Any) -> Root | None:
        version, kind = (obj.get("apiVersion"), obj.get("kind")) if isinstance(obj, dict) else (None, None)
        if not isinstance(version, str) or not isinstance(kind, str):
            return None
        return self._roots.get((version, kind))

    def _schema(self, root: Root) -> Schema | None:
        if root.type not in self._schemas:
            found = None
            if self._program.is_sound(root.type):
                found = read_schema(ResourceEmitter(self._program, SchemaOptions()).schema(root).as_json())
            self._schemas[root.type] = found
        return self._schemas[root.type]
