"""Records the contributions of single checks to a schema: keywords and CEL rules, and the reasons for gaps.

The schema of a kind is built as usual; this module compares it before and after some checks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.budget import Excess, fit, render_times
from validation_gen.emit.schema.constrain import Constrainer
from validation_gen.emit.schema.node import Node, ValueRef
from validation_gen.emit.schema.structure import Structure
from validation_gen.ir import Check, Predicate, Presence, Program, StructRef, TagRef

_RULES = "x-kubernetes-validations"


@dataclass(frozen=True, slots=True)
class SchemaFragment:
    """Keywords of a schema at a path below its root, as JSON."""

    path: str
    keywords: Mapping[str, Any]


@dataclass(slots=True)
class TagFragments:
    """Contributions of tags: keywords by tag and path, and the reasons for gaps."""

    said: dict[TagRef, list[SchemaFragment]] = field(default_factory=dict)
    reasons: dict[TagRef, list[str]] = field(default_factory=dict)


def sayings(program: Program, options: SchemaOptions, type: str, tags: Collection[TagRef], path: str) -> TagFragments:
    """Returns the contributions of some tags to the schema of a type on the way to `path` (`spec.tools[*].weight`)."""
    structure = Structure(program, options)
    root = structure.build_node(StructRef(type))
    if "metadata" in root.properties and "kind" in root.properties:
        root.properties["metadata"] = Node({"type": "object"})  # its schema is the API server's
    found = TagFragments()
    recorder = _Recorder(program, options, root=root, wanted=frozenset(tags), path=path, found=found)
    recorder.type(type, ValueRef(root, StructRef(type)))
    for gap in recorder.gaps:
        if gap.tag in recorder.wanted:
            found.reasons.setdefault(gap.tag, []).append(gap.reason)
    for excess in fit(root):
        if excess.rule.tag in recorder.wanted and excess.rule.tag is not None:
            found.reasons.setdefault(excess.rule.tag, []).append(_reason(excess))
    kept = {path: _rules(node) for path, node in _nodes(root, "")}
    message = {tag: list(_find_remaining(tag, parts, kept)) for tag, parts in found.said.items()}
    return TagFragments(message, {tag: list(dict.fromkeys(reasons)) for tag, reasons in found.reasons.items()})


def _find_remaining(
    tag: TagRef, parts: list[SchemaFragment], kept: Mapping[str, list[tuple[TagRef | None, Any]]]
) -> Iterator[SchemaFragment]:
    """Yields the contributions of a tag after expensive CEL rules were removed or replaced."""
    for part in parts:
        keywords = dict(part.keywords)
        if _RULES in keywords:
            own = [entry for owner, entry in kept.get(part.path, ()) if owner == tag]
            keywords = {name: value for name, value in keywords.items() if name != _RULES}
            keywords |= {_RULES: own} if own else {}
        if keywords:
            yield SchemaFragment(part.path, keywords)


def _rules(node: Node) -> list[tuple[TagRef | None, Any]]:
    """Returns the rules of a schema with the tags that they are from."""
    entries = Node(rules=node.rules).as_json().get(_RULES, ())
    return [(rule.tag, entry) for rule, entry in zip(node.rules, entries, strict=True)]


def _reason(excess: Excess) -> str:
    if excess.error:
        return f"CEL cannot say it here ({excess.error.partition(chr(10))[0]})"
    head = f"in CEL it could cost {render_times(excess.cost, excess.limit)} what the API server admits"
    limits = f"; limit {', '.join(excess.unlimited)}" if excess.unlimited else ""
    return f"{head}{limits}" + ("" if excess.dropped else ", so that a cheaper rule replaces it")


@dataclass(slots=True)
class _Recorder(Constrainer):
    """Applies checks, and records their changes."""

    root: Node = field(default_factory=Node)
    wanted: frozenset[TagRef] = frozenset()
    path: str = ""
    found: TagFragments = field(default_factory=TagFragments)
    _recording: bool = False

    def check(self, check: Check, ref: ValueRef) -> None:
        own = _find_path(ref)
        near = self.path == own or self.path.startswith((f"{own}.", f"{own}[")) or not own
        below = own.startswith((f"{self.path}.", f"{self.path}["))
        if self._recording or check.tag not in self.wanted or not (near or below):
            Constrainer.check(self, check, ref)
            return
        before = _state(self.root)
        self._recording = True
        Constrainer.check(self, check, ref)
        self._recording = False
        if _requires(check) and ref.parent is not None:
            owner = ref.parent.node  # which may have demanded it all along, as the field is always written
            if ref.name in owner.required and not self.options.exact:
                self.found.said.setdefault(check.tag, []).append(
                    SchemaFragment(_find_path(ref.parent), {"required": [ref.name]})
                )
                before[_find_path(ref.parent)]["required"] = sorted(owner.required)
        for path, after in _state(self.root).items():
            new = _difference(before.get(path, {}), after)
            if new:
                self.found.said.setdefault(check.tag, []).append(SchemaFragment(path, new))


def _requires(check: Check) -> bool:
    return isinstance(check.operation, Predicate) and check.operation.record.presence is Presence.REQUIRED


def _find_path(ref: ValueRef) -> str:
    """Returns the path of a value from the root."""
    steps: list[str] = []
    at: ValueRef | None = ref
    while at is not None and at.parent is not None:
        steps.append(f".{at.name}" if at.name else "[*]")
        at = at.parent
    return "".join(reversed(steps)).removeprefix(".")


def _state(root: Node) -> dict[str, dict[str, Any]]:
    """Returns each schema by its path, without those below it."""
    return {path: _shallow(node) for path, node in _nodes(root, "")}


def _shallow(node: Node) -> dict[str, Any]:
    alone = Node(dict(node.keywords), required=set(node.required), rules=list(node.rules), all_of=list(node.all_of))
    alone.not_empty = node.not_empty
    return alone.as_json()


def _nodes(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    """Yields all schemas with their paths."""
    yield path.removeprefix("."), node
    for name, part in node.properties.items():
        yield from _nodes(part, f"{path}.{name}")
    for inner in (node.items, node.values):
        if inner is not None:
            yield from _nodes(inner, f"{path}[*]")


def _difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the additions to a schema; of lists the new entries."""
    new: dict[str, Any] = {}
    for keyword, value in after.items():
        known = before.get(keyword)
        if value == known:
            continue
        added = [item for item in value if item not in known] if isinstance(value, list) and known else []
        new[keyword] = added if added and keyword != "enum" else value
    return new
