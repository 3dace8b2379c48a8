"""Judges requests: asks both sides, compares, explains, and counts what it finds.

A judge lives in one process and keeps nothing of the objects but the smallest example of each sort of mismatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from validation_gen.compare.declarations import Declarations, kind_label
from validation_gen.compare.requests import Request
from validation_gen.compare.results import Example, Group, Results, RuleUse, Sort, Tally
from validation_gen.compare.sides import Answer, Refusal
from validation_gen.compare.sides import Side as Handwritten
from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison, duplicates, is_of_shape
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.mismatch.outcome import Cause, Explanation, Mismatch, Side
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry

#: Kind, path, type, origin, tag and source, as in `RuleUse`.
_Rule = tuple[str, str, str, str, str, str]

_PAIRED = frozenset({Cause.PATH_DIFFERS, Cause.TYPE_DIFFERS, Cause.ORIGIN_MISSING, Cause.ORIGIN_DIFFERS})


@dataclass(frozen=True, slots=True)
class Manner:
    """How a comparison is made.

    Attributes:
        gates: with gates, errors are compared by the rules of the run-time library; without, every error of both sides.
        normalization: pairs of a pattern and a replacement for paths of the declarative side.
        short_circuit: whether a declarative error that stopped all checks below its field stands for any handwritten
            error there.
        options: the validation options of requests that do not have their own.
        unstated: those of them that nobody has said: they are taken to be off.
        target: the Kubernetes release whose rules the run-time library follows.
    """

    gates: Mapping[str, bool] | None = None
    target: str = "1.37"
    normalization: tuple[tuple[str, str], ...] = ()
    short_circuit: bool = False
    options: Mapping[str, bool] = field(default_factory=dict)
    unstated: frozenset[str] = frozenset()


class Judge:
    """Compares the answers of a handwritten side with those of the generated validators.

    Args:
        registry: the generated validators.
        declarations: what they declare.
        handwritten: the other side.
        manner: how errors are compared.
        expected: differences that somebody expects.
    """

    def __init__(
        self,
        registry: Registry,
        declarations: Declarations,
        handwritten: Handwritten,
        manner: Manner,
        expected: Expectations,
    ) -> None:
        self._registry = registry
        self._declarations = declarations
        self._handwritten = handwritten
        self._manner = manner
        self._expected = expected
        self._gates = None if manner.gates is None else FeatureGates(manner.target, manner.gates)
        self._comparison = Comparison(
            tuple(NormalizationRule(*rule) for rule in manner.normalization),
            manner.short_circuit,
            everything=self._gates is None,
            one_to_many=self._gates is not None and not self._gates.has_lifecycle,
        )
        self._kinds: dict[tuple[str, str, str], Kind | str] = {}
        self._explainers: dict[str, Explainer] = {}

    def judge(self, requests: Sequence[Request]) -> Results:
        """Compares both answers to each request."""
        results = Results()
        seen: Counter[_Rule] = Counter()
        unstated: set[str] = set()
        known: list[tuple[Request, Kind]] = []
        for request in requests:
            kind = self._kind_of(request)
            if isinstance(kind, Kind):
                unstated |= self._manner.unstated - request.options.keys()
                options = {**self._manner.options, **request.options}
                known.append((replace(request, package=kind.package, options=options), kind))
            else:
                results.note(f"{request.place}: {kind}")
        answers = self._ask([request for request, _ in known], results)
        begun = perf_counter()
        for (request, kind), answer in zip(known, answers, strict=True):
            if isinstance(answer, Refusal):
                results.note(f"{request.place}: the handwritten side did not answer: {answer.text}")
            else:
                self._compare(request, kind, answer, results, seen)
        results.declarative_seconds = perf_counter() - begun
        uses = (RuleUse(*rule, count=count) for rule, count in seen.items())
        results.rules = sorted(uses)
        results.defaulted = sorted(unstated)
        return results

    def _ask(self, requests: Sequence[Request], results: Results) -> Sequence[Answer]:
        begun = perf_counter()
        answers = self._handwritten.ask(requests) if requests else []
        results.handwritten_seconds = perf_counter() - begun
        return answers

    def _kind_of(self, request: Request) -> Kind | str:
        """The kind of a request, or why there is none."""
        key = (request.api_version, request.package, request.kind)
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = self._find_kind(*key)
        return found

    def _find_kind(self, api_version: str, package: str, name: str) -> Kind | str:
        if api_version and not package:
            kind = self._registry.of_object({"apiVersion": api_version, "kind": name})
            return kind if kind is not None else f"there are no validators for {api_version} {name}"
        kinds = self._registry.of_type(name, package)
        if len(kinds) == 1:
            return kinds[0]
        if kinds:
            return f"kind {name} is in several packages: {', '.join(kind.package for kind in kinds)}"
        return f"there is no kind {name} in package {package or '(none named)'}"

    def request_of(self, group: Group) -> Request:
        """The request of a group's example."""
        example = group.example
        line = {**example.request, "obj": example.obj, "oldObj": example.old, "options": example.options}
        return Request.of_line(line, example.place)

    # --- one request --------------------------------------------------------------------------------------------------

    def _compare(
        self,
        request: Request,
        kind: Kind,
        handwritten: Sequence[FieldError],
        results: Results,
        seen: Counter[_Rule],
    ) -> None:
        def again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
            old = request.old if update else None
            return self._registry.run(
                kind, request.obj, old, update=update, options=options, subresource=request.subresource
            )

        panicked = False
        try:
            declarative = again(request.update, request.options)
            panicked = any(Mark.PANIC in error.marks for error in declarative)
        except (Exception, SystemExit) as raised:
            panicked = True
            declarative = [FieldError.internal(None, f"panic during declarative validation: {raised}")]
        undecodable = next((e for e in declarative if is_of_shape(e)), None) if declarative else None
        if undecodable is not None:
            results.note(f"{request.place}: the object does not decode: {undecodable}")
            return
        label = kind_label(kind)
        operation = "update" if request.update else "create"
        if request.subresource != "/":
            operation = f"{operation} {request.subresource}"
        tally = results.tallies.get((label, operation))
        if tally is None:
            tally = results.tallies[label, operation] = Tally()
        for error in declarative:
            rule = (label, general_path(error.field), error.type.value, error.origin, error.tag, error.source)
            seen[rule] += 1
        if not handwritten and not declarative:
            tally.agreeing += 1
            return
        tally.panics += panicked
        tally.duplicates += len(duplicates(handwritten))
        compared, enforced = self._compared(declarative)
        found = [] if compared is None else self._comparison.mismatches(handwritten, compared, enforced=enforced)
        if compared is None or not found:
            tally.agreeing += 1
            tally.invalid += bool(declarative)
            return
        evidence = Evidence(
            handwritten,
            declarative,
            compared,
            found,
            request.update,
            request.options,
            again,
            lambda update, options: self._handwritten_again(request, update, options),
            panicked,
        )
        groups = self._groups(request, kind, operation, evidence)
        for group in groups:
            results.add_group(group)
        expected = sum(1 for mismatch in found if self._expected.find(label, mismatch))
        tally.mismatches += len(found) - expected
        tally.expected += expected
        if any(not group.expected for group in groups):
            tally.differing += 1
        else:
            tally.agreeing += 1

    def _compared(self, declarative: Sequence[FieldError]) -> tuple[Sequence[FieldError] | None, bool]:
        """The declarative errors that take part (`None`: nothing is compared), and whether they can be enforced."""
        gates = self._gates
        if gates is None:
            return declarative, False
        if gates.has_lifecycle:
            return [error for error in declarative if error.level], gates.enabled(BETA)
        return (declarative if gates.enabled(VALIDATION) else None), gates.enabled(TAKEOVER)

    def _handwritten_again(self, request: Request, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        asked = replace(request, update=update, old=request.old if update else None, options=options)
        answer = self._handwritten.ask([asked])[0]
        return [] if isinstance(answer, Refusal) else answer

    # --- what was found -----------------------------------------------------------------------------------------------

    def _groups(self, request: Request, kind: Kind, operation: str, evidence: Evidence) -> list[Group]:
        """One group for each mismatch. Two errors that differ in one respect only are one mismatch."""
        label = kind_label(kind)
        found = []
        paired: set[int] = set()
        explainer = self._explainer(label)
        # The declarative errors come first: of a pair, the one that a tag is to blame for names the group.
        for mismatch in sorted(evidence.mismatches, key=lambda each: each.side is Side.HANDWRITTEN):
            if id(mismatch.error) in paired:
                continue
            explanation = explainer.explain(mismatch, evidence)
            side = mismatch.side.value
            if explanation.cause in _PAIRED and explanation.counterpart is not None:
                paired.add(id(explanation.counterpart))
                side = "both"
            expectation = self._expected.find(label, mismatch)
            sort = _sort(label, operation, side, mismatch.error, explanation)
            example = _example(request, kind, evidence, mismatch, explanation)
            found.append(Group(sort, 1, example, expectation.reason if expectation else ""))
        return found

    def _explainer(self, kind: str) -> Explainer:
        explainer = self._explainers.get(kind)
        if explainer is None:
            declarations = self._declarations
            rule = (lambda error: declarations.rule(kind, error)) if declarations.knows(kind) else None
            knowledge = Knowledge(rule, lambda path: declarations.place(kind, path), declarations.options)
            explainer = self._explainers[kind] = Explainer(self._comparison, knowledge)
        return explainer


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
    evidence: Evidence,
    mismatch: Mismatch,
    explanation: Explanation,
) -> Example:
    return Example(
        request.obj,
        request.old,
        dict(request.options),
        request.place,
        _answers(evidence.handwritten),
        _answers(evidence.declarative),
        mismatch.message,
        explanation.text,
        {
            "kind": kind.name,
            "apiVersion": kind.api_version,
            "package": kind.package,
            "op": "update" if request.update else "create",
            "subresources": [part for part in request.subresource.split("/") if part],
        },
    )


def _answers(errors: Iterable[FieldError]) -> list[dict[str, Any]]:
    return [error.as_dict() for error in errors]
