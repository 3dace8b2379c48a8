"""Makes the table that the native accept path walks, of shapes and of what generated modules have beside them.

A generated module says of each struct what is asked of it, step by step: calls of checks, as its functions make them.
Some checks are known to native code, and their operands become limits of a place; all others are asked, by calling the
very function. What can be neither makes its place one that is never sure. So a table can be slow or unsure, and never
wrong. Where a value is not right, the same checks say why, as far as functions have been watched (`places`).

Options of a request are looked up when a table is made: there is one for a kind and the options of a request.
Nothing imports this where there is no native code.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from validation_gen.runtime.acceptance.places import Place, watch
from validation_gen.runtime.acceptance.table import Acceptor, Table
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Struct

#: What is of the wrong type, and what else is not right.
Places: TypeAlias = tuple[Sequence[Place], Sequence[Place]]
#: How many sets of options a kind keeps tables for. Further ones are left to Python.
_MOST_OPTIONS = 8


class Acceptance:
    """The tables of one kind, each made when it is first needed."""

    __slots__ = ("_made", "shape")

    watch = staticmethod(watch)

    def __init__(self, shape: Struct) -> None:
        self.shape = shape
        self._made: dict[Hashable, Acceptor] = {}

    def of(self, op: Operation) -> Acceptor:
        """A function that tells whether a create, or an update from an old object, is certainly valid.

        Its `look` says what is wrong with a new object. `None` where there are too many sets of options.
        """
        key = op.update, tuple(sorted(op.options.items()))
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= 2 * _MOST_OPTIONS:
                return None
            table = Table(op)
            table.node(self.shape)
            table.mark_changes()
            table.mark_keys()
            table.clear_empty()
            found = self._made[key] = table.acceptor()
            if not table.questions.calls_others:  # else an update has other questions
                self._made[not op.update, key[1]] = found
        return found
