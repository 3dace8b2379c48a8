"""What is wrong with an object, said of the places that native code names, so that nobody looks at the rest.

A leaf is a place of the table whose checks can be asked one by one: of a single value, or of a list or map beside its
items. The checks say what is wrong, and from them comes the error. Which of them count for a value, in which order and
by which rule, is known to generated functions alone. So they are watched: what they say of an object with a kind of
failure that is new at a leaf is kept, and said again when the same checks fail there. What functions say of a value
depends on nothing but on which of its checks fail; where it might, there are no leaves.

Nothing here is sure of a kind of failure that functions have not been seen to report. Objects are never changed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from validation_gen.runtime.acceptance.alike import is_same_each_time, shown_by, test_of
from validation_gen.runtime.acceptance.nodes import Ask
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.rule import Rule
from validation_gen.runtime.shape import Shape

#: How often functions are watched for a leaf in vain. Then it is theirs.
_PATIENCE = 16

#: Which checks have an error to say, in order: their positions, the rule, how a value is shown, what stops; then the
#: error that all others are like, if they are, and what they show.
Told = tuple[tuple[int, Rule, bool, bool, FieldError | None, int], ...]
#: A leaf, a value, the way to it from the innermost element outwards, and whether other places are inside: `None` for
#: that of a member that is not there.
Place = tuple["Leaf", Any, list[str], bool | None]


class Leaf:
    """A place of the table: its shape and its checks. There are none where they cannot be asked one by one."""

    __slots__ = ("checks", "known", "known_of_updates", "patience", "shape")

    def __init__(self, shape: Shape, checks: Iterable[Ask] | None) -> None:
        self.shape = shape
        self.checks = tuple(checks or ())
        #: What functions have been seen to say, by which checks have failed: a bit for each. It is `None` where there
        #: is no value, as then the same ones fail each time.
        self.known: dict[int | None, Told] = {}
        #: The same for updates, of values that have changed.
        self.known_of_updates: dict[int | None, Told] = {}
        self.patience = 0 if checks is None else _PATIENCE

    def spec(self) -> tuple[Any, ...]:
        """As native code has it, which asks the checks and reads what is known."""
        tests = tuple(test_of(*check) for check in self.checks)
        return self.checks, self.known, self.shape.mended, self, tests, self.known_of_updates


def watch(
    wrong: Sequence[Place], others: Sequence[Place], found: Sequence[FieldError], *, update: bool = False
) -> None:
    """Keeps what functions have said of an object, or an update, if all of it can be said of its places."""
    waiting = [leaf for leaf, *_ in others if leaf.patience > 0]
    if len(waiting) < len(others):
        return
    try:
        learnt = list(_learnt(wrong, others, found, update=update))
    except Exception:  # they say something else, or a check trips over a value
        for leaf in waiting:
            leaf.patience -= 1
        return
    for known, key, told in learnt:
        known[key] = told


class _OtherwiseError(Exception):
    """Functions say something that places do not."""


def _learnt(
    wrong: Sequence[Place], others: Sequence[Place], found: Sequence[FieldError], *, update: bool
) -> Iterator[tuple[dict[int | None, Told], int | None, Told]]:
    """What is new: where it is kept, the checks that have failed, and what functions have said of them.

    Raises:
        _OtherwiseError: functions say something that places do not.
    """
    rest = list(reversed(found))
    for leaf, value, way, _ in wrong:
        mended = leaf.shape.mended(value)
        for error in mended.errors if mended else ():
            _take(rest, error, way)
    for leaf, value, way, above in others:
        answers = [check(value, *operands) for check, operands in leaf.checks]
        told: list[tuple[int, Rule, bool, bool, FieldError | None, int]] = []
        for position, errors in enumerate(answers):
            if isinstance(errors, list) and errors and rest and _is_same(rest[-1], errors[0], way):
                rule, said = rest[-1].rule, rest[-1]
                for error in errors:
                    _take(rest, error, way, rule)
                shows = shown_by(leaf.checks[position][0], errors, value, gone=above is None)
                model = None if shows is None else _model(said, shows)
                told.append((position, rule, rule.json_string, rule.short_circuit, model, shows or 0))
        stops = above and any(stops for _, _, _, stops, *_ in told)
        silenced = not told and any(answers) and True not in answers  # what is around it has been said instead
        key = None if above is None else sum(1 << position for position, answer in enumerate(answers) if answer)
        known = leaf.known_of_updates if update else leaf.known
        if stops or silenced or [each[:4] for each in known.get(key, told)] != [each[:4] for each in told]:
            raise _OtherwiseError
        yield known, key, tuple(told)
    if rest:
        raise _OtherwiseError


def _model(said: FieldError, shows: int) -> FieldError:
    """What is in an error but for its path, and for a value that differs each time, and may be large or secret."""
    found = copy.copy(said)
    found.segments = []
    if not is_same_each_time(shows):
        found.bad_value = None
    return found


def _take(rest: list[FieldError], error: FieldError, way: list[str], rule: Rule | None = None) -> None:
    """Takes an error that functions have said next."""
    if not rest or not _is_same(rest[-1], error, way) or (rule is not None and rest[-1].rule is not rule):
        raise _OtherwiseError
    rest.pop()


def _is_same(said: FieldError, error: FieldError, way: list[str]) -> bool:
    """Whether functions have said an error that a check says of the value at the end of a way."""
    here = FieldError(error.type, error.bad_value, error.detail, error.origin, *error.segments, *way)
    return (
        (said.type, said.detail, said.origin, said.marks) == (here.type, here.detail, here.origin, error.marks)
        and (said.field, said.place) == (here.field, here.place)
        and repr(said.bad_value) == repr(here.bad_value)
    )
