"""Twice as much in the sources takes about twice as long, whatever there is more of and whatever is made of it.

Processor time is fitted over doublings, stage by stage. A stage that looks worse is looked at again with larger sizes,
where what is constant and what the machine does beside count less. `VALIDATION_GEN_SCALE` makes all sizes larger.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.scaling.growth import Clock, exponent, growths
from tests.scaling.sources import SOURCES
from tests.scaling.stages import run, write

MOST = 1.3
DOUBLINGS = 2
TRIES = 3
SCALE = int(os.environ.get("VALIDATION_GEN_SCALE", "1"))


def measure(directory: Path, name: str, size: int, repeats: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The times of all stages for sources of one size."""
    build, _ = SOURCES[name]
    root = directory / f"{name} {size}"
    files = build(size)
    write(root, files)
    clock = Clock()
    with monkeypatch.context() as here:
        here.chdir(root)
        paths = tuple(sorted({file.split("/")[0] for file in files}))
        for _ in range(repeats):
            assert not run(root, clock, paths).has_errors
    return clock.best


@pytest.mark.parametrize("name", SOURCES)
def test_time_grows_with_size(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smallest = SOURCES[name][1] * SCALE
    measure(tmp_path, name, 3, 1, monkeypatch)  # what is done once is done now
    times: dict[int, dict[str, float]] = {}
    for attempt in range(TRIES):
        first = smallest << attempt
        for size in (first << doubling for doubling in range(DOUBLINGS + 1)):
            if size not in times:
                times[size] = measure(tmp_path, name, size, 1 + attempt, monkeypatch)
        found = growths({size: times[size] for size in sorted(times)[-DOUBLINGS - 1 :]})
        steep = {stage: round(each, 2) for stage, each in found.items() if each > MOST}
        if not steep:
            return
    pytest.fail(f"{name}: {steep}\n{times}")


def test_exponents_are_told() -> None:
    sizes = [10, 20, 40, 80]
    assert exponent(sizes, [3.0 * size for size in sizes]) == pytest.approx(1)
    assert exponent(sizes, [0.1 * size**2 for size in sizes]) == pytest.approx(2)
    assert growths({10: {"a": 1.0, "b": 0.001}, 20: {"a": 4.0, "b": 0.01}}) == {"a": pytest.approx(2)}
