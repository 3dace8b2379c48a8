"""Decides whether a request is allowed: combines the verdict of a judge and of users' functions to an answer.

Requests about the scale of an object contain a `Scale` of `autoscaling/v1`, and not the object. A `Scale` alone can
only be checked for its form, and its number of replicas. With a reader, the object is fetched, scaled as the server
does it, and validated as a whole. The audit log names the parts that were not validated. Source of the behaviour:
`ScaleREST` in `pkg/registry/customresource/etcd.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validation_gen.mismatch.harness import Harness
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.kind import Kind
from validation_gen.runtime.levels import Level, render_error
from validation_gen.runtime.registry import Registry, refuse_copy
from validation_gen.webhooks.calls import Calls, LateError
from validation_gen.webhooks.functions import TOTAL, FailedError, Functions, Judge, UnknownKindError, Verdict
from validation_gen.webhooks.gates import Gates, State
from validation_gen.webhooks.reader import Reader
from validation_gen.webhooks.reviews import WRITING, Answer, Request, find_rules, read_review, refused

if TYPE_CHECKING:
    from validation_gen.kubernetes.crd.definition import Scale


_UNJUDGED = "unjudged"
_SCALE = "autoscaling/v1", "Scale"


@dataclass(frozen=True, slots=True)
class Scalable:
    """A kind that has a scale.

    Attributes:
        api_version: a version with validators.
        scale: the paths of its numbers of replicas.
    """

    group: str
    plural: str
    api_version: str
    kind: str
    scale: Scale


class Scaling:
    """Knows which kinds have a scale.

    Args:
        scalable: these kinds.
        reader: reads objects, so that they can be validated as a whole.
    """

    def __init__(self, scalable: Iterable[Scalable] = (), reader: Reader | None = None) -> None:
        self._kinds: dict[tuple[str, str, str], Scalable] = {}
        for each in scalable:
            self._kinds[each.group, each.api_version.rpartition("/")[2], each.plural] = each
            self._kinds.setdefault((each.group, "", each.plural), each)
        self._reader = reader

    def concerns(self, request: Request) -> bool:
        """Returns whether a request is about a scale."""
        if request.subresource != "scale" or request.operation not in WRITING or not isinstance(request.object, dict):
            return False
        return (request.object.get("apiVersion"), request.object.get("kind")) == _SCALE

    def alone(self, request: Request) -> Verdict:
        """Returns the verdict on a `Scale` without the object.

        Raises:
            LookupError: it cannot be decoded.
        """
        replicas = _replicas(request.object)
        if replicas < 0:
            message = "must be greater than or equal to 0"
            return Verdict([FieldError.invalid("spec.replicas", replicas, message).with_origin("minimum")])
        return Verdict(annotations={_UNJUDGED: "the object that is scaled"})

    async def whole(self, request: Request) -> tuple[Request, Verdict]:
        """Returns the update of the object for a request about its scale, and the verdict on the scale alone.

        It returns the request itself without a reader, or without such an object.

        Raises:
            LookupError: the scale cannot be decoded, or the object cannot be scaled.
            Exception: the reader has failed.
        """
        # Imported late: not all users need it, and it is large.
        from validation_gen.kubernetes.objects.outcome import DecodingError  # noqa: PLC0415
        from validation_gen.kubernetes.objects.scale import UnscalableError, set_replicas  # noqa: PLC0415

        known = self.alone(request)
        group, version, plural = request.resource
        kind = self._kinds.get((group, version, plural)) or self._kinds.get((group, "", plural))
        if self._reader is None or kind is None or known.errors:
            return request, known
        old = await self._reader.get(kind.api_version, kind.kind, request.namespace, request.name, fresh=True)
        if not isinstance(old, dict):
            return request, known
        try:
            new = set_replicas(old, kind.scale, _replicas(request.object))
        except (UnscalableError, DecodingError) as problem:
            raise LookupError(str(problem)) from None
        return replace(request, operation="UPDATE", object=new, old=old, subresource=""), Verdict()


def _replicas(sent: Any) -> int:
    from validation_gen.kubernetes.objects.outcome import DecodingError, UnsupportedRequestError  # noqa: PLC0415 - as above
    from validation_gen.kubernetes.objects.scale import read_replicas  # noqa: PLC0415

    try:
        return read_replicas(sent)[0]
    except (DecodingError, UnsupportedRequestError) as problem:
        raise LookupError(str(problem)) from None


__all__ = ["Judge", "Validating", "Verdict", "answered", "by_harnesses", "by_validators"]


class _ByValidators:
    """The judge of `by_validators`. The only user code that it calls are handwritten rules."""

    is_quick = True

    def __init__(
        self, registry: Registry, state: Callable[[], State], defaults: Callable[[Any], Any] | None = None
    ) -> None:
        self._registry = registry
        self._state = state
        self._defaults = defaults

    def __call__(self, request: Request) -> Verdict:
        kind = _find_kind(self._registry, request)
        subresource = f"/{request.subresource}"
        if subresource not in (kind.subresources or ()) and not kind.schemas:
            return Verdict()
        old = request.old if request.operation == "UPDATE" else None
        state = self._state()

        def against(old: Any) -> list[FieldError]:
            return self._registry.run(
                kind,
                request.object,
                old,
                update=old is not None,
                options=state.options,
                subresource=subresource,
                level=Level.ALPHA,
            )

        errors = against(old)
        if errors and old is not None and self._defaults is not None and request.subresource in ("", "status"):
            known = set(map(str, against(self._defaults(old))))
            errors = [error for error in errors if str(error) in known]
        if not errors:
            return Verdict()
        denied, warned = state.split_by_level(errors)
        return Verdict(denied, [*map(render_error, warned[:_MOST_WARNED])], warned=find_rules(warned))


def by_validators(
    registry: Registry,
    options: Mapping[str, bool] | None = None,
    *,
    gates: Gates | None = None,
    defaults: Callable[[Any], Any] | None = None,
) -> Judge:
    """Returns a judge that runs generated validators.

    Args:
        registry: has them, for each version of a kind. An object is validated by those of its own.
        options: the validation options that are on, if they never change.
        gates: the settings at the time of a request, instead of `options`: options, and the effect of each level. By
            default rules refuse from the level of the registry on.
        defaults: the defaults of a mutating webhook. An old object may have been stored without them. A server fills
            them in when it reads it; otherwise every field with a default would have changed: so an error of an update
            must also occur beside the old object with its defaults.
    """
    refuse_copy(registry)
    known = Gates(options=options, level=registry.level) if gates is None else gates
    return _ByValidators(registry, lambda: known.state, defaults)


def by_harnesses(registry: Registry, harnesses: Mapping[str, Harness], otherwise: Judge | None = None) -> Judge:
    """Returns a judge that runs handwritten and generated validators side by side, for a migration in a live webhook.

    The errors of a harness refuse a request, whatever their level: the gates of the harness decide which side counts.

    Args:
        registry: the kinds of the objects.
        harnesses: by kind: `Robot`, or `example.com/v1/Robot`. Asynchronous handwritten validation has an event loop of
            its own for each request.
        otherwise: validates all other kinds; by default those have no validators here.
    """
    refuse_copy(registry)

    def judge(request: Request) -> Verdict:
        kind = _find_kind(registry, request)
        harness = harnesses.get(f"{kind.api_version}/{kind.name}") or harnesses.get(kind.name)
        if harness is None:
            if otherwise is None:
                raise UnknownKindError(_describe_unknown_kind(request))
            return otherwise(request)
        subresource = f"/{request.subresource}"
        if subresource not in (kind.subresources or ()) and not kind.schemas:
            return Verdict()
        is_update = request.operation == "UPDATE"
        old = request.old if is_update else None
        if not harness.is_async:
            return Verdict(harness.validate(request.object, old, update=is_update, subresource=subresource))
        # This thread has no event loop.
        pending = harness.validate_async(request.object, old, update=is_update, subresource=subresource)
        return Verdict(asyncio.run(pending))

    return judge


#: Greatest number of errors of a request that become warnings: clients see about twenty.
_MOST_WARNED = 100


def _find_kind(registry: Registry, request: Request) -> Kind:
    kind = registry.of_object(request.object)
    if kind is None:
        raise UnknownKindError(_describe_unknown_kind(request))
    old = request.old
    if request.operation == "UPDATE" and old is not None and old.get("apiVersion") != kind.api_version:
        before = old.get("apiVersion")
        named = f"{before:.80}" if isinstance(before, str) else "another version"
        raise LookupError(f"the old object is in {named}, and the new one in {kind.api_version}")
    return kind


def _describe_unknown_kind(request: Request) -> str:
    group, version, kind = request.about
    named = f"{group}/{version}" if group else version
    return f"no validators are here for {kind or 'an unnamed kind':.80} of {named or 'no version':.80}"


class Validating:
    """Endpoint of `/validate`.

    The judge validates requests with a new object. If it finds no error, functions of users run: they may rely on its
    result. Requests without a new object, and kinds that it does not know, are left to the functions.

    Args:
        judge: returns the errors. If it fails, the request is refused.
        at_once: whether the judge never waits, so that small objects need no thread. By default it is its attribute
            `is_quick`.
        functions: functions of users.
        scaling: handles requests about the scale of an object.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        at_once: bool | None = None,
        functions: Functions | None = None,
        scaling: Scaling | None = None,
    ) -> None:
        self._judge = judge
        self._functions = functions or Functions()
        self._scaling = scaling or Scaling()
        self._is_quick = bool(getattr(judge, "is_quick", False)) if at_once is None else at_once
        self._calls = Calls()

    def read(self, body: bytes) -> Request:
        """Reads a body as `reviews.read_review` does."""
        return read_review(body)

    def at_once(self, request: Request) -> Answer | None:
        """Returns the answer, if it needs no waiting; else None."""
        if not self._is_quick or self._functions.concerned(request, changes=False) or self._scaling.concerns(request):
            return None
        return self.judge(request)

    async def answer(self, request: Request) -> Answer:
        """Returns the answer, without blocking the event loop."""
        try:
            whole, known = (
                await self._scaling.whole(request) if self._scaling.concerns(request) else (request, Verdict())
            )
            verdict = known
            is_concerned = bool(self._functions.concerned(request, changes=False))
            if request.operation in WRITING:  # other operations have no new object to validate
                try:
                    verdict = known.also(await self._calls.in_thread(lambda: self._verdict(whole), TOTAL))
                except UnknownKindError:
                    if not is_concerned:
                        raise
            if verdict.allows and is_concerned:
                verdict = verdict.also(await self._functions.judge(request))
        except Exception as problem:
            return _refuse_failed(request, problem)
        return _answer(whole, verdict)

    def failed(self, request: Request, code: int, reason: str, message: str) -> Answer:
        """Refuses the request."""
        return refused(request, code, reason, message)

    def judge(self, request: Request) -> Answer:
        """Returns the answer of the judge, without functions of users."""
        try:
            return _answer(request, self._verdict(request))
        except Exception as problem:
            return _refuse_failed(request, problem)

    def _verdict(self, request: Request) -> Verdict:
        if request.operation not in WRITING:
            return Verdict()
        if self._scaling.concerns(request):
            return self._scaling.alone(request)
        return self._judge(request)


def _answer(request: Request, verdict: Verdict) -> Answer:
    if not verdict.warned:
        return verdict.answer(request)
    annotations = {**verdict.annotations, "warned-rules": ",".join(verdict.warned)}
    return replace(replace(verdict, annotations=annotations).answer(request), warned=verdict.warned)


def _refuse_failed(request: Request, problem: Exception) -> Answer:
    """Returns the answer after a failed validation: a defect allows nothing, and does not affect later requests."""
    if type(problem) in (LookupError, UnknownKindError):  # and no subclass, such as a missing key
        return refused(request, 400, "BadRequest", str(problem))
    if isinstance(problem, FailedError):
        return refused(request, 500, "InternalError", str(problem))
    text = f"the validation of the object failed: {type(problem).__name__}"
    if isinstance(problem, LateError):
        text = "the validation of the object took too long"
    return refused(request, 500, "InternalError", text)


def answered(body: bytes, judge: Judge) -> Mapping[str, Any]:
    """Returns the review with its answer, for programs with another kind of server.

    Raises:
        ReviewError: the body is no review.
    """
    endpoint = Validating(judge)
    return endpoint.judge(endpoint.read(body)).review
