"""The manifests of a webhook: of the sample API, and of kinds with markers, several versions and definitions."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import DOC, TYPES, Program, definition
from validation_gen.cli.option_schema import section
from validation_gen.commands.generate.run import GenerateOptions, generate
from validation_gen.compiler.emitters import CRD, PYTHON, WEBHOOKS
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.diagnostics import Severity
from validation_gen.emit.output import is_ours
from validation_gen.emit.webhooks import WebhookSettings
from validation_gen.kubernetes.crd.run import check as check_definition
from validation_gen.kubernetes.registration import check, is_configuration

_APIS = Path(__file__).parents[3] / "testdata" / "apis"
_SETTINGS = WebhookSettings(name="fleet", namespace="fleet-system", types=("apis",))
_MARKED = """\
// +groupName=example.com
package {version}

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=boxes,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.size
{storage}type Box struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BoxSpec `json:"spec,omitempty"`
	Status BoxSpec `json:"status,omitempty"`
}}

type BoxSpec struct {{
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=3
	Size int32 `json:"size,omitempty"`
}}
"""
_BOXES = {
    "go.mod": "module example.com/m\n",
    "v1/types.go": _MARKED.format(version="v1", storage="// +kubebuilder:storageversion\n"),
    "v1beta1/types.go": _MARKED.format(version="v1beta1", storage=""),
}


@cache
def _made(*paths: str, settings: WebhookSettings = _SETTINGS) -> tuple[dict[str, str], list[str]]:
    """The files by path, and the findings that are about them."""
    read = Settings(paths)
    if paths[0].endswith(".json"):
        read = Settings((), definitions=paths)
    made = generate(read, GenerateOptions((PYTHON, WEBHOOKS), webhooks=settings))
    found = [each.message for each in made.findings if each.code.startswith("VG56")]
    return dict(made.outputs[WEBHOOKS.name]), found


def _object(files: dict[str, str], name: str) -> Any:
    return yaml.safe_load(files[name])


def _sample(**changes: Any) -> dict[str, str]:
    settings = WebhookSettings(name="fleet", namespace="fleet-system", types=("apis",), **changes)
    return _made(str(_APIS), settings=settings)[0]


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    Program(tmp_path).write(_BOXES)
    return tmp_path


def test_all_that_is_registered_is_what_a_server_takes() -> None:
    files = _sample(scale=True)
    found = [obj for name in files if name.endswith(".yaml") and is_configuration(obj := _object(files, name))]
    assert sorted(obj["kind"] for obj in found) == ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]
    assert [check(obj) for obj in found] == [[], []]


def test_every_file_is_known_as_ours_and_stands_in_the_base() -> None:
    files = _sample()
    assert all(is_ours(name, text.encode()) for name, text in files.items())
    at_the_top = {name for name in files if "/" not in name} - {"Dockerfile", "kustomization.yaml"}
    assert set(_object(files, "kustomization.yaml")["resources"]) == at_the_top
    assert _sample() == files


def test_what_is_asked_about() -> None:
    hooks = _object(_sample(), "validatingwebhookconfiguration.yaml")["webhooks"]
    rules = {hook["name"]: [(r["apiVersions"], r["resources"], r["scope"]) for r in hook["rules"]] for hook in hooks}
    assert rules == {
        "validate.missions.missions.example.com": [(["v1alpha1"], ["missions", "missions/status"], "*")],
        "validate.routes.missions.example.com": [(["v1alpha1"], ["routes"], "*")],
        "validate.robotpools.robots.example.com": [(["v1"], ["robotpools", "robotpools/status"], "*")],
        "validate.robots.robots.example.com": [(["v1beta1", "v1"], ["robots", "robots/status"], "Cluster")],
    }
    for hook in hooks:
        assert hook["clientConfig"] == {
            "service": {"name": "fleet", "namespace": "fleet-system", "path": "/validate", "port": 443}
        }
        assert (hook["matchPolicy"], hook["sideEffects"], hook["failurePolicy"]) == ("Equivalent", "None", "Fail")
        (spared,) = hook["namespaceSelector"]["matchExpressions"]
        assert (spared["operator"], spared["values"]) == ("NotIn", ["fleet-system", "kube-system"])
        assert len(hook["matchConditions"]) == 1
        assert all(rule["operations"] == ["CREATE", "UPDATE"] for rule in hook["rules"])


def test_kinds_with_defaults_are_changed() -> None:
    hooks = _object(_sample(), "mutatingwebhookconfiguration.yaml")["webhooks"]
    assert {hook["name"]: hook["reinvocationPolicy"] for hook in hooks} == {
        "mutate.robotpools.robots.example.com": "IfNeeded",
        "mutate.robots.robots.example.com": "IfNeeded",
    }
    assert all(not hook.get("matchConditions") for hook in hooks)
    assert "mutatingwebhookconfiguration.yaml" not in _sample(mutate=False)


def test_what_the_body_of_a_subresource_goes_without() -> None:
    _, found = _made(str(_APIS))
    assert found == ["Scale is the body of /scale, and no webhook asks about it"]


def test_settings_are_used() -> None:
    files = _sample(
        image="example.com/fleet:2",
        port=8443,
        replicas=5,
        timeout_seconds=3,
        failure_policy="Ignore",
        arguments=("--x",),
    )
    hook = _object(files, "validatingwebhookconfiguration.yaml")["webhooks"][0]
    assert (hook["timeoutSeconds"], hook["failurePolicy"]) == (3, "Ignore")
    assert "matchConditions" not in hook  # nobody knows what else the server looks at
    deployment = _object(files, "deployment.yaml")["spec"]
    (container,) = deployment["template"]["spec"]["containers"]
    assert (deployment["replicas"], container["image"]) == (5, "example.com/fleet:2")
    assert container["ports"] == [{"containerPort": 8443, "name": "https", "protocol": "TCP"}]
    assert container["command"][-3:] == ["--tls-key", "/certificates/tls.key", "--x"]
    assert "matchConditions" not in _sample(skip_unchanged=False)["validatingwebhookconfiguration.yaml"]


def test_the_pod_may_nothing_and_can_be_ended() -> None:
    files = _sample()
    pod = _object(files, "deployment.yaml")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
    assert section("webhook-serve").keys["shutdown-delay"].default + 10 < pod["terminationGracePeriodSeconds"]
    assert "lifecycle" not in container
    for probe, path in (("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")):
        assert container[probe]["httpGet"] == {"path": path, "port": "https", "scheme": "HTTPS"}
    labels = _object(files, "deployment.yaml")["spec"]["template"]["metadata"]["labels"]
    assert _object(files, "service.yaml")["spec"]["selector"] == labels
    assert _object(files, "networkpolicy.yaml")["spec"]["egress"] == []
    assert not any(name.startswith(("role", "clusterrole")) for name in files)


def test_the_image_has_what_arguments_name() -> None:
    files = _sample(arguments=("--with", "hooks/checks.py"), files=("hooks/checks.py", "apis"))
    copied = [line for line in files["Dockerfile"].splitlines() if line.startswith("COPY ")]
    assert copied.count('COPY ["hooks/checks.py", "/types/hooks/checks.py"]') == 1
    assert len(copied) == len(set(copied))


def test_the_image_runs_what_the_deployment_runs() -> None:
    files = _sample()
    (container,) = _object(files, "deployment.yaml")["spec"]["template"]["spec"]["containers"]
    (line,) = [line for line in files["Dockerfile"].splitlines() if line.startswith("CMD ")]
    assert json.loads(line.removeprefix("CMD ")) == container["command"]
    assert 'COPY ["apis", "/types/apis"]' in files["Dockerfile"]
    options = [word for word in container["command"] if word.startswith("--")]
    assert options == ["--host", "--port", "--tls-cert", "--tls-key"]
    assert set(options) <= {key.option for key in section("webhook-serve").keys.values()}


def test_the_image_has_what_types_are_read_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of packages come from `go.mod`, and types may refer to packages beside the inputs."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(_APIS, tmp_path / "fleet")
    files, _ = _made("fleet/robots/v1", "./fleet/missions/...", settings=WebhookSettings(name="image"))
    copied = [json.loads(line.removeprefix("COPY "))[0] for line in files["Dockerfile"].splitlines() if "COPY" in line]
    assert copied.pop(0) == "wheels"
    assert copied == ["fleet/go.mod", "fleet/robots/v1", "fleet/missions", "fleet/geo"]
    image = tmp_path / "image"
    for path in copied:
        (image / path).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if Path(path).is_dir() else shutil.copy)(path, image / path)
    monkeypatch.chdir(image)
    again, _ = _made("./fleet/robots/v1", "fleet/missions/...", settings=WebhookSettings(name="image"))
    assert again == files


def test_the_server_makes_the_same_validators(boxes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(boxes)
    (boxes / "checks.py").write_text("def positive(value):\n    return []\n", encoding="utf-8")
    read = Settings(
        ("v1", "v1beta1"), rules=RuleSource.SCHEMA, target="1.36", custom=("./checks.py",), modules={"a.b/c": "v1"}
    )
    made = generate(read, GenerateOptions((PYTHON, WEBHOOKS)))
    (container,) = _object(dict(made.outputs[WEBHOOKS.name]), "deployment.yaml")["spec"]["template"]["spec"][
        "containers"
    ]
    assert " ".join(container["command"]).startswith(
        "validation-gen webhook serve v1 v1beta1 --rules schema --target 1.36 --module a.b/c=v1 "
        "--custom-validations checks.py --host 0.0.0.0 "
    )
    assert 'COPY ["checks.py", "/types/checks.py"]' in made.outputs[WEBHOOKS.name]["Dockerfile"]


def test_versions_are_converted_where_that_is_wanted() -> None:
    files = _sample()
    (patch,) = _object(files, "conversion/kustomization.yaml")["patches"]
    change = yaml.safe_load(patch["patch"])
    assert change["metadata"] == {"name": "robots.robots.example.com"}
    assert change["spec"]["conversion"] == {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {
                "service": {"name": "fleet", "namespace": "fleet-system", "path": "/convert", "port": 443}
            },
            "conversionReviewVersions": ["v1"],
        },
    }


def test_definitions_that_are_converted_are_what_a_server_takes() -> None:
    made = generate(Settings((str(_APIS),)), GenerateOptions((CRD,)))
    robots = yaml.safe_load(made.outputs[CRD.name]["robots.example.com_robots.yaml"])
    (patch,) = _object(_sample(), "conversion/kustomization.yaml")["patches"]
    robots["spec"] |= yaml.safe_load(patch["patch"])["spec"]
    assert check_definition(robots) == []


def test_a_name_that_no_server_takes_is_told_at_its_type(boxes: Path) -> None:
    group = ".".join(["a" * 60] * 4)
    for file in boxes.glob("v1*/types.go"):
        file.write_text(file.read_text(encoding="utf-8").replace("example.com", group), encoding="utf-8")
    made = generate(Settings((str(boxes),)), GenerateOptions((PYTHON, WEBHOOKS), webhooks=_SETTINGS))
    found = [each for each in made.findings if each.code == "VG560"]
    assert [each.severity for each in found] == [Severity.ERROR] * 2  # for verdicts, and for defaults
    assert found[0].message.startswith("the API server refuses validatingwebhookconfiguration.yaml: webhooks[0].name: ")
    assert found[0].message.endswith("must be no more than 253 characters")
    assert Path(found[0].span.file).name == "types.go"


def test_kinds_that_are_judged_by_schemas(boxes: Path) -> None:
    """They have a status and a scale of their own, and rules may compare with before, so that all updates count."""
    files, found = _made(str(boxes), settings=_SETTINGS)
    assert found == []
    (hook,) = _object(files, "validatingwebhookconfiguration.yaml")["webhooks"]
    assert (hook["name"], "matchConditions" in hook) == ("validate.boxes.example.com", False)
    (rule,) = hook["rules"]
    assert (rule["apiVersions"], rule["resources"], rule["scope"]) == (
        ["v1beta1", "v1"],
        ["boxes", "boxes/status"],
        "Cluster",
    )
    assert "boxes.example.com" in files["conversion/kustomization.yaml"]
    assert "mutatingwebhookconfiguration.yaml" in files


def test_a_scale_is_asked_about_if_that_is_wanted(boxes: Path) -> None:
    settings = WebhookSettings(scale=True, types=("apis",))
    (hook,) = _object(_made(str(boxes), settings=settings)[0], "validatingwebhookconfiguration.yaml")["webhooks"]
    assert hook["rules"][0]["resources"] == ["boxes", "boxes/status", "boxes/scale"]


def test_kinds_of_definitions(tmp_path: Path) -> None:
    manifest = tmp_path / "things.json"
    manifest.write_text(definition(3), encoding="utf-8")
    files, found = _made(str(manifest))
    assert found == []
    (hook,) = _object(files, "validatingwebhookconfiguration.yaml")["webhooks"]
    assert hook["rules"][0]["resources"] == ["things"]
    assert "mutatingwebhookconfiguration.yaml" not in files


def test_types_of_which_no_image_can_be_built(tmp_path: Path) -> None:
    Program(tmp_path).write({"v1/doc.go": DOC, "v1/types.go": TYPES})
    files, found = _made(str(tmp_path / "v1"), settings=WebhookSettings())
    assert found == [f"no image can be built with {tmp_path / 'v1'}, so it is to have the types in types"]
    assert str(tmp_path) not in "".join(files.values())


def test_nothing_is_written_for_nothing(tmp_path: Path) -> None:
    Program(tmp_path).write({"v1/doc.go": DOC, "v1/types.go": "package v1\n\ntype Thing struct{}\n"})
    assert _made(str(tmp_path / "v1")) == ({}, [])


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl, which has kustomize, is not here")
def test_kustomize_builds_the_base_and_its_components(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.write({f"webhooks/{name}": text for name, text in _sample().items()})
    defined: dict[str, Any] = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    defined["metadata"] = {"name": "robots.robots.example.com"}
    overlays = {
        "base": ([], []),
        "managed": (["definition.yaml"], ["conversion", "cert-manager"]),
    }
    for overlay, (resources, components) in overlays.items():
        kustomization = {
            "resources": ["../webhooks", *resources],
            "components": [f"../webhooks/{each}" for each in components],
        }
        program.write(
            {
                f"{overlay}/kustomization.yaml": json.dumps(kustomization),
                f"{overlay}/definition.yaml": json.dumps(defined | {"spec": {"group": "robots.example.com"}}),
            }
        )
    built = {}
    for overlay in overlays:
        command = ["kubectl", "kustomize", str(program.directory / overlay)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        built[overlay] = [obj for obj in yaml.safe_load_all(done.stdout) if obj]
    assert "caBundle" not in json.dumps(built["base"])
    told = [obj["metadata"].get("annotations", {}) for obj in built["managed"]]
    assert sum("cert-manager.io/inject-ca-from" in each for each in told) == 3
