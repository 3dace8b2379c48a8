"""Writer of Python source: lines with their depth, the constants that they name, and the values of a translation."""

from __future__ import annotations

import linecache
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView, Reader, Shape
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.cel.values import EvaluationError

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
        """Returns the name of a constant. The same object always has the same name."""
        key = (type(value), value if isinstance(value, str) else id(value))
        if key not in self._known:
            self._known[key] = name = self.fresh("K")
            self.names[name] = value
        return self._known[key]

    def text(self, value: str) -> str:
        """Returns a text as a literal."""
        return repr(value) if value.isascii() and value.isprintable() else self.constant(value)

    def defined(self, name: str, title: str) -> Any:
        """Runs the collected lines, returns their definition of `name`, and starts a new list of lines.

        Tracebacks and debuggers show the source as a file called `title`.
        """
        source, self.lines = "\n".join(self.lines) + "\n", []
        file = f"<{title}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), self.names)  # noqa: S102 - the source is ours; see the class
        return self.names[name]


class UnsupportedError(Exception):
    """An expression has no fast form."""


@dataclass(frozen=True, slots=True)
class Value:
    """A Python expression with the known properties of its value.

    Attributes:
        text: the expression. It has no effects, so it may be repeated.
        type: the type that the checker has found.
        shape: for an object, a map or a list that is a part of the validated object, in its JSON form.
        element: for a list that an expression has made of such parts, the shape of the parts.
        most: the most characters of a text, or the greatest absolute value of an integer; None if there is no limit.
        constant: whether it is the same each time.
    """

    text: str
    type: Type
    shape: Shape | None = None
    element: Shape | None = None
    most: int | None = None
    constant: bool = False

    @property
    def kind(self) -> Kind:
        return self.type.kind


def of_shape(writer: Writer, text: str, shape: Shape, type: Type) -> Value:
    """Returns the form of a part of an object that its schema has validated, and that is not null."""
    if shape.direct:
        return Value(text, type, most=shape.most)
    if shape.is_object or shape.element is not None:
        return Value(text, type, shape)
    if shape.type == "number":
        return Value(f"float({text})", type)
    return Value(f"{writer.constant(_sound(shape.read))}({text})", type)


def make_item(writer: Writer, text: str, shape: Shape, type: Type) -> Value:
    """Returns the form of an item of a list, or a value of a map.

    Raises:
        UnsupportedError: it may be null, which is a value of its own there.
    """
    if shape.nullable:
        raise UnsupportedError("items that may be null")
    return of_shape(writer, text, shape, type)


def _sound(read: Reader) -> Reader:
    """Wraps a reader so that it raises for a value that does not fit the schema's type."""

    def sound(raw: Any) -> Any:
        value = read(raw)
        if isinstance(value, EvaluationError):
            raise value.with_traceback(None)  # an error that is raised again keeps all frames
        return value

    return sound


def is_plain(shape: Shape) -> bool:
    """Returns whether expressions use the JSON value unchanged."""
    return shape.direct and not shape.nullable


def general(writer: Writer, value: Value) -> str:
    """Returns the Python expression of the value in the form that functions take."""
    if value.shape is not None:
        return _view(writer, value.text, value.shape)
    if value.element is not None:
        item = writer.fresh("x")
        return f"[{_view(writer, item, value.element)} for {item} in {value.text}]"
    return value.text


def _view(writer: Writer, text: str, shape: Shape) -> str:
    view = writer.constant(ListView if shape.type == "array" else MapView)
    return f"{view}({text}, {writer.constant(shape)})"
