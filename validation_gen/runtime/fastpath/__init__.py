"""Makes the table that the native fast path walks, from shapes and from the steps of generated modules.

A generated module lists the checks of each struct as steps, which are the calls that its functions make. Native code
runs some checks itself: their operands become limits of a node. It calls the functions of all others. A node whose
steps allow neither is never sure. So a table can be slow or unsure, and never wrong. It makes no errors: generated
functions validate a request that is not certainly valid, or the one part of it that may have errors.

Options of a request are looked up when a table is made: there is one for a kind and the options of a request.
Nothing imports this where there is no native code.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from validation_gen.runtime.fastpath.table import Acceptor, Table
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Struct

#: Maximum number of tables of a kind: for creates and updates, with different states of the options that it reads.
_MOST_TABLES = 16
#: Maximum number of cached sets of options.
_MOST_SETS = 64
#: Number of requests without a table after which all tables are dropped, as others are used more.
_MOST_WITHOUT = 4096

#: Exceptions of steps in a form that this version does not know: an older generator has written them.
_UNREADABLE = (TypeError, ValueError, LookupError, AttributeError)


@dataclass(frozen=True, slots=True)
class _OptionTable:
    """Table with the requests that it fits: those in which its options have the same states."""

    acceptor: Acceptor
    update: bool | None
    options: Mapping[str, bool | None]
    #: All options of the request, where handwritten checks may read any.
    given: Mapping[str, bool] | None

    def fits(self, op: Operation) -> bool:
        if self.update not in (None, op.update) or self.given not in (None, op.options):
            return False
        return all(op.option(name) is state for name, state in self.options.items())


class FastPath:
    """Tables of one kind, each made at first use."""

    __slots__ = ("_by_options", "_tables", "_without", "shape")

    def __init__(self, shape: Struct) -> None:
        self.shape = shape
        self.clear()

    def clear(self) -> None:
        """Drops all tables."""
        self._tables: list[_OptionTable] = []
        #: Tables by sets of options.
        self._by_options: dict[Hashable, Acceptor] = {}
        self._without = 0

    def find_acceptor(self, op: Operation) -> Acceptor:
        """Returns a predicate: true if a create, or an update from an old object, is certainly valid.

        Returns `None` while too many different states of the options are in use.
        """
        key = op.update, tuple(sorted(op.options.items()))
        found = self._by_options.get(key)
        if found is None:
            found = next((table.acceptor for table in self._tables if table.fits(op)), None) or self._new(op)
            if found is not None:
                if len(self._by_options) >= _MOST_SETS:
                    self._by_options.clear()
                self._by_options[key] = found
        return found

    def _new(self, op: Operation) -> Acceptor | None:
        if len(self._tables) >= _MOST_TABLES:
            self._without += 1
            if self._without < _MOST_WITHOUT:
                return None
            self.clear()
        table = Table(op)
        try:
            acceptor = table.compile(self.shape)
        except _UNREADABLE:
            acceptor = table.never()
        read = table.resolver.options
        custom = table.resolver.has_custom  # updates call them in another way
        self._tables.append(_OptionTable(acceptor, op.update if custom else None, read, op.options if custom else None))
        return acceptor
