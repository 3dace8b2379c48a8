"""Discovery: groups, versions and resources, health, and the version of the server.

Sources of the behaviour: `pkg/endpoints/discovery` of `k8s.io/apiserver`, and `pkg/apiserver/customresource_discovery*`
of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from validation_gen.apiserver.calls import Response
from validation_gen.apiserver.errors import ApiError, refuse_method
from validation_gen.apiserver.interface import Names
from validation_gen.apiserver.lifecycle import Catalog
from validation_gen.apiserver.negotiation import MediaType, encode, negotiate, parse_accept
from validation_gen.apiserver.resources import CustomResource
from validation_gen.apiserver.storage import Store, StoreError
from validation_gen.webhooks.asgi import report

PROBES = ("healthz", "livez", "readyz")
_CHECKS = (["etcd"], ["log"], ["ping"])
_PATHS = ("/api", "/api/v1", "/apis", "/apis/", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version")
#: Built-in groups in the order of a real server.
_PRIORITIES = (
    *("events.k8s.io", "authentication.k8s.io", "authorization.k8s.io", "admissionregistration.k8s.io"),
    *("apiextensions.k8s.io", "coordination.k8s.io"),
)
_VERSION = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")
_SCALE = {"group": "autoscaling", "version": "v1", "kind": "Scale"}
_AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def version_order(name: str) -> tuple[Any, ...]:
    """Sort key of versions: the most stable and newest first."""
    match = _VERSION.fullmatch(name)
    if match is None:
        return 1, name
    stage = {None: 0, "beta": 1, "alpha": 2}[match[2]]
    return 0, stage, -int(match[1]), -int(match[3] or 0)


class Discovery:
    """Documents about the server's resources, and its health."""

    def __init__(self, catalog: Catalog, store: Store) -> None:
        self._catalog, self._store = catalog, store

    async def respond(
        self, method: str, path: str, query: Mapping[str, list[str]], headers: Mapping[str, str]
    ) -> Response | None:
        """Returns the response to a path that is no resource, None if there is nothing."""
        parts = [part for part in path.split("/") if part]
        if parts[:1] and parts[0] in PROBES and (len(parts) == 1 or parts[1:] in _CHECKS):
            return await self._probe(*parts, verbose="verbose" in query)
        if parts == ["version"]:
            return Response(200, _version()) if method in ("GET", "HEAD") else Response(405, refuse_method().status())
        if not parts:
            return Response(200, {"paths": self.paths(self._catalog)})
        if parts in (["api"], ["apis"]) and _wants_aggregated(headers.get("accept", "")):
            return self._aggregate([""] if parts == ["api"] else self._group_names(), headers)
        try:
            media = negotiate(headers.get("accept"), transforms=False)
        except ApiError as problem:
            return Response(problem.code, problem.status())
        if parts == ["api"]:
            return _document(_core_versions(headers), media)
        if parts == ["apis"]:
            return _document(self.groups(), media)
        if parts[:1] == ["api"] and len(parts) == 2:
            found = self.resources("", parts[1])
            return None if found is None else _document(found, media)
        if parts[:1] == ["apis"] and len(parts) == 2:
            group = self.group(parts[1])
            return None if group is None else _document({"kind": "APIGroup", "apiVersion": "v1", **group}, media)
        if parts[:1] == ["apis"] and len(parts) == 3:
            found = self.resources(parts[1], parts[2])
            return None if found is None else _document(found, media)
        return None

    def respond_missing(self, path: str) -> Response:
        """Returns the response to an unknown path. Outside of the groups it lists the server's paths."""
        if path.startswith("/apis/"):
            return Response(
                404,
                content=b"404 page not found\n",
                content_type="text/plain; charset=utf-8",
                headers={"x-content-type-options": "nosniff"},
            )
        return Response(404, {"paths": self.paths(self._catalog.builtin.values())})

    def paths(self, resources: Iterable[Any]) -> list[str]:
        """Returns the server's own paths, and those of the groups of some resources."""
        found = set()
        for each in resources:
            if each.group:
                found |= {f"/apis/{each.group}", *(f"/apis/{each.group}/{version}" for version in each.versions)}
        found |= {"/".join(["", probe, *check]) for probe in PROBES for check in ([], *_CHECKS)}
        return sorted(found.union(_PATHS))

    async def _probe(self, probe: str, check: str = "", *, verbose: bool = False) -> Response:
        """Returns the health of the server, which is the health of its store."""
        holds = True
        try:
            if check in ("", "etcd"):
                await self._store.revision()
        except StoreError as problem:
            if check:
                return _plain(f"internal server error: {problem}\n", code=500)
            holds = False
        checks = {"ping": True, "log": True, "etcd": holds}
        passed, text = report(probe, checks, (), verbose=verbose and not check)
        return _plain(text, nosniff=not check, code=200 if passed else 500)

    def groups(self) -> dict[str, Any]:
        """Returns the list of groups."""
        groups = [self.group(name) for name in self._group_names()]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}

    def _group_names(self) -> list[str]:
        """Returns the names of all groups except the core group: built-in ones by priority, others by name."""
        names = {resource.group for resource in self._catalog if resource.group}
        known = {name: index for index, name in enumerate(_PRIORITIES)}
        return sorted(names, key=lambda name: (known.get(name, len(known)), name))

    def group(self, name: str) -> dict[str, Any] | None:
        """Returns one group, None if there is no such group."""
        versions = self._versions(name)
        if not versions:
            return None
        listed = [{"groupVersion": f"{name}/{version}", "version": version} for version in versions]
        return {"name": name, "versions": listed, "preferredVersion": listed[0]}

    def _versions(self, group: str) -> list[str]:
        found = {version for resource in self._catalog if resource.group == group for version in resource.versions}
        return sorted(found, key=version_order)

    def resources(self, group: str, version: str) -> dict[str, Any] | None:
        """Returns the resources of a version, None if there is no such version."""
        served = self._find_served(group, version)
        if not served:
            return None
        return {
            "kind": "APIResourceList",
            "apiVersion": "v1",
            "groupVersion": f"{group}/{version}".removeprefix("/"),
            "resources": [each for resource in served for each in _resource(resource, resource.versions[version])],
        }

    def _find_served(self, group: str, version: str) -> list[Any]:
        """Returns the resources of a version, by name."""
        found = [each for each in self._catalog if each.group == group and version in each.versions]
        return sorted(found, key=lambda each: str(each.resource))

    def _aggregate(self, groups: Sequence[str], headers: Mapping[str, str]) -> Response:
        items = []
        for group in groups:
            versions = []
            for version in self._versions(group):
                resources = [
                    _describe_resource(each, each.versions[version]) for each in self._find_served(group, version)
                ]
                versions.append({"version": version, "resources": resources, "freshness": "Current"})
            items.append({"metadata": {"name": group} if group else {}, "versions": versions})
        body = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items}
        content = json.dumps(body, separators=(",", ":")).encode()
        tag = f'"{hashlib.sha512(content).hexdigest().upper()}"'
        shared = {"etag": tag, "vary": "Accept", "cache-control": "public"}
        if headers.get("if-none-match") == tag:
            return Response(304, content=b"", headers=shared)
        return Response(200, content=content, content_type=_AGGREGATED, headers=shared)


def _core_versions(headers: Mapping[str, str]) -> dict[str, Any]:
    addresses = [{"clientCIDR": "0.0.0.0/0", "serverAddress": headers.get("host", "")}]
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": addresses}


def _resource(resource: Any, version: Any) -> list[dict[str, Any]]:
    names = resource.names
    found: dict[str, Any] = {
        "name": names.plural,
        "singularName": names.singular,
        "namespaced": resource.namespaced,
        "kind": names.kind,
        "verbs": list(resource.verbs),
        **_more_names(names),
    }
    if "list" in resource.verbs:
        found["storageVersionHash"] = _storage_hash(resource)
    listed = [found]
    for name, verbs in resource.subresources(version).items():
        scale = _SCALE if name == "scale" else {}
        listed.append(
            {
                "name": f"{names.plural}/{name}",
                "singularName": "",
                "namespaced": resource.namespaced,
                "kind": names.kind,
                **scale,
                "verbs": list(verbs),
            }
        )
    return listed


def _more_names(names: Names) -> dict[str, list[str]]:
    found = {"shortNames": list(names.short_names), "categories": list(names.categories)}
    return {name: each for name, each in found.items() if each}


def _storage_hash(resource: Any) -> str:
    text = f"{resource.group}/{resource.hashed_version}/{resource.names.kind}"
    return base64.b64encode(hashlib.sha256(text.encode()).digest()[:8]).decode()


def _describe_resource(resource: Any, version: Any) -> dict[str, Any]:
    names = resource.names
    custom = isinstance(resource, CustomResource)  # others leave the group and the version to the document around
    kind = {
        "group": resource.group if custom else "",
        "version": version.name if custom else "",
        "kind": names.kind,
    }
    found: dict[str, Any] = {
        "resource": names.plural,
        "responseKind": kind,
        "scope": "Namespaced" if resource.namespaced else "Cluster",
        "singularResource": names.singular,
        "verbs": list(resource.verbs),
        **_more_names(names),
    }
    below = []
    for name, verbs in resource.subresources(version).items():
        below.append({"subresource": name, "responseKind": _SCALE if name == "scale" else kind, "verbs": list(verbs)})
    if below:
        found["subresources"] = below
    return found


def _wants_aggregated(accept: str) -> bool:
    for name, parameters in parse_accept(accept):
        if name == "application/json":
            return parameters.get("as") == "APIGroupDiscoveryList" and parameters.get("v") == "v2"
    return False


def _document(body: dict[str, Any], media: MediaType) -> Response:
    return Response(200, content=encode(body, media), content_type=media.type)


def _plain(text: str, *, nosniff: bool = True, code: int = 200) -> Response:
    headers = {"x-content-type-options": "nosniff"} if nosniff else {}
    return Response(code, content=text.encode(), content_type="text/plain; charset=utf-8", headers=headers)


def _version() -> dict[str, str]:
    return {
        "major": "1",
        "minor": "36",
        "emulationMajor": "1",
        "emulationMinor": "36",
        "minCompatibilityMajor": "1",
        "minCompatibilityMinor": "35",
        "gitVersion": "v1.36.2",
        "gitCommit": "",
        "gitTreeState": "",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "",
        "compiler": "",
        "platform": "",
    }
