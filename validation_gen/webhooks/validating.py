"""Whether a request is allowed: the verdict of a judge as an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry
from validation_gen.webhooks.reviews import WRITING, Answer, Request, allowed, invalid, read_review, refused


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a request: what is wrong with its object, and what the user is warned of."""

    errors: Sequence[FieldError] = ()
    warnings: Sequence[str] = ()


#: Says what is wrong with the object of a request. A kind that nobody knows is a `LookupError`.
Judge = Callable[[Request], Verdict]


def by_validators(registry: Registry, options: Mapping[str, bool]) -> Judge:
    """Judges by generated validators, with these validation options."""

    def judge(request: Request) -> Verdict:
        new = request.object
        kind = registry.of_object(new)
        if kind is None:
            raise LookupError(f"no validators are here for {new.get('kind')} of {new.get('apiVersion')}")
        subresource = f"/{request.subresource}"
        if subresource not in (kind.subresources or ()) and not kind.schemas:
            return Verdict()
        old = request.old if request.operation == "UPDATE" else None
        return Verdict(registry.validate(new, old, options=options, subresource=subresource))

    return judge


class Validating:
    """Answers at `/validate`. Requests without a new object are allowed.

    Args:
        judge: says what is wrong. If it fails, the request is refused.
        at_once: whether the judge waits for nothing, so that small objects need no thread.
    """

    def __init__(self, judge: Judge, *, at_once: bool = False) -> None:
        self._judge = judge
        self.at_once = self.judged if at_once else None

    def read(self, body: bytes) -> Request:
        """As `reviews.read_review`."""
        return read_review(body)

    async def answer(self, asked: Request) -> Answer:
        """As `judged`; meanwhile others are answered."""
        import anyio.to_thread  # noqa: PLC0415 - it comes with the extra `serve`, which not everybody needs

        return await anyio.to_thread.run_sync(self.judged, asked)

    def failed(self, asked: Request, code: int, reason: str, message: str) -> Answer:
        """Refuses the request."""
        return refused(asked, code, reason, message)

    def judged(self, request: Request) -> Answer:
        """What the judge says."""
        if request.operation not in WRITING:
            return allowed(request)
        try:
            verdict = self._judge(request)
        except LookupError as problem:
            return refused(request, 400, "BadRequest", str(problem))
        except Exception as problem:  # a defect of one validator lets nothing pass, and does not end the others
            text = f"the validation of the object failed: {type(problem).__name__}"
            return refused(request, 500, "InternalError", text)
        if verdict.errors:
            return invalid(request, verdict.errors, verdict.warnings)
        return allowed(request, warnings=list(verdict.warnings))


def answered(body: bytes, judge: Judge) -> Mapping[str, Any]:
    """The review with its answer, for programs that have a server of another kind.

    Raises:
        ReviewError: the body is no review.
    """
    endpoint = Validating(judge)
    return endpoint.judged(endpoint.read(body)).review
