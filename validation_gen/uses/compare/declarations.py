"""What the program declares, as a comparison asks for it: rules by path, where fields stand, files on disk."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.files import reading
from validation_gen.ir import FieldPlan, ListOf, MapOf, Program, Shape, StructRef, value_shape
from validation_gen.mismatch.causes import DeclaredRule
from validation_gen.mismatch.expected import general_path
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.uses.compare.groups import Group
from validation_gen.uses.compare.results import RuleUse
from validation_gen.uses.coverage import declared, roots

ROOT = "<nil>"
_CONTEXT = 2  # lines of the source above and below the one to blame


def kind_label(kind: Kind) -> str:
    """Names a kind as results call it: as objects name it, or by its package."""
    return f"{kind.api_version}/{kind.name}" if kind.api_version else f"{kind.package}.{kind.name}"


@dataclass(slots=True)
class Declarations:
    """The rules and fields of the kinds of a program. It can be sent to other processes.

    Attributes:
        rules: every declared rule, by kind and general path.
        places: where fields are declared, by kind and general path.
        options: the names of all validation options.
        spans: positions on disk, by the sources in `rules` and `places` and the tag, which is `""` for places.
    """

    rules: dict[tuple[str, str], list[RuleUse]] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    options: frozenset[str] = frozenset()
    spans: dict[tuple[str, str], Span] = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program, registry: Registry) -> Declarations:
        labels = {(kind.package, kind.name): kind_label(kind) for kind in registry.kinds}
        found = cls(options=program.options)
        for rule in declared(program):
            label = labels.get((rule.package, rule.kind))
            if label is None:
                continue  # the registry is of a package that was generated for fewer types
            path = rule.path or ROOT
            found.spans[rule.place, rule.tag] = rule.span
            use = RuleUse(label, path, rule.type, rule.origin, rule.tag, rule.place)
            found.rules.setdefault((label, path), []).append(use)
        for package, root in roots(program):
            label = labels.get((package.path, root.kind))
            if label is not None:
                found._note(label, ROOT, root.type, program.types[root.type].span)
                for path, source, member in _fields(program, root.type, "", frozenset()):
                    found._note(label, path.removeprefix("."), source, member.span)
        return found

    def _note(self, label: str, path: str, source: str, span: Span) -> None:
        self.spans.setdefault((source, ""), span)
        self.places.setdefault((label, path), source)

    def span(self, source: str, tag: str) -> Span | None:
        """Returns where a tag stands on disk; where no tag is to blame, the field or type."""
        return self.spans.get((source, tag)) or self.spans.get((source, ""))

    @property
    def all_rules(self) -> list[RuleUse]:
        """Every declared rule, not yet used."""
        return [rule for rules in self.rules.values() for rule in rules]

    def knows(self, kind: str) -> bool:
        """Tells whether the rules of a kind are here: those of the roots are, and no others."""
        return (kind, ROOT) in self.places

    def rule(self, kind: str, error: FieldError) -> DeclaredRule | None:
        """A rule of the kind that declares an error at this place, of this type and origin."""
        for rule in self.rules.get((kind, general_path(error.field)), ()):
            type_fits = rule.type == error.type.value or Mark.ANY_TYPE in error.marks
            if type_fits and (rule.origin == error.origin or Mark.ANY_ORIGIN in error.marks):
                return DeclaredRule(rule.tag, rule.source)
        return None

    def place(self, kind: str, path: str) -> str:
        """Finds where the field of a path is declared, or the nearest one above it."""
        general = general_path(path)
        while general:
            if found := self.places.get((kind, general)):
                return found
            cut = max(general.rfind("."), general.rfind("["))
            general = general[:cut] if cut > 0 else ""
        return self.places.get((kind, ROOT), "")


def _fields(program: Program, id: str, path: str, above: Set[str]) -> Iterator[tuple[str, str, FieldPlan]]:
    """Yields all fields of a struct and below, with general paths and places. No type is entered inside itself."""
    plan = program.types.get(id)
    if plan is None or id in above:
        return
    for member in plan.fields:
        own = f"{path}.{member.path}" if member.path else path
        if member.path:
            yield own, f"{id}.{member.path}", member
        below, inner = _below(member.shape, own)
        if inner:
            yield from _fields(program, inner, below, above | {id})


def _below(shape: Shape, path: str) -> tuple[str, str]:
    """The struct in a value, and the path to it."""
    shape = value_shape(shape)
    while isinstance(shape, ListOf | MapOf):
        shape = value_shape(shape.elem)
        path += "[*]"
    return path, shape.id if isinstance(shape, StructRef) else ""


def quote(group: Group, declarations: Declarations) -> None:
    """Adds the lines of the source around the one to blame."""
    span = declarations.span(group.sort.source, group.sort.tag)
    if span is None:
        return
    try:
        lines = reading.read(span.file).decode(errors="replace").splitlines()
    except (OSError, ValueError):
        return
    group.file = str(span)
    first = max(1, span.line - _CONTEXT)
    group.excerpt = lines[first - 1 : span.line + _CONTEXT]
    group.excerpt_line = first
