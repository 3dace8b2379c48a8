"""Answers do not depend on earlier requests: each is judged alone, in several orders and after many others.

`tests/test_cases.py` asks the same of the requests of case folders.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.case_folders import all_cases
from tests.native.twoways import Ask, check_orders, fresh, needs_native
from tests.test_drawn_packages import KINDS, OPTIONS, drawn_objects, drawn_validators


@pytest.mark.parametrize("seed", range(8))
def test_requests_of_a_drawn_package(seed: int, tmp_path: Any) -> None:
    rng = random.Random(seed)
    drawn = drawn_validators(rng, tmp_path)

    def ask(obj: Any, old: Any, options: dict[str, bool], name: str) -> Ask:
        (kind,) = drawn.registry.of_type(name, "")
        return lambda registry: registry.run(kind, obj, old, update=old is not None, options=options)

    asks = []
    for _ in range(60):
        kind, options = rng.choice(KINDS), rng.choice(OPTIONS)
        obj, old = drawn_objects(drawn, kind, rng)
        asks += [ask(obj, before, options, kind) for before in (None, old)]
    check_orders(drawn.registry, asks)


@needs_native
def test_most_kinds_have_tables() -> None:
    """Otherwise native code and pure Python would be the same."""
    registries = [fresh(case.registry(), warm=True) for case in all_cases() if case.requests()]
    able = sum(each._validator(kind)._fast_create is not None for each in registries for kind in each.kinds)
    assert able > 2 * len(registries)
