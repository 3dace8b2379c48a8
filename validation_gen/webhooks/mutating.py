"""Changes objects before validation: defaults of their type, and functions of users.

Defaults come before the functions, and once more after them, so that a second request changes nothing. Functions must
be idempotent, too: a server may send their result again. The first requests about a kind, and some later ones, run them
a second time; a function that would change its own result is logged.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from validation_gen.webhooks.functions import FailedError, Functions, Verdict
from validation_gen.webhooks.patches import build_patch
from validation_gen.webhooks.reviews import WRITING, Answer, Request, allowed, read_review, refused

_log = logging.getLogger("validation_gen.webhooks")
#: Returns a copy of an object with the defaults of its type.
Defaults = Callable[[Any], Any]
#: Number of first requests about a kind that are tried twice, and the interval after them.
_TRIED, _THEN = 16, 100
_MOST_KINDS = 1000
#: Limit of a patch in bytes: twice that of a server's request. A small object can have many places for defaults.
_LARGEST = 6 << 20
_T = TypeVar("_T")


class Mutating:
    """Endpoint of `/mutate`. Requests without a new object are allowed, and change nothing.

    Args:
        defaults: defaults of types.
        functions: functions of users.
    """

    def __init__(self, defaults: Defaults | None = None, functions: Functions | None = None) -> None:
        self._defaults = defaults
        self._functions = functions or Functions()
        self._asked: dict[str, int] = {}
        self._told: set[str] = set()

    def read(self, body: bytes) -> Request:
        """Reads a body as `reviews.read_review` does."""
        return read_review(body)

    def at_once(self, request: Request) -> Answer | None:
        """Returns the answer, if it needs no waiting; else None."""
        return None if self._functions.concerned(request, changes=True) else self.filled(request)

    async def answer(self, request: Request) -> Answer:
        """Returns the answer, without blocking the event loop."""
        if request.operation not in WRITING or not self._functions.concerned(request, changes=True):
            return await _run(request, self.filled, request)
        try:
            first = await _run(request, self._with_defaults, request, request.object)
            obj, verdict = await self._functions.changed(replace(request, object=first))
            if not verdict.allows:
                return verdict.answer(request)
            made = await _run(request, self._with_defaults, request, obj)
            annotations = dict(verdict.annotations)
            if self._is_tried(request) and (name := await self._functions.unsettled(replace(request, object=made))):
                annotations["not-idempotent"] = name
                self._tell(name, request)
            return await _run(request, _changing, request, made, replace(verdict, annotations=annotations))
        except Exception as problem:
            return _refuse_failed(request, problem)

    def failed(self, request: Request, code: int, reason: str, message: str) -> Answer:
        """Refuses the request."""
        return refused(request, code, reason, message)

    def filled(self, request: Request) -> Answer:
        """Returns the answer with defaults alone."""
        if request.operation not in WRITING:
            return allowed(request)
        try:
            return _changing(request, self._with_defaults(request, request.object), Verdict())
        except Exception as problem:
            return _refuse_failed(request, problem)

    def _with_defaults(self, request: Request, obj: Any) -> Any:
        # Requests about other subresources have another object, such as a scale.
        if self._defaults is None or request.subresource not in ("", "status"):
            return obj
        return self._defaults(obj)

    def _is_tried(self, request: Request) -> bool:
        kind = request.about[2]
        if kind not in self._asked and len(self._asked) >= _MOST_KINDS:
            return False
        count = self._asked[kind] = self._asked.get(kind, 0) + 1
        return count <= _TRIED or count % _THEN == 0

    def _tell(self, name: str, request: Request) -> None:
        if name not in self._told:
            self._told.add(name)
            text = "The function %s changes its own result once more; a server may ask it again about that"
            about = {"function": name, "uid": request.uid}
            _log.warning(text, name, extra={**about, "fields": about})


async def _run(request: Request, function: Callable[..., _T], *args: Any) -> _T:
    """Returns the result of a function, which runs in a thread if it may take long."""
    return function(*args) if request.is_small else await asyncio.to_thread(function, *args)


def _changing(request: Request, made: Any, verdict: Verdict) -> Answer:
    """Returns the answer that allows a request, with the patch to the changed object, if there is a difference."""
    patch = build_patch(request.object, made)
    if not patch:
        return verdict.answer(request)
    # The server decodes it by Go, which has no infinite numbers.
    text = json.dumps(patch, separators=(",", ":"), allow_nan=False)
    if len(text) > _LARGEST:
        return refused(request, 413, "RequestEntityTooLarge", f"its changes have more than {_LARGEST} bytes")
    found = base64.b64encode(text.encode()).decode()
    return allowed(
        request, warnings=verdict.warnings, annotations=verdict.annotations, patch=found, patchType="JSONPatch"
    )


def _refuse_failed(request: Request, problem: Exception) -> Answer:
    if isinstance(problem, FailedError):
        return refused(request, 500, "InternalError", str(problem))
    if isinstance(problem, RecursionError):
        return refused(request, 400, "BadRequest", "the object is nested too deeply")
    return refused(request, 500, "InternalError", f"the change of the object failed: {type(problem).__name__}")
