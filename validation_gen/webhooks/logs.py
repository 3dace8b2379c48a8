"""Records of finished requests, and a line in the log for each that was not allowed; for all others with `debug`.

The logger is `validation_gen.webhooks`. Lines have the user, the object's name and the reason, and nothing else of an
object. Foreign texts are escaped and cut, so that a name cannot forge a line.
"""

from __future__ import annotations

import json
import logging
import re
import time
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from validation_gen.webhooks.reviews import Answer, Request


@dataclass(slots=True)
class RequestRecord:
    """A request, complete once it is finished.

    Attributes:
        path: path of an endpoint, or `other`.
        code: the HTTP status, 0 if the client was gone.
        size: the bytes of its body that were read.
        asked: the request as the endpoint has read it, None if it was no review.
        answer: the answer, None without one.
        reason: why there is no answer; it has no part of an object.
    """

    path: str
    code: int = 0
    seconds: float = 0.0
    size: int = 0
    asked: Any = None
    answer: Answer | None = None
    reason: str = ""


class Observer(Protocol):
    """Observer of requests, called in the thread that serves them: it must be fast, and raise nothing."""

    def began(self, path: str) -> None:
        """Called for a new request."""

    def ended(self, ended: RequestRecord) -> None:
        """Called for a finished request, with or without an answer."""


#: Logger of the server itself, which is always on.
SERVER = logging.getLogger("validation_gen.server")
LOGGER = logging.getLogger("validation_gen.webhooks")
_LONGEST, _LONGEST_REASON = 256, 2048
_PLAIN = re.compile(r"[A-Za-z0-9_./:@,+-]+", re.ASCII)


class Log:
    """Logs requests. It is an observer of `Webhook`."""

    def began(self, path: str) -> None:
        """Does nothing: the request is not known yet."""

    def ended(self, ended: RequestRecord) -> None:
        """Logs the answer."""
        answer = ended.answer
        if answer is not None and answer.allowed and not answer.failure:
            if not LOGGER.isEnabledFor(logging.DEBUG):
                return
            level, text = logging.DEBUG, "allowed"
        elif answer is not None:
            level, text = (logging.ERROR, "failed") if answer.failure else (logging.INFO, "refused")
        else:
            level, text = (logging.ERROR if ended.code >= 500 else logging.INFO), "not answered"
        if LOGGER.isEnabledFor(level):
            LOGGER.log(level, text, extra={"fields": _fields(ended)})


def _fields(ended: RequestRecord) -> dict[str, Any]:
    """Returns the known facts of a request."""
    found: dict[str, Any] = {"path": ended.path}
    asked, answer = ended.asked, ended.answer
    if isinstance(asked, Request):
        found |= {
            "uid": asked.uid,
            "operation": asked.operation,
            "kind": asked.about[2],
            "subresource": asked.subresource,
            "namespace": asked.namespace,
            "name": asked.name,
            "user": asked.user.get("username"),
            "dryRun": asked.dry_run,
        }
    elif asked is not None:
        found |= {name: getattr(asked, name, None) for name in ("uid", "kind", "wanted")}
    if answer is not None:
        found |= {"rules": ",".join(answer.rules), "warned": ",".join(answer.warned), "failure": answer.failure}
        found |= {"objects": ",".join(answer.names), "reason": answer.reason}
        found["code"] = _code(answer.review) or ended.code
    else:
        found |= {"code": ended.code, "reason": ended.reason}
    found = {name: _short(value, name) for name, value in found.items() if value}
    found["seconds"] = round(ended.seconds, 6)
    return found


def _code(review: Any) -> Any:
    """Returns the code of an answer that refuses."""
    response = review.get("response")
    status = (response.get("status") or response.get("result")) if isinstance(response, dict) else None
    return status.get("code") if isinstance(status, dict) else None


def _short(value: Any, name: str) -> Any:
    if isinstance(value, bool | int):
        return value
    text, longest = str(value), _LONGEST_REASON if name == "reason" else _LONGEST
    return text if len(text) <= longest else f"{text[:longest]}…"


class Text(logging.Formatter):
    """Formats lines for people: the event, and `name=value` for its fields; texts with spaces are quoted as in JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line of a record."""
        fields = _read_fields(record)
        shown = (f"{name}={_render_value(value)}" for name, value in fields.items())
        return " ".join([_line(record.getMessage()), *shown])


class Json(logging.Formatter):
    """Formats lines for programs: a JSON object each, with `time`, `level`, `message`, and all fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line of a record."""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{when}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "message": _line(record.getMessage()),
            **_read_fields(record),
        }
        return json.dumps(line)


def _read_fields(record: logging.LogRecord) -> dict[str, Any]:
    """Returns the fields of a record. Of an exception it is the place of its origin: its text may contain anything."""
    fields: dict[str, Any] = dict(getattr(record, "fields", {}))
    if record.exc_info and record.exc_info[1] is not None:
        problem = record.exc_info[1]
        place = problem.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        fields["error"] = type(problem).__name__
        if place is not None:
            fields["at"] = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}"
    return fields


def _render_value(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _line(text: str) -> str:
    """Removes characters that would break or colour a line."""
    return "".join(each if each.isprintable() else " " for each in text)


def log_to(stream: TextIO, *, form: str = "text", level: str = "info") -> None:
    """Writes the lines to a stream, as `text` or `json`; also errors of the underlying server."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Json() if form == "json" else Text())
    levels = {SERVER.name: "INFO", LOGGER.name: level.upper(), "uvicorn": "ERROR", "asyncio": "ERROR"}
    for name, least in levels.items():
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(least)
