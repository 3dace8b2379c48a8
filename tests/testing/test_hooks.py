"""Rules of a project in the loop: validators, conversions and webhooks that the server calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.testing.kites import KITES, ask, definition, kite
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.registry import Registry
from validation_gen.testing import ApiServer, RequestError
from validation_gen.webhooks import Converting, Gates, Request, Webhook, app, mutates
from validation_gen.webhooks.conversions import Conversion, Converter, FieldOnlyIn, converts

pytest_plugins = "pytester"
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


# --- admission --------------------------------------------------------------------------------------------------------

TYPES = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Kite struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec KiteSpec `json:"spec"`
}

type KiteSpec struct {
	// +k8s:optional
	// +k8s:maximum=7
	// +k8s:beta(since: "1.37")=+k8s:minimum=2
	Size int32 `json:"size,omitempty"`
}
"""


GATED = "\t// +k8s:ifEnabled(Armed)=+k8s:immutable\n"


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """The validators of kites, as a project generates them."""
    return _generate(tmp_path)


def _generate(directory: Path, more: str = "") -> Registry:
    _write_types(directory, more)
    return load_registry(build_files(build_program(Settings((str(directory / "apis"),))).program))


def _write_types(directory: Path, more: str = "") -> None:
    (directory / "apis" / "v1").mkdir(parents=True)
    (directory / "go.mod").write_text("module example.com/kites\n", encoding="utf-8")
    text = TYPES.replace("\tSize int32", f"{more}\tSize int32")
    (directory / "apis" / "v1" / "types.go").write_text(text, encoding="utf-8")


def _refusal(server: ApiServer, size: int) -> str:
    answer = ask(server.url, "POST", KITES, kite(f"size-{size}", size))
    return "" if answer.code == 201 else str(answer.json["message"])


def test_validators_in_one_line(registry: Registry) -> None:
    with ApiServer(crds=definition(), webhooks=registry) as server:
        assert _refusal(server, 7) == ""
        message = 'Kite.example.com "size-8" is invalid: spec.size: Invalid value: 8: must be less than or equal to 7'
        assert (
            _refusal(server, 8)
            == f'admission webhook "validate.testing.validation-gen.dev" denied the request: {message}'
        )
        with pytest.raises(RequestError, match="must be less than or equal to 7"):
            server.client.patch("Kite", "size-7", {"spec": {"size": 9}})
        server.client.patch("Kite", "size-7", {"status": {"phase": "Up"}}, subresource="status")


def test_objects_to_begin_with_are_admitted(registry: Registry) -> None:
    ApiServer(crds=definition(), objects=kite(size=7), webhooks=registry).start().close()
    with pytest.raises(RequestError, match="must be less than or equal to 7"):
        ApiServer(crds=definition(), objects=kite(size=8), webhooks=registry).start()


def test_gates_of_validators(registry: Registry, tmp_path: Path) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text("levels: {beta: warn}\n", encoding="utf-8")
    refused = []
    for gates in (None, {"DeclarativeValidationBeta": False}, Gates(level="standard"), file):
        with ApiServer(crds=definition(), webhooks=[registry], gates=gates) as server:
            refused.append(bool(_refusal(server, 1)))
    assert refused == [True, False, False, False]


def test_gates_that_cannot_be_used(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [\n", encoding="utf-8")
    refused: list[tuple[Any, str]] = [
        ("gone.yaml", r"there is no file or directory .*gone\.yaml"),
        ("broken.yaml", r"broken\.yaml:2:1: "),
        (3, "gates: 3 is no mapping and no path"),
    ]
    for gates, text in refused:
        with pytest.raises((ValueError, TypeError), match=text):
            ApiServer(crds=definition(), webhooks=registry, gates=gates, base=tmp_path).start()


def test_options_of_validators(tmp_path: Path) -> None:
    registry = _generate(tmp_path, GATED)
    codes = []
    for armed in (False, True):
        with ApiServer(crds=definition(), webhooks=registry, gates={"Armed": armed}) as server:
            obj = server.client.create(kite())
            codes.append(ask(server.url, "PUT", f"{KITES}/red", {**obj, "spec": {"size": 4}}).code)
    assert codes == [200, 422]


def test_webhooks_that_change_objects(registry: Registry) -> None:
    @mutates("Kite", group="example.com")
    def shrink(request: Request) -> None:
        if request.object["spec"]["size"] == 9:
            request.object["spec"]["size"] = 7

    with ApiServer(crds=definition(), webhooks=app(registry, functions=[shrink])) as server:
        assert server.client.create(kite(size=9))["spec"] == {"size": 7}
        assert "must be less than or equal to 7" in _refusal(server, 8)


def test_a_validating_webhook_times_out(registry: Registry) -> None:
    with ApiServer(crds=definition(), webhooks=registry) as server:
        server.faults.webhook_timeout(verb="create", name="size-*")
        server.client.create(kite())
        refused = ask(server.url, "POST", KITES, kite("size-1", 3))
        assert refused.code == 500
        assert "failed calling webhook" in refused.json["message"]
        assert "context deadline exceeded" in refused.json["message"]
        assert _refusal(server, 5) == ""


def test_coverage_of_rules_is_recorded(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    _write_types(pytester.path)
    (pytester.path / "kites.json").write_text(json.dumps(definition()), encoding="utf-8")
    pytester.makepyfile(
        f"""
import pytest
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry

REGISTRY = load_registry(build_files(build_program(Settings(("apis",))).program))

@pytest.mark.kube(crds="kites.json", webhooks=REGISTRY)
def test_it(kube_api):
    with pytest.raises(Exception, match="must be less than or equal to 7"):
        kube_api.client.create({kite(size=8)!r})
"""
    )
    plugins = (
        "-p",
        "validation_gen.commands.pytestplugin",
        "-p",
        "validation_gen.testing.plugin",
        "-p",
        "no:cacheprovider",
    )
    result = pytester.runpytest_inprocess(*plugins, "--validation-coverage=results.jsonl")
    result.assert_outcomes(passed=1)
    lines = (pytester.path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["errors"] for line in lines] == [
        [{"type": "FieldValueInvalid", "field": "spec.size", "origin": "maximum"}]
    ]


def test_a_given_configuration_is_called_on_loopback(registry: Registry) -> None:
    webhook = {
        "name": "kites.example.com",
        "clientConfig": {
            "service": {"name": "hook", "namespace": "kites", "path": "/validate"},
            "caBundle": "b3RoZXI=",
        },
        "rules": [{"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["kites"], "operations": ["UPDATE"]}],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    configuration = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "kites"},
        "webhooks": [webhook],
    }
    with ApiServer(crds=definition(), objects=[kite(size=9), configuration], webhooks=registry) as server:
        assert len(server.client.list("ValidatingWebhookConfiguration")) == 1
        with pytest.raises(RequestError, match=r'webhook "kites\.example\.com" denied'):
            server.client.patch("Kite", "red", {"spec": {"size": 8}})
