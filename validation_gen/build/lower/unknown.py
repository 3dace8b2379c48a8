"""Types that cannot be found: what is said of the places that mention them, and of what follows from that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.ir import TypePlan
from validation_gen.runtime.words import nearest
from validation_gen.sources.model import Named, TypeExpr, Universe

_CODE = "VG301"
# What is said of a tag or marker that does not fit its type. Of an unknown type nobody can tell.
_FOLLOWING = ("VG204", "VG205", "VG525", "VG526")


@dataclass(slots=True)
class UnknownTypes:
    """Warns once of each type that cannot be found, and once at each place where one is embedded."""

    universe: Universe
    #: The warnings with the packages that mention the types.
    warnings: list[tuple[str, Diagnostic]] = field(default_factory=list)
    #: The types by the fields that have them, as findings name these.
    places: dict[str, str] = field(default_factory=dict)
    #: The types by the ids of structs and the JSON names of their fields, `""` for embedded ones.
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    def of_value(self, type: Named, plan: TypePlan, place: str, name: str, span: Span) -> None:
        """A value of a type: it may be anything."""
        self.places[place] = self.lost[plan.id, name] = str(type)
        if str(type) not in self._told:
            self._told.add(str(type))
            why, way = self._reason(type)
            self._warn(plan, f"{place}: type {type} {why}, so any value is accepted for it", way, span)

    def of_embedded(self, type: TypeExpr, plan: TypePlan, name: str, span: Span, *, ruled: bool) -> None:
        """An embedded type: it has fields of the struct around it. Of what they are together no rule can judge."""
        self.lost[plan.id, ""] = str(type)
        why, way = "has parameters", "write the type without parameters"
        if isinstance(type, Named):
            why, way = self._reason(type)
        message = f"{plan.id}: the embedded type {type} {why}, so its fields are not known"
        message += f" and the schema of {plan.name} keeps unknown fields"
        if ruled:
            message += f"; no rule counts for {name} itself"
        self._warn(plan, message, way, span)

    def _reason(self, type: Named) -> tuple[str, str]:
        """Why a type is not known, and what to do about it."""
        package = self.universe.package(type.package)
        if package is None:
            way = f"run `go mod download`, name its source with --module {type.package}=DIR"
            return "cannot be found", way
        near = nearest(type.name, [name for name in package.types if name != type.name])
        if near:
            return "is not declared in its package", f"did you mean {near[0]}?"
        if package.input:
            return "is not declared in its package", "declare it there, or import the package that does"
        return "is not declared in its package", f"take another version of the module with {type.package}"

    def _warn(self, plan: TypePlan, message: str, way: str, span: Span) -> None:
        help = way if way.endswith("?") else f"{way}, or add +k8s:opaqueType if that is meant"
        self.warnings.append((plan.package, Diagnostic("VG301", Severity.WARNING, message, span, help)))


def fold_unfitting(diagnostics: Diagnostics, places: dict[str, str]) -> None:
    """Makes notes of what is said against tags and markers of fields whose types cannot be found."""
    for finding in [item for item in diagnostics.items if item.code in _FOLLOWING]:
        place, _, text = finding.message.partition(": ")
        type = places.get(place) or places.get(place.partition(" (")[0])
        if type and add_notes(diagnostics, type, [(f"this does not count: {text}", finding.span)]):
            diagnostics.withdraw(finding)


def add_notes(diagnostics: Diagnostics, type: str, texts: Iterable[tuple[str, Span | None]]) -> bool:
    """Adds what follows from a type's not being found to the finding that says so. False if there is none."""
    for index, item in enumerate(diagnostics.items):
        if item.code == _CODE and f"type {type} " in item.message:
            short = "/".join(type.split("/")[-2:])
            told = ((f"because {short} was not found, {text}", span) for text, span in texts)
            notes = dict.fromkeys((*item.notes, *told))
            diagnostics.items[index] = replace(item, notes=tuple(notes))
            return True
    return False


def settle_unknown(diagnostics: Diagnostics, *, refused: bool) -> None:
    """Makes one finding of what several looks have said of a type. If `refused`, it is an error.

    What is generated says less than the sources where a type cannot be found.
    """
    kept: dict[tuple[str, Span], int] = {}
    items: list[Diagnostic] = []
    for item in diagnostics.items:
        known = kept.get((item.message, item.span)) if item.code == _CODE else None
        if known is not None:
            notes = dict.fromkeys((*items[known].notes, *item.notes))
            items[known] = replace(items[known], notes=tuple(notes))
            continue
        if item.code == _CODE:
            kept[item.message, item.span] = len(items)
        items.append(_as_error(item) if refused and item.code == _CODE else item)
    diagnostics.items[:] = items


def _as_error(item: Diagnostic) -> Diagnostic:
    if item.severity is Severity.ERROR:
        return item
    return replace(item, severity=Severity.ERROR, help=f"{item.help}; --allow-unresolved accepts weaker output")
