"""Rules of a project in the loop: validators, conversions and webhooks that the server calls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.testing.kites import KITES, ask, definition, kite
from validation_gen.conversions import Conversion, Converter, FieldOnlyIn, converts
from validation_gen.testing import ApiServer
from validation_gen.webhooks import Converting, Webhook

OLD = "example.com/v1beta1/Kite"


@converts("v1beta1", "v1", kind="Kite")
def _to_v1(obj: dict[str, Any]) -> dict[str, Any]:
    obj["spec"] = {"size": obj["spec"].get("size", 0) * 10}
    return obj


@converts("v1", "v1beta1", kind="Kite")
def _to_v1beta1(obj: dict[str, Any]) -> dict[str, Any]:
    obj["spec"] = {"size": obj["spec"].get("size", 0) // 10}
    return obj


CONVERTER = Converter([_to_v1, _to_v1beta1])
VERSIONS = ("v1", "v1beta1")


def _old(size: int) -> dict[str, Any]:
    return {**kite(size=size), "apiVersion": "example.com/v1beta1"}


def test_conversions_in_one_line() -> None:
    with ApiServer(crds=definition(versions=VERSIONS), webhooks=CONVERTER) as server:
        server.client.create(_old(2))
        assert server.client.get("Kite", "red")["spec"] == {"size": 20}
        assert server.client.get(OLD, "red")["spec"] == {"size": 2}
        assert ask(server.url, "GET", f"{KITES}/red").json["spec"] == {"size": 20}


def test_a_declared_webhook_is_the_one_on_loopback() -> None:
    service = {"service": {"name": "hook", "namespace": "kites", "path": "/convert"}}
    crd = definition(versions=VERSIONS)
    crd["spec"]["conversion"] = {
        "strategy": "Webhook",
        "webhook": {"clientConfig": service, "conversionReviewVersions": ["v1"]},
    }
    for subject in (Webhook({"/convert": Converting(CONVERTER)}), Webhook({"/convert": Converting(CONVERTER)}).app):
        with ApiServer(crds=crd, webhooks=[subject], objects=[_old(3)]) as server:
            stored = server.client.get("CustomResourceDefinition", "kites.example.com")
            client = stored["spec"]["conversion"]["webhook"]["clientConfig"]
            assert client["url"].startswith("https://127.0.0.1:")
            assert client["url"].endswith("/convert")
            assert server.client.get("Kite", "red")["spec"] == {"size": 30}
    assert crd["spec"]["conversion"]["webhook"]["clientConfig"] == service


def test_an_application_of_another_origin_is_called_at_the_paths_of_the_objects() -> None:
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])
        await Webhook({"/old": Converting(CONVERTER)}).app(scope, receive, send)

    crd = definition(versions=VERSIONS)
    crd["spec"]["conversion"] = {
        "strategy": "Webhook",
        "webhook": {"clientConfig": {"url": "https://hook.invalid/old"}, "conversionReviewVersions": ["v1"]},
    }
    with ApiServer(crds=crd, webhooks=app) as server:
        server.client.create(_old(2))
        assert server.client.get("Kite", "red")["spec"] == {"size": 20}
    assert set(seen) == {"/old"}


def test_a_conversion_that_fails_is_the_answer_of_the_server() -> None:
    conversion = Conversion("v1beta1", "v1", kind="Owl", group="example.com", moves=[FieldOnlyIn("v1", "spec.size")])
    with ApiServer(
        crds=[definition(versions=VERSIONS), definition(plural="owls", kind="Owl", versions=VERSIONS)],
        webhooks=Converter([conversion]),
    ) as server:
        assert server.client.get("CustomResourceDefinition", "kites.example.com")["spec"]["conversion"] == {
            "strategy": "None"
        }
        server.client.create({**kite(), "kind": "Owl"})
        assert server.client.get("example.com/v1beta1/Owl", "red")["spec"] == {}


def test_a_webhook_times_out_at_once() -> None:
    with ApiServer(crds=definition(versions=VERSIONS), webhooks=CONVERTER) as server:
        fault = server.faults.webhook_timeout(kind="Kite", name="red")
        refused = ask(server.url, "POST", KITES.replace("/v1/", "/v1beta1/"), _old(2))
        assert refused.code == 500
        assert refused.json["message"].startswith(
            'conversion webhook for example.com/v1beta1, Kind=Kite failed: Post "https://127.0.0.1:'
        )
        assert refused.json["message"].endswith('/convert?timeout=30s": context deadline exceeded')
        assert fault.count == 1
        server.client.create(_old(2))
        assert "timeout of a webhook: POST https://127.0.0.1:" in server.faults.report()


def test_subjects_that_answer_nothing_are_refused() -> None:
    with pytest.raises(TypeError, match="webhooks: 7 is no registry, no converter and no ASGI application"):
        ApiServer(webhooks=7).start()  # type: ignore[arg-type]
