"""`python -m tests.mutants [--room ROOM] [--number N] [--seed SEED]`: draws mutants, runs tests, prints the rates."""

from __future__ import annotations

import argparse
import compileall
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutations import Mutation, mutations
from tests.mutants.rooms import ROOMS, ROOT

_COPIED = ("validation_gen", "tests", "testdata", "docs", "templates", "benchmarks", ".ci", "requirements")
#: Seconds after which a mutant counts as found: it does not end.
_PATIENCE = 900


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    room: str
    file: Path
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.mutation}"


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """Draw mutants of a room: modules by the number of changes that they allow, no place twice."""
    every = [
        Mutant(room, file, mutation)
        for file in ROOMS[room].modules()
        for mutation in mutations(file.read_text(encoding="utf-8"))
    ]
    return random.Random(f"{seed} {room}").sample(every, min(number, len(every)))


def copy(directory: Path) -> Path:
    """Copy the tree, with bytecode: what is not changed is not compiled again."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, directory / file.name)
    compileall.compile_dir(directory / "validation_gen", quiet=2)
    return directory


def survives(mutant: Mutant, tree: Path) -> bool:
    """Tell whether the tests of the room pass in a tree with the mutant, which is as before afterwards."""
    file = tree / mutant.file.relative_to(ROOT)
    text = file.read_text(encoding="utf-8")
    for kept in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        kept.unlink()
    file.write_text(mutant.mutation.apply(text), encoding="utf-8")
    environ = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-n0", "-p", "no:cacheprovider", "--basetemp", f"{tree}-temporary"]
    try:
        done = subprocess.run(
            [*command, *ROOMS[mutant.room].tests],
            cwd=tree,
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        file.write_text(text, encoding="utf-8")
    return done.returncode == 0


def judged(mutants: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool, float]]:
    """Yield each mutant with whether it survives and the seconds that this took."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory, ThreadPoolExecutor(jobs) as pool:
        trees: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for job in range(jobs):
            trees.put(copy(Path(directory, str(job))))

        def judge(mutant: Mutant) -> tuple[Mutant, bool, float]:
            tree, begun = trees.get(), time.monotonic()
            try:
                return mutant, survives(mutant, tree), time.monotonic() - begun
            finally:
                trees.put(tree)

        yield from pool.map(judge, mutants)


def main() -> int:
    """Print each mutant, then the rates. The exit code is 1 if less than 95 % were found in a room."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--room", action="append", choices=ROOMS, help="a room; repeatable, all by default")
    parser.add_argument("--number", type=int, default=10, help="how many mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    rooms = arguments.room or list(ROOMS)
    mutants = [each for room in rooms for each in drawn(room, arguments.number, arguments.seed)]
    alive: dict[str, list[Mutant]] = {room: [] for room in rooms}
    for mutant, survived, seconds in judged(mutants, arguments.jobs):
        print(f"{'SURVIVES' if survived else 'found   '} {seconds:5.0f} s  {mutant}", flush=True)  # noqa: T201
        if survived:
            alive[mutant.room].append(mutant)
    for room in rooms:
        number = sum(1 for each in mutants if each.room == room)
        print(f"{room}: {number - len(alive[room])} of {number} found")  # noqa: T201
    return int(any(len(each) > 0.05 * arguments.number for each in alive.values()))


if __name__ == "__main__":
    sys.exit(main())
