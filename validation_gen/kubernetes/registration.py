"""Checks configurations of webhooks, in the order and the words of the API server, without a server.

Begin with `check`. The parts that policies share are in `admission`.

Sources of the behaviour: `pkg/apis/admissionregistration/validation/validation.go` of `k8s.io/kubernetes`, and
`types.go` of `k8s.io/api/admissionregistration/v1` for the types that a configuration is decoded into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from validation_gen.diagnostics import Diagnostic
from validation_gen.kubernetes.admission.compiling import condition_errors
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.admission.selectors import MATCH_POLICIES, ResourceRule, rule_errors, selector_errors
from validation_gen.kubernetes.cel import NEWEST
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import (
    CLIENT,
    INT32,
    OBJECT_META,
    STRING,
    STRING_MAP,
    STRINGS,
    GoType,
    ListOf,
    Struct,
    make_named_string,
    struct,
)
from validation_gen.kubernetes.crd.names import REVIEWS, check_client, check_reviews
from validation_gen.kubernetes.crd.report import Finding, Report
from validation_gen.kubernetes.crd.run import locate, report_mistakes
from validation_gen.kubernetes.crd.schema import JsonObject
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.crd.stored_metadata import metadata_errors
from validation_gen.kubernetes.formats import valueformats
from validation_gen.kubernetes.positions import Positions
from validation_gen.runtime.errors import ErrorType, FieldError

CODE, CODE_OF_CONDITIONS = "VG560", "VG561"
_POLICIES, _INVOCATIONS = ("Fail", "Ignore"), ("IfNeeded", "Never")
_SIDE_EFFECTS = ("None", "NoneOnDryRun")
_LONGEST = 30  # seconds


def check_webhook(hook: JsonObject, path: SchemaPath, report: Report, *, mutating: bool) -> None:
    """Reports all errors of one webhook, except for a duplicate name."""
    _check_name(hook.get("name") or "", path.child("name"), report)
    for index, rule in enumerate(hook.get("rules") or ()):
        _tell(rule_errors(_rule(rule or {}), f"rules[{index}]"), path, report)
    _check_choice(hook, "failurePolicy", _POLICIES, path, report)
    _check_choice(hook, "matchPolicy", MATCH_POLICIES, path, report)
    if hook.get("sideEffects") is None:
        detail = f"must specify one of {', '.join(_SIDE_EFFECTS)}"
        report.required(CODE, path.child("sideEffects"), detail, "write None")
    _check_choice(hook, "sideEffects", _SIDE_EFFECTS, path, report)
    seconds = hook.get("timeoutSeconds")
    if seconds is not None and not 1 <= seconds <= _LONGEST:
        detail = f"the timeout value must be between 1 and {_LONGEST} seconds"
        report.invalid(CODE, path.child("timeoutSeconds"), seconds, detail)
    for name in ("namespaceSelector", "objectSelector"):
        _tell(selector_errors(_selector(hook.get(name) or {}), name), path, report)
    if mutating:
        _check_choice(hook, "reinvocationPolicy", _INVOCATIONS, path, report)
    check_client(hook.get("clientConfig") or {}, path.child("clientConfig"), report, CODE)
    conditions = [_split_name(condition or {}) for condition in hook.get("matchConditions") or ()]
    errors = condition_errors(conditions, Names(minor=report.minor), "matchConditions")
    _tell(errors, path, report, CODE_OF_CONDITIONS)
    versions = [version or "" for version in hook.get("admissionReviewVersions") or ()]  # Go's decoder makes "" of null
    missing = f"must specify one of {', '.join(REVIEWS)}"
    check_reviews(versions, path.child("admissionReviewVersions"), report, CODE, missing)


def _check_name(name: str, path: SchemaPath, report: Report) -> None:
    help = "write such as robots.example.com"
    if not name:
        report.required(CODE, path, help=help)
    elif messages := valueformats.subdomain(name):
        report.invalid(CODE, path, name, ",".join(messages), help)
    elif name.count(".") < 2:
        detail = "should be a domain with at least three segments separated by dots"
        report.invalid(CODE, path, name, detail, help)


def _check_choice(hook: JsonObject, name: str, choices: Sequence[str], path: SchemaPath, report: Report) -> None:
    value = hook.get(name)
    if value is not None and value not in choices:
        report.not_supported(CODE, path.child(name), value, choices)


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


def _split_name(condition: JsonObject) -> tuple[str, str]:
    return condition.get("name") or "", condition.get("expression") or ""


def _tell(errors: Iterable[FieldError], path: SchemaPath, report: Report, code: str = CODE) -> None:
    """Reports errors whose paths are relative to a place."""
    for error in errors:
        steps = re.findall(r"[^.\[\]]+", error.field)
        keys = [int(step) if step.isdigit() else step for step in steps]
        help = "join them by &&" if error.type is ErrorType.TOO_MANY else ""
        report.add(code, path, error, help, keys=keys)


_REQUIREMENT = struct(
    "v1.LabelSelectorRequirement",
    ("key", STRING),
    ("operator", make_named_string("v1.LabelSelectorOperator")),
    ("values", STRINGS),
)
_SELECTOR = struct(
    "v1.LabelSelector",
    ("matchLabels", STRING_MAP),
    ("matchExpressions", ListOf(_REQUIREMENT, "[]v1.LabelSelectorRequirement")),
)
_RULE = struct(
    "v1.RuleWithOperations",
    ("operations", ListOf(make_named_string("v1.OperationType"), "[]v1.OperationType")),
    ("apiGroups apiVersions resources", STRINGS),
    ("scope", make_named_string("v1.ScopeType")),
)
_CONDITION = struct("v1.MatchCondition", ("name expression", STRING))


def _configuration(kind: str, webhook: str, *fields: tuple[str, GoType]) -> Struct:
    """Returns the type of a configuration, whose webhooks have some further fields."""
    hook = struct(
        webhook,
        ("name", STRING),
        ("clientConfig", CLIENT),
        ("rules", ListOf(_RULE, "[]v1.RuleWithOperations")),
        ("failurePolicy", make_named_string("v1.FailurePolicyType")),
        ("matchPolicy", make_named_string("v1.MatchPolicyType")),
        ("namespaceSelector objectSelector", _SELECTOR),
        ("sideEffects", make_named_string("v1.SideEffectClass")),
        ("timeoutSeconds", INT32),
        ("admissionReviewVersions", STRINGS),
        ("matchConditions", ListOf(_CONDITION, "[]v1.MatchCondition")),
        *fields,
    )
    return struct(
        f"v1.{kind}",
        ("apiVersion kind", STRING),
        ("metadata", OBJECT_META),
        ("webhooks", ListOf(hook, f"[]{webhook}")),
    )


VALIDATING, MUTATING = "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"
#: The types by the kinds of configurations.
CONFIGURATIONS = {
    VALIDATING: _configuration(VALIDATING, "v1.ValidatingWebhook"),
    MUTATING: _configuration(
        MUTATING, "v1.MutatingWebhook", ("reinvocationPolicy", make_named_string("v1.ReinvocationPolicyType"))
    ),
}


GROUP = "admissionregistration.k8s.io"
VERSION = f"{GROUP}/v1"


def is_configuration(obj: Any) -> bool:
    """Returns whether an object has the kind of a configuration of webhooks, in any version."""
    return (
        isinstance(obj, dict)
        and isinstance(obj.get("kind"), str)
        and obj["kind"] in CONFIGURATIONS
        and isinstance(obj.get("apiVersion"), str)
        and obj["apiVersion"].split("/")[0] == GROUP
    )


def diagnostics(obj: Any, positions: Positions, *, minor: int = NEWEST) -> list[Diagnostic]:
    """Returns the errors of a configuration, with positions in its file."""
    return locate(check(obj, minor=minor), positions)


def check(obj: Any, *, minor: int = NEWEST) -> list[Finding]:
    """Returns the errors of an object that `is_configuration`, as when it is created.

    Conditions may use the functions of 1.`minor`, the release before the server's. Decoding errors hide all others.
    """
    report = Report(minor)
    if not _decodes(obj, report):
        return report.findings
    for error in metadata_errors(_without_namespace(obj.get("metadata") or {}), _name_messages):
        report.add(CODE, SchemaPath("metadata", "metadata"), error)
    known = set()
    for index, hook in enumerate([hook or {} for hook in obj.get("webhooks") or ()]):
        place = SchemaPath("webhooks", "webhooks").index(index)
        check_webhook(hook, place, report, mutating=obj["kind"] == MUTATING)
        name = hook.get("name") or ""
        if name and name in known:
            report.duplicate(CODE, place.child("name"), name)
        known.add(name)
    return report.findings


def _without_namespace(metadata: dict[str, Any]) -> dict[str, Any]:
    """Drops the namespace and the generation, as the server does before validation."""
    return {name: value for name, value in metadata.items() if name not in ("namespace", "generation")}


def _name_messages(name: str, prefix: bool) -> list[str]:
    """Returns the errors of a name; the last dash of a `prefix` is not the last character of the generated name."""
    return list(valueformats.subdomain(f"{name[:-1]}a" if prefix and name.endswith("-") else name))


def _decodes(obj: dict[str, Any], report: Report) -> bool:
    root = SchemaPath("")
    if obj["apiVersion"] != VERSION:
        message = f'no matches for kind "{obj["kind"]}" in version "{obj["apiVersion"]}"'
        report.refuse(CODE, root.child("apiVersion"), message, f"write {VERSION}")
        return False
    report_mistakes(mistakes(obj, CONFIGURATIONS[obj["kind"]], root), report, CODE, CODE)
    return not report.errors
