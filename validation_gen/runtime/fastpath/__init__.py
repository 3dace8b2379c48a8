"""Makes the table that the native accept path walks, of shapes and of what generated modules have beside them.

A generated module lists the checks of each struct as steps, which are the calls that its functions make.
Some checks are known to native code, and their operands become limits of a place; all others are asked, by calling the
very function. What can be neither makes its place one that is never sure. So a table can be slow or unsure, and never
wrong. It makes no errors: a request that is not certainly valid goes to the generated functions.

Options of a request are looked up when a table is made: there is one for a kind and the options of a request.
Nothing imports this where there is no native code.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from validation_gen.runtime.fastpath.table import Acceptor, Table
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Struct

#: How many tables a kind keeps: for creates and updates, with different states of the options that it asks for.
_MOST_TABLES = 16
#: How many sets of options are known by heart.
_MOST_SETS = 64
#: After so many requests for which there was no room, other tables may be worth theirs.
_PATIENCE = 4096


@dataclass(frozen=True, slots=True)
class _Made:
    """Table with the requests that it fits: those in which its options have the same states."""

    acceptor: Acceptor
    update: bool | None
    options: Mapping[str, bool | None]
    #: All options of the request, where handwritten checks may ask for any.
    given: Mapping[str, bool] | None

    def fits(self, op: Operation) -> bool:
        if self.update not in (None, op.update) or self.given not in (None, op.options):
            return False
        return all(op.option(name) is state for name, state in self.options.items())


class FastPath:
    """Tables of one kind, each made at first use."""

    __slots__ = ("_by_options", "_left_out", "_made", "shape")

    def __init__(self, shape: Struct) -> None:
        self.shape = shape
        self.forget()

    def forget(self) -> None:
        """Begins anew."""
        self._made: list[_Made] = []
        #: What has been found for sets of options, most of which are usual.
        self._by_options: dict[Hashable, Acceptor] = {}
        self._left_out = 0

    def of(self, op: Operation) -> Acceptor:
        """Returns a predicate: true if a create, or an update from an old object, is certainly valid.

        Returns `None` where options that the kind asks for have had too many different states lately.
        """
        key = op.update, tuple(sorted(op.options.items()))
        found = self._by_options.get(key)
        if found is None:
            found = next((made.acceptor for made in self._made if made.fits(op)), None) or self._new(op)
            if found is not None:
                if len(self._by_options) >= _MOST_SETS:
                    self._by_options.clear()
                self._by_options[key] = found
        return found

    def _new(self, op: Operation) -> Acceptor | None:
        if len(self._made) >= _MOST_TABLES:
            self._left_out += 1
            if self._left_out < _PATIENCE:
                return None
            self.forget()
        table = Table(op)
        table.node(self.shape)
        table.mark_changes()
        table.clear_empty()
        acceptor, asked = table.acceptor(), table.questions
        others = asked.calls_others  # an update asks them in another way
        self._made.append(_Made(acceptor, op.update if others else None, asked.options, op.options if others else None))
        return acceptor
