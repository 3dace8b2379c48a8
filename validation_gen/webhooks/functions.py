"""Runs the functions of users for requests, one after the other, within the deadline of a request.

Failures go to the log, with the trace; a client only gets the fact of a failure. Of metadata a function may change no
part of an object's identity, and no field of the server.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks.calls import Calls, EndingError, LateError
from validation_gen.webhooks.checks import MOST, Declared, DeniedError, Warned, find_declared
from validation_gen.webhooks.patches import identical, not_json
from validation_gen.webhooks.reader import BlockingReader, Get, Reader
from validation_gen.webhooks.reviews import Answer, Request, allowed, invalid, refused

#: Fields of metadata that may change.
FREE = frozenset({"annotations", "finalizers", "labels", "ownerReferences"})


def find_changed_metadata(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Returns the first protected field of an object's type or metadata that has changed; empty if there is none."""
    for name in ("apiVersion", "kind"):
        if not identical(old.get(name), new.get(name)):
            return name
    before, after = old.get("metadata"), new.get("metadata")
    before = {} if before is None else before
    after = {} if after is None else after
    if not isinstance(before, dict) or not isinstance(after, dict):
        return "" if identical(before, after) else "metadata"
    for name in sorted(before.keys() | after.keys(), key=str):
        if name not in FREE and not identical(before.get(name), after.get(name)):
            return f"metadata.{name}"
    return ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on a request.

    Attributes:
        errors: the errors of its object. Without any, it is allowed.
        warnings: warnings for the user, whether or not it is allowed.
        annotations: annotations for the audit log.
        warned: the names of the rules whose errors are among the warnings.
        denial: why it is not allowed, if the object has no error.
    """

    errors: Sequence[FieldError] = ()
    warnings: Sequence[str] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    warned: tuple[str, ...] = ()
    denial: str = ""

    @property
    def allows(self) -> bool:
        """True if the request is allowed."""
        return not self.errors and not self.denial

    def also(self, other: Verdict) -> Verdict:
        """Returns both verdicts combined."""
        return Verdict(
            [*self.errors, *other.errors],
            [*self.warnings, *other.warnings],
            {**self.annotations, **other.annotations},
            (*self.warned, *other.warned),
            self.denial or other.denial,
        )

    def answer(self, request: Request) -> Answer:
        """Returns the answer to a request."""
        if self.errors:
            return invalid(request, self.errors, self.warnings, self.annotations)
        if self.denial:
            return refused(request, 403, "Forbidden", self.denial, self.warnings, self.annotations)
        return allowed(request, warnings=self.warnings, annotations=self.annotations)


#: Returns the verdict on the object of a request. An object that it cannot validate raises a `LookupError`. A judge
#: whose attribute `is_quick` is true may run in the event loop.
Judge = Callable[[Request], Verdict]


class UnknownKindError(LookupError):
    """A kind for which a judge has no validators."""


class FailedError(Exception):
    """A function of a user that failed or took too long. The text is for clients; the details are in the log."""


_log = logging.getLogger("validation_gen.webhooks")
#: Seconds of all functions for one request: a server waits for 10 by default.
TOTAL = 8.0
#: Their share of the time until the deadline: the answer has to be made, too.
_SHARE = 0.9
#: Seconds of the second attempt.
_TRYING = 1.0
_FAILED = "a function of the webhook failed; its log says why"


class _ResultError(Exception):
    """A function with an invalid result. The text is ours."""


class Functions:
    """The functions of users. `judge` and `changed` raise `FailedError` if one of them fails.

    Args:
        things: functions under `validates` or `mutates`, or modules with such functions.
        reader: reads other objects for them: a `Reader`, or the function for one.
        plurals: the kinds by group and unusual plural name: requests about a scale name the kind only by that.
        total: seconds of all of them for one request, if it has no earlier deadline.
        calls: calls them.

    Raises:
        DeclarationError: one of them declares nothing.
    """

    def __init__(
        self,
        things: Iterable[object] = (),
        *,
        reader: Reader | Get | None = None,
        plurals: Mapping[tuple[str, str], str] | None = None,
        total: float = TOTAL,
        calls: Calls | None = None,
    ) -> None:
        self.declared = find_declared(things)
        self.reader = reader if isinstance(reader, Reader) or reader is None else Reader(reader)
        self._plurals = dict(plurals or {})
        self._total = total
        self._calls = calls or Calls()

    def concerned(self, request: Request, *, changes: bool) -> list[Declared]:
        """Returns the functions that handle a request."""
        return [each for each in self.declared if each.changes is changes and each.concerns(request, self._plurals)]

    async def judge(self, request: Request) -> Verdict:
        """Returns the verdict of all functions on a request."""
        verdict = Verdict()
        end = _end(request, self._total)
        for each in self.concerned(request, changes=False):
            try:
                found = await self._call(each, request, end, _consume)
                verdict = verdict.also(_verdict(found))
            except DeniedError as denied:
                verdict = verdict.also(_deny(denied))
            except Exception as problem:
                verdict = verdict.also(self._handle_failure(each, request, problem))
        return verdict

    async def changed(self, request: Request) -> tuple[Any, Verdict]:
        """Returns the object after all functions, and their verdict: warnings, or a refusal."""
        verdict = Verdict()
        obj = request.object
        end = _end(request, self._total)
        for each in self.concerned(request, changes=True):
            try:
                obj = await self._change(each, request, obj, end)
            except DeniedError as denied:
                return obj, verdict.also(_deny(denied))
            except Exception as problem:
                verdict = verdict.also(self._handle_failure(each, request, problem))
        return obj, verdict

    async def unsettled(self, request: Request) -> str:
        """Returns the name of the first function that is not idempotent, for an object after all functions."""
        obj = request.object
        end = _end(request, min(self._total, _TRYING))
        for each in self.concerned(request, changes=True):
            try:
                if not identical(await self._change(each, request, obj, end), obj):
                    return each.name
            except DeniedError:  # of its own result
                return each.name
            except Exception:  # noqa: S112 - it may answer another time
                continue
        return ""

    async def _change(self, each: Declared, request: Request, obj: Any, end: float) -> Any:
        own = json.loads(json.dumps(obj))  # a copy, as deep as a body can be
        found = await self._call(each, replace(request, object=own), end, lambda given: given)
        made = own if found is None else found
        if not isinstance(made, dict):
            raise _ResultError(f"it returns the object or nothing, and not {type(made).__name__}")
        if wrong := not_json(made):
            raise _ResultError(f"{wrong} is not JSON")
        if name := find_changed_metadata(obj, made):
            raise _ResultError(f"it has changed {name}, which is not its own")
        return made

    async def _call(self, each: Declared, request: Request, end: float, taken: Callable[[Any], Any]) -> Any:
        loop = asyncio.get_running_loop()
        seconds = min(each.timeout, end - loop.time())
        if seconds <= 0:
            raise LateError("those before it have taken all the time")
        if each.is_async:
            more: Mapping[str, Any] = {"reader": self.reader} if each.takes_reader else {}
            return taken(await self._calls.call(lambda: each.function(request, **more), seconds))
        more = {"reader": self.reader and BlockingReader(self.reader, loop)} if each.takes_reader else {}
        return await self._calls.in_thread(lambda: taken(each.function(request, **more)), seconds)

    def _handle_failure(self, each: Declared, request: Request, problem: Exception) -> Verdict:
        """Handles a failed function: logs it, and refuses the request unless the function fails open."""
        trace = None if isinstance(problem, LateError) else (type(problem), problem, problem.__traceback__)
        about = {"function": each.name, "uid": request.uid}
        text = "The function %s failed: %s"
        _log.error(text, each.name, _describe(problem), exc_info=trace, extra={**about, "fields": about})
        if not each.fail_open:
            raise FailedError(_FAILED) from None
        return Verdict(annotations={"failed-open": each.name})


def _deny(denied: DeniedError) -> Verdict:
    return Verdict(denied.errors, denial="" if denied.errors else denied.text or "denied")


def _end(request: Request, most: float) -> float:
    """Returns the deadline of functions, by the clock of the loop."""
    now = asyncio.get_running_loop().time()
    return now + min(most, (request.due - now) * _SHARE)


def _describe(problem: Exception) -> str:
    """Returns a failure in one line, with its place.

    The text of an exception is left out, as it may have parts of an object.
    """
    if isinstance(problem, LateError | _ResultError):
        return str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""  # noqa: PTH119 - a text
    return f"{problem if isinstance(problem, EndingError) else type(problem).__name__}{place}"


def _consume(found: Any) -> list[Any]:
    """Returns the results of a plain function, consuming its generator."""
    if (
        found is None
        or isinstance(found, FieldError | Warned | str | bytes | Mapping)
        or not isinstance(found, Iterable)
    ):
        return [found]
    return list(itertools.islice(found, MOST))


def _verdict(found: list[Any]) -> Verdict:
    errors, warnings = [], []
    for each in found:
        if isinstance(each, FieldError):
            errors.append(each)
        elif isinstance(each, Warned):
            warnings.append(str(each.text))
        elif each is not None:
            raise _ResultError(f"it returns FieldErrors, Warned or nothing, and not {type(each).__name__}")
    return Verdict(errors, warnings)
