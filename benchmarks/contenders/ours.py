"""Our validators: those of a package that `validation-gen generate` has written, prepared in one place."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.contenders.base import Contender
from benchmarks.objects import Subject
from benchmarks.results import PURE
from validation_gen.runtime import native


def prepared(package: Any, api_version: str, kind: str) -> Callable[..., list[Any]]:
    """The validator of one kind, found once: called with an object, or with an object and its old state."""
    registry = package.registry
    with _without_native(getattr(package, "__name__", "") == PURE):
        found: Callable[..., list[Any]] = registry.validator(api_version, kind)
    return found


def for_subject(package: Any, subject: Subject) -> Callable[..., list[Any]]:
    """The same for a subject, with the options of its requests."""
    return _with_options(prepared(package, subject.api_version, subject.kind), subject)


def _with_options(function: Callable[..., list[Any]], subject: Subject) -> Callable[..., list[Any]]:
    return functools.partial(function, options=subject.options) if subject.options else function


@contextlib.contextmanager
def _without_native(pure: bool) -> Iterator[None]:
    """Validators that are made meanwhile run in pure Python. A registry keeps those that it has made."""
    kept = native.accept
    native.accept = None if pure else kept
    try:
        yield
    finally:
        native.accept = kept


def contenders(package: str, subject: Subject, key: str, title: str) -> list[Contender]:
    """The validators of an importable generated package, in the three ways to call them."""
    module = importlib.import_module(package)
    validator = for_subject(module, subject)
    # Metadata is judged by the rules that others have, too.
    validate = functools.partial(_with_options(module.validate, subject), raw=True)

    def check(obj: Any) -> list[str]:
        return [str(error) for error in validator(obj)]

    def update(obj: Any, old: Any) -> list[str]:
        return [str(error) for error in validator(obj, old)]

    def by_kind(obj: Any) -> list[str]:
        return [str(error) for error in validate(obj)]

    def update_by_kind(obj: Any, old: Any) -> list[str]:
        return [str(error) for error in validate(obj, old)]

    return [
        Contender(key, title, "all", check, update, ours=True),
        Contender(f"{key}-by-kind", f"{title}, `validate(obj, raw=True)`", "all", by_kind, update_by_kind, ours=True),
        Contender(f"{key}-untold", f"{title}, errors not put into words", "all", validator, validator, ours=True),
    ]
