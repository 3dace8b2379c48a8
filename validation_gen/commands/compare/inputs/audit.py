"""Reads the events of an audit log (`audit.k8s.io/v1`), each by itself: `trail` follows objects through them.

Only the events are parsed here, the objects in them stay text.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from validation_gen.commands.compare.inputs import json_pieces
from validation_gen.commands.compare.inputs.decoding import Audited, Form, Piece
from validation_gen.commands.compare.inputs.json_pieces import Scanner
from validation_gen.commands.compare.inputs.stores import identity, join_key
from validation_gen.commands.compare.inputs.trail import Effect, Sent, Step
from validation_gen.commands.distributed.pairing import Moment, encode_time, encode_version

GROUP = "audit.k8s.io/"
_MARK = b'"audit.k8s.io/'
#: Markers near the beginning of an event, and near its end.
_SIGNS = (_MARK, b'"stageTimestamp"')
#: The beginning of an event as the API server writes it. No string in it can contain the quotes of the following keys.
_BEGINNING = re.compile(
    rb'\{"kind":"Event","apiVersion":"audit\.k8s\.io/\w+","level":"\w+","auditID":"[^"\\]*","stage":"(\w+)",'
    rb'"requestURI":"(?:[^"\\]|\\.)*","verb":"(\w+)"'
)
_COMPLETE = "ResponseComplete"
_WRITING = ("create", "update", "patch")
_DELETING = ("delete", "deletecollection")
_USED = (*_WRITING, *_DELETING, "get")
#: Subresources whose requests leave the object unchanged.
_HARMLESS = ("attach", "exec", "log", "portforward", "proxy", "token")
_DRY = re.compile(r"[?&]dryRun=[^&]")
#: A key up to its value. It is kept as written: no key of an event has an escape.
_KEY = r'[ \t\r\n]*"((?:[^"\\]|\\.)*)"[ \t\r\n]*:[ \t\r\n]*'
_FIRST = re.compile(r"[ \t\r\n]*\{" + _KEY)
_NEXT = re.compile("[ \\t\\r\\n]*," + _KEY)
_LAST = re.compile(r"[ \t\r\n]*\}[ \t\r\n]*\Z")
_JSON = json.JSONDecoder()
_TRUNCATED = "audit.k8s.io/truncated"
#: Order of requests with the same version: the one that made it, those that changed nothing, reads, the deletion.
_RANKS = {"create": 0, "get": 2, "delete": 3}


class Part(NamedTuple):
    """A value and its text."""

    value: Any
    text: bytes = b""
    line: int = 0
    column: int = 0


_ABSENT = Part(None)


def may_have_events(piece: Piece) -> bool:
    """Returns whether a piece may contain events."""
    return piece.form is Form.JSON and (_MARK in piece.data or piece.own[0].startswith(GROUP))


def may_be_lost(piece: Piece) -> bool:
    """Returns whether a piece may be a damaged event: malformed, or cut off with the rest of its file."""
    if piece.form is Form.UNREADABLE and not piece.data:
        return True
    is_of_log = any(sign in piece.data for sign in _SIGNS) or piece.own[0].startswith(GROUP)
    return is_of_log and not (piece.form is Form.JSON and _members(piece))


class Events:
    """Reads events, each by itself. `passed_over` counts those that are not compared, by reason."""

    def __init__(self, passed_over: Counter[str]) -> None:
        self._passed_over = passed_over

    def read(self, piece: Piece, *, inside: bool = False) -> Iterator[Step | Piece]:
        """Yields the steps of an event or a list of events; another or a malformed piece is returned unchanged.

        Pieces `inside` of a list are not read as lists.
        """
        if begin := _BEGINNING.match(piece.data):
            stage, verb = begin[1].decode(), begin[2].decode()
            if not self._counts(stage, verb):
                return
        event = _members(piece)
        version, kind = _get_text(event, "apiVersion"), _get_text(event, "kind")
        if event and not version and not kind:
            version, kind = piece.own
        if not inside and (kind.endswith("List") or piece.data.lstrip().startswith(b"[")):
            text = piece.data.decode("utf-8", "surrogateescape")
            scanner = Scanner(text, piece.line)
            for inner in json_pieces.of_stream(scanner):
                yield from self.read(inner, inside=True) if may_have_events(inner) else [inner]
            if scanner.peek():
                yield piece
        elif version.startswith(GROUP) and kind == "Event":
            step = self._one(event)
            if step is not None:
                yield step
        else:
            yield piece

    def _counts(self, stage: str, verb: str) -> bool:
        """Returns whether an event of this stage and verb is relevant."""
        if stage != _COMPLETE:
            self._passed_over[f"of the stage {stage or '(none)'}"] += 1
        elif verb not in _USED:
            self._passed_over[f"of the verb {verb or '(none)'}"] += 1
        return stage == _COMPLETE and verb in _USED

    def _one(self, event: Mapping[str, Part]) -> Step | None:
        verb, reference = _get_text(event, "verb"), _object(event, "objectRef")
        if not self._counts(_get_text(event, "stage"), verb):
            return None
        if not reference:
            self._passed_over["without a reference to an object"] += 1
            return None
        request = _Request(event, verb, reference)
        found = request.to_compare() if verb in _WRITING else f"of the verb {verb}"
        if isinstance(found, str):
            self._passed_over[found] += 1
        effect = request.effect
        if effect is Effect.NONE and isinstance(found, str):
            return None
        shown = request.stored if effect in (Effect.PUT, Effect.SHOW) else _ABSENT
        sent, text = (None, b"") if isinstance(found, str) else found
        return Step(
            request.key,
            request.scope,
            request.name.encode("utf-8", "surrogatepass"),
            request.moment,
            effect,
            request.form(shown.value),
            request.uid,
            _version(shown.value),
            sent,
            text,
            shown.text,
        )


class _Request:
    """One event: its object key, and the objects in it."""

    def __init__(self, event: Mapping[str, Part], verb: str, reference: Mapping[str, Any]) -> None:
        def get_text(name: str) -> str:
            value = reference.get(name)
            return value if isinstance(value, str) else ""

        code = _object(event, "responseStatus").get("code")
        self.subresource = get_text("subresource")
        self.verb = verb
        self._created = code == 201
        self._accepted = isinstance(code, int) and 200 <= code < 300
        dry = bool(_DRY.search(_get_text(event, "requestURI")))
        # Without a code it is unknown whether the request changed anything.
        self._changes = (self._accepted or not isinstance(code, int)) and not dry
        self._level = _get_text(event, "level")
        self._truncated = _object(event, "annotations").get(_TRUNCATED) == "true"
        group, version, resource = get_text("apiGroup"), get_text("apiVersion"), get_text("resource")
        self._version = f"{group}/{version}" if group else version
        self._sent = event.get("requestObject", _ABSENT)
        answer = event.get("responseObject", _ABSENT)
        self.stored = answer if self._accepted and _is_stored(answer.value) else _ABSENT
        self.name = get_text("name") or _name(self.stored.value)
        # The log gives a Namespace its own name as namespace.
        self.namespace = "" if resource == "namespaces" and not group else get_text("namespace")
        self.scope = join_key(group, resource, self.namespace, "")
        self.key = self.scope + self.name.encode("utf-8", "surrogatepass") if resource and self.name else b""
        shown = None if dry else self.stored.value  # the result of a dry run is not stored
        details = answer.value.get("details") if isinstance(answer.value, dict) and not dry else None
        named = (_meta(shown, "uid"), _text(details, "uid"), get_text("uid"), _meta(self._sent.value, "uid"))
        self.uid = next(filter(None, named), "")
        time, received = (
            encode_time(_get_text(event, name)) for name in ("stageTimestamp", "requestReceivedTimestamp")
        )
        version_key = encode_version(_meta(shown, "resourceVersion"))
        self.moment = Moment(
            self.uid.encode("utf-8", "surrogatepass"), version_key, _RANKS.get(verb, 1), time or received, received
        )

    @property
    def effect(self) -> Effect:
        """Returns the effect of an accepted request."""
        if not self._changes:
            return Effect.NONE
        if self.verb == "deletecollection":
            return Effect.SWEEP
        if not self.key:
            return Effect.NONE
        if self.verb == "get":
            return Effect.SHOW if self.stored.text and self.form(self.stored.value) else Effect.NONE
        if self.verb == "delete":
            return Effect.FORGET
        if self.stored.text:
            return Effect.PUT
        return Effect.NONE if self.subresource in _HARMLESS else Effect.FORGET

    def form(self, obj: Any) -> str:
        """Returns the version, kind and view of a state. Only states with equal forms are compared as old and new."""
        if not isinstance(obj, dict):
            return ""
        version, kind = str(obj.get("apiVersion")), str(obj.get("kind"))
        # Objects of other groups are other views, such as a Scale.
        view = "" if version == self._version or not self._version else self.subresource
        return f"{version}\0{kind}\0{view}"

    def to_compare(self) -> tuple[Sent, bytes] | str:
        """Returns the request to compare and the text of its object, or the reason why there is none."""
        is_patch = self.verb == "patch"
        obj = self.stored if is_patch else self._sent
        if is_patch and not self._accepted:
            return "of refused patches: the log does not have the object that they would have made"
        if not obj.text or obj.value is None:
            what = "the response" if is_patch else "the request"
            if self._truncated:
                return "whose objects were too large for the log"
            return f"without the object in {what}: the audit level is {self._level or '(none)'}"
        if not isinstance(obj.value, dict) or not obj.value.get("apiVersion") or not obj.value.get("kind"):
            return "whose object has no apiVersion and kind"
        update = self.verb != "create" and not self._created
        sent = Sent(
            obj.line,
            obj.column,
            Audited(update, self.subresource, self.namespace, self.name),
            self.form(obj.value),
            identity(obj.value).decode("latin-1"),
            "" if is_patch else _version(obj.value),
        )
        return sent, obj.text


# --- parts ------------------------------------------------------------------------------------------------------------


def _members(piece: Piece) -> dict[str, Part]:
    """Returns the members of an object, none if it is malformed."""
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


def _get_text(event: Mapping[str, Part], name: str) -> str:
    value = event.get(name, _ABSENT).value
    return value if isinstance(value, str) else ""


def _object(event: Mapping[str, Part], name: str) -> Mapping[str, Any]:
    value = event.get(name, _ABSENT).value
    return value if isinstance(value, dict) else {}


def _is_stored(obj: Any) -> bool:
    """Returns whether a response is an object, and neither a status nor a table nor only metadata."""
    if not isinstance(obj, dict) or not obj.get("apiVersion") or not obj.get("kind"):
        return False
    return obj["kind"] != "Status" and not str(obj["apiVersion"]).startswith("meta.k8s.io/") and bool(_name(obj))


def _name(obj: Any) -> str:
    return _meta(obj, "name")


def _version(obj: Any) -> str:
    """Returns the version in an object, `""` if it accepts any."""
    version = _meta(obj, "resourceVersion")
    return "" if version == "0" else version


def _meta(obj: Any, name: str) -> str:
    return _text(obj.get("metadata") if isinstance(obj, dict) else None, name)


def _text(obj: Any, name: str) -> str:
    value = obj.get(name) if isinstance(obj, dict) else None
    return value if isinstance(value, str) else ""
