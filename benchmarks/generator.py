"""How fast `validation-gen` generates, and with how much memory: a first run, one with nothing changed, and `--check`.

    python -m benchmarks.generator [DIR] [--upstream PROGRAM] [--rounds N] [--write]

DIR holds Go packages, by default those that VALIDATION_GEN_API names (a clone of k8s.io/api). Every run is a process of
its own, and all take turns, so that a busy moment of the machine meets all of them.

PROGRAM is Kubernetes' own validation-gen, built from k8s.io/code-generator. With it ours are compared; it needs `go` on
the PATH, and a DIR whose go.mod finds what it requires. It runs on a copy, as it writes beside sources.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from benchmarks.jobs import PROGRAM, Job, directory, kept, parser, take_turns, tell

#: What types of k8s.io/api refer to and no validators are made for: upstream stops at a package that it does not know.
READ_ONLY = (
    *(
        "k8s.io/apimachinery/pkg/apis/meta/v1",
        "k8s.io/apimachinery/pkg/api/resource",
        "k8s.io/apimachinery/pkg/runtime",
    ),
    *("k8s.io/apimachinery/pkg/types", "k8s.io/apimachinery/pkg/util/intstr", "time"),
)


_KNOWN = [word for package in READ_ONLY for word in ("--readonly-pkg", package)]


def ours(sources: Path, place: Path) -> list[Job]:
    cache, output = place / "cache", place / "output"
    generate = [*PROGRAM, "generate", str(sources), "--output-dir", str(output), "--cache-dir", str(cache)]

    def forget() -> None:
        for made in (cache, output):
            shutil.rmtree(made, ignore_errors=True)

    return [
        Job("first run", generate, forget),
        Job("nothing changed", generate),  # a first run stands before it
        Job("`--check`", [*generate, "--check"]),
        Job("`--no-cache`", [*generate, "--no-cache"]),
        # Upstream takes only packages that say so, of which there are few; we take all that have rules.
        Job("first run, upstream's packages", [*generate, "--require-directive", *_KNOWN], forget),
    ]


def upstream(program: Path, sources: Path, place: Path) -> Job:
    copy = place / "copy"
    shutil.copytree(sources, copy, ignore=shutil.ignore_patterns(".git"))
    command = [str(program), *_KNOWN, "--output-file", "zz_generated.validations.go", "./..."]
    return Job("upstream", command, directory=str(copy))


def main() -> None:
    options = parser(__doc__, 5)
    options.add_argument("directory", nargs="?", type=directory, default=os.environ.get("VALIDATION_GEN_API"))
    options.add_argument("--upstream", type=Path, metavar="PROGRAM")
    given = options.parse_args()
    if not given.directory:
        options.error("name a directory, or set VALIDATION_GEN_API")
    with tempfile.TemporaryDirectory() as place:
        jobs = ours(given.directory, Path(place))
        by = jobs[0]
        if given.upstream:
            by = upstream(given.upstream.resolve(), given.directory, Path(place))
            jobs.append(by)
        take_turns(jobs, given.rounds)
        tell("generator", kept(jobs, by), write=given.write)


if __name__ == "__main__":
    main()
