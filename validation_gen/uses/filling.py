"""Objects as a server has them before it judges: with the defaults of their types, and without what no type declares.

Both are those of the schema of a kind: one that its own rules refuse is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.ir import KindSchema, Program
from validation_gen.kubernetes.crd.defaulting import filled
from validation_gen.kubernetes.crd.gotypes import OBJECT_META
from validation_gen.kubernetes.crd.pruning import pruned
from validation_gen.kubernetes.crd.schema import Schema, has_default, read_schema
from validation_gen.kubernetes.objects import Outcome
from validation_gen.kubernetes.objects.anykind import metadata_refusal
from validation_gen.kubernetes.objects.judging import with_status


def _is_metadata(path: str) -> bool:
    """Whether a field is one of metadata within an object: its type has it, though no schema says so."""
    above, _, name = path.rpartition(".")
    return above.endswith(".metadata") and name in OBJECT_META.fields


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of which a schema can be made: its type, whether its objects are in namespaces, and the status apart."""

    type: str
    api_version: str
    kind: str
    namespaced: bool
    status: bool


class Defaults:
    """Fills in what types declare. A schema is made when the first object of its kind comes.

    `program` gives the types with what markers say of them, which no other judgement needs. `known` are the schemas of
    kinds, by the ids of their types, as the same program has them without tags.
    """

    def __init__(self, program: Callable[[], Program], known: Mapping[str, KindSchema] | None = None) -> None:
        self._make = program
        self._known = known or {}
        self._schemas: dict[str, Schema | None] = {}
        self._filling: dict[str, Schema | None] = {}  # those that have defaults

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, which `of_data` reads. The schemas of all kinds are made."""
        return {
            "kinds": [list(astuple(kind)) for kind in self._kinds.values()],
            "schemas": {kind.type: self._written(kind) for kind in self._kinds.values()},
        }

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Defaults:
        """What `as_data` has written, without a program."""
        return _Written(data)

    @cached_property
    def _program(self) -> Program:
        return self._make()

    @cached_property
    def _kinds(self) -> dict[tuple[str, str], _Kind]:
        packages = self._program.packages.values()
        roots = (root for package in packages for root in package.roots)
        return {
            (root.api_version, root.kind): _Kind(
                root.type,
                root.api_version,
                root.kind,
                root.resource.scope != "Cluster",
                root.resource.status or "/status" in root.subresources,
            )
            for root in roots
        }

    def _written(self, kind: _Kind) -> Any:
        """The schema of a kind as JSON-ready data, None if there is none."""
        if not self._program.is_sound(kind.type):
            return None
        if kind.type in self._known and not self._program.checks_something(kind.type):
            return self._known[kind.type].schema  # tags would add nothing
        root = next(
            root
            for package in self._program.packages.values()
            for root in package.roots
            if (root.api_version, root.kind, root.type) == (kind.api_version, kind.kind, kind.type)
        )
        return ResourceEmitter(self._program, SchemaOptions()).schema(root).as_json()

    def filled(self, obj: Any) -> Any:
        """A copy of an object with what is not there; the object itself if its kind has no defaults."""
        kind = self._kind_of(obj)
        if kind is None:
            return obj
        if kind.type not in self._filling:
            schema = self._schema(kind)
            self._filling[kind.type] = schema if schema is not None and has_default(schema) else None
        schema = self._filling[kind.type]
        try:
            return obj if schema is None else filled(obj, schema)
        except RecursionError:
            return obj

    def stored(self, obj: Any, old: Any) -> Any:
        """Returns an object as a request for all of it is stored: where the status is apart, with the old status."""
        kind = self._kind_of(obj)
        return with_status(obj, old) if kind is not None and kind.status else obj

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
        kind = self._kinds[obj["apiVersion"], obj["kind"]]
        group = kind.api_version.rpartition("/")[0]
        is_custom = "." in group and not group.endswith(".k8s.io")
        return metadata_refusal(obj, namespaced=kind.namespaced, custom=is_custom)

    def _schema_of(self, obj: Any) -> Schema | None:
        kind = self._kind_of(obj)
        return self._schema(kind) if kind is not None else None

    def _kind_of(self, obj: Any) -> _Kind | None:
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
    """Those of another process."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(Program)
        self._data = data["schemas"]
        kinds = [_Kind(*each) for each in data["kinds"]]
        self._kinds = {(kind.api_version, kind.kind): kind for kind in kinds}

    def _written(self, kind: _Kind) -> Any:
        return self._data[kind.type]
