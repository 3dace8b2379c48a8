"""Answers do not depend on earlier requests: each request is judged alone, in several orders and after many others.

The whole answer is compared, with the order of its errors: of native code and of pure Python, before warm-up and after.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.case_folders import Case, WantedError, all_cases
from tests.native.twoways import all_of, needs_native
from tests.test_drawn_packages import KINDS, OPTIONS, drawn_objects, drawn_validators
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

_CASES = [case for case in all_cases() if case.requests()]

#: Judges a request by a registry.
_Ask = Callable[[Registry], list[FieldError]]
_Answer = list[tuple[Any, ...]]


def _fresh(registry: Registry, *, pure: bool = False, warm: bool = False) -> Registry:
    """A registry of the same kinds whose validators have judged nothing.

    Args:
        pure: without native code, as with `VALIDATION_GEN_PURE=1`.
        warm: with tables from the first request on.
    """
    found = Registry(registry.package, registry.kinds)
    for kind in found.kinds if pure or warm else ():
        validator = found._validator(kind)
        validator._warmup_left = 0
        if pure:
            validator._acceptance = None
        elif validator._acceptance is not None:
            validator._prepare(validator._acceptance)
    return found


def _answer(ask: _Ask, registry: Registry) -> _Answer:
    return [all_of(error) for error in ask(registry)]


def _check_orders(registry: Registry, asks: Sequence[_Ask]) -> None:
    """Compares the answer to each request alone with its answers in three orders and after many others."""
    alone = [_answer(ask, _fresh(registry)) for ask in asks]
    places = list(range(len(asks)))
    shuffled = random.Random(1).sample(places, len(places))
    for pure in (False, True):
        for order in (places, places[::-1], shuffled):
            cold, warm = _fresh(registry, pure=pure), _fresh(registry, pure=pure, warm=True)
            for i in order:
                assert _answer(asks[i], cold) == alone[i], i
                assert _answer(asks[i], warm) == alone[i], i
        for _ in range(max(1, 128 // len(asks))):
            for i in shuffled:
                asks[i](warm)
        for i in places:
            assert _answer(asks[i], warm) == alone[i], i


@pytest.mark.parametrize("case", _CASES, ids=[case.name for case in _CASES])
def test_requests_of_a_case(case: Case) -> None:
    requests = case.requests()
    _check_orders(case.registry(), [request.run for request in requests])
    for request in requests:
        if not request.broken:
            found = request.run(_fresh(case.registry(), warm=True))
            assert [WantedError.of(error) for error in found] == list(request.errors), request.name


@pytest.mark.parametrize("seed", range(8))
def test_requests_of_a_drawn_package(seed: int, tmp_path: Any) -> None:
    rng = random.Random(seed)
    drawn = drawn_validators(rng, tmp_path)

    def ask(obj: Any, old: Any, options: dict[str, bool], name: str) -> _Ask:
        (kind,) = drawn.registry.of_type(name, "")
        return lambda registry: registry.run(kind, obj, old, update=old is not None, options=options)

    asks = []
    for _ in range(60):
        kind, options = rng.choice(KINDS), rng.choice(OPTIONS)
        obj, old = drawn_objects(drawn, kind, rng)
        asks += [ask(obj, before, options, kind) for before in (None, old)]
    _check_orders(drawn.registry, asks)


@needs_native
def test_most_kinds_have_tables() -> None:
    """Otherwise native code and pure Python would be the same."""
    registries = [_fresh(case.registry(), warm=True) for case in _CASES]
    able = sum(each._validator(kind)._fast_create is not None for each in registries for kind in each.kinds)
    assert able > 2 * len(_CASES)
