"""One request on its way: its parts, its warnings, and its response."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from validation_gen.apiserver.clock import Clock
from validation_gen.apiserver.interface import Resource
from validation_gen.apiserver.negotiation import MediaType
from validation_gen.apiserver.requests import Target, WriteOptions

if TYPE_CHECKING:
    from validation_gen.apiserver.admission.review import Review

T = TypeVar("T")


#: The user of each request of a client.
USER = {"username": "kubernetes-admin", "groups": ["system:masters", "system:authenticated"]}
#: The user of requests of the server itself.
OWN_USER = {"username": "system:apiserver", "groups": ["system:masters"]}


def make_service_account(name: str) -> dict[str, Any]:
    """Returns the user of a controller."""
    groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"]
    return {"username": f"system:serviceaccount:kube-system:{name}", "groups": groups}


@dataclass(slots=True)
class Call:
    """A request about a resource.

    Attributes:
        target: the resource and object that the URL names.
        query: the parameters of the URL.
        headers: the headers, by names in lower case.
        body: the body, empty without one.
        verb: `get`, `list`, `create` …
        clock: the time of the server.
        media: the representation of the response.
        warnings: the texts of `Warning` headers.
        annotations: the annotations of its event in an audit log.
        review: its admission, None if no webhook and no policy can match it.
        size: the bytes of the body that have come.
    """

    method: str
    path: str
    target: Target
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    verb: str
    resource: Resource
    version: Any
    clock: Clock
    media: MediaType = field(default_factory=MediaType)
    warnings: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    review: Review | None = None
    size: int = 0
    user: Mapping[str, Any] = field(default_factory=lambda: USER)

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that may call webhooks: then in a thread."""
        return await (self.resource if self.review is None else self.review).run(work, *args)

    @property
    def key(self) -> str:
        """The key of the object in the store."""
        return f"{self.prefix}{self.target.name}"

    @property
    def prefix(self) -> str:
        """The beginning of the keys of the objects that a list shows."""
        return self.resource.make_prefix(self.target.namespace)

    @property
    def qualified(self) -> tuple[str, str]:
        """The group and the plural name, for errors."""
        return self.resource.group, self.resource.resource


@dataclass(slots=True)
class Response:
    """A response. A watch has `stream` instead of a body."""

    code: int
    body: Any = None
    content: bytes | None = None
    content_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    stream: AsyncIterator[bytes] | None = None


def find_manager(call: Call, options: WriteOptions) -> str:
    """Returns the name of the field manager: the given one, or the beginning of the user agent."""
    if options.field_manager:
        return options.field_manager
    name = call.headers.get("user-agent", "").split("/")[0]
    return "".join(char for char in name if char.isprintable())[:128]
