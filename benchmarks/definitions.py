"""How fast `validation-gen crd lint` is with many definitions, beside the API server's code and reading them alone.

    python -m benchmarks.definitions [DIR] [--server PROGRAM] [--jobs N …] [--rounds N] [--write]

DIR holds definitions in YAML, by default those that VALIDATION_GEN_CRDS names. PROGRAM is called with DIR and judges
them with the code of k8s.io/apiextensions-apiserver; it runs on one thread, and on as many as there are cores.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.jobs import PROGRAM, Job, directory, kept, parser, take_turns, tell
from benchmarks.manifests import processes, reading

#: With 1 something is wrong with a definition, which is so among many.
_CODES = (0, 1)


def ours(folder: Path, number: int) -> Job:
    command = [*PROGRAM, "crd", "lint", str(folder), "--jobs", str(number)]
    return Job(f"`crd lint`, {processes(number)}", command, codes=_CODES)


def server(program: Path, folder: Path) -> list[Job]:
    command = [str(program), str(folder)]
    return [
        Job("the API server's code", command, environment={"GOMAXPROCS": "1"}, codes=_CODES),
        Job("the same, all cores", command, codes=_CODES),
    ]


def main() -> None:
    options = parser(__doc__, 3)
    options.add_argument("directory", nargs="?", type=directory, default=os.environ.get("VALIDATION_GEN_CRDS"))
    options.add_argument("--server", type=Path, metavar="PROGRAM")
    options.add_argument("--jobs", type=int, nargs="*", default=sorted({1, os.cpu_count() or 1}), metavar="N")
    given = options.parse_args()
    if not given.directory:
        options.error("name a directory, or set VALIDATION_GEN_CRDS")
    jobs = [ours(given.directory, number) for number in given.jobs]
    others = server(given.server.resolve(), given.directory) if given.server else []
    alone = reading(given.directory)
    by = others[0] if others else alone
    take_turns([*jobs, *others, alone], given.rounds, warm=False)
    tell("definitions", kept([*jobs, *others, alone], by), write=given.write)


if __name__ == "__main__":
    main()
