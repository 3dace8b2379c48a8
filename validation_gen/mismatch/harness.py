"""The harness around both validators of a kind: runs them, compares, observes, decides what the answer is.

Source of the behaviour: tag reference 5.1 and 5.3. The harness never changes an object, and nothing that goes wrong on
the declarative side, in a comparison or in an observer keeps the handwritten side from answering.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import (
    Comparison,
    duplicates,
    enforced_errors,
    is_of_shape,
    without_superseded,
)
from validation_gen.mismatch.expected import Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.identifiers import validation_identifier
from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.mismatch.outcome import Explanation, Mismatch, Observer, Outcome
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Registry

#: A validator: the object, the old one (`None` when there is none), the request.
Validator = Callable[[Any, Any, Operation], Any]
#: The validation options of a request, or what tells them for an object and the old one.
Options = Mapping[str, bool] | Callable[[Any, Any], Mapping[str, bool]]
#: Declarative validation: object, old object, whether it is an update, options, subresource.
Declarative = Callable[[Any, Any, bool, Mapping[str, bool], str], Sequence[FieldError]]

_log = logging.getLogger("validation_gen.mismatch")
_all_enforced: ContextVar[bool] = ContextVar("all_declarative_enforced", default=False)


@contextmanager
def all_declarative_enforced() -> Iterator[None]:
    """For tests: all declarative errors count, whatever their level, and no handwritten one that is covered."""
    token = _all_enforced.set(True)
    try:
        yield
    finally:
        _all_enforced.reset(token)


@dataclass(slots=True)
class _Request:
    """What both sides are asked."""

    obj: Any
    old: Any
    update: bool
    options: Mapping[str, bool]
    subresource: str


@dataclass(slots=True)
class _Findings:
    """What a comparison has found."""

    mismatches: list[Mismatch] = field(default_factory=list)
    expected: list[Mismatch] = field(default_factory=list)
    panic: BaseException | None = None


_NOTHING = _Findings()
_MOST_IDENTIFIERS = 1000


class Harness:
    """Both validators of one kind.

    Args:
        kind: the name of the kind.
        handwritten: the handwritten validator. Its errors are authoritative unless declarative ones supersede them.
        declarative: the declarative validator; `Harness.of` takes it from a generated package.
        gates: the feature gates; without any, those of the environment for the newest release.
        options: the validation options of requests, or a function of the object and the old one that tells them.
        normalization: how paths of the declarative side become those of the handwritten one.
        short_circuit_mismatch: whether a declarative error that stopped all checks below its field stands for any
            handwritten error there.
        expected: differences that are known.
        observers: whoever wants to know of requests, such as `Metrics`.
        knowledge: what explanations can make use of.
    """

    def __init__(
        self,
        kind: str,
        handwritten: Validator,
        declarative: Declarative,
        *,
        gates: FeatureGates | None = None,
        options: Options | None = None,
        normalization: Iterable[NormalizationRule] = (),
        short_circuit_mismatch: bool = False,
        expected: Expectations | None = None,
        observers: Iterable[Observer] = (),
        knowledge: Knowledge | None = None,
    ) -> None:
        self.kind = kind
        self.gates = FeatureGates.from_environment() if gates is None else gates
        self._handwritten = handwritten
        self._is_async = inspect.iscoroutinefunction(handwritten)
        self._declarative = declarative
        self._options = options or {}
        self._expected = expected
        self._observers = tuple(observers)
        self._comparison = Comparison(
            tuple(normalization), short_circuit_mismatch, one_to_many=not self.gates.has_lifecycle
        )
        self._explainer = Explainer(self._comparison, knowledge or Knowledge())
        self._identifiers: dict[tuple[str, bool], str] = {}
        if expected is not None:
            for entry in expected.expired:
                _log.warning("An expected difference has expired on %s: %s", entry.expires, entry.reason)

    @classmethod
    def of(cls, registry: Registry, type: str, handwritten: Validator, **settings: Any) -> Harness:
        """The harness of a kind of a generated package.

        Args:
            registry: the `registry` of the generated package.
            type: `Name`, or `package/path.Name` where several packages have it.
            handwritten: the handwritten validator.
            settings: as for the class.

        Raises:
            ValueError: the package has no such type, or several.
        """
        package, _, name = type.rpartition(".")
        found = registry.of_type(name, package)
        if len(found) != 1:
            names = ", ".join(f"{kind.package}.{kind.name}" for kind in found)
            raise ValueError(f"{type} could be any of {names}" if found else f"there is no type {type}")
        kind = found[0]

        def declarative(
            obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
        ) -> Sequence[FieldError]:
            return registry.run(kind, obj, old, update=update, options=options, subresource=subresource)

        return cls(name, handwritten, declarative, **settings)

    # --- requests -----------------------------------------------------------------------------------------------------

    def validate(
        self, obj: Any, old: Any = None, *, update: bool | None = None, subresource: str = "/"
    ) -> list[FieldError]:
        """The errors that a request is answered with: a create, or the update of `old`.

        `update` says so where there can be an update without an old object.

        Raises:
            TypeError: the handwritten validator is asynchronous.
            Exception: whatever the handwritten validator raises.
        """
        if self._is_async:
            raise TypeError(f"the handwritten validator of {self.kind} is asynchronous: use `await validate_async(…)`")
        request = self._request(obj, old, update, subresource)
        begun = perf_counter()
        handwritten = self._handwritten(obj, old, Operation(request.options, update=request.update))
        return self._answer(request, handwritten or [], perf_counter() - begun)

    async def validate_async(
        self, obj: Any, old: Any = None, *, update: bool | None = None, subresource: str = "/"
    ) -> list[FieldError]:
        """As `validate`, for handwritten validators of either sort."""
        request = self._request(obj, old, update, subresource)
        begun = perf_counter()
        handwritten = self._handwritten(obj, old, Operation(request.options, update=request.update))
        if isinstance(handwritten, Awaitable):
            handwritten = await handwritten
        return self._answer(request, handwritten or [], perf_counter() - begun)

    def _request(self, obj: Any, old: Any, update: bool | None, subresource: str) -> _Request:
        options = self._options(obj, old) if callable(self._options) else self._options
        return _Request(obj, old, old is not None if update is None else update, options, subresource)

    # --- the answer ---------------------------------------------------------------------------------------------------

    def _answer(self, request: _Request, handwritten: list[FieldError], seconds: float) -> list[FieldError]:
        gates = self.gates
        everything = _all_enforced.get()
        if not gates.enabled(VALIDATION) and not everything:
            self._observe(request, handwritten, (), handwritten, _Findings(), seconds, None)
            return handwritten
        begun = perf_counter()
        declarative, panic = self._ask(request)
        declarative_seconds = perf_counter() - begun
        if not handwritten and not declarative:
            if self._observers:
                self._observe(request, (), (), (), _NOTHING, seconds, declarative_seconds)
            return []
        beta = gates.enabled(BETA)
        takeover = gates.enabled(TAKEOVER) and not gates.has_lifecycle
        if panic is not None and not gates.has_lifecycle and not takeover:
            _log.error("%s", declarative[0].detail)
            declarative = []
        findings = self._compare(request, handwritten, declarative, panic, beta or takeover)
        if gates.has_lifecycle or everything:
            enforced = enforced_errors(declarative, beta=beta, everything=everything)
            matcher = self._comparison.matcher
            result = without_superseded(handwritten, enforced, matcher, everything=everything) + enforced
        elif takeover:
            result = [error for error in handwritten if Mark.COVERED not in error.marks] + list(declarative)
        else:
            result = handwritten
        self._observe(request, handwritten, declarative, result, findings, seconds, declarative_seconds)
        return result

    def _ask(self, request: _Request) -> tuple[Sequence[FieldError], BaseException | None]:
        """The declarative errors, and what the validator has raised: then there is no error but that."""
        try:
            errors = self._declarative(request.obj, request.old, request.update, request.options, request.subresource)
            for error in errors:
                if Mark.PANIC in error.marks:
                    return [FieldError.internal(None, error.detail)], RuntimeError(error.detail)
        except (Exception, SystemExit) as error:
            return [FieldError.internal(None, f"panic during declarative validation: {error}")], error
        return errors, None

    def _compare(
        self,
        request: _Request,
        handwritten: Sequence[FieldError],
        declarative: Sequence[FieldError],
        panic: BaseException | None,
        enforced: bool,
    ) -> _Findings:
        """In what the errors differ. What is not expected is logged."""
        findings = _Findings(panic=panic)
        if self.gates.has_lifecycle:
            compared = [error for error in declarative if error.level]
        else:
            compared = [error for error in declarative if not is_of_shape(error)]
        try:
            found = self._comparison.mismatches(handwritten, compared, enforced=enforced)
            if not found:
                return findings

            def again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
                old = request.old if update else None
                return self._declarative(request.obj, old, update, options, request.subresource)

            evidence = Evidence(
                handwritten,
                declarative,
                compared,
                found,
                request.update,
                request.options,
                again,
                panicked=panic is not None,
            )
            for mismatch in found:
                if self._expected is not None and self._expected.find(self.kind, mismatch):
                    findings.expected.append(mismatch)
                else:
                    findings.mismatches.append(mismatch)
                    self._report(mismatch, self._explainer.explain(mismatch, evidence))
        except Exception:
            _log.exception("The comparison of handwritten and declarative validation failed")
        return findings

    def _report(self, mismatch: Mismatch, explanation: Explanation) -> None:
        _log.error(
            "%s",
            mismatch.message,
            extra={
                "validation_kind": self.kind,
                "side": mismatch.side.value,
                "cause": explanation.cause.value,
                "explanation": explanation.text,
                "tag": explanation.tag,
                "source": explanation.source,
            },
        )

    def _observe(
        self,
        request: _Request,
        handwritten: Sequence[FieldError],
        declarative: Sequence[FieldError],
        result: Sequence[FieldError],
        findings: _Findings,
        handwritten_seconds: float,
        declarative_seconds: float | None,
    ) -> None:
        again = duplicates(result)
        for text in again:
            _log.info("Found duplicate validation error", extra={"validation_kind": self.kind, "error": text})
        if not self._observers:
            return
        identifier = self._identifiers.get((request.subresource, request.update))
        if identifier is None:
            identifier = validation_identifier(self.kind, request.subresource, update=request.update)
            if len(self._identifiers) < _MOST_IDENTIFIERS:  # subresources may come from requests
                self._identifiers[request.subresource, request.update] = identifier
        outcome = Outcome(
            identifier,
            self.kind,
            request.subresource,
            request.update,
            handwritten,
            declarative,
            result,
            findings.mismatches,
            findings.expected,
            findings.panic,
            again,
            handwritten_seconds,
            declarative_seconds,
        )
        for observer in self._observers:
            try:
                observer.compared(outcome)
            except Exception:
                _log.exception("An observer of the comparison failed")
