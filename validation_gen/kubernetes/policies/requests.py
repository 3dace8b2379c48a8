"""Requests as policies see them: the object, the old one, and the facts about the request."""

from __future__ import annotations

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
    """User of a request."""

    username: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """An admission request.

    Attributes:
        object: the new object as decoded JSON, `None` on delete.
        old: the old one, `None` on create.
        operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
        kind: kind of the object.
        resource: resource of the request.
        subresource: `status` and the like, `""` for the object itself.
        namespace: namespace of the object, `""` for cluster-scoped ones.
        namespace_object: the object of that namespace, if it is known.
        authorizer: answers authorization checks; without one all are denied.
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
    """Returns the variable `request`. Empty fields are absent, as in JSON of the API server."""
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


def _deny_all(_: Attributes) -> Decision:
    return Decision(allowed=False)


def authorizer_values(request: Request) -> tuple[Authorizer, ResourceCheck]:
    """Returns the variables `authorizer` and `authorizer.requestResource`."""
    answers: Callable[[Attributes], Decision] = request.authorizer or _deny_all
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
