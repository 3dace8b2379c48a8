"""Judges requests: calls both sides, compares, explains, and counts the differences.

A judge lives in one process. Of the objects it keeps only the smallest example of each sort of mismatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from time import perf_counter
from typing import NamedTuple

from validation_gen.commands.compare.grouping import Declarations, Grouping, kind_label
from validation_gen.commands.compare.groups import Order, sound
from validation_gen.commands.compare.inputs import Bad
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results, RuleKey, RuleUse, Tally
from validation_gen.commands.compare.sides import Refusal
from validation_gen.commands.compare.sides import Side as Handwritten
from validation_gen.mismatch.causes import Evidence
from validation_gen.mismatch.comparison import (
    Comparison,
    Declarative,
    ask,
    cache_answers,
    duplicates,
    is_of_shape,
    of_kind,
)
from validation_gen.mismatch.expected import Expectations, general_path
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.judging import Verdict, judge
from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Kind, Registry

_MOST_KINDS = 1000  #: objects of unknown kinds may have any number of names


@dataclass(frozen=True, slots=True)
class ComparisonConfig:
    """Settings of a comparison.

    Attributes:
        gates: with gates, errors are compared by the rules of the run-time library; without, every error of both
            sides.
        normalization: pairs of a pattern and a replacement for paths of the declarative side.
        short_circuit: True if a declarative error that stopped all checks below its field matches any handwritten
            error there.
        options: the validation options of requests that do not have their own.
        unstated: those of them without an explicit value, which are off.
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
    """A kind, its label in results, and its generated validator."""

    kind: Kind
    label: str
    declarative: Declarative


class _Asked(NamedTuple):
    """A request with its package and all options, its number in the portion, and the answer of the tags."""

    number: int
    request: Request
    known: _Known
    declarative: Sequence[FieldError]
    panicked: bool


class Judge:
    """Compares the answers of a handwritten side with those of the generated validators in a registry."""

    def __init__(
        self,
        registry: Registry,
        declarations: Declarations,
        handwritten: Handwritten,
        manner: ComparisonConfig,
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

    def judge(self, found: Sequence[Request | Bad], orders: Sequence[Order] | None = None) -> Results:
        """Compares both answers to each request. `orders` has their positions in the input, by default consecutive."""
        orders = [(0, number) for number in range(len(found))] if orders is None else orders
        results = Results()
        seen: Counter[RuleKey] = Counter()
        unstated: set[str] = set()
        notes: list[tuple[int, str]] = []
        asked: list[_Asked] = []
        begun = perf_counter()
        for number, request in enumerate(found):
            if isinstance(request, Bad):
                notes.append((number, str(request)))
                continue
            kind = self._lookup_kind(request)
            if not isinstance(kind, _Known):
                notes.append((number, f"{request.place}: {kind}"))
                continue
            own = request.options
            unstated |= self._manner.unstated - own.keys() if own else self._manner.unstated
            options = {**self._manner.options, **own} if own else self._manner.options
            completed = _complete(request, kind.kind.package, options)
            declarative, failure = _validate(completed, kind, completed.update, completed.options)
            if declarative and (problem := next((each for each in declarative if is_of_shape(each)), None)) is not None:
                # An API server refuses such objects before any validation, so handwritten code does not expect them.
                notes.append((number, f"{request.place}: the object does not decode: {problem}"))
            else:
                asked.append(_Asked(number, completed, kind, declarative, failure is not None))
        results.declarative_seconds = perf_counter() - begun
        begun = perf_counter()
        answers = self._handwritten.ask([each.request for each in asked]) if asked else []
        results.handwritten_seconds = perf_counter() - begun
        for each, answer in zip(asked, answers, strict=True):
            checked = sound(answer) if answer else answer
            if isinstance(checked, Refusal):
                why = f"{each.request.place}: the handwritten side did not answer: {checked.text}"
                notes.append((each.number, why))
            else:
                self._compare(each, checked, results, seen, orders[each.number])
        for number, text in sorted(notes, key=itemgetter(0)):
            results.note(text, orders[number])
        results.rules = sorted(RuleUse(*rule, count=count) for rule, count in seen.items())
        results.defaulted = sorted(unstated)
        return results

    def _lookup_kind(self, request: Request) -> _Known | str:
        """Returns the kind of a request, or the reason why it has none."""
        key = (request.api_version, request.package, request.kind)
        found = self._kinds.get(key)
        if found is None:
            kind = self._find_kind(*key)
            found = _Known(kind, kind_label(kind), of_kind(self._registry, kind)) if isinstance(kind, Kind) else kind
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

    # --- one request --------------------------------------------------------------------------------------------------

    def _compare(
        self, asked: _Asked, handwritten: Sequence[FieldError], results: Results, seen: Counter[RuleKey], order: Order
    ) -> None:
        """Compares both answers to one request, and counts the result."""
        _, request, known, declarative, panicked = asked
        operation = "update" if request.update else "create"
        if request.subresource != "/":
            operation += f" {request.subresource}"
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
        verdict = judge(
            handwritten,
            declarative,
            self._comparison,
            {} if self._gates is None else self._gates.states,
            lambda mismatch: self._expected.find(label, mismatch),
            panicked=panicked,
        )
        if verdict.failure is not None:
            raise verdict.failure
        is_unexpected = False
        if verdict.mismatches:
            evidence = self._collect_evidence(asked, handwritten, verdict)
            is_unexpected = self._grouping.add(request, known.kind, label, operation, evidence, results, order)
        tally.agreeing += not is_unexpected
        tally.differing += is_unexpected
        tally.invalid += bool(declarative and not verdict.mismatches)
        tally.mismatches += len(verdict.unexpected)
        tally.expected += len(verdict.expected)
        tally.panics += panicked
        tally.duplicates += len(duplicates(handwritten))

    def _collect_evidence(self, asked: _Asked, handwritten: Sequence[FieldError], verdict: Verdict) -> Evidence:
        request = asked.request
        return Evidence(
            handwritten,
            asked.declarative,
            verdict.compared,
            verdict.mismatches,
            request.update,
            request.options,
            cache_answers(lambda update, options: _validate(request, asked.known, update, options)[0]),
            cache_answers(lambda update, options: self._handwritten_again(request, update, options)),
            asked.panicked,
        )

    def _handwritten_again(self, request: Request, update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        asked = replace(request, update=update, old=request.old if update else None, options=options)
        answer = sound(self._handwritten.ask([asked])[0])
        return [] if isinstance(answer, Refusal) else answer


def _validate(
    request: Request, known: _Known, update: bool, options: Mapping[str, bool]
) -> tuple[Sequence[FieldError], BaseException | None]:
    """Returns the errors of the generated validators, and the exception that made them fail."""
    old = request.old if update else None
    return ask(known.declarative, request.obj, old, update, options, request.subresource)


def _complete(request: Request, package: str, options: Mapping[str, bool]) -> Request:
    """Returns the request with its package and all options. `dataclasses.replace` takes twice as long."""
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
