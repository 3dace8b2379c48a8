"""The wheel and the source distribution, built twice from copies that differ in all that must not matter.

hatchling builds them in the environment of the tests, one process for each copy: nothing is fetched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import venv
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: What tools leave in a checkout; git knows none of it.
_LEFT = {"__pycache__", ".git", ".venv", ".bench-venv", ".release-venv"}
_LEFT_AT_THE_TOP = {"build", "dist", "generated", "site"}

#: Of these, no build may take any.
STRAY = [
    ".env",
    "notes.txt",
    "dist/old.whl",
    "validation_gen/__pycache__/x.cpython-310.pyc",
    "docs/.DS_Store",
    "a.egg-info/x",
]

#: Builds the source distribution, and the wheel from the tree or from what the source distribution holds.
_BUILD = """
    import os, sys, tarfile
    from hatchling import build
    out, origin = sys.argv[1:]
    sdist = build.build_sdist(out)
    if origin == "sdist":
        with tarfile.open(os.path.join(out, sdist)) as archive:
            archive.extractall("..")
        os.chdir(os.path.join("..", sdist.removesuffix(".tar.gz")))
    build.build_wheel(out)
"""


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path


def _files() -> list[Path]:
    found = []
    for directory, names, files in os.walk(ROOT):
        left = _LEFT | _LEFT_AT_THE_TOP if directory == str(ROOT) else _LEFT
        names[:] = [n for n in names if n not in left and not n.endswith((".egg-info", "_cache"))]
        found += [Path(directory, file).relative_to(ROOT) for file in files if not file.endswith((".pyc", ".pyo"))]
    return sorted(path for path in found if path.parts[0] not in {".hypothesis", ".git"})


def _build(copy: Path, origin: str, umask: int, **environ: str) -> Built:
    out = copy.parent / "out"
    ours = {"PYTHONPATH", "PYTHONHOME", "SOURCE_DATE_EPOCH", "VALIDATION_GEN_BUILD"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_BUILD), str(out), origin],
        cwd=copy,
        env={**kept, "PYTHONWARNINGS": "ignore", **environ},
        umask=umask,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Built(wheel, sdist)


def copy_project(directory: Path) -> None:
    """Copies the files of the project into a new directory, without those that tools leave."""
    for path in _files():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, directory / path)


def build_twice(directory: Path) -> tuple[Built, Built]:
    """As one would, and then elsewhere, on another day, by somebody else, in a directory that is not clean."""
    first = directory / "validation-gen"
    copy_project(first)
    files = _files()

    second = directory / "another place" / "of other depth" / "copy"
    for number, path in enumerate(reversed(files)):
        (second / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, second / path)
        (second / path).chmod(0o600 | (second / path).stat().st_mode & 0o100)
        os.utime(second / path, (1_000_000_000 + number, 1_500_000_000 - number))
    for stray in STRAY:
        (second / stray).parent.mkdir(parents=True, exist_ok=True)
        (second / stray).write_text("nobody's business", encoding="utf-8")

    pure = {"VALIDATION_GEN_BUILD": "pure"}
    return (
        _build(first, "tree", 0o022, PYTHONHASHSEED="1", TZ="UTC", **pure),
        _build(second, "sdist", 0o077, PYTHONHASHSEED="2", TZ="Pacific/Auckland", HOME=str(directory), **pure),
    )


def build_native(directory: Path, **environ: str) -> Built:
    """From the tree, with whatever compiler there is. Of the source distribution alone are tests and documents."""
    copy = directory / "validation-gen"
    for path in _files():
        if path.parts[0] in ("benchmarks", "docs", "testdata", "tests"):
            continue
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, copy / path)
    return _build(copy, "tree", 0o022, **environ)


def create_environment(directory: Path) -> Path:
    """Creates a virtual environment with the pip of the tests. Returns the directory of its programs.

    `ensurepip` unpacks pip and compiles it again, which takes seconds.
    """
    venv.create(directory)
    (packages,) = directory.rglob("site-packages")
    # Not by an import: setuptools has a hook in it, which warns.
    ours = Path(str(distribution("pip").locate_file("pip")))
    shutil.copytree(ours, packages / "pip")
    for described in ours.parent.glob("pip-*.dist-info"):
        shutil.copytree(described, packages / described.name)
    return directory / ("Scripts" if os.name == "nt" else "bin")
