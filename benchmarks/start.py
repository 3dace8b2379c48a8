"""How long `validation-gen` takes to say little, beside Python that does nothing."""

from __future__ import annotations

import sys

from benchmarks.jobs import PROGRAM, Job, kept, parser, take_turns, tell
from benchmarks.results import Results


def jobs() -> list[Job]:
    """The first one is what the others are compared with."""
    return [
        Job("Python alone", [sys.executable, "-c", "pass"]),
        Job("`--version`", [*PROGRAM, "--version"]),
        Job("`--help`", [*PROGRAM, "--help"]),
        Job("`generate --help`", [*PROGRAM, "generate", "--help"]),
    ]


def run(rounds: int) -> Results:
    found = jobs()
    take_turns(found, rounds)
    return kept(found, found[0])


def main() -> None:
    options = parser(__doc__, 21).parse_args()
    tell("start", run(options.rounds), write=options.write)


if __name__ == "__main__":
    main()
