"""Requests as policies see them: the object, the old one, and what is known of the request, as values of expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel.functions.authorizers import (
    Answers,
    Attributes,
    Authorizer,
    Decision,
    ResourceCheck,
    User,
)
from validation_gen.kubernetes.cel.functions.times import parse_timestamp
from validation_gen.kubernetes.cel.values import EvaluationError

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_MOMENTS = ("creationTimestamp", "deletionTimestamp", "lastTransitionTime")


@dataclass(frozen=True, slots=True)
class GroupVersionKind:
    """A kind by its group and version."""

    group: str = ""
    version: str = ""
    kind: str = ""

    def as_json(self) -> dict[str, str]:
        return {"group": self.group, "version": self.version, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class GroupVersionResource:
    """A resource by its group and version."""

    group: str = ""
    version: str = ""
    resource: str = ""

    def as_json(self) -> dict[str, str]:
        return {"group": self.group, "version": self.version, "resource": self.resource}


@dataclass(frozen=True, slots=True)
class UserInfo:
    """Who asks."""

    username: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """A request that an API server has to admit.

    Attributes:
        object: the new object as decoded JSON, `None` on delete.
        old: the old one, `None` on create.
        operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
        kind: of the object.
        resource: that is asked for.
        subresource: `status` and the like, `""` for the object itself.
        namespace: of the object, `""` for what has none.
        namespace_object: the object of that namespace, as far as it is known.
        authorizer: answers what the user may do; without one nobody may do anything.
    """

    object: Any = None
    old: Any = None
    operation: str = "CREATE"
    kind: GroupVersionKind = GroupVersionKind()
    resource: GroupVersionResource = GroupVersionResource()
    subresource: str = ""
    name: str = ""
    namespace: str = ""
    user: UserInfo = UserInfo()
    dry_run: bool = False
    options: Any = None
    namespace_object: Mapping[str, Any] | None = None
    authorizer: Answers | None = field(default=None, repr=False)


def request_value(request: Request) -> dict[str, Any]:
    """Give the variable `request`. What is empty is absent, as in JSON of the API server."""
    user = {
        "username": request.user.username,
        "uid": request.user.uid,
        "groups": [*request.user.groups],
        "extra": {key: [*values] for key, values in request.user.extra.items()},
    }
    optional = {
        "subResource": request.subresource,
        "requestSubResource": request.subresource,
        "name": request.name,
        "namespace": request.namespace,
    }
    kind, resource = request.kind.as_json(), request.resource.as_json()
    return {
        "uid": "",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        **{key: value for key, value in optional.items() if value},
        "operation": request.operation,
        "userInfo": {key: value for key, value in user.items() if value},
        "dryRun": request.dry_run,
        "options": request.options,
    }


def namespace_value(namespace: Mapping[str, Any] | None) -> Any:
    """Give the variable `namespaceObject`: moments are no texts there."""
    return None if namespace is None else _with_moments(namespace, 0)


def _with_moments(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping) and depth < 6:
        return {
            key: _moment(part) if key in _MOMENTS else _with_moments(part, depth + 1) for key, part in value.items()
        }
    return [_with_moments(part, depth + 1) for part in value] if isinstance(value, list) and depth < 6 else value


def _moment(value: Any) -> Any:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return value
    try:
        return parse_timestamp(value)
    except EvaluationError:
        return value


def _nobody(_: Attributes) -> Decision:
    return Decision(allowed=False)


def authorizer_values(request: Request) -> tuple[Authorizer, ResourceCheck]:
    """Give the variables `authorizer` and `authorizer.requestResource`."""
    answers: Callable[[Attributes], Decision] = request.authorizer or _nobody
    user = User(request.user.username, request.user.groups)
    asked = Attributes(
        user,
        group=request.resource.group,
        resource=request.resource.resource,
        subresource=request.subresource,
        namespace=request.namespace,
        name=request.name,
    )
    return Authorizer(user, answers), ResourceCheck(answers, asked)
