"""Replays recorded scenarios, and lists the differences of the answers."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from tests.server.asking import Answer, Asking, serving
from validation_gen.apiserver.storage import Store

RECORDED = Path(__file__).parents[2] / "testdata" / "server-requests"
#: The names under which the recorded server stores and changes objects; it collects no garbage.
AS_RECORDED = {"key_prefix": "/registry/live", "manager": "live-aggregated", "collects_after": None}
_HEADERS = ("content-type", "warning", "retry-after")
_HOLDER = re.compile(r"<(?:uid|rv|continue|rand|hash)-\d+>|<time>|<audit-id>|<rv>")
_ANY = ("<time>", "<audit-id>", "<rv>")
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_AGE = re.compile(r"\d+[smh](\d+s)?")

#: What happens before some steps, by their numbers.
Before: TypeAlias = Mapping[int, Callable[[Asking], Awaitable[None]]]


def scenarios(area: str) -> Iterator[dict[str, Any]]:
    with gzip.open(RECORDED / f"{area}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def differences(scenario: dict[str, Any], store: Store | None = None, before: Before | None = None) -> list[str]:
    """Returns the differences of our answers in a scenario, which has a server of its own."""
    return asyncio.run(_replayed(scenario, store, before or {}))


async def _replayed(scenario: dict[str, Any], store: Store | None, before: Before) -> list[str]:
    async with serving(store, **AS_RECORDED) as asking:
        for definition in scenario["crds"]:
            answer = await asking.ask("POST", _DEFINITIONS, definition, {"user-agent": "recorder/1.0"})
            assert answer.status == 201
        await asking.settle()
        return await _Replay(asking).run(scenario["steps"], before)


class _Replay:
    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.found: list[str] = []
        self.known: dict[str, str] = {}
        self.times: dict[str, str] = {}
        self.watches: list[tuple[dict[str, Any], Answer]] = []

    async def run(self, steps: list[dict[str, Any]], before: Before) -> list[str]:
        for number, step in enumerate(steps):
            if number in before:
                await before[number](self.asking)
            request, wanted = step["request"], step["response"]
            where = f"step {number} {request['method']} {request['path']}"
            path = self._filled(request["path"], quoted=True)
            if step.get("watch"):
                self.watches.append((step, await self.asking.watch(path, request["headers"])))
                continue
            if step.get("waitedMs", 0) > 1000:
                await asyncio.sleep(0.3)
            await self.asking.settle()
            answer = await self.asking.ask(request["method"], path, self._body(request), request["headers"])
            if _is_json(answer):
                self._learn(answer.json)
            if answer.status != wanted["status"]:
                self.found.append(f"{where}: {answer.status} instead of {wanted['status']}: {answer.body[:200]!r}")
            else:
                self._compare(where, wanted, answer)
            await self.asking.settle()
            self._bind_events(number)
        for step, answer in self.watches:
            await self._compare_watch(step, answer)
        return self.found

    def _compare(self, where: str, wanted: dict[str, Any], answer: Answer) -> None:
        headers = {name.lower(): value for name, value in wanted.get("headers", {}).items()}
        for name in _HEADERS:
            expected = headers.get(name, [])
            expected = expected if isinstance(expected, list) else [expected]
            self._match(expected, answer.header(name), f"{where} {name}")
        if "body" in wanted:
            if _is_json(answer):
                self._match(wanted["body"], answer.json, where)
            else:
                self.found.append(f"{where}: no JSON: {answer.body[:100]!r}")
        elif "bodyText" in wanted:
            self._match(wanted["bodyText"], answer.body.decode("utf-8", "replace"), where)

    async def _compare_watch(self, step: dict[str, Any], answer: Answer) -> None:
        wanted = step["response"]
        where = f"watch {step['request']['path']}"
        if wanted.get("closedBy") == "server":
            for _ in range(500):
                if answer.ended:
                    break
                await asyncio.sleep(0.01)
        if answer.status != wanted["status"]:
            self.found.append(f"{where}: {answer.status} instead of {wanted['status']}")
        elif "events" in wanted:
            expected = [each["event"] for each in wanted["events"]]
            self._match(_without_bookmarks(expected), _without_bookmarks(answer.events), where)
        elif "body" in wanted:
            self._match(wanted["body"], answer.json, where)

    def _bind_events(self, number: int) -> None:
        for step, answer in self.watches:
            if answer.status != 200:
                continue
            expected = [each["event"] for each in step["response"].get("events", []) if each["afterStep"] <= number]
            before = list(self.found)
            pairs = zip(_without_bookmarks(expected), _without_bookmarks(answer.events), strict=False)
            for wanted, event in pairs:
                self._match(wanted, event, "")
            self.found = before

    def _match(self, wanted: Any, have: Any, where: str) -> None:
        if isinstance(wanted, dict) and isinstance(have, dict):
            for name in wanted.keys() | have.keys():
                if name not in have or name not in wanted:
                    self.found.append(f"{where}.{name} {'is missing' if name in wanted else 'is new'}")
                else:
                    self._match(wanted[name], have[name], f"{where}.{name}")
        elif isinstance(wanted, list) and isinstance(have, list):
            wanted, have = (_ordered(items, where) for items in (wanted, have))
            if len(wanted) != len(have):
                self.found.append(f"{where}: {len(have)} items instead of {len(wanted)}")
            for index, (mine, its) in enumerate(zip(wanted, have, strict=False)):
                self._match(mine, its, f"{where}[{index}]")
        elif isinstance(wanted, str) and isinstance(have, str):
            self._match_text(wanted, have, where)
        elif wanted != have or type(wanted) is not type(have):
            self.found.append(f"{where}: {have!r} instead of {wanted!r}")

    def _match_text(self, wanted: str, have: str, where: str) -> None:
        if ".cells[" in where and _AGE.fullmatch(wanted) and _AGE.fullmatch(have):
            return
        pattern, at, names = "", 0, []
        for holder in _HOLDER.finditer(wanted):
            pattern += re.escape(wanted[at : holder.start()])
            name, at = holder[0], holder.end()
            if name in self.known:
                pattern += re.escape(self.known[name])
            elif name in _ANY or name in names:
                pattern += ".+?"
            else:
                pattern += "(.+?)"
                names.append(name)
        match = re.fullmatch(pattern + re.escape(wanted[at:]), have, re.DOTALL)
        if match is not None:
            self.known.update(zip(names, match.groups(), strict=True))
        elif not (where.endswith(".message") and _parts(wanted) == _parts(have)):
            self.found.append(f"{where}: {have[:300]!r} instead of {wanted[:300]!r}")

    # --- requests -----------------------------------------------------------------------------------------------------

    def _body(self, request: dict[str, Any]) -> Any:
        if "body" in request:
            return json.dumps(_expanded(self._timed(self._filled(request["body"]))))
        if "bodyBase64" in request:
            return base64.b64decode(request["bodyBase64"])
        return request.get("bodyText")

    def _filled(self, value: Any, *, quoted: bool = False) -> Any:
        """Replaces placeholders by what the server has answered before."""
        if isinstance(value, str):
            known = {name: quote(text, safe="") if quoted else text for name, text in self.known.items()}
            return _HOLDER.sub(lambda match: known.get(match[0], match[0]), value)
        if isinstance(value, dict):
            return {self._filled(name): self._filled(item) for name, item in value.items()}
        return [self._filled(item) for item in value] if isinstance(value, list) else value

    def _timed(self, value: Any) -> Any:
        if isinstance(value, dict):
            first = self.times.get("creationTimestamp", "<time>")
            return {
                name: self.times.get(name, first) if item == "<time>" else self._timed(item)
                for name, item in value.items()
            }
        return [self._timed(item) for item in value] if isinstance(value, list) else value

    def _learn(self, value: Any) -> None:
        if isinstance(value, dict):
            for name, item in value.items():
                if name in ("creationTimestamp", "deletionTimestamp", "time") and isinstance(item, str):
                    self.times[name] = item
                else:
                    self._learn(item)
        elif isinstance(value, list):
            for item in value:
                self._learn(item)


def _is_json(answer: Answer) -> bool:
    try:
        json.loads(answer.body)
    except ValueError:
        return False
    return True


def _without_bookmarks(events: list[Any]) -> list[Any]:
    return [e for e in events if e.get("type") != "BOOKMARK" or "initial-events-end" in json.dumps(e)]


def _ordered(items: list[Any], where: str) -> list[Any]:
    """The server has causes in any order, and managed fields in the order of their times."""
    if where.endswith(".managedFields"):
        names = ("operation", "manager", "subresource", "apiVersion")
        return sorted(items, key=lambda each: tuple(str(each.get(name)) for name in names))
    return sorted(items, key=lambda each: json.dumps(each, sort_keys=True)) if where.endswith(".causes") else items


def _parts(message: str) -> list[str]:
    """The server has parts of some messages in any order."""
    return sorted(
        re.split(r", (?=[\w.<\[])|\n", re.sub(r"is invalid: \[(.*)\]", r"is invalid: \n\1", message, flags=re.S))
    )


def _expanded(value: Any) -> Any:
    if isinstance(value, str) and (match := re.fullmatch(r"<(\d+) times (.+)>", value, re.DOTALL)):
        part = json.loads(match[2]) if match[2][0] == "[" else match[2]
        return part * int(match[1])
    if isinstance(value, dict):
        return {name: _expanded(item) for name, item in value.items()}
    return [_expanded(item) for item in value] if isinstance(value, list) else value
