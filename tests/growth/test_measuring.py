"""The measuring tells linear work from quadratic work, also where no Python code runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth.measuring import assert_linear


def _linear(size: int) -> Callable[[], object]:
    items = list(range(size))
    return lambda: [str(item) for item in items]


def _pairs(size: int) -> Callable[[], object]:
    items = [f"{number:08}" for number in range(size)]
    return lambda: [item for item in items if item in items]


def _slices(size: int) -> Callable[[], object]:
    text = "a" * size
    return lambda: [len(text[at:]) for at in range(0, size, 64)]


def test_linear_work_passes() -> None:
    assert_linear(_linear, 8_000)


@pytest.mark.parametrize(("work", "most"), [(_pairs, 400), (_slices, 50_000)])
def test_quadratic_work_fails(work: Callable[[int], Callable[[], object]], most: int) -> None:
    # A cache that grows cold on a busy machine makes the small size slower, so that less than 2 may be measured.
    with pytest.raises(AssertionError, match=r"the power (1\.[3-9]|2)"):
        assert_linear(work, most, tries=2)
