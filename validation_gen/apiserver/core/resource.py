"""A built-in kind as a resource: decoding, defaults, checks of creates and updates, field management.

Sources of the behaviour: `pkg/registry/rest` of `k8s.io/apiserver`, and the strategies of `k8s.io/kubernetes`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from validation_gen.apiserver.bodies import read_unknown
from validation_gen.apiserver.columns import JsonPath
from validation_gen.apiserver.core.columns import CoreColumns
from validation_gen.apiserver.core.events import EventRules
from validation_gen.apiserver.core.rules import RULES, Rules
from validation_gen.apiserver.core.types import DELETE_OPTIONS, encode, kinds, schema, struct
from validation_gen.apiserver.interface import SUBRESOURCE_VERBS, VERBS, BuiltinVersion, Names, Resource
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.crd.stored_metadata import to_stored_metadata
from validation_gen.kubernetes.managedfields import FieldManager, FieldSet, TypeConflictError, make_type
from validation_gen.kubernetes.objects import Duplicates, Outcome, metadata
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.wire import identical

_SCHEME = "pkg/api/legacyscheme/scheme.go:30"


class AnyPath(JsonPath):
    """Alternative paths, separated by `|`: the first one with a value is used."""

    def __init__(self, text: str) -> None:
        self._paths = [JsonPath(f".{each}") for each in text.split("|")]

    def find(self, obj: Any) -> list[Any]:
        return next((found for path in self._paths if any(found := path.find(obj))), [])


class CoreResource(Resource):
    """A built-in kind.

    Args:
        data: its facts, as in `kinds.json`.
        siblings: the types of all kinds with the same storage, by `apiVersion`.
    """

    kind_is_optional = True
    reads_protobuf = True

    def __init__(self, data: Mapping[str, Any], siblings: Mapping[str, str]) -> None:
        self.data = data
        self.group = data["group"]
        kind = data["type"].rpartition(".")[2]
        self.names = Names(
            data["plural"],
            data["singular"],
            kind,
            f"{kind}List",
            tuple(data.get("shortNames", ())),
            tuple(data.get("categories", ())),
        )
        self.namespaced = data["namespaced"]
        self.verbs = tuple(data.get("verbs", VERBS))
        self.has_generation = "generation" in data
        self.updates_any_version = data.get("unconditional", False)
        self.creates_on_update = data.get("createsOnUpdate", False)
        subresources = data.get("subresources", ())
        self._version = BuiltinVersion(
            data["version"], f"{self.group}/{data['version']}".removeprefix("/"), data["type"], "status" in subresources
        )
        self._siblings = siblings
        self._fields: dict[str, FieldManager] = {}

    @property
    def prefix(self) -> str:
        return f"/core/{self.names.plural}/"

    @property
    def shown_prefix(self) -> str:
        return f"/{self.names.plural}/"

    @property
    def versions(self) -> Mapping[str, BuiltinVersion]:
        return {self._version.name: self._version}

    @property
    def storage_version(self) -> str:
        return str(self.data.get("storage", self._version.api_version))

    def subresources(self, version: BuiltinVersion) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = dict.fromkeys(self.data.get("subresources", ()), SUBRESOURCE_VERBS)
        return {**found, "finalize": ("update",)} if "finalize" in found else found

    def schema(self, version: BuiltinVersion) -> dict[str, Any]:
        return schema(version.type)

    @cached_property
    def _columns(self) -> CoreColumns:
        return CoreColumns(self.data["columns"], self.rules.convert)

    def columns(self, version: str) -> CoreColumns:
        return self._columns

    @cached_property
    def _selectable(self) -> dict[str, JsonPath]:
        pairs = (each.partition("=")[::2] for each in self.data.get("fields", ()))
        return {name: AnyPath(path or name) if "|" in path else JsonPath(f".{path or name}") for name, path in pairs}

    def selectable(self, version: str) -> dict[str, JsonPath]:
        return self._selectable

    def refuse_field(self, name: str) -> str:
        if self._selectable:
            return super().refuse_field(name)
        return f'{go_quote(name)} is not a known field selector: only "metadata.name", "metadata.namespace"'

    @cached_property
    def rules(self) -> Rules:
        """The rules of its objects."""
        return find_rules(self.names.kind)

    # --- objects ------------------------------------------------------------------------------------------------------

    def read_stored(self, obj: dict[str, Any]) -> dict[str, Any] | None:
        """Returns a stored object as Go writes it, None if it cannot be decoded: others may write to a shared store."""
        if any(mistake.unknown is None for mistake in mistakes(obj, struct(self._version.type), SchemaPath(""))):
            return None
        return {**encode(self._version.type, obj), "metadata": obj["metadata"]}

    def read_protobuf(self, body: bytes) -> Any:
        from validation_gen.apiserver.core.protobuf import decode  # noqa: PLC0415 - few clients send it

        def find_type(version: str, kind: str) -> str:
            if kind == "DeleteOptions":
                return DELETE_OPTIONS
            return self._siblings.get(version) or self._version.type

        return decode(body, find_type)

    def check_type(self, obj: Mapping[str, Any]) -> None:
        version, kind = obj.get("apiVersion") or "", obj["kind"]
        known = self._siblings.get(version)
        if known is not None and known.rpartition(".")[2] == kind:
            return
        if is_registered(version, kind):
            raise DecodingError(f"converting (v1.{kind}) to ({self._internal}): unknown conversion")
        raise DecodingError(
            f"no kind {go_quote(kind)} is registered for version {go_quote(version)} in scheme {go_quote(_SCHEME)}"
        )

    @property
    def _internal(self) -> str:
        group = self.data["type"].split(".")[-3]
        return f"{'core' if group == 'events' else group}.{self.names.kind}"

    def decode(
        self, version: BuiltinVersion, obj: Any, level: str, duplicates: Duplicates | None
    ) -> tuple[Normalized, list[str]]:
        if (obj.get("apiVersion"), obj["kind"]) != (version.api_version, self.names.kind):
            self.check_type(obj)
        slips: list[str] = []
        if duplicates and level != "Ignore":
            slips += [f'duplicate field "{path}"' for path in duplicates.paths(obj)]
        unknown = read_unknown(obj, struct(version.type))
        slips += unknown if level != "Ignore" else []
        named = {"apiVersion": version.api_version, "kind": self.names.kind}
        return Normalized({**self._typed(obj), **named}, is_valid=True), slips

    def _typed(self, obj: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a decoded object as Go writes it, with its defaults."""
        found = encode(self._version.type, obj)
        found["metadata"] = to_stored_metadata(obj.get("metadata") or {})
        self.rules.default(found)
        return found

    def _converted(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Returns an applied object as Go writes it, with its defaults."""
        for mistake in mistakes(obj, struct(self._version.type), SchemaPath("")):
            if mistake.unknown is None:
                kind = f"{self.group}/{self._version.name}, Kind={self.names.kind}"
                start = "error decoding from json: " if mistake.text.startswith("illegal base64") else ""
                raise TypeConflictError(f"unable to convert unstructured object to {kind}: {start}{mistake.text}")
        return self._typed(obj)

    def load(self, version: BuiltinVersion, stored: dict[str, Any]) -> Normalized:
        found = {**stored, "kind": self.names.kind}
        return Normalized(self.rules.convert(found, version.api_version), is_valid=True)

    def to_storage(self, obj: dict[str, Any]) -> dict[str, Any]:
        return self.rules.convert(obj, self.storage_version)

    def admit(self, version: BuiltinVersion, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
        obj, rules = sent.object, self.rules
        meta = obj["metadata"]
        if not self.namespaced:
            meta.pop("namespace", None)
        if old is None:
            meta.pop("generation", None)
            rules.prepare_create(obj)
            errors = rules.create_errors(obj) or metadata.common_errors(meta, namespaced=self.namespaced)
            return Outcome(422, errors=errors) if errors else Outcome(201, obj, warnings=rules.warnings(obj, None))
        before = json.loads(json.dumps(old.object))  # the new object shares parts with it
        _keep(meta, before["metadata"])
        rules.prepare_update(obj, before, subresource)
        watched = self.data.get("generation")
        if watched and not identical(obj.get(watched), before.get(watched)):
            meta["generation"] = (before["metadata"].get("generation") or 0) + 1
        errors = metadata.update_errors(meta, before["metadata"]) + rules.update_errors(obj, before, subresource)
        return Outcome(422, errors=errors) if errors else Outcome(200, obj, warnings=rules.warnings(obj, before))

    def merge_schema(self, version: str) -> Mapping[str, Any]:
        return schema(self._version.type)

    def deleting(self, stored: dict[str, Any], now: str) -> dict[str, Any]:
        return self.rules.deleting(stored, now)

    @property
    def is_review(self) -> bool:
        """True if objects are answered, and never stored."""
        return "list" not in self.verbs

    def is_finished(self, obj: Mapping[str, Any]) -> bool:
        return super().is_finished(obj) and self.rules.is_finished(obj)

    def fields(self, version: BuiltinVersion, subresource: str) -> FieldManager:
        if subresource not in self._fields:
            paths = self.data.get("reset", {}).get(subresource, ())
            ignored = FieldSet.from_paths(*(tuple(f"f:{name}" for name in path.split(".")) for path in paths))
            self._fields[subresource] = FieldManager(
                (version.api_version, self.names.kind),
                self._types,
                self.rules.convert,
                ignored={version.api_version: ignored},
                subresource=subresource,
                default=self._converted,
                empty=encode(version.type, {"apiVersion": version.api_version, "kind": self.names.kind}),
            )
        return self._fields[subresource]

    @cached_property
    def _types(self) -> dict[str, Any]:
        return {api_version: make_type(schema(name)) for api_version, name in self._siblings.items()}


def _keep(meta: dict[str, Any], known: Mapping[str, Any]) -> None:
    """Restores the metadata that an update cannot change, in place."""
    for name in ("creationTimestamp", "generation"):
        meta.pop(name, None)
        if name in known:
            meta[name] = known[name]
    if "deletionTimestamp" in known:
        meta["deletionTimestamp"] = known["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in known:
        meta.setdefault("deletionGracePeriodSeconds", known["deletionGracePeriodSeconds"])
    if not meta.get("uid") and known.get("uid"):
        meta["uid"] = known["uid"]


def is_registered(version: str, kind: str) -> bool:
    """Returns whether a server knows a kind."""
    from validation_gen.kubernetes.builtin import kinds as builtin  # noqa: PLC0415 - few requests need it

    return (version, kind) in builtin()


def find_rules(kind: str) -> Rules:
    """Returns the rules of a kind."""
    if kind.startswith(("Validating", "Mutating")):
        from validation_gen.apiserver.core import registrations  # noqa: PLC0415 - it needs CEL, and takes memory

        return registrations.find_rules(kind)
    return EventRules() if kind == "Event" else RULES.get(kind, Rules)()


def make_resources() -> dict[tuple[str, str], CoreResource]:
    """Returns all built-in resources, by group and plural."""
    data = kinds()
    found = {}
    for each in data:
        shared = [other for other in data if other["plural"] == each["plural"]]
        siblings = {f"{one['group']}/{one['version']}".removeprefix("/"): one["type"] for one in shared}
        found[each["group"], each["plural"]] = CoreResource(each, siblings)
    return found
