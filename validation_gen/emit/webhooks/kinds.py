"""What of a program is registered: the resources of its kinds that are judged, with their versions and subresources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.emit.schema.resources import is_defined, is_resource, priority
from validation_gen.emit.webhooks.unchanged import can_skip
from validation_gen.ir import PackagePlan, Program, Root, SchemaNotes, StructRef
from validation_gen.types.naming import plural_of

_ITSELF = "/"
#: What groups of Kubernetes itself end with. Their kinds need not be custom resources.
_COMMUNITY = ("k8s.io", "kubernetes.io")


@dataclass(slots=True)
class Resource:
    """A resource whose objects are judged.

    Attributes:
        group: its API group.
        plural: its name in paths.
        kind: the kind of its objects.
        scope: `Namespaced`, `Cluster`, or `*` if nothing says which.
        versions: what is judged in each version: `""` for the object itself, and subresources by their names.
        known: all versions that the program has, judged or not.
        skips: whether updates that change metadata alone need not be asked about.
        has_defaults: whether anything in it has a default.
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
        """Whether a definition of it has to say how its versions become each other."""
        return len(self.known) > 1

    def parts(self, *, subresources: bool = True) -> list[tuple[list[str], list[str]]]:
        """Versions and what is judged in them, as rules have them: those that are alike together."""
        found: dict[tuple[str, ...], list[str]] = {}
        for version, parts in self.versions.items():
            wanted = tuple(
                f"{self.plural}/{part}" if part else self.plural for part in parts if subresources or not part
            )
            if wanted:
                found.setdefault(wanted, []).append(version)
        return [(versions, list(parts)) for parts, versions in found.items()]


def resources(program: Program, judged: Program) -> list[Resource]:
    """The resources by group and name.

    Args:
        program: has all kinds, and what is said of them as resources.
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
            resource.versions[package.version] = _parts(judged, root)
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
            fits = is_resource(program, root) or is_defined(program, root)
            if fits and _ITSELF in root.subresources and not root.resource.skip and program.is_sound(root.type):
                yield package, root


def _parts(judged: Program, root: Root) -> tuple[str, ...]:
    """What of a resource is judged. The scale of a custom resource has another kind, which nothing here judges."""
    schema = judged.schemas.get(root.type)
    known = {
        path
        for package in judged.packages.values()
        for r in package.roots
        if r.type == root.type
        for path in r.subresources
    }
    status = "/status" in known or (schema is not None and (schema.status or root.resource.status))
    others = sorted(known - {_ITSELF, "/status", "/scale"})
    return ("", *(["status"] if status else []), *(path.removeprefix("/") for path in others))


def _is_custom(group: str) -> bool:
    return "." in group and not any(group == domain or group.endswith(f".{domain}") for domain in _COMMUNITY)


def _has_defaults(program: Program, type: str) -> bool:
    """Whether types have defaults. Those of a definition are set by the API server itself, which has read it."""
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
