"""Tests of the operator. They need no cluster: `pytest testdata/operator` in an environment with the extra `testing`."""

import importlib
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from kite_operator import limit_wind
from kopf.testing import KopfRunner

from validation_gen.testing import RequestError
from validation_gen.webhooks import app

HERE = Path(__file__).parent
KITE = {"apiVersion": "example.com/v1", "kind": "Kite", "metadata": {"name": "red"}, "spec": {"owner": "ann"}}


@pytest.fixture(scope="session")
def kube_options(tmp_path_factory):
    """The definition of kites and their validators, both from the classes, and the webhook of the operator."""
    target = tmp_path_factory.mktemp("generated") / "validators"
    command = [sys.executable, "-m", "validation_gen", str(HERE), "--output-dir", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    sys.path.insert(0, str(target.parent))
    registry = importlib.import_module("validators").registry
    return {"crds": [HERE / "kites"], "webhooks": [app(registry, functions=[limit_wind])]}


@pytest.fixture
def operator(kube_api, kubeconfig):
    command = ["run", "--all-namespaces", "--standalone", str(HERE / "kite_operator.py")]
    with KopfRunner(command, timeout=10) as runner:
        yield runner


def phase(server):
    return server.client.get("Kite", "red")["status"]["phase"]


def strings(server):
    return [each["metadata"]["name"] for each in server.client.list("ConfigMap", "default")]


def test_a_kite_flies_until_it_is_deleted(kube_api, kube_clock, operator):
    kube_clock.freeze(datetime(2020, 4, 1))
    kube_api.client.create(KITE)
    kube_api.wait_for(lambda: phase(kube_api) == "Flying")
    kite = kube_api.client.get("Kite", "red")
    assert kite["status"]["since"] == "2020-04-01T00:00:00Z"
    assert kite["metadata"]["finalizers"] == ["kopf.zalando.org/KopfFinalizerMarker"]
    assert strings(kube_api) == ["red-string"]
    kube_api.client.delete("Kite", "red")
    kube_api.wait_for(lambda: kube_api.client.list("Kite") == [])
    kube_api.wait_for(lambda: strings(kube_api) == ["red-wound-up"])  # the collector took its string


def test_the_timer_follows_the_wind(kube_api, operator):
    kube_api.client.create(KITE)
    kube_api.wait_for(lambda: phase(kube_api) == "Flying")
    wind = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "wind"}, "data": {"force": "9"}}
    kube_api.client.create(wind)
    kube_api.wait_for(lambda: phase(kube_api) == "Grounded")
    kube_api.client.patch("ConfigMap", "wind", {"data": {"force": "2"}})
    kube_api.wait_for(lambda: phase(kube_api) == "Flying")


@pytest.mark.parametrize("fault", ["unavailable", "lost answer", "dropped watch", "throttled status"])
def test_a_kite_has_one_string_whatever_fails(kube_api, operator, fault):
    faults = kube_api.faults
    injected = {
        "unavailable": lambda: faults.error(503, verb="create", kind="ConfigMap", times=2),
        "lost answer": lambda: faults.lose_answer(verb="create", kind="ConfigMap"),
        "dropped watch": lambda: faults.drop_watch(kind="Kite"),
        "throttled status": lambda: faults.throttle(1, verb="patch", subresource="status"),
    }[fault]()
    kube_api.client.create(KITE)
    kube_api.wait_for(lambda: phase(kube_api) == "Flying", timeout=10)
    assert strings(kube_api) == ["red-string"]
    assert injected.count >= 1


def test_the_rules_of_the_kind(kube_api):
    assert kube_api.client.create(KITE)["spec"] == {"owner": "ann", "maxWind": 6}
    with pytest.raises(RequestError, match="immutable"):
        kube_api.client.patch("Kite", "red", {"spec": {"owner": "bob"}})
    with pytest.raises(RequestError, match="should be less than or equal to 12"):
        kube_api.client.patch("Kite", "red", {"spec": {"maxWind": 13}})


def test_beginners_have_little_wind(kube_api):
    kite = {**KITE, "metadata": {"name": "red", "labels": {"pilot": "beginner"}}}
    assert kube_api.client.create(kite)["spec"]["maxWind"] == 3
