"""Too little memory, as few bytes can stand for much: the program ends with words, whatever it was doing."""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
from itertools import starmap

import pytest

from tests.cli.conftest import API, Program, definition

VALUES = "the document has more than 5,000,000 values, the most that are read"
OBJECTS = "the file has more than 500,000 objects, the most that are read"
WORDS = "error: there is not enough memory; give the input in parts, or let the program have more (ulimit -v)\n"

pytestmark = pytest.mark.slow


def limited(project: Program, mebibytes: int, *args: str) -> tuple[int, str]:
    """Runs the program with so much of address space. Returns its exit code, and what it says."""
    script = (
        "import faulthandler, resource; faulthandler.enable(); "
        f"resource.setrlimit(resource.RLIMIT_AS, ({mebibytes << 20},) * 2); "
        "from validation_gen.cli.main import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """An API, and objects that take some hundred MiB when they are read."""
    project = Program(tmp_path_factory.mktemp("large"))
    values = "".join(f"  k{n}: v{n}\n" for n in range(300_000))
    anchored = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: &x\n{values}"
    project.write({**API, "crd.yaml": definition(5), **{f"many/{n}.yaml": anchored for n in range(3)}})
    return project


_thorough = pytest.mark.thorough


_COMMANDS = [
    ("validate", "apis", "-q", "-f", "many/0.yaml"),
    ("validate", "apis", "--jobs", "2", "-f", "many"),
    ("validate", "crd.yaml", "-f", "many"),
    ("crd", "lint", "many/0.yaml"),
    ("apply", "--dry-run", "-f", "many/0.yaml"),
]


@pytest.mark.parametrize(
    ("command", "mebibytes"),
    [
        pytest.param(command, number, marks=() if number in usual else _thorough, id=f"{' '.join(command)}-{number}")
        for command, usual in zip(_COMMANDS, [(90, 170, 210), (170, 210), (210,), (210,), (210,)], strict=True)
        for number in (90, 130, 170, 177, 210)
    ],
)
def test_too_little_memory_ends_with_words(large: Program, command: tuple[str, ...], mebibytes: int) -> None:
    code, told = limited(large, mebibytes, *command)
    assert code == 2, told
    assert told.endswith(WORDS)


#: Parts of a text, each with the number of times that it is there.
_Parts = list[tuple[str, int]]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([("- \n", 40 << 20)], VALUES),
        ([("a: [", 1), ("[],", 20 << 20), ("]\n", 1)], VALUES),
        pytest.param([('{"a":[', 1), ("{},", 20 << 20), ("{}]}", 1)], VALUES, marks=_thorough),
        ([("{}\n", 20 << 20)], OBJECTS),
        ([("{}\n", 1), ("{}", 20 << 20)], VALUES),
        ([("{}\n", 1), ("{}", 600_000)], OBJECTS),
        ([("apiVersion: v1\nkind: List\nitems:\n", 1), ("- {}\n", 600_000)], "the file has more than 500,000 objects"),
        ([("---\n", 40 << 20)], "there are no objects here"),
        pytest.param([("---\n~\n", 20 << 20)], OBJECTS, marks=_thorough),
    ],
    ids=["items", "lists", "JSON", "lines", "one line", "one short line", "a list", "separators", "nulls"],
)
def test_few_bytes_that_stand_for_much_do_not_need_much(project: Program, parts: _Parts, words: str) -> None:
    file = project.directory / "a.yaml.gz"
    file.write_bytes(b"".join(starmap(_compressed, parts)))
    assert file.stat().st_size < 300_000
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    code, told = limited(project, 1_500, "validate", "apis", "-q", "-f", "a.yaml.gz")
    assert code == 2
    assert words in told
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 30


def _compressed(text: str, times: int) -> bytes:
    """Compresses a repeated text as members of 2 MiB, which are the same bytes but for the last one."""
    most = (2 << 20) // len(text)
    members, rest = divmod(times, most)
    return gzip.compress(text.encode() * most, 9) * members + gzip.compress(text.encode() * rest, 9)


def test_enough_memory_is_enough(large: Program) -> None:
    assert limited(large, 1_500, "validate", "apis", "-q", "-f", "many/0.yaml")[0] == 0
