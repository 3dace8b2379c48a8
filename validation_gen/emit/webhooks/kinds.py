"""Finds the resources to register: kinds of a program with rules, with their versions and subresources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.emit.schema.resources import is_defined, priority
from validation_gen.emit.webhooks.unchanged import can_skip
from validation_gen.ir import PackagePlan, Program, ResourceNotes, Root, SchemaNotes, StructRef
from validation_gen.types.naming import plural_of

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
        """As a definition is called."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def is_converted(self) -> bool:
        """True if its definition needs a conversion between versions."""
        return len(self.known) > 1

    def parts(self, *wanted: str) -> list[tuple[list[str], list[str]]]:
        """Returns versions with their validated parts, of the requested parts. Equal versions are grouped."""
        found: dict[tuple[str, ...], list[str]] = {}
        for version, parts in self.versions.items():
            names = tuple(f"{self.plural}/{part}" if part else self.plural for part in parts if part in wanted)
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
    ruled = {plan.id for plan in judged.judged}
    for package, root in _roots(program):
        plural = root.resource.plural or plural_of(root.kind)
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
    """The kinds that a server keeps. The body of a subresource is none."""
    for package in program.packages.values():
        if not package.input or package.path in program.broken:
            continue
        for root in package.roots:
            fits = program.is_resource(root.type) or is_defined(program, root)
            if fits and _ITSELF in root.subresources and not root.resource.skip and program.is_sound(root.type):
                yield package, root


def _parts(judged: Program, told: ResourceNotes, type: str) -> tuple[str, ...]:
    """Returns the validated parts of a resource.

    Its scale has another kind, so that no rule of a type applies to it.
    """
    schema = judged.schemas.get(type)
    roots = (root for package in judged.packages.values() for root in package.roots if root.type == type)
    asked = any("/status" in root.subresources for root in roots)
    status = asked or (schema is not None and (schema.status or told.status))
    return ("", *([STATUS] if status else []), *([SCALE] if told.scale is not None else []))


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
