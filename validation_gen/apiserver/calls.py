"""One request about a resource on its way: its parts, its verb, its warnings, and its response.

Source of the behaviour: `pkg/apiserver/customresource_handler.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.types import Scope

from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.errors import method_not_allowed, missing_resource, not_found, refuse_method
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.negotiation import MediaType
from validation_gen.apiserver.requests import Target, WriteOptions, find_verb, write_path
from validation_gen.apiserver.resources import CustomResource

if TYPE_CHECKING:
    from validation_gen.apiserver.admission.review import Review
    from validation_gen.apiserver.lifecycle import Catalog

T = TypeVar("T")


#: The user of each request of a client.
USER = {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]}
#: The user of requests of the server itself.
OWN_USER = {"username": "system:apiserver", "groups": ["system:masters"]}


def make_service_account(name: str) -> dict[str, Any]:
    """Returns the user of a controller."""
    groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"]
    return {"username": f"system:serviceaccount:kube-system:{name}", "groups": groups}


@dataclass(slots=True)
class Call:
    """A request about a resource.

    Attributes:
        target: the resource and object that the URL names.
        query: the parameters of the URL.
        headers: the headers, by names in lower case.
        body: the body, empty without one.
        verb: `get`, `list`, `create` …
        clock: the time of the server.
        media: the representation of the response.
        warnings: the texts of `Warning` headers.
        annotations: the annotations of its event in an audit log.
        review: its admission, None if no webhook and no policy can match it.
        size: the bytes of the body that have come.
    """

    method: str
    path: str
    target: Target
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    verb: str
    resource: Resource
    version: Any
    clock: Clock
    media: MediaType = field(default_factory=MediaType)
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    review: Review | None = None
    size: int = 0
    user: Mapping[str, Any] = field(default_factory=lambda: USER)

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that may call webhooks: then in a thread."""
        return await (self.resource if self.review is None else self.review).run(work, *args)

    @property
    def key(self) -> str:
        """The key of the object in the store."""
        return f"{self.prefix}{self.target.name}"

    @property
    def prefix(self) -> str:
        """The beginning of the keys of the objects that a list shows."""
        return self.resource.make_prefix(self.target.namespace)

    @property
    def qualified(self) -> tuple[str, str]:
        """The group and the plural name, for errors."""
        return self.resource.group, self.resource.resource


@dataclass(slots=True)
class Response:
    """A response. A watch has `stream` instead of a body."""

    code: int
    body: Any = None
    content: bytes | None = None
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    stream: AsyncIterator[bytes] | None = None


def find_manager(call: Call, options: WriteOptions) -> str:
    """Returns the name of the field manager: the given one, or the beginning of the user agent."""
    if options.field_manager:
        return options.field_manager
    name = call.headers.get("user-agent", "").split("/")[0]
    return "".join(char for char in name if char.isprintable())[:128]


# --- from the parts of a request to a call ----------------------------------------------------------------------------


class PageNotFoundError(Exception):
    """No endpoint is at the path."""


def find_call(
    catalog: Catalog,
    clock: Clock,
    method: str,
    path: str,
    target: Target,
    query: Mapping[str, list[str]],
    headers: Mapping[str, str],
) -> Call:
    """Returns the call of a request, without its body.

    Raises:
        PageNotFoundError: no resource is at its path.
        ApiError: the version of a built-in group has no such resource.
    """
    resource = catalog.find(target.group, target.resource)
    version = None if resource is None else resource.version(target.version)
    if resource is None or version is None:
        raise missing_resource() if _is_builtin(catalog, target) else PageNotFoundError
    verb = find_verb(method, target, query)
    if resource.namespaced != bool(target.namespace) and not (
        resource.namespaced and not target.name and verb in ("list", "watch")
    ):
        raise PageNotFoundError
    call = Call(method, path, target, query, headers, b"", verb, resource, version, clock)
    if isinstance(resource, CustomResource) and version.deprecated:
        call.warnings.append(resource.kind.deprecation(version))
    return call


def _is_builtin(catalog: Catalog, target: Target) -> bool:
    """Returns whether a built-in resource, other than CustomResourceDefinitions, has the version of a path."""
    return any(
        isinstance(resource, CoreResource) and target.group == resource.group and target.version in resource.versions
        for resource in catalog.builtin.values()
    )


def check_verb(call: Call) -> None:
    """Refuses a verb that the resource, or its subresource, does not have."""
    subresource, resource = call.target.subresource, call.resource
    is_core = isinstance(resource, CoreResource)
    verbs: Sequence[str] = resource.verbs
    if subresource:
        below = resource.subresources(call.version)
        if subresource not in below:
            raise missing_resource() if is_core else not_found(*call.qualified, call.target.name)
        verbs = below[subresource]
    if call.verb not in verbs:
        raise refuse_method() if is_core else method_not_allowed(*call.qualified, call.verb)


def make_own_call(
    clock: Clock,
    method: str,
    verb: str,
    resource: Resource,
    key: str,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
) -> Call:
    """Returns a request of the server itself about a stored object."""
    version = resource.find_storage()
    *_, space, name = key.split("/")
    named = version.api_version.rpartition("/")[2]
    target = Target(resource.group, named, resource.resource, space if resource.namespaced else "", name)
    return Call(
        method, write_path(target), target, {}, headers or {}, body, verb, resource, version, clock, user=OWN_USER
    )


def has_token(scope: Scope, token: str) -> bool:
    """Returns whether a request has the token."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            kind, _, shown = value.decode("latin-1").partition(" ")
            return kind.lower() == "bearer" and hmac.compare_digest(shown.strip().encode(), token.encode())
    return False
