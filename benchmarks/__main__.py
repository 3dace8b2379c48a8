"""The command line of the benchmarks.

`run` measures and writes, `check` compares, `report` writes the pages again, and `goals` prints all goals.

    python -m benchmarks run [--short] [--no-write]
    python -m benchmarks check [--margin 0.25]
    python -m benchmarks engine
    python -m benchmarks report
    python -m benchmarks goals

`make bench` and `make bench-check` run it in an environment with the rivals.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import tempfile
from pathlib import Path

from benchmarks import report
from benchmarks.compare import MARGIN, moves, rises
from benchmarks.goals import goals as all_goals
from benchmarks.results import Results, keep, known

REQUIREMENTS = Path(__file__).parent / "requirements.txt"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Our validators beside those of others.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="measure, and write results.json and the tables")
    run.add_argument("--short", action="store_true", help="fewer objects and repeats")
    run.add_argument("--no-write", action="store_true", help="print the tables and write nothing")
    check = commands.add_parser("check", help="measure shortly, and compare ratios with results.json")
    check.add_argument("--margin", type=float, default=MARGIN, help="how much a ratio may rise")
    commands.add_parser("engine", help="measure custom objects and rules alone, beside results that are there")
    commands.add_parser("report", help="write the tables from results.json")
    commands.add_parser("goals", help="print all goals, with the results that are there")
    options = parser.parse_args()
    if absent := _missing():
        # What has been measured can be reported without them.
        text = f"not installed: {', '.join(absent)}; to measure, run: pip install -r {REQUIREMENTS}"
        sys.stderr.write(f"{text}\n")
        if options.command not in ("report", "goals"):
            return 1
    if options.command == "run":
        return _run(options)
    results = known()
    if options.command == "goals":
        sys.stdout.write("".join(f"{line}\n" for line in report.goals(list(all_goals(results)), results)))
        return 0
    if options.command == "check":
        return _check(results, options.margin)
    if options.command == "engine":
        from benchmarks import engine, suite  # noqa: PLC0415 - needs what may be missing

        results["engine"] = engine.run(suite.FULL.lists)
        results["about"]["versions"] |= {"cel-expr-python": importlib.metadata.version("cel-expr-python")}
        keep(results)
    report.write(results)
    return 0


def _missing() -> list[str]:
    """The packages of others that are not installed."""
    found = []
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        try:
            if version:
                importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found.append(name)
    return found


def _measured(*, short: bool) -> Results:
    from benchmarks import suite  # noqa: PLC0415 - needs what may be missing

    with tempfile.TemporaryDirectory() as directory:
        return suite.run(Path(directory), suite.SHORT if short else suite.FULL)


def _run(options: argparse.Namespace) -> int:
    results = _measured(short=options.short)
    # What scripts of their own have measured stays.
    results["commands"] = known().get("commands", {}) | results["commands"]
    if options.no_write:
        for text in report.pages(results).values():
            sys.stdout.write("".join(text.partition("<!-- results -->\n")[1:]))
        return 0
    keep(results)
    report.write(results)
    return 0


def _check(old: Results, margin: float) -> int:
    found = _measured(short=True)
    write = sys.stdout.write
    slower = rises(old, found, margin)
    if slower:
        # Somebody else on the machine can spoil a whole run; what is really slower is so twice.
        write("Measuring again, as these have risen: " + "; ".join(move.title for move in slower) + "\n")
        again = _measured(short=True)
        confirmed = {move.title.partition(" by ")[0] for move in rises(old, again, margin)}
        slower = [move for move in slower if move.title.partition(" by ")[0] in confirmed]
    for move in sorted(moves(old, found), key=lambda move: -abs(move.change)):
        if abs(move.change) > margin / 2:
            write(f"{move.change:+7.0%}  {move.was:.3g} was, {move.now:.3g} is: {move.title}\n")
    for move in slower:
        write(f"slower by {move.change:.0%}, which is more than {margin:.0%}: {move.title}\n")
    write(f"{len(slower)} ratios have risen by more than {margin:.0%}.\n")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
