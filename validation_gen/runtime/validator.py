"""Validates decoded objects of one kind, by native code or by generated functions.

Generated functions look at types and rules in one pass, and leave at the first value that does not decode. This hardly
ever happens, as what arrives has been decoded for its type before. Where it does, types come first: everything that
does not decode is reported, and rules run on a repaired copy.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from validation_gen.runtime import native
from validation_gen.runtime.differences import begin, end
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.kind import Kind
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, filter_enforced
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.paths import nearest_above
from validation_gen.runtime.sent import OF_ALL, find_unknown_fields
from validation_gen.runtime.shape import Shape, shown_as_given
from validation_gen.runtime.structs import Struct, functions, holds_quoted
from validation_gen.runtime.wire import identical

if TYPE_CHECKING:
    from validation_gen.runtime.fastpath import FastPath
    from validation_gen.runtime.fastpath.nodes import Part
    from validation_gen.runtime.fastpath.table import Acceptor

_DUPLICATE = ErrorType.DUPLICATE
#: Number of objects of a kind after which its table is made, which takes longer than a few objects do.
_WARMUP = 32
#: Maximum number of sets of options whose requests are kept.
_MOST_REQUESTS = 64
_TOO_DEEP = "the object is nested too deeply"


class SchemaJudge(Protocol):
    """Schema of a kind, as generated modules have it."""

    def __call__(self, new: Any, old: Any, subresource: str, /) -> list[FieldError]: ...

    def unknown(self, obj: Any) -> list[str]: ...


class _Request:
    """An operation on a kind.

    Attributes:
        op: the operation that is passed to functions.
        locate: finds the part of an object with the errors; `None` without native code and during warm-up.
    """

    __slots__ = ("locate", "op")

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.locate: Callable[..., Any] | None = None


class Validator:
    """Validates objects of one kind: `validator(obj)`, or `validator(obj, old)` for an update.

    Attributes:
        kind: the kind of the objects.
        shape: the shape of its values.
        level: the lowest enforced level of rules where a request names none.
    """

    __slots__ = (
        "_create",
        "_fastpath",
        "_judge",
        "_quoted",
        "_requests",
        "_subresources",
        "_update",
        "_usual",
        "_warmup_left",
        "_without_options",
        "kind",
        "level",
        "shape",
    )

    def __init__(self, kind: Kind, package: str, level: Level = DEFAULT_LEVEL) -> None:
        module = importlib.import_module(kind.module, package)
        self.kind = kind
        self.level = level
        self.shape = _shape(module, kind)
        #: The class of values that need no closer look.
        self._usual = dict if isinstance(self.shape, Struct) and "/" in (kind.subresources or ()) else None
        #: True if values have to be taken out of strings before generated code can read them.
        self._quoted = holds_quoted(self.shape)
        self._subresources = kind.subresources or ()
        #: Function for the errors of the schema of the kind, which follow those of tags.
        self._judge: SchemaJudge | None = None
        if kind.schemas:
            self._judge = getattr(importlib.import_module(kind.schemas, package), f"judge_{kind.name}")
        #: Tables of native code; `None` where it is missing, or has none for this kind.
        self._fastpath: FastPath | None = None
        if native.accept is not None and isinstance(self.shape, Struct) and self._subresources and not self._quoted:
            from validation_gen.runtime.fastpath import FastPath  # noqa: PLC0415 - only native code needs it

            self._fastpath = FastPath(self.shape)
        self._warmup_left = _WARMUP
        #: Creates and updates without options, and those that have had options lately.
        self._without_options = _Request(Operation()), _Request(Operation(update=True))
        self._requests: dict[Hashable, _Request] = {}
        if self._subresources:
            self._create, self._update = functions(vars(module), kind.name)

    def __call__(
        self,
        obj: Any,
        old: Any = None,
        *,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        level: str | None = None,
    ) -> list[FieldError]:
        """Returns the enforced errors of an object, or of the update from `old` to it, in the order of evaluation.

        `options` are the feature switches of the request, `subresource` its path, `level` the lowest enforced level of
        rules. Nothing is raised for any decoded input.
        """
        update = old is not None
        request = self._request(options, update=update) if options else self._without_options[update]
        if self._fastpath is None or subresource not in self._subresources:
            located = None
        else:  # as `_locate`, whose call takes a twelfth of the time of a small object
            locate = request.locate or self._warm_up(request)
            located = None if locate is None else locate(obj, old) if update else locate(obj)
        if located is True and self._judge is None:
            return []
        validate = self._errors if self._judge is None else self._judged
        errors = validate(obj, old, request, subresource, located)
        hidden = self.level.hidden if level is None else Level(level).hidden
        return filter_enforced(errors, hidden) if errors else errors

    def run(
        self,
        obj: Any,
        old: Any = None,
        *,
        update: bool = False,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        types_first: bool = False,
        level: str | None = None,
        operation: Operation | None = None,
    ) -> list[FieldError]:
        """Does the same as a call, but allows an update without an old object.

        `types_first`: values may have invalid types in parts that generated code does not read, as all values are
        valid. `operation` traces the checks of traced code, and has the options and the kind of the request.
        """
        hidden = self.level.hidden if level is None else Level(level).hidden
        request = self._request(options, update=update) if operation is None else _Request(operation)
        old = old if request.op.update else None
        located = None if types_first else self._locate(obj, old, request, subresource)
        validate = self._errors if self._judge is None else self._judged
        return filter_enforced(validate(obj, old, request, subresource, located, types_first=types_first), hidden)

    @property
    def is_defined(self) -> bool:
        """Returns whether a definition declares the kind, so that only a schema describes its objects."""
        return self._judge is not None and not isinstance(self.shape, Struct)

    @property
    def has_metadata(self) -> bool:
        """Returns whether objects of the kind have metadata, as all of definitions and of types that declare it."""
        return self.is_defined or (isinstance(self.shape, Struct) and "metadata" in self.shape.members)

    def find_unknown_fields(self, obj: dict[str, Any]) -> list[str]:
        """Returns the paths of the fields that neither the type declares nor, of a definition, the schema."""
        if isinstance(self.shape, Struct):
            acceptor = self._acceptor(self._without_options[0].op)
            known = acceptor is not None and acceptor.knows(obj, OF_ALL)
            return [] if known else find_unknown_fields(self.shape, obj)
        return [] if self._judge is None else self._judge.unknown(obj)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _request(self, options: Mapping[str, bool] | None, *, update: bool) -> _Request:
        """Returns the request of an operation. Equal options share a cached request, unless they are unusual."""
        if not options:
            return self._without_options[update]
        try:
            found = self._requests.get(key := (update, *options.items()))
        except TypeError:  # a state that has no hash
            return _Request(Operation(options, update=update))
        if found is None:
            if not all(isinstance(name, str) for name in options):
                return _Request(Operation(options, update=update))
            if len(self._requests) >= _MOST_REQUESTS:
                self._requests.clear()
            found = self._requests[key] = _Request(Operation(options, update=update))
        return found

    def _acceptor(self, op: Operation) -> Acceptor | None:
        """Returns the table of an operation; `None` without native code or during warm-up."""
        return None if self._fastpath is None or self._warmup_left > 0 else self._fastpath.find_acceptor(op)

    def _warm_up(self, request: _Request) -> Callable[..., Any] | None:
        """Counts a request without a table; after warm-up, returns the function that finds the part with the errors."""
        acceptor = None if request.op.traces else self._acceptor(request.op)
        self._warmup_left -= self._warmup_left > 0
        request.locate = None if acceptor is None else acceptor.locate
        return request.locate

    # --- errors -------------------------------------------------------------------------------------------------------

    def _locate(self, obj: Any, old: Any, request: _Request, subresource: str) -> Any:
        """Returns true if native code finds a request valid, or the only part with errors; `None` if it is unsure."""
        if self._fastpath is None or subresource not in self._subresources:
            return None
        locate = request.locate or self._warm_up(request)
        return None if locate is None else locate(obj, old) if request.op.update else locate(obj)

    def _errors(
        self, obj: Any, old: Any, request: _Request, subresource: str, located: Any, *, types_first: bool = False
    ) -> list[FieldError]:
        """Returns the errors of tags of all levels: of the part that native code names, or else of the object."""
        if located is not None:
            errors = [] if located is True else _errors_of_part(located, request.op)
            if errors is not None:
                return errors
        if subresource in self._subresources and not (types_first or self._quoted):
            try:
                return self._by_functions(obj, old, request.op) or []
            except Exception:  # noqa: S110 - rules may trip over what does not decode; else they will again
                pass
        return self._types_first(obj, old, request.op, subresource)

    def _by_functions(self, obj: Any, old: Any, op: Operation) -> list[FieldError] | None:
        """Returns the errors of generated code.

        Raises:
            WrongTypeError: something does not decode.
        """
        if obj.__class__ is not self._usual:
            obj = self._go_value(obj)
        if not op.update:
            return self._create(obj, op)
        if old is not None and old.__class__ is not self._usual:
            old = self._go_value(old)
        me = begin()
        try:
            return self._update(obj, old, op)
        finally:
            end(me)

    def _judged(
        self, obj: Any, old: Any, request: _Request, subresource: str, located: Any, *, types_first: bool = False
    ) -> list[FieldError]:
        """Returns the errors of tags, and then those of the schema: for equal errors of a value, the tag's is kept.

        A tag that is not enforced at every level leaves the error of the schema to `filter_enforced`. The schema judges
        types, too. Where no tag counts, it alone does, unless JSON cannot represent a value.
        """
        assert self._judge is not None
        errors: list[FieldError] = []
        if self._subresources or types_first:
            errors = self._errors(obj, old, request, subresource, located, types_first=types_first)
        if types_first and errors:
            return errors
        obj, old = as_json(self.shape, obj), as_json(self.shape, old) if request.op.update else None
        try:
            found = self._judge(obj, old, subresource)
        except RecursionError:
            found = [FieldError(ErrorType.INTERNAL, {}, _TOO_DEEP)]
        of_tags = {(error.type, error.place) for error in errors if not error.level}
        for error in found:
            error.marks |= {Mark.SCHEMA}
        return errors + [error for error in found if (error.type, error.place) not in of_tags]

    def _go_value(self, obj: Any) -> Any:
        """Returns the JSON value of an instance of a class; an absent value stays absent."""
        if obj is None:
            return {} if isinstance(self.shape, Struct) else None
        return self.shape.decoded(as_json(self.shape, obj))

    def _types_first(self, obj: Any, old: Any, op: Operation, subresource: str) -> list[FieldError]:
        """Returns the type errors, then the errors of rules about a copy with stand-ins for undecodable values."""
        try:
            return self._both(obj, old, op, subresource)
        except RecursionError:
            return [FieldError(ErrorType.INTERNAL, {}, _TOO_DEEP)]

    def _both(self, obj: Any, old: Any, op: Operation, subresource: str) -> list[FieldError]:
        shape, kind = self.shape, self.kind
        op.restart()
        obj, old = as_json(shape, obj), as_json(shape, old)
        obj, wrong = shape.recover(obj) or (obj, [])
        old, known = shape.recover(old) or (old, [])
        errors = _changed(wrong, known)
        if kind.subresources is None:
            return errors
        if subresource not in kind.subresources:
            detail = f"no validation found for {kind.go_type}, subresource: {subresource}"
            return [*errors, FieldError(ErrorType.INTERNAL, {}, detail)]
        found = self._by_functions(obj, old, op) or []
        return errors + shown_as_given(_told(found, wrong), wrong) if wrong else found


def _errors_of_part(found: tuple[Part, Any, Any, list[str]], op: Operation) -> list[FieldError] | None:
    """Returns the errors of an object whose errors are all in one part; `None` if the part does not decode."""
    part, value, old, path = found
    try:
        errors = part.errors(value, old, op)
    except Exception:
        return None
    for error in errors:
        error.segments += path
    return errors


def _shape(module: ModuleType, kind: Kind) -> Shape:
    shape: Shape = getattr(module, f"{kind.name}Shape", None) or module.SHAPES[kind.name]
    return shape


def as_json(shape: Shape, obj: Any) -> Any:
    """Returns an instance of a class as JSON. Decoded JSON is returned unchanged."""
    return obj if obj is None or isinstance(obj, dict | list | str) else shape.plain(obj)


def _changed(wrong: list[FieldError], known: list[FieldError]) -> list[FieldError]:
    """Returns the errors that the old object did not have at the same place, as unchanged values pass."""
    if not known:
        return wrong
    before = {error.place: error.bad_value for error in known}
    return [e for e in wrong if not ((place := e.place) in before and identical(e.bad_value, before[place]))]


def _told(found: list[FieldError], wrong: list[FieldError]) -> list[FieldError]:
    """Returns the errors of rules that are not at or below a value of the wrong type.

    A duplicate is dropped, too, if keys of the items cannot be read.
    """
    places = {error.place for error in wrong}
    if "<nil>" in places:
        return []
    at = [error.place for error in found]
    above = nearest_above(at, places)
    unreadable = _leading_to(places, [p for error, p in zip(found, at, strict=True) if error.type is _DUPLICATE])
    return [
        error
        for error, place in zip(found, at, strict=True)
        if not (place in places or place in above or (error.type is _DUPLICATE and place in unreadable))
    ]


def _leading_to(places: set[str], parents: list[str]) -> set[str]:
    """Returns the paths among `parents` that are above one of the places."""
    if not parents:
        return set()
    above = nearest_above(places, parents)
    found: set[str] = set()
    for place in places:
        parent = above.get(place)
        while parent is not None and parent not in found:
            found.add(parent)
            parent = above.get(parent)
    return found
