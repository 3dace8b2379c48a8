"""Requests about resources: from their parts to a `Call` with its verb.

Source of the behaviour: `pkg/apiserver/customresource_handler.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence

from starlette.types import Scope

from validation_gen.apiserver.calls import OWN_USER, Call
from validation_gen.apiserver.catalog import Catalog
from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.errors import method_not_allowed, missing_resource, not_found, refuse_method
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.requests import Target, find_verb, write_path
from validation_gen.apiserver.resources import CustomResource


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
