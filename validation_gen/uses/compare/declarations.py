"""Declarations of the program for a comparison: rules by path, locations of fields, files on disk."""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.files import reading
from validation_gen.ir import Program, visit_fields
from validation_gen.mismatch.causes import DeclaredRule
from validation_gen.mismatch.expected import general_path
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.uses.compare.groups import Group
from validation_gen.uses.compare.results import RuleUse
from validation_gen.uses.coverage import declared, roots

ROOT = "<nil>"
_CONTEXT = 2  # lines of the source above and below the tag


def kind_label(kind: Kind) -> str:
    """Names a kind as results do: as objects name it, or by its package."""
    return f"{kind.api_version}/{kind.name}" if kind.api_version else f"{kind.package}.{kind.name}"


@dataclass(slots=True)
class Declarations:
    """The rules and fields of the kinds of a program. It can be sent to other processes.

    Attributes:
        rules: every declared rule, by kind and general path.
        places: locations of field declarations, by kind and general path.
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
                continue  # the registry belongs to a package that was generated for fewer types
            path = rule.path or ROOT
            found.spans[rule.place, rule.tag] = rule.span
            use = RuleUse(label, path, rule.type, rule.origin, rule.tag, rule.place)
            found.rules.setdefault((label, path), []).append(use)
        for package, root in roots(program):
            label = labels.get((package.path, root.kind))
            if label is not None:
                found._note(label, ROOT, root.type, program.types[root.type].span)
                for plan, member, at in visit_fields(program, root.type):
                    if member.path:
                        found._note(label, at.path.removeprefix("."), f"{plan.id}.{member.path}", member.span)
        return found

    def _note(self, label: str, path: str, source: str, span: Span) -> None:
        self.spans.setdefault((source, ""), span)
        self.places.setdefault((label, path), source)

    def span(self, source: str, tag: str) -> Span | None:
        """Returns the position of a tag on disk; without a tag, that of the field or type."""
        return self.spans.get((source, tag)) or self.spans.get((source, ""))

    @property
    def all_rules(self) -> list[RuleUse]:
        """Returns every declared rule, with a count of 0."""
        return [rule for rules in self.rules.values() for rule in rules]

    def knows(self, kind: str) -> bool:
        """Returns whether the rules of a kind are here, which only root kinds have."""
        return (kind, ROOT) in self.places

    def rule(self, kind: str, error: FieldError) -> DeclaredRule | None:
        """Returns a rule of the kind that declares an error with this path, type and origin."""
        for rule in self.rules.get((kind, general_path(error.field)), ()):
            type_fits = rule.type == error.type.value or Mark.ANY_TYPE in error.marks
            if type_fits and (rule.origin == error.origin or Mark.ANY_ORIGIN in error.marks):
                return DeclaredRule(rule.tag, rule.source)
        return None

    def place(self, kind: str, path: str) -> str:
        """Returns the location of the field at a path, or of the nearest one above it."""
        general = general_path(path)
        while general:
            if found := self.places.get((kind, general)):
                return found
            cut = max(general.rfind("."), general.rfind("["))
            general = general[:cut] if cut > 0 else ""
        return self.places.get((kind, ROOT), "")


def quote(group: Group, declarations: Declarations) -> None:
    """Adds the lines of the source around the tag to blame."""
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
