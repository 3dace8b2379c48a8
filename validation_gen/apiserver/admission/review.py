"""Admission of one request: mutating policies and webhooks, and after the validation validating ones.

A request that a configuration may match runs in a thread, because webhooks take their time. Sources of the behaviour:
`pkg/admission/reinvocation.go`, `RecommendedPluginOrder` in `pkg/server/options/admission.go`, and
`pkg/endpoints/handlers/fieldmanager/admission.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

from validation_gen.apiserver.admission import policies, webhooks
from validation_gen.apiserver.admission.configurations import KINDS, Configurations
from validation_gen.apiserver.admission.subject import Subject
from validation_gen.apiserver.calls import Call
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.storage import Store
from validation_gen.apiserver.writes import decode_object
from validation_gen.kubernetes.cel.functions.authorizers import Decision
from validation_gen.kubernetes.managedfields import FieldSetError
from validation_gen.kubernetes.managedfields.entries import read_managed
from validation_gen.kubernetes.objects.admission import Normalized
from validation_gen.kubernetes.policies.matching import GROUP
from validation_gen.kubernetes.policies.requests import GroupVersionKind, GroupVersionResource, Request, UserInfo
from validation_gen.runtime import names
from validation_gen.runtime.wire import identical

T = TypeVar("T")

#: Seconds for all webhooks of a request.
SECONDS = 34.0
#: Requests under admission at a time, and calls of validating webhooks.
_MOST_REQUESTS, _MOST_CALLS = 64, 256
#: Interval in seconds at which a waiting thread checks whether the server ends.
_LOOK = 0.25
_OPERATIONS = {
    "create": ("CREATE",),
    **dict.fromkeys(("update", "patch"), ("CREATE", "UPDATE")),
    **dict.fromkeys(("delete", "deletecollection"), ("DELETE",)),
}
_VIRTUAL_GROUPS = ("authentication.k8s.io", "authorization.k8s.io")


class Admission:
    """The admission of a server.

    Args:
        store: the store, which has the configurations, the namespaces and the parameters of policies.
        find_kind: returns the resource of a kind by group, version and name, None if the server does not have it.
    """

    def __init__(self, store: Store, find_kind: Callable[[str, str, str], Resource | None]) -> None:
        self.store = store
        self.find_kind = find_kind
        resources = (find_kind(GROUP, "v1", kind) for kind in KINDS)
        self.configurations = Configurations(store, [each for each in resources if isinstance(each, CoreResource)])
        self.is_closed = False
        self.requests = ThreadPoolExecutor(_MOST_REQUESTS, "admission")
        self.calls = ThreadPoolExecutor(_MOST_CALLS, "webhook")

    def close(self) -> None:
        """Ends the calls that are under way."""
        self.is_closed = True
        self.configurations.close()
        self.requests.shutdown(wait=False, cancel_futures=True)
        self.calls.shutdown(wait=False, cancel_futures=True)

    async def begin(self, call: Call) -> Review | None:
        """Returns the admission of a request, None if no configuration can match it."""
        operations, target = _OPERATIONS.get(call.verb, ()), call.target
        if not operations or target.group in _VIRTUAL_GROUPS:
            return None
        await self.configurations.catch_up()
        if not self.configurations.concern(target.group, target.resource, target.subresource, operations):
            return None
        space = target.namespace if call.resource.namespaced else ""
        return Review(self, call, await self._find_namespace(space) if space else None)

    async def _find_namespace(self, name: str) -> dict[str, Any]:
        """Returns a namespace, or a minimal one with the label of its name if it is missing."""
        resource = self.find_kind("", "v1", "Namespace")
        entry = None if resource is None else await self.store.get(f"{resource.prefix}{name}")
        if entry is None:
            return {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}},
            }
        return decode_object(entry)


class Rounds:
    """Runs of one kind of configurations. After a later change, those with `IfNeeded` run once more.

    Attributes:
        again: whether this is the second round.
        is_needed: whether a second round is needed.
    """

    def __init__(self) -> None:
        self.again = self.is_needed = False
        self._done: set[Hashable] = set()
        self._due: set[Hashable] = set()
        self._last: Any = None

    def begin(self, obj: Any) -> None:
        """Begins a round. In the second one, a changed object makes configurations run again."""
        if self.again and not identical(obj, self._last):
            self._recall()

    def has_turn(self, key: Hashable) -> bool:
        """Returns whether a configuration runs in this round."""
        return not self.again or key in self._due

    def end_turn(self, key: Hashable, *, changed: bool, again: bool) -> None:
        """Records that a configuration has run.

        Args:
            key: the configuration.
            changed: whether it has changed the object.
            again: whether it must run again after later changes (`IfNeeded`).
        """
        if changed:
            self.request()
        if again:
            self._done.add(key)

    def request(self) -> None:
        """Requests a second round for the configurations that have run and have the policy `IfNeeded`."""
        self.is_needed = True
        self._recall()

    def end(self, obj: Any) -> None:
        """Ends a round with an object."""
        self._last = copy.deepcopy(obj)

    def _recall(self) -> None:
        self._due |= self._done
        self._done = set()


class Review:
    """Admission of one request.

    Attributes:
        options: the options of a delete, with their kind.
        deadline: the end of all calls, by the monotonic clock.
    """

    def __init__(self, admission: Admission, call: Call, namespace: dict[str, Any] | None) -> None:
        self.call = call
        self.options: dict[str, Any] = {}
        self.deadline = time.monotonic() + SECONDS
        self.store, self.find_kind = admission.store, admission.find_kind
        self._admission, self._namespace = admission, namespace
        self._loop = asyncio.get_running_loop()

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that may wait for webhooks, in a thread."""
        future = self._loop.run_in_executor(self._admission.requests, work, *args)
        try:
            return await asyncio.wait_for(future, max(self.deadline - time.monotonic(), 0))
        except asyncio.TimeoutError:
            raise _late() from None

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns the result of a coroutine, for a function in a thread."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        while not wait((future,), _LOOK).done:
            if self._admission.is_closed or time.monotonic() >= self.deadline:
                future.cancel()
                raise _late()
        return future.result()

    def check_time(self) -> None:
        """Refuses a request whose time is over."""
        if time.monotonic() >= self.deadline:
            raise _late()

    def annotate(self, key: str, text: str) -> None:
        """Adds an annotation of the audit log. The first one with a key counts."""
        if key.count("/") == 1 and not list(names.label_key(key)):
            self.call.annotations.setdefault(key, text)

    # --- steps --------------------------------------------------------------------------------------------------------

    def mutate(self, sent: Normalized, old: dict[str, Any] | None, name: str) -> Normalized:
        """Returns an object as policies and webhooks leave it.

        Args:
            sent: the object in the version of the request, or its scale.
            old: the one before, None for a create.
            name: its name, empty if it will be generated.
        """
        subject = self._subject(sent.object, old, name)
        self._mutate(subject)
        if not subject.is_changed:
            return sent
        found = subject.result()
        self._check_managed(sent.object, found.object)
        return found

    def validate(self, obj: dict[str, Any], old: dict[str, Any] | None, name: str) -> None:
        """Lets policies and webhooks refuse an object that is about to be stored."""
        self._validate(self._subject(obj, old, name))

    def remove(self, old: dict[str, Any], name: str) -> None:
        """Lets policies and webhooks refuse the deletion of an object. A collection has no name."""
        subject = self._subject(None, old, name)
        self._mutate(subject)
        self._validate(subject)

    def _mutate(self, subject: Subject) -> None:
        known = self._admission.configurations
        hooks = () if self._is_configuration else known.mutating_webhooks
        of_policies, of_webhooks = Rounds(), Rounds()
        for again in (False, True):
            of_policies.again = of_webhooks.again = again
            policies.mutate(known.mutating_policies, subject, self, of_policies)
            webhooks.mutate(hooks, subject, self, of_webhooks)
            if not of_policies.is_needed and not of_webhooks.is_needed:
                break

    def _validate(self, subject: Subject) -> None:
        known = self._admission.configurations
        hooks = () if self._is_configuration else known.validating_webhooks
        policies.validate(known.validating_policies, subject, self)
        webhooks.validate(hooks, subject, self, self._admission.calls)

    @property
    def _is_configuration(self) -> bool:
        """True for configurations of admission: no webhook gets them, so that they can be mended."""
        return self.call.target.group == GROUP

    def _subject(self, obj: Any, old: dict[str, Any] | None, name: str) -> Subject:
        target, resource = self.call.target, self.call.resource
        operation = "DELETE" if obj is None else "CREATE" if old is None else "UPDATE"
        kind = GroupVersionKind(target.group, target.version, resource.names.kind)
        if target.subresource == "scale":
            kind = GroupVersionKind("autoscaling", "v1", "Scale")
        options = self.options or self._write_options(operation)
        is_namespace = (target.group, target.resource) == ("", "namespaces")
        request = Request(
            obj,
            old,
            operation,
            kind,
            GroupVersionResource(target.group, target.version, target.resource),
            target.subresource,
            name,
            name if is_namespace else target.namespace if resource.namespaced else "",
            UserInfo(str(self.call.user["username"]), groups=tuple(self.call.user["groups"])),
            bool(options.get("dryRun")),
            options,
            self._namespace,
            lambda _: Decision(allowed=True),
        )
        return Subject(self.call, request)

    def _write_options(self, operation: str) -> dict[str, Any]:
        query = self.call.query
        found: dict[str, Any] = {"kind": f"{operation.capitalize()}Options", "apiVersion": "meta.k8s.io/v1"}
        if query.get("dryRun"):
            found["dryRun"] = list(query["dryRun"])
        for name in ("fieldManager", "fieldValidation"):
            if query.get(name, [""])[0]:
                found[name] = query[name][0]
        return found

    def _check_managed(self, sent: dict[str, Any], found: dict[str, Any]) -> None:
        """Restores managed fields that a webhook has broken."""
        meta = found.get("metadata") or {}
        try:
            read_managed(meta.get("managedFields"))
        except FieldSetError as problem:
            known = (sent.get("metadata") or {}).get("managedFields")
            meta.pop("managedFields", None)
            if known:
                meta["managedFields"] = known
            self.call.warnings.append(
                ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated "
                f"mutating admission controller; please fix your requests: {problem}"
            )


def _late() -> ApiError:
    text = "request did not complete within requested timeout - context deadline exceeded"
    return ApiError(504, "Timeout", f"Timeout: {text}", {})
