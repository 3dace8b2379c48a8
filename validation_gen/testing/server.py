"""An API server in the process of its tests."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import secrets
import shutil
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.definitions import KIND as DEFINITION
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.storage.sqlite import SqliteStore
from validation_gen.testing import inputs
from validation_gen.testing.client import Client, RequestError, list_resources
from validation_gen.testing.faults import Faults
from validation_gen.testing.gateway import AUTHOR, Author, Gateway
from validation_gen.testing.history import History, Recorder, Waiter
from validation_gen.testing.inputs import Source
from validation_gen.testing.loops import Bridge, HttpServer, get_loop

if TYPE_CHECKING:
    from validation_gen.testing.hooks import GateSource, Hook, Subject

T = TypeVar("T")
#: Seconds until garbage is collected, sooner than in a cluster, so that tests need not wait.
_COLLECTS_AFTER = 0.05
#: Seconds for a definition to be served.
_MOST_SECONDS = 5.0
_STATES = {
    "new": "has not begun: write `with ApiServer(…) as server:`, or call `start`",
    "running": "runs already",
    "closed": "is closed",
}


class ApiServer:
    """An API server on loopback, in memory, in a thread of this process.

        with ApiServer(crds=["deploy/crds"]) as server:
            server.client.create({"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "red"}})

    Args:
        crds: definitions: their paths, paths of Go or Python types, or the definitions themselves.
        objects: objects to begin with: paths, or the objects themselves. Those of a snapshot are restored.
        webhooks: validators (`Registry`), conversions (`Converter`) or webhooks (ASGI applications) to call.
        gates: settings of validators among `webhooks`: feature gates and options by name, or the gates of a webhook.
        tls: whether it serves HTTPS, with a token; else plain HTTP, where none is needed.
        base: the directory of relative paths, by default the working directory.

    Attributes:
        app: the same as an ASGI application, for clients that need no socket, as with `httpx.ASGITransport`.
        clock: its time, which can be stopped and moved.
        faults: faults to inject into the requests of other clients.
    """

    def __init__(
        self,
        *,
        crds: Iterable[Source] | Source = (),
        objects: Iterable[Source] | Source = (),
        webhooks: Iterable[Subject] | Subject = (),
        gates: GateSource | None = None,
        tls: bool = False,
        base: Path | None = None,
    ) -> None:
        self._crds, self._objects, self._base = crds, objects, base
        self._webhooks, self._gates, self._tls = webhooks, gates, tls
        self._loop = get_loop("apiserver")
        self.clock = Clock()
        self._app = Application(SqliteStore(), clock=self.clock, collects_after=_COLLECTS_AFTER)
        self._app.token = secrets.token_urlsafe(24)
        self.faults = Faults(self._app, self._loop, self._renew_token)
        gateway = Gateway(self._app, self.faults, needs_token=tls)
        self._client = Client(self._app, gateway, self._loop)
        self._recorder = Recorder(self._app)
        self._waiter = Waiter(self._client, self._recorder, self._loop)
        self.app = Bridge(gateway, self._loop)
        self._http = HttpServer(gateway, self._context())
        self._hooks: list[Hook] = []
        self._kubeconfig: Path | None = None
        self._ending = contextlib.ExitStack()
        self._pid, self._state = 0, "new"

    # --- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> ApiServer:
        """Begins to serve, with its definitions and objects.

        Raises:
            InputError: a definition or an object cannot be read.
            RequestError: one is refused.
            RuntimeError: it has begun before.
        """
        if self._state != "new":
            raise RuntimeError(f"this server {_STATES[self._state]}: make another one")
        self._pid, self._state = os.getpid(), "closed"
        with contextlib.ExitStack() as stack:
            for hook in self._make_hooks():
                hook.start(self.faults.before_webhook)
                stack.callback(hook.close)
                self._hooks.append(hook)
            self._loop.run(self._app.start())
            stack.callback(lambda: self._loop.run(self._app.close()))
            self._loop.run(self._http.start())
            stack.callback(lambda: self._loop.run(self._http.close()))
            self._state = "running"
            stack.callback(setattr, self, "_state", "closed")
            self.add(crds=self._crds, objects=self._objects)
            self._ending = stack.pop_all()
        atexit.register(self.close)
        return self

    def close(self) -> None:
        """Ends, and breaks the connections of clients. A process that ends closes its servers."""
        if self._pid == os.getpid():  # a forked process leaves it to its parent
            atexit.unregister(self.close)
            self._ending.close()

    def __enter__(self) -> ApiServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self, *, crds: Iterable[Source] | Source = (), objects: Iterable[Source] | Source = (), namespace: str = ""
    ) -> None:
        """Adds definitions and objects to the server, unless they are there.

        Args:
            crds: as for the server.
            objects: as for the server.
            namespace: the namespace of objects that name none, by default `default`.

        Raises:
            InputError: one cannot be read.
            RequestError: one is refused.
        """
        self._check_running()
        found = inputs.read_definitions(crds, self._base)
        for obj in inputs.read_objects(objects, self._base):
            found.append(
                {**obj, "metadata": {"namespace": namespace, **(obj.get("metadata") or {})}} if namespace else obj
            )
        if self._hooks:
            from validation_gen.testing.hooks import connect  # noqa: PLC0415 - for webhooks alone

            found = connect(self._hooks, found)
        found.sort(key=lambda obj: obj.get("kind") != DEFINITION)
        self._loop.run(self._add(found))

    async def _add(self, objects: list[dict[str, Any]]) -> None:
        AUTHOR.set(Author("validation-gen", "create"))
        for obj in objects:
            try:
                if inputs.is_of_snapshot(obj):
                    await inputs.restore(self._app, self._client, obj)
                else:
                    await self._app.add([obj])
            except ApiError as problem:
                raise RequestError(problem.code, problem.status()) from None
            if obj.get("kind") == DEFINITION:
                await self._wait_until_served(obj)

    async def _wait_until_served(self, definition: Mapping[str, Any]) -> None:
        spec = definition["spec"]
        deadline = time.monotonic() + _MOST_SECONDS
        while self._app.definitions.find(spec["group"], spec["names"]["plural"]) is None:
            if time.monotonic() > deadline:
                name = f"{spec['names']['plural']}.{spec['group']}"
                raise inputs.InputError(f"the definition {name} is not served: do its names clash with others?")
            await asyncio.sleep(0)

    def _make_hooks(self) -> list[Hook]:
        if self._webhooks == ():
            if self._gates is not None:
                raise inputs.InputError("gates: there are no `webhooks` whose validators they switch")
            return []
        from validation_gen.testing.hooks import Hook  # noqa: PLC0415 - it needs more packages

        gates = self._gates
        if isinstance(gates, (str, os.PathLike)):
            gates = inputs.resolve(gates, self._base)
        several: Any = self._webhooks if isinstance(self._webhooks, (list, tuple)) else [self._webhooks]
        return [Hook(each, gates) for each in several]

    # --- access -------------------------------------------------------------------------------------------------------

    def _check_running(self) -> None:
        if self._state != "running":
            raise RuntimeError(f"this server {_STATES[self._state]}")

    @property
    def client(self) -> Client:
        """A client that needs no other package."""
        self._check_running()
        return self._client

    @property
    def url(self) -> str:
        """Its address."""
        if self._state == "new":
            self._check_running()
        return self._http.url

    @property
    def token(self) -> str:
        """The token of its kubeconfig."""
        return self._app.token

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig for it."""
        if self._kubeconfig is None:
            self._check_running()
            directory = tempfile.mkdtemp(prefix="validation-gen-")
            self._ending.callback(shutil.rmtree, directory, ignore_errors=True)
            self._kubeconfig = Path(directory, "kubeconfig")
            self._write_kubeconfig()
        return self._kubeconfig

    @property
    def environment(self) -> dict[str, str]:
        """The environment of programs that are its clients."""
        return {**os.environ, "KUBECONFIG": str(self.kubeconfig)}

    def _context(self) -> Any:
        if not self._tls:
            return None
        from validation_gen.testing.hooks import certified  # noqa: PLC0415 - for TLS alone

        return certified()[0]

    def _write_kubeconfig(self) -> None:
        from validation_gen.commands.apiserver.running import kubeconfig_text  # noqa: PLC0415 - often not needed
        from validation_gen.testing.hooks import certified  # noqa: PLC0415

        assert self._kubeconfig is not None
        authority = certified()[1] if self._tls else b""
        self._kubeconfig.write_text(kubeconfig_text(self.url, authority, self.token), encoding="utf-8")

    def _renew_token(self) -> str:
        old, self._app.token = self._app.token, secrets.token_urlsafe(24)
        if self._kubeconfig is not None:
            self._write_kubeconfig()
        return old

    # --- asserts ------------------------------------------------------------------------------------------------------

    def events(self, kind: str, name: str = "", namespace: str | None = None) -> History:
        """Returns the changes of the objects of a kind, in order, in the version of the storage.

        Args:
            kind: the kind, as for the client.
            name: the name of one object, empty for all.
            namespace: the namespace, None for all.
        """
        resource = self.client.find_resource(kind)
        found = self._loop.run(self._recorder.events(resource.make_prefix(namespace or "")))
        return History(each for each in found if name in ("", each.object["metadata"]["name"]))

    def history(self, obj: Mapping[str, Any]) -> History:
        """Returns the changes of one object; their text has the changed fields with their owners.

        Args:
            obj: the object, or one with its `apiVersion`, `kind`, name and namespace.
        """
        return self._waiter.read_history(self.client.read_key(obj))

    def wait_for(self, condition: Callable[[], T], timeout: float = 5.0) -> T:
        """Calls a condition until it holds, and returns its result.

        It is called again at each change of the server. If it fails, the error shows the objects that it read by
        `client`.

        Args:
            condition: returns something true once it holds; an exception means that it does not hold yet.
            timeout: real seconds after which it fails.

        Raises:
            ConditionError: it did not hold in time. The text has the objects and their histories.
        """
        __tracebackhide__ = True
        self._check_running()
        return self._waiter.wait_for(condition, timeout)

    async def wait_for_async(self, condition: Callable[[], Awaitable[T] | T], timeout: float = 5.0) -> T:
        """Waits like `wait_for` in a coroutine of asyncio or trio; the condition may be a coroutine function.

        Raises:
            ConditionError: it did not hold in time.
        """
        __tracebackhide__ = True
        self._check_running()
        return await self._waiter.wait_for_async(condition, timeout)

    # --- snapshots and namespaces -------------------------------------------------------------------------------------

    def dump(self, path: str | os.PathLike[str] | None = None) -> str:
        """Returns all objects as manifests, definitions first, as they are stored; `objects=` loads them again.

        Args:
            path: a file to write them to, too.
        """
        from validation_gen.emit.schema.yamltext import as_yaml  # noqa: PLC0415 - often not needed

        self._check_running()
        objects = self._loop.run(inputs.dump(self._app))
        text = "".join(f"---\n{as_yaml(obj, marker=None)}" for obj in objects)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def make_namespace(self, prefix: str = "test") -> str:
        """Returns the name of a new namespace; its object is created if the server has such a kind."""
        name = f"{prefix}-{uuid.uuid4().hex[:10]}"
        if ("", "namespaces") in self._app.builtin:
            self.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        return name

    def delete_namespace(self, name: str) -> None:
        """Deletes all objects of a namespace, whatever their finalizers, and the namespace itself."""
        self._check_running()
        self._loop.run(self._delete_namespace(name))

    async def _delete_namespace(self, name: str) -> None:
        store = self._app.store
        own = self._app.builtin.get(("", "namespaces"))
        namespace = None if own is None else await store.get(f"{own.prefix}{name}")
        if namespace is not None:  # first: the objects of each namespace would be created again otherwise
            await store.delete(namespace.key, namespace.revision)
        for resource in list_resources(self._app):
            if resource.namespaced:
                for entry in (await store.scan(resource.make_prefix(name)))[0]:
                    await store.delete(entry.key, entry.revision)
