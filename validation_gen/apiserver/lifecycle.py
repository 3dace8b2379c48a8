"""The resources of a server, and the life cycle of definitions: accepted names, established resources, and cleaning up.

Sources of the behaviour: `pkg/controller/status/naming_controller.go`, `pkg/controller/establish` and
`pkg/controller/finalizer` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.controllers import Reconciler
from validation_gen.apiserver.core.resource import make_resources
from validation_gen.apiserver.definitions import (
    CLEANUP,
    GROUP,
    PLURAL,
    PREFIX,
    DefinitionResource,
    condition_is_true,
    find_condition,
    make_condition,
    with_conditions,
)
from validation_gen.apiserver.errors import aggregate
from validation_gen.apiserver.requests import DeleteOptions
from validation_gen.apiserver.resources import CustomResource
from validation_gen.apiserver.storage import Change, Entry, Store
from validation_gen.apiserver.writes import decode_object
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.definition import read_definition
from validation_gen.kubernetes.crd.gotypes import DEFINITION
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.objects.kinds import Kind, UndefinedError
from validation_gen.runtime.gotext import go_quote

_APPROVED = "api-approved.kubernetes.io"

Remove = Callable[[CustomResource, str, DeleteOptions], Any]


class Definitions(Reconciler[DefinitionResource]):
    """The resources that the server serves, kept up to date with the stored definitions.

    Args:
        manager: the name under which the server changes the status of definitions.
        clock: the time of the server.
        remove: deletes an object of a resource, by its key.
        dropped: called with the prefix of the keys of a removed resource.
    """

    def __init__(
        self, store: Store, manager: str, clock: Clock, remove: Remove, dropped: Callable[[str], None]
    ) -> None:
        super().__init__(store, DefinitionResource(), manager, clock)
        self.resources: dict[tuple[str, str], CustomResource] = {}
        self.changed = 0
        self._remove, self._dropped = remove, dropped
        self._stored: dict[str, dict[str, Any]] = {}

    async def _read(self) -> int:
        entries, revision = await self._store.scan(PREFIX)
        for key in self._stored.keys() - {entry.key for entry in entries}:
            self._note(key, None)
        for entry in entries:
            self._note(entry.key, entry)
        return revision

    async def close(self) -> None:
        """Ends the task, and the calls of webhooks."""
        for resource in self.resources.values():
            resource.close()
        await super().close()

    def _apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.key.startswith(PREFIX):
                value = change.value
                self._note(change.key, None if value is None else Entry(change.key, value, change.revision))
                self._wake.set()

    def find(self, group: str, plural: str) -> CustomResource | None:
        """Returns a resource that is served, None if there is none."""
        return self.resources.get((group, plural))

    # --- resources ----------------------------------------------------------------------------------------------------

    def _note(self, key: str, entry: Entry | None) -> None:
        """Adds, replaces or removes the resource of a definition."""
        self.changed += 1
        old = self._stored.get(key)
        if entry is None:
            self._stored.pop(key, None)
            if old is not None:
                self._drop(old)
            return
        new = decode_object(entry)
        if not _is_definition(new):
            return
        self._stored[key] = new
        if not condition_is_true(new, "Established"):
            return
        names = (new["spec"]["group"], new["spec"]["names"]["plural"])
        known = self.resources.get(names)
        if known is not None and old is not None and old["spec"] == new["spec"]:
            known.definition = new
            known.terminating = bool(new["metadata"].get("deletionTimestamp"))
            return
        try:
            kind = Kind.from_definition(read_definition(new))
        except UndefinedError:
            return
        if known is not None:
            self._dropped(f"/{names[0]}/{names[1]}/")  # watches end, as the server's do
        self.resources[names] = CustomResource(new, kind)

    def _drop(self, definition: dict[str, Any]) -> None:
        spec = definition["spec"]
        group, plural = spec["group"], spec["names"]["plural"]
        resource = self.resources.pop((group, plural), None)
        if resource is not None:
            resource.close()
            self._dropped(f"/{group}/{plural}/")

    # --- status -------------------------------------------------------------------------------------------------------

    async def _reconcile(self) -> None:
        for key in list(self._stored):
            await self._step(key)

    async def _step(self, key: str) -> None:
        definition = self._stored.get(key)
        if definition is None:
            return
        if definition["metadata"].get("deletionTimestamp"):
            await self._clean(key, definition)
            return
        changed = self._update_acceptance(definition)
        if changed is not None:
            await self._write(key, definition, changed)
        elif condition_is_true(definition, "NamesAccepted") and not condition_is_true(definition, "Established"):
            message = "the initial names have been accepted"
            condition = self._condition("Established", True, "InitialNamesAccepted", message)
            await self._write(key, definition, with_conditions(definition, condition))

    def _condition(self, kind: str, holds: bool, reason: str, message: str) -> dict[str, Any]:
        return make_condition(kind, holds=holds, stamp=self._clock.stamp(), reason=reason, message=message)

    def _update_acceptance(self, definition: dict[str, Any]) -> dict[str, Any] | None:
        """Returns a definition with other accepted names or conditions, None if nothing changes."""
        spec, status = definition["spec"], definition.get("status") or {}
        wanted, accepted = spec["names"], status.get("acceptedNames") or {}
        if wanted == {k: v for k, v in accepted.items() if v}:
            return None
        resources, kinds = self._find_taken_names(definition)
        found, reason, message = dict(accepted), "", ""
        for name, used in (("plural", resources), ("singular", resources)):
            found, reason, message = _claim(found, wanted, name, used, reason, message)
        short = wanted.get("shortNames") or []
        known = accepted.get("shortNames") or []
        clashes = [name for name in short if name not in known and name in resources]
        if clashes:
            reason = "ShortNamesConflict"
            message = aggregate(f"{go_quote(name)} is already in use" for name in clashes)
        else:
            found["shortNames"] = short
        for name, used in (("kind", kinds), ("listKind", kinds)):
            found, reason, message = _claim(found, wanted, name, used, reason, message)
        found["categories"] = wanted.get("categories") or []
        found = {
            "plural": found.get("plural", ""),
            **{k: v for k, v in found.items() if v},
            "kind": found.get("kind", ""),
        }
        return self._with_names(definition, found, reason, message)

    def _find_taken_names(self, definition: dict[str, Any]) -> tuple[set[str], set[str]]:
        """Returns the resource names and the kinds that other definitions of the group have."""
        resources: set[str] = set()
        kinds: set[str] = set()
        for other in self._stored.values():
            if other["spec"]["group"] == definition["spec"]["group"]:
                names = (other.get("status") or {}).get("acceptedNames") or {}
                resources |= {names.get("plural", ""), names.get("singular", ""), *(names.get("shortNames") or ())}
                kinds |= {names.get("kind", ""), names.get("listKind", "")}
        return resources, kinds

    def _with_names(
        self, definition: dict[str, Any], names: dict[str, Any], reason: str, message: str
    ) -> dict[str, Any] | None:
        conditions = [
            self._condition("NamesAccepted", not reason, reason or "NoConflicts", message or "no conflicts found")
        ]
        if not condition_is_true(definition, "Established"):
            installing = ("Installing", "the initial names have been accepted")
            refused = ("NotAccepted", "not all names are accepted")
            conditions.append(self._condition("Established", False, *(refused if reason else installing)))
        approval = _find_approval(definition)
        if approval is not None:
            conditions.append(self._condition("KubernetesAPIApprovalPolicyConformant", *approval))
        changed = with_conditions(definition, *conditions)
        changed["status"]["acceptedNames"] = names
        return None if changed["status"] == definition.get("status") else changed

    # --- deletion -----------------------------------------------------------------------------------------------------

    async def _clean(self, key: str, definition: dict[str, Any]) -> None:
        if CLEANUP not in (definition["metadata"].get("finalizers") or ()):
            return
        names = (definition["spec"]["group"], definition["spec"]["names"]["plural"])
        resource = self.resources.get(names)
        terminating = find_condition(definition, "Terminating") or {}
        if resource is not None and terminating.get("reason") != "InstanceDeletionInProgress":
            message = "CustomResource deletion is in progress"
            condition = self._condition("Terminating", True, "InstanceDeletionInProgress", message)
            await self._write(key, definition, with_conditions(definition, condition))
            return
        if resource is not None and await self._objects_left(resource):
            self._wake_later()
            return
        reason = "InstanceDeletionCompleted" if resource is not None else "NeverEstablished"
        message = "removed all instances" if resource is not None else "resource was never established"
        found = with_conditions(definition, self._condition("Terminating", False, reason, message))
        finalizers = [name for name in found["metadata"]["finalizers"] if name != CLEANUP]
        meta = {name: value for name, value in found["metadata"].items() if name != "finalizers"}
        found["metadata"] = {**meta, **({"finalizers": finalizers} if finalizers else {})}
        await self._write(key, definition, found)

    async def _objects_left(self, resource: CustomResource) -> bool:
        """Deletes the objects of a resource, and returns whether some wait for their finalizers."""
        prefix = resource.prefix
        entries, _ = await self._store.scan(prefix)
        for entry in entries:
            await self._remove(resource, entry.key, DeleteOptions())
        return bool((await self._store.scan(prefix, limit=1))[0])


class Catalog:
    """All resources of a server: built-in ones, and those of definitions.

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


def _is_definition(obj: dict[str, Any]) -> bool:
    """Returns whether an object has the form of a definition; other programs may write to a shared store."""
    if any(mistake.unknown is None for mistake in mistakes(obj, DEFINITION, SchemaPath(""))):
        return False
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    names = spec.get("names") or {}
    lists = (spec.get("versions"), status.get("conditions"), names.get("shortNames"))
    if not spec.get("group") or any(None in (each or ()) for each in lists):
        return False
    return all(names.get(name) for name in ("plural", "kind")) and all(each.get("name") for each in lists[0] or ())


def _find_approval(definition: dict[str, Any]) -> tuple[bool, str, str] | None:
    """Returns whether a definition in a group of Kubernetes itself is approved, with reason and message.

    Other definitions need no approval. Source of the behaviour: `pkg/controller/apiapproval` and `pkg/apihelpers`.
    """
    group = f".{definition['spec']['group']}"
    if not group.endswith((".k8s.io", ".kubernetes.io")):
        return None
    known = f"protected groups must have approval annotation {go_quote(_APPROVED)}"
    more = ", see https://github.com/kubernetes/enhancements/pull/1111"
    text = (definition["metadata"].get("annotations") or {}).get(_APPROVED) or ""
    if not text:
        return False, "MissingAnnotation", f"{known}{more}"
    if text.startswith("unapproved"):
        return False, "UnapprovedAnnotation", f"not approved: {go_quote(text)}"
    if "://" in text:
        return True, "ApprovedAnnotation", f"approved in {text}"
    return False, "InvalidAnnotation", f'{known} with either a URL or a reason starting with "unapproved"{more}'


def _claim(
    found: dict[str, Any], wanted: dict[str, Any], name: str, used: set[str], reason: str, message: str
) -> tuple[dict[str, Any], str, str]:
    """Accepts a name if it is new or already accepted."""
    new, old = wanted.get(name, ""), found.get(name, "")
    if new == old or new not in used:
        return {**found, name: new}, reason, message
    return found, f"{name[0].upper()}{name[1:]}Conflict", f"{go_quote(new)} is already in use"
