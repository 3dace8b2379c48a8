"""Writer of Python source: lines with their depth, and the constants that they name."""

from __future__ import annotations

import linecache
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_INDENT = " "


#: Greatest cost of all rules of one object in the fast form, which is that of one call. Beyond it the plans count.
LIMIT = 1_000_000
#: Errors that Python raises for source that is nested too deeply.
TOO_LARGE = (SyntaxError, RecursionError, MemoryError)


class DoubtError(Exception):
    """The fast form cannot decide: use the plan."""


class Writer:
    """Collects source. Names of variables and constants are its own, so that nothing of a schema becomes code.

    `constant_cost`: upper limit of the cost of the innermost open block, without the lines that add to `cost` as they
    run.
    """

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"DOUBT": DoubtError}
        self.lines: list[str] = []
        self.constant_cost = 0
        #: Held while writing, as functions may be compiled at their first call, in any thread.
        self.lock = threading.RLock()
        self._depth = 0
        self._count = 0
        self._known: dict[tuple[type, object], str] = {}

    def line(self, text: str) -> None:
        self.lines.append(_INDENT * self._depth + text)

    def spend(self, cost: str) -> None:
        """Writes lines that add to the cost, and give up where it is too high."""
        self.line(f"cost += {cost}")
        self.line(f"if cost > {LIMIT}: raise DOUBT")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Puts lines into a statement, such as `if x:`."""
        self.line(head)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collects lines apart, one level deeper; see `put`."""
        kept, self.lines = self.lines, []
        found = self.lines
        self._depth += 1
        try:
            yield found
        finally:
            self._depth -= 1
            self.lines = kept

    def put(self, lines: list[str]) -> None:
        """Appends lines that were collected apart at this depth."""
        self.lines += lines

    def fresh(self, prefix: str = "t") -> str:
        """Returns an unused name."""
        self._count += 1
        return f"{prefix}{self._count}"

    def variable(self, text: str) -> str:
        """Returns a variable with the value of an expression, which is evaluated here and once."""
        if text.isidentifier():
            return text
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def constant(self, value: Any) -> str:
        """Returns the name of a constant, the same one for the same object."""
        key = (type(value), value if isinstance(value, str) else id(value))
        if key not in self._known:
            self._known[key] = name = self.fresh("K")
            self.names[name] = value
        return self._known[key]

    def text(self, value: str) -> str:
        """Returns a text as a literal."""
        return repr(value) if value.isascii() and value.isprintable() else self.constant(value)

    def defined(self, name: str, title: str) -> Any:
        """Runs the collected lines, and returns what they define as `name`; the next lines begin anew.

        Tracebacks and debuggers show the source as a file called `title`.
        """
        source, self.lines = "\n".join(self.lines) + "\n", []
        file = f"<{title}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), self.names)  # noqa: S102 - the source is ours; see the class
        return self.names[name]
