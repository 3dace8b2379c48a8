"""Those who call webhooks and take what is made for them, asked through a program that answers JSON lines.

The program is no part of this project; `README.md` beside this file has the protocol. This module asks it and gives
its answers types. It never judges anything itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.apiserver import ApiServer

Object = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Admission:
    """What a server makes of the answer of an admission webhook.

    Attributes:
        allowed: Whether the request goes on.
        object: The object after it, None if there is none.
        status: The error that the client gets, empty if it is allowed.
        kubectl: What `kubectl` prints.
        warnings: The `Warning` headers of the response.
        audit: The annotations of the audit event.
        problems: Why annotations are not among them, and fields of the answer that v1 does not have.
    """

    allowed: bool
    object: dict[str, Any] | None
    status: dict[str, Any]
    kubectl: str
    warnings: tuple[str, ...]
    audit: dict[str, str]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a server makes of the answer of a conversion webhook: the objects, or why there are none."""

    objects: list[dict[str, Any]]
    error: str
    problems: tuple[str, ...]


class Parties(ApiServer):
    """Asks the program that speaks this protocol, and that of `tests.apiserver`, too."""

    def admission(self, request: Object, answer: Object | str, *, mutating: bool = False, code: int = 200) -> Admission:
        """What comes of this answer, with this status of HTTP, to this `AdmissionReview`."""
        more = {} if code == 200 else {"http_status": code, "media": "application/json"}
        said = self.ask("admission-response", request=request, review=answer, mutating=mutating, **more)
        return Admission(
            allowed=said["allowed"],
            object=said.get("object"),
            status=said.get("status", {}),
            kubectl=said.get("kubectl", ""),
            warnings=tuple(said["warnings"]),
            audit=said["audit"],
            problems=(*said["auditProblems"], *said["strict"], *_listed(said, "undecodable")),
        )

    def conversion(self, request: Object, answer: Object) -> Conversion:
        """What comes of this answer to this `ConversionReview`."""
        asked = request["request"]
        said = self.ask(
            "conversion-response",
            objects=asked["objects"],
            desired=asked["desiredAPIVersion"],
            request_uid=asked["uid"],
            review=answer,
        )
        problems = (*said["strict"], *_listed(said, "undecodable"))
        return Conversion(said.get("objects", []), said.get("error_converting", ""), problems)


def _listed(answer: Object, name: str) -> list[str]:
    return [answer[name]] if name in answer else []
