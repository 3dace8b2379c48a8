"""Attributes: variables and values with the chain of fields and indices after them, looked up and charged as one.

Source of the behaviour: `interpreter/attributes.go` of cel-go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView
from validation_gen.kubernetes.cel.entries import INDICES, no_index
from validation_gen.kubernetes.cel.equality import NO_OVERLOAD, find
from validation_gen.kubernetes.cel.operations import shown, type_name
from validation_gen.kubernetes.cel.running import Run, Step
from validation_gen.kubernetes.cel.values import (
    ABSENT,
    EvaluationError,
    Optional,
    Uint,
)


@dataclass(slots=True, eq=False)
class Qualifier:
    """One step of an attribute: a constant key, or a computed one."""

    key: Any = None
    worked_out: Step | None = None
    optional: bool = False
    test_only: bool = False

    def of(self, run: Run, value: Any, optional: bool) -> tuple[Any, bool]:
        """Returns the value that the step selects, and whether it is there.

        Only an optional or a tested one may be missing.

        An optional step that fails costs nothing, unless it has found an item that does not fit its schema.
        """
        key = self.key if self.worked_out is None else self.worked_out(run)
        if isinstance(key, EvaluationError):
            if not optional:
                run.charge(1)
            return key, True
        found, present = _qualified(value, key)
        failed = isinstance(found, EvaluationError) and not isinstance(value, list | ListView)
        if not optional or (present and not failed):
            run.charge(1)
        if isinstance(found, EvaluationError):
            return found, True
        if self.test_only and not optional:
            return present, True
        if not present and not optional:
            return _missing(value, key), True
        return found, present


@dataclass(slots=True, eq=False)
class Attribute:
    """A variable or a value, and the fields selected from it. A ternary has two alternatives in `ways`."""

    root: Step
    qualifiers: list[Qualifier] = field(default_factory=list)
    ways: tuple[Attribute, Attribute] | None = None
    test_only: bool = False

    def add(self, qualifier: Qualifier) -> None:
        if self.ways is None:
            self.qualifiers.append(qualifier)
        else:
            for way in self.ways:
                way.add(qualifier)

    def resolve(self, run: Run) -> Any:
        value = self.root(run)
        if self.ways is not None:
            if value is True:
                return self.ways[0].resolve(run)
            if value is False:
                return self.ways[1].resolve(run)
            return value if isinstance(value, EvaluationError) else NO_OVERLOAD
        if isinstance(value, EvaluationError):
            return value
        optional = False
        if type(value) is Optional:
            if not value.present:
                return value
            optional, value = True, _native(value.value)
        for qualifier in self.qualifiers:
            optional = optional or qualifier.optional
            value, present = qualifier.of(run, value, optional)
            if isinstance(value, EvaluationError):
                return value
            if not present:
                return ABSENT
        return Optional(True, value) if optional else value

    def step(self) -> Step:
        resolve = self.resolve
        if self.ways is not None:
            return resolve
        if self.test_only:
            return lambda run: _tested(resolve(run))

        def observed(run: Run) -> Any:
            value = resolve(run)
            run.charge(1)
            return value

        return observed


def _native(value: Any) -> Any:
    """Returns the content of an optional without its schema: servers up to 1.36 lose the schema here."""
    if isinstance(value, MapView | ListView):
        return value.raw
    if isinstance(value, EvaluationError):
        return EvaluationError(f"unsupported conversion to ref.Val: (*errors.errorString){value.message}")
    return value


def _tested(value: Any) -> Any:
    return value.present if type(value) is Optional else value


def _qualified(value: Any, key: Any) -> tuple[Any, bool]:
    """Returns the part of a value that a key names, and whether it is there."""
    if type(key) not in INDICES:
        return no_index(key), True
    if isinstance(value, Mapping):
        return find(value, key)
    if isinstance(value, EvaluationError):
        return value, True
    if isinstance(value, list | ListView):
        kind = type(key)
        if kind is float and key.is_integer():
            key = int(key)
        elif kind is not int and kind is not Uint:
            return EvaluationError(f"unsupported index type '{type_name(key)}' in list"), True
        return (value[key], True) if 0 <= key < len(value) else (None, False)
    return None, False


def _missing(value: Any, key: Any) -> EvaluationError:
    kind = "index out of bounds" if isinstance(value, list | ListView) else "no such key"
    return EvaluationError(f"{kind}: {shown(key)}")
