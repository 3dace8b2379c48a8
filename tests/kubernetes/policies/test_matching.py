"""Which requests a policy or a binding is about."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.policies.samples import RULE, policy
from tests.tables import each
from validation_gen.kubernetes.policies.matching import find_match, matches
from validation_gen.kubernetes.policies.reading import read_policy
from validation_gen.kubernetes.policies.requests import GroupVersionResource, Request

_ROBOTS = GroupVersionResource("fleet.example.com", "v1", "robots")


def _matches(constraints: dict[str, Any], request: Request) -> bool:
    return matches(read_policy(policy(matchConstraints=constraints)).constraints, request, needed=True)


@each(
    ("resources", "subresource", "matched"),
    [
        (["robots"], "", True),
        (["robots"], "status", False),
        (["robots/status"], "status", True),
        (["robots/*"], "status", True),
        (["robots/*"], "", True),
        (["*"], "", True),
        (["*"], "status", False),
        (["*/status"], "status", True),
        (["*/*"], "scale", True),
        (["carts"], "", False),
    ],
)
def test_resources(resources: list[str], subresource: str, matched: bool) -> None:
    rule = RULE | {"resources": resources}
    assert _matches({"resourceRules": [rule]}, Request({}, resource=_ROBOTS, subresource=subresource)) is matched


@each(
    ("rule", "matched"),
    [
        ({}, True),
        ({"operations": ["*"]}, True),
        ({"operations": ["DELETE"]}, False),
        ({"apiGroups": ["*"], "apiVersions": ["*"]}, True),
        ({"apiVersions": ["v2"]}, False),
        ({"scope": "Namespaced"}, True),
        ({"scope": "Cluster"}, False),
        ({"resourceNames": ["r2"]}, True),
        ({"resourceNames": ["c3"]}, False),
    ],
)
def test_rules(rule: dict[str, Any], matched: bool) -> None:
    request = Request({}, resource=_ROBOTS, name="r2", namespace="depot")
    assert _matches({"resourceRules": [RULE | rule]}, request) is matched
    assert _matches({"resourceRules": [RULE], "excludeResourceRules": [RULE | rule]}, request) is not matched


@each(
    ("selector", "matched"),
    [
        ({}, True),
        ({"matchLabels": {"stage": "live"}}, True),
        ({"matchLabels": {"stage": "test"}}, False),
        ({"matchExpressions": [{"key": "stage", "operator": "In", "values": ["live", "test"]}]}, True),
        ({"matchExpressions": [{"key": "stage", "operator": "NotIn", "values": ["live"]}]}, False),
        ({"matchExpressions": [{"key": "none", "operator": "NotIn", "values": ["live"]}]}, True),
        ({"matchExpressions": [{"key": "none", "operator": "DoesNotExist"}]}, True),
        ({"matchExpressions": [{"key": "stage", "operator": "Exists"}]}, True),
        ({"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["depot"]}]}, True),
    ],
)
def test_namespaces(selector: dict[str, Any], matched: bool) -> None:
    namespace = {"metadata": {"name": "depot", "labels": {"stage": "live"}}}
    request = Request({}, resource=_ROBOTS, namespace="depot", namespace_object=namespace)
    assert _matches({"resourceRules": [RULE], "namespaceSelector": selector}, request) is matched
    without = Request({}, resource=_ROBOTS)
    assert _matches({"resourceRules": [RULE], "namespaceSelector": selector}, without)


def test_labels_of_the_object_or_the_old_one() -> None:
    live: dict[str, Any] = {"metadata": {"labels": {"stage": "live"}}}
    plain: dict[str, Any] = {"metadata": {}}
    constraints = {"resourceRules": [RULE], "objectSelector": {"matchLabels": {"stage": "live"}}}
    for new, old, matched in ((live, None, True), (plain, None, False), (plain, live, True)):
        assert _matches(constraints, Request(new, old, resource=_ROBOTS)) is matched
    assert not _matches(constraints, Request({"metadata": {"labels": 3}}, resource=_ROBOTS))


def test_policies_are_not_about_policies() -> None:
    anything = RULE | {"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}
    own = GroupVersionResource("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies")
    assert not _matches({"resourceRules": [anything]}, Request({}, resource=own))


@each(
    ("constraints", "found"),
    [
        ({"resourceRules": [RULE]}, "v1"),
        ({"resourceRules": [RULE], "matchPolicy": "Exact"}, ""),
        ({"resourceRules": [RULE | {"apiVersions": ["v3", "v2"]}]}, "v2"),
        ({"resourceRules": [RULE | {"apiVersions": ["v3"]}, RULE]}, "v3"),
        ({"resourceRules": [RULE], "excludeResourceRules": [RULE | {"apiVersions": ["v3"]}]}, ""),
    ],
)
def test_equivalent_versions(constraints: dict[str, Any], found: str) -> None:
    request = Request({}, resource=GroupVersionResource("fleet.example.com", "v2", "robots"))
    known = [GroupVersionResource("fleet.example.com", version, "robots") for version in ("v1", "v2", "v3")]
    resources = read_policy(policy(matchConstraints=constraints)).constraints
    match = find_match(resources, request, known, needed=True)
    assert ("" if match is None else match.version) == found
