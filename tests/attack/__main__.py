"""Makes many tries of each attack, and prints a table: `python -m tests.attack [--seed 1] [--only sources]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.attack.attacks import ATTACKS
from tests.attack.yard import Yard


def main() -> int:
    """Runs the attacks that are asked for. Returns 1 if one got through."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="draw the same tries again")
    parser.add_argument("--only", action="append", choices=[attack.name for attack in ATTACKS], help="repeatable")
    parser.add_argument("--share", type=float, default=1.0, help="the part of all tries to make")
    given = parser.parse_args()
    print("| attack | what is done | tries | seed | got through | processor time |\n|---|---|---|---|---|---|")  # noqa: T201
    through = []
    with tempfile.TemporaryDirectory(prefix="attack-") as directory:
        for attack in ATTACKS:
            if given.only and attack.name not in given.only:
                continue
            tries = max(1, round(attack.many * given.share))
            start = time.process_time()
            faults = attack.run(Yard(Path(directory) / attack.name), given.seed, tries)
            seconds = time.process_time() - start
            cells = (attack.name, attack.summary, f"{tries:,}", given.seed, len(faults), f"{seconds:.0f} s")
            print(f"| {' | '.join(map(str, cells))} |", flush=True)  # noqa: T201
            through += [f"{attack.name}: {fault}" for fault in faults]
    for fault in through:
        print(f"\n{fault}", file=sys.stderr)  # noqa: T201
    return int(bool(through))


if __name__ == "__main__":
    sys.exit(main())
