"""Groups mismatches by their cause. `Declarations` are the rules and fields of the program, to blame for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from validation_gen.commands.compare.groups import Example, Group, Order, Shown, Sort, count_characters, truncate
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results, RuleUse
from validation_gen.commands.coverage import list_declared_errors, roots
from validation_gen.commands.distributed.codec import LOCAL
from validation_gen.diagnostics import Span
from validation_gen.files import reading
from validation_gen.ir import Program, visit_fields
from validation_gen.mismatch.causes import DeclaredRule, Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry

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
    spans: dict[tuple[str, str], Span] = field(default_factory=dict, metadata=LOCAL)

    @classmethod
    def from_program(cls, program: Program, registry: Registry) -> Declarations:
        labels = {(kind.package, kind.name): kind_label(kind) for kind in registry.kinds}
        found = cls(options=program.options)
        for rule in list_declared_errors(program):
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


#: The time to explain a mismatch grows with their number. Beyond this number, mismatches take the cause of the last
#: alike one.
_MOST_EXPLAINED = 50
#: To explain one error, all others are scanned. This limits the scanned errors of one request.
_MOST_LOOKS = 2_000_000

_PAIRED = frozenset({Cause.PATH_DIFFERS, Cause.TYPE_DIFFERS, Cause.ORIGIN_MISSING, Cause.ORIGIN_DIFFERS})


class Grouping:
    """Explains the mismatches of requests, and adds them to results."""

    def __init__(self, declarations: Declarations, comparison: Comparison, expected: Expectations) -> None:
        self._declarations = declarations
        self._comparison = comparison
        self._expected = expected
        self._explainers: dict[str, Explainer] = {}

    def add(
        self,
        request: Request,
        kind: Kind,
        label: str,
        operation: str,
        evidence: Evidence,
        results: Results,
        order: Order = (0, 0),
    ) -> bool:
        """Adds each mismatch to its group. Two errors that differ in one respect only are one mismatch.

        `order` is the position of the request in the input.

        Returns whether one of them is not expected.
        """
        paired: set[int] = set()
        explainer = self._explainer(label)
        rank = len(evidence.handwritten) + len(evidence.declarative), count_characters(request.obj, request.old)
        is_unexpected = False
        explained: dict[tuple[Side, str, ErrorType, str], Explanation] = {}
        # The declarative errors come first: of a pair, the one with a tag names the group.
        ordered = sorted(evidence.mismatches, key=lambda each: each.side is Side.HANDWRITTEN)
        shown = Shown(evidence.handwritten), Shown(evidence.declarative)
        looks = _MOST_LOOKS // (len(evidence.handwritten) + len(evidence.declarative) + 1)
        for number, mismatch in enumerate(ordered):
            if id(mismatch.error) in paired:
                continue
            error = mismatch.error
            alike = (mismatch.side, general_path(error.field), error.type, error.origin)
            if looks and (number < _MOST_EXPLAINED or alike not in explained):
                explained[alike] = explainer.explain(mismatch, evidence)
                looks -= 1
            explanation = explained.get(alike) or _make_unexplained(mismatch, len(ordered))
            side = mismatch.side.value
            if explanation.cause in _PAIRED and explanation.counterpart is not None:
                paired.add(id(explanation.counterpart))
                side = "both"
            expectation = self._expected.find(label, mismatch)
            is_unexpected |= expectation is None
            results.add_mismatch(
                _sort(label, operation, side, mismatch.error, explanation),
                expectation.reason if expectation else "",
                rank,
                partial(_example, request, kind, shown, mismatch, explanation),
                order,
            )
        return is_unexpected

    def _explainer(self, kind: str) -> Explainer:
        explainer = self._explainers.get(kind)
        if explainer is None:
            declarations = self._declarations
            rule = (lambda error: declarations.rule(kind, error)) if declarations.knows(kind) else None
            knowledge = Knowledge(rule, lambda path: declarations.place(kind, path), declarations.options)
            explainer = self._explainers[kind] = Explainer(self._comparison, knowledge)
        return explainer


def _make_unexplained(mismatch: Mismatch, count: int) -> Explanation:
    cause = Cause.RULE_MISSING if mismatch.side is Side.HANDWRITTEN else Cause.RULE_EXTRA
    return Explanation(cause, f"the request has {count:,} differences, of which only the first ones are explained")


def _sort(kind: str, operation: str, side: str, error: FieldError, explanation: Explanation) -> Sort:
    return Sort(
        kind,
        operation,
        side,
        explanation.cause.value,
        general_path(error.field),
        error.type.value,
        error.origin,
        explanation.tag,
        explanation.source,
    )


def _example(
    request: Request,
    kind: Kind,
    shown: tuple[Shown, Shown],
    mismatch: Mismatch,
    explanation: Explanation,
) -> Example:
    about = mismatch.error, explanation.counterpart
    (handwritten, more_handwritten), (declarative, more_declarative) = (each.errors(about) for each in shown)
    more = {"handwritten": more_handwritten, "declarative": more_declarative}
    return Example(
        request.obj,
        request.old,
        dict(request.options),
        request.place,
        handwritten,
        declarative,
        truncate(mismatch.message),
        truncate(explanation.text),
        {
            "kind": kind.name,
            "apiVersion": kind.api_version,
            "package": kind.package,
            "op": "update" if request.update else "create",
            "subresources": [part for part in request.subresource.split("/") if part],
        },
        {side: count for side, count in more.items() if count},
    )
