"""Requests for tests, about kinds that have only the schema that a test is about."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.crd.schemas import definition
from validation_gen.kubernetes.objects import Outcome, Scheme

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
