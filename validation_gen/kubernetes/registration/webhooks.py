"""Checks of one webhook of a configuration, in the order and the words of the API server.

Source of the behaviour: `pkg/apis/admissionregistration/validation/validation.go` of `k8s.io/kubernetes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from validation_gen.kubernetes.admission.conditions import condition_errors
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.admission.rules import MATCH_POLICIES, ResourceRule, rule_errors
from validation_gen.kubernetes.admission.selectors import selector_errors
from validation_gen.kubernetes.crd.conversion import check_client
from validation_gen.kubernetes.crd.definition import read_client
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import JsonObject
from validation_gen.kubernetes.formats import dnsnames
from validation_gen.runtime.errors import ErrorType, FieldError

CODE, CODE_OF_CONDITIONS = "VG560", "VG561"
#: Versions of reviews that a server of 1.22 or later can send.
REVIEWS = ("v1", "v1beta1")
_POLICIES, _INVOCATIONS = ("Fail", "Ignore"), ("IfNeeded", "Never")
_SIDE_EFFECTS = ("None", "NoneOnDryRun")
_LONGEST = 30  # seconds


def check_webhook(hook: JsonObject, place: Place, report: Report, *, mutating: bool) -> None:
    """Reports all errors of one webhook, except for a duplicate name."""
    _check_name(hook.get("name") or "", place.child("name"), report)
    for index, rule in enumerate(hook.get("rules") or ()):
        _tell(rule_errors(_rule(rule or {}), f"rules[{index}]"), place, report)
    _check_choice(hook, "failurePolicy", _POLICIES, place, report)
    _check_choice(hook, "matchPolicy", MATCH_POLICIES, place, report)
    if hook.get("sideEffects") is None:
        detail = f"must specify one of {', '.join(_SIDE_EFFECTS)}"
        report.required(CODE, place.child("sideEffects"), detail, "write None")
    _check_choice(hook, "sideEffects", _SIDE_EFFECTS, place, report)
    seconds = hook.get("timeoutSeconds")
    if seconds is not None and not 1 <= seconds <= _LONGEST:
        detail = f"the timeout value must be between 1 and {_LONGEST} seconds"
        report.invalid(CODE, place.child("timeoutSeconds"), seconds, detail)
    for name in ("namespaceSelector", "objectSelector"):
        _tell(selector_errors(_selector(hook.get(name) or {}), name), place, report)
    if mutating:
        _check_choice(hook, "reinvocationPolicy", _INVOCATIONS, place, report)
    check_client(read_client(hook.get("clientConfig") or {}), place.child("clientConfig"), report, CODE)
    conditions = [_named(condition or {}) for condition in hook.get("matchConditions") or ()]
    errors = condition_errors(conditions, Names(minor=report.minor), "matchConditions")
    _tell(errors, place, report, CODE_OF_CONDITIONS)
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


# --- parts shared with policies ---------------------------------------------------------------------------------------


def _rule(rule: JsonObject) -> ResourceRule:
    names = ("operations", "apiGroups", "apiVersions", "resources")
    operations, groups, versions, resources = (tuple(item or "" for item in rule.get(name) or ()) for name in names)
    scope = rule.get("scope")
    return ResourceRule(operations, groups, versions, resources, "*" if scope is None else scope)


def _selector(selector: JsonObject) -> JsonObject:
    """Replaces nulls in a selector by empty texts, as Go's decoder does."""
    return {
        "matchLabels": {key: value or "" for key, value in (selector.get("matchLabels") or {}).items()},
        "matchExpressions": [
            {**(each or {}), "values": [value or "" for value in (each or {}).get("values") or ()]}
            for each in selector.get("matchExpressions") or ()
        ],
    }


def _named(condition: JsonObject) -> tuple[str, str]:
    return condition.get("name") or "", condition.get("expression") or ""


def _tell(errors: Iterable[FieldError], place: Place, report: Report, code: str = CODE) -> None:
    """Reports errors whose paths begin at a place."""
    for error in errors:
        steps = re.findall(r"[^.\[\]]+", error.field)
        keys = [int(step) if step.isdigit() else step for step in steps]
        help = "join them by &&" if error.type is ErrorType.TOO_MANY else ""
        report.add(code, place, error, help, keys=keys)
