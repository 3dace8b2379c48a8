"""Runs both validators of a kind, compares their answers, and reports the differences.

Source of the behaviour: tag reference 5.1 and 5.3. The harness never changes an object, and no failure of the
declarative side, of a comparison or of an observer affects the answer of the handwritten side.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from validation_gen.mismatch.adapters.adapt import Covered, adapt
from validation_gen.mismatch.causes import Evidence, Explainer, Knowledge
from validation_gen.mismatch.comparison import Comparison, Declarative, ask, cache_answers, of_registry
from validation_gen.mismatch.expected import Expectations
from validation_gen.mismatch.gates import FeatureGates
from validation_gen.mismatch.judging import Verdict, is_asked, judge
from validation_gen.mismatch.matcher import NormalizationRule
from validation_gen.mismatch.outcome import Explanation, Mismatch, Observer
from validation_gen.mismatch.series import Reporter, log
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.shapes import Shape

#: The validation options of a request, or a function of an object and the old one that returns them.
Options = Mapping[str, bool] | Callable[[Any, Any], Mapping[str, bool]]

_all_enforced: ContextVar[bool] = ContextVar("all_declarative_enforced", default=False)


@contextmanager
def all_declarative_enforced() -> Iterator[None]:
    """Enforces all declarative errors in tests, whatever their level, and drops covered handwritten ones."""
    token = _all_enforced.set(True)
    try:
        yield
    finally:
        _all_enforced.reset(token)


@dataclass(slots=True)
class _Request:
    """Input of both sides."""

    obj: Any
    old: Any
    update: bool
    options: Mapping[str, bool]
    subresource: str


#: At most this many mismatches of a request are explained; all are reported.
_MOST_EXPLAINED = 50


class Harness:
    """Both validators of one kind.

    Args:
        kind: the name of the kind.
        handwritten: the handwritten validator, of any kind that `adapt` knows. Its errors are authoritative unless
            declarative ones supersede them.
        declarative: the declarative validator; `Harness.of` takes it from a generated package.
        covered: handwritten errors that a tag declares, too: all, none, or a predicate. By default marks decide,
            and errors that cannot have marks count as covered.
        shape: the shape of objects, which distinguishes keys of maps from members in paths of a validator.
        gates: the feature gates; by default those of the environment for the newest release.
        options: the validation options of requests, or a function of the object and the old one that returns them.
        normalization: rules that turn paths of the declarative side into those of the handwritten one.
        short_circuit_mismatch: True if a declarative error that stopped all checks below its field matches any
            handwritten error there.
        expected: known differences.
        observers: observers of requests, such as `Metrics`.
        knowledge: knowledge for explanations.
    """

    def __init__(
        self,
        kind: str,
        handwritten: Any,
        declarative: Declarative,
        *,
        covered: Covered = None,
        shape: Shape | None = None,
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
        self._handwritten = adapt(handwritten, covered=covered, shape=shape)
        #: True if the handwritten validator is asynchronous, so that `validate_async` has to be called.
        self.is_async = inspect.iscoroutinefunction(self._handwritten)
        self._declarative = declarative
        self._options = options or {}
        self._expected = expected
        self._reporter = Reporter(kind, observers)
        self._comparison = Comparison(
            tuple(normalization), short_circuit_mismatch, one_to_many=not self.gates.has_lifecycle
        )
        self._explainer = Explainer(self._comparison, knowledge or Knowledge())
        if expected is not None:
            for entry in expected.expired:
                log.warning("An expected difference has expired on %s: %s", entry.expires, entry.reason)

    @classmethod
    def of(cls, registry: Registry, type: str, handwritten: Any, **settings: Any) -> Harness:
        """Returns the harness of a kind in the `registry` of a generated package, with settings as for the class.

        The type is `Name`, or `package/path.Name` where several packages have it.

        Raises:
            ValueError: the package has no such type, or several.
        """
        kind, declarative = of_registry(registry, type)
        return cls(kind.name, handwritten, declarative, **{"shape": registry.shape(kind), **settings})

    # --- requests -----------------------------------------------------------------------------------------------------

    def validate(
        self, obj: Any, old: Any = None, *, update: bool | None = None, subresource: str = "/"
    ) -> list[FieldError]:
        """Returns the errors for a request: a create, or the update of `old`. The caller owns the list.

        `update` is needed for an update without an old object.

        Raises:
            TypeError: the handwritten validator is asynchronous, or returns something other than errors.
            Exception: any exception of the handwritten validator.
        """
        if self.is_async:
            raise TypeError(f"the handwritten validator of {self.kind} is asynchronous: use `await validate_async(…)`")
        request = self._request(obj, old, update, subresource)
        begun = perf_counter()
        return self._answer(request, self._ask_handwritten(request), begun)

    async def validate_async(
        self, obj: Any, old: Any = None, *, update: bool | None = None, subresource: str = "/"
    ) -> list[FieldError]:
        """Validates as `validate` does, also with asynchronous handwritten validators."""
        request = self._request(obj, old, update, subresource)
        begun = perf_counter()
        handwritten = self._ask_handwritten(request)
        return self._answer(request, await handwritten if isinstance(handwritten, Awaitable) else handwritten, begun)

    def _request(self, obj: Any, old: Any, update: bool | None, subresource: str) -> _Request:
        options = self._options(obj, old) if callable(self._options) else self._options
        return _Request(obj, old, old is not None if update is None else update, options or {}, subresource)

    def _ask_handwritten(self, request: _Request) -> Any:
        operation = Operation(request.options, update=request.update)
        return self._handwritten(request.obj, request.old, operation, request.subresource)

    def _ask(
        self, request: _Request, old: Any, update: bool, options: Mapping[str, bool]
    ) -> tuple[Sequence[FieldError], BaseException | None]:
        """Runs declarative validation, optionally as if the object were new, or with other options."""
        return ask(self._declarative, request.obj, old, update, options, request.subresource)

    # --- the answer ---------------------------------------------------------------------------------------------------

    def _answer(self, request: _Request, returned: Iterable[FieldError], begun: float) -> list[FieldError]:
        seconds = perf_counter() - begun
        handwritten = list(returned)
        states = self.gates.states  # of one moment: no request sees half of a change
        all_enforced = _all_enforced.get()
        declarative: Sequence[FieldError] = ()
        failure: BaseException | None = None
        declarative_seconds = None
        if is_asked(states, all_enforced=all_enforced):
            begun = perf_counter()
            declarative, failure = self._ask(request, request.old, request.update, request.options)
            declarative_seconds = perf_counter() - begun
        verdict = judge(
            handwritten,
            declarative,
            self._comparison,
            states,
            self._is_expected,
            panicked=failure is not None,
            all_enforced=all_enforced,
        )
        self._log(request, handwritten, verdict, failure)
        self._reporter.request(
            request.subresource, request.update, handwritten, verdict, failure, seconds, declarative_seconds
        )
        return list(verdict.answer)

    def _is_expected(self, mismatch: Mismatch) -> bool:
        return self._expected is not None and self._expected.find(self.kind, mismatch) is not None

    def _log(
        self, request: _Request, handwritten: Sequence[FieldError], verdict: Verdict, failure: BaseException | None
    ) -> None:
        """Logs failures, and differences with their causes, except expected ones."""
        if failure is not None:
            self._reporter.panic(verdict.panic, failure)
        if verdict.failure is not None:
            log.error("The comparison of handwritten and declarative validation failed", exc_info=verdict.failure)
        if not verdict.unexpected:
            return
        evidence = Evidence(
            handwritten,
            verdict.declarative,
            verdict.compared,
            verdict.mismatches,
            request.update,
            request.options,
            cache_answers(
                lambda update, options: self._ask(request, request.old if update else None, update, options)[0]
            ),
            panicked=failure is not None,
        )
        for number, mismatch in enumerate(verdict.unexpected):
            explanation = self._explain(mismatch, evidence) if number < _MOST_EXPLAINED else None
            self._reporter.mismatch(mismatch, explanation)

    def _explain(self, mismatch: Mismatch, evidence: Evidence) -> Explanation | None:
        try:
            return self._explainer.explain(mismatch, evidence)
        except Exception:  # a mismatch is reported even if its explanation fails
            log.exception("A difference could not be explained")
            return None
