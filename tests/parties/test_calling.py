"""A server calls our webhook, over TLS, by configurations, with all that comes before and after."""

from __future__ import annotations

import base64
import copy
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import trustme
import uvicorn

from tests.parties import Parties
from tests.webhooks.ours import OPTIONS, registry
from tests.webhooks.recorded import review_of
from validation_gen.webhooks import Request, app, mutates

NAMESPACE, SERVICE = "operations", "fleet"


@mutates("Robot")
def add_label(request: Request) -> None:
    request.object["metadata"].setdefault("labels", {})["robots.example.com/assisted"] = "yes"


@mutates("Robot")
def add_help(request: Request) -> None:
    """Adds to what another webhook has labelled."""
    if "robots.example.com/assisted" in request.object["metadata"].get("labels", {}):
        request.object["metadata"].setdefault("annotations", {})["robots.example.com/help"] = "on call"


def _filled(obj: Any) -> Any:
    made = copy.deepcopy(obj)
    for each in made.get("spec", {}).get("compartments", []):
        each.setdefault("climate", "Ambient")
    return made


@dataclass(frozen=True, slots=True)
class Serving:
    """Where it listens, and the authority of its certificate."""

    port: int
    bundle: str


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory, parties: Parties) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("serving")
    authority = trustme.CA()
    issued = authority.issue_cert(f"{SERVICE}.{NAMESPACE}.svc", "127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(folder / "tls.pem")
    first = app(registry(), options=OPTIONS, defaults=_filled, functions=[add_help])
    second = app(registry(), functions=[add_label])

    async def both(scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        if path.startswith("/other/"):
            await second({**scope, "path": path.removeprefix("/other")}, receive, send)
        else:
            await first(scope, receive, send)

    config = uvicorn.Config(
        both,
        host="127.0.0.1",
        port=0,
        ssl_certfile=folder / "tls.pem",
        ssl_keyfile=folder / "tls.pem",
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Serving(port, base64.b64encode(authority.cert_pem.bytes()).decode())
    server.should_exit = True
    thread.join()


def _configuration(kind: str, serving: Serving, *paths: str, **more: Any) -> dict[str, Any]:
    """A configuration with a webhook for each path."""
    webhooks = [
        {
            "name": f"{path.strip('/').replace('/', '-')}.robots.example.com",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "timeoutSeconds": 10,
            "clientConfig": {
                "caBundle": serving.bundle,
                "service": {"name": SERVICE, "namespace": NAMESPACE, "path": path},
            },
            "rules": [
                {
                    "operations": ["CREATE", "UPDATE", "DELETE"],
                    "apiGroups": ["robots.example.com"],
                    "apiVersions": ["v1"],
                    "resources": ["robots", "robots/status"],
                }
            ],
            **more,
        }
        for path in paths
    ]
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": kind.lower()},
        "webhooks": webhooks,
    }


def _validating(serving: Serving, **more: Any) -> dict[str, Any]:
    return _configuration("Validating", serving, "/validate", **more)


def _admit(parties: Parties, serving: Serving, request: Any, *configurations: Any, **more: Any) -> dict[str, Any]:
    return parties.ask(
        "admit",
        request=request,
        configurations=list(configurations),
        live=True,
        resolve=f"127.0.0.1:{serving.port}",
        **more,
    )


def test_it_is_called_by_the_name_of_its_service(parties: Parties, serving: Serving) -> None:
    request = review_of("update-robot-status-invalid")
    said = _admit(parties, serving, request, _validating(serving))
    [call] = said["calls"]
    assert call["host"] == f"{SERVICE}.{NAMESPACE}.svc:443"
    assert call["url"].endswith("/validate?timeout=10s")
    assert (call["status"], call["protocol"]) == (200, "HTTP/1.1")
    assert said["kubectl"].startswith('The Robot "hermes-17.north" is invalid: \n* status.phase: Unsupported value')


def test_defaults_are_filled_in_before_the_object_is_judged(parties: Parties, serving: Serving) -> None:
    request = review_of("create-robot-without-defaults")
    validating = _validating(serving)
    assert not _admit(parties, serving, request, validating)["allowed"]
    said = _admit(parties, serving, request, validating, _configuration("Mutating", serving, "/mutate"))
    assert said["allowed"], said["kubectl"]
    assert [call["url"].partition("?")[0].rpartition("/")[2] for call in said["calls"]] == ["mutate", "validate"]
    assert {each["climate"] for each in said["object"]["spec"]["compartments"]} == {"Ambient"}


def test_it_is_called_again_and_has_nothing_to_add(parties: Parties, serving: Serving) -> None:
    """The first of two webhooks is asked again about what the second has made, and then the second about that."""
    mutating = _configuration("Mutating", serving, "/mutate", "/other/mutate", reinvocationPolicy="IfNeeded")
    said = _admit(parties, serving, review_of("create-robot-without-defaults"), mutating)
    assert said["allowed"], said["kubectl"]
    calls = [
        (call["url"].partition("?")[0].endswith("/other/mutate"), "patch" in call["answer"]) for call in said["calls"]
    ]
    assert calls == [(False, True), (True, True), (False, True), (True, False)]
    assert said["object"]["spec"]["compartments"][0]["climate"] == "Ambient"
    assert said["auditProblems"] == []


def test_clients_of_another_version_are_judged(parties: Parties, serving: Serving) -> None:
    """With `matchPolicy: Equivalent` it is sent the version that it is registered for."""
    request = review_of("update-robot-asked-as-v1beta1-invalid")
    asked = request["request"]
    older = {
        name: {**asked[name], "apiVersion": "robots.example.com/v1beta1", "spec": {"model": "Hermes 4"}}
        for name in ("object", "oldObject")
    }
    said = _admit(
        parties,
        serving,
        {"request": {**asked, **older}},
        _validating(serving, matchPolicy="Equivalent"),
        equivalent=[
            {"group": "robots.example.com", "version": version, "kind": "Robot", "resource": "robots"}
            for version in ("v1", "v1beta1")
        ],
        versions=[{"object": asked["object"], "old": asked["oldObject"]}],
    )
    [call] = said["calls"]
    assert call["request"]["request"]["kind"]["version"] == "v1"
    assert call["request"]["request"]["requestKind"]["version"] == "v1beta1"
    assert [cause["field"] for cause in said["status"]["details"]["causes"]] == [
        "spec.battery.chemistry",
        "spec.sensors[3]",
    ]


@pytest.mark.parametrize("name", ["create-robot-invalid-dry-run", "create-robot-dry-run", "delete-robot-dry-run"])
def test_dry_runs(name: str, parties: Parties, serving: Serving) -> None:
    said = _admit(parties, serving, review_of(name), _validating(serving))
    [call] = said["calls"]
    assert call["request"]["request"]["dryRun"] is True
    assert said["allowed"] is ("invalid" not in name)


def test_namespaces_and_objects_that_are_spared(parties: Parties, serving: Serving) -> None:
    """What a configuration leaves out is not asked."""
    spared = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}
    skip = {"name": "spec-changes", "expression": "request.operation != 'UPDATE' || object.spec != oldObject.spec"}
    configuration = _validating(serving, namespaceSelector={"matchExpressions": [spared]}, matchConditions=[skip])
    request = review_of("create-robot")
    assert len(_admit(parties, serving, request, configuration)["calls"]) == 1
    request["request"]["namespace"] = "kube-system"
    assert _admit(parties, serving, request, configuration)["calls"] == []
    assert _admit(parties, serving, review_of("update-robot-labels"), configuration)["calls"] == []
    assert len(_admit(parties, serving, review_of("update-robot"), configuration)["calls"]) == 1
