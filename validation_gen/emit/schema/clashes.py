"""Contradictions between kinds and versions of one definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.emit.schema.resources import Definition
from validation_gen.ir import PackagePlan, Program, Root

#: The problem, the version with it, and the help.
_Clash = tuple[str, tuple[PackagePlan, Root], str]


def clashes(program: Program, definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Yields contradictions that the API server would refuse, or settings that only one version can have."""
    names: dict[tuple[str, str], Definition] = {}
    for definition in definitions:
        for told in (_rivals, _storage, _scopes):
            for message, (package, root), help in told(definition):
                yield _clash(program, message, package, root, help)
        package, root = definition.versions[0]
        other = names.setdefault((definition.group, root.kind), definition)
        if other is not definition:
            message = f"the kind {root.kind} of {definition.group} is {other.plural} and {definition.plural}"
            yield _clash(
                program, message, package, root, "write the same +kubebuilder:resource:path= in all versions of a kind"
            )


def unmarked(program: Program, definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Kinds that no marker makes custom resources, where markers do so with others."""
    told = [any(root.resource.told for _, root in definition.versions) for definition in definitions]
    if any(told):
        for definition in (each for each, marked in zip(definitions, told, strict=True) if not marked):
            package, root = definition.versions[-1]
            message = (
                f"{root.kind} gets a definition for its TypeMeta and ObjectMeta, and no marker says that it is one"
            )
            help = "write +kubebuilder:object:root=true above it, or +kubebuilder:skipversion if it is no resource"
            yield Diagnostic("VG551", Severity.WARNING, message, place_of(program, package, root), help)


def place_of(program: Program, package: PackagePlan, root: Root) -> Span:
    """Finds where a kind is declared, if possible as a resource."""
    plan = program.types.get(root.type)
    return root.resource.span or (plan.span if plan is not None else Span(package.directory))


def _rivals(definition: Definition) -> Iterator[_Clash]:
    for package, root in definition.rivals:
        known = definition.versions[0][1].kind
        if root.kind != known:
            message = f"{root.kind} and {known} both are {definition.name}"
            help = "name one of them with +kubebuilder:resource:path="
        else:
            message = f"{root.kind} of {definition.group} is declared twice in version {package.version}"
            help = "leave one of them out, with +kubebuilder:skipversion or by naming fewer paths"
        yield f"{message}; the definition goes without this one", (package, root), help


def _storage(definition: Definition) -> Iterator[_Clash]:
    stored = [version for version in definition.versions if version[1].resource.storage]
    for package, root in stored[1:]:
        message = f"{root.kind} is stored in {package.version} and in {stored[0][0].version}"
        yield message, (package, root), "leave +kubebuilder:storageversion in one version"


def _scopes(definition: Definition) -> Iterator[_Clash]:
    told = [version for version in definition.versions if version[1].resource.scope]
    for package, root in told[:-1]:
        newest, other = told[-1]
        if root.resource.scope != other.resource.scope:
            message = f"{root.kind} is {root.resource.scope} in {package.version} and {other.resource.scope} in "
            yield f"{message}{newest.version}", (package, root), "write the same scope in all versions"


def _clash(program: Program, message: str, package: PackagePlan, root: Root, help: str) -> Diagnostic:
    return Diagnostic("VG549", Severity.ERROR, message, place_of(program, package, root), help)
