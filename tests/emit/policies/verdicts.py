"""Holds the verdicts of policies against those of validators, on objects that are drawn at random.

Objects are as the API server hands them to policies: null is gone where it means that there is nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.case_folders import build_every_kind, load_every_kind
from tests.emit.schema.drawn import Drawn
from tests.emit.schema.equivalence import _options as options_of
from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.policies.documents import KindPolicies, build_kind_policies, make_names
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import Definition, ResourceEmitter
from validation_gen.ir import PackagePlan, Program, Root, StructRef
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.policies.reading import read_policy
from validation_gen.kubernetes.policies.requests import Request
from validation_gen.kubernetes.policies.validating import Decision, Validator
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry

#: Rules of all levels are asked for, as validators report all of them.
SCHEMAS = SchemaOptions(level=Level.ALPHA)


@dataclass(frozen=True)
class Subject:
    """A folder of sources."""

    program: Program
    registry: Registry
    options: dict[str, bool]

    def kinds(self) -> Iterator[tuple[PackagePlan, Root]]:
        """The types that can be judged as objects, whether or not they are meant to be."""
        for package in self.program.packages.values():
            for root in package.roots:
                plan = self.program.types.get(root.type)
                sound = plan is not None and plan.has_checks and self.program.is_sound(root.type)
                if sound and plan is not None and isinstance(plan.shape, StructRef) and "/" in root.subresources:
                    yield package, root

    def policies(self, package: PackagePlan, root: Root, options: PolicyOptions | None = None) -> KindPolicies:
        definition = Definition("example.com", root.kind.lower().replace("_", "-"))
        definition.versions.append((package, root))
        return build_kind_policies(self.program, [definition], SCHEMAS, options or PolicyOptions())[0]

    def names(self, root: Root) -> Names:
        return make_names(ResourceEmitter(self.program, SCHEMAS), root)


@cache
def subject(folder: Path) -> Subject:
    """A case folder, or another one with Go packages."""
    program = build_every_kind(folder)
    return Subject(program, load_every_kind(folder), dict.fromkeys(options_of(program), False))


@dataclass
class Outcome:
    """What has been seen: how many requests and rules there were, and the requests on which both sides differ."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def compared(folder: Path, number: int, given: Sequence[tuple[Kind, Any, Any]] = ()) -> Outcome:
    """Compares the verdicts on so many drawn requests for each kind, half of them updates, and on others."""
    found = Outcome()
    it = subject(folder)
    for package, root in it.kinds():
        policies = it.policies(package, root)
        left = {gap.tag.place + gap.tag.text for gap in policies.gaps}
        left |= {excess.tag.place + excess.tag.text for excess in policies.excesses}
        within_itself = {gap.reason.partition(" ")[0] for gap in policies.gaps if "stands inside itself" in gap.reason}
        found.counts["rules"] += len(policies.rules)
        found.counts["left"] += len(left)
        validators = [
            Validator(read_policy(each)) for each in policies.objects if each["kind"] == "ValidatingAdmissionPolicy"
        ]
        own = [(new, old) for kind, new, old in given if (kind.package, kind.name) == (package.path, root.kind)]
        for new, old, errors in judged(it, package, root, [*requests_drawn(it, package, root, number), *own]):
            mine = [error for error in errors if error.rule.place + error.tag not in left]
            if errors and not mine:
                found.counts["left to validators"] += 1
                continue
            operation = "CREATE" if old is None else "UPDATE"
            decisions = [d for each in validators for d in each.evaluate(Request(new, old, operation)).decisions]
            denied = [decision for decision in decisions if decision.denied]
            found.counts["requests"] += 1
            found.counts["refused"] += bool(mine)
            found.counts["errors of policies"] += any(decision.errored for decision in denied)
            found.counts["same texts"] += sum(decision.message in set(map(str, errors)) for decision in denied)
            found.counts["texts"] += len(denied)
            if bool(mine) != bool(denied) and not (within_itself and mine):
                found.differences.append(_difference(root.kind, mine, denied, new, old))
    return found


def _difference(kind: str, mine: list[FieldError], denied: list[Decision], new: Any, old: Any) -> str:
    ours, theirs = [str(error)[:200] for error in mine], [decision.message for decision in denied]
    return f"{kind}: validators say {ours}, the policy says {theirs}, of {new!r} after {old!r}"


def requests_drawn(it: Subject, package: PackagePlan, root: Root, number: int) -> Iterator[tuple[Any, Any]]:
    """Yields objects and old ones."""
    drawn = Drawn(it.program, random.Random(root.type))
    for index in range(number):
        new = drawn.root(root.type, root.kind, package.api_version)
        old = None
        if index % 2:
            old, new = new, drawn.changed(new, root.type)
        yield new, old


def requests(it: Subject, package: PackagePlan, root: Root, number: int) -> Iterator[tuple[Any, Any, list[FieldError]]]:
    """Yields drawn objects, old ones, and the errors of validators."""
    return judged(it, package, root, requests_drawn(it, package, root, number))


def judged(
    it: Subject, package: PackagePlan, root: Root, pairs: Iterable[tuple[Any, Any]]
) -> Iterator[tuple[Any, Any, list[FieldError]]]:
    """Yields objects, old ones, and the errors of validators. What does not decode comes to no policy."""
    kind = it.registry.of_type(root.kind, package.path)[0]
    head = {"apiVersion": package.api_version, "kind": root.kind}
    for each, before in pairs:
        new, old = without_nulls(each | head), None if before is None else without_nulls(before | head)
        if old is not None and _has_duplicates(
            it.registry.run(kind, old, None, update=False, options=it.options, level=Level.ALPHA)
        ):
            continue  # of items that are there twice, one or the other is the old one
        errors = it.registry.run(kind, new, old, update=old is not None, options=it.options, level=Level.ALPHA)
        if not any(error.type.value == "FieldValueTypeInvalid" for error in errors) and not _has_great_numbers(new):
            yield new, old, errors


def _has_duplicates(errors: list[FieldError]) -> bool:
    return any(error.type.value == "FieldValueDuplicate" for error in errors)


def _has_great_numbers(value: Any) -> bool:
    """Whether there are integers that API servers do not have."""
    if isinstance(value, dict | list):
        return any(map(_has_great_numbers, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(part) for key, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value
