"""The operations of a resource in OpenAPI documents: paths, parameters, bodies and responses.

Sources of the behaviour: `pkg/controller/openapi/builder` of `k8s.io/apiextensions-apiserver`, `pkg/endpoints/openapi`
of `k8s.io/apiserver`, and `pkg/builder3` of `k8s.io/kube-openapi`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from validation_gen.apiserver.negotiation import SERVED
from validation_gen.apiserver.openapi_types import DELETE_OPTIONS, PATCH, STATUS, component_name, read_texts, reference
from validation_gen.apiserver.patches import BUILTIN_PATCH_TYPES, PATCH_TYPES
from validation_gen.apiserver.resources import CustomResource
from validation_gen.kubernetes.crd.gotypes import SCALE

_TYPES = {
    **dict.fromkeys(
        (
            "allowWatchBookmarks",
            "force",
            "ignoreStoreReadErrorWithClusterBreakingPotential",
            "orphanDependents",
            "sendInitialEvents",
            "watch",
        ),
        "boolean",
    ),
    **dict.fromkeys(("gracePeriodSeconds", "limit", "timeoutSeconds"), "integer"),
}
_LIST = (
    *("allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion"),
    *("resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds", "watch"),
)
_WRITE = ("dryRun", "fieldManager", "fieldValidation")
_DELETE = (
    *("dryRun", "gracePeriodSeconds", "ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents"),
    "propagationPolicy",
)
#: Operations: HTTP method, parameters, and codes of success besides 200.
_OPERATIONS: dict[str, tuple[str, tuple[str, ...], tuple[int, ...]]] = {
    "list": ("get", _LIST, ()),
    "create": ("post", _WRITE, (201, 202)),
    "deletecollection": ("delete", _LIST, ()),
    "read": ("get", ("resourceVersion",), ()),
    "replace": ("put", _WRITE, (201,)),
    "delete": ("delete", _DELETE, (202,)),
    "patch": ("patch", (*_WRITE, "force"), ()),
}
_REASONS = {200: "OK", 201: "Created", 202: "Accepted", 401: "Unauthorized"}
_ACTIONS = {"list": "list", "delete": "delete", "deletecollection": "deletecollection"}
_VOWELS = "AEIOU"
#: Verbs of operations with another name.
_VERBS = {"read": "get", "replace": "update"}


def build_paths(resource: Any, version: Any, kind: str, items: str) -> dict[str, dict[str, Any]]:
    """Returns the paths of a resource in a version. `kind` and `items` are the components of objects and lists."""
    return _Paths(resource, version, kind, items).build()


class _Paths:
    def __init__(self, resource: Any, version: Any, kind: str, items: str) -> None:
        self._resource, self._version = resource, version
        self._kind, self._items = kind, items

    def build(self) -> dict[str, dict[str, Any]]:
        plural = self._resource.names.plural
        group = self._resource.group
        base = f"/apis/{group}/{self._version.name}" if group else f"/api/{self._version.name}"
        found = {}
        root = f"{base}/{plural}"
        if self._resource.namespaced and "list" in self._resource.verbs:
            found[root] = self._path((), {"list": ("ForAllNamespaces", self._items)})
        if self._resource.namespaced:
            root = f"{base}/namespaces/{{namespace}}/{plural}"
        status = component_name(STATUS)
        below = {"list": ("", self._items), "create": ("", self._kind), "deletecollection": ("", status)}
        one = {"read": ("", self._kind), "replace": ("", self._kind), "delete": ("", status), "patch": ("", self._kind)}
        below, one = self._served(below), self._served(one)
        if below:
            found[root] = self._path(("namespace",), below)
        if one:
            found[f"{root}/{{name}}"] = self._path(("name", "namespace"), one)
        for part, verbs in self._resource.subresources(self._version).items():
            schema = component_name(SCALE) if part == "scale" else self._kind
            inner = {verb: (part, schema) for verb in ("read", "replace", "patch") if _VERBS.get(verb, verb) in verbs}
            found[f"{root}/{{name}}/{part}"] = self._path(("name", "namespace"), inner)
        return found

    def _served(self, operations: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
        return {verb: each for verb, each in operations.items() if _VERBS.get(verb, verb) in self._resource.verbs}

    def _path(self, names: Iterable[str], operations: dict[str, tuple[str, str]]) -> dict[str, Any]:
        """Returns a path. Parameters that all its operations have belong to the path."""
        wanted = [name for name in names if name != "namespace" or self._resource.namespaced]
        item: dict[str, Any] = {}
        alone = len(operations) == 1
        for verb, (part, schema) in operations.items():
            item[_OPERATIONS[verb][0]] = self._operation(verb, part, schema, alone=alone)
        shared = sorted([*wanted, "pretty", *(_OPERATIONS[next(iter(operations))][1] if alone else ())])
        item["parameters"] = [self._parameter(name) for name in shared]
        return item

    def _parameter(self, name: str) -> dict[str, Any]:
        in_path = name in ("name", "namespace")
        text = (
            f"The name of the {self._resource.names.kind}."
            if name == "name"
            else read_texts()["parameters"].get(name, "")
        )
        return {
            "name": name,
            "in": "path" if in_path else "query",
            **({"description": text} if text else {}),
            **({"required": True} if in_path else {}),
            "schema": {"type": _TYPES.get(name, "string"), "uniqueItems": True},
        }

    def _operation(self, verb: str, part: str, schema: str, *, alone: bool) -> dict[str, Any]:
        method, parameters, codes = _OPERATIONS[verb]
        names = self._resource.names
        group, version = self._resource.group, self._version.name
        body = {"content": {media: {"schema": reference(schema)} for media in SERVED}}
        responses = {str(code): {"description": _REASONS[code], **body} for code in (200, *codes)}
        responses["401"] = {"description": _REASONS[401]}
        tag = _identifier(group.removesuffix(".k8s.io") or "core", capital=False)
        found = {
            "tags": [f"{tag}_{version}"],
            "description": _description(verb, part, names.kind),
            "operationId": self._id(verb, part),
            **({} if alone else {"parameters": [self._parameter(name) for name in parameters]}),
            **self._request(verb, schema),
            "responses": responses,
            "x-kubernetes-action": _ACTIONS.get(verb, method),
            "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": names.kind},
        }
        return {name: value for name, value in found.items() if value != []}

    def _request(self, verb: str, schema: str) -> dict[str, Any]:
        """Returns the body of an operation, if it has one."""
        patches = PATCH_TYPES if isinstance(self._resource, CustomResource) else BUILTIN_PATCH_TYPES
        sent, media = {
            "create": (schema, SERVED),
            "replace": (schema, SERVED),
            "patch": (component_name(PATCH), patches),
            "delete": (component_name(DELETE_OPTIONS), SERVED),
        }.get(verb, ("", ()))
        if not sent:
            return {}
        content = {each: {"schema": reference(sent)} for each in media}
        return {"requestBody": {"content": content, **({} if verb == "delete" else {"required": True})}}

    def _id(self, verb: str, part: str) -> str:
        group = _identifier(self._resource.group.removesuffix(".k8s.io") or "core")
        version = self._version.name
        collection = "Collection" if verb == "deletecollection" else ""
        spaces = "Namespaced" if self._resource.namespaced and part != "ForAllNamespaces" else ""
        end = f"{part[:1].upper()}{part[1:]}"
        verb = "delete" if collection else verb
        shown = f"{version[:1].upper()}{version[1:]}"
        return f"{verb}{group}{shown}{collection}{spaces}{self._resource.names.kind}{end}"


def _identifier(text: str, *, capital: bool = True) -> str:
    """Returns a text as part of an identifier, in camel case."""
    found = ""
    for index, letter in enumerate(text):
        if letter.isalpha() or letter == "_" or (index and letter.isdigit()):
            found += letter.upper() if capital else letter
            capital = False
        else:
            capital = True
    return found


def _with_article(kind: str) -> str:
    if kind.endswith("s") and not kind.endswith("ss"):
        return kind
    return f"{'an' if kind[:1].upper() in _VOWELS else 'a'} {kind}"


def _description(verb: str, part: str, kind: str) -> str:
    below = f" {part} of" if part in ("status", "scale") else ""
    if verb == "deletecollection":
        return f"delete collection of {kind}"
    if verb == "patch":
        return f"partially update{below} the specified {kind}"
    if verb == "list":
        return f"list objects of kind {kind}"
    if verb in ("read", "replace"):
        return f"{verb}{below} the specified {kind}"
    return f"{verb} {_with_article(kind)}"


# --- version 2 --------------------------------------------------------------------------------------------------------


def to_v2(item: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """Returns a path in the words of OpenAPI v2; references begin with `new` instead of `old`."""
    found: dict[str, Any] = {}
    for method, operation in item.items():
        if method == "parameters":
            found[method] = [_parameter_v2(each) for each in operation]
            continue
        body = operation.get("requestBody", {})
        parameters = [_parameter_v2(each) for each in operation.get("parameters", ())]
        if body:
            schema = next(iter(body["content"].values()))["schema"]
            required = {"required": True} if body.get("required") else {}
            sent = {"name": "body", "in": "body", **required, "schema": _move(schema, old, new)}
            parameters.insert(0, sent)
        remaining = {name: value for name, value in operation.items() if name not in ("requestBody", "parameters")}
        responses = {}
        for code, response in operation["responses"].items():
            contents = list(response.get("content", {}).values())
            answer = {"schema": _move(contents[0]["schema"], old, new)} if contents else {}
            responses[code] = {"description": response["description"], **answer}
        found[method] = {
            **remaining,
            "consumes": list(body.get("content") or SERVED),
            "produces": list(SERVED),
            "schemes": ["https"],
            **({"parameters": parameters} if parameters else {}),
            "responses": responses,
        }
    return found


def _parameter_v2(parameter: dict[str, Any]) -> dict[str, Any]:
    return {**{name: value for name, value in parameter.items() if name != "schema"}, **parameter["schema"]}


def _move(schema: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {"$ref": new + schema["$ref"].removeprefix(old)}
