from __future__ import annotations

import compileall
import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from typer.testing import CliRunner

import validation_gen
from tests.apiserver.fixture import apiserver, apiserver_program
from tests.parties.fixture import parties
from tests.program import forget_modules
from tests.thorough import THOROUGH, drawn
from validation_gen.cli.app import app
from validation_gen.runtime import native

__all__ = ["apiserver", "apiserver_program", "parties"]

_WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

# How long an example takes depends on the machine; benchmarks look at time, tests do not.
settings.register_profile("timeless", deadline=None, max_examples=drawn(100))
settings.load_profile("timeless")


# Whoever runs the tests in the background, or with nohup, has them ignore these, and all that they start would, too.
for _each in ("SIGINT", "SIGHUP"):
    if hasattr(signal, _each) and signal.getsignal(getattr(signal, _each)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _each), signal.default_int_handler if _each == "SIGINT" else signal.SIG_DFL)


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Results are kept, as people have them, but not among those of whoever runs the tests, nor is whom they trust."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("VALIDATION_GEN_TRUST", raising=False)
        patch.setenv("VALIDATION_GEN_CACHE_DIR", str(tmp_path_factory.mktemp("results")))
        # A test changes a module of the user within the second in which Python believes the bytecode that it has kept.
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        yield


@pytest.fixture(scope="session")
def native_code() -> None:
    """Skips tests where native code is not there. Native code that has to be built again is a failure."""
    require_native()


def require_native() -> None:
    """Skips or fails a test without usable native code."""
    if native.accept is None:
        end = pytest.fail if native.told == native.STALE else pytest.skip
        end(f"validators run {native.told}")


@pytest.fixture(autouse=True, scope="module")
def no_module_of_a_file_stays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forgets the modules that the fixtures of a file of tests imported, as `no_module_stays` does."""
    with _forget_modules_of_tests(tmp_path_factory):
        yield


@pytest.fixture(autouse=True)
def no_module_stays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forgets the modules that a test imported from its own directory: the next one's have the same names."""
    with _forget_modules_of_tests(tmp_path_factory):
        yield


def _forget_modules_of_tests(factory: pytest.TempPathFactory) -> contextlib.AbstractContextManager[None]:
    below = f"{factory.getbasetemp()}{os.sep}"
    return forget_modules(lambda file: file.startswith(below))


@pytest.fixture
def small_heap() -> None:
    """Lets `gc.collect` and `gc.get_objects` look at objects of the test alone: a process of tests keeps millions."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the marks that a usual run does not have, and let tests with processes begin first in each worker.

    Workers begin with equal shares of the list. A file, or a test, that is named runs whatever its marks are.
    """
    named = any("::" in each or each.endswith(".py") for each in config.option.file_or_dir)
    marks = () if THOROUGH else ("thorough",) if named or config.option.markexpr else ("thorough", "slow")
    chosen = [item for item in items if not any(map(item.get_closest_marker, marks))]
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    first = [item for item in chosen if item.get_closest_marker("process")]
    rest = [item for item in chosen if not item.get_closest_marker("process")]
    share = -(-len(rest) // _WORKERS)
    items[:] = [item for n in range(_WORKERS) for item in (*first[n::_WORKERS], *rest[n * share : (n + 1) * share])]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out files without slow tests where only these run, as a process takes seconds to import all files."""
    if config.option.markexpr != "slow" or not collection_path.match("test_*.py"):
        return None
    return "mark.slow" not in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many tests wait for programs that they have started."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keeps the garbage collector away from the tests themselves, of which there are many, and which all stay.

    Python may write bytecode meanwhile: pytest keeps the rewritten assertions of each file so, which takes longer than
    all else. Later it may not, as tests change modules within a second (`own_cache`).
    """
    gc.disable()
    sys.dont_write_bytecode = False
    try:
        # Whatever a process of the program imports is compiled here, once: processes of tests write no bytecode.
        for path in _in_order_of_worker(Path(validation_gen.__file__).parent.iterdir()):
            compileall.compile_dir(path, quiet=2) if path.is_dir() else compileall.compile_file(path, quiet=2)
        CliRunner().invoke(app, ["lint", "--help"])
        if _WORKERS > 1:
            _import_tests(session)
        return (yield)
    finally:
        sys.dont_write_bytecode = True
        gc.freeze()
        # Objects that tests keep, such as programs of case folders, would be looked at again every few milliseconds.
        gc.set_threshold(10_000, 10, 50)
        gc.enable()


def _in_order_of_worker(paths: Iterable[Path]) -> list[Path]:
    """Sorts paths so that each process begins with others.

    In a new clone, each finds bytecode that the others have written meanwhile, instead of compiling all files.
    """
    found = sorted(paths)
    start = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) * len(found) // _WORKERS
    return found[start:] + found[:start]


def _import_tests(session: pytest.Session) -> None:
    """Imports the tests of a run of all files. Collection imports them again, and reports what fails."""
    config = session.config
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    for file in _in_order_of_worker(Path(__file__).parent.rglob("test_*.py")):
        if not pytest_ignore_collect(file, config):
            with contextlib.suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite what the case folders want (errors, stderr.txt, want/, formatted.json) instead of comparing",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether wanted files are to be rewritten."""
    return bool(request.config.getoption("--update"))
