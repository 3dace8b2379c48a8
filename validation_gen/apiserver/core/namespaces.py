"""Life cycle of namespaces: those of each server, those that objects need, and deletion with their contents.

Sources of the behaviour: `pkg/controller/namespace/deletion` of `k8s.io/kubernetes`, its admission plugin
`NamespaceAutoProvision`, and `NamespaceLifecycle` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from validation_gen.apiserver.calls import Call
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.controllers import Reconciler
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.core.rules import KUBERNETES
from validation_gen.apiserver.definitions import make_condition, with_conditions
from validation_gen.apiserver.errors import ApiError, aggregate, forbidden, not_found
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.requests import DeleteOptions
from validation_gen.apiserver.storage import Change, Entry, Store
from validation_gen.apiserver.writes import decode_object

#: The namespaces of each server, and those that cannot be deleted.
INITIAL = ("default", "kube-system", "kube-public", "kube-node-lease")
_IMMORTAL = INITIAL[:3]
#: The service account of each namespace.
_ACCOUNT = "default"
#: Seconds until a refused create is tried again.
_RETRY_SECONDS = 5.0
#: Conditions of a namespace that is being deleted, with reason and message of success.
_CONDITIONS = {
    "NamespaceDeletionDiscoveryFailure": ("ResourcesDiscovered", "All resources successfully discovered"),
    "NamespaceDeletionGroupVersionParsingFailure": (
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    "NamespaceDeletionContentFailure": (
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
    "NamespaceContentRemaining": ("ContentRemoved", "All content successfully removed"),
    "NamespaceFinalizersRemaining": ("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
}

Create = Callable[[Resource, str, dict[str, Any]], Awaitable[None]]
Remove = Callable[[Resource, str, DeleteOptions], Awaitable[None]]


class Namespaces(Reconciler[CoreResource]):
    """The namespaces of a server, kept up to date with the stored ones.

    Args:
        manager: the name under which the server changes them.
        clock: the time of the server.
        create: creates an object in a namespace unless it is there.
        remove: deletes an object of a resource, by its key.
        strict: whether a create in a missing namespace is refused; otherwise it creates the namespace.
    """

    def __init__(
        self,
        store: Store,
        manager: str,
        clock: Clock,
        resources: Iterable[Resource],
        create: Create,
        remove: Remove,
        *,
        strict: bool = False,
    ) -> None:
        core = {each.resource: each for each in resources if isinstance(each, CoreResource)}
        super().__init__(store, core["namespaces"], manager, clock)
        self._accounts, self._strict = core["serviceaccounts"], strict
        self._resources, self._create, self._remove = resources, create, remove
        self._stored: dict[str, dict[str, Any]] = {}
        #: Names of namespaces that may have no service account.
        self._incomplete: set[str] = set()

    async def start(self) -> None:
        """Reads the stored namespaces, and creates the initial ones (`default`, `kube-system` …)."""
        await self.catch_up()
        for name in INITIAL:
            if name not in self._stored:
                await self._provide(name)
        await super().start()

    async def _read(self) -> int:
        entries, revision = await self._store.scan(self._resource.prefix)
        self._stored = {}
        for entry in entries:
            self._note(entry)
        return revision

    def _note(self, entry: Entry) -> None:
        """Adds or replaces a namespace, with empty parts for missing ones."""
        obj, name = self._resource.read_stored(decode_object(entry)), entry.key.removeprefix(self._resource.prefix)
        if obj is not None and obj["metadata"]["name"] == name:
            self._stored[name] = {"spec": {}, "status": {}, **obj}

    def _apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.value is None and change.key.startswith(self._accounts.prefix):
                name, _, account = change.key.removeprefix(self._accounts.prefix).partition("/")
                if account == _ACCOUNT:
                    self._incomplete.add(name)
                    self._wake.set()
            if not change.key.startswith(self._resource.prefix):
                continue
            name = change.key.removeprefix(self._resource.prefix)
            if change.value is None:
                self._stored.pop(name, None)
            else:
                self._note(Entry(change.key, change.value, change.revision))
            self._wake.set()

    # --- requests -----------------------------------------------------------------------------------------------------

    def check_create(self, call: Call, meta: Mapping[str, Any]) -> None:
        """Refuses a create in a namespace that is being deleted or, if the server is strict, that is missing."""
        name = call.target.namespace
        if not call.resource.namespaced:
            return
        found = self._stored.get(name)
        if found is None:
            if self._strict:
                raise not_found("", "namespaces", name)
        elif found["status"].get("phase") == "Terminating":
            own = meta.get("name") or meta.get("generateName") or "Unknown"
            text = f"unable to create new content in namespace {name} because it is being terminated"
            problem = forbidden(*call.qualified, own, text)
            cause = {
                "reason": "NamespaceTerminating",
                "message": f"namespace {name} is being terminated",
                "field": "metadata.namespace",
            }
            problem.details = {**(problem.details or {}), "causes": [cause]}
            raise problem

    async def provide(self, call: Call, meta: Mapping[str, Any]) -> None:
        """Creates the namespace of an object that is about to be written, if it is missing."""
        self.check_create(call, meta)
        if call.resource.namespaced and call.target.namespace not in self._stored:
            await self._provide(call.target.namespace)

    async def complete(self, call: Call, name: str) -> None:
        """Creates the objects of a new namespace: its service account."""
        if call.resource is self._resource:
            await self._complete(name)

    def check_delete(self, call: Call) -> None:
        """Refuses to delete the namespaces that each server has."""
        if call.resource is self._resource and not call.target.subresource and call.target.name in _IMMORTAL:
            raise forbidden(*call.qualified, call.target.name, "this namespace may not be deleted")

    async def _provide(self, name: str) -> None:
        obj = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        await self._create(self._resource, "", obj)

    async def _complete(self, name: str) -> None:
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": _ACCOUNT}}
        try:
            await self._create(self._accounts, name, account)
        except ApiError:  # admission has refused it
            self._incomplete.add(name)
            self._wake_later(_RETRY_SECONDS)
        else:
            self._incomplete.discard(name)

    # --- deletion -----------------------------------------------------------------------------------------------------

    async def _reconcile(self) -> None:
        for name in list(self._incomplete):
            if name not in self._stored or self._stored[name]["metadata"].get("deletionTimestamp"):
                self._incomplete.discard(name)
            else:
                await self._complete(name)
        for name in [name for name, each in self._stored.items() if each["metadata"].get("deletionTimestamp")]:
            await self._step(name)

    async def _step(self, name: str) -> None:
        namespace = self._stored.get(name)
        finalizers = [] if namespace is None else namespace["spec"].get("finalizers") or []
        if namespace is None or KUBERNETES not in finalizers:
            return
        key = f"{self._resource.prefix}{name}"
        remaining, problems = await self._clear(name)
        status = self._status(namespace, remaining, problems)
        if status != namespace["status"]:
            await self._write(key, namespace, {**namespace, "status": status}, "status")
        elif remaining:
            self._wake_later()
        else:
            rest = [each for each in finalizers if each != KUBERNETES]
            await self._write(key, namespace, {**namespace, "spec": {"finalizers": rest} if rest else {}}, "finalize")

    async def _clear(self, name: str) -> tuple[list[tuple[Resource, list[dict[str, Any]]]], list[str]]:
        """Deletes the objects in a namespace, and returns those that are left, and why deletes were refused."""
        found: list[tuple[Resource, list[dict[str, Any]]]] = []
        problems: list[str] = []
        known = set()
        for resource in self._resources:
            prefix = f"{resource.prefix}{name}/"
            if not resource.namespaced or prefix in known:
                continue
            known.add(prefix)
            entries, _ = await self._store.scan(prefix)
            for entry in entries:
                try:
                    await self._remove(resource, entry.key, DeleteOptions(propagation="Background"))
                except ApiError as problem:  # by admission
                    problems.append(problem.message)
            entries, _ = await self._store.scan(prefix) if entries else ([], 0)
            if entries:
                found.append((resource, [decode_object(entry) for entry in entries]))
        return found, problems

    def _status(
        self,
        namespace: Mapping[str, Any],
        remaining: Sequence[tuple[Resource, list[dict[str, Any]]]],
        problems: Sequence[str],
    ) -> dict[str, Any]:
        """Returns the status of a namespace that is being deleted."""
        failed = {}
        if problems:
            text = f"Failed to delete all resource types, {len(problems)} remaining: {aggregate(problems)}"
            failed["NamespaceDeletionContentFailure"] = ("ContentDeletionFailed", text)
        if remaining:
            counts = sorted(
                f"{resource.resource}.{resource.group} has {len(objects)} resource instances"
                for resource, objects in remaining
            )
            text = f"Some resources are remaining: {', '.join(counts)}"
            failed["NamespaceContentRemaining"] = ("SomeResourcesRemain", text)
        waiting = Counter(
            name for _, objects in remaining for obj in objects for name in obj["metadata"].get("finalizers") or ()
        )
        if waiting:
            counts = sorted(f"{name} in {count} resource instances" for name, count in waiting.items())
            text = f"Some content in the namespace has finalizers remaining: {', '.join(counts)}"
            failed["NamespaceFinalizersRemaining"] = ("SomeFinalizersRemain", text)
        stamp = self._clock.stamp()
        conditions = []
        for kind, succeeded in _CONDITIONS.items():
            reason, message = failed.get(kind, succeeded)
            conditions.append(make_condition(kind, holds=kind in failed, stamp=stamp, reason=reason, message=message))
        return with_conditions(namespace, *conditions)["status"]  # type: ignore[no-any-return]
