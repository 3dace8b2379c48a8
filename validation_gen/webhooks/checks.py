"""Declarations of users' functions that run beside the generated validators.

    @validates("Robot", group="example.com")
    async def check_dock(request, reader):
        dock = request.object["spec"].get("dock")
        if dock and await reader.get("example.com/v1", "Dock", request.namespace, dock) is None:
            return FieldError.not_found("spec.dock", dock)

    @mutates("Robot", group="example.com")
    def name_model(request):
        request.object["spec"].setdefault("model", "standard")

There is no global registry: a function has its declaration as an attribute, and the webhook receives the function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType, MethodType, ModuleType
from typing import Any, TypeVar

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.words import nearest
from validation_gen.types.naming import pluralize
from validation_gen.webhooks.reviews import OPERATIONS, WRITING, Request

_F = TypeVar("_F", bound=Callable[..., Any])
_MARK = "__validation_gen_checks__"
#: Timeout of a function in seconds.
TIMEOUT = 2.0
#: Greatest number of errors and warnings of one function.
MOST = 1000


class DeclarationError(ValueError):
    """An invalid declaration; the text has the reason."""


class DeniedError(Exception):
    """Raised by functions that refuse a request: with errors of fields, or with a text if no field is wrong."""

    def __init__(self, *reasons: FieldError | str) -> None:
        super().__init__("; ".join(map(str, reasons)))
        self.errors = [reason for reason in reasons if isinstance(reason, FieldError)]
        self.text = "; ".join(reason for reason in reasons if isinstance(reason, str))


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning from a function, which refuses nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Declared:
    """A function and the requests that it handles.

    Attributes:
        function: takes the request, and a reader if it has a parameter of that name.
        kind: the kind of the objects.
        group: their group; empty for any.
        version: their version; empty for any.
        operations: operations that it handles.
        subresource: the subresource of the requests; empty for the object itself.
        timeout: its timeout in seconds.
        fail_open: whether a request is allowed if the function fails.
        changes: whether it changes objects instead of checking them.
        name: the name of the function, for logs.
        is_async: whether it is called in the event loop.
        takes_reader: whether it has a parameter for one.
    """

    function: Callable[..., Any]
    kind: str
    group: str = ""
    version: str = ""
    operations: tuple[str, ...] = WRITING
    subresource: str = ""
    timeout: float = TIMEOUT
    fail_open: bool = False
    changes: bool = False
    name: str = field(init=False)
    is_async: bool = field(init=False)
    takes_reader: bool = field(init=False)

    def __post_init__(self) -> None:
        function = self.function
        called = function if inspect.isroutine(function) or isinstance(function, partial) else type(function).__call__
        is_async = inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)
        object.__setattr__(self, "is_async", is_async)
        object.__setattr__(self, "takes_reader", "reader" in inspect.signature(function).parameters)
        object.__setattr__(self, "name", str(getattr(function, "__qualname__", type(function).__name__)))

    def concerns(self, request: Request, plurals: Mapping[tuple[str, str], str] = MappingProxyType({})) -> bool:
        """Returns whether it handles a request. `plurals` maps irregular plural names, with their group, to kinds."""
        if request.operation not in self.operations or request.subresource != self.subresource:
            return False
        group, version, kind = request.about
        if (kind != self.kind or (self.group and group != self.group)) and self.subresource not in ("", "status"):
            # A scale is an object of another kind, like the objects of other subresources.
            group, version, plural = request.resource
            kind = plurals.get((group, plural)) or (self.kind if plural == pluralize(self.kind) else "")
        return kind == self.kind and self.group in ("", group) and self.version in ("", version)


def validates(
    kind: str,
    *,
    group: str = "",
    version: str = "",
    operations: Sequence[str] = WRITING,
    subresource: str = "",
    timeout: float = TIMEOUT,
    fail_open: bool = False,
) -> Callable[[_F], _F]:
    """Declares a function as a check of requests about a kind: `@validates("Robot", group="example.com")`.

    The function takes the `Request`, which it must not change, and a `reader` if it has a parameter of that name. It
    returns, yields or raises (by `DeniedError`) the errors: `FieldError`s; a `Warned` is shown and refuses nothing.

    Args:
        kind: the kind.
        group: its group; without one, that of any group.
        version: its version; without one, all of them. A server sends objects in the configured version.
        operations: of `CREATE`, `UPDATE`, `DELETE` and `CONNECT`.
        subresource: the subresource of the requests, such as `status`.
        timeout: its timeout in seconds.
        fail_open: whether a request is allowed if the function fails or takes longer; else it is refused.

    Raises:
        DeclarationError: it is invalid.
    """
    return _declaring(kind, group, version, operations, subresource, timeout, fail_open=fail_open, changes=False)


def mutates(
    kind: str,
    *,
    group: str = "",
    version: str = "",
    operations: Sequence[str] = WRITING,
    subresource: str = "",
    timeout: float = TIMEOUT,
    fail_open: bool = False,
) -> Callable[[_F], _F]:
    """Declares a function that changes objects of a kind before validation: `@mutates("Robot")`.

    It takes the `Request`, with a copy of the object that it may change, and a `reader` if it has a parameter of that
    name. It returns the changed object, or nothing if it has changed the copy. It must be idempotent. The arguments are
    those of `validates`; deleted objects cannot be changed.

    Raises:
        DeclarationError: it is invalid.
    """
    unsupported = [operation for operation in _several(operations) if operation not in WRITING]
    if unsupported:
        raise DeclarationError(
            f"{unsupported[0]!r:.80} has no object that could be changed; there are {' and '.join(WRITING)}"
        )
    return _declaring(kind, group, version, operations, subresource, timeout, fail_open=fail_open, changes=True)


def _declaring(
    kind: str,
    group: str,
    version: str,
    operations: Sequence[str],
    subresource: str,
    timeout: float,
    *,
    fail_open: bool,
    changes: bool,
) -> Callable[[_F], _F]:
    word = "mutates" if changes else "validates"
    for name, text in {"kind": kind, "group": group, "version": version, "subresource": subresource}.items():
        if not isinstance(text, str):
            raise DeclarationError(f'{word}: {name} is not a string; write {word}("Robot", group="example.com")')
    if not kind or "/" in kind or "." in kind:
        raise DeclarationError(f"{word}: {kind!r:.80} is not a kind; its group is an argument of its own")
    if "/" in group or "/" in subresource:
        raise DeclarationError(
            f"{word}: a group and a subresource have no slash; the version is an argument of its own"
        )
    several = _several(operations)
    for operation in several:
        if operation not in OPERATIONS:
            near = nearest(str(operation).upper(), OPERATIONS)
            suggestion = f"did you mean {near[0]}?" if near else f"there are {', '.join(OPERATIONS)}"
            raise DeclarationError(f"{word}: there is no operation {operation!r:.80}; {suggestion}")
    if not several:
        raise DeclarationError(f"{word}: there are no operations; name some of {', '.join(OPERATIONS)}")
    if not isinstance(timeout, int | float) or not 0 < timeout <= 30:
        raise DeclarationError(
            f"{word}: {timeout!r:.80} is not a number of seconds up to 30, which is the most that servers wait"
        )

    def declare(function: _F) -> _F:
        if not callable(function) or isinstance(function, type):
            raise DeclarationError(f"{word} is put above a function, and this is {function!r:.80}")
        found = Declared(function, kind, group, version, several, subresource, timeout, fail_open, changes)
        try:
            setattr(function, _MARK, (*getattr(function, _MARK, ()), found))
        except AttributeError:  # of a method, or of a builtin
            help = "write a function of your own that calls it"
            raise DeclarationError(f"{word} cannot be put above {function!r:.80}; {help}") from None
        return function

    return declare


def _several(operations: Sequence[str]) -> tuple[str, ...]:
    return (operations,) if isinstance(operations, str) else tuple(operations)


def find_declared(things: Iterable[object]) -> list[Declared]:
    """Returns the declarations of functions, and of all functions of modules, in their order.

    Raises:
        DeclarationError: one of them has none.
    """
    found: dict[int, Declared] = {}
    for thing in things:
        own = _own(thing)
        if not own:
            name = thing.__name__ if isinstance(thing, ModuleType) else f"{thing!r:.80}"
            raise DeclarationError(f"{name} declares nothing; put @validates(…) or @mutates(…) above a function")
        # The topmost declaration is the last one: decorators are applied from below.
        found.update((id(each), each) for each in own)
    return list(found.values())


def has_functions(module: ModuleType) -> bool:
    """Returns whether a module has declared functions."""
    return bool(_own(module))


def _own(thing: object) -> list[Declared]:
    several = list(vars(thing).values()) if isinstance(thing, ModuleType) else [thing]
    return [each for one in several if not isinstance(one, type) for each in _read_declarations(one)]


def _read_declarations(thing: object) -> tuple[Declared, ...]:
    found = getattr(thing, _MARK, ()) if callable(thing) else ()
    if not isinstance(found, tuple) or not all(isinstance(each, Declared) for each in found):
        return ()
    # A declaration in a class has the plain function; here it gets the bound method.
    return tuple(replace(each, function=thing) for each in found) if isinstance(thing, MethodType) else found
