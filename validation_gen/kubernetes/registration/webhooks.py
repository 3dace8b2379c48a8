"""What is demanded of one webhook of a configuration, in the order and the words of the API server.

Source of the behaviour: `pkg/apis/admissionregistration/validation/validation.go` of `k8s.io/kubernetes`, and
`pkg/apis/meta/v1/validation` of `k8s.io/apimachinery` for selectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.kubernetes.crd.conversion import check_client
from validation_gen.kubernetes.crd.definition import read_client
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import JsonObject
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.kubernetes.registration.conditions import check_conditions
from validation_gen.runtime import names

CODE = "VG560"
#: The versions of reviews that a server of 1.22 or later can send.
REVIEWS = ("v1", "v1beta1")
_POLICIES, _MATCHES, _INVOCATIONS = ("Fail", "Ignore"), ("Equivalent", "Exact"), ("IfNeeded", "Never")
_SIDE_EFFECTS = ("None", "NoneOnDryRun")
_OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_SCOPES = ("*", "Cluster", "Namespaced")
_LONGEST = 30  # seconds


def check_webhook(hook: JsonObject, place: Place, report: Report, *, mutating: bool) -> None:
    """All that is wrong with one webhook, but for its name being that of another one."""
    _check_name(hook.get("name") or "", place.child("name"), report)
    for index, rule in enumerate(hook.get("rules") or ()):
        _check_rule(rule or {}, place.child("rules").index(index), report)
    _check_choice(hook, "failurePolicy", _POLICIES, place, report)
    _check_choice(hook, "matchPolicy", _MATCHES, place, report)
    if hook.get("sideEffects") is None:
        detail = f"must specify one of {', '.join(_SIDE_EFFECTS)}"
        report.required(CODE, place.child("sideEffects"), detail, "write None")
    _check_choice(hook, "sideEffects", _SIDE_EFFECTS, place, report)
    seconds = hook.get("timeoutSeconds")
    if seconds is not None and not 1 <= seconds <= _LONGEST:
        detail = f"the timeout value must be between 1 and {_LONGEST} seconds"
        report.invalid(CODE, place.child("timeoutSeconds"), seconds, detail)
    for name in ("namespaceSelector", "objectSelector"):
        _check_selector(hook.get(name) or {}, place.child(name), report)
    if mutating:
        _check_choice(hook, "reinvocationPolicy", _INVOCATIONS, place, report)
    check_client(read_client(hook.get("clientConfig") or {}), place.child("clientConfig"), report, CODE)
    conditions = [condition or {} for condition in hook.get("matchConditions") or ()]
    check_conditions(conditions, place.child("matchConditions"), report)
    _check_reviews(hook.get("admissionReviewVersions") or [], place.child("admissionReviewVersions"), report)


def _check_name(name: str, place: Place, report: Report) -> None:
    help = "write such as robots.example.com"
    if not name:
        report.required(CODE, place, help=help)
    elif messages := dnsnames.subdomain(name):
        report.invalid(CODE, place, name, ",".join(messages), help)
    elif name.count(".") < 2:
        detail = "should be a domain with at least three segments separated by dots"
        report.invalid(CODE, place, name, detail, help)


def _check_choice(hook: JsonObject, name: str, choices: Sequence[str], place: Place, report: Report) -> None:
    value = hook.get(name)
    if value is not None and value not in choices:
        report.not_supported(CODE, place.child(name), value, choices)


def _check_reviews(versions: list[str], place: Place, report: Report) -> None:
    known = ", ".join(REVIEWS)
    if not versions:
        report.required(CODE, place, f"must specify one of {known}", "write [v1]")
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            report.invalid(CODE, place.index(index), version, "duplicate version")
        else:
            report.invalid_each(CODE, place.index(index), version, dnsnames.label_1035(version))
    if not set(versions) & set(REVIEWS):
        report.invalid(CODE, place, versions, f"must include at least one of {known}", "write [v1]")


# --- rules ------------------------------------------------------------------------------------------------------------


def _check_rule(rule: JsonObject, place: Place, report: Report) -> None:
    operations, groups, versions, resources = (
        [item or "" for item in rule.get(name) or ()]
        for name in ("operations", "apiGroups", "apiVersions", "resources")
    )
    _check_wild(operations, "operations", place.child("operations"), report)
    for index, operation in enumerate(operations):
        if operation not in _OPERATIONS:
            report.not_supported(CODE, place.child("operations").index(index), operation, _OPERATIONS)
    _check_wild(groups, "API groups", place.child("apiGroups"), report)
    _check_wild(versions, "API versions", place.child("apiVersions"), report)
    for index, version in enumerate(versions):
        if not version:
            report.required(CODE, place.child("apiVersions").index(index))
    _check_resources(resources, place.child("resources"), report)
    _check_choice(rule, "scope", _SCOPES, place, report)


def _check_wild(items: list[str], noun: str, place: Place, report: Report) -> None:
    if not items:
        report.required(CODE, place)
    if len(items) > 1 and "*" in items:
        report.invalid(CODE, place, items, f"if '*' is present, must not specify other {noun}")


def _check_resources(resources: list[str], place: Place, report: Report) -> None:
    if not resources:
        report.required(CODE, place)
    every, of_all = set[str](), set[str]()
    plain = False
    for index, text in enumerate(resources):
        resource, slash, subresource = text.partition("/")
        where = place.index(index)
        if not text:
            report.required(CODE, where)
        elif not slash:
            plain = text != "*"  # of several, the server remembers the last
        else:
            if resource in every:
                report.invalid(CODE, where, text, f"if '{resource}/*' is present, must not specify {text}")
            if subresource in of_all:
                report.invalid(CODE, where, text, f"if '*/{subresource}' is present, must not specify {text}")
            if subresource == "*":
                every.add(resource)
            if resource == "*":
                of_all.add(subresource)
    if len(resources) > 1 and "*/*" in resources:
        report.invalid(CODE, place, resources, "if '*/*' is present, must not specify other resources")
    if "*" in resources and plain:
        detail = "if '*' is present, must not specify other resources without subresources"
        report.invalid(CODE, place, resources, detail)


# --- selectors --------------------------------------------------------------------------------------------------------


def _check_selector(selector: JsonObject, place: Place, report: Report) -> None:
    labels = place.child("matchLabels")
    for key, value in (selector.get("matchLabels") or {}).items():
        report.invalid_each(CODE, labels, key, names.label_key(key))
        report.invalid_each(CODE, labels, value or "", names.label_value(value or ""))
    for index, requirement in enumerate(selector.get("matchExpressions") or ()):
        _check_requirement(requirement or {}, place.child("matchExpressions").index(index), report)


def _check_requirement(requirement: JsonObject, place: Place, report: Report) -> None:
    operator, key = requirement.get("operator") or "", requirement.get("key") or ""
    values = [value or "" for value in requirement.get("values") or ()]
    if operator in ("In", "NotIn"):
        if not values:
            detail = "must be specified when `operator` is 'In' or 'NotIn'"
            report.required(CODE, place.child("values"), detail)
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            report.forbidden(CODE, place.child("values"), detail)
    else:
        report.invalid(CODE, place.child("operator"), operator, "not a valid selector operator")
    report.invalid_each(CODE, place.child("key"), key, names.label_key(key))
    for index, value in enumerate(values):
        report.invalid_each(CODE, place.child("values").index(index), value, names.label_value(value))
