"""Requests for tests, about kinds that have only the schema that a test is about."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from tests.kubernetes.crd.schemas import definition
from validation_gen.kubernetes.crd.expressions import Rules
from validation_gen.kubernetes.objects import Outcome, Scheme, admission
from validation_gen.kubernetes.objects.fastpath import FastPath

Object = dict[str, Any]


def root(spec: Object, **more: Any) -> Object:
    """The schema of an object whose `spec` has a schema."""
    return {"type": "object", "properties": {"spec": spec, **more}}


def robot(spec: Any = None, **more: Any) -> Object:
    """An object of the kind that `definition` defines."""
    found = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "talos"}, **more}
    return found if spec is None else {**found, "spec": spec}


def scheme_of(schema: Object, **spec: Any) -> Scheme:
    """A scheme with one kind, whose objects have a schema."""
    scheme = Scheme()
    scheme.define(definition(schema, **spec))
    return scheme


def answer(schema: Object, new: Object, old: Object | None = None, **options: Any) -> Outcome:
    """What the server would answer."""
    return scheme_of(schema).admit(new, old, **options)


def texts(outcome: Outcome) -> list[str]:
    """What is wrong, in order."""
    return sorted([*map(str, outcome.errors), *outcome.problems])


def fast_paths(scheme: Scheme) -> list[FastPath]:
    """Returns the fast paths of all versions."""
    return [version.fast for kind in scheme.kinds.values() for version in kind.versions.values()]


def with_tables(scheme: Scheme) -> Scheme:
    """Makes the tables of all versions at once, if there is native code."""
    for fast in fast_paths(scheme):
        fast.make_table()
    return scheme


def without_fast_path(scheme: Scheme) -> Scheme:
    """Lets all objects take the exact path."""
    for fast in fast_paths(scheme):
        fast.disable()
    return scheme


class ExactPathError(Exception):
    """A request took a step of the exact path."""


def takes_fast_path(
    scheme: Scheme, new: Object, old: Object | None = None, *, is_pruned: bool = False, **options: Any
) -> bool:
    """Returns whether a request is accepted without a step of the exact path, apart from pruning if it `is_pruned`."""

    def fail(*_: Any, **__: Any) -> Any:
        raise ExactPathError

    with ExitStack() as stack:
        for name in ("structure_errors", "set_defaults", *(() if is_pruned else ("prune",))):
            stack.enter_context(patch.object(admission, name, fail))
        stack.enter_context(patch.object(Rules, "check", fail))
        try:
            return scheme.admit(new, old, **options).object is not None
        except ExactPathError:
            return False
