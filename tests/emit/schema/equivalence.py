"""Compares the verdict of an API server on random objects with that of the validators, error by error.

An error is a type and a place. Those that only one side reports are put to the normalisations of
`tests.emit.schema.normalisations`, one after the other; what none of them explains is a surprise. Both sides judge the
object as the API server has completed it. Rules that cost too much stay in the schemas, as they are to be judged, too.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.apiserver import Verdict
from tests.case_folders import build_every_kind, load_every_kind
from tests.emit.schema.normalisations import IN_EXACT, IN_IDIOMATIC, Mine, One, Theirs, View
from tests.emit.schema.objects import Objects
from tests.emit.schema.places import locate
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.resources import Definition, ResourceEmitter
from validation_gen.ir import EachKey, IfOption, ListOf, PackagePlan, Predicate, Program, Root, StructRef
from validation_gen.rules.differences import Fidelity
from validation_gen.runtime.registry import Kind, Registry

_UNCHECKED = "some validation rules were not checked"
#: Types inside themselves are not spelt out, so that deep objects say nothing more.
_DEPTH = 5


class Server(Protocol):
    """What judges objects by a definition: an API server, or the little one."""

    def validate_all(
        self, crd: dict[str, Any], pairs: Sequence[tuple[Any, Any]], *, unchecked: bool = False
    ) -> list[Verdict]: ...


@dataclass(frozen=True, slots=True)
class Surprise:
    """An error that one side reports and the other does not, for no known reason."""

    kind: str
    update: bool
    theirs: bool
    type: str
    place: str
    different: bool  # one side accepts the object
    sample: tuple[Any, Any] = field(compare=False, repr=False)

    def __str__(self) -> str:
        side = "only the API server" if self.theirs else "only the validators"
        verdict = ", which decides" if self.different else ""
        return f"{self.kind}, {'update' if self.update else 'create'}: {side}: {self.type} at {self.place}{verdict}"


@dataclass(slots=True)
class Outcome:
    """What has been seen.

    `reasons` counts the normalised errors by reason, `effects` those which decide that one side accepts an object and
    the other does not.
    """

    judged: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    effects: Counter[tuple[str, Fidelity]] = field(default_factory=Counter)
    surprises: Counter[Surprise] = field(default_factory=Counter)

    def add(self, other: Outcome) -> None:
        self.judged += other.judged
        self.reasons += other.reasons
        self.effects += other.effects
        self.surprises += other.surprises


@dataclass(frozen=True)
class Subject:
    """A folder of sources, the types of which are judged as custom resources."""

    program: Program
    registry: Registry
    tags: frozenset[str]

    def judge(
        self, server: Server, manner: SchemaMode, number: int, given: Sequence[tuple[Kind, Any, Any]] = ()
    ) -> Outcome:
        """Judges so many drawn objects of each type, as many updates of them, and other requests."""
        found = Outcome()
        for resource in self._resources(manner):
            # Each type has random numbers of its own, so that one does not depend on the others.
            found.add(resource.judge(server, random.Random(resource.root.type), number))
            kind = (resource.kind.package, resource.kind.name)
            found.add(resource.judge_pairs(server, [(n, o) for k, n, o in given if (k.package, k.name) == kind]))
        return found

    def requests(
        self, server: Server, manner: SchemaMode, number: int
    ) -> Iterator[tuple[Kind, Any, Any, dict[str, bool]]]:
        """Yields what is drawn for `judge`: kinds, objects, old objects and options. A create has no old object."""
        for resource in self._resources(manner):
            for verdict, before in resource.verdicts(server, random.Random(resource.root.type), number):
                yield resource.kind, verdict.object, before and before.object, resource.options

    def definitions(self, manner: SchemaMode) -> Iterator[dict[str, Any]]:
        """The types as resources, with no more rules than an API server takes."""
        emitter = ResourceEmitter(self.program, SchemaOptions(manner))
        for package, root in self._roots():
            yield _as_resource(emitter, package, root)[0]

    def _roots(self) -> Iterator[tuple[PackagePlan, Root]]:
        for package in self.program.packages.values():
            for root in package.roots:
                plan = self.program.types.get(root.type)
                # Definitions cannot have a kind with an underscore in its name.
                named = root.kind.isalnum() and "/" in root.subresources
                if named and plan is not None and self.program.is_sound(plan.id) and isinstance(plan.shape, StructRef):
                    yield package, root

    def _resources(self, manner: SchemaMode) -> Iterator[_Resource]:
        for package, root in self._roots():
            for kind in self.registry.of_type(root.kind, package.path)[:1]:
                yield _Resource(self, manner, package, root, self.registry.run, kind)


def subject(folder: Path) -> Subject:
    """A case folder, or another one with Go packages."""
    program = build_every_kind(folder)
    sources = "\n".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.go"))
    tags = {f"k8s:{name}" for name in re.findall(r"\+k8s:([A-Za-z]+)", sources)}
    if any(isinstance(part, EachKey) for part in _parts(list(program.types.values()))):
        tags.add("k8s:eachKey")  # the rules of the type of keys are said as this tag is
    if any(isinstance(part, ListOf) and part.length is not None for part in _parts(list(program.types.values()))):
        tags.add("arrays")
    return Subject(program, load_every_kind(folder), frozenset(tags))


class _Resource:
    """A type as a custom resource, with a group of its own."""

    def __init__(
        self, subject: Subject, manner: SchemaMode, package: PackagePlan, root: Root, run: Any, kind: Kind
    ) -> None:
        self.subject, self.root, self.run, self.kind = subject, root, run, kind
        self.reasons = IN_EXACT if manner is SchemaMode.EXACT else IN_IDIOMATIC
        self.options = dict.fromkeys(_options(subject.program), False)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("validation_gen.emit.schema.resources.fit", lambda node: [])
            self.crd, definition = _as_resource(ResourceEmitter(subject.program, SchemaOptions(manner)), package, root)
        self.schema: dict[str, Any] = self.crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        self.left_out = frozenset(gap.tag.place for gap in definition.gaps)

    def judge(self, server: Server, chance: random.Random, number: int) -> Outcome:
        found = Outcome()
        for verdict, before in self.verdicts(server, chance, number):
            self._compare(found, verdict, before)
        return found

    def verdicts(self, server: Server, chance: random.Random, number: int) -> Iterator[tuple[Verdict, Verdict | None]]:
        """Yields the verdicts on drawn objects, and then those on updates of them, with those on the old objects."""
        objects = Objects(self.subject.program, chance, depth=_DEPTH)
        shape = self.subject.program.types[self.root.type].shape
        drawn = [objects.root(self.root.type, self.root.kind, "example.com/v1") for _ in range(number)]
        changed = [objects.changed(obj, shape) for obj in drawn]
        created = server.validate_all(self.crd, [(obj, None) for obj in drawn], unchecked=True)
        olds = [verdict.object for verdict in created]
        updated = server.validate_all(self.crd, list(zip(changed, olds, strict=True)), unchecked=True)
        yield from ((verdict, None) for verdict in created)
        yield from zip(updated, created, strict=True)

    def judge_pairs(self, server: Server, pairs: Sequence[tuple[Any, Any]]) -> Outcome:
        """Judges objects and old ones that the server can decode."""
        found = Outcome()
        head = {"apiVersion": "example.com/v1", "kind": self.root.kind}
        for new, old in pairs:
            before = None if old is None else server.validate_all(self.crd, [(old | head, None)], unchecked=True)[0]
            pair = (new | head, before and before.object)
            verdict = server.validate_all(self.crd, [pair], unchecked=True)[0]
            errors = [*verdict.errors, *(before.errors if before else ())]
            if not any(error.type == "FieldValueTypeInvalid" for error in errors):
                self._compare(found, verdict, before)
        return found

    def _compare(self, found: Outcome, verdict: Verdict, before: Verdict | None) -> None:
        new, old = verdict.object, before.object if before else None
        errors = self.run(self.kind, new, old, update=before is not None, options=self.options)
        # Both sides report most places.
        find = functools.cache(lambda path: locate(path, self.schema, new, old))
        mine = [Mine(e.type.value, find(e.place), e) for e in errors]
        theirs = [Theirs(e.type, find(e.field), e.detail) for e in verdict.errors if _UNCHECKED not in e.detail]
        blocked = len(theirs) != len(verdict.errors)
        duplicates = before is not None and self._has_duplicates(before)
        view = View(before is not None, blocked, mine, theirs, self.left_out, duplicates)
        refused = any(not m.on_trial for m in mine)
        found.judged += 1
        every: tuple[One, ...] = (*mine, *theirs)
        for one in every:
            if not view.agreed(one):
                self._explain(found, one, view, different=refused != bool(theirs), sample=(new, old))

    def _explain(self, found: Outcome, one: One, view: View, *, different: bool, sample: tuple[Any, Any]) -> None:
        reasons = (r.name for r in self.reasons if r.counts(self.subject.tags) and r.explains(one, view))
        reason = next(reasons, None)
        if reason is None:
            surprise = Surprise(
                self.root.kind, view.update, isinstance(one, Theirs), one.type, str(one.place), different, sample
            )
            found.surprises[surprise] += 1
            return
        found.reasons[reason] += 1
        if different and isinstance(one, Theirs):
            found.effects[reason, Fidelity.STRICTER] += 1
        elif different and isinstance(one, Mine) and not one.on_trial:
            found.effects[reason, Fidelity.LOOSER] += 1

    def _has_duplicates(self, verdict: Verdict) -> bool:
        errors = self.run(self.kind, verdict.object, None, update=False, options=self.options)
        return "FieldValueDuplicate" in {*(e.type for e in verdict.errors), *(e.type.value for e in errors)}


def _as_resource(emitter: ResourceEmitter, package: PackagePlan, root: Root) -> tuple[dict[str, Any], Definition]:
    """A type as version v1 of a resource, whether or not it is meant to be one."""
    definition = Definition("example.com", root.kind.lower())
    definition.versions.append((package, root))
    crd = emitter.definition(definition)
    version = crd["spec"]["versions"][0]
    version.pop("subresources", None)
    version["name"] = "v1"
    properties = version["schema"]["openAPIV3Schema"].setdefault("properties", {})
    properties["metadata"] = {**properties.get("metadata", {}), "type": "object"}
    properties |= {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
    return crd, definition


def _options(program: Program) -> Iterator[str]:
    """All validation options that checks ask for."""
    for part in _parts(list(program.types.values())):
        if isinstance(part, IfOption):
            yield part.option
        elif isinstance(part, Predicate) and part.name == "enum_with_options":
            exclusions = part.operands[1]
            assert isinstance(exclusions, Sequence)
            yield from (option for _, option, _ in exclusions)


def _parts(whole: object) -> Iterator[object]:
    """All that plans consist of."""
    yield whole
    if isinstance(whole, list | tuple):
        for each in whole:
            yield from _parts(each)
    elif dataclasses.is_dataclass(whole):
        for each in dataclasses.fields(whole):
            yield from _parts(getattr(whole, each.name))
