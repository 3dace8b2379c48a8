"""Collects the description of a field as data: its rules as text, and their schemas.

It is the same for people and for programs. Other modules render it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from validation_gen.commands.explain.fields.address import Step, others
from validation_gen.commands.explain.fields.rules import Applied
from validation_gen.commands.explain.fields.walk import FieldValue, InsideRule, go_to, inside, shape_text
from validation_gen.commands.explain.schemas import effects
from validation_gen.commands.explain.tags import level
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.contributions import SchemaFragment, TagFragments, sayings
from validation_gen.ir import (
    Emission,
    ListOf,
    Predicate,
    Presence,
    Program,
    StructRef,
    TypePlan,
    predicates,
    value_shape,
)
from validation_gen.rules.differences import Difference, summary
from validation_gen.rules.registry import catalogue
from validation_gen.rules.spelling import former_names
from validation_gen.runtime.levels import Level

_NAMES = re.compile(r"\+(k8s:\w+)")


@dataclass(frozen=True, slots=True)
class InSchema:
    """Schema of a rule in one manner: keywords by path, the verdict, and the reasons for differences.

    `reasons` are those of this field, `differences` the names of all differences of the tag at any field.
    """

    manner: str
    said: tuple[SchemaFragment, ...]
    verdict: str
    reasons: tuple[str, ...]
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleAccount:
    """Description of a rule."""

    tag: str
    source: str
    on: str
    at: str
    via: tuple[str, ...]
    meaning: str
    conditions: tuple[str, ...]
    errors: tuple[str, ...]
    stops: str
    stopped_by: tuple[str, ...]
    schemas: tuple[InSchema, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldAccount:
    """Description of a field. `above` are rules that can stop its validation.

    Of a type, `inside` has the rules of all its fields; of a field it is empty.
    """

    name: str
    package: str
    type: str
    declared: str
    requests: tuple[str, ...]
    rules: tuple[RuleAccount, ...]
    above: tuple[RuleAccount, ...]
    around: tuple[RuleAccount, ...]
    notes: tuple[str, ...]
    #: Meanings of the differences that rules name.
    differences: Mapping[str, str]
    inside: tuple[InsideRule, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Converts it to data for programs: names as in JSON, empty values included."""
        return asdict(self)


def account(program: Program, plan: TypePlan, steps: Sequence[Step], target: str) -> FieldAccount:
    """Collects the description of the field at the end of some steps.

    Raises:
        AddressError: there is no such field.
    """
    spot = go_to(program, plan, steps)
    tags = {rule.check.tag for rule in (*spot.rules, *spot.around) if rule.check.tag.text}
    message = {
        manner: sayings(program, SchemaOptions(manner, level=Level.ALPHA), plan.id, tags, spot.json)
        for manner in SchemaMode
        if isinstance(plan.shape, StructRef)
    }
    rules = [*spot.rules, *spot.around]
    known = {
        each.name: each.text
        for rule in rules
        if message
        for manner in SchemaMode
        for each in _differences(rule, manner)
    }
    root = next((r for p in program.packages.values() for r in p.roots if r.type == plan.id), None)
    return FieldAccount(
        spot.path,
        plan.package,
        shape_text(spot.shape),
        str(spot.declared.span if spot.declared else plan.span),
        root.subresources if root else (),
        tuple(_rule(rule, message, target) for rule in spot.rules),
        tuple(_rule(rule, {}, target) for rule in spot.above),
        tuple(_rule(rule, message, target) for rule in spot.around),
        tuple(_notes(program, plan, spot)),
        known,
        () if steps else tuple(dict.fromkeys(inside(program, spot))),
    )


def _notes(program: Program, plan: TypePlan, spot: FieldValue) -> Iterator[str]:
    if versions := others(plan, program):
        yield f"This is the storage version; {plan.name} is also in {', '.join(versions)}."
    yield from spot.notes
    if keys := _list_keys(program, spot):
        yield f"Items are identified by {' and '.join(keys)}: no two may have the same."
    if spot.declared is not None and spot.json:
        yield "An update does not check the value if it is as it was."
    for id in sorted(program.broken_types):
        if isinstance(spot.shape, StructRef) and spot.shape.id == id:
            yield "The type has errors, so that no validators are made for it."


def _list_keys(program: Program, spot: FieldValue) -> list[str]:
    """Returns the key fields of a list's items, from the list or its type."""
    declared = spot.declared
    if declared is None or declared.shape != spot.shape or not isinstance(value_shape(spot.shape), ListOf):
        return []
    kept = [declared.notes, *(plan.notes for plan in [program.types.get(declared.type)] if plan)]
    found = [notes.keywords.get("x-kubernetes-list-map-keys") for notes in kept]
    return next(([str(key) for key in keys] for keys in found if isinstance(keys, list | tuple) and keys), [])


def _rule(rule: Applied, message: Mapping[SchemaMode, TagFragments], target: str) -> RuleAccount:
    check = rule.check
    return RuleAccount(
        rule.tag,
        str(check.tag.span),
        rule.on,
        rule.at,
        tuple(filter(None, rule.through)),
        _meaning(rule),
        tuple(_conditions(rule, target)),
        () if check.silent else tuple(_error(e) for e in _emissions(rule)),
        _stops(rule),
        tuple(tag for tag in rule.stopped_by),
        _in_schemas(rule, message),
    )


def _in_schemas(rule: Applied, message: Mapping[SchemaMode, TagFragments]) -> tuple[InSchema, ...]:
    """Returns the schemas of a rule in each manner. If both are equal, both get the better verdict."""
    if rule.check.silent:
        return ()
    found = {manner: _in_schema(rule, manner, sayings) for manner, sayings in message.items()}
    exact, idiomatic = found.get(SchemaMode.EXACT), found.get(SchemaMode.IDIOMATIC)
    if exact is not None and idiomatic is not None and exact.said and exact.said == idiomatic.said:
        found[SchemaMode.IDIOMATIC] = replace(exact, manner=idiomatic.manner)
    return tuple(found.values())


def _emissions(rule: Applied) -> tuple[Emission, ...]:
    """Returns the errors of a rule, relative to the value that carries it."""
    return tuple(dict.fromkeys(replace(e, path="") if rule.through else e for e in rule.check.emits))


def _error(emission: Emission) -> str:
    at = f" at {emission.path.removeprefix('.')}" if emission.path else ""
    return f"{emission.type}{f' ({emission.origin})' if emission.origin else ''}{at}"


def _names(tag: str) -> list[str]:
    """Returns the current names of a tag and of the tags chained to it, as some have former names."""
    return [former_names()[name][0].name if name in former_names() else name for name in _NAMES.findall(tag)]


def _meaning(rule: Applied) -> str:
    """Describes a rule in one sentence, by the last tag in the chain, or by its effect if it has no tag."""
    check, operation = rule.check, rule.operation
    record = operation.record if isinstance(operation, Predicate) and rule.is_here else None
    if not check.tag.text:
        return "Items must not be null." if record is predicates.NO_NULLS else _describe_call(rule)
    if record and record.presence is Presence.UNSET:
        return "An unset value is ignored."
    if isinstance(operation, Predicate) and operation.record is predicates.MATCHES:
        pattern, message, _ = operation.operands
        return f"A string must have a format of the project: it {message}. The pattern is {pattern}"
    names = [name for name in _names(check.tag.text) if name in catalogue()]
    if check.silent:
        asked = f"+{names[-1]}" if names else check.tag.text
        return f"Checks quietly what {asked} of the member checks. A failure skips other rules."
    return catalogue()[names[-1]].doc if names else ""


def _describe_call(rule: Applied) -> str:
    if rule.carried.is_of_keys:
        return "The rules of the type of its keys hold for each key."
    return "The rules of the type of its items hold for each of them." if rule.carried.is_of_items else ""


def _conditions(rule: Applied, target: str) -> Iterator[str]:
    yield from rule.conditions
    if rule.on_updates:
        yield "on updates only, if the value has changed"
    if rule.level:
        yield f"{rule.level}: its errors are marked so, and count where {rule.level} rules are enforced"
    for name in _names(rule.check.tag.text)[-1:]:
        found = level(catalogue()[name], target) if name in catalogue() else ""
        if found in ("Alpha", "Beta"):
            yield f"the tag is {found} in Kubernetes {target}"


def _stops(rule: Applied) -> str:
    check = rule.check
    if not check.short_circuit:
        return ""
    if check.cohort:
        return f"the other rules of its cohort ({check.cohort})"
    return "all other rules of the value, and what is inside"


def _in_schema(rule: Applied, manner: SchemaMode, found: TagFragments) -> InSchema:
    tag = rule.check.tag
    message = tuple(found.said.get(tag, ()))
    reasons = tuple(found.reasons.get(tag, ()))
    differences = _differences(rule, manner)
    verdict = "left out" if reasons and not message else effects(summary(differences), ", ")
    return InSchema(manner.value, message, verdict, reasons, tuple(each.name for each in differences))


def _differences(rule: Applied, manner: SchemaMode) -> tuple[Difference, ...]:
    """Returns all differences between schema and validators that the tags of a chain can cause, at any field."""
    if rule.check.silent:
        return ()
    forms = [catalogue()[name].schema for name in _names(rule.check.tag.text) if name in catalogue()]
    return tuple(
        dict.fromkeys(d for form in forms for d in (form.exact if manner is SchemaMode.EXACT else form.idiomatic))
    )
