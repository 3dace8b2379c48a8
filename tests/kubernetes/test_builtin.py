"""The catalogue of built-in kinds says what upstream's types say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kubernetes.builtin_kinds import catalogue, plural
from tests.upstream_packages import API
from validation_gen.kubernetes import builtin
from validation_gen.kubernetes.builtin import kinds


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
