"""The clock of the server: times in objects, ages and timeouts."""

from __future__ import annotations

import asyncio
from datetime import datetime, timezone
from typing import Any

from tests.server.asking import serving
from tests.webhooks.asking import in_loop
from validation_gen.apiserver.clock import Clock

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_KITES = "/apis/example.com/v1/namespaces/air/kites"
_TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
_START = datetime(2030, 1, 1, tzinfo=timezone.utc)


def _definition() -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kites.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"plural": "kites", "kind": "Kite"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
                }
            ],
        },
    }


def _kite(name: str, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": name, **metadata}}


@in_loop
async def test_all_times_of_objects_are_of_the_clock() -> None:
    clock = Clock()
    clock.freeze(_START)
    async with serving(clock=clock) as asking:
        await asking.ask("POST", _DEFINITIONS, _definition())
        await asking.settle()
        definition = (await asking.ask("GET", f"{_DEFINITIONS}/kites.example.com")).json
        stamps = {each["lastTransitionTime"] for each in definition["status"]["conditions"]}
        stamps |= {each["time"] for each in definition["metadata"]["managedFields"]}
        assert stamps | {definition["metadata"]["creationTimestamp"]} == {"2030-01-01T00:00:00Z"}

        clock.tick(90)
        meta = (await asking.ask("POST", _KITES, _kite("red", finalizers=["example.com/held"]))).json["metadata"]
        assert meta["creationTimestamp"] == meta["managedFields"][0]["time"] == "2030-01-01T00:01:30Z"
        clock.tick(3600)
        meta = (await asking.ask("DELETE", f"{_KITES}/red")).json["metadata"]
        assert meta["deletionTimestamp"] == "2030-01-01T01:01:30Z"
        row = (await asking.ask("GET", f"{_KITES}/red", headers=_TABLE)).json["rows"][0]
        assert row["cells"] == ["red", "60m"]


@in_loop
async def test_a_watch_ends_when_the_clock_reaches_its_timeout() -> None:
    clock = Clock()
    clock.freeze()
    async with serving(clock=clock) as asking:
        await asking.ask("POST", _DEFINITIONS, _definition())
        await asking.settle()
        answer = await asking.watch(f"{_KITES}?watch=1&timeoutSeconds=300")
        clock.tick(299)
        await asyncio.sleep(0.02)
        seen = [answer.ended]
        await asking.ask("POST", _KITES, _kite("red"))
        clock.tick(1)
        await asyncio.wait_for(asking.watches[0], 2)
        assert [*seen, answer.ended] == [False, True]
        assert [event["type"] for event in answer.events] == ["ADDED"]


def test_a_clock_runs_on_from_where_it_stops() -> None:
    clock = Clock()
    clock.freeze(datetime(2030, 1, 1))
    assert clock.now() == clock.now() == _START
    clock.tick(10)
    assert clock.stamp() == "2030-01-01T00:00:10Z"
    before = clock.seconds()
    clock.resume()
    assert 0 <= clock.seconds() - before < 5
    assert 10 <= (clock.now() - _START).total_seconds() < 15
    clock.tick(100)
    assert 100 <= clock.seconds() - before < 105
