"""Authorizer library: `authorizer.group('').resource('pods').check('get').allowed()`.

The caller provides an `Authorizer` with a function that answers, and so decides whether it queries a cluster. Source of
the behaviour: `pkg/cel/library/authz.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.formats import valueformats


@dataclass(frozen=True, slots=True)
class User:
    """Subject of an authorization check."""

    name: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attributes:
    """Authorization request: may a user do something with a resource, or, without one, with a non-resource path?

    Selectors have the text of the expression, which has not been parsed.
    """

    user: User
    verb: str = ""
    path: str = ""
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Answer to an authorization request. One with an `error` may still allow."""

    type_name: ClassVar[str] = "kubernetes.authorization.Decision"
    allowed: bool
    reason: str = ""
    error: str = ""


Answers = Callable[[Attributes], Decision]


@dataclass(frozen=True, slots=True)
class Authorizer:
    """The variable `authorizer`: it calls `answers` on behalf of a user."""

    type_name: ClassVar[str] = "kubernetes.authorization.Authorizer"
    user: User
    answers: Answers = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Check:
    type_name: ClassVar[str]
    answers: Answers = field(repr=False)
    asked: Attributes


class GroupCheck(_Check):
    """Result of `authorizer.group(…)`."""

    type_name = "kubernetes.authorization.GroupCheck"


class PathCheck(_Check):
    """Result of `authorizer.path(…)`."""

    type_name = "kubernetes.authorization.PathCheck"


class ResourceCheck(_Check):
    """Result of `authorizer.group(…).resource(…)`, and the variable `authorizer.requestResource`."""

    type_name = "kubernetes.authorization.ResourceCheck"


def path(authorizer: Authorizer, text: str) -> PathCheck:
    if not text.strip():
        raise EvaluationError("path must not be empty")
    return PathCheck(authorizer.answers, Attributes(authorizer.user, path=text))


def group(authorizer: Authorizer, name: str) -> GroupCheck:
    return GroupCheck(authorizer.answers, Attributes(authorizer.user, group=name))


def service_account(authorizer: Authorizer, namespace: str, name: str) -> Authorizer:
    if any(valueformats.subdomain(name)):
        raise EvaluationError("Invalid service account name")
    if any(valueformats.label(namespace)):
        raise EvaluationError("Invalid service account namespace")
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
    return Authorizer(User(f"system:serviceaccount:{namespace}:{name}", groups), authorizer.answers)


def resource(check: GroupCheck, name: str) -> ResourceCheck:
    if not name.strip():
        raise EvaluationError("resource must not be empty")
    return ResourceCheck(check.answers, replace(check.asked, resource=name))


def _with(attribute: str) -> Callable[[ResourceCheck, str], ResourceCheck]:
    def changed(check: ResourceCheck, text: str) -> ResourceCheck:
        more: dict[str, Any] = {attribute: text}
        return ResourceCheck(check.answers, replace(check.asked, **more))

    return changed


def check(asked: PathCheck | ResourceCheck, verb: str) -> Decision:
    return asked.answers(replace(asked.asked, verb=verb))


#: Implementations by the names of types and of overloads.
CLASSES: dict[str, type] = {
    each.type_name: each for each in (Authorizer, Decision, GroupCheck, PathCheck, ResourceCheck)
}
FUNCTIONS: dict[str, Callable[..., object]] = {
    "authorizer_path": path,
    "authorizer_group": group,
    "authorizer_serviceaccount": service_account,
    "groupcheck_resource": resource,
    "resourcecheck_subresource": _with("subresource"),
    "resourcecheck_namespace": _with("namespace"),
    "resourcecheck_name": _with("name"),
    "authorizer_fieldselector": _with("field_selector"),
    "authorizer_labelselector": _with("label_selector"),
    "pathcheck_check": check,
    "resourcecheck_check": check,
    "decision_errored": lambda decision: bool(decision.error),
    "decision_error": lambda decision: decision.error,
    "decision_allowed": lambda decision: decision.allowed,
    "decision_reason": lambda decision: decision.reason,
}
