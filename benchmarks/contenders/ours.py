"""Our validators: those of a package that `validation-gen generate` has written, prepared in one place."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.contenders.base import Contender
from benchmarks.objects import Subject


def prepared(package: Any, api_version: str, kind: str) -> Callable[..., list[Any]]:
    """The validator of one kind, found once: called with an object, or with an object and its old state."""
    registry = package.registry
    if hasattr(registry, "validator"):
        found: Callable[..., list[Any]] = registry.validator(api_version, kind)
        return found
    return functools.partial(_validate, registry.validate)


def _validate(validate: Callable[..., list[Any]], obj: Any, old: Any = None) -> list[Any]:
    return validate(obj, old)


def contenders(package: str, subject: Subject, key: str, title: str) -> list[Contender]:
    """The validators of an importable generated package, in the three ways to call them."""
    module = importlib.import_module(package)
    validator = prepared(module, subject.api_version, subject.kind)
    validate: Callable[..., list[Any]] = module.validate

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
        Contender(f"{key}-by-kind", f"{title}, `validate(obj)`", "all", by_kind, update_by_kind, ours=True),
        Contender(f"{key}-untold", f"{title}, errors not put into words", "all", validator, validator, ours=True),
    ]
