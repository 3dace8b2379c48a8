"""A server takes the manifests that are written for it, and does with them what they are for."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.cli.conftest import Program
from tests.parties import Parties
from tests.webhooks.ours import APIS, OPTIONS, registry
from tests.webhooks.recorded import ADMISSIONS, review_of
from validation_gen.webhooks.reviews import WRITING

#: Of kinds that are not of Kubernetes itself.
FOREIGN = ("cert-manager.io/", "kustomize.config.k8s.io/")
#: Manifests are written for options that are off, unless somebody says otherwise.
OFF = dict.fromkeys(OPTIONS, False)


def _written(program: Program, name: str, *args: str) -> list[dict[str, Any]]:
    """All objects that the emitter writes for the sample API."""
    done = program("generate", APIS, "--output-dir", "generated", "--emit", f"{name}={name}", "--keep-going", *args)
    assert done.code in (0, 1), done.err
    files = sorted((program.directory / name).rglob("*.yaml"))
    assert files, done.err
    return [found for path in files for found in yaml.safe_load_all(path.read_text(encoding="utf-8")) if found]


def _asked(name: str) -> dict[str, Any]:
    """A recorded request, as if its client had asked for the version that it is in."""
    request: dict[str, Any] = review_of(name)["request"]
    return {key: value for key, value in request.items() if key not in ("requestKind", "requestResource")}


def _is_refused(request: dict[str, Any]) -> bool:
    kind = registry().of_object(request["object"])
    old = request["oldObject"] if request["operation"] == "UPDATE" else None
    subresource = f"/{request.get('subResource', '')}"
    return kind is not None and bool(
        registry().validate(request["object"], old, options=OFF, subresource=subresource, raw=True)
    )


def test_manifests(program: Program, parties: Parties) -> None:
    written = _written(program, "webhooks")
    known = [each for each in written if not each["apiVersion"].startswith(FOREIGN)]
    assert {"Deployment", "Service", "NetworkPolicy", "PodDisruptionBudget"} <= {each["kind"] for each in known}
    for each in known:
        op = "webhook-config" if each["kind"].endswith("WebhookConfiguration") else "decode"
        assert parties.ask(op, object=each)["errors"] == [], each["kind"]


def test_all_that_may_be_refused_is_asked_about(program: Program, parties: Parties) -> None:
    configurations = [each for each in _written(program, "webhooks") if each["kind"].endswith("WebhookConfiguration")]
    asked = refused = 0
    for name in ADMISSIONS:
        request = _asked(name)
        allowed = {"uid": request["uid"], "allowed": True}
        answer = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": allowed}
        said = parties.ask(
            "admit",
            request={"request": request},
            configurations=configurations,
            answers={"": answer},
            request_uid=request["uid"],
        )
        assert said["allowed"], said["kubectl"]
        is_asked = any("/validate?" in call["url"] for call in said["calls"])
        is_refused = request["operation"] in WRITING and request.get("subResource") != "scale" and _is_refused(request)
        assert is_asked or not is_refused, name
        asked += is_asked
        refused += is_refused
    assert refused > 5
    assert refused < asked < len(ADMISSIONS)


@pytest.fixture
def policies(program: Program) -> list[dict[str, Any]]:
    return _written(program, "policies")


def test_policies(policies: list[dict[str, Any]], program: Program, parties: Parties) -> None:
    definitions = _written(program, "crd")
    for each in definitions:
        assert parties.check_crd(each) == ()
    kinds = set()
    for each in policies:
        said = parties.ask("policy", object=each, crds=definitions)
        assert (said["errors"], said.get("typeWarnings", [])) == ([], []), each["metadata"]["name"]
        kinds.add(each["kind"])
    assert {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"} <= kinds


def test_policies_say_what_validators_say(policies: list[dict[str, Any]], parties: Parties) -> None:
    allowed = refused = 0
    for each in policies:
        if each["kind"] != "ValidatingAdmissionPolicy":
            continue
        [rule] = each["spec"]["matchConstraints"]["resourceRules"]
        for request in map(_asked, ADMISSIONS):
            name = request["resource"]["resource"]
            path = f"{name}/{request['subResource']}" if "subResource" in request else name
            of_rule = request["resource"]["version"] in rule["apiVersions"] and path in rule["resources"]
            if request["resource"]["group"] not in rule["apiGroups"] or not of_rule:
                continue
            if request["operation"] not in rule["operations"]:
                continue
            [said] = parties.ask("policy-eval", object=each, requests=[request])["results"]
            assert all(decision["evaluation"] != "error" for decision in said["decisions"]), said
            assert said["allowed"] is not _is_refused(request), (request["name"], said)
            allowed += said["allowed"]
            refused += not said["allowed"]
    assert min(allowed, refused) > 5
