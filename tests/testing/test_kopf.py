"""Operators of kopf, unchanged: finalizers, timers, status, admission and events, over faults."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.testing.kites import definition, kite
from validation_gen.testing import ApiServer, Fault, RequestError

pytestmark = pytest.mark.slow

FINALIZER = "kopf.zalando.org/KopfFinalizerMarker"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with ApiServer(crds=definition()) as running:
        monkeypatch.setenv("KUBECONFIG", str(running.kubeconfig))
        yield running


@pytest.fixture
def registry() -> Any:
    """Handlers of one operator. kopf's own login would import a client of others."""
    import kopf

    found = kopf.OperatorRegistry()
    kopf.on.login(registry=found)(kopf.login_with_kubeconfig)
    return found


def _declare(registry: Any) -> dict[str, int]:
    """Declares the handlers of an operator, and returns how often each one ran."""
    import kopf

    calls = {"create": 0, "delete": 0, "timer": 0}

    @kopf.on.create("kites", registry=registry)
    def create(spec: Any, patch: Any, body: Any, **_: Any) -> None:
        calls["create"] += 1
        patch.status["phase"] = f"Up {spec['size']}"
        kopf.info(body, reason="Made", message="it flies")

    @kopf.on.update("kites", field="spec.size", registry=registry)
    def update(patch: Any, **found: Any) -> None:
        patch.status["phase"] = f"Up {found['new']}"

    @kopf.on.delete("kites", registry=registry)
    def delete(**_: Any) -> None:
        calls["delete"] += 1

    @kopf.timer("kites", interval=0.05, registry=registry)
    def tick(**_: Any) -> None:
        calls["timer"] += 1

    @kopf.on.startup(registry=registry)
    def configure(settings: Any, **_: Any) -> None:
        settings.networking.error_backoffs = [0.05] * 5
        settings.watching.reconnect_backoff = 0.05
        settings.persistence.consistency_timeout = 0.2

    return calls


@contextmanager
def _run(registry: Any) -> Iterator[None]:
    """Runs an operator in this process, as `kopf.operator` does for programs."""
    import kopf

    stop, ready = threading.Event(), threading.Event()

    operator = kopf.operator(registry=registry, clusterwide=True, standalone=True, stop_flag=stop, ready_flag=ready)
    thread = threading.Thread(target=asyncio.run, args=[operator])
    thread.start()
    try:
        assert ready.wait(10)
        yield
    finally:
        stop.set()
        thread.join(10)
        assert not thread.is_alive()


def _phase(server: ApiServer) -> str:
    phase: str = server.client.get("Kite", "red")["status"]["phase"]
    return phase


def test_an_operator_in_the_process(server: ApiServer, registry: Any) -> None:
    calls = _declare(registry)
    with _run(registry):
        server.client.create(kite())
        server.wait_for(lambda: _phase(server) == "Up 3")
        assert server.client.get("Kite", "red")["metadata"]["finalizers"] == [FINALIZER]
        server.wait_for(lambda: calls["timer"] > 2)
        server.client.patch("Kite", "red", {"spec": {"size": 4}})
        server.wait_for(lambda: _phase(server) == "Up 4")
        server.wait_for(lambda: [each["reason"] for each in server.client.list("v1/Event")] == ["Made"])
        server.client.delete("Kite", "red")
        server.wait_for(lambda: server.client.list("Kite") == [])
    assert (calls["create"], calls["delete"]) == (1, 1)
    assert {event.agent.partition("/")[0] for event in server.events("Kite")} == {"pytest", "kopf"}


FAULTS: dict[str, Callable[[ApiServer], Fault]] = {
    "expired": lambda server: server.faults.expire(kind="Kite"),
    "dropped": lambda server: server.faults.drop_watch(after=1, kind="Kite"),
    "unavailable": lambda server: server.faults.error(503, verb="patch", kind="Kite"),
    "throttled": lambda server: server.faults.throttle(0, verb="patch", subresource="status"),
    "lost": lambda server: server.faults.lose_answer(verb="patch", subresource="status"),
    "late": lambda server: server.faults.latency(0.05, kind="Kite", times=3),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_operator_over_faults(server: ApiServer, registry: Any, fault: str) -> None:
    calls = _declare(registry)
    injected = FAULTS[fault](server)
    with _run(registry):
        server.client.create(kite())
        server.wait_for(lambda: _phase(server) == "Up 3")
        server.client.delete("Kite", "red")
        server.wait_for(lambda: server.client.list("Kite") == [])
    assert calls["create"] == 1
    assert injected.count >= 1, server.faults.report()


def test_the_runner_of_kopf(server: ApiServer, registry: Any, tmp_path: Path) -> None:
    from kopf.testing import KopfRunner

    tmp_path.joinpath("operator_of_kites.py").write_text(
        "import kopf\n\n@kopf.on.create('kites')\ndef create(patch, **_):\n    patch.status['phase'] = 'Up'\n"
    )
    command = ["run", "--all-namespaces", "--standalone", str(tmp_path / "operator_of_kites.py")]
    with KopfRunner(command, registry=registry, timeout=10) as runner:
        server.client.create(kite())
        server.wait_for(lambda: _phase(server) == "Up")
    assert runner.exit_code == 0


def _wait_for_webhooks(server: ApiServer, kind: str) -> None:
    server.wait_for(lambda: server.client.list(kind)[0]["webhooks"])


@pytest.fixture
def forgotten_sockets(small_heap: None) -> Iterator[None]:
    """Collects the sockets that kopf leaves behind if clients of its webhooks stay connected, as servers do."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
    gc.unfreeze()


@pytest.mark.usefixtures("forgotten_sockets")
def test_admission_by_kopf(server: ApiServer, registry: Any, tmp_path: Path) -> None:
    import kopf

    authority = trustme.CA()
    certificate = authority.issue_cert("localhost")
    for name, blob in (("ca", authority.cert_pem), ("cert", certificate.cert_chain_pems[0])):
        blob.write_to_path(tmp_path / name)
    certificate.private_key_pem.write_to_path(tmp_path / "key")

    @kopf.on.startup(registry=registry)
    def configure(settings: Any, **_: Any) -> None:
        files: dict[str, Any] = {"cafile": tmp_path / "ca", "certfile": tmp_path / "cert", "pkeyfile": tmp_path / "key"}
        settings.admission.server = kopf.WebhookServer(addr="127.0.0.1", host="localhost", **files)
        settings.admission.managed = "kites.example.com"

    @kopf.on.validate("kites", registry=registry)
    def validate(spec: Any, warnings: list[str], **_: Any) -> None:
        warnings.append("kites are dangerous")
        if spec.get("size") == 13:
            raise kopf.AdmissionError("no kite has this size", code=400)

    @kopf.on.mutate("kites", registry=registry)
    def mutate(patch: Any, **_: Any) -> None:
        patch.metadata.labels["checked"] = "yes"

    with _run(registry):
        for kind in ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"):
            _wait_for_webhooks(server, kind)
        assert server.client.create(kite())["metadata"]["labels"] == {"checked": "yes"}
        with pytest.raises(RequestError, match="no kite has this size"):
            server.client.create(kite("blue", 13))
