"""A policy and its binding as people write them, to be changed by tests."""

from __future__ import annotations

from typing import Any

RULE = {
    "apiGroups": ["fleet.example.com"],
    "apiVersions": ["v1"],
    "operations": ["CREATE", "UPDATE"],
    "resources": ["robots"],
}


def policy(**spec: Any) -> dict[str, Any]:
    """A ValidatingAdmissionPolicy; what is given replaces parts of its specification."""
    whole = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [RULE]},
        "validations": [{"expression": "object.spec.wheels < 8"}],
    } | spec
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": "wheels"},
        "spec": {key: value for key, value in whole.items() if value is not None},
    }


def binding(**spec: Any) -> dict[str, Any]:
    """A binding of it."""
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": "everywhere"},
        "spec": {"policyName": "wheels", "validationActions": ["Deny"]} | spec,
    }


def mutating(*expressions: str, patch_type: str = "JSONPatch", **spec: Any) -> dict[str, Any]:
    """A MutatingAdmissionPolicy with a mutation for each expression."""
    own = "jsonPatch" if patch_type == "JSONPatch" else "applyConfiguration"
    mutations = [{"patchType": patch_type, own: {"expression": each}} for each in expressions]
    whole = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [RULE]},
        "reinvocationPolicy": "Never",
        "mutations": mutations,
    } | spec
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": "wheels"},
        "spec": {key: value for key, value in whole.items() if value is not None},
    }


def robot(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "fleet.example.com/v1", "kind": "Robot", "metadata": {"name": "r2"}, "spec": spec}
