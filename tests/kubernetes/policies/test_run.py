"""What the API server has against one policy or binding, with the path that it names."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import each
from validation_gen.kubernetes.policies.checking import is_policy, problems

API = "admissionregistration.k8s.io/v1"
RULES = [{"apiGroups": ["a"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["bs"]}]


def policy(expression: str, **more: Any) -> dict[str, Any]:
    spec = {"matchConstraints": {"resourceRules": RULES}, "validations": [{"expression": expression}], **more}
    return {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "a"}, "spec": spec}


def test_a_policy_that_is_right() -> None:
    assert is_policy(policy("true"))
    assert problems(policy("object.spec.size < 3")) == []


def test_an_expression_that_is_wrong_is_told_at_its_place() -> None:
    ((path, text),) = problems(policy("1"))
    assert path == "spec.validations[0].expression"
    assert text.startswith('spec.validations[0].expression: Invalid value: "1": must evaluate to bool')


def test_bindings() -> None:
    binding = {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "a"}, "spec": {}}
    assert [path for path, _ in problems(binding)] == ["spec.policyName", "spec.validationActions"]


@pytest.mark.parametrize("spec", [None, [], {"validations": 3}, {"validations": [None]}, {"variables": [{"name": 1}]}])
def test_what_cannot_be_read_is_told(spec: Any) -> None:
    assert problems({**policy("true"), "spec": spec})


@each("obj", [None, [], {}, {"apiVersion": API}, {"apiVersion": API, "kind": []}, {"kind": "Pod"}])
def test_other_objects(obj: Any) -> None:
    assert not is_policy(obj)
