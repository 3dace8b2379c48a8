"""The operators of the pages about Python classes and about webhooks, run by kopf's own handling of admission requests.

There is no cluster, but certificates are real.
"""

import asyncio
import contextlib
import functools
import json
import logging
import runpy
import socket
import ssl
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import kopf
import pytest
import trustme
import yaml
from kopf._cogs.configs.configuration import OperatorSettings
from kopf._cogs.structs.ephemera import AnyMemo, Memo
from kopf._cogs.structs.references import Insights, Resource
from kopf._core.engines.admission import serve_admission_request
from kopf._core.intents.causes import WebhookType
from kopf._core.reactor.inventory import ResourceMemories

from tests.docs.blocks import ROOT, blocks
from validation_gen.cli.main import run as command

DRONES = Resource("fleet.example.com", "v1", "drones", kind="Drone", namespaced=True)
WEBSITES = Resource("sites.example.com", "v1", "websites", kind="Website", namespaced=True)
PAGE = ROOT / "docs" / "howto-webhook-kopf.md"
PYTHON = ROOT / "docs" / "python.md"


@contextlib.contextmanager
def running(document: Path, types: str, program: str, directory: Path) -> Iterator[kopf.OperatorRegistry]:
    """The handlers that the operator of a document registers, and its directory as the working directory."""
    for block in blocks(document):
        if block.marks.get("file") in (types, program):
            file = directory / block.marks["file"]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text)
    before = kopf.get_default_registry()
    registry = kopf.OperatorRegistry()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        patch.syspath_prepend(str(directory))
        source = types.partition("/")[0]
        patch.setattr("sys.argv", ["validation-gen", source, "--output-dir", "validators", "--quiet"])
        with pytest.raises(SystemExit) as done:
            command()
        assert not done.value.code
        kopf.set_default_registry(registry)
        try:
            runpy.run_path(program)
            yield registry
        finally:
            kopf.set_default_registry(before)
            for name in [name for name in sys.modules if name.partition(".")[0] == "validators"]:
                del sys.modules[name]


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[kopf.OperatorRegistry]:
    """The operator of the page about Python classes."""
    with running(PYTHON, "drones/v1.py", "handler.py", tmp_path) as registry:
        yield registry


@pytest.fixture
def websites(tmp_path: Path) -> Iterator[kopf.OperatorRegistry]:
    """The operator of the page about webhooks."""
    with running(PAGE, "websites/v1.py", "webhook.py", tmp_path) as registry:
        yield registry


def review(resource: Resource, obj: Any, old: Any = None, subresource: str | None = None) -> Any:
    """What an API server sends."""
    return {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "1",
            "resource": {"group": resource.group, "version": resource.version, "resource": resource.plural},
            "subResource": subresource,
            "operation": "CREATE" if old is None else "UPDATE",
            "userInfo": {"username": "somebody", "uid": "", "groups": []},
            "object": obj,
            "oldObject": old,
            "dryRun": False,
        },
    }


def responder(registry: kopf.OperatorRegistry, resource: Resource) -> Callable[..., Any]:
    """Kopf's answers to admission requests about a resource."""
    insights = Insights()
    insights.webhook_resources.add(resource)
    return functools.partial(
        serve_admission_request,
        reason=WebhookType.VALIDATING,
        settings=OperatorSettings(),
        memories=ResourceMemories(),
        memobase=AnyMemo(Memo()),
        registry=registry,
        insights=insights,
        indices={},
    )


def ask(
    registry: kopf.OperatorRegistry, obj: Any, old: Any = None, resource: Resource = DRONES, subresource: Any = None
) -> dict[str, Any]:
    """Kopf's response to an admission request."""
    response = asyncio.run(responder(registry, resource)(review(resource, obj, old, subresource)))
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


def website(status: Any = None, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "sites.example.com/v1",
        "kind": "Website",
        "metadata": {"name": "shop", "namespace": "default", "uid": "2"},
        "spec": {"domain": "shop", **spec},
        "status": status or {},
    }


def test_the_webhook_judges_objects_and_their_status(websites: kopf.OperatorRegistry) -> None:
    logging.getLogger("kopf").setLevel(logging.CRITICAL)
    assert ask(websites, website(replicas=2), resource=WEBSITES)["allowed"] is True
    assert ask(websites, website(replicas=10), resource=WEBSITES)["status"] == {
        "code": 422,
        "message": "spec.replicas: Invalid value: 10: must be less than or equal to 9",
    }
    old = website(replicas=10)
    assert ask(websites, website({"ready": 1}, replicas=10), old, WEBSITES, "status")["allowed"] is True
    answer = ask(websites, website({"ready": -1}, replicas=10), old, WEBSITES, "status")
    assert answer["status"]["message"] == "status.ready: Invalid value: -1: must be greater than or equal to 0"


def test_the_webhook_in_one_line(tmp_path: Path) -> None:
    logging.getLogger("kopf").setLevel(logging.CRITICAL)
    with running(PAGE, "websites/v1.py", "short.py", tmp_path) as registry:
        assert ask(registry, website(replicas=2), resource=WEBSITES)["allowed"] is True
        assert ask(registry, website(replicas=10), resource=WEBSITES)["status"] == {
            "code": 422,
            "message": 'Website.sites.example.com "shop" is invalid: '
            "spec.replicas: Invalid value: 10: must be less than or equal to 9",
        }
        answer = ask(registry, website({"ready": -1}), website(), WEBSITES, "status")
        assert answer["status"]["message"].endswith(
            "status.ready: Invalid value: -1: must be greater than or equal to 0"
        )


def test_the_webhook_is_served_as_api_servers_ask(websites: kopf.OperatorRegistry, tmp_path: Path) -> None:
    logging.getLogger("kopf").setLevel(logging.CRITICAL)
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost", "websites.default.svc")
    authority.cert_pem.write_to_path(tmp_path / "ca.crt")
    certificate.cert_chain_pems[0].write_to_path(tmp_path / "tls.crt")
    certificate.private_key_pem.write_to_path(tmp_path / "tls.key")
    settings = OperatorSettings()
    startup: Any = next(h.fn for h in websites._activities.get_all_handlers() if h.id == "configure")
    startup(settings=settings)
    service: Any = settings.admission.server
    with socket.create_server(("127.0.0.1", 0)) as free:
        service.port = free.getsockname()[1]
    service.certificates = tmp_path
    trust = ssl.create_default_context(cafile=tmp_path / "ca.crt")

    def post(obj: Any) -> Any:
        url = f"https://localhost:{service.port}/website"
        request = urllib.request.Request(url, json.dumps(review(WEBSITES, obj)).encode())
        with urllib.request.urlopen(request, context=trust, timeout=30) as answer:
            return json.load(answer)["response"]

    async def serve() -> tuple[Any, Any, Any]:
        serving = service(responder(websites, WEBSITES))
        config = await anext(serving)
        good, bad = [await asyncio.to_thread(post, website(replicas=count)) for count in (1, 10)]
        await serving.aclose()
        return config, good, bad

    config, good, bad = asyncio.run(serve())
    (manifest, *_) = [d for d in yaml.safe_load_all(deployed()) if d["kind"] == "Service"]
    assert config["service"] == {"name": "websites", "namespace": "default", "port": 443, "path": ""}
    assert config["service"].items() >= manifest["metadata"].items()
    assert manifest["spec"]["ports"] == [{"port": 443, "targetPort": 8443}]
    assert "url" not in config
    assert config["caBundle"]
    assert (good["allowed"], bad["allowed"], bad["status"]["code"]) == (True, False, 422)


def deployed() -> str:
    (block,) = [block for block in blocks(PAGE) if block.marks.get("file") == "deploy/webhook.yaml"]
    return block.text


def test_the_operator_may_do_what_it_has_to() -> None:
    (role,) = [d for d in yaml.safe_load_all(deployed()) if d["kind"] == "ClusterRole"]
    allowed = {(group, of): set(r["verbs"]) for r in role["rules"] for group in r["apiGroups"] for of in r["resources"]}
    assert allowed["admissionregistration.k8s.io", "validatingwebhookconfigurations"] == {"create", "patch"}
    assert allowed["apiextensions.k8s.io", "customresourcedefinitions"] >= {"list", "watch"}
    assert allowed[WEBSITES.group or "", WEBSITES.plural] >= {"list", "watch", "patch"}
