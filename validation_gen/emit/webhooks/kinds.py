"""Registrations of resources for the API server, for verdicts and defaults, and the updates that need no request.

Resources are the kinds of a program with rules, with their versions and subresources.

The server increments `metadata.generation` with every change of an object outside of its metadata, before it calls
validating webhooks (`PrepareForUpdate` in `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`, and
`BeforeUpdate` in `pkg/registry/rest` of `k8s.io/apiserver`, which discards the generation of a request). So an update
with the old generation has changed metadata alone. Go compares these values, and not CEL, in which an int and a double
may be equal. `can_skip` decides from the program which kinds need no request for such an update:

- Validators compare a field that has rules first, and leave it alone with everything below it if it has not changed. So
  they do with a value of a wrong type that was wrong before (`runtime/validator`).
- They always run the rules of the kind itself, and those of its schema that compare with the old object: such a kind
  needs requests.
- Of metadata, an update changes neither the name nor the namespace. A kind with rules for anything else there needs
  requests.

The condition leaves everything else to the webhook: creates, subresources (of which the generation says nothing),
objects of servers that do not count generations, and objects that were converted for the webhook, as a conversion may
make a change of an annotation a change of the object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.emit.schema.resources import is_defined, priority
from validation_gen.emit.webhooks import WebhookSettings
from validation_gen.ir import (
    Check,
    FieldPlan,
    InMember,
    PackagePlan,
    Predicate,
    Program,
    ResourceNotes,
    Root,
    SchemaNotes,
    StructRef,
    value_shape,
)
from validation_gen.types.naming import pluralize

NAME = "changes-more-than-metadata"
EXPRESSION = (
    "request.operation != 'UPDATE' || has(request.subResource) || "
    "request.kind.version != request.requestKind.version || "
    "!has(object.metadata.generation) || !has(oldObject.metadata.generation) || "
    "object.metadata.generation != oldObject.metadata.generation"
)
#: Metadata that an update cannot change.
_FIXED = ("name", "namespace")


def can_skip(program: Program, type: str) -> bool:
    """Returns whether validators of a kind accept every update that changes metadata alone."""
    plan = program.types[type]
    if type in program.schemas or plan.checks or plan.keys or plan.values:
        return False
    if not isinstance(plan.shape, StructRef):
        return False
    metadata = [member for member in plan.fields if member.json == "metadata"]
    return all(map(_asks_fixed_parts, metadata)) and not any(_brings_metadata(program, each) for each in plan.fields)


def _brings_metadata(program: Program, member: FieldPlan) -> bool:
    """Returns whether metadata is in an inlined struct with rules, which then has changed as a whole."""
    shape = value_shape(member.shape)
    if member.json or not isinstance(shape, StructRef) or not (member.type or member.checks):
        return False
    return any(inner.json == "metadata" for inner in program.structs[shape.id])


def _asks_fixed_parts(metadata: FieldPlan) -> bool:
    """Returns whether rules of metadata read only constant parts. The server has validated its types."""
    return not (metadata.type or metadata.keys or metadata.values) and all(map(_is_fixed, metadata.checks))


def _is_fixed(check: Check) -> bool:
    operation = check.operation
    return (
        isinstance(operation, InMember)
        and operation.json in _FIXED
        and isinstance(operation.inner.operation, Predicate)
    )


_ITSELF = "/"
#: The subresources of custom resources, as rules have them; `""` is the object itself.
STATUS, SCALE = "status", "scale"
#: Suffixes of Kubernetes' own groups. Their kinds need not be custom resources.
_COMMUNITY = ("k8s.io", "kubernetes.io")


@dataclass(slots=True)
class Resource:
    """A resource whose objects are validated.

    Attributes:
        group: its API group.
        plural: its name in paths.
        kind: the kind of its objects.
        scope: `Namespaced`, `Cluster`, or `*` if unknown.
        versions: the validated parts of each version: `""` for the object itself, and subresources by their names.
        known: all versions that the program has, validated or not.
        skips: True if updates that change metadata alone need no request.
        has_defaults: True if any part of it has a default.
    """

    group: str
    plural: str
    kind: str
    scope: str = "*"
    versions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    skips: bool = True
    has_defaults: bool = False

    @property
    def name(self) -> str:
        """The name of the definition."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def is_converted(self) -> bool:
        """True if its definition needs a conversion between versions."""
        return len(self.known) > 1

    def parts(self, *value: str) -> list[tuple[list[str], list[str]]]:
        """Returns versions with their validated parts, of the requested parts. Equal versions are grouped."""
        found: dict[tuple[str, ...], list[str]] = {}
        for version, parts in self.versions.items():
            names = tuple(f"{self.plural}/{part}" if part else self.plural for part in parts if part in value)
            if names:
                found.setdefault(names, []).append(version)
        return [(versions, list(names)) for names, versions in found.items()]


def resources(program: Program, judged: Program) -> list[Resource]:
    """Returns the resources by group and name.

    Args:
        program: has all kinds, with their notes as resources.
        judged: has the validators.
    """
    found: dict[tuple[str, str], Resource] = {}
    ruled = {plan.id for plan in judged.validated_types}
    for package, root in _roots(program):
        plural = root.resource.plural or pluralize(root.kind)
        resource = found.setdefault((package.group, plural), Resource(package.group, plural, root.kind))
        if resource.kind != root.kind or package.version in resource.known:
            continue  # the definition tells that they are rivals
        resource.known.append(package.version)
        if root.resource.scope:
            resource.scope = root.resource.scope
        if root.type in ruled:
            resource.versions[package.version] = _parts(judged, root.resource, root.type)
            resource.skips &= _is_custom(package.group) and can_skip(judged, root.type)
            resource.has_defaults |= _has_defaults(program, root.type)
    for resource in found.values():
        resource.known.sort(key=priority)
        resource.versions = {
            version: resource.versions[version] for version in resource.known if version in resource.versions
        }
    return [found[key] for key in sorted(found) if found[key].versions]


def _roots(program: Program) -> Iterator[tuple[PackagePlan, Root]]:
    """Yields the kinds that a server keeps. The body of a subresource does not count."""
    for package in program.packages.values():
        if not package.input or package.path in program.broken:
            continue
        for root in package.roots:
            fits = program.is_resource(root.type) or is_defined(program, root)
            if fits and _ITSELF in root.subresources and not root.resource.skip and program.is_sound(root.type):
                yield package, root


def _parts(judged: Program, text: ResourceNotes, type: str) -> tuple[str, ...]:
    """Returns the validated parts of a resource.

    Its scale has another kind, so that no rule of a type applies to it.
    """
    schema = judged.schemas.get(type)
    roots = (root for package in judged.packages.values() for root in package.roots if root.type == type)
    asked = any("/status" in root.subresources for root in roots)
    status = asked or (schema is not None and (schema.status or text.status))
    return ("", *([STATUS] if status else []), *([SCALE] if text.scale is not None else []))


def _is_custom(group: str) -> bool:
    return "." in group and not any(group == domain or group.endswith(f".{domain}") for domain in _COMMUNITY)


def _has_defaults(program: Program, type: str) -> bool:
    """Returns whether types have defaults. The API server itself sets those of a definition."""
    ids = program.structs_in([StructRef(type)]) if type in program.structs else frozenset({type})
    plans = [program.types[id] for id in ids if id in program.types]
    notes = [each for plan in plans for each in (plan.notes, *(member.notes for member in plan.fields))]
    notes += [program.types[m.type].notes for plan in plans for m in plan.fields if m.type in program.types]
    return any(map(_has_default, notes))


def _has_default(notes: SchemaNotes | None) -> bool:
    if notes is None:
        return False
    inner = (notes.items, notes.values, *notes.properties.values())
    return "default" in notes.keywords or any(map(_has_default, inner))


_VERSION = "admissionregistration.k8s.io/v1"
#: The label that every namespace has with its own name.
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
#: Namespace of the cluster's own components: it must work without the webhook.
_SYSTEM = "kube-system"
VALIDATE, MUTATE, CONVERT = "/validate", "/mutate", "/convert"


def validating(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, Any]:
    """Returns the configuration for verdicts, a webhook for each resource."""
    skips = settings.skip_unchanged and not settings.arguments
    hooks = []
    for resource in resources:
        parts = ("", STATUS, *([SCALE] if settings.scale else []))
        hook = _hook("validate", resource, settings, VALIDATE, *parts)
        if skips and resource.skips:
            hook["matchConditions"] = [{"name": NAME, "expression": EXPRESSION}]
        hooks.append(hook)
    return _configuration("ValidatingWebhookConfiguration", hooks, settings)


def mutating(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, Any] | None:
    """Returns the configuration for defaults, `None` if nothing has any."""
    hooks = []
    for resource in resources:
        if settings.mutate and resource.has_defaults:
            hook = _hook("mutate", resource, settings, MUTATE, "")
            hooks.append(hook | {"reinvocationPolicy": "IfNeeded"})
    return _configuration("MutatingWebhookConfiguration", hooks, settings) if hooks else None


def client_config(settings: WebhookSettings, path: str) -> dict[str, Any]:
    """Returns the address of the server. The CA bundle is added later."""
    service = {"name": settings.name, "namespace": settings.namespace, "path": path, "port": 443}
    return {"service": service}


def _configuration(kind: str, hooks: list[dict[str, Any]], settings: WebhookSettings) -> dict[str, Any]:
    return {
        "apiVersion": _VERSION,
        "kind": kind,
        "metadata": {"labels": settings.labels, "name": settings.name},
        "webhooks": hooks,
    }


def _hook(verb: str, resource: Resource, settings: WebhookSettings, path: str, *parts: str) -> dict[str, Any]:
    # The name of a hook needs three parts, which the core group would not give.
    name = f"{verb}.{resource.plural}.{resource.group or 'core'}"
    return {
        "name": name,
        "admissionReviewVersions": ["v1"],
        "clientConfig": client_config(settings, path),
        "failurePolicy": settings.failure_policy,
        "matchPolicy": "Equivalent",
        "namespaceSelector": {
            "matchExpressions": [
                {"key": _NAMESPACE_NAME, "operator": "NotIn", "values": sorted({_SYSTEM, settings.namespace})}
            ]
        },
        "rules": [
            {
                "apiGroups": [resource.group],
                "apiVersions": versions,
                "operations": ["CREATE", "UPDATE"],
                "resources": names,
                "scope": resource.scope,
            }
            for versions, names in resource.parts(*parts)
        ],
        "sideEffects": "None",
        "timeoutSeconds": settings.timeout_seconds,
    }
