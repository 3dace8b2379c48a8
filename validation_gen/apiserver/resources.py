"""Resources of definitions; `kubernetes/objects` decodes and validates their objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from validation_gen.apiserver.bodies import check_type
from validation_gen.apiserver.columns import JsonPath, JsonPathError
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.interface import Names, Resource
from validation_gen.apiserver.scaling import ScaleFields
from validation_gen.apiserver.tables import Columns
from validation_gen.kubernetes.crd.pruning import fill_absent
from validation_gen.kubernetes.managedfields import FieldManager, FieldSet, TypeConflictError, make_type
from validation_gen.kubernetes.objects import Duplicates, Kind, Outcome
from validation_gen.kubernetes.objects.admission import Normalized, admit_decoded, decode, load
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.kubernetes.objects.preparing import prune

if TYPE_CHECKING:
    from validation_gen.apiserver.conversion import WebhookConverter

T = TypeVar("T")


class CustomResource(Resource):
    """A kind of a definition.

    Attributes:
        definition: the definition, as it is stored.
        kind: the kind, for decoding and validation.
        terminating: whether the definition is being deleted, so that no object can be created.
    """

    verbs = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")

    def __init__(self, definition: Mapping[str, Any], kind: Kind) -> None:
        self.definition = definition
        spec = definition["spec"]
        names = spec["names"]
        self.group: str = spec["group"]
        self.kind = kind
        self.converter = _find_converter(spec.get("conversion") or {})
        #: With a webhook, each version has rules of its own: none is stored under the name of another one.
        self._kinds = {
            version.api_version: kind if self.converter is None else replace(kind, storage=version)
            for version in kind.versions.values()
        }
        self.namespaced = kind.namespaced
        self.names = Names(
            names["plural"],
            names.get("singular") or names["kind"].lower(),
            names["kind"],
            names.get("listKind") or f"{names['kind']}List",
            tuple(names.get("shortNames") or ()),
            tuple(names.get("categories") or ()),
        )
        self.terminating = bool((definition.get("metadata") or {}).get("deletionTimestamp"))
        self._raw = {version["name"]: version for version in spec["versions"]}
        preserves = spec.get("preserveUnknownFields") is True
        self._types = {
            served.api_version: make_type(served.raw, preserves=preserves) for served in kind.versions.values()
        }
        self._columns: dict[str, Columns] = {}
        self._fields: dict[tuple[str, str], FieldManager] = {}
        self._scales: dict[str, ScaleFields] = {}
        self._selectable: dict[str, dict[str, JsonPath]] = {}

    @property
    def versions(self) -> Mapping[str, Served]:
        return {name: version for name, version in self.kind.versions.items() if version.served}

    @property
    def storage_version(self) -> str:
        return self.kind.storage.api_version

    def find_storage(self) -> Served:
        return self.kind.storage

    def columns(self, version: str) -> Columns:
        if version not in self._columns:
            self._columns[version] = Columns(self._raw[version].get("additionalPrinterColumns") or [])
        return self._columns[version]

    def selectable(self, version: str) -> dict[str, JsonPath]:
        if version not in self._selectable:
            found = {}
            for each in self._raw[version].get("selectableFields") or ():
                path = each.get("jsonPath") or ""
                try:
                    found[path.removeprefix(".")] = JsonPath(path)
                except JsonPathError:
                    continue
            self._selectable[version] = found
        return self._selectable[version]

    # --- objects ------------------------------------------------------------------------------------------------------

    def decode(
        self, version: Served, obj: Any, level: str, duplicates: Duplicates | None
    ) -> tuple[Normalized, list[str]]:
        return decode(self._kinds[version.api_version], version, obj, field_validation=level, duplicates=duplicates)

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        return work(*args) if self.converter is None else await self.converter.run(work, *args)

    def close(self) -> None:
        if self.converter is not None:
            self.converter.close()

    def load(self, version: Served, stored: dict[str, Any]) -> Normalized:
        return self.load_all(version, [stored])[0]

    def load_all(self, version: Served, stored: Sequence[dict[str, Any]]) -> list[Normalized]:
        if self.converter is None:
            return [self._read(version, each) for each in stored]
        by_name = {each.api_version: each for each in self.kind.versions.values()}
        read = [self._read(by_name.get(each["apiVersion"], version), each) for each in stored]
        converted = self.converter.convert([each.object for each in read], version.api_version)
        return [
            own if own.object is obj else Normalized(prune(obj, version.schema, lenient=True))
            for own, obj in zip(read, converted, strict=True)
        ]

    def _read(self, version: Served, stored: dict[str, Any]) -> Normalized:
        found = load(self._kinds[version.api_version], version, stored, canonical=True)
        if not self.namespaced:
            found.object["metadata"].pop("namespace", None)
        return found

    def to_storage(self, obj: dict[str, Any]) -> dict[str, Any]:
        storage = self.kind.storage
        if self.converter is None or obj["apiVersion"] == storage.api_version:
            return super().to_storage(obj)
        return prune(self.converter.convert([obj], storage.api_version)[0], storage.schema, lenient=True)

    def equivalents(self, subresource: str) -> Sequence[str]:
        known = self.kind.versions.values()
        return [each.name for each in known if not subresource or getattr(each, subresource, None)]

    def convert(self, obj: dict[str, Any], version: str) -> dict[str, Any]:
        target = self.kind.versions[version]
        if self.converter is None:
            converted = {**obj, "apiVersion": target.api_version}
        else:
            converted = self.converter.convert([obj], target.api_version)[0]
        return prune(converted, target.schema, lenient=True)

    def revise(self, version: str, obj: Any) -> dict[str, Any]:
        check_type(obj)
        return self._apply_defaults(self.kind.versions[version], obj)

    def merge_schema(self, version: str) -> Mapping[str, Any] | None:
        return self.kind.versions[version].raw

    def admit(self, version: Served, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
        return admit_decoded(self._kinds[version.api_version], version, sent, old, subresource=subresource)

    def fields(self, version: Served, subresource: str) -> FieldManager:
        key = (version.name, subresource)
        if key not in self._fields:
            own = version.api_version
            ignored = {}
            if subresource == "status":
                ignored[own] = FieldSet.from_paths(("f:metadata",), ("f:spec",))
            elif version.status:
                ignored[own] = FieldSet.from_paths(("f:status",))
            self._fields[key] = FieldManager(
                (own, self.names.kind),
                self._types,
                self._converted,
                ignored=ignored,
                subresource=subresource,
                default=lambda obj: self._apply_defaults(version, obj),
            )
        return self._fields[key]

    def scale_fields(self, version: Served) -> ScaleFields:
        if version.name not in self._scales:
            assert version.scale is not None
            scales = {each.api_version: each.scale for each in self.kind.versions.values()}
            self._scales[version.name] = ScaleFields(version.api_version, version.scale, scales)
        return self._scales[version.name]

    def _converted(self, obj: dict[str, Any], api_version: str) -> dict[str, Any]:
        """Converts an object for field management."""
        if api_version not in self._types:
            raise TypeConflictError(f"request to convert CR to an invalid group/version: {api_version}")
        if self.converter is None:
            return {**obj, "apiVersion": api_version}
        try:
            return self.converter.convert([obj], api_version)[0]
        except ApiError as problem:
            raise TypeConflictError(problem.message) from None

    @staticmethod
    def _apply_defaults(version: Served, obj: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = fill_absent(obj, version.schema)
        return found


def _find_converter(conversion: Mapping[str, Any]) -> WebhookConverter | None:
    """Returns the converter of a kind, None if its versions differ in their names alone."""
    if conversion.get("strategy") != "Webhook":
        return None
    from validation_gen.apiserver.conversion import WebhookConverter  # noqa: PLC0415 - it imports asyncio and ssl

    return WebhookConverter(conversion.get("webhook") or {})
