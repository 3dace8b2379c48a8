"""Random writers and watchers beside a model: writes are linearizable, each watch has all events once, in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.server.asking import Answer, Asking
from tests.server.stores import CountingEtcdStore, Etcd
from tests.thorough import THOROUGH
from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage import Store
from validation_gen.apiserver.storage.sqlite import SqliteStore

KIND = definition(root({"type": "object", "properties": {"count": {"type": "integer"}}}))
_NAMES = KIND["spec"]["names"]
_GROUP_VERSION = f"{KIND['spec']['group']}/{KIND['spec']['versions'][0]['name']}"
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_URL = f"/apis/{_GROUP_VERSION}/namespaces/a/{_NAMES['plural']}"
_EVERYWHERE = f"/apis/{_GROUP_VERSION}/{_NAMES['plural']}"
_SECONDS = 10.0

names = st.sampled_from(["x", "y", "z"])
colours = st.sampled_from(["red", "blue"])
servers = st.integers(0, 1)
numbers = st.integers(0, 1000)


@dataclass(frozen=True)
class State:
    """An object in the model: its versions and its content."""

    name: str
    version: int
    colour: str
    count: int


@dataclass(frozen=True)
class Write:
    """A write: what was there, and what is there now."""

    version: int
    before: State | None
    after: State | None


@dataclass
class Watch:
    """A watcher, over all its connections."""

    server: int
    colour: str
    version: int
    answer: Answer
    task: asyncio.Task[Answer]
    wanted: list[tuple[str, str, int, int]] = field(default_factory=list)
    earlier: list[tuple[str, str, int, int]] = field(default_factory=list)

    @property
    def seen(self) -> list[tuple[str, str, int, int]]:
        return [*self.earlier, *map(_describe, self.answer.events)]

    def add(self, write: Write) -> None:
        """Adds the event of a write, if the watch shows it."""
        was, is_there = (each is not None and self.colour in ("", each.colour) for each in (write.before, write.after))
        if was or is_there:
            kind = "DELETED" if not is_there else "MODIFIED" if was else "ADDED"
            shown = write.after if is_there else write.before
            assert shown is not None
            self.wanted.append((kind, shown.name, shown.count, write.version))


def _describe(event: Any) -> tuple[str, str, int, int]:
    obj = event["object"]
    if event["type"] == "ERROR":
        return ("ERROR", obj["reason"], obj["code"], 0)
    meta = obj["metadata"]
    return (event["type"], meta["name"], obj["spec"]["count"], int(meta["resourceVersion"]))


def _body(name: str, colour: str, count: int, version: int = 0) -> dict[str, Any]:
    meta = {"name": name, "labels": {"colour": colour}}
    if version:
        meta["resourceVersion"] = str(version)
    return {"apiVersion": _GROUP_VERSION, "kind": _NAMES["kind"], "metadata": meta, "spec": {"count": count}}


def _state(obj: Any) -> State:
    meta = obj["metadata"]
    return State(meta["name"], int(meta["resourceVersion"]), meta["labels"]["colour"], obj["spec"]["count"])


class Machine(RuleBasedStateMachine):
    """Servers on one store, and what they must answer.

    Steps take numbers, and not parts of the model: writes at once may end in several ways.

    Attributes:
        make_stores: returns a function that opens the store once more, for each server.
        count: the number of servers.
        restarts: whether the store outlives its servers.
    """

    make_stores: Callable[[], Callable[[], Store]]
    count = 1
    restarts = False

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.open = type(self).make_stores()
        self.servers: list[Asking] = []
        self.objects: dict[str, State] = {}
        self.log: list[Write] = []
        self.watches: list[Watch] = []
        self.compacted = 0
        self.run(self._begin())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    async def _begin(self) -> None:
        for _ in range(self.count):
            self.servers.append(Asking(await self._serve()))
        assert (await self.servers[0].ask("POST", _DEFINITIONS, KIND)).status == 201
        for server in self.servers:
            while (await server.ask("GET", _URL)).status != 200:
                await asyncio.sleep(0.001)
        for name in ("x", "y"):
            await self._write("POST", 0, "", _body(name, "red", 0))
            self.compacted = self.log[-1].version

    async def _serve(self) -> Application:
        app = Application(self.open(), collects_after=None)
        await app.start()
        return app

    async def _settle(self) -> None:
        for server in self.servers:
            await server.settle()

    def server(self, number: int) -> Asking:
        return self.servers[number % self.count]

    # --- writes -------------------------------------------------------------------------------------------------------

    async def _write(self, method: str, number: int, path: str, body: Any = None) -> Answer:
        answer = await self._send(method, number, path, body)
        if answer.status in (200, 201):
            await self._note(path.strip("/") or body["metadata"]["name"], answer, method, number)
        return answer

    async def _send(self, method: str, number: int, path: str, body: Any) -> Answer:
        headers = {"content-type": "application/merge-patch+json"} if method == "PATCH" else {}
        return await self.server(number).ask(method, f"{_URL}{path}", body, headers)

    async def _note(self, name: str, answer: Answer, method: str, number: int) -> None:
        """Notes a write that has succeeded."""
        before = self.objects.get(name)
        if method == "DELETE":
            newest = await self._revision(number, self.log[-1].version, name)
            self._log(Write(newest, before, None), name)
        elif (after := _state(answer.json)) != before:
            self._log(Write(after.version, before, after), name)

    async def _revision(self, number: int, after: int, name: str) -> int:
        """Returns the version of a delete, of which the answer has none."""
        changes = await self.server(number).app.store.changes(f"/{KIND['spec']['group']}/", after)
        (found,) = [each.revision for each in changes if each.value is None and each.key.endswith(f"/{name}")]
        return found

    def _log(self, write: Write, name: str) -> None:
        assert not self.log or write.version > self.log[-1].version
        self.log.append(write)
        if write.after is None:
            del self.objects[name]
        else:
            self.objects[name] = write.after
        for watch in self.watches:
            watch.add(write)

    @rule(server=servers, name=names, colour=colours, count=numbers)
    def create(self, server: int, name: str, colour: str, count: int) -> None:
        is_there = name in self.objects
        answer = self.run(self._write("POST", server, "", _body(name, colour, count)))
        assert answer.status == (409 if is_there else 201)

    @rule(server=servers, name=names, colour=colours, count=numbers, stale=st.booleans())
    def update(self, server: int, name: str, colour: str, count: int, stale: bool) -> None:
        known = self.objects.get(name)
        version = known.version if known else 12345
        if stale and known:
            version = next((each.version for each in self.log if each.version != known.version), 11)
        answer = self.run(self._write("PUT", server, f"/{name}", _body(name, colour, count, version)))
        assert answer.status == (404 if known is None else 409 if stale else 200)

    @rule(server=servers, name=names, count=numbers)
    def patch(self, server: int, name: str, count: int) -> None:
        is_there = name in self.objects
        answer = self.run(self._write("PATCH", server, f"/{name}", {"spec": {"count": count}}))
        assert answer.status == (200 if is_there else 404)

    @rule(server=servers, name=names)
    def delete(self, server: int, name: str) -> None:
        is_there = name in self.objects
        answer = self.run(self._write("DELETE", server, f"/{name}"))
        assert answer.status == (200 if is_there else 404)

    @rule(name=names, methods=st.lists(st.sampled_from(["POST", "PUT", "PATCH", "DELETE"]), min_size=2, max_size=4))
    def write_at_once(self, name: str, methods: list[str]) -> None:
        """Sends writes to one object at once: their versions tell the order in which they have happened."""
        known, last = self.objects.get(name), self.log[-1].version
        requests = []
        for number, method in enumerate(methods):
            count = 2000 + len(self.log) * 10 + number
            full = _body(name, "blue", count, known.version if known and method == "PUT" else 0)
            body = {"POST": full, "PUT": full, "PATCH": {"spec": {"count": count}}, "DELETE": None}[method]
            requests.append((method, number, "" if method == "POST" else f"/{name}", body))

        async def send() -> tuple[list[Answer], Sequence[Any]]:
            answers = await asyncio.gather(*(self._send(*request) for request in requests))
            number = len({each.body for each in answers if each.status in (200, 201)})
            prefix, deadline = f"/{KIND['spec']['group']}/{_NAMES['plural']}/", self.loop.time() + _SECONDS
            while True:
                changes = await self.server(0).app.store.changes(prefix, last)
                if len(changes) >= number or self.loop.time() > deadline:
                    return answers, changes
                await asyncio.sleep(0.001)

        answers, changes = self.run(send())
        written = {
            _state(each.json).version: each.json for each in answers if each.status in (200, 201) and _has_spec(each)
        }
        deletes = sum(m == "DELETE" and a.status == 200 for m, a in zip(methods, answers, strict=True))
        assert [each.revision for each in changes if each.value is not None] == sorted(written)
        assert sum(each.value is None for each in changes) == deletes
        # Each write meets what the one before has left.
        states = [known]
        for change in changes:
            before = states[-1]
            assert (change.before and change.before.revision) == (before and before.version)
            states.append(None if change.value is None else _state(written[change.revision]))
            self._log(Write(change.revision, before, states[-1]), name)
        for method, answer in zip(methods, answers, strict=True):
            if answer.status == 201:
                assert method == "POST"
                assert None in states[:-1]
            elif method == "POST":
                assert answer.status == 409
                assert any(states)
            elif answer.status == 404:
                assert None in states
            elif answer.status == 409:
                assert len(changes) > (method == "DELETE")
            else:
                assert answer.status in (200, 422)
                assert answer.status == 200 or (method == "PUT" and known is None)
        puts = [a for m, a in zip(methods, answers, strict=True) if m == "PUT" and a.status == 200]
        assert len(puts) <= 1

    # --- reads --------------------------------------------------------------------------------------------------------

    @rule(server=servers, pick=numbers)
    def list_at_a_version(self, server: int, pick: int) -> None:
        write = self.log[pick % len(self.log)]
        url = f"{_EVERYWHERE}?resourceVersion={write.version}&resourceVersionMatch=Exact"
        answer = self.run(self.server(server).ask("GET", url))
        if answer.status == 410:
            assert write.version < self.compacted
            return
        assert answer.status == 200
        assert [_state(each) for each in answer.json["items"]] == self._at(write.version)

    @rule(server=servers, name=names, count=numbers)
    def list_by_pages(self, server: int, name: str, count: int) -> None:
        wanted, token, found = self._at(self.log[-1].version), "", list[State]()
        while True:
            page = self.run(self.server(server).ask("GET", f"{_URL}?limit=1{token}")).json
            found += map(_state, page["items"])
            if not page["metadata"].get("continue"):
                break
            token = f"&continue={page['metadata']['continue']}"
            self.patch(server + 1, name, count + len(found))
        assert found == wanted

    def _at(self, version: int) -> list[State]:
        found: dict[str, State] = {}
        for write in self.log:
            if write.version <= version:
                shown = write.after or write.before
                assert shown is not None
                found.pop(shown.name, None)
                if write.after is not None:
                    found[shown.name] = write.after
        return [found[name] for name in sorted(found)]

    # --- watches ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.watches) < 6)
    @rule(server=servers, colour=st.sampled_from(["", "red"]), pick=numbers)
    def watch(self, server: int, colour: str, pick: int) -> None:
        versions = [each.version for each in self.log if each.version >= self.compacted]
        version = versions[pick % len(versions)]
        watch = self.run(self._connect(server, colour, version))
        for write in self.log:
            if write.version > version:
                watch.add(write)
        self.watches.append(watch)

    async def _connect(self, server: int, colour: str, version: int) -> Watch:
        selector = f"&labelSelector=colour%3D{colour}" if colour else ""
        asking = self.server(server)
        answer = await asking.watch(f"{_EVERYWHERE}?watch=1&resourceVersion={version}{selector}")
        return Watch(server % self.count, colour, version, answer, asking.watches[-1])

    @precondition(lambda self: self.watches)
    @rule(server=servers, pick=numbers)
    def reconnect(self, server: int, pick: int) -> None:
        self.run(self._reconnect(self.watches[pick % len(self.watches)], server))

    async def _reconnect(self, watch: Watch, server: int) -> None:
        """Ends a connection, and begins another one after the last event, or with a list if that is too old."""
        watch.task.cancel()
        await asyncio.gather(watch.task, return_exceptions=True)
        watch.earlier = watch.seen
        last = max([watch.version, *(each[3] for each in watch.earlier)])
        again = await self._connect(server, watch.colour, last)
        while not again.answer.status:
            await asyncio.sleep(0.001)
        await self._settle()
        if [each[0] for each in map(_describe, again.answer.events)] == ["ERROR"]:
            assert _describe(again.answer.events[0])[1:3] == ("Expired", 410)
            assert last < self.compacted
            listed = (await self.server(server).ask("GET", _EVERYWHERE)).json
            assert list(map(_state, listed["items"])) == self._at(self.log[-1].version)
            watch.version = int(listed["metadata"]["resourceVersion"])
            watch.wanted, watch.earlier = [], []
            again = await self._connect(server, watch.colour, watch.version)
        watch.server, watch.answer, watch.task = again.server, again.answer, again.task

    # --- the store ----------------------------------------------------------------------------------------------------

    @rule(server=servers, pick=numbers)
    def compact(self, server: int, pick: int) -> None:
        version = self.log[pick % len(self.log)].version
        self.run(self.server(server).app.store.compact(version))
        self.compacted = max(self.compacted, version)

    @precondition(lambda self: self.restarts)
    @rule(server=servers)
    def restart(self, server: int) -> None:
        async def work() -> None:
            asking = self.server(server)
            await asking.app.close()
            await asyncio.gather(*(watch.task for watch in self.watches if watch.server == server % self.count))
            asking.app = await self._serve()
            for watch in self.watches:
                if watch.server == server % self.count:
                    await self._reconnect(watch, server)

        self.run(work())

    @invariant()
    def each_watch_has_all_events_once_in_order(self) -> None:
        self.run(self._check())

    async def _check(self) -> None:
        await self._settle()
        deadline = self.loop.time() + _SECONDS
        for watch in self.watches:
            while len(watch.seen) < len(watch.wanted) and self.loop.time() < deadline:
                await asyncio.sleep(0.001)
            assert watch.seen == watch.wanted

    def teardown(self) -> None:
        async def end() -> None:
            for asking in self.servers:
                for task in asking.watches:
                    task.cancel()
                await asyncio.gather(*asking.watches, return_exceptions=True)
                await asking.app.close()

        self.run(end())
        self.loop.close()


def _has_spec(answer: Answer) -> bool:
    return "spec" in json.loads(answer.body)


def _check(make: Callable[[], Callable[[], Store]], examples: int, *, servers: int = 1, restarts: bool = True) -> None:
    class Case(Machine):
        make_stores = staticmethod(make)
        count = servers

    Case.restarts = restarts
    found = settings(max_examples=examples * (20 if THOROUGH else 1), stateful_step_count=25, deadline=None)
    run_state_machine_as_test(Case, settings=found)


def test_memory() -> None:
    def make() -> Callable[[], Store]:
        return SqliteStore

    _check(make, 10, restarts=False)


def test_file(tmp_path: Path) -> None:
    count = iter(range(10_000))

    def make() -> Callable[[], Store]:
        path = tmp_path / f"{next(count)}.db"
        return lambda: SqliteStore(path)

    _check(make, 4)


@pytest.mark.slow
def test_two_servers_on_etcd(etcd: Etcd) -> None:
    def make() -> Callable[[], Store]:
        prefix = etcd.prefix()
        return lambda: CountingEtcdStore(etcd.url, prefix)

    _check(make, 4, servers=2)
