"""Types that cannot be found: what is said of the places that mention them."""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.ir import TypePlan
from validation_gen.model import Named, TypeExpr


@dataclass(slots=True)
class UnknownTypes:
    """Warns once of each type that cannot be found, and once at each place where one is embedded."""

    #: The warnings with the packages that mention the types.
    warnings: list[tuple[str, Diagnostic]] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)

    def of_value(self, type: Named, plan: TypePlan, place: str, span: Span) -> None:
        """A value of a type: it may be anything."""
        if str(type) not in self._told:
            self._told.add(str(type))
            self._warn(type, plan, f"{place}: type {type} cannot be found, so any value is accepted for it", span)

    def of_embedded(self, type: TypeExpr, plan: TypePlan, name: str, span: Span, *, ruled: bool) -> None:
        """An embedded type: it has fields of the struct around it. Of what they are together no rule can judge."""
        lost = "cannot be found" if isinstance(type, Named) else "has parameters"
        message = f"{plan.id}: the embedded type {type} {lost}, so its fields are not known"
        message += f" and the schema of {plan.name} keeps unknown fields"
        if ruled:
            message += f"; no rule counts for {name} itself"
        self._warn(type, plan, message, span)

    def _warn(self, type: TypeExpr, plan: TypePlan, message: str, span: Span) -> None:
        way = "write the type without parameters"
        if isinstance(type, Named):
            way = f"name its source with --module {type.package}=DIR"
        help = f"{way}, or add +k8s:opaqueType if that is meant"
        self.warnings.append((plan.package, Diagnostic("VG301", Severity.WARNING, message, span, help)))
