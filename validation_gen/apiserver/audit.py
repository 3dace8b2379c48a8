"""Audit log: one event of `audit.k8s.io/v1` a line for each request about a resource, as a real server writes them.

The level of events is `RequestResponse`, which comparisons need. That of reads of collections, of secrets and of tokens
is `Metadata`: more people read logs than secrets.

Sources of the behaviour: `pkg/audit/request.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from validation_gen.apiserver.bodies import BodyError, read_yaml
from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.negotiation import PROTOBUF
from validation_gen.kubernetes.objects import read_json

_METADATA, _ALL = "Metadata", "RequestResponse"
_COLLECTIONS = ("list", "watch", "deletecollection")
#: Resources whose objects are left out, by group and name, with their subresources.
_SECRET = {("", "secrets"), ("authentication.k8s.io", "tokenreviews")}
_SECRET_SUBRESOURCES = ("token",)
#: Codes of requests whose body is no object of the resource.
_UNREAD = (400, 408, 413, 415, 429)
_BODIES = ("create", "update", "patch", "delete", "deletecollection")


@dataclass(frozen=True, slots=True)
class Received:
    """The circumstances of a request.

    Attributes:
        time: when it came.
        uri: its path with its query.
        id: its identifier, which the client gets as `Audit-Id`.
    """

    time: datetime
    uri: str = ""
    address: str = ""
    id: str = field(default_factory=lambda: str(uuid.uuid4()))


class AuditLog:
    """Appends events to a file. A failure of the file fails no request.

    Args:
        report: receives the first error of a write, and the first one after each success.
    """

    def __init__(self, path: Path, report: Callable[[OSError], None]) -> None:
        self._report = report
        # A pipe may have no reader.
        flags = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY"))
        flags |= os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._file = os.open(path, flags, 0o600)
        self._fails = False

    def close(self) -> None:
        """Closes the file."""
        os.close(self._file)

    def record(self, call: Call, response: Response, received: Received) -> None:
        """Writes the event of a request that is finished."""
        event = make_event(call, response, received)
        line = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            self._write(line)
        except OSError as problem:
            if not self._fails:
                self._report(problem)
            self._fails = True
        else:
            self._fails = False

    def _write(self, line: bytes) -> None:
        """Appends a line, or nothing."""
        written = os.write(self._file, line)
        while written < len(line):
            try:
                written += os.write(self._file, line[written:])
            except OSError:
                os.ftruncate(self._file, os.fstat(self._file).st_size - written)
                raise


def make_event(call: Call, response: Response, received: Received) -> dict[str, Any]:
    """Returns the event of a finished request."""
    target = call.target
    is_secret = (target.group, target.resource) in _SECRET or target.subresource in _SECRET_SUBRESOURCES
    level = _METADATA if is_secret or call.verb in _COLLECTIONS else _ALL
    sent = _read_body(call) if response.code not in _UNREAD else None
    event: dict[str, Any] = {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": level,
        "auditID": received.id,
        "stage": "ResponseComplete",
        "requestURI": received.uri or call.path,
        "verb": call.verb or call.method.lower(),
        "user": dict(call.user),
        "sourceIPs": [received.address or "127.0.0.1"],
    }
    if agent := call.headers.get("user-agent"):
        event["userAgent"] = agent
    event["objectRef"] = _refer(call, sent)
    event["responseStatus"] = _status(response)
    if level == _ALL and sent is not None:
        event["requestObject"] = sent
    if level == _ALL and response.body is not None:
        event["responseObject"] = response.body
    event["requestReceivedTimestamp"] = _stamp(received.time)
    event["stageTimestamp"] = _stamp(call.clock.now())
    if call.annotations:
        event["annotations"] = dict(call.annotations)
    return event


def _read_body(call: Call) -> Any:
    """Returns the value of a body, None if it has none that can be logged."""
    if not call.body or call.verb not in _BODIES:
        return None
    media = call.headers.get("content-type", "")
    try:
        if media.startswith(PROTOBUF) and call.resource.reads_protobuf:
            return call.resource.read_protobuf(call.body)
        if "yaml" in media:
            return read_yaml(call.body)[0]
        return read_json(call.body)[0]
    except (BodyError, ValueError, RecursionError):
        return None


def _refer(call: Call, sent: Any) -> dict[str, str]:
    """Returns the reference to the object, with missing parts from the sent object."""
    meta = sent.get("metadata") if isinstance(sent, dict) and call.verb in ("create", "update") else None
    meta = meta if isinstance(meta, dict) else {}
    target = call.target
    found = {
        "resource": target.resource,
        "namespace": target.namespace,
        "name": target.name or meta.get("name"),
        "uid": meta.get("uid"),
        "apiGroup": target.group,
        "apiVersion": target.version,
        "resourceVersion": meta.get("resourceVersion"),
        "subresource": target.subresource,
    }
    return {name: value for name, value in found.items() if isinstance(value, str) and value}


def _status(response: Response) -> dict[str, Any]:
    """Returns the status of a response without its object."""
    body = response.body if isinstance(response.body, dict) and response.body.get("kind") == "Status" else {}
    parts = {name: body[name] for name in ("status", "message", "reason", "details") if body.get(name)}
    return {"metadata": {}, **parts, "code": response.code}


def _stamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
