"""A small client of a server in the process. It needs no sockets and no other package, and gets no injected faults."""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.interface import Resource
from validation_gen.runtime.words import nearest
from validation_gen.testing.gateway import Gateway
from validation_gen.testing.loops import LoopThread

JSON, MERGE, APPLY = "application/json", "application/merge-patch+json", "application/apply-patch+yaml"
#: User agent, and so field manager, of the client.
AGENT = "pytest"


class RequestError(Exception):
    """A request that the server refuses.

    Attributes:
        code: the HTTP status.
        reason: the reason in the `Status`, such as `NotFound`.
        body: the `Status`.
    """

    def __init__(self, code: int, body: Any) -> None:
        status = body if isinstance(body, dict) else {}
        super().__init__(f"{code}: {status.get('message') or body}")
        self.code, self.body, self.reason = code, body, str(status.get("reason") or "")


@dataclass(frozen=True, slots=True)
class ObjectKey:
    """An object of a server."""

    resource: Resource
    namespace: str
    name: str

    @property
    def stored(self) -> str:
        """Its key in the store."""
        return f"{self.resource.make_prefix(self.namespace)}{self.name}"


#: Objects that a condition reads, for the report of its failure.
_reads: contextvars.ContextVar[list[ObjectKey] | None] = contextvars.ContextVar("reads", default=None)


@contextmanager
def noting_reads() -> Iterator[list[ObjectKey]]:
    """Notes the objects that clients read inside the block."""
    found: list[ObjectKey] = []
    token = _reads.set(found)
    try:
        yield found
    finally:
        _reads.reset(token)


class Client:
    """Requests to a server in the process.

    A kind is named as `Kite`, `kites`, `kites.example.com` or `example.com/v1/Kite`. An object without a namespace is
    in `default`. Each method raises `RequestError` if the server refuses the request, and `LookupError` if it does not
    have the kind, or has several of that name.
    """

    def __init__(self, app: Application, gateway: Gateway, loop: LoopThread) -> None:
        self._app, self._gateway, self._loop = app, gateway, loop

    def get(self, kind: str, name: str, namespace: str = "default") -> dict[str, Any]:
        """Returns an object."""
        return self._one("GET", self.find_key(kind, name, namespace), kind)

    def list(self, kind: str, namespace: str | None = None, labels: str = "") -> builtins.list[dict[str, Any]]:
        """Returns the objects of a kind, by default in all namespaces and with any labels (`app=kite`)."""
        resource = self.find_resource(kind)
        path = self._path(resource, kind, namespace or "")
        query = f"?{urlencode({'labelSelector': labels})}" if labels else ""
        items: builtins.list[dict[str, Any]] = self.request("GET", f"{path}{query}")["items"]
        version, name = f"{resource.group}/".lstrip("/") + self._version(resource, kind), resource.names.kind
        for item in items:
            _note_read(ObjectKey(resource, item["metadata"].get("namespace", ""), item["metadata"]["name"]))
        return [{"apiVersion": version, "kind": name, **item} for item in items]

    def create(self, obj: Mapping[str, Any]) -> dict[str, Any]:
        """Creates an object, and returns it."""
        key = self.read_key(obj)
        path = self._path(key.resource, _qualify_kind(obj), key.namespace)
        return self._object("POST", path, obj)

    def update(self, obj: Mapping[str, Any], subresource: str = "") -> dict[str, Any]:
        """Replaces an object, or its `status`."""
        return self._one("PUT", self.read_key(obj), _qualify_kind(obj), obj, subresource=subresource)

    def patch(
        self, kind: str, name: str, patch: Mapping[str, Any], namespace: str = "default", subresource: str = ""
    ) -> dict[str, Any]:
        """Merges a patch into an object, or into its `status`."""
        return self._one("PATCH", self.find_key(kind, name, namespace), kind, patch, MERGE, subresource)

    def apply(self, obj: Mapping[str, Any], manager: str = AGENT, *, force: bool = False) -> dict[str, Any]:
        """Applies a configuration on the server."""
        query = f"?{urlencode({'fieldManager': manager, **({'force': 'true'} if force else {})})}"
        return self._one("PATCH", self.read_key(obj), _qualify_kind(obj), obj, APPLY, query=query)

    def delete(self, kind: str, name: str, namespace: str = "default") -> None:
        """Deletes an object; one with finalizers stays until they are gone."""
        self._one("DELETE", self.find_key(kind, name, namespace), kind)

    def _one(
        self,
        method: str,
        key: ObjectKey,
        kind: str,
        body: Any = None,
        content_type: str = JSON,
        subresource: str = "",
        query: str = "",
    ) -> dict[str, Any]:
        path = f"{self._path(key.resource, kind, key.namespace)}/{quote(key.name, safe='')}"
        return self._object(method, f"{path}/{subresource}".rstrip("/") + query, body, content_type)

    def _object(self, method: str, url: str, body: Any, content_type: str = JSON) -> dict[str, Any]:
        found: dict[str, Any] = self.request(method, url, body, content_type)
        return found

    def request(self, method: str, url: str, body: Any = None, content_type: str = JSON) -> Any:
        """Sends a request, and returns the decoded body of the answer.

        Raises:
            RequestError: the server refuses it.
        """
        code, content = self._loop.run(self._send(method, url, body, content_type))
        try:
            found = json.loads(content)
        except ValueError:
            found = content.decode("utf-8", "replace")
        if code >= 400:
            raise RequestError(code, found)
        return found

    async def _send(self, method: str, url: str, body: Any, content_type: str) -> tuple[int, bytes]:
        path, _, query = url.partition("?")
        headers = {"accept": JSON, "content-type": content_type, "user-agent": AGENT}
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        code, parts = 0, []
        waiting = [{"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}]

        async def receive() -> Any:
            return waiting.pop() if waiting else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            nonlocal code
            code = message.get("status", code)
            parts.append(message.get("body", b""))

        # A task of its own: the author of a change is noted in its context.
        await asyncio.ensure_future(self._gateway.serve_directly(scope, receive, send))
        return code, b"".join(parts)

    # --- names --------------------------------------------------------------------------------------------------------

    def read_key(self, obj: Mapping[str, Any]) -> ObjectKey:
        """Returns the key of an object by its `apiVersion`, `kind` and `metadata`.

        Raises:
            LookupError: the server has no such kind.
            TypeError: it is no object.
        """
        if not isinstance(obj, Mapping) or not obj.get("kind"):
            raise TypeError(f"an object has apiVersion, kind and metadata, unlike {obj!r:.80}")
        meta = obj.get("metadata") or {}
        return self.find_key(_qualify_kind(obj), meta.get("name") or "", meta.get("namespace") or "default")

    def find_key(self, kind: str, name: str, namespace: str) -> ObjectKey:
        """Returns the key of an object."""
        resource = self.find_resource(kind)
        key = ObjectKey(resource, namespace if resource.namespaced else "", name)
        _note_read(key)
        return key

    def find_resource(self, kind: str) -> Resource:
        """Returns the resource of a kind."""
        found = find_resources(self._app, kind)
        if len(found) == 1:
            return found[0]
        several = ", ".join(sorted(f"{each.resource}.{each.group}" for each in found))
        raise LookupError(f"the server has several kinds {kind}: write one of {several}")

    def _version(self, resource: Resource, kind: str) -> str:
        named = kind.rpartition("/")[0].rpartition("/")[2]
        stored = resource.storage_version.rpartition("/")[2]
        return named or (stored if stored in resource.versions else next(iter(resource.versions)))

    def _path(self, resource: Resource, kind: str, namespace: str) -> str:
        version = self._version(resource, kind)
        root = f"/apis/{resource.group}/{version}" if resource.group else f"/api/{version}"
        space = f"/namespaces/{quote(namespace, safe='')}" if resource.namespaced and namespace else ""
        return f"{root}{space}/{resource.resource}"


def list_resources(app: Application) -> list[Resource]:
    """Returns all resources of a server."""
    return list(app.catalog)


def find_resources(app: Application, kind: str) -> list[Resource]:
    """Returns the resources of a kind, several if groups have the same kind."""
    version, _, name = kind.rpartition("/")
    group = version.rpartition("/")[0] if version else None
    resources = list_resources(app)
    found = [
        each
        for each in resources
        if group in (None, each.group)
        and name in (each.names.kind, each.resource, f"{each.resource}.{each.group}", f"{each.names.kind}.{each.group}")
    ]
    if found:
        return found
    kinds = sorted({each.names.kind for each in resources})
    close = "".join(f" (did you mean {each}?)" for each in nearest(name, kinds))
    raise LookupError(f"the server has no kind {kind}{close}; it has {', '.join(kinds)}")


def _note_read(key: ObjectKey) -> None:
    reads = _reads.get()
    if reads is not None and key not in reads:
        reads.append(key)


def _qualify_kind(obj: Mapping[str, Any]) -> str:
    return f"{obj.get('apiVersion') or ''}/{obj['kind']}".lstrip("/")
