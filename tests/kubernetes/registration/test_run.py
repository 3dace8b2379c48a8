"""What an API server has against configurations of webhooks, in its words: `validation_test.go` of upstream, and more.

Expected texts follow `pkg/apis/admissionregistration/validation` of `k8s.io/kubernetes`.
"""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.registration import check, is_configuration

_HOOK: dict[str, Any] = {
    "name": "webhook.k8s.io",
    "admissionReviewVersions": ["v1"],
    "sideEffects": "None",
    "clientConfig": {"service": {"name": "n", "namespace": "ns", "path": "/validate", "port": 443}},
    "rules": [
        {
            "operations": ["CREATE", "UPDATE"],
            "apiGroups": ["a.example.com"],
            "apiVersions": ["v1"],
            "resources": ["pods", "pods/status"],
            "scope": "*",
        }
    ],
}

#: The server's words for a text that is no label by RFC 1035.
LABEL = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
)


def _configuration(*hooks: dict[str, Any], kind: str = "ValidatingWebhookConfiguration") -> dict[str, Any]:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "config"},
        "webhooks": [copy.deepcopy(hook) for hook in hooks],
    }


def _said(obj: dict[str, Any]) -> list[str]:
    return [finding.message for finding in check(obj)]


def _with(path: str, value: Any) -> dict[str, Any]:
    """A hook with another value at a place, or without it (`None`)."""
    *above, last = path.split(".")
    root = copy.deepcopy(_HOOK)
    place: Any = root
    for step in above:
        place = place[int(step)] if step.isdigit() else place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return root


def test_a_good_one() -> None:
    assert _said(_configuration(_HOOK)) == []
    assert _said(_configuration(_HOOK, kind="MutatingWebhookConfiguration")) == []
    assert _said(_configuration()) == []


_SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)


@each(
    ("path", "value", "where", "said"),
    [
        ("name", "", ".name", "Required value"),
        (
            "name",
            "k8s.io",
            ".name",
            'Invalid value: "k8s.io": should be a domain with at least three segments separated by dots',
        ),
        ("name", "A.k8s.io", ".name", f'Invalid value: "A.k8s.io": {_SUBDOMAIN}'),
        ("sideEffects", None, ".sideEffects", "Required value: must specify one of None, NoneOnDryRun"),
        ("sideEffects", "Some", ".sideEffects", 'Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'),
        ("failurePolicy", "other", ".failurePolicy", 'Unsupported value: "other": supported values: "Fail", "Ignore"'),
        ("matchPolicy", "other", ".matchPolicy", 'Unsupported value: "other": supported values: "Equivalent", "Exact"'),
        (
            "timeoutSeconds",
            0,
            ".timeoutSeconds",
            "Invalid value: 0: the timeout value must be between 1 and 30 seconds",
        ),
        (
            "timeoutSeconds",
            31,
            ".timeoutSeconds",
            "Invalid value: 31: the timeout value must be between 1 and 30 seconds",
        ),
        ("admissionReviewVersions", [], ".admissionReviewVersions", "Required value: must specify one of v1, v1beta1"),
        (
            "admissionReviewVersions",
            ["v1", None],
            ".admissionReviewVersions[1]",
            'Invalid value: "": ' + LABEL,
        ),
        (
            "admissionReviewVersions",
            ["v1", "v1"],
            ".admissionReviewVersions[1]",
            'Invalid value: "v1": duplicate version',
        ),
        (
            "admissionReviewVersions",
            ["v2"],
            ".admissionReviewVersions",
            'Invalid value: ["v2"]: must include at least one of v1, v1beta1',
        ),
        ("clientConfig", {}, ".clientConfig", "Required value: exactly one of url or service is required"),
        ("clientConfig.url", "https://x", ".clientConfig", "Required value: exactly one of url or service is required"),
        (
            "clientConfig.service.port",
            0,
            ".clientConfig.service.port",
            "Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
        ),
        (
            "clientConfig.service.path",
            "foo",
            ".clientConfig.service.path",
            "Invalid value: \"foo\": must start with a '/'",
        ),
        (
            "clientConfig.service.path",
            "//",
            ".clientConfig.service.path",
            'Invalid value: "//": segment[0] may not be empty',
        ),
        ("clientConfig.service.name", "", ".clientConfig.service.namespace", "Required value"),
        ("rules.0.operations", [], ".rules[0].operations", "Required value"),
        (
            "rules.0.operations",
            ["PATCH"],
            ".rules[0].operations[0]",
            'Unsupported value: "PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        ),
        (
            "rules.0.operations",
            ["CREATE", "*"],
            ".rules[0].operations",
            'Invalid value: ["CREATE","*"]: if \'*\' is present, must not specify other operations',
        ),
        ("rules.0.apiGroups", [], ".rules[0].apiGroups", "Required value"),
        (
            "rules.0.apiGroups",
            ["a", "*"],
            ".rules[0].apiGroups",
            'Invalid value: ["a","*"]: if \'*\' is present, must not specify other API groups',
        ),
        ("rules.0.apiVersions", [], ".rules[0].apiVersions", "Required value"),
        ("rules.0.apiVersions", [""], ".rules[0].apiVersions[0]", "Required value"),
        (
            "rules.0.apiVersions",
            ["v1", "*"],
            ".rules[0].apiVersions",
            'Invalid value: ["v1","*"]: if \'*\' is present, must not specify other API versions',
        ),
        ("rules.0.resources", [], ".rules[0].resources", "Required value"),
        ("rules.0.resources", [""], ".rules[0].resources[0]", "Required value"),
        (
            "rules.0.resources",
            ["*/*", "a"],
            ".rules[0].resources",
            'Invalid value: ["*/*","a"]: if \'*/*\' is present, must not specify other resources',
        ),
        (
            "rules.0.resources",
            ["*", "a"],
            ".rules[0].resources",
            ('Invalid value: ["*","a"]: if \'*\' is present, must not specify other resources without subresources'),
        ),
        (
            "rules.0.resources",
            ["a/*", "a/x"],
            ".rules[0].resources[1]",
            "Invalid value: \"a/x\": if 'a/*' is present, must not specify a/x",
        ),
        (
            "rules.0.resources",
            ["*/a", "x/a"],
            ".rules[0].resources[1]",
            "Invalid value: \"x/a\": if '*/a' is present, must not specify x/a",
        ),
        (
            "rules.0.scope",
            "all",
            ".rules[0].scope",
            'Unsupported value: "all": supported values: "*", "Cluster", "Namespaced"',
        ),
        (
            "namespaceSelector",
            {"matchExpressions": [{"key": "a", "operator": "NotIn"}]},
            ".namespaceSelector.matchExpressions[0].values",
            "Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ),
        (
            "objectSelector",
            {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]},
            ".objectSelector.matchExpressions[0].values",
            "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
        (
            "objectSelector",
            {"matchExpressions": [{"key": "a", "operator": "Is"}]},
            ".objectSelector.matchExpressions[0].operator",
            'Invalid value: "Is": not a valid selector operator',
        ),
        ("matchConditions", [{"name": "", "expression": "true"}], ".matchConditions[0].name", "Required value"),
        ("matchConditions", [{"name": "a", "expression": " "}], ".matchConditions[0].expression", "Required value"),
        (
            "matchConditions",
            [{"name": "a", "expression": "object.x"}],
            ".matchConditions[0].expression",
            'Invalid value: "object.x": must evaluate to bool but got dyn',
        ),
        (
            "matchConditions",
            [{"name": "a", "expression": "true"}] * 2,
            ".matchConditions[1].name",
            'Duplicate value: "a"',
        ),
        (
            "matchConditions",
            [{"name": f"n{i}", "expression": "true"} for i in range(65)],
            ".matchConditions",
            "Too many: 65: must have at most 64 items",
        ),
    ],
)
def test_mistakes(path: str, value: Any, where: str, said: str) -> None:
    found = _said(_configuration(_with(path, value)))
    assert found == [f"webhooks[0]{where}: {said}"]


def test_what_a_condition_may_name() -> None:
    for expression in (
        "request.userInfo.groups.exists(g, g == 'a') && has(request.namespace)",
        "authorizer.group('').resource('pods').check('get').allowed()",
        "authorizer.requestResource.check('breakglass').allowed()",
        "namespaceObject.metadata.labels['a'] == 'b'",
        "object == oldObject",
    ):
        assert _said(_configuration(_with("matchConditions", [{"name": "a", "expression": expression}]))) == []
    for expression, problem in (
        ("params.x", "undeclared reference to 'params'"),
        ("variables.x", "undeclared reference to 'variables'"),
        ("request.object", "undefined field 'object'"),
        ("true &&", "Syntax error"),
    ):
        (said,) = _said(_configuration(_with("matchConditions", [{"name": "a", "expression": expression}])))
        assert f'"{expression}": compilation failed: ERROR: <input>:1:' in said
        assert problem in said


def test_names_are_not_repeated() -> None:
    assert _said(_configuration(_HOOK, _HOOK)) == ['webhooks[1].name: Duplicate value: "webhook.k8s.io"']


def test_reinvocation_is_for_changes() -> None:
    hook = _HOOK | {"reinvocationPolicy": "Always"}
    text = 'reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"'
    assert _said(_configuration(hook, kind="MutatingWebhookConfiguration")) == [f"webhooks[0].{text}"]
    (finding,) = check(_configuration(hook))
    assert (finding.severity, finding.message) == (
        Severity.WARNING,
        'unknown field "webhooks[0].reinvocationPolicy"',
    )


def test_what_does_not_decode_hides_the_rest() -> None:
    said = _said(_configuration(_HOOK | {"timeoutSeconds": "10", "name": ""}))
    text = "cannot unmarshal string into Go struct field ValidatingWebhook.webhooks.timeoutSeconds of type int32"
    assert said == [f"json: {text}"]
    old = _configuration(_HOOK) | {"apiVersion": "admissionregistration.k8s.io/v1beta1"}
    assert _said(old) == [
        'no matches for kind "ValidatingWebhookConfiguration" in version "admissionregistration.k8s.io/v1beta1"'
    ]


def test_metadata() -> None:
    obj: dict[str, Any] = _configuration(_HOOK) | {"metadata": {"namespace": "ignored"}}
    assert _said(obj) == ["metadata.name: Required value: name or generateName is required"]


def test_places_lead_into_the_file() -> None:
    (finding,) = check(_configuration(_with("rules.0.resources", ["a", ""])))
    assert finding.keys == ("webhooks", 0, "rules", 0, "resources", 1)


def test_others_are_none() -> None:
    others: list[Any] = [None, [], {}, {"kind": "ValidatingWebhookConfiguration"}, {"kind": [], "apiVersion": "a/v1"}]
    for obj in others:
        assert not is_configuration(obj)
    assert is_configuration(_configuration())


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 70000)
    | st.text(max_size=5)
    | st.sampled_from(["*", "a/*", "v1", "Fail"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*_HOOK, *_HOOK["rules"][0], "url", "service", "key", "matchConditions"]), inner
        )
    ),
    max_leaves=20,
)


@given(st.sampled_from([*_HOOK, "matchConditions", "namespaceSelector", "timeoutSeconds", "metadata"]), _VALUES)
def test_nothing_raises(name: str, value: Any) -> None:
    obj = _configuration(_HOOK | {name: value})
    check(obj)
    check(obj | {name: value})
    check(obj | {"webhooks": value})
