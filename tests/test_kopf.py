"""The operator of the README, run by kopf's own handling of admission requests. There is no cluster."""

import asyncio
import logging
import runpy
import sys
from collections.abc import Iterator
from typing import Any

import kopf
import pytest
from kopf._cogs.configs.configuration import OperatorSettings
from kopf._cogs.structs.ephemera import AnyMemo, Memo
from kopf._cogs.structs.references import Insights, Resource
from kopf._core.engines.admission import serve_admission_request
from kopf._core.intents.causes import WebhookType
from kopf._core.reactor.inventory import ResourceMemories

from tests.docs.blocks import README, blocks
from validation_gen.cli.main import run as command

DRONES = Resource("fleet.example.com", "v1", "drones", kind="Drone", namespaced=True)


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kopf.OperatorRegistry]:
    """The handlers that the README's operator registers."""
    directory = tmp_path_factory.mktemp("operator")
    for block in blocks(README):
        if block.marks.get("file") in ("drones/v1.py", "handler.py"):
            file = directory / block.marks["file"]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text)
    before = kopf.get_default_registry()
    registry = kopf.OperatorRegistry()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        patch.syspath_prepend(str(directory))
        patch.setattr("sys.argv", ["validation-gen", "drones", "--output-dir", "validators", "--quiet"])
        with pytest.raises(SystemExit) as done:
            command()
        assert not done.value.code
        kopf.set_default_registry(registry)
        try:
            runpy.run_path("handler.py")
            yield registry
        finally:
            kopf.set_default_registry(before)
            for name in [name for name in sys.modules if name.partition(".")[0] == "validators"]:
                del sys.modules[name]


def ask(registry: kopf.OperatorRegistry, obj: Any, old: Any = None) -> dict[str, Any]:
    """Kopf's response to an admission request."""
    insights = Insights()
    insights.webhook_resources.add(DRONES)
    request: Any = {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "1",
            "resource": {"group": DRONES.group, "version": DRONES.version, "resource": DRONES.plural},
            "operation": "CREATE" if old is None else "UPDATE",
            "userInfo": {"username": "somebody", "uid": "", "groups": []},
            "object": obj,
            "oldObject": old,
            "dryRun": False,
        },
    }
    response = asyncio.run(
        serve_admission_request(
            request,
            reason=WebhookType.VALIDATING,
            settings=OperatorSettings(),
            memories=ResourceMemories(),
            memobase=AnyMemo(Memo()),
            registry=registry,
            insights=insights,
            indices={},
        )
    )
    found: dict[str, Any] = dict(response["response"])
    return found


def drone(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "fleet.example.com/v1",
        "kind": "Drone",
        "metadata": {"name": "d1", "namespace": "default", "uid": "2"},
        "spec": {"callSign": "robin", **spec},
    }


def test_a_valid_object_is_admitted(operator: kopf.OperatorRegistry) -> None:
    assert ask(operator, drone(rotors=4))["allowed"] is True


def test_a_bad_object_is_rejected(operator: kopf.OperatorRegistry, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    response = ask(operator, drone(callSign="no.dots", rotors=2))
    assert response["allowed"] is False
    assert response["status"] == {
        "code": 422,
        "message": (
            'spec.callSign: Invalid value: "no.dots": must not contain dots\n'
            "spec.rotors: Invalid value: 2: must be greater than or equal to 3"
        ),
    }


def test_an_update_is_held_against_the_old_object(operator: kopf.OperatorRegistry) -> None:
    bad = drone(rotors=2)
    assert ask(operator, bad, bad)["allowed"] is True
    assert ask(operator, drone(rotors=1), bad)["allowed"] is False
