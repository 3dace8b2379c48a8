"""Records the changes of objects with their authors, changed fields and owners, and waits for changes."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, cast

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage import Change, Entry, read_changes
from validation_gen.apiserver.writes import decode_object
from validation_gen.testing.client import Client, ObjectKey, list_resources, noting_reads
from validation_gen.testing.gateway import AUTHOR, Author
from validation_gen.testing.loops import LoopThread

T = TypeVar("T")

#: Fields that change with every write, or never.
_NOISE = {
    *(("metadata", name) for name in ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")),
    *(("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")),
}
#: Changed fields that the text of an event has, and characters of a value.
_MOST_FIELDS, _LONGEST = 20, 60
_MISSING: Any = object()
#: Seconds between looks at conditions that no change of the server makes true, and objects that a failure shows.
_LOOK, _MOST_SHOWN = 0.02, 3
_BLOCKED = "\n\nit blocked the event loop of its caller: in coroutines, write `await kube_api.wait_for_async(…)`"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that an event changed.

    Attributes:
        path: its path, such as `spec.size`.
        old: its value before, None if it is new.
        new: its value after, None if it is gone.
        managers: its owners after the event, by `managedFields`.
    """

    path: str
    old: Any
    new: Any
    managers: tuple[str, ...]

    def __str__(self) -> str:
        owners = f"  [{', '.join(self.managers)}]" if self.managers else ""
        return f"{self.path}: {_render(self.old)} -> {_render(self.new)}{owners}"


@dataclass(frozen=True, slots=True)
class Event:
    """A change of an object, as a watch of all objects shows it.

    Attributes:
        type: `ADDED`, `MODIFIED` or `DELETED`.
        object: the object after the change; the last state of a deleted one.
        before: the object before the change, None for a new one.
        revision: the revision of the store, which is the resource version.
        time: the time of the server.
        author: the request that made it.
    """

    type: str
    object: dict[str, Any] = field(repr=False)
    before: dict[str, Any] | None = field(repr=False)
    revision: int
    time: datetime | None
    author: Author

    @property
    def agent(self) -> str:
        """The user agent of the author."""
        return self.author.agent

    @property
    def changes(self) -> list[FieldChange]:
        """The fields that it changed, without those that every write changes."""
        if self.type == "DELETED":
            return []
        managed = (self.object.get("metadata") or {}).get("managedFields") or []
        return [
            FieldChange(_write_path(steps), old, new, _find_managers(managed, steps))
            for steps, old, new in _compare(_MISSING if self.before is None else self.before, self.object, ())
        ]

    def __str__(self) -> str:
        verb = " ".join(filter(None, (self.author.verb, self.author.subresource)))
        at = f" at {self.time:%H:%M:%S}" if self.time else ""
        lines = [f"{self.revision} {self.type}{at} by {self.agent}{f' ({verb})' if verb else ''}"]
        changes = self.changes
        lines += [f"    {change}" for change in changes[:_MOST_FIELDS]]
        if len(changes) > _MOST_FIELDS:
            lines.append(f"    {len(changes) - _MOST_FIELDS} more fields")
        return "\n".join(lines)


class History(list[Event]):
    """Events in their order; the text lists the changed fields of each one."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no changes"


class Recorder:
    """Notes the authors of changes, and wakes those who wait for changes."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self._notes: dict[int, tuple[Author, datetime]] = {}
        self._changed = threading.Condition()
        self.revision = 0
        app.listeners.append(self._note)

    def _note(self, changes: Sequence[Change]) -> None:
        author, now = AUTHOR.get(), self.app.clock.now()
        with self._changed:
            for change in changes:
                self._notes[change.revision] = (author, now)
                self.revision = change.revision
            self._changed.notify_all()

    def wait(self, revision: int, seconds: float) -> None:
        """Waits for a change after a revision, some seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: self.revision != revision, seconds)

    async def events(self, prefix: str) -> History:
        """Returns the changes of keys with a prefix that the store still has."""
        return History(map(self._event, await read_changes(self.app.store, prefix)))

    def _event(self, change: Change) -> Event:
        before = None if change.before is None else decode_object(change.before)
        if change.value is not None:
            found = decode_object(Entry(change.key, change.value, change.revision))
        else:
            assert before is not None
            found = {**before, "metadata": {**before["metadata"], "resourceVersion": str(change.revision)}}
        kind = "DELETED" if change.value is None else "ADDED" if before is None else "MODIFIED"
        author, time = self._notes.get(change.revision, (Author(), None))
        return Event(kind, found, before, change.revision, time, author)


# --- differences ------------------------------------------------------------------------------------------------------


def _compare(old: Any, new: Any, steps: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """Yields the changed leaves. A step is a name, or the index and the value of an item."""
    if isinstance(new, dict) and (isinstance(old, dict) or old is _MISSING) and new:
        known = {} if old is _MISSING else old
        for name in [*new, *(name for name in known if name not in new)]:
            if len(steps) > 1 or (*steps, name) not in _NOISE:
                yield from _compare(known.get(name, _MISSING), new.get(name, _MISSING), (*steps, name))
    elif isinstance(new, list) and isinstance(old, list):
        for index in range(max(len(old), len(new))):
            mine, its = (items[index] if index < len(items) else _MISSING for items in (new, old))
            yield from _compare(its, mine, (*steps, (index, mine)))
    elif old is _MISSING or new is _MISSING or old != new or type(old) is not type(new):
        yield steps, None if old is _MISSING else old, None if new is _MISSING else new


def _write_path(steps: Sequence[Any]) -> str:
    path = ""
    for step in steps:
        name = str(step[0] if isinstance(step, tuple) else step)
        path += f".{name}" if name.isidentifier() else f"[{name}]"
    return path.lstrip(".")


def _find_managers(managed: Sequence[Mapping[str, Any]], steps: Sequence[Any]) -> tuple[str, ...]:
    """Returns the managers that own a field, or else the whole that contains it, such as an atomic list."""
    depths = [(_depth(entry.get("fieldsV1") or {}, steps), str(entry.get("manager"))) for entry in managed]
    most = max((depth for depth, _ in depths), default=0)
    return tuple(dict.fromkeys(manager for depth, manager in depths if depth == most > 0))


def _depth(fields: Mapping[str, Any], steps: Sequence[Any]) -> int:
    """Returns the number of steps to the owned value that contains a field, 0 if these fields do not own it."""
    for depth, step in enumerate(steps, 1):
        if isinstance(step, tuple):
            inner = next((known for key, known in fields.items() if _names_item(key, step)), None)
        else:
            inner = fields.get(f"f:{step}")
        if inner is None:
            return 0
        if not inner:
            return depth
        fields = inner
    return len(steps)


def _names_item(key: str, step: tuple[int, Any]) -> bool:
    index, item = step
    kind, _, value = key.partition(":")
    if kind == "i":
        return value == str(index)
    if kind not in ("k", "v"):
        return False
    known = json.loads(value)
    if kind == "v":
        return bool(known == item)
    return isinstance(item, dict) and all(item.get(name) == each for name, each in known.items())


def _render(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# --- conditions -------------------------------------------------------------------------------------------------------


class ConditionError(AssertionError):
    """A condition that did not hold in time."""


class Waiter:
    """Waits for conditions about the objects of a server."""

    def __init__(self, client: Client, recorder: Recorder, loop: LoopThread) -> None:
        self._client, self._recorder, self._loop = client, recorder, loop

    def read_history(self, key: ObjectKey) -> History:
        """Returns the changes of an object."""
        found = self._loop.run(self._recorder.events(key.stored))
        return History(each for each in found if each.object["metadata"]["name"] == key.name)

    def wait_for(self, condition: Callable[[], T], timeout: float = 5.0) -> T:
        """See `ApiServer`."""
        __tracebackhide__ = True
        _check_callable(condition)
        deadline = time.monotonic() + timeout
        since = self._recorder.revision
        while True:
            revision = self._recorder.revision
            with noting_reads() as reads:
                found, problem = _call(condition)
            if inspect.isawaitable(found):
                if inspect.iscoroutine(found):
                    found.close()
                raise TypeError("the condition is a coroutine function: write `await kube_api.wait_for_async(…)`")
            if found:
                return cast("T", found)
            left = deadline - time.monotonic()
            if left <= 0:
                hint = _BLOCKED if _blocks_loop() else ""
                raise ConditionError(self._describe_failure(timeout, found, problem, reads, since) + hint)
            self._recorder.wait(revision, min(left, _LOOK))

    async def wait_for_async(self, condition: Callable[[], Awaitable[T] | T], timeout: float = 5.0) -> T:
        """See `ApiServer`."""
        __tracebackhide__ = True
        import anyio  # noqa: PLC0415 - it comes with starlette

        _check_callable(condition)
        deadline = time.monotonic() + timeout
        since = self._recorder.revision
        while True:
            with noting_reads() as reads:
                found, problem = _call(condition)
                if inspect.isawaitable(found):
                    try:
                        found = await found
                    except Exception as error:
                        found, problem = None, error
            if found:
                return cast("T", found)
            if time.monotonic() >= deadline:
                raise ConditionError(self._describe_failure(timeout, found, problem, reads, since))
            await anyio.sleep(_LOOK / 2)

    def _describe_failure(
        self, timeout: float, found: Any, problem: BaseException | None, reads: list[ObjectKey], since: int
    ) -> str:
        reason = f"it returned {found!r:.60}" if problem is None else f"{type(problem).__name__}: {problem}"
        lines = [f"the condition did not hold in {timeout:g} s: {reason}"]
        keys = (reads or self._changed_keys(since))[-_MOST_SHOWN:]
        for key in keys:
            lines += ["", self._show(key)]
        if not keys:
            lines.append("it read no object by `client`, and no object changed")
        return "\n".join(lines)

    def _changed_keys(self, since: int) -> list[ObjectKey]:
        found = []
        for resource in list_resources(self._recorder.app):
            for event in self._loop.run(self._recorder.events(resource.prefix)):
                meta = event.object["metadata"]
                key = ObjectKey(resource, meta.get("namespace", "") if resource.namespaced else "", meta["name"])
                if event.revision > since and key not in found:
                    found.append(key)
        return found

    def _show(self, key: ObjectKey) -> str:
        from validation_gen.emit.schema.yamltext import as_yaml  # noqa: PLC0415 - for failures alone

        where = f"{key.namespace}/{key.name}".lstrip("/")
        history = self.read_history(key)
        lines = [f"{key.resource.names.kind} {where}:"]
        if not history or history[-1].type == "DELETED":
            lines.append("    there is no such object")
        else:
            obj = dict(history[-1].object)
            obj["metadata"] = {k: v for k, v in obj["metadata"].items() if k != "managedFields"}
            lines += [f"    {line}" for line in as_yaml(obj, marker=None).rstrip().splitlines()]
        return "\n".join([*lines, "  its history:", *(f"    {line}" for line in str(history).splitlines())])


def _check_callable(condition: object) -> None:
    if not callable(condition):
        raise TypeError(f"a condition is a function, such as a lambda, not {condition!r:.60}")


def _blocks_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _call(condition: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return condition(), None
    except Exception as problem:
        return None, problem
