"""Follows objects through audit logs: an update is paired with the object that the logs have shown before.

Steps wait in a temporary file until all are known, and are then followed object by object, in the order in which they
have happened, wherever they stand in the input (`corpora.pairing.ordering`). An object that may have changed unseen is
forgotten: an update is rather left out than compared with a wrong old state. If events could not be read, any object
may have: then only updates that name the version that they replace have a known old object.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from validation_gen.runtime.words import counted
from validation_gen.uses.compare.inputs.audit import Effect, Step
from validation_gen.uses.compare.inputs.items import Audited, Form, Item, Piece
from validation_gen.uses.corpora.pairing.ordering import Mark, Moment, Ordering, Place, Told

UNKNOWN = "of updates of which the old object is not known"
LATE = "that stand before earlier ones of the same object, which was put right"
#: Not a reason, but what is counted of objects as they were.
ALONE = "objects as they were"


def sentences(passed_over: Mapping[str, int]) -> list[str]:
    """Tells what has found no partner or came late, and what was skipped and why, most frequent first."""
    ordered = sorted(passed_over.items(), key=lambda pair: (pair[0] not in (LATE, ALONE), -pair[1], pair[0]))
    return [
        f"{counted(count, 'object')} of --old without a new one"
        if reason == ALONE
        else f"{counted(count, 'event')} {reason}"
        for reason, count in ordered
        if count
    ]


class Packed(NamedTuple):
    """A step as it waits: what orders it, and all else as bytes."""

    key: bytes
    scope: bytes
    moment: Moment
    effect: Effect
    body: tuple[bytes, bytes, bytes]

    @classmethod
    def of(cls, step: Step, file: str) -> Packed:
        """A step that stands in a file."""
        sent = step.sent
        head: list[Any] = [step.effect.value, _text(step.form), step.uid, step.version, file, None]
        if sent is not None:
            piece, (update, *audited) = sent.piece, sent.audited
            head[-1] = [piece.line, piece.column, update, audited, _text(sent.form), _text(sent.identity), sent.version]
        body = json.dumps(head, separators=(",", ":")).encode(), sent.piece.data if sent else b"", step.stored
        return cls(step.key, step.scope, step.moment, step.effect, body)

    def as_data(self) -> list[Any]:
        """Plain data, which `of_data` reads."""
        uid, version, rank, time, received = self.moment
        keys = [_text(each) for each in (self.key, self.scope, uid, version, time, received)]
        return [*keys, rank, self.effect.value, *(each.decode("utf-8", "surrogateescape") for each in self.body)]

    @classmethod
    def of_data(cls, data: list[Any]) -> Packed:
        """The step that `as_data` has written."""
        key, scope, uid, version, time, received = (_bytes(each) for each in data[:6])
        head, sent, stored = (each.encode("utf-8", "surrogateescape") for each in data[8:])
        return cls(key, scope, Moment(uid, version, data[6], time, received), Effect(data[7]), (head, sent, stored))


class _State(NamedTuple):
    """A state of an object, which life and version it is, and when it was seen."""

    text: bytes
    uid: str
    version: str
    mark: Mark | None


class Trail:
    """Audit logs, followed object by object when all of them are read.

    Args:
        file: a file of its own for what waits.
        olds: the text of an object before the logs begin, by its identity; `None` if there are none.
        passed_over: counts the events that are not compared, by reason, and those that were put in order.
    """

    def __init__(self, file: str, olds: Callable[[bytes], bytes | None] | None, passed_over: Counter[str]) -> None:
        self._ordering = Ordering(file)
        self._olds = olds
        self._passed_over = passed_over
        self._has_gaps = False
        self._is_seen = False  # whether the logs have told of the object
        self._states: dict[bytes, _State] = {}  # what they have shown of it, by form

    @property
    def count(self) -> int:
        """How many steps wait."""
        return self._ordering.count

    def add(self, step: Packed, place: Place) -> None:
        """Takes a step, and where it stands in the input."""
        if step.effect is Effect.SWEEP:
            self._ordering.sweep(step.scope, step.moment, place)
        else:
            self._ordering.put(step.key, step.scope, step.moment, place, step.body)

    def follow(self, *, has_gaps: bool) -> Iterator[Item | None]:
        """The request of each step, `None` if there is nothing to compare.

        Args:
            has_gaps: whether events are missing that may have changed any object.
        """
        self._has_gaps = has_gaps
        last = b""
        for told in self._ordering:
            if told.object != last or not told.object:
                last = told.object
                self._is_seen, self._states = False, {}
            if told.is_late:
                self._passed_over[LATE] += 1
            yield self._meet(told)

    def close(self) -> None:
        self._ordering.close()

    def _meet(self, told: Told) -> Item | None:
        effect, form, uid, version, file, sent = json.loads(told.body[0])
        item = None if sent is None else self._item(told, uid, file, *sent)
        if effect in (Effect.PUT, Effect.FORGET):
            self._states = {}
        if effect in (Effect.PUT, Effect.SHOW):
            self._states[_bytes(form)] = _State(told.body[2], uid, version, told.mark)
        self._is_seen |= effect != Effect.NONE
        return item

    def _item(
        self,
        told: Told,
        uid: str,
        file: str,
        line: int,
        column: int,
        update: bool,
        audited: list[str],
        form: str,
        identity: str,
        version: str,
    ) -> Item | None:
        before = (
            self._olds(_bytes(identity)) if self._olds and identity else None
        )  # asked in any case: it has a partner
        old = None
        if update:
            state = self._states.get(_bytes(form))
            if not self._is_seen and before is not None:
                state = _state_of(before)
            if state is None or not self._is_before(told, state, uid, version):
                self._passed_over[UNKNOWN] += 1
                return None
            old = state.text
        piece = Piece(Form.JSON, told.body[1], line, column)
        return Item(0, piece, file, 0, Audited(update, *audited), old, order=(told.mark.partition, told.mark.number))

    def _is_before(self, told: Told, state: _State, uid: str, version: str) -> bool:
        """Whether a state may be the one before a request: what the request says of it has to be true."""
        if (uid and state.uid and uid != state.uid) or (version and state.version and version != state.version):
            return False
        if self._has_gaps and not (version and state.version):
            return False
        return not self._ordering.is_swept(told.scope, state.mark, told.mark)


def _state_of(text: bytes) -> _State:
    """The state of an object that stands in another input."""
    try:
        metadata = json.loads(text).get("metadata")
    except (ValueError, RecursionError, AttributeError):
        metadata = None
    said = [metadata.get(name) if isinstance(metadata, dict) else None for name in ("uid", "resourceVersion")]
    uid, version = (each if isinstance(each, str) else "" for each in said)
    return _State(text, uid, version, None)


def _text(data: bytes) -> str:
    return data.decode("latin-1")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")
