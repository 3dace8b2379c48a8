"""Judges requests: asks both sides, compares, explains, and counts what it finds.

A judge lives in one process and keeps nothing of the objects but the smallest example of each sort of mismatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from time import perf_counter

from validation_gen.mismatch.causes import Evidence
from validation_gen.mismatch.comparison import Comparison, duplicates, is_of_shape
from validation_gen.mismatch.declarative import FAILURES, said
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.uses.compare.declarations import Declarations, kind_label
from validation_gen.uses.compare.grouping import Grouping, remembered
from validation_gen.uses.compare.inputs import Bad
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.results import Group, Results, RuleUse, Tally
from validation_gen.uses.compare.sides import Answer, Refusal
from validation_gen.uses.compare.sides import Side as Handwritten
from validation_gen.uses.compare.sound import sound

#: Kind, path, type, origin, tag and source, as in `RuleUse`.
_Rule = tuple[str, str, str, str, str, str]

_MOST_KINDS = 1000  #: objects of unknown kinds may have any number of names


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


@dataclass(frozen=True, slots=True)
class _Known:
    """A kind, and how results call it."""

    kind: Kind
    label: str


#: The number of a request in its portion, the request with all that it leaves open, its kind, the errors of the tags.
_Asked = tuple[int, Request, _Known, Sequence[FieldError]]


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
        self._kinds: dict[tuple[str, str, str], _Known | str] = {}
        self._grouping = Grouping(declarations, self._comparison, expected)

    def judge(self, found: Sequence[Request | Bad]) -> Results:
        """Compares both answers to each request. What could not be compared is noted in the order of the input."""
        results = Results()
        seen: Counter[_Rule] = Counter()
        unstated: set[str] = set()
        notes: list[tuple[int, str]] = []
        asked: list[_Asked] = []
        begun = perf_counter()
        for number, request in enumerate(found):
            if isinstance(request, Bad):
                notes.append((number, str(request)))
                continue
            kind = self._kind_of(request)
            if not isinstance(kind, _Known):
                notes.append((number, f"{request.place}: {kind}"))
                continue
            own = request.options
            unstated |= self._manner.unstated - own.keys() if own else self._manner.unstated
            options = {**self._manner.options, **own} if own else self._manner.options
            completed = _completed(request, kind.kind.package, options)
            declarative = self._declarative(completed, kind.kind)
            if declarative and (problem := next((each for each in declarative if is_of_shape(each)), None)) is not None:
                # An API server refuses such objects before any validation, so handwritten code does not expect them.
                notes.append((number, f"{request.place}: the object does not decode: {problem}"))
            else:
                asked.append((number, completed, kind, declarative))
        results.declarative_seconds = perf_counter() - begun
        answers = self._ask([request for _, request, _, _ in asked], results)
        for (number, request, kind, declarative), answer in zip(asked, answers, strict=True):
            checked = sound(answer) if answer else answer
            if isinstance(checked, Refusal):
                notes.append((number, f"{request.place}: the handwritten side did not answer: {checked.text}"))
            else:
                self._compare(request, kind, checked, declarative, results, seen)
        for _, text in sorted(notes, key=itemgetter(0)):
            results.note(text)
        results.rules = sorted(RuleUse(*rule, count=count) for rule, count in seen.items())
        results.defaulted = sorted(unstated)
        return results

    def _ask(self, requests: Sequence[Request], results: Results) -> Sequence[Answer]:
        begun = perf_counter()
        answers = self._handwritten.ask(requests) if requests else []
        results.handwritten_seconds = perf_counter() - begun
        return answers

    def _kind_of(self, request: Request) -> _Known | str:
        """The kind of a request, or why there is none."""
        key = (request.api_version, request.package, request.kind)
        found = self._kinds.get(key)
        if found is None:
            kind = self._find_kind(*key)
            found = _Known(kind, kind_label(kind)) if isinstance(kind, Kind) else kind
            if len(self._kinds) < _MOST_KINDS:
                self._kinds[key] = found
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

    def _declarative(self, request: Request, kind: Kind) -> Sequence[FieldError]:
        """The errors of the generated validators. If one of them fails, there is one error that says so."""
        try:
            return self._run(request, kind, request.update, request.options)
        except FAILURES as failure:
            text = f"panic during declarative validation: {said(failure)}"
            return [FieldError.internal(None, text).marked(Mark.PANIC)]

    def _run(self, request: Request, kind: Kind, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        old = request.old if update else None
        return self._registry.run(
            kind, request.obj, old, update=update, options=options, subresource=request.subresource
        )

    def _compare(
        self,
        request: Request,
        known: _Known,
        handwritten: Sequence[FieldError],
        declarative: Sequence[FieldError],
        results: Results,
        seen: Counter[_Rule],
    ) -> None:
        """Counts one request."""
        operation = ("update" if request.update else "create") if request.subresource == "/" else _operation(request)
        label = known.label
        tally = results.tallies.get((label, operation))
        if tally is None:
            tally = results.tallies[label, operation] = Tally()
        if not handwritten and not declarative:
            tally.agreeing += 1
            return
        for error in declarative:
            rule = (label, general_path(error.field), error.type.value, error.origin, error.tag, error.rule.place)
            seen[rule] += 1
        panicked = any(Mark.PANIC in error.marks for error in declarative)
        tally.panics += panicked
        tally.duplicates += len(duplicates(handwritten))
        compared, enforced = self._compared(declarative, panicked)
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
            remembered(lambda update, options: self._run(request, known.kind, update, options)),
            remembered(lambda update, options: self._handwritten_again(request, update, options)),
            panicked,
        )
        is_unexpected = self._grouping.add(request, known.kind, label, operation, evidence, results)
        expected = sum(1 for mismatch in found if self._expected.find(label, mismatch))
        tally.mismatches += len(found) - expected
        tally.expected += expected
        if is_unexpected:
            tally.differing += 1
        else:
            tally.agreeing += 1

    def _compared(self, declarative: Sequence[FieldError], panicked: bool) -> tuple[Sequence[FieldError] | None, bool]:
        """The declarative errors that take part (`None`: nothing is compared), and whether they can be enforced."""
        gates = self._gates
        if gates is None:
            return declarative, False
        if gates.has_lifecycle:
            return [error for error in declarative if error.level], gates.enabled(BETA)
        if not gates.enabled(VALIDATION):
            return None, False
        takeover = gates.enabled(TAKEOVER)
        return ([] if panicked and not takeover else declarative), takeover  # a panic is contained, and told as such

    def _handwritten_again(self, request: Request, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        asked = replace(request, update=update, old=request.old if update else None, options=options)
        answer = sound(self._handwritten.ask([asked])[0])
        return [] if isinstance(answer, Refusal) else answer


def _operation(request: Request) -> str:
    return f"{'update' if request.update else 'create'} {request.subresource}"


def _completed(request: Request, package: str, options: Mapping[str, bool]) -> Request:
    """The request with its package and all options. `dataclasses.replace` takes twice as long."""
    return Request(
        request.kind,
        request.obj,
        request.old,
        request.update,
        package,
        request.api_version,
        options,
        request.subresource,
        request.place,
    )
