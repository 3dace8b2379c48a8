"""Every request of every case folder with the switch in both positions: with native code, and in pure Python.

`tests/test_cases.py` asks a validator too few times for it to have a table. Here it has one from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.case_folders import Case, WantedError, all_cases
from tests.native.twoways import all_of, needs_native
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.validator import Validator

pytestmark = needs_native

_CASES = [case for case in all_cases() if case.requests()]


def _validators(registry: Registry) -> list[Validator]:
    return [registry._validator(kind) for kind in registry.kinds]


@contextmanager
def _pure(registry: Registry) -> Iterator[None]:
    """As with `VALIDATION_GEN_PURE=1`."""
    kept = [(each, each._acceptance, each._look, each._look_at_change) for each in _validators(registry)]
    for each, _, _, _ in kept:
        each._acceptance = each._look = each._look_at_change = None
    try:
        yield
    finally:
        for each, acceptance, look, look_at_change in kept:
            each._acceptance, each._look, each._look_at_change = acceptance, look, look_at_change


def _prepare(registry: Registry) -> int:
    """Has all validators make their tables at once. Returns how many can."""
    able = [(each, each._acceptance) for each in _validators(registry) if each._acceptance is not None]
    for each, acceptance in able:
        each._left = 0
        each._prepare(acceptance)
    return len(able)


@pytest.mark.parametrize("case", _CASES, ids=[case.name for case in _CASES])
def test_requests(case: Case) -> None:
    registry = case.registry()
    _prepare(registry)
    for request in case.requests():
        native = request.run(registry)
        again = request.run(registry)  # by now native code may know what functions say of such an object
        with _pure(registry):
            python = request.run(registry)
        told = [all_of(error) for error in python]
        assert [all_of(error) for error in native] == told, request.name
        assert [all_of(error) for error in again] == told, request.name
        if not request.broken:
            assert [WantedError.of(error) for error in python] == list(request.errors), request.name


def test_most_kinds_have_tables() -> None:
    """Else both positions would be one."""
    able = sum(_prepare(case.registry()) for case in _CASES)
    assert able > 2 * len(_CASES)
