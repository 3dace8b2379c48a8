"""How fast `validation-gen validate` judges many manifests, with one process and with more, beside reading them alone.

    python -m benchmarks.manifests [-f N] [--jobs N …] [--folder DIR] [--rounds N] [--write]

Of four manifests one is the Deployment of the other benchmarks, and three are small objects of another kind; each has a
name of its own. They are YAML in files of a thousand. What reads alone is PyYAML's loader in C.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from benchmarks.jobs import PROGRAM, Job, directory, kept, parser, take_turns, tell
from benchmarks.objects import brew, deployment

APIS = Path(__file__).parent / "apis"
_IN_FILE = 1_000
#: PyYAML takes a lone `=` for a value of a kind that its safe loader cannot make.
_READ = """
import pathlib, sys, yaml
class Loader(yaml.CSafeLoader):
    pass
Loader.add_constructor("tag:yaml.org,2002:value", Loader.construct_yaml_str)
for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.yaml")):
    for document in yaml.load_all(file.read_bytes(), Loader):
        pass
"""


def reading(folder: Path) -> Job:
    """Reads all documents below a directory and does nothing with them."""
    return Job("reading alone", [sys.executable, "-c", _READ, str(folder)])


def manifests(count: int) -> Iterator[str]:
    """So many documents, each with a name of its own."""
    texts = []
    for make in (deployment, brew, brew, brew):
        obj = make()
        obj["metadata"]["name"] = name = "with-number"
        texts.append(yaml.dump(obj, Dumper=yaml.CSafeDumper, sort_keys=False).split(f"name: {name}\n", 1))
    for number in range(count):
        before, after = texts[number % len(texts)]
        yield f"---\n{before}name: object-{number}\n{after}"


def write(folder: Path, count: int) -> None:
    documents = manifests(count)
    for begin in range(0, count, _IN_FILE):
        with (folder / f"{begin:08}.yaml").open("w", encoding="utf-8") as file:
            file.writelines(next(documents) for _ in range(min(_IN_FILE, count - begin)))


def processes(number: int) -> str:
    return "one process" if number == 1 else f"{number} processes"


def main() -> None:
    options = parser(__doc__, 3)
    options.add_argument("-f", type=int, default=100_000, metavar="N")
    options.add_argument("--jobs", type=int, nargs="*", default=sorted({1, os.cpu_count() or 1}), metavar="N")
    options.add_argument("--folder", type=directory, metavar="DIR", help="where they are drawn, and removed again")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as place:
        write(Path(place), given.objects)
        command = [*PROGRAM, "validate", str(APIS), "-f", place, "--jobs"]
        jobs = [Job(f"`validate`, {processes(number)}", [*command, str(number)]) for number in given.jobs]
        by = reading(Path(place))
        take_turns([*jobs, by], given.rounds, warm=False)
        tell("manifests", kept([*jobs, by], by), write=given.write)


if __name__ == "__main__":
    main()
