"""Test requests for validators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from validation_gen.commands.edgecases.places import Place, Places, option_name
from validation_gen.ir import PackagePlan, Program, Root
from validation_gen.ir.checks import options_in
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry

_LATEST = 4


@dataclass(frozen=True, slots=True)
class Probe:
    """A create or an update of one object. The fields are those of the line protocol's requests.

    Objects must not be changed: probes share parts.
    """

    kind: str
    package: str
    api_version: str
    obj: Any
    old: Any = None
    update: bool = False
    options: Mapping[str, bool] = field(default_factory=dict)
    subresource: str = "/"


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind with its validators.

    `options` are the validation options on which its rules depend.
    """

    root: Root
    kind: Kind
    place: Place
    options: tuple[str, ...]
    run: Callable[..., list[FieldError]]
    #: Cache of the latest probes with their errors: the search for a boundary needs those of a probe several times.
    _latest: dict[tuple[object, ...], tuple[Probe, list[FieldError]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def probe(self, obj: Any, old: Any = None, *, update: bool = False, options: Mapping[str, bool]) -> Probe:
        """Returns a request for the first of the paths for which the kind is validated."""
        kind = self.kind
        subresource = (kind.subresources or ("/",))[0]
        return Probe(kind.name, kind.package, kind.api_version, obj, old, update, options, subresource)

    def errors(self, probe: Probe) -> list[FieldError]:
        """Runs the validators, and returns the errors of tags; schemas are not evaluated here."""
        key = (id(probe.obj), id(probe.old), probe.update, probe.subresource, *sorted(probe.options.items()))
        known = self._latest.pop(key, None)
        if known is None:
            found = self.run(
                self.kind,
                probe.obj,
                probe.old,
                update=probe.update,
                options=probe.options,
                subresource=probe.subresource,
            )
            known = probe, [error for error in found if Mark.SCHEMA not in error.marks]
        self._latest[key] = known
        if len(self._latest) > _LATEST:
            del self._latest[next(iter(self._latest))]
        return list(known[1])

    def states(self, known: Mapping[str, object]) -> Iterator[dict[str, object]]:
        """Yields option states as conditions: all off, then each on, then all on, with known ones unchanged."""
        names = [name for name in map(option_name, self.options) if name not in known]
        for on in dict.fromkeys([frozenset[str](), *(frozenset({name}) for name in names), frozenset(names)]):
            yield {name: name in on for name in names} | dict(known)

    def whole(self, value: Any) -> Any:
        """Returns a value of the kind's type as an object, with its kind and name if such objects have them."""
        version = self.kind.api_version
        if not version or not isinstance(value, dict):
            return value
        head: dict[str, Any] = {"apiVersion": version, "kind": self.kind.name}
        metadata = value.get("metadata") or {}
        if "metadata" in self.place.members and isinstance(metadata, dict):
            head["metadata"] = metadata if metadata.get("name") else {"name": "a"} | metadata
        return {**head, **value, **head}


def subject(places: Places, registry: Registry, package: PackagePlan, root: Root) -> Subject | None:
    """Returns a kind with its validators, `None` if nothing is validated."""
    named = [kind for kind in registry.of_type(root.kind, package.path) if kind.package == package.path]
    if not named or named[0].subresources is None:
        return None
    options = tuple(sorted(_options(places.program, root.type)))
    return Subject(root, named[0], places.of_type(root.type), options, partial(registry.run, level=Level.ALPHA))


def _options(program: Program, id: str) -> set[str]:
    """Returns the options of all reachable types."""
    found: set[str] = set()
    known: set[str] = set()
    waiting = [id]
    while waiting:
        plan = program.types.get(waiting.pop())
        if plan is None or plan.id in known:
            continue
        known.add(plan.id)
        for check in plan.every_check:
            found.update(options_in(check))
        waiting += _mentioned(program, id=plan.id)
    return found


def _mentioned(program: Program, id: str) -> list[str]:
    """Returns the types of the fields, items and keys of a type, and of their element types."""
    plan = program.types[id]
    shapes: list[Any] = [plan.shape, *(member.shape for member in plan.fields)]
    found = []
    while shapes:
        shape = shapes.pop()
        found.append(getattr(shape, "type", ""))
        shapes += [part for name in ("elem", "key") if (part := getattr(shape, name, None)) is not None]
    return found
