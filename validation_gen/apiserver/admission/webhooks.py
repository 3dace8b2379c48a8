"""Calls the webhooks that a request matches: mutating ones one after the other, validating ones at the same time.

Sources of the behaviour: `pkg/admission/plugin/webhook/{generic,mutating,validating}` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from validation_gen.apiserver.admission.answers import (
    JSON_PATCH,
    REVIEWS,
    AnswerError,
    WebhookAnswer,
    make_refusal,
    read_answer,
    write_review,
)
from validation_gen.apiserver.admission.configurations import Webhook
from validation_gen.apiserver.admission.subject import Subject
from validation_gen.apiserver.bodies import BodyError, describe_mistype, parse_json
from validation_gen.apiserver.errors import ApiError, bad_request, forbidden, internal_error
from validation_gen.apiserver.patching import PatchError, json_patch
from validation_gen.apiserver.webhook_client import CallError, SetupError
from validation_gen.kubernetes.policies.matching import find_match
from validation_gen.kubernetes.policies.requests import Request, match_conditions
from validation_gen.runtime.gotext import go_json, go_quote

if TYPE_CHECKING:
    from validation_gen.apiserver.admission.review import Review, Rounds

#: Greatest size of an answer, in bytes.
MOST_ANSWER = 16 << 20
_MUTATION, _PATCH = "mutation.webhook.admission.k8s.io/", "patch.webhook.admission.k8s.io/"
_VALIDATION = "validating.webhook.admission.k8s.io/"


class _FailedCallError(Exception):
    """A webhook has not answered as it should; the failure policy decides. The text has the reason."""


class _ConversionError(Exception):
    """The objects of a request are not converted for a webhook; the text has the reason."""


def mutate(webhooks: Sequence[Webhook], subject: Subject, review: Review, rounds: Rounds) -> None:
    """Lets webhooks change the object of a request."""
    rounds.begin(subject.latest)
    for index, hook in enumerate(webhooks):
        try:
            request = _select(hook, subject)
        except _ConversionError as problem:
            raise internal_error(f"Internal error occurred: {problem}") from None  # twice, as the server does it
        if request is None or not rounds.has_turn(hook):
            continue
        at = f"round_{int(rounds.again)}_index_{index}"
        differs = False
        about: dict[str, Any] = {"configuration": hook.configuration, "webhook": hook.name}
        try:
            answer = _call(hook, request, review, mutating=True)
            _take(hook, answer, review)
            patch = _read_patch(hook, answer, request)
            if patch:
                differs = _apply(patch, request, subject)
                changes = {"patch": patch, "patchType": JSON_PATCH}
                review.annotate(f"{_PATCH}{at}", go_json(about | changes))
        except _FailedCallError as problem:
            _fail(hook, problem, review, f"failed-open.{_MUTATION}{at}")
        finally:
            review.annotate(f"{_MUTATION}{at}", go_json(about | {"mutated": differs}))
        rounds.end_turn(hook, changed=differs, again=hook.reinvokes)
    rounds.end(subject.latest)


def validate(webhooks: Sequence[Webhook], subject: Subject, review: Review, threads: Executor) -> None:
    """Lets webhooks accept or refuse a request. All are called, and the first refusal is the answer."""
    try:
        waiting = [(hook, request) for hook in webhooks if (request := _select(hook, subject)) is not None]
    except _ConversionError as problem:
        raise internal_error(str(problem)) from None
    if len(waiting) == 1:
        calls: Any = [lambda: _call(*waiting[0], review, mutating=False)]
    else:
        calls = [threads.submit(_call, hook, request, review, mutating=False).result for hook, request in waiting]
    refusals = []
    for index, (call, (hook, _)) in enumerate(zip(calls, waiting, strict=True)):
        try:
            _take(hook, call(), review)
        except _FailedCallError as problem:
            try:
                _fail(hook, problem, review, f"failed-open.{_VALIDATION}round_0_index_{index}")
            except ApiError as refusal:
                refusals.append(refusal)
        except ApiError as refusal:
            refusals.append(refusal)
    if refusals:
        raise refusals[0]


# --- selection --------------------------------------------------------------------------------------------------------


def _select(hook: Webhook, subject: Subject) -> Request | None:
    """Returns the request in the version that a webhook gets, None if it does not match."""
    request = subject.request
    resource = find_match(hook.resources, request, subject.equivalents, needed=True)
    if resource is None:
        return None
    try:
        found = subject.convert(resource)
    except ApiError as problem:
        raise _ConversionError(problem.message) from None
    if hook.conditions:
        holds, error, _ = match_conditions(hook.conditions, {}, found, None, fails=hook.fails)
        if error:
            raise forbidden(request.resource.group, request.resource.resource, request.name, error)
        if not holds:
            return None
    return found


# --- calls ------------------------------------------------------------------------------------------------------------


def _call(hook: Webhook, request: Request, review: Review, *, mutating: bool) -> WebhookAnswer:
    """Returns the answer of a webhook."""
    if request.dry_run:
        if not hook.side_effects:
            raise _FailedCallError("Webhook SideEffects is nil")
        if hook.side_effects not in ("None", "NoneOnDryRun"):
            raise bad_request(f"admission webhook {go_quote(hook.name)} does not support dry run")
    version = next((each for each in hook.reviews if each in REVIEWS), "")
    if not version:
        text = f"webhook does not accept known AdmissionReview versions ({', '.join(REVIEWS)})"
        raise _FailedCallError(f"could not create admission objects: {text}")
    uid = str(uuid.uuid4())
    left = min(review.deadline - time.monotonic(), hook.seconds)
    try:
        deadline = time.monotonic() + left
        body = write_review(uid, version, request)
        data, media = hook.client.post(body, math.ceil(max(left, 0)), MOST_ANSWER, deadline=deadline)
        return read_answer(data, media, uid, version, mutating=mutating)
    except SetupError as problem:
        raise _FailedCallError(f"could not get REST client: {problem}") from None
    except CallError as problem:
        raise _FailedCallError(f"failed to call webhook: {problem}") from None
    except AnswerError as problem:
        raise _FailedCallError(f"received invalid webhook response: {problem}") from None


def _take(hook: Webhook, answer: WebhookAnswer, review: Review) -> None:
    """Hands on warnings and annotations, and refuses the request if the webhook does."""
    for key, text in answer.annotations.items():
        review.annotate(f"{hook.name}/{key}", text)
    review.call.warnings += answer.warnings
    if not answer.allowed:
        raise make_refusal(hook.name, answer.status)


def _fail(hook: Webhook, problem: _FailedCallError, review: Review, annotation: str) -> None:
    """Refuses a request for a failed call, unless the failure policy ignores it."""
    review.check_time()
    if hook.fails:
        raise internal_error(f"failed calling webhook {go_quote(hook.name)}: {problem}")
    review.annotate(annotation, hook.name)


# --- patches ----------------------------------------------------------------------------------------------------------


def _read_patch(hook: Webhook, answer: WebhookAnswer, request: Request) -> list[Any]:
    """Returns the operations of an answer."""
    if not answer.patch:
        return []
    try:
        patch, _ = parse_json(answer.patch)
        _check_patch(patch)
    except BodyError as problem:
        raise _FailedCallError(f"received undecodable patch in webhook response: {problem}") from None
    if not patch:
        return []
    if request.object is None:
        text = f"admission webhook {go_quote(hook.name)} attempted to modify the object"
        raise internal_error(f"{text}, which is not supported for this operation")
    if answer.patch_type != JSON_PATCH:
        raise _FailedCallError(f"unsupported patch type {go_quote(answer.patch_type)}")
    return list(patch)


def _check_patch(patch: Any) -> None:
    """Refuses a value that is no list of objects."""
    wrong, wanted = patch, "Patch"
    if isinstance(patch, list):
        wanted = "Operation"
        wrong = next((each for each in patch if each is not None and not isinstance(each, dict)), None)
    if wrong is not None:
        raise BodyError(describe_mistype(wrong, f"value of type jsonpatch.{wanted}"))


def _apply(patch: list[Any], request: Request, subject: Subject) -> bool:
    """Applies a patch to the object, and returns whether it changes it."""
    try:
        found = json_patch(request.object, [each or {} for each in patch])
    except PatchError as problem:
        raise internal_error(str(problem)) from None
    version = request.resource.version
    return subject.change(subject.revise(found, version), version)
