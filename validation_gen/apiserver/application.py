"""The API server as an ASGI application.

Source of the behaviour: `pkg/endpoints` and `pkg/server` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import asyncio
import functools
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from validation_gen.apiserver.admission.review import Admission
from validation_gen.apiserver.audit import AuditLog, Received
from validation_gen.apiserver.calls import (
    OWN_USER,
    USER,
    Call,
    PageNotFoundError,
    Response,
    check_verb,
    find_call,
    has_token,
    make_own_call,
    make_service_account,
)
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.collector import Collector
from validation_gen.apiserver.core.namespaces import Namespaces
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.core.reviews import review
from validation_gen.apiserver.definitions import KIND as DEFINITION
from validation_gen.apiserver.deletes import Deleter
from validation_gen.apiserver.discovery import PROBES, Discovery
from validation_gen.apiserver.errors import ApiError, bad_request, server_fault, storage_failure
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.lifecycle import Catalog, Definitions
from validation_gen.apiserver.negotiation import MediaType, encode_json, negotiate
from validation_gen.apiserver.openapi import OpenApi
from validation_gen.apiserver.patches import MERGE_PATCH
from validation_gen.apiserver.reads import Reader
from validation_gen.apiserver.requests import DeleteOptions, Target, read_path, read_query, write_path
from validation_gen.apiserver.responses import refuse, represent, send_response
from validation_gen.apiserver.storage import Change, Follower, Listener, Store, StoreError
from validation_gen.apiserver.streams import Watcher
from validation_gen.apiserver.watching import Hub
from validation_gen.apiserver.writes import MOST_BODY, Writer
from validation_gen.runtime.gotext import go_quote
from validation_gen.webhooks.asgi import REASONS
from validation_gen.webhooks.bodies import Bodies, Limits

#: Limits of bodies: of each, of all in memory, and seconds until one is complete.
_LIMITS = Limits(body=MOST_BODY, bodies=64 << 20, reading=30)
#: The account of the garbage collector.
_COLLECTOR = "generic-garbage-collector"
#: Attempts to find a resource that is about to be served, and the seconds between them.
_ATTEMPTS, _PAUSE = 100, 0.01


class Application:
    """The API server.

    Args:
        key_prefix: the beginning of keys in messages.
        manager: the name under which the server itself changes objects.
        clock: the time of the server, by default that of the machine.
        strict_namespaces: whether objects are refused whose namespace does not exist. Otherwise it is created.
        collects_after: seconds until the garbage collector follows a change of owners; None for no collector.
        audit: takes an event for each request about a resource.
    """

    def __init__(
        self,
        store: Store,
        *,
        key_prefix: str = "/registry",
        manager: str = "kube-apiserver",
        clock: Clock | None = None,
        strict_namespaces: bool = False,
        collects_after: float | None = 1.0,
        audit: AuditLog | None = None,
    ) -> None:
        self.store, self.audit = store, audit
        self.clock = clock or Clock()
        self.hub = Hub()
        self.definitions = Definitions(store, manager, self.clock, self._remove, self.hub.end)
        self.catalog = Catalog(self.definitions)
        self.builtin = self.catalog.builtin
        self.namespaces = Namespaces(
            store,
            manager,
            self.clock,
            self.catalog,
            self._create_own,
            functools.partial(self._remove, controller="namespace-controller"),
            strict=strict_namespaces,
        )
        self.reader = Reader(store)
        self.writer = Writer(store, key_prefix, self.namespaces)
        self.deleter = Deleter(store, self.reader)
        self.watcher = Watcher(store, self.hub)
        self._manager = manager
        self.collector = (
            None
            if collects_after is None
            else Collector(
                store,
                collects_after,
                self.catalog.find_by_key,
                self.catalog.find_by_kind,
                functools.partial(self._remove, controller=_COLLECTOR),
                self._patch,
            )
        )
        #: Functions that get all changes of the store, in order.
        self.listeners: list[Listener] = []
        self.admission = Admission(store, self.catalog.find_by_kind)
        self._followers: list[Follower] = [self.definitions, self.namespaces, self.admission.configurations]
        self._followers += [] if self.collector is None else [self.collector]
        self._bodies = Bodies(_LIMITS)
        #: The token that clients show; empty: none is needed.
        self.token = ""
        self.discovery = Discovery(self.catalog, store)
        self.openapi = OpenApi(self.catalog)

    async def start(self) -> None:
        """Opens the store and reads the definitions."""
        await self.store.start(self._publish, self._lose)
        for follower in self._followers:
            await follower.start()

    async def close(self) -> None:
        """Ends watches and tasks, and closes the store."""
        self.hub.close()
        await self.namespaces.close()
        if self.collector is not None:
            await self.collector.close()
        self.admission.close()
        await self.definitions.close()
        await self.store.close()
        if self.audit is not None:
            self.audit.close()

    async def add(self, objects: Sequence[dict[str, Any]]) -> None:
        """Creates objects, definitions and namespaces first, unless they are there.

        Returns when the kinds of the definitions are served.
        """
        first = (DEFINITION, "Namespace")
        for obj in sorted(objects, key=lambda each: first.index(each["kind"]) if each.get("kind") in first else 2):
            try:
                await self._add(obj)
            except ApiError as refusal:
                refusal.first = obj
                raise
        for obj in objects:
            if obj.get("kind") == DEFINITION:
                await self._find_resource(obj["spec"]["group"], obj["spec"]["names"]["kind"])

    async def _add(self, obj: dict[str, Any]) -> None:
        api_version, kind = str(obj.get("apiVersion") or ""), str(obj.get("kind") or "")
        group, _, name = api_version.rpartition("/")
        resource = await self._find_resource(group, kind)
        version = None if resource is None else resource.version(name)
        if resource is None or version is None:
            raise bad_request(f"no matches for kind {go_quote(kind)} in version {go_quote(api_version)}")
        meta = obj.get("metadata") or {}
        space = (meta.get("namespace") or "default") if resource.namespaced else ""
        await self._create(resource, version, space, obj, "validation-gen", admits=True)

    async def _create_own(self, resource: Resource, namespace: str, obj: dict[str, Any]) -> None:
        """Creates an object of the server itself, unless it is there."""
        await self._create(resource, resource.find_storage(), namespace, obj, self._manager)

    async def _create(
        self,
        resource: Resource,
        version: Any,
        namespace: str,
        obj: dict[str, Any],
        manager: str,
        *,
        admits: bool = False,
    ) -> None:
        target = Target(resource.group, version.name, resource.resource, namespace, "")
        headers = {"user-agent": manager, "content-type": "application/json"}
        query = {"fieldValidation": ["Strict"]}
        path, body = write_path(target), encode_json(obj)
        call = Call("POST", path, target, query, headers, body, "create", resource, version, self.clock)
        call.user = USER if admits else OWN_USER
        await self._act(call, self.writer.create, admits=admits, ignored="AlreadyExists")

    async def _find_resource(self, group: str, kind: str) -> Any:
        """Returns the resource of a kind, once a definition that was just created is established."""
        for _ in range(_ATTEMPTS):
            if (found := self.catalog.find_kind(group, kind)) is not None:
                return found
            await asyncio.sleep(_PAUSE)
        return None

    def _publish(self, changes: Sequence[Change]) -> None:
        for follower in self._followers:
            follower.publish(changes)
        for listen in (self.hub.publish, *self.listeners):
            listen(changes)

    def _lose(self) -> None:
        for follower in self._followers:
            follower.reload()
        self.hub.reload()

    # --- the server's own requests ------------------------------------------------------------------------------------

    async def _remove(self, resource: Resource, key: str, options: DeleteOptions, *, controller: str = "") -> None:
        """Deletes one object of a resource, if it is there: with admission, if a controller of a cluster would."""
        call = make_own_call(self.clock, "DELETE", "delete", resource, key)
        call.user = make_service_account(controller) if controller else call.user

        async def remove(call: Call) -> Response:
            return Response(200, (await self.deleter.remove(call, key, call.target.name, options))[0])

        await self._act(call, remove, admits=bool(controller), ignored="NotFound")

    async def _patch(self, resource: Resource, key: str, change: dict[str, Any]) -> None:
        """Applies a merge patch to one object of a resource, for the collector."""
        headers = {"user-agent": "kube-controller-manager", "content-type": MERGE_PATCH}
        call = make_own_call(self.clock, "PATCH", "patch", resource, key, headers, encode_json(change))
        call.user = make_service_account(_COLLECTOR)
        await self._act(call, self.writer.patch, admits=True)

    async def _act(
        self, call: Call, verb: Callable[[Call], Awaitable[Response]], *, admits: bool, ignored: str = ""
    ) -> None:
        """Carries out a request of the server itself, and ignores a refusal with the reason `ignored`."""
        received = Received(self.clock.now())
        try:
            if admits:
                call.review = await self.admission.begin(call)
            response = await verb(call)
        except ApiError as problem:
            if not ignored or problem.reason != ignored:
                raise
        else:
            self._log(call, response, received)

    # --- ASGI ---------------------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, if it has the token."""
        if self.token and scope["path"].strip("/") not in PROBES and not has_token(scope, self.token):
            response = refuse(ApiError(401, "Unauthorized", "Unauthorized"))
            response.headers["audit-id"] = str(uuid.uuid4())
            await send_response(response, MediaType(), [], {}, scope["method"], receive, send)
            return
        await self.serve(scope, receive, send)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        headers = {name.decode("latin-1"): value.decode("utf-8", "replace") for name, value in scope["headers"]}
        raw = scope.get("query_string", b"").decode("latin-1")
        received = Received(
            self.clock.now(), scope["path"] + (f"?{raw}" if raw else ""), (scope.get("client") or [""])[0]
        )
        call: Call | None = None
        try:
            query = read_query(raw)
            target = read_path(scope["path"])
            if target is None:
                response = await self._respond_without_target(scope["method"], scope["path"], query, headers)
            else:
                call = find_call(self.catalog, self.clock, scope["method"], scope["path"], target, query, headers)
                response = await self._respond(call, receive)
        except PageNotFoundError:
            response = self.discovery.respond_missing(scope["path"])
        except ApiError as problem:
            response = refuse(problem)
        except StoreError as problem:
            response = refuse(storage_failure(problem))
        except RecursionError:
            response = refuse(bad_request("exceeded max depth"))
        except Exception as problem:
            response = refuse(server_fault(problem))
        response.headers["audit-id"] = received.id
        media, warnings = (MediaType(), []) if call is None else (call.media, call.warnings)
        try:
            await send_response(response, media, warnings, headers, scope["method"], receive, send)
        finally:
            if call is not None:
                self._bodies.release(call)
                self._log(call, response, received)

    def _log(self, call: Call, response: Response, received: Received) -> None:
        if self.audit is not None:
            self.audit.record(call, response, received)

    async def _respond_without_target(
        self, method: str, path: str, query: Mapping[str, list[str]], headers: Mapping[str, str]
    ) -> Response:
        found = self.openapi.respond(path, query, headers)
        found = found or await self.discovery.respond(method, path, query, headers)
        if found is None:
            raise PageNotFoundError
        return found

    async def _respond(self, call: Call, receive: Receive) -> Response:
        check_verb(call)
        pretty = call.query.get("pretty", [""])[0] in ("1", "true")
        call.media = negotiate(call.headers.get("accept"), pretty=pretty)
        call.body = await self._read_body(call, receive)
        call.review = await self.admission.begin(call)
        response = await self._dispatch(call)
        if response.body is not None:
            response.body = represent(call, response.body)
        return response

    async def _read_body(self, call: Call, receive: Receive) -> bytes:
        if call.method in ("GET", "HEAD"):
            return b""
        try:
            return await self._bodies.read(receive, call.headers.get("content-length", ""), call, _LIMITS.reading)
        except HTTPException as problem:
            if problem.status_code == 413:
                text = f"Request entity too large: limit is {MOST_BODY}"
                raise ApiError(413, "RequestEntityTooLarge", text) from None
            code, retry = problem.status_code, int((problem.headers or {}).get("retry-after", 0))
            raise ApiError(code, REASONS[code], problem.detail, retry_after=retry) from None

    async def _dispatch(self, call: Call) -> Response:
        verbs = {
            "get": self.reader.get,
            "list": self.reader.list_objects,
            "watch": self.watcher.watch,
            "create": self.writer.create,
            "update": self.writer.update,
            "patch": self.writer.patch,
            "delete": self.deleter.delete,
            "deletecollection": self.deleter.delete_collection,
        }
        if call.verb == "delete":
            self.namespaces.check_delete(call)
        elif isinstance(call.resource, CoreResource) and call.resource.is_review:
            return await review(call, self.token)
        return await verbs[call.verb](call)
