"""What the API server has against policies and bindings when they are created."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kubernetes.policies.samples import RULE, binding, mutating, policy
from tests.tables import each
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import PolicyError, read_binding, read_policy

_PATCH = "[JSONPatch{op: 'remove', path: '/spec/wheels'}]"


def _errors(**spec: Any) -> list[str]:
    return [str(error) for error in policy_errors(read_policy(policy(**spec)))]


def _with(**rule: Any) -> dict[str, Any]:
    return {"matchConstraints": {"resourceRules": [RULE | rule]}}


def test_a_good_one_has_no_errors() -> None:
    assert _errors() == []
    assert binding_errors(read_binding(binding())) == []


@each(
    ("spec", "error"),
    [
        (
            {"failurePolicy": "Maybe"},
            'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
        ),
        ({"matchConstraints": None}, "spec.matchConstraints: Required value"),
        ({"matchConstraints": {}}, "spec.matchConstraints.resourceRules: Required value"),
        (
            {"matchConstraints": {"resourceRules": [RULE], "matchPolicy": "Other"}},
            'spec.matchConstraints.matchPolicy: Unsupported value: "Other": supported values: "Equivalent", "Exact"',
        ),
        (_with(operations=[]), "spec.matchConstraints.resourceRules[0].operations: Required value"),
        (
            _with(operations=["*", "CREATE"]),
            (
                'spec.matchConstraints.resourceRules[0].operations: Invalid value: ["*","CREATE"]: '
                "if '*' is present, must not specify other operations"
            ),
        ),
        (
            _with(operations=["PATCH"]),
            (
                'spec.matchConstraints.resourceRules[0].operations[0]: Unsupported value: "PATCH": supported values: '
                '"*", "CONNECT", "CREATE", "DELETE", "UPDATE"'
            ),
        ),
        (
            _with(apiGroups=["a", "*"]),
            (
                'spec.matchConstraints.resourceRules[0].apiGroups: Invalid value: ["a","*"]: '
                "if '*' is present, must not specify other API groups"
            ),
        ),
        (_with(apiVersions=[""]), "spec.matchConstraints.resourceRules[0].apiVersions[0]: Required value"),
        (
            _with(resources=["a/*", "a/x"]),
            (
                'spec.matchConstraints.resourceRules[0].resources[1]: Invalid value: "a/x": '
                "if 'a/*' is present, must not specify a/x"
            ),
        ),
        (
            _with(resources=["*/*", "a"]),
            (
                'spec.matchConstraints.resourceRules[0].resources: Invalid value: ["*/*","a"]: '
                "if '*/*' is present, must not specify other resources"
            ),
        ),
        (
            _with(scope="Galaxy"),
            (
                'spec.matchConstraints.resourceRules[0].scope: Unsupported value: "Galaxy": supported values: '
                '"*", "Cluster", "Namespaced"'
            ),
        ),
        (
            _with(resourceNames=["r2", "r2"]),
            'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "r2"',
        ),
        (
            {"validations": [{"expression": " "}]},
            "spec.validations[0].expression: Required value: expression is not specified",
        ),
        (
            {"validations": [{"expression": "object.spec.wheels"}]},
            'spec.validations[0].expression: Invalid value: "object.spec.wheels": must evaluate to bool but got dyn',
        ),
        (
            {"validations": [{"expression": "object.x in [1, 2, "}]},
            'spec.validations[0].expression: Invalid value: "object.x in [1, 2, ": compilation failed: ERROR: ',
        ),
        (
            {"validations": [{"expression": "true", "message": "a\nb"}]},
            'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
        ),
        (
            {"validations": [{"expression": "true", "message": " "}]},
            'spec.validations[0].message: Invalid value: " ": message must be non-empty if specified',
        ),
        (
            {"validations": [{"expression": "true", "messageExpression": "true"}]},
            'spec.validations[0].messageExpression: Invalid value: "true": must evaluate to string but got bool',
        ),
        (
            {"validations": [{"expression": "true", "messageExpression": " "}]},
            'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        ),
        (
            {"validations": [{"expression": "true", "messageExpression": "string(authorizer)"}]},
            "undeclared reference to 'authorizer' (in container '')",
        ),
        (
            {"validations": [{"expression": "true", "reason": "Mood"}]},
            (
                'spec.validations[0].reason: Unsupported value: "Mood": supported values: "Forbidden", "Invalid", '
                '"RequestEntityTooLarge"'
            ),
        ),
        (
            {"validations": []},
            "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
        ),
        (
            {"variables": [{"name": "in", "expression": "1"}]},
            'spec.variables[0].name: Invalid value: "in": name is not a valid CEL identifier',
        ),
        (
            {"variables": [{"name": "", "expression": "1"}]},
            "spec.variables[0].name: Required value: name is not specified",
        ),
        ({"variables": [{"name": "a"}]}, "spec.variables[0].expression: Required value: expression is not specified"),
        (
            {"validations": [{"expression": "variables.late"}], "variables": [{"name": "a", "expression": "1"}]},
            "undefined field 'late'",
        ),
        (
            {
                "matchConditions": [{"name": "a", "expression": "variables.a"}],
                "variables": [{"name": "a", "expression": "true"}],
            },
            "undeclared reference to 'variables' (in container '')",
        ),
        (
            {"matchConditions": [{"name": "a", "expression": "true"}] * 2},
            'spec.matchConditions[1].name: Duplicate value: "a"',
        ),
        (
            {"matchConditions": [{"name": f"c{i}", "expression": "true"} for i in range(65)]},
            "spec.matchConditions: Too many: 65: must have at most 64 items",
        ),
        ({"matchConditions": [{"expression": "true"}]}, "spec.matchConditions[0].name: Required value"),
        (
            {"auditAnnotations": [{"key": "a b", "valueExpression": "null"}]},
            'spec.auditAnnotations[0].key: Invalid value: "wheels/a b": name part must consist of alphanumeric',
        ),
        (
            {"auditAnnotations": [{"key": "a", "valueExpression": "1"}]},
            'valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
        ),
        (
            {"auditAnnotations": [{"key": "a", "valueExpression": "'" + "x" * 5120 + "'"}]},
            "spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length",
        ),
        (
            {"auditAnnotations": [{"key": "a", "valueExpression": "null"}] * 2},
            'spec.auditAnnotations[1].key: Duplicate value: "a"',
        ),
        ({"paramKind": {"kind": "ConfigMap"}}, "spec.paramKind.apiVersion: Required value"),
        (
            {"paramKind": {"apiVersion": "a/b/c", "kind": "X"}},
            'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        ),
        (
            {"paramKind": {"apiVersion": "example.com/", "kind": "X"}},
            'spec.paramKind.apiVersion: Invalid value: "example.com/": version must be specified',
        ),
        (
            {"paramKind": {"apiVersion": "v1", "kind": "1X"}},
            'spec.paramKind.kind: Invalid value: "1X": may have mixed case, but should otherwise match: ',
        ),
        ({"validations": [{"expression": "params.x == 1"}]}, "undeclared reference to 'params' (in container '')"),
    ],
)
def test_policies(spec: dict[str, Any], error: str) -> None:
    found = _errors(**spec)
    assert any(error in each for each in found), found
    if error.startswith("spec.") and "validations or audit" not in error:
        assert len(found) == 1


def test_names_and_labels_are_those_of_objects() -> None:
    whole = policy() | {"metadata": {"name": "A b", "labels": {"a": "b c", "d": None}}}
    found = [str(error) for error in policy_errors(read_policy(whole))]
    assert found[0].startswith('metadata.name: Invalid value: "A b": a lowercase RFC 1123 subdomain')
    assert found[1].startswith('metadata.labels: Invalid value: "b c": a valid label must be')
    assert len(found) == 2


@each(
    ("spec", "error"),
    [
        ({"policyName": ""}, "spec.policyName: Required value"),
        ({"policyName": "A b"}, 'spec.policyName: Invalid value: "A b": a lowercase RFC 1123 subdomain'),
        (
            {"validationActions": []},
            "spec.validationActions: Required value: at least one validation action is required",
        ),
        (
            {"validationActions": ["Shout"]},
            'spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
        ),
        ({"validationActions": ["Deny", "Deny"]}, 'spec.validationActions[1]: Duplicate value: "Deny"'),
        (
            {"validationActions": ["Deny", "Warn"]},
            (
                'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn '
                "(repeating the same validation failure information in the API response and headers serves no purpose)"
            ),
        ),
        (
            {"paramRef": {"parameterNotFoundAction": "Deny"}},
            "spec.paramRef: Required value: one of name or selector must be specified",
        ),
        ({"paramRef": {"name": "x"}}, "spec.paramRef.parameterNotFoundAction: Required value"),
        (
            {"paramRef": {"name": "a/b", "parameterNotFoundAction": "Deny"}},
            "spec.paramRef.name: Invalid value: \"a/b\": may not contain '/'",
        ),
        (
            {"paramRef": {"name": "x", "parameterNotFoundAction": "Panic"}},
            'spec.paramRef.parameterNotFoundAction: Unsupported value: "Panic": supported values: "Deny", "Allow"',
        ),
        (
            {"matchResources": {"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}}},
            (
                "spec.matchResouces.namespaceSelector.matchExpressions[0].values: Required value: "
                "must be specified when `operator` is 'In' or 'NotIn'"
            ),
        ),
    ],
)
def test_bindings(spec: dict[str, Any], error: str) -> None:
    (found,) = map(str, binding_errors(read_binding(binding(**spec))))
    assert found.startswith(error)


def test_a_name_and_a_selector_rule_each_other_out() -> None:
    ref = {"name": "x", "selector": {}, "parameterNotFoundAction": "Deny"}
    assert [str(error) for error in binding_errors(read_binding(binding(paramRef=ref)))] == [
        "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
        "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
    ]


@each(
    ("manifest", "error"),
    [
        (mutating(), "spec.mutations: Required value: mutations must contain at least one item"),
        (mutating(_PATCH, reinvocationPolicy=None), "spec.reinvocationPolicy: Required value"),
        (
            mutating(_PATCH, reinvocationPolicy="Often"),
            'spec.reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
        ),
        (mutating("1"), "must evaluate to list(JSONPatch) but got int"),
        (mutating("[JSONPatch{op: 1}]"), "expected type of field 'op' is 'string' but provided type is 'int'"),
        (mutating("[JSONPatch{where: 'x'}]"), "undefined field 'where'"),
        (mutating("JSONPatch{}", patch_type="ApplyConfiguration"), "must evaluate to Object but got JSONPatch"),
        (mutating("x", mutations=[{"patchType": "Merge"}]), 'patchType: Unsupported value: "Merge"'),
        (mutating("x", mutations=[{}]), "spec.mutations[0].patchType: Required value"),
    ],
)
def test_mutations(manifest: dict[str, Any], error: str) -> None:
    found = [str(each) for each in policy_errors(read_policy(manifest))]
    assert len(found) == 1
    assert error in found[0]


def test_a_mutation_has_what_its_type_says() -> None:
    mutations = [{"patchType": "JSONPatch", "applyConfiguration": {"expression": "Object{}"}}]
    assert [str(error) for error in policy_errors(read_policy(mutating(mutations=mutations)))] == [
        "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
        (
            'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": '
            "must not be specified when patchType is JSONPatch"
        ),
    ]


def test_what_is_deleted_is_not_changed() -> None:
    rules = {
        "resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "operations": ["DELETE"]}]
    }
    error = 'operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"'
    patch = mutating("[JSONPatch{op: 'remove', path: '/spec'}]", matchConstraints=rules)
    assert [str(each) for each in policy_errors(read_policy(patch))] == [f"spec.matchConstraints.resourceRules.{error}"]
    bound = {"policyName": "x", "matchResources": rules}
    manifest = binding() | {"kind": "MutatingAdmissionPolicyBinding", "spec": bound}
    assert [str(each) for each in binding_errors(read_binding(manifest))] == [
        f"spec.matchResources.resourceRules.{error}"
    ]


def test_good_mutations_have_no_errors() -> None:
    patch = "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'x'}]"
    assert policy_errors(read_policy(mutating(patch))) == []
    applied = "Object{spec: Object.spec{wheels: 4}}"
    assert policy_errors(read_policy(mutating(applied, patch_type="ApplyConfiguration"))) == []


@each(
    ("manifest", "said"),
    [
        ([], "the manifest is not an object"),
        ({"kind": "Pod", "apiVersion": "v1"}, "this is 'Pod' of 'v1'"),
        (policy() | {"spec": 3}, "spec is not an object"),
        (policy(validations=[3]), "spec.validations[0] is not an object"),
        (policy(validations={}), "spec.validations is not a list"),
        (policy(validations=[{"expression": 3}]), "spec.validations[0].expression is not a string"),
        (policy(**_with(operations=[None])), "spec.matchConstraints.resourceRules[0].operations has something"),
        (
            policy(matchConstraints={"namespaceSelector": {"matchLabels": {"a": 1}}}),
            "spec.matchConstraints.namespaceSelector is no selector of labels",
        ),
        (policy() | {"metadata": {"labels": {"a": 1}}}, "metadata.labels"),
    ],
)
def test_what_cannot_be_read_is_told(manifest: Any, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_policy(manifest)
    assert said in str(caught.value)
