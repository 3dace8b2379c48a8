"""The API server gives the answers that a real one has given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aetcd import rpc

from tests.server.asking import Asking
from tests.server.replay import AS_RECORDED, differences, scenarios
from tests.server.stores import CountingEtcdStore, Etcd, make_store
from tests.tables import each
from tests.thorough import THOROUGH
from validation_gen.apiserver.application import Application
from validation_gen.apiserver.storage import Store
from validation_gen.apiserver.storage.sqlite import SqliteStore

#: Scenarios with another answer, and the reason; docs/apiserver.md has them, too.
DEVIATIONS = {
    "crud/bodies": "the recorded server fails on a body in protobuf, and answers in protobuf",
    "crud/methods": "the list of all paths names what the recorded server has",
    "list/table": "the answer has an age and a token of the recorded store",
    "crd/names-conflict": "the recorded server answers 429 until a new storage is ready",
    "crd/life": "as crd/names-conflict",
    "crd/cleanup-finalizer-by-hand": "as crd/names-conflict",
    "crd/apply-a-crd": "ours has accepted new names before the next request",
    "fuzz/fuzz-037": "the recorded server had an object of the scenario before",
    "fuzz/fuzz-048": "as fuzz-037",
    "fuzz/fuzz-053": "as fuzz-037",
}
AREAS = [
    "apply",
    "crud",
    "delete",
    "fieldvalidation",
    "list",
    "patch",
    "subresource",
    "table",
    "validation",
    "versions",
]
#: The server with etcd gets each such scenario of these areas; `make thorough` sends all.
_EVERY = {"random": 24, "fuzz": 10, "crd": 6, "validation": 4}


def check(area: str, *, step: int = 1, etcd: Etcd | None = None) -> None:
    failures = {}
    for scenario in list(scenarios(area))[::step]:
        name = scenario["id"].partition("/")[2]
        found = differences(scenario, None if etcd is None else make_store("etcd", Path(), etcd))
        if found and name not in DEVIATIONS:
            failures[name] = found[:5]
        assert found or name not in DEVIATIONS or step > 1, f"{name} is no deviation any more"
    assert not failures, "\n".join(f"{name}: {found}" for name, found in failures.items())


@pytest.mark.parametrize("area", AREAS)
def test_answers_are_those_of_a_real_server(area: str) -> None:
    check(area)


@pytest.mark.slow
def test_watches_are_those_of_a_real_server() -> None:
    check("watch")


def test_random_applies_are_those_of_a_real_server() -> None:
    check("random", step=12)


@pytest.mark.thorough
def test_all_random_applies_are_those_of_a_real_server() -> None:
    check("random")


@pytest.mark.slow
def test_definitions_are_handled_as_by_a_real_server() -> None:
    check("crd")


@pytest.mark.slow
def test_random_requests_are_answered_as_by_a_real_server() -> None:
    check("fuzz")


@pytest.mark.slow
@pytest.mark.parametrize("area", [*AREAS, "watch", "random", "crd", "fuzz"])
def test_answers_from_etcd_are_those_of_a_real_server(area: str, etcd: Etcd) -> None:
    check(area, step=1 if THOROUGH else _EVERY.get(area, 1), etcd=etcd)


@each("kind", ["file", "etcd"], ids=str)
def test_lists_and_watches_end_or_go_on_as_those_of_a_real_server(kind: str, tmp_path: Path, etcd: Etcd) -> None:
    path, prefix = tmp_path / "state.db", etcd.prefix()

    def make() -> Store:
        return SqliteStore(path) if kind == "file" else CountingEtcdStore(etcd.url, prefix)

    async def compact_etcd(asking: Asking) -> None:
        """Compacts etcd, of which the server knows nothing."""
        store = asking.app.store
        if isinstance(store, CountingEtcdStore):
            await store._client.call("Compact", rpc.CompactionRequest(revision=await store.revision()))

    async def compact_and_restart(asking: Asking) -> None:
        await asking.app.store.compact(await asking.app.store.revision())
        await asking.app.close()
        asking.app = Application(make(), **dict[str, Any](AS_RECORDED))
        await asking.app.start()

    actions = {"compacted-continue": {5: compact_etcd}, "restarted": {7: compact_and_restart}}
    for scenario in scenarios("expired"):
        assert differences(scenario, make(), actions.pop(scenario["id"].rpartition("/")[2])) == []
        path.unlink(missing_ok=True)
        prefix = etcd.prefix()
    assert actions == {}
