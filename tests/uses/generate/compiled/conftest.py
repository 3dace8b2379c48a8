"""Cases as extensions, built without optimising, and once for all processes of a test run: it takes about a minute."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.case_folders import CASES, Case
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import write_files
from validation_gen.runtime.registry import Registry
from validation_gen.uses.generate.compiled.build import compile_files, missing_tool

#: Building all cases takes minutes. These have every check, every shape and every helper that generated code calls;
#: `test_cases.py` sees to it that they still do.
NAMES = (
    "beta",
    "custom-validation",
    "dependent-forbidden",
    "enum-exclude",
    "if-disabled",
    "if-mode",
    "item",
    "max-bytes",
    "min-properties",
    "minimum",
    "monotonic",
    "shape-arrays",
    "shape-embedded",
    "shape-recursion",
    "shape-wellknown",
    "union-discriminator",
    "update",
    "validate-true",
    "wrong-types",
    "zero-or-one-of-member",
)
PACKAGE = "compiled_cases"


@pytest.fixture(scope="session")
def tools() -> None:
    """Skips what needs mypyc and a C compiler, where they are not there."""
    if missing := missing_tool():
        pytest.skip(missing)


@pytest.fixture(scope="session")
def compiled(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Registry]]:
    """The compiled validators of the cases by name."""
    base = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        base = base.parent  # which all processes share
    _build(base / PACKAGE)
    path = list(sys.path)
    sys.path.insert(0, str(base))
    importlib.invalidate_caches()
    yield {name: importlib.import_module(f"{PACKAGE}.{_package(name)}").registry for name in NAMES}
    sys.path[:] = path
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def _package(name: str) -> str:
    return name.replace("-", "_")


def _build(directory: Path) -> None:
    files = {
        f"{_package(name)}/{file}": text for name in NAMES for file, text in Case(CASES / name).files().items()
    } | {"__init__.py": ""}
    diagnostics = Diagnostics()
    with _one_at_a_time(directory.with_suffix(".lock")):
        write_files(str(directory), files, diagnostics, prune=False)
        compile_files(str(directory), files, diagnostics, lambda text: None, level="0")
    assert diagnostics.items == []


class _one_at_a_time:  # noqa: N801 - reads as what it does
    """Keeps other processes out while the cases are built."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __enter__(self) -> None:
        import fcntl  # noqa: PLC0415 - not on Windows, where nobody builds by several processes

        self.handle = self.file.open("w")
        fcntl.flock(self.handle, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self.handle.close()


@pytest.fixture
def both(compiled: Mapping[str, Registry]) -> Callable[[str], tuple[Registry, Registry]]:
    """The validators of a case, run by Python and compiled."""
    return lambda name: (Case(CASES / name).registry(), compiled[name])
