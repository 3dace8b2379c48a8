"""Follows objects through audit logs: pairs an update with the last object that the logs have shown.

Steps wait in a temporary file until all are read, and are then followed object by object, in the order in which they
happened, independent of their order in the input (`pairing.Ordering`). An object that may have changed without a record
is forgotten: skipping an update is better than comparing it with a wrong old state. If events could not be
read, any object may have changed: then only updates that name the version that they replace have a known old object.
"""

from __future__ import annotations

import enum
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from validation_gen.commands.compare.inputs.decoding import Audited, Form, Item, Piece
from validation_gen.commands.distributed.pairing import EventPosition, Mark, Moment, ObjectEvent, Ordering
from validation_gen.runtime.words import counted

UNKNOWN = "of updates of which the old object is not known"
LATE = "that stand before earlier ones of the same object, which was put right"
#: Not a reason, but the counter of old objects.
ALONE = "objects as they were"


def sentences(passed_over: Mapping[str, int]) -> list[str]:
    """Describes unpaired and late items, and skipped ones with their reasons, most frequent first."""
    ordered = sorted(passed_over.items(), key=lambda pair: (pair[0] not in (LATE, ALONE), -pair[1], pair[0]))
    return [
        f"{counted(count, 'object')} of --old without a new one"
        if reason == ALONE
        else f"{counted(count, 'event')} {reason}"
        for reason, count in ordered
        if count
    ]


class Effect(str, enum.Enum):
    """Effect of a request on the known state of an object."""

    NONE = "none"
    PUT = "put"  #: it has stored what the event shows
    SHOW = "show"  #: it has shown what is stored
    FORGET = "forget"  #: it has deleted the object, or may have changed it without a record
    SWEEP = "sweep"  #: the same, for all objects of a resource and namespace


class Sent(NamedTuple):
    """A request that can be compared, as plain data.

    Attributes:
        line: the position of the object in the log, with `column`.
        audited: data of the event beside the object.
        form: version, kind and view of the object: only states of one form are comparable.
        identity: key of the object in other inputs.
        version: the version of the object that it wants to replace, `""` for any.
    """

    line: int
    column: int
    audited: Audited
    form: str
    identity: str
    version: str


class Step(NamedTuple):
    """A relevant event: its time, the request to compare, and the state of its object afterwards.

    Attributes:
        key: the object, `b""` if it is unknown.
        scope: its resource and namespace.
        name: its name.
        moment: time of the event.
        effect: effect on the known state, by `form` and `stored`, where the event shows it.
        uid: the server's uid for this life of the object, `""` if it is unknown.
        version: the server's version of the stored object, `""` if it is unknown.
        sent: the request, whose object is `text`.
    """

    key: bytes
    scope: bytes
    name: bytes
    moment: Moment
    effect: Effect
    form: str = ""
    uid: str = ""
    version: str = ""
    sent: Sent | None = None
    text: bytes = b""
    stored: bytes = b""

    def as_data(self) -> list[Any]:
        """Returns plain data for `of_data`."""
        uid, version, rank, time, received = self.moment
        texts = (self.key, self.scope, self.name, uid, version, time, received, self.text, self.stored)
        plain = [each.decode("utf-8", "surrogateescape") for each in texts]
        return [plain, rank, self.effect.value, self.form, self.uid, self.version, self.sent]

    @classmethod
    def of_data(cls, data: list[Any]) -> Step:
        """Restores a step from `as_data`."""
        texts, rank, effect, form, object_uid, object_version, sent = data
        keys = [each.encode("utf-8", "surrogateescape") for each in texts]
        key, scope, name, uid, version, time, received, text, stored = keys
        moment = Moment(uid, version, rank, time, received)
        sent = None if sent is None else Sent(*sent)
        return cls(key, scope, name, moment, Effect(effect), form, object_uid, object_version, sent, text, stored)


class _State(NamedTuple):
    """A state of an object, with its life, its version and its time."""

    text: bytes
    uid: str
    version: str
    mark: Mark | None


class Trail:
    """Audit logs, followed object by object when all of them are read.

    Args:
        file: a temporary file for this instance.
        olds: returns the text of an object before the logs begin, by its identity; `None` if there are none.
        passed_over: counts the events that are not compared, by reason, and the reordered ones.
    """

    def __init__(self, file: str, olds: Callable[[bytes], bytes | None] | None, passed_over: Counter[str]) -> None:
        self._ordering = Ordering(file)
        self._olds = olds
        self._passed_over = passed_over
        self._has_gaps = False
        self._is_seen = False  # True after the logs have shown the object
        self._states: dict[str, _State] = {}  # last shown states, by form

    @property
    def count(self) -> int:
        """Number of waiting steps."""
        return self._ordering.count

    def add(self, step: Step, file: str, place: EventPosition) -> None:
        """Adds a step of a file, with its position in the input."""
        if step.effect is Effect.SWEEP:
            self._ordering.apply_bulk_event(step.scope, step.moment, place)
            return
        head = json.dumps([step.effect.value, step.form, step.uid, step.version, file, step.sent])
        self._ordering.put(step.key, step.scope, step.moment, place, (head.encode(), step.text, step.stored))

    def follow(self, *, has_gaps: bool) -> Iterator[Item | None]:
        """Yields the request of each step, `None` for a step without a request to compare.

        `has_gaps` is True if events are missing that may have changed any object.
        """
        self._has_gaps = has_gaps
        last = b""
        for text in self._ordering:
            if text.object != last or not text.object:
                last = text.object
                self._is_seen, self._states = False, {}
            if text.is_late:
                self._passed_over[LATE] += 1
            yield self._meet(text)

    def close(self) -> None:
        self._ordering.close()

    def _meet(self, text: ObjectEvent) -> Item | None:
        effect, form, uid, version, file, sent = json.loads(text.body[0])
        item = None if sent is None else self._item(text, uid, file, Sent(*sent))
        if effect in (Effect.PUT, Effect.FORGET):
            self._states = {}
        if effect in (Effect.PUT, Effect.SHOW):
            self._states[form] = _State(text.body[2], uid, version, text.mark)
        self._is_seen |= effect != Effect.NONE
        return item

    def _item(self, text: ObjectEvent, uid: str, file: str, sent: Sent) -> Item | None:
        audited, before, old = Audited(*sent.audited), None, None
        if self._olds and sent.identity:
            before = self._olds(sent.identity.encode("latin-1"))  # in any case: it marks the old object as paired
        if audited.update:
            state = self._states.get(sent.form)
            if not self._is_seen and before is not None:
                state = _read_state(before)
            if state is None or not self._is_before(text, state, uid, sent.version):
                self._passed_over[UNKNOWN] += 1
                return None
            old = state.text
        piece = Piece(Form.JSON, text.body[1], sent.line, sent.column)
        return Item(0, piece, file, 0, audited, old, order=(text.mark.partition, text.mark.number))

    def _is_before(self, text: ObjectEvent, state: _State, uid: str, version: str) -> bool:
        """Returns whether a state may be the one before a request: it has to fit the data of the request."""
        if (uid and state.uid and uid != state.uid) or (version and state.version and version != state.version):
            return False
        if self._has_gaps and not (version and state.version):
            return False
        return not self._ordering.is_covered_by_bulk_delete(text.scope, state.mark, text.mark)


def _read_state(text: bytes) -> _State:
    """Returns the state of an object in another input."""
    try:
        metadata = json.loads(text).get("metadata")
    except (ValueError, RecursionError, AttributeError):
        metadata = None
    values = [metadata.get(name) if isinstance(metadata, dict) else None for name in ("uid", "resourceVersion")]
    uid, version = (each if isinstance(each, str) else "" for each in values)
    return _State(text, uid, version, None)
