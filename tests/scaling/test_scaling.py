"""Twice as much in the sources takes about twice as long, whatever there is more of and whatever is made of it.

Processor time is taken stage by stage, for sources and for four times as much, in turn: who else works on the same core
makes both slower. A stage that looks worse is looked at again, alone, with larger sizes: what is constant counts less.
`VALIDATION_GEN_SCALE` makes all sizes larger.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import pytest

from tests.scaling.growth import Clock, growths
from tests.scaling.sources import SOURCES
from tests.scaling.stages import NEEDED, run, write

pytestmark = [
    pytest.mark.slow,  # every stage, for sources and for four times as much
    pytest.mark.usefixtures("small_heap"),  # garbage is collected before each stage
]

MOST = 1.3
TRIES = 3
SCALE = int(os.environ.get("VALIDATION_GEN_SCALE", "1"))


def prepare(directory: Path, name: str, size: int) -> Path:
    root = directory / f"{name} {size}"
    if not root.exists():
        write(root, SOURCES[name][0](size))
    return root


def measure(root: Path, monkeypatch: pytest.MonkeyPatch, wanted: Collection[str] = ()) -> dict[str, float]:
    """The times of stages: of all, unless some are wanted."""
    clock = Clock(wanted, NEEDED)
    with monkeypatch.context() as here:
        here.chdir(root)
        paths = tuple(sorted(path.name for path in root.iterdir() if path.is_dir() and path.name != "old"))
        assert not run(root, clock, paths).has_errors
    return clock.times


@pytest.mark.parametrize("name", SOURCES)
def test_time_grows_with_size(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smallest = SOURCES[name][1] * SCALE
    measure(prepare(tmp_path, name, 3), monkeypatch)  # what is done once is done now
    steep: dict[str, float] = {}
    for attempt in range(TRIES):
        few, many = smallest << attempt, smallest << attempt + 2
        found: dict[str, float] = {}
        for _ in range(1 + attempt):  # noise makes some of them look steep, growth all
            before, after = (measure(prepare(tmp_path, name, size), monkeypatch, steep) for size in (few, many))
            for stage, each in growths(few, many, before, after).items():
                found[stage] = min(each, found.get(stage, each))
        steep = {stage: round(each, 2) for stage, each in found.items() if each > MOST}
        if not steep:
            return
    pytest.fail(f"{name}: {steep}")


def test_exponents_are_told() -> None:
    assert growths(10, 40, {"a": 1.0, "b": 0.001}, {"a": 16.0, "b": 0.01}) == {"a": pytest.approx(2)}
    assert growths(10, 40, {"a": 1.0}, {"a": 4.0}) == {"a": pytest.approx(1)}
