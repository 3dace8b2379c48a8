"""The declarative side: finds its validators, and calls them so that no failure escapes.

Source of the behaviour: tag reference 5.3. Kubernetes calls a failure of a validator a panic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.words import nearest

#: Declarative validation: object, old object, whether it is an update, options, subresource.
Declarative = Callable[[Any, Any, bool, Mapping[str, bool], str], Sequence[FieldError]]

#: Asks a side again: whether for an update, and with which validation options.
Ask = Callable[[bool, Mapping[str, bool]], Sequence[FieldError]]

#: Contained exceptions. Interruptions by a user or the event loop are no failures of a validator.
FAILURES = (Exception, SystemExit)


def of_registry(registry: Registry, type: str) -> tuple[Kind, Declarative]:
    """A kind of a generated package, and its validator.

    Raises:
        ValueError: the package has no such type, or several.
    """
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) != 1:
        names = ", ".join(f"{kind.package}.{kind.name}" for kind in found)
        near = nearest(name, [kind.name for kind in registry.kinds])
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"{type} could be any of {names}" if found else f"there is no type {type}{hint}")
    return found[0], of_kind(registry, found[0])


def of_kind(registry: Registry, kind: Kind) -> Declarative:
    """The validator of a kind of a generated package. It returns the errors of all levels, as they are compared."""

    def declarative(
        obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
    ) -> Sequence[FieldError]:
        return registry.run(kind, obj, old, update=update, options=options, subresource=subresource, level=Level.ALPHA)

    return declarative


def ask(
    declarative: Declarative, obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
) -> tuple[Sequence[FieldError], BaseException | None]:
    """Returns the declarative errors, and the exception of the validator.

    After a failure a marked error describes it. Errors beside it are those of other rules.
    """
    try:
        errors = declarative(obj, old, update, options, subresource)
        for error in errors:
            if Mark.PANIC in error.marks:
                return errors, RuntimeError(error.detail)
    except FAILURES as failure:
        text = f"panic during declarative validation: {said(failure)}"
        return [FieldError.internal(None, text).marked(Mark.PANIC)], failure
    return errors, None


def remembered(ask: Ask) -> Ask:
    """Asks a side once for each question: all mismatches of one request are explained by the same answers."""
    known: dict[tuple[bool, frozenset[tuple[str, bool]]], Sequence[FieldError]] = {}

    def again(update: bool, options: Mapping[str, bool]) -> Sequence[FieldError]:
        key = update, frozenset(options.items())
        if key not in known:
            known[key] = ask(update, options)
        return known[key]

    return again


def said(failure: BaseException) -> str:
    """Returns the text of an exception, its class if it has none."""
    try:
        return str(failure) or type(failure).__name__
    except Exception:  # user code may make the text
        return type(failure).__name__
