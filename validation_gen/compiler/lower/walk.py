"""Walks types: collects the checks of each type and field, in upstream's order (tag reference 3.2 to 3.4).

A type is visited once, its parts before its own tags. Types of packages that are not included are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from validation_gen.compiler.lower.comments import ConstantTags, TagReader
from validation_gen.compiler.lower.declarations import (
    USE_A_SLICE,
    ArrayItems,
    Notes,
    RuleApplier,
    demands_something,
    has_array,
    keeps_unknown,
    refusal,
    refusal_of_tags,
)
from validation_gen.compiler.lower.shapes import Shapes, find_json_name, is_flattened, is_spread, is_unknown_inline
from validation_gen.compiler.lower.unknown import UnknownTypes
from validation_gen.diagnostics import Span
from validation_gen.ir import Check, FieldPlan, SchemaNotes, TagRef, TypePlan
from validation_gen.rules.base import (
    Context,
    CustomFunctions,
    Deferred,
    RuleOutput,
    Scope,
    Session,
    no_custom_functions,
)
from validation_gen.rules.iteration import call_type, each_key, each_value
from validation_gen.rules.registry import extract
from validation_gen.sources.extensions import Extensions
from validation_gen.sources.model import (
    Field,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    inner_types,
    pointee,
)
from validation_gen.sources.typesystem import TypeSystem, shallow
from validation_gen.tags.model import Tag


@dataclass(slots=True)
class Walk:
    """Visits types and collects their plans by id.

    `included` decides which packages take part. `strict` enables upstream's refusals also where this tool does not need
    them: types of packages that are not included, and shapes without checks. With `described` the plans have schema
    notes from comments.
    """

    types: TypeSystem
    reader: TagReader
    included: Callable[[str], bool]
    strict: bool = False
    custom: CustomFunctions = no_custom_functions
    extensions: Extensions = field(default_factory=Extensions)
    described: bool = False
    plans: dict[str, TypePlan] = field(default_factory=dict)
    shapes: Shapes = field(init=False)
    session: Session = field(init=False)
    demands: RuleApplier = field(init=False)
    notes: Notes = field(init=False)
    unknown: UnknownTypes = field(init=False)
    arrays: ArrayItems = field(init=False)
    constants: ConstantTags = field(init=False)

    def __post_init__(self) -> None:
        self.shapes = Shapes(self.types)
        self.unknown = UnknownTypes(self.types.universe)
        self.demands = RuleApplier(self.reader.diagnostics)
        self.session = Session(
            self.types,
            self.shapes.build,
            extract,
            lambda member: self.reader.rules(member.comments, "", report=False),
            self.reader.target,
            self.custom,
            self.extensions,
        )
        self.notes = Notes(self.session, self.reader.diagnostics, self.described)
        self.arrays = ArrayItems(self.types, self.reader.diagnostics)
        self.constants = ConstantTags(self.session, self.reader, self.demands)

    # --- types ------------------------------------------------------------------------------------------------------

    def visit(self, type: TypeExpr) -> TypePlan | None:
        """Visits all parts of a type. Returns the plan of a named type, or of a pointer to one; else `None`."""
        if isinstance(type, Pointer):
            return self.visit(type.elem)
        for inner in inner_types(type):
            self.visit(inner)
        declaration = self.types.declaration(type)
        if declaration is None or not self.included(declaration.package):
            return None
        return self.visit_declaration(declaration)

    def visit_declaration(self, declaration: TypeDecl) -> TypePlan:
        """Returns the plan of a declared type and all its children. Chains of types may be longer than the stack."""
        plan = self.plans.get(str(declaration))
        if plan is not None:
            return plan
        declaration = shallow(self.types.universe, declaration)
        pending = [(self._open(declaration), declaration, self._below(declaration))]
        while True:
            plan, declaration, below = pending[-1]
            inner = next((each for each in below if str(each) not in self.plans), None)
            if inner is not None:
                pending.append((self._open(inner), inner, self._below(inner)))
                continue
            self._close(plan, declaration)
            pending.pop()
            if not pending:
                return plan

    def _open(self, declaration: TypeDecl) -> TypePlan:
        """Returns the plan of a declared type, still empty, so that types may mention each other."""
        named = Named(declaration.package, declaration.name)
        id = str(declaration)
        plan = TypePlan(id, declaration.package, declaration.name, self.shapes.build(named), declaration.span)
        plan.base = self._base(declaration)
        plan.is_struct = isinstance(declaration.type, Struct)
        plan.preserves = keeps_unknown((*declaration.apart, *declaration.closest))
        self.plans[id] = plan
        return plan

    def _close(self, plan: TypePlan, declaration: TypeDecl) -> None:
        """Fills a plan, as all below it has been visited."""
        named = Named(declaration.package, declaration.name)
        wire = self.types.wire(declaration)
        if wire is not None:
            self._report_hidden_rules(declaration)
            with self.reader.diagnostics.owned_by(plan.id):
                notes = self.notes.of_type(declaration, plan.shape)
            plan.notes = notes if wire == "any" else SchemaNotes(notes.doc)  # other wire forms are complete without it
        else:
            with self.reader.diagnostics.owned_by(plan.id):
                self._visit_parts(plan, named, declaration)

    def _below(self, declaration: TypeDecl) -> Iterator[TypeDecl]:
        """Yields the declarations of types that a type mentions."""
        if self.types.wire(declaration) is None:
            struct = self.types.struct(Named(declaration.package, declaration.name))
            for type in [member.type for member in struct.fields] if struct else [declaration.type]:
                yield from self._mentioned(self.types.resolve(type))

    def _mentioned(self, type: TypeExpr) -> Iterator[TypeDecl]:
        for inner in inner_types(type):
            yield from self._mentioned(inner)
        declaration = self.types.declaration(type)
        if declaration is not None and self.included(declaration.package):
            yield declaration

    def _base(self, declaration: TypeDecl) -> str:
        """Returns the id of the declared type that a type is declared by, be it by a pointer."""
        base = pointee(self.types.resolve(declaration.type))
        return self.types.id(base) if isinstance(base, Named) else ""

    def report_rules_of_alias(self, alias: TypeDecl) -> None:
        """Reports tags on a Go alias that have no effect, as its type has another comment or none."""
        target = self.types.declaration(Named(alias.package, alias.name))
        if target is not None and not target.alias and target.closest == alias.closest:
            return
        tags = self.reader.rules(alias.closest, str(alias), report=False)
        if tags:
            message = f"{alias} is only another name for {alias.type}, so +{tags[0].name} has no effect here"
            help = "put the tag on the type itself"
            self.reader.diagnostics.warning("VG201", message, tags[0].span, help)
        if isinstance(alias.type, Named):  # controller-gen takes the markers of other names for Go's own types
            self.notes.report_alias(alias)

    def _report_hidden_rules(self, declaration: TypeDecl) -> None:
        """Reports rules inside a type with its own JSON decoder, as the paths of its fields are unknown."""
        tagged = next((f for f in declaration.fields if declaration.custom_json and self.session.field_tags(f)), None)
        if tagged is not None:
            message = f"{declaration} decodes its JSON itself, so the rules on its fields have no effect"
            help = "put the rules on a type that is decoded by its json tags"
            self.reader.diagnostics.warning("VG302", message, tagged.span, help)

    def _visit_parts(self, plan: TypePlan, named: Named, declaration: TypeDecl) -> None:
        """Visits all parts of a type, then applies its own tags."""
        id = plan.id
        struct = self.types.struct(named)
        if struct is not None:
            self._visit_fields(plan, named, struct.fields)
        else:
            literal = self.types.resolve(declaration.type)
            self.visit(literal)
            if not self.strict:
                self.arrays.add(literal, id, id, declaration.span)
        constants = self.constants.find(declaration)
        context = Context(Scope.TYPE, named, id, self.session, constants=constants, owner=id)
        tags = self.reader.rules(declaration.closest, id, unknown=self.types.universe.is_input(declaration.package))
        own = self._demands(context, tags, id, f"field {id}", declaration.span)
        plan.checks += own.checks
        plan.opaque = own.opaque_type
        plan.notes = self.notes.of_type(declaration, plan.shape)
        self._refuse_shape(named, own, f"field {id}", declaration.span)
        if struct is None:
            plan.keys, plan.values = self._iterations(id, named, own, declaration.span)
        self.demands.resolve(own.deferred, id, declaration.span, plan.checks, plan.checks)

    def _note_alias(self, type: TypeExpr) -> None:
        """Plans the Go aliases of undeclared types (`type A = string`), which can have their own notes."""
        match type:
            case Pointer(elem=elem) | List(elem=elem) | Map(elem=elem):
                self._note_alias(elem)
            case Named():
                alias = self.types.declaration(type)
                if alias is not None and alias.alias and str(alias) not in self.plans:
                    plan = TypePlan(str(alias), alias.package, alias.name, self.shapes.build(type), alias.span)
                    plan.notes = self.notes.of_type(alias, plan.shape)
                    self.plans[plan.id] = plan

    # --- fields -----------------------------------------------------------------------------------------------------

    def _visit_fields(self, plan: TypePlan, parent: Named, fields: tuple[Field, ...]) -> None:
        pending: list[tuple[FieldPlan, list[Deferred], str]] = []
        for declared in fields:
            resolved = self.types.resolve(declared.type)
            member = declared if resolved == declared.type else replace(declared, type=resolved)
            place = f"field {plan.id}.{member.path_name or member.go_name}"
            field_plan, found = self._visit_field(plan, parent, member, place)
            if self.described:
                field_plan.shape = self.shapes.build(declared.type)
                self._note_alias(declared.type)
            plan.fields.append(field_plan)
            pending.append((field_plan, found.deferred, place))
        for field_plan, deferred, place in pending:
            self.demands.resolve(deferred, place, field_plan.span, field_plan.checks, plan.checks)

    def _visit_field(self, plan: TypePlan, parent: Named, member: Field, place: str) -> tuple[FieldPlan, RuleOutput]:
        path = place.removeprefix("field ")
        target = self.visit(member.type)
        context = Context(
            Scope.FIELD,
            member.type,
            path,
            self.session,
            field=member,
            parent_path=plan.id,
            parent_type=parent,
            owner=plan.id,
            member=member.path_name or member.go_name,
        )
        tags = self.reader.rules(member.comments, place, unknown=self.types.universe.is_input(plan.package))
        if self.types.universe.is_input(plan.package):
            self.reader.report_misplaced(member.comments, place)
        found = self._demands(context, tags, place, f"{place} ({member.type})", member.span)
        flattened, lost = is_flattened(self.types, member), is_unknown_inline(self.types, member)
        if lost and not self.strict:
            found = self._without_rules(member, found, plan)
        result = FieldPlan(
            go_name=member.go_name,
            json=find_json_name(self.types, member),
            path=member.path_name,
            shape=self.shapes.build(member.type),
            span=member.span,
            inlined="" if member.path_name else self._name_in_paths(member.type, plan.package),
            merged=lost or flattened,
            hidden=self.shapes.hidden(parent, member) if flattened else (),
            checks=found.checks,
            omit=member.omit,
            opaque=found.opaque_type,
            spread=self.described and is_spread(self.types, member),
            preserves=keeps_unknown((*member.apart, *member.comments)),
        )
        if result.spread and self.types.universe.is_input(plan.package):
            self._report_spread(member, result.json, place)
        result.notes = self.notes.of_field(member, result.shape, plan, path)
        self._refuse_shape(member.type, found, f"{place} ({member.type})", member.span)
        if not self.strict:
            self.arrays.add(member.type, place, plan.id, member.span)
        if not found.opaque_type:
            result.type = target.id if target else ""
            if not lost or self.strict:
                self._look_for(member, found, plan, place)
        if isinstance(member.type, List | Map):
            result.keys, result.values = self._iterations(path, member.type, found, member.span)
        return result, found

    def _report_spread(self, member: Field, name: str, place: str) -> None:
        """Warns of a named field that controller-gen inlines: Go decodes its contents from a member of its name."""
        message = f"{place}: its fields are in the schema of the struct around, as with controller-gen"
        message += f", while Go's JSON has them in {name}"
        help = f'write `json:"{name[:1].lower()}{name[1:]}"`, or embed the type'
        self.reader.diagnostics.warning("VG423", message, member.span, help)

    def _name_in_paths(self, type: TypeExpr, package: str) -> str:
        """Returns the name of an inlined type of a root as field paths show it."""
        named = pointee(type)
        if not isinstance(named, Named) or named.package == package:
            return named.name if isinstance(named, Named) else str(named)
        other = self.types.universe.package(named.package)
        return f"{other.name if other else named.package.rpartition('/')[2]}.{named.name}"

    def _iterations(
        self, path: str, type: TypeExpr, found: RuleOutput, span: Span
    ) -> tuple[Check | None, Check | None]:
        """Returns the checks that the key type and the element type of a list or map bring of their own."""
        container = self.types.native(type)
        tag = TagRef("", span)
        keys = values = None
        if isinstance(container, Map) and not found.opaque_keys:
            plan = self._element(container.key)
            keys = each_key(self.session, container.key, call_type(plan.id, tag)) if plan else None
        if isinstance(container, List | Map) and not found.opaque_values:
            plan = self._element(container.elem)
            values = each_value(self.session, path, type, call_type(plan.id, tag)) if plan else None
        return keys, values

    def _element(self, type: TypeExpr) -> TypePlan | None:
        named = pointee(self.types.resolve(type))
        return self.visit(named) if isinstance(named, Named) else None

    def _without_rules(self, member: Field, found: RuleOutput, plan: TypePlan) -> RuleOutput:
        """Removes the checks of an embedded unresolved type, and reports that."""
        ruled = bool(found.checks or found.deferred)
        if ruled or not found.opaque_type:
            inner = self.types.value(member.type)
            self.unknown.add_embedded(inner, plan, member.go_name, member.span, ruled=ruled)
        return RuleOutput(opaque_type=found.opaque_type)

    def _look_for(self, member: Field, found: RuleOutput, plan: TypePlan, place: str) -> None:
        """Reports the type of a field, or of its items, if its declaration is unknown."""
        named: TypeExpr = member.type
        while isinstance(named, Pointer | List | Map):
            if isinstance(named, List | Map) and found.opaque_values:
                return
            named = named.elem
        if not isinstance(named, Named):
            return
        declaration = self.types.declaration(named)
        span = named.span or member.span
        if self.strict and (declaration is None or not self.included(declaration.package)):
            message = f"{place}: type {named} is in a non-included package"
            help = f"include it with --readonly-pkg {named.package}, or add +k8s:opaqueType to the field"
            self.reader.diagnostics.error("VG303", message, span, help)
        else:
            lost = self.types.find_lost(named)
            if lost is not None:
                self.unknown.add_value(lost, plan, place, member.json, (lost.span if declaration else None) or span)

    def _demands(self, context: Context, tags: Sequence[Tag], place: str, shown: str, span: Span) -> RuleOutput:
        """Applies tags. On an array, which cannot have checks, it reports an error instead."""
        if not any(map(demands_something, tags)) or not has_array(self.types, context.type):
            return self.demands.apply(context, tags, place)
        reason = refusal(self.types, context.type, strict=self.strict)
        self.arrays.refused.add(place)
        self.reader.diagnostics.error("VG302", f"{shown}: {reason}", span, USE_A_SLICE)
        return RuleOutput()

    def _refuse_shape(self, type: TypeExpr, found: RuleOutput, place: str, span: Span) -> None:
        """Refuses types that cannot be validated; outside strict mode only those with checks."""
        tagged = bool(found.checks or found.deferred)
        reason = refusal(self.types, type, strict=self.strict) if self.strict or tagged else ""
        if tagged:
            reason = reason or refusal_of_tags(self.types, type)
        if reason:
            self.reader.diagnostics.error("VG302", f"{place}: {reason}", span)
