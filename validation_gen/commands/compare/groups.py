"""Groups of alike mismatches, each with the smallest example. The other examples are dropped.

Examples have the beginnings of long texts, and some of many errors: those that the example is about, and a count of the
omitted ones.

User code creates the errors of the handwritten side, so `sound` checks them. Afterwards the parts of an error have
their types, and its value is plain JSON: it can be compared, hashed, printed and sent to other processes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Answer, Refusal
from validation_gen.commands.compare.sides.process import LONGEST_NAME, MOST_ERRORS
from validation_gen.mismatch.expected import general_path
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.levels import render_error
from validation_gen.runtime.words import counted

_SCALARS = frozenset({str, bool, type(None), type(OMITTED)})
_MOST_BITS = 64
_DEEPEST = 100


def sound(answer: Answer) -> Answer:
    """Returns the answer with plain values, or the reason why it cannot be used."""
    if isinstance(answer, Refusal):
        return answer
    if len(answer) > MOST_ERRORS:
        return Refusal(f"answered with {len(answer)} errors, of which only {MOST_ERRORS} are read")
    for error in answer:
        if problem := _problem(error):
            return Refusal(f"answered with a malformed error: {problem}")
        if error.bad_value.__class__ not in _SCALARS:
            error.bad_value = plain(error.bad_value)
    return answer


def _problem(error: Any) -> str:
    if not isinstance(error.type, ErrorType):
        return f"its type is {_name(error.type)}, and no ErrorType"
    for name in ("detail", "origin", "level", "tag", "source"):
        if not isinstance(getattr(error, name), str):
            return f"its {name} is {_name(getattr(error, name))}, and no text"
    if not all(isinstance(each, str) for each in error.segments):
        return "its path has elements that are not strings"
    for name, size in (("path", sum(map(len, error.segments))), ("origin", len(error.origin)), ("tag", len(error.tag))):
        if size > LONGEST_NAME:
            return f"its {name} has {size} characters, more than {LONGEST_NAME}"
    return "" if isinstance(error.marks, Set) else "its marks are no set"


def _name(value: object) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"


def plain(value: Any, depth: int = 0) -> Any:
    """Returns a value as plain JSON. Other types become texts; values that are nested too deeply are cut off."""
    if value.__class__ in _SCALARS:
        return value
    if isinstance(value, str):
        return str.__str__(value)  # an enumeration prints as something else
    if isinstance(value, int):
        bits = int.bit_length(value)
        return int(value) if bits <= _MOST_BITS else f"<integer of {bits} bits>"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else "NaN" if math.isnan(value) else f"{float(value):+}"
    try:
        if depth >= _DEEPEST:
            return "…"
        if isinstance(value, Mapping):
            return {_key(key): plain(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item, depth + 1) for item in value]
        return repr(value)
    except Exception:  # all of these run the code of the value's class
        return f"<{type(value).__name__}>"


def _key(key: Any) -> str:
    text = plain(key)
    return text if isinstance(text, str) else repr(text)


#: Maximum number of errors of each side in an example ...
MOST_SHOWN = 50
#: ... and in examples of further sorts, beyond this number of examples.
MOST_WHOLE = 100
MOST_BRIEF = 2
#: Maximum length of a detail, a message or a value.
LONGEST_SHOWN = 1_000
LONGEST_BRIEF = 200


class Shown:
    """The errors of one answer. Examples of the same request share their shown errors."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        self._errors = errors
        self._numbers = {id(error): number for number, error in enumerate(errors)}
        self._known: dict[int, dict[str, Any]] = {}

    def errors(self, about: Iterable[FieldError | None]) -> tuple[list[dict[str, Any]], int]:
        """Returns the shown errors, in the terms of the line protocol, and the number of others."""
        chosen = {self._numbers[id(error)] for error in about if id(error) in self._numbers}
        for number in range(len(self._errors)):
            if len(chosen) >= MOST_SHOWN:
                break
            chosen.add(number)
        return [self._to_dict(number) for number in sorted(chosen)], len(self._errors) - len(chosen)

    def _to_dict(self, number: int) -> dict[str, Any]:
        if number not in self._known:
            self._known[number] = _to_dict(self._errors[number])
        return self._known[number]


def and_more(count: int) -> list[str]:
    """Returns a line with the number of hidden errors, if there are any."""
    return [f"… and {count:,} more"] if count else []


def truncate(text: str, most: int = LONGEST_SHOWN) -> str:
    """Returns the beginning of a text."""
    more = len(text) - most
    return text if more <= 0 else f"{text[:most]}… and {counted(more, 'more character', grouped=True)}"


def shorter(error: dict[str, Any]) -> dict[str, Any]:
    """Shortens an error for a report with many examples."""
    value = error["badValue"]
    if isinstance(value, dict | list):
        value = truncate(go_json(value), LONGEST_BRIEF)
    elif isinstance(value, str):
        value = truncate(value, LONGEST_BRIEF)
    texts = {name: truncate(error[name], LONGEST_BRIEF) for name in ("detail", "message")}
    return {**error, **texts, "badValue": value}


def _to_dict(error: FieldError) -> dict[str, Any]:
    summary: dict[str, Any] = error.as_dict()
    value = plain(error.bad_value)
    if isinstance(value, str):
        value = truncate(value)
    elif isinstance(value, dict | list) and len(text := go_json(value)) > LONGEST_SHOWN:
        value = truncate(text)
    return {
        **summary,
        "detail": truncate(summary["detail"]),
        "message": truncate(render_error(error)),
        "badValue": value,
    }


#: Quality of an example; a smaller value is better.
Rank = tuple[int, int]
#: Position in the input: the number of the partition, and that of the item in it.
Order = tuple[int, int]
#: Sort key: groups that count come first, then the common attributes decide.
Key = tuple[str, "Sort"]

NOWHERE: Order = (1 << 62, 0)  # after all input


@dataclass(frozen=True, slots=True, order=True)
class Sort:
    """Common attributes of alike mismatches.

    Attributes:
        kind: `apiVersion/Kind`, or `import/path.Kind` for types that no object names.
        operation: `create` or `update`, followed by the subresource if there is one: `update /status`. In the end
            there may be several, separated by commas.
        side: side of the error, a value of `mismatch.Side`; `both` for two errors that differ in their path, type
            or origin only.
        cause: a value of `mismatch.Cause`.
        path: the path of the error with `[*]` for every index and key.
        type: the type of the error, such as `FieldValueInvalid`.
        origin: the origin of the error, often empty.
        tag: the tag to blame in canonical form, `""` when there is none.
        source: location of that tag or of the field (`import/path/file.go:LINE:COLUMN`), `""` if unknown.
    """

    kind: str
    operation: str
    side: str
    cause: str
    path: str
    type: str
    origin: str
    tag: str
    source: str


@dataclass(slots=True)
class Example:
    """One request that shows a mismatch, with both answers as lists of errors in the terms of the line protocol.

    `more` is the number of errors by side that an answer has and the example does not show.
    """

    obj: Any
    old: Any
    options: dict[str, bool]
    place: str
    handwritten: list[dict[str, Any]]
    declarative: list[dict[str, Any]]
    message: str
    text: str
    request: dict[str, Any] = field(default_factory=dict)
    more: dict[str, int] = field(default_factory=dict)

    def to_request(self) -> Request:
        """Returns the request of the example."""
        line = {**self.request, "obj": self.obj, "oldObj": self.old, "options": self.options}
        return Request.of_line(line, self.place)

    @property
    def rank(self) -> Rank:
        """Rank of the example, smaller is better: first the number of other errors, which distract, then the size."""
        count = len(self.handwritten) + len(self.declarative) + sum(self.more.values())
        return count, count_characters(self.obj, self.old)


def count_characters(obj: Any, old: Any) -> int:
    """Returns the number of characters of both objects as JSON."""
    return len(go_json(obj)) + (len(go_json(old)) if old is not None else 0)


@dataclass(slots=True)
class Group:
    """A group of similar mismatches: their number, and the smallest example.

    `order` is the position of the example in the input. `expected` is the reason why they are expected, `""` if they
    are not; expected groups do not count as mismatches. `file` is the position of the responsible tag on disk
    (`apis/v1/types.go:12:5`), `""` if unknown. `excerpt` has the lines of the source around it, `excerpt_line` is the
    number of the first line.
    """

    sort: Sort
    count: int
    example: Example
    expected: str = ""
    excerpt: list[str] = field(default_factory=list)
    excerpt_line: int = 0
    file: str = ""
    brief: bool = False
    order: Order = NOWHERE
    _rank: Rank | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def key(self) -> Key:
        return self.expected, self.sort

    def shorten(self) -> None:
        """Limits the number of errors in the example, now and later, to save memory with many groups."""
        if not self.brief:
            rank = self.rank
            self.brief, self._rank = True, rank
            self.example = brief(self.example, self.sort)

    def offer(self, rank: Rank, order: Order, example: Callable[[], Example], *, is_brief: bool = False) -> None:
        """Replaces the example if this one has a better rank, or the same rank and an earlier position."""
        if (rank, order) < (self.rank, self.order):
            short = self.brief
            self.example, self._rank, self.order, self.brief = example(), rank, order, is_brief
            if short:
                self.shorten()

    def merge(self, other: Group) -> None:
        """Adds the mismatches of another group."""
        self.count += other.count
        self.offer(other.rank, other.order, lambda: other.example, is_brief=other.brief)

    @property
    def rank(self) -> Rank:
        """The rank of the example."""
        if self._rank is None:
            self._rank = self.example.rank
        return self._rank


def brief(example: Example, sort: Sort) -> Example:
    """Returns the example with the few errors of each side that are most like its mismatch."""
    more = dict(example.more)
    shown: dict[str, Any] = {}
    for side in ("handwritten", "declarative"):
        errors: list[dict[str, Any]] = getattr(example, side)
        if len(errors) > MOST_BRIEF:
            more[side] = more.get(side, 0) + len(errors) - MOST_BRIEF
            errors = sorted(errors, key=lambda error: _unlikeness(error, sort))[:MOST_BRIEF]
        shown[side] = [shorter(error) for error in errors]
    return replace(
        example,
        **shown,
        more=more,
        message=truncate(example.message, LONGEST_BRIEF),
        text=truncate(example.text, 2 * LONGEST_BRIEF),
    )


def _unlikeness(error: dict[str, Any], sort: Sort) -> tuple[bool, bool, bool]:
    return (
        general_path(str(error.get("field", ""))) != sort.path,
        error.get("type") != sort.type,
        error.get("origin", "") != sort.origin,
    )
