"""Groups mismatches by their cause, and keeps the best example of each group."""

from __future__ import annotations

from functools import partial

from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Side
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.registry import Kind
from validation_gen.uses.compare.answers import Shown, cut
from validation_gen.uses.compare.declarations import Declarations
from validation_gen.uses.compare.groups import Example, Order, Sort, size_of
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.results import Results

#: The time to explain a mismatch grows with their number. Beyond this number, mismatches take the cause of the last
#: alike one.
_MOST_EXPLAINED = 50
#: To explain one error, all others are scanned. This limits the scanned errors of one request.
_MOST_LOOKS = 2_000_000

_PAIRED = frozenset({Cause.PATH_DIFFERS, Cause.TYPE_DIFFERS, Cause.ORIGIN_MISSING, Cause.ORIGIN_DIFFERS})


class Grouping:
    """Explains the mismatches of requests, and adds them to results.

    Args:
        declarations: declarations of the types.
        comparison: how errors were compared.
        expected: expected differences.
    """

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
        rank = len(evidence.handwritten) + len(evidence.declarative), size_of(request.obj, request.old)
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
            explanation = explained.get(alike) or _unexplained(mismatch, len(ordered))
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


def _unexplained(mismatch: Mismatch, count: int) -> Explanation:
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
        cut(mismatch.message),
        cut(explanation.text),
        {
            "kind": kind.name,
            "apiVersion": kind.api_version,
            "package": kind.package,
            "op": "update" if request.update else "create",
            "subresources": [part for part in request.subresource.split("/") if part],
        },
        {side: count for side, count in more.items() if count},
    )
