"""Faults, each with its effect on a request."""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, ClassVar, TypeVar

from validation_gen.apiserver.errors import ApiError, already_exists, conflict
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.writes import STALE
from validation_gen.runtime.words import counted, nearest
from validation_gen.testing.gateway import Forward, Request

VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
#: Reasons and texts of refusals as a real server has them, by their codes.
_REFUSALS = {
    403: ("Forbidden", "access denied"),
    429: ("TooManyRequests", "storage is (re)initializing"),
    500: ("", "etcdserver: request timed out"),
    503: ("ServiceUnavailable", "apiserver is shutting down"),
    504: ("Timeout", "Timeout: request did not complete within requested timeout - context deadline exceeded"),
}

F = TypeVar("F", bound="Fault")


def check_number(name: str, value: object, least: float) -> None:
    """Checks an argument.

    Raises:
        ValueError: it is no number, or too small.
    """
    if not isinstance(value, (int, float)) or value < least:
        raise ValueError(f"{name} is a number from {least:g} on, not {value!r}")


@dataclass(frozen=True, slots=True)
class Conditions:
    """`Where`, with its defaults."""

    verb: str | Sequence[str] = ()
    resources: Sequence[Resource] | None = None
    name: str | None = None
    namespace: str | None = None
    subresource: str | None = None
    agent: str = ""
    nth: int = 1
    times: int | None = 1
    chance: float = 1.0
    seed: int | None = None

    def check(self) -> None:
        for verb in self.verbs:
            if verb not in VERBS:
                close = "".join(f" (did you mean {each}?)" for each in nearest(verb, VERBS))
                raise ValueError(f"unknown verb {verb!r}{close}: write one of {', '.join(VERBS)}")
        check_number("nth", self.nth, 1)
        if self.times is not None:
            check_number("times", self.times, 1)
        if not 0 <= self.chance <= 1:
            raise ValueError(f"chance is a probability from 0 to 1, not {self.chance}")

    @property
    def verbs(self) -> Sequence[str]:
        return (self.verb,) if isinstance(self.verb, str) else self.verb

    def choose_resource(self, group: str, name: str) -> bool:
        """Returns whether these conditions choose a resource, by its plural name or its kind."""
        return self.resources is None or any(
            group == each.group and name in (each.resource, each.names.kind) for each in self.resources
        )

    async def hold(self, request: Request) -> bool:
        target, resource = request.target, request.resource
        if target is None or (self.verbs and request.verb not in self.verbs):
            return False
        if not self.choose_resource(target.group, target.resource):
            return False
        if self.namespace is not None and self.namespace != target.namespace:
            return False
        if self.subresource is not None and self.subresource != target.subresource:
            return False
        if self.agent not in request.agent or resource is None:
            return False
        return self.name is None or fnmatchcase(await request.name(), self.name)


class Fault(ABC):
    """A fault. As a context manager, it is removed at the end of the block.

    Attributes:
        count: how often it has been injected.
        removed: whether it is no longer injected.
    """

    title = ""
    #: The verbs of requests that it can hit.
    verbs: ClassVar[Sequence[str]] = VERBS
    #: Whether no other fault, and no application, sees a request after this one.
    answers = False

    def __init__(self, conditions: Conditions) -> None:
        conditions.check()
        if wrong := [verb for verb in conditions.verbs if verb not in self.verbs]:
            raise ValueError(f"this fault hits {' and '.join(self.verbs)}, and never {' or '.join(wrong)}")
        self.count = self.matched = 0
        self.removed = False
        self.conditions = conditions
        self.seed = random.SystemRandom().randrange(1 << 32) if conditions.seed is None else conditions.seed
        self._random = random.Random(self.seed)  # noqa: S311 - no secret

    def remove(self) -> None:
        """Ends the injection."""
        self.removed = True

    def __enter__(self: F) -> F:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    async def meets(self, request: Request) -> bool:
        """Returns whether the conditions choose a request."""
        return await self.conditions.hold(request)

    def is_due(self) -> bool:
        """Counts a chosen request, and returns whether it is hit."""
        self.matched += 1
        times = self.conditions.times
        if self.matched < self.conditions.nth or (times is not None and self.count >= times):
            return False
        if self.conditions.chance < 1 and self._random.random() >= self.conditions.chance:
            return False
        self.count += 1
        return True

    def around(self, forward: Forward) -> Forward:
        """Wraps the handling of a request in this fault."""

        async def run(request: Request) -> None:
            await self.inject(request, forward)

        return run

    @abstractmethod
    async def inject(self, request: Request, forward: Forward) -> None:
        """Injects the fault into a request."""

    def __str__(self) -> str:
        seed = f", seed={self.seed}" if self.conditions.chance < 1 else ""
        return f"{self.title}: {counted(self.count, 'injection')} in {counted(self.matched, 'matching request')}{seed}"


class Latency(Fault):
    """Answers that are late."""

    def __init__(self, conditions: Conditions, seconds: float) -> None:
        super().__init__(conditions)
        check_number("seconds", seconds, 0)
        self.seconds = seconds
        self.title = f"latency of {seconds:g} s"

    async def inject(self, request: Request, forward: Forward) -> None:
        await asyncio.sleep(self.seconds)
        await forward(request)


class Refusal(Fault):
    """Refusals by the server."""

    answers = True

    def __init__(self, conditions: Conditions, code: int, message: str = "", retry_after: int = 0) -> None:
        super().__init__(conditions)
        if code not in range(400, 600):
            raise ValueError(f"code is an HTTP status from 400 to 599, not {code!r}")
        check_number("retry_after", retry_after, 0)
        self.code, self.message, self.retry_after = code, message, retry_after
        self.title = f"refusal with {code}"

    async def inject(self, request: Request, forward: Forward) -> None:
        await request.refuse(await self._problem(request))

    async def _problem(self, request: Request) -> ApiError:
        if self.code == 409 and request.target is not None:
            about = (request.target.group, request.target.resource, await request.name())
            return already_exists(*about) if request.verb == "create" else conflict(*about, self.message or STALE)
        reason, message = ("Unauthorized",) * 2 if self.code == 401 else _REFUSALS.get(self.code, ("", "refused"))
        details = {"retryAfterSeconds": self.retry_after} if self.retry_after else None
        return ApiError(self.code, reason, self.message or message, details, retry_after=self.retry_after)


class ExpiredToken(Refusal):
    """Refusals of all requests with a token."""

    def __init__(self, conditions: Conditions, token: str) -> None:
        super().__init__(conditions, 401)
        self.title = "expired token (401)"
        self._header = f"bearer {token}"

    async def meets(self, request: Request) -> bool:
        shown = [value for name, value in request.scope["headers"] if name == b"authorization"]
        return any(_bearer(value.decode("latin-1")) == self._header for value in shown)


def _bearer(header: str) -> str:
    kind, _, token = header.partition(" ")
    return f"{kind.lower()} {token.strip()}"


class LostAnswer(Fault):
    """Connections that break after a request has been carried out."""

    title = "lost answer"

    async def inject(self, request: Request, forward: Forward) -> None:
        async def lose(message: Any) -> None:
            pass

        await forward(replace(request, send=lose))
        await request.break_off()


class WebhookTimeout(Fault):
    """Calls of webhooks that are not answered in time; the server does not wait."""

    title = "timeout of a webhook"

    async def meets(self, request: Request) -> bool:
        return False

    async def inject(self, request: Request, forward: Forward) -> None:
        await forward(request)

    def meets_review(self, review: Any) -> bool:
        """Returns whether a review is about the chosen objects."""
        request = review.get("request") or {}
        objects = request.get("objects") or [request.get("object") or request.get("oldObject") or {}]
        where = self.conditions
        verb = str(request.get("operation") or "").lower()
        return (not where.verbs or verb in where.verbs) and any(
            where.choose_resource(*_name_resource(request, obj))
            and where.namespace in (None, (obj.get("metadata") or {}).get("namespace"))
            and (where.name is None or fnmatchcase(str((obj.get("metadata") or {}).get("name")), where.name))
            for obj in objects
        )


def _name_resource(request: Any, obj: Any) -> tuple[str, str]:
    """Returns the group of an object under review, and its plural name; of a conversion, its kind."""
    if named := request.get("resource"):
        return named.get("group", ""), named["resource"]
    return obj.get("apiVersion", "").rpartition("/")[0], obj.get("kind", "")
