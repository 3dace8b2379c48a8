"""Requests in an audit log (`audit.k8s.io/v1`). An update is paired with the object that the log has shown before.

So events are read in order and in one process. Only the events are parsed here, the objects in them stay text. An
object that may have changed unseen is forgotten: an update is rather left out than compared with a wrong old state.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from validation_gen.uses.compare.inputs import json_pieces
from validation_gen.uses.compare.inputs.items import Audited, Form, Piece
from validation_gen.uses.compare.inputs.scanning import Scanner
from validation_gen.uses.compare.inputs.stores import Table, identity, joined

GROUP = "audit.k8s.io/"
_MARK = b'"audit.k8s.io/'
#: The beginning of an event as the API server writes it. No string in it can hold the quotes of what follows.
_BEGINNING = re.compile(
    rb'\{"kind":"Event","apiVersion":"audit\.k8s\.io/\w+","level":"\w+","auditID":"[^"\\]*","stage":"(\w+)",'
    rb'"requestURI":"(?:[^"\\]|\\.)*","verb":"(\w+)"'
)
_COMPLETE = "ResponseComplete"
_WRITING = ("create", "update", "patch")
_DELETING = ("delete", "deletecollection")
_USED = (*_WRITING, *_DELETING, "get")
#: Requests below an object that leave it as it is.
_HARMLESS = ("attach", "exec", "log", "portforward", "proxy", "token")
_DRY = re.compile(r"[?&]dryRun=[^&]")
#: A key up to its value. It stays as it is written: no key of an event has an escape.
_KEY = r'[ \t\r\n]*"((?:[^"\\]|\\.)*)"[ \t\r\n]*:[ \t\r\n]*'
_FIRST = re.compile(r"[ \t\r\n]*\{" + _KEY)
_NEXT = re.compile("[ \\t\\r\\n]*," + _KEY)
_LAST = re.compile(r"[ \t\r\n]*\}[ \t\r\n]*\Z")
_JSON = json.JSONDecoder()
_TRUNCATED = "audit.k8s.io/truncated"


class Part(NamedTuple):
    """A value and its text."""

    value: Any
    text: bytes = b""
    line: int = 0
    column: int = 0


_ABSENT = Part(None)


class Seen(NamedTuple):
    """A request that can be compared: its object, the object as it was, and what the event says of both."""

    piece: Piece
    audited: Audited
    old: bytes | None


class Routed(NamedTuple):
    """An event that can matter, the name of the object that it is about, and whether it is about several objects."""

    piece: Piece
    name: bytes
    all: bool


def may_have_events(piece: Piece) -> bool:
    """Tells whether it is worth looking for events in a piece."""
    return piece.form is Form.JSON and (_MARK in piece.data or piece.own[0].startswith(GROUP))


class Trail:
    """Audit logs, followed from their beginning.

    Args:
        table: where the last known objects are kept; called when it is needed first.
        olds: the text of an object before the log begins, by its identity.
        passed_over: counts the events that are not compared, by reason.
    """

    def __init__(
        self, table: Callable[[], Table], olds: Callable[[bytes], bytes | None], passed_over: Counter[str]
    ) -> None:
        self._make_table = table
        self._table: Table | None = None
        self._olds = olds
        self._passed_over = passed_over

    def follow(self, piece: Piece, *, inside: bool = False) -> Iterator[Seen | Routed | Piece]:
        """The requests of an event or of a list of events; a piece that is neither, or malformed, as it is.

        What is `inside` of a list is no further list.
        """
        if begin := _BEGINNING.match(piece.data):
            stage, verb = begin[1].decode(), begin[2].decode()
            if not self._counts(stage, verb):
                return
        event = _members(piece)
        version, kind = _said(event, "apiVersion"), _said(event, "kind")
        if event and not version and not kind:
            version, kind = piece.own
        if not inside and (kind.endswith("List") or piece.data.lstrip().startswith(b"[")):
            text = piece.data.decode("utf-8", "surrogateescape")
            scanner = Scanner(text, piece.line)
            for inner in json_pieces.of_stream(scanner):
                yield from self.follow(inner, inside=True) if may_have_events(inner) else [inner]
            if scanner.peek():
                yield piece
        elif version.startswith(GROUP) and kind == "Event":
            yield from self._one(event, piece)
        else:
            yield piece

    def _counts(self, stage: str, verb: str) -> bool:
        """Whether an event of this stage and verb can matter."""
        if stage != _COMPLETE:
            self._passed_over[f"of the stage {stage or '(none)'}"] += 1
        elif verb not in _USED:
            self._passed_over[f"of the verb {verb or '(none)'}"] += 1
        return stage == _COMPLETE and verb in _USED

    def _meant(self, event: Mapping[str, Part]) -> _Request | None:
        """The request behind an event; `None` if it cannot matter, which is counted."""
        verb, reference = _said(event, "verb"), _object(event, "objectRef")
        if not self._counts(_said(event, "stage"), verb):
            return None
        if not reference:
            self._passed_over["without a reference to an object"] += 1
            return None
        return _Request(event, verb, reference, _object(event, "responseStatus").get("code"))

    def _one(self, event: Mapping[str, Part], piece: Piece) -> Iterator[Seen | Routed]:
        request = self._meant(event)
        if request is None:
            return
        # Without a code nobody knows whether something has changed.
        changes = (request.accepted or not request.is_answered) and not _DRY.search(_said(event, "requestURI"))
        verb = request.verb
        seen = request.seen(verb, self._known) if verb in _WRITING else f"of the verb {verb}"
        if changes:
            self._learn(verb, request)
        if isinstance(seen, str):
            self._passed_over[seen] += 1
        else:
            yield seen

    def _known(self, request: _Request, obj: Mapping[str, Any], form: bytes) -> bytes | None:
        """The object of a request as it was."""
        known, text = self._objects.get(request.key, form) if request.key else (False, None)
        return text if known else self._olds(identity(obj))

    def _learn(self, verb: str, request: _Request) -> None:
        """Notes what an accepted request has changed or shown."""
        stored, form = request.stored, request.form(request.stored.value)
        if verb == "deletecollection":
            self._objects.forget(request.scope, below=True)
        elif not request.key:
            return
        elif verb == "get":
            if stored.text and form:
                self._objects.put(request.key, form, stored.text)
        elif verb == "delete" or stored.text:
            self._objects.forget(request.key)
            if verb != "delete":
                self._objects.put(request.key, form, stored.text)
        elif request.subresource not in _HARMLESS:
            self._objects.forget(request.key)

    @property
    def _objects(self) -> Table:
        if self._table is None:
            self._table = self._make_table()
        return self._table


class Router(Trail):
    """Tells where events belong, and follows none of them. Those that cannot matter are counted here."""

    def __init__(self, passed_over: Counter[str]) -> None:
        super().__init__(_no_table, lambda key: None, passed_over)

    def _one(self, event: Mapping[str, Part], piece: Piece) -> Iterator[Routed]:
        request = self._meant(event)
        if request is None:
            return
        yield Routed(piece, request.name.encode("utf-8", "surrogatepass"), request.verb == "deletecollection")


def _no_table() -> Table:
    raise AssertionError("who only routes keeps no objects")


class _Request:
    """One event: which object it is about, and the objects that it holds."""

    def __init__(self, event: Mapping[str, Part], verb: str, reference: Mapping[str, Any], code: Any) -> None:
        def said(name: str) -> str:
            value = reference.get(name)
            return value if isinstance(value, str) else ""

        self.subresource = said("subresource")
        self.verb = verb
        self.is_answered = isinstance(code, int)
        self.created = code == 201
        self.accepted = isinstance(code, int) and 200 <= code < 300
        self._level = _said(event, "level")
        self._truncated = _object(event, "annotations").get(_TRUNCATED) == "true"
        group, version, resource = said("apiGroup"), said("apiVersion"), said("resource")
        self._version = f"{group}/{version}" if group else version
        self.sent = event.get("requestObject", _ABSENT)
        stored = event.get("responseObject", _ABSENT)
        self.stored = stored if self.accepted and _is_stored(stored.value) else _ABSENT
        self.name = said("name") or _name(self.stored.value)
        # A Namespace is said to be in itself.
        self.namespace = "" if resource == "namespaces" and not group else said("namespace")
        self.scope = joined(group, resource, self.namespace, "")
        self.key = self.scope + self.name.encode("utf-8", "surrogatepass") if resource and self.name else b""

    def form(self, obj: Any) -> bytes:
        """Tells which sort of state of the object this is: only states of one sort are an old and a new one."""
        if not isinstance(obj, dict):
            return b""
        version, kind = str(obj.get("apiVersion")), str(obj.get("kind"))
        # What other groups have is another view, such as a Scale.
        return joined(version, kind, "" if version == self._version or not self._version else self.subresource)

    def seen(self, verb: str, known: Callable[[_Request, Mapping[str, Any], bytes], bytes | None]) -> Seen | str:
        """The request to compare, or why there is none."""
        obj = self.stored if verb == "patch" else self.sent
        if verb == "patch" and not self.accepted:
            return "of refused patches: the log does not have the object that they would have made"
        if not obj.text or obj.value is None:
            what = "the response" if verb == "patch" else "the request"
            if self._truncated:
                return "whose objects were too large for the log"
            return f"without the object in {what}: the audit level is {self._level or '(none)'}"
        if not isinstance(obj.value, dict) or not obj.value.get("apiVersion") or not obj.value.get("kind"):
            return "whose object has no apiVersion and kind"
        update = verb != "create" and not self.created
        old = known(self, obj.value, self.form(obj.value)) if update else None
        if update and old is None:
            return "of updates of which the old object is not known"
        audited = Audited(update, self.subresource, self.namespace, self.name)
        return Seen(Piece(Form.JSON, obj.text, obj.line, obj.column), audited, old)


# --- parts ------------------------------------------------------------------------------------------------------------


def _members(piece: Piece) -> dict[str, Part]:
    """The members of an object, nothing if it is malformed."""
    text = piece.data.decode("utf-8", "surrogateescape")
    found: dict[str, Part] = {}
    member = _FIRST.match(text)
    end = len(text) if member else 0
    while member:
        start = member.end()
        try:
            value, end = _JSON.raw_decode(text, start)
        except (ValueError, RecursionError):
            return {}
        if member[1] in ("requestObject", "responseObject"):
            line, column = text.count("\n", 0, start), start - text.rfind("\n", 0, start)
            found[member[1]] = Part(
                value, text[start:end].encode("utf-8", "surrogateescape"), piece.line + line, column
            )
        else:
            found[member[1]] = Part(value)
        member = _NEXT.match(text, end)
    return found if _LAST.match(text, end) else {}


def _said(event: Mapping[str, Part], name: str) -> str:
    value = event.get(name, _ABSENT).value
    return value if isinstance(value, str) else ""


def _object(event: Mapping[str, Part], name: str) -> Mapping[str, Any]:
    value = event.get(name, _ABSENT).value
    return value if isinstance(value, dict) else {}


def _is_stored(obj: Any) -> bool:
    """Whether a response is an object, and neither a status nor a table nor only metadata."""
    if not isinstance(obj, dict) or not obj.get("apiVersion") or not obj.get("kind"):
        return False
    return obj["kind"] != "Status" and not str(obj["apiVersion"]).startswith("meta.k8s.io/") and bool(_name(obj))


def _name(obj: Any) -> str:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""
