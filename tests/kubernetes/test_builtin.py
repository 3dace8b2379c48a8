"""The catalogue of built-in kinds says what upstream's types say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kubernetes.builtin_kinds import NEWEST, catalogue, plural
from tests.kubernetes.builtin_lifecycle import FILE, versions
from tests.upstream_packages import API
from validation_gen.kubernetes import builtin
from validation_gen.kubernetes.builtin import find_replacement, kinds, lifecycles


@pytest.mark.skipif(API is None, reason="VALIDATION_GEN_API must name a clone of kubernetes/api with its branches")
def test_the_catalogue_is_that_of_upstream() -> None:
    written = Path(builtin.__file__).with_name("kinds.txt").read_text(encoding="utf-8")
    assert catalogue(str(API)) == written


def test_what_is_known_of_kinds() -> None:
    deployment, policy = kinds()["apps/v1", "Deployment"], kinds()["policy/v1beta1", "PodSecurityPolicy"]
    assert (deployment.plural, deployment.namespaced, deployment.group) == ("deployments", True, "apps")
    assert (policy.plural, policy.namespaced, policy.until) == ("podsecuritypolicies", False, 25)
    assert [deployment.is_served(), policy.is_served(), policy.is_served(24)] == [True, False, True]
    assert kinds()["v1", "Namespace"].group == ""
    assert not kinds()["lifecycle.k8s.io/v1alpha1", "Eviction"].is_served()


def test_names_of_resources() -> None:
    known = {each.kind: each.plural for each in kinds().values()}
    assert all(plural(kind) == name for kind, name in known.items())
    assert [known[kind] for kind in ("Ingress", "NetworkPolicy", "Endpoints", "Role")] == [
        *("ingresses", "networkpolicies", "endpoints", "roles")
    ]


@pytest.mark.skipif(API is None, reason="VALIDATION_GEN_API must name a clone of kubernetes/api with its branches")
def test_the_ends_of_versions_are_those_of_upstream() -> None:
    assert versions(str(API)) == json.loads(FILE.read_text(encoding="utf-8"))["versions"]


def test_both_tables_have_the_same_removals() -> None:
    ends = {key: each.removed for key, each in lifecycles().items() if each.removed and each.removed <= NEWEST}
    untils = {key: each.until for key, each in kinds().items() if each.until is not None}
    assert {key: ends.get(key) for key in untils} == untils
    assert {key for key in ends if key in kinds()} == set(untils)
    noted = json.loads(FILE.read_text(encoding="utf-8"))["notes"]
    assert {tuple(name.split()) for name in noted} <= set(lifecycles())
    silent = [key for key, each in lifecycles().items() if not each.notes and not find_replacement(*key, NEWEST)]
    assert all(lifecycles()[key].removed not in range(16, NEWEST) or "alpha" in key[0] for key in silent)


def test_a_replacement_is_served_by_the_release() -> None:
    def at(version: str, kind: str, minor: int) -> str:
        found = find_replacement(version, kind, minor)
        return f"{found.api_version} {found.kind}" if found else ""

    group = "flowcontrol.apiserver.k8s.io"
    assert [at(f"{group}/v1beta1", "FlowSchema", minor) for minor in (26, 29, 37)] == [
        *(f"{group}/v1beta3 FlowSchema", f"{group}/v1 FlowSchema", f"{group}/v1 FlowSchema")
    ]
    assert at("v1", "Endpoints", 37) == "discovery.k8s.io/v1 EndpointSlice"
    assert at("networking.k8s.io/v1beta1", "IngressClass", 22) == "networking.k8s.io/v1 IngressClass"
    assert at("extensions/v1beta1", "PodSecurityPolicy", 16) == "policy/v1beta1 PodSecurityPolicy"
    assert at("extensions/v1beta1", "PodSecurityPolicy", 25) == at("v1", "ComponentStatus", 37) == ""


def test_warnings_are_those_of_the_server() -> None:
    assert lifecycles()["batch/v1beta1", "CronJob"].warning() == (
        "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob"
    )
    assert lifecycles()["v1", "ComponentStatus"].warning() == "v1 ComponentStatus is deprecated in v1.19+"
