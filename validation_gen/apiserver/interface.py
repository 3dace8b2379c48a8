"""The interface of resources: the properties of a kind, and the steps of requests that only need its objects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from validation_gen.apiserver.columns import JsonPath
from validation_gen.apiserver.scaling import ScaleFields
from validation_gen.apiserver.tables import Columns
from validation_gen.kubernetes.crd.definition import Scale
from validation_gen.kubernetes.managedfields import FieldManager
from validation_gen.kubernetes.objects import Duplicates, Outcome
from validation_gen.kubernetes.objects.admission import Normalized

T = TypeVar("T")

VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
SUBRESOURCE_VERBS = ("get", "patch", "update")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a resource."""

    plural: str
    singular: str
    kind: str
    list_kind: str
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuiltinVersion:
    """The version of a built-in kind. `type` is the name of its Go type in OpenAPI."""

    name: str
    api_version: str
    type: str = ""
    status: bool = False
    scale: Scale | None = None
    served: bool = True
    deprecated: bool = False


class Resource(ABC):
    """A resource in all its versions. Methods that take a version take one of `versions`.

    Attributes:
        group: the group of its API, empty for the first one.
        namespaced: whether its objects are in namespaces.
        terminating: whether no object can be created any more.
        verbs: its verbs, in the order in which discovery lists them.
        kind_is_optional: whether an object without a kind and a version is one of this kind.
        has_generation: whether its objects have a generation.
        updates_any_version: whether an update without a resource version changes any object.
        creates_on_update: whether an update creates a missing object.
        reads_protobuf: whether bodies may be protobuf messages.
    """

    group: str
    names: Names
    namespaced: bool
    terminating = False
    verbs = VERBS
    kind_is_optional = False
    has_generation = True
    updates_any_version = False
    creates_on_update = False
    reads_protobuf = False

    @property
    def prefix(self) -> str:
        """The beginning of the keys of all objects: two names."""
        return f"/{self.group}/{self.names.plural}/"

    def make_prefix(self, namespace: str) -> str:
        """Returns the beginning of the keys of the objects in a namespace, of all objects if it is empty."""
        return f"{self.prefix}{namespace}/" if namespace and self.namespaced else self.prefix

    @property
    def shown_prefix(self) -> str:
        """The beginning of keys in messages."""
        return self.prefix

    @property
    def resource(self) -> str:
        """The plural name."""
        return self.names.plural

    @property
    @abstractmethod
    def versions(self) -> Mapping[str, Any]:
        """The served versions by name."""

    @property
    @abstractmethod
    def storage_version(self) -> str:
        """The `apiVersion` of stored objects."""

    @property
    def hashed_version(self) -> str:
        """The storage version, from whose name discovery computes `storageVersionHash`."""
        return self.storage_version.rpartition("/")[2]

    def version(self, name: str) -> Any:
        """Returns a served version, None if there is no such one."""
        return self.versions.get(name)

    def find_storage(self) -> Any:
        """Returns the version of stored objects, or any other one."""
        found = dict(self.versions)
        return found.get(self.storage_version.rpartition("/")[2]) or next(iter(found.values()))

    @abstractmethod
    def columns(self, version: str) -> Columns:
        """Returns the columns of a version's tables."""

    def selectable(self, version: str) -> dict[str, JsonPath]:
        """Returns the fields by which objects can be selected, besides name and namespace, with their paths."""
        return {}

    def refuse_field(self, name: str) -> str:
        """Returns the refusal of a field that does not select objects."""
        return f"field label not supported: {name}"

    def subresources(self, version: Any) -> dict[str, tuple[str, ...]]:
        """Returns the subresources of a version, with their verbs."""
        found = {"status": version.status, "scale": version.scale is not None}
        return {name: SUBRESOURCE_VERBS for name, is_there in found.items() if is_there}

    def read_protobuf(self, body: bytes) -> Any:
        """Returns the object of a protobuf message.

        Raises:
            ValueError: it cannot be decoded.
        """
        raise NotImplementedError(self.names.kind)

    def check_type(self, obj: Mapping[str, Any]) -> None:  # noqa: B027 - most decode any kind
        """Checks the version and the kind of a sent object, if they differ from the expected ones.

        Raises:
            DecodingError: they cannot be decoded.
        """

    def schema(self, version: Any) -> Mapping[str, Any]:
        """Returns the schema of a version's objects with list types and patch strategies, empty if there is none."""
        return {}

    @abstractmethod
    def decode(self, version: Any, obj: Any, level: str, duplicates: Duplicates | None) -> tuple[Normalized, list[str]]:
        """Returns a sent object in the server's form, and its duplicate and unknown fields.

        Raises:
            DecodingError: it cannot be decoded.
        """

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that converts objects: in a thread if a webhook converts them."""
        return work(*args)

    def close(self) -> None:  # noqa: B027 - most have nothing to close
        """Ends calls of webhooks."""

    @abstractmethod
    def load(self, version: Any, stored: dict[str, Any]) -> Normalized:
        """Returns a stored object in a version."""

    def load_all(self, version: Any, stored: Sequence[dict[str, Any]]) -> list[Normalized]:
        """Returns stored objects in a version."""
        return [self.load(version, each) for each in stored]

    def to_storage(self, obj: dict[str, Any]) -> dict[str, Any]:
        """Returns an object in the version of the storage."""
        return {**obj, "apiVersion": self.storage_version}

    def equivalents(self, subresource: str) -> Sequence[str]:
        """Returns the names of all versions, served or not, that have a subresource."""
        return list(self.versions)

    def convert(self, obj: dict[str, Any], version: str) -> dict[str, Any]:
        """Returns an object in another version, by its name."""
        return {**obj, "apiVersion": f"{self.group}/{version}".removeprefix("/")}

    def revise(self, version: str, obj: Any) -> dict[str, Any]:
        """Returns an object that a webhook has patched in a version, with its defaults.

        Raises:
            DecodingError: it is no object.
        """
        return self.decode(self.version(version), obj, "Ignore", None)[0].object

    def merge_schema(self, version: str) -> Mapping[str, Any] | None:
        """Returns the schema by which policies merge objects of a version, None if all lists are atomic."""
        return None

    @abstractmethod
    def admit(self, version: Any, sent: Normalized, old: Normalized | None, subresource: str) -> Outcome:
        """Prepares and validates a decoded object."""

    @abstractmethod
    def fields(self, version: Any, subresource: str) -> FieldManager:
        """Returns the field management of requests in a version."""

    def scale_fields(self, version: Any) -> ScaleFields:
        """Returns the field management of requests about the scale in a version that has one."""
        raise NotImplementedError(f"{self.names.kind} has no scale")

    def deleting(self, stored: dict[str, Any], now: str) -> dict[str, Any]:
        """Returns a stored object in its state during deletion, by default unchanged."""
        return stored

    def is_finished(self, obj: Mapping[str, Any]) -> bool:
        """Returns whether an object that is being deleted can be removed after an update."""
        return not obj["metadata"].get("finalizers")
