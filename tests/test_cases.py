"""Every case folder in every context: its diagnostics, its generated files, and the verdicts on its objects."""

from __future__ import annotations

import functools
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import black
import pytest

from tests.case_folders import ROOT, UPDATE, Case, Request, WantedError, all_cases, inside, rewrite_errors
from validation_gen.runtime.registry import Registry

CASES = all_cases()
GOLDEN = [case for case in CASES if case.golden.is_dir()]
_HINT = f"\n\nIf this is what Kubernetes does: {UPDATE}"


def _each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


# --- objects --------------------------------------------------------------------------------------------------------


@contextmanager
def _imported(directory: Path, package: str) -> Iterator[Registry]:
    """The registry of a package that lies in a directory; afterwards no trace of it is left in the interpreter."""
    modules, path = set(sys.modules), list(sys.path)
    sys.path.insert(0, str(directory))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(package).registry
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if name.partition(".")[0] == package:
                del sys.modules[name]


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The directories to which cases have been written, filled as they are needed."""
    return {"": tmp_path_factory.mktemp("generated")}


def _write(files: dict[str, str], directory: Path) -> None:
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _written(case: Case, written: dict[str, Path]) -> tuple[Path, str]:
    package = "generated_" + "".join(c if c.isalnum() else "_" for c in case.name)
    if case.name not in written:
        written[case.name] = written[""] / case.name
        _write(case.files(), written[case.name] / package)
    return written[case.name], package


def _object(case: Case, request: Request) -> object:
    marks = [pytest.mark.xfail(reason=request.broken)] if request.broken else []
    return pytest.param(case, request, id=f"{case.name}-{request.name}", marks=marks)


_OBJECTS = [_object(case, request) for case in CASES for request in case.requests()]


def _agree(request: Request, got: list[WantedError]) -> None:
    want = list(request.errors)
    if got == want:
        return
    lines = [f"- {error}" for error in want if error not in got] + [f"+ {error}" for error in got if error not in want]
    if not lines:
        lines = ["the errors are right, but they should come in this order:", *map(str, want)]
    pytest.fail("\n".join(lines) + _HINT, pytrace=False)


@pytest.mark.parametrize("context", ["memory", "files"])
@pytest.mark.parametrize(("case", "request_"), _OBJECTS)
def test_object(case: Case, request_: Request, context: str, written: dict[str, Path], update: bool) -> None:
    if context == "memory":
        errors = request_.run(case.registry())
    else:
        with _imported(*_written(case, written)) as registry:
            errors = request_.run(registry)
    got = [WantedError.of(error) for error in errors]
    for error in errors:
        record = error.as_dict()
        assert str(record["message"]).startswith(f"{record['field']}: "), "path and text belong together"
        json.dumps(record)
    if update and not request_.broken:
        if got != list(request_.errors):
            rewrite_errors(case.objects, request_.name, got)
    else:
        _agree(request_, got)


def test_importing_generated_files_leaves_no_trace(written: dict[str, Path]) -> None:
    case = next(case for case in CASES if case.requests())
    directory, package = _written(case, written)
    path = list(sys.path)
    with _imported(directory, package) as registry:
        case.requests()[0].run(registry)
        assert package in sys.modules
    assert sys.path == path
    assert not [name for name in sys.modules if name.partition(".")[0] == package]


# --- diagnostics ----------------------------------------------------------------------------------------------------


@_each(CASES)
def test_diagnostics(case: Case, update: bool) -> None:
    wanted = case.wanted_diagnostics()
    found = case.build().diagnostics.sorted()
    if update and not wanted:
        if case.said():
            case.stderr.write_text(case.said(), encoding="utf-8")
        else:
            case.stderr.unlink(missing_ok=True)
        return
    if wanted:
        missing = [want for want in wanted if not any(want.matches(d) for d in found)]
        surplus = [d for d in found if not any(want.matches(d) for want in wanted)]
        lines = [f"- {want}" for want in missing]
        lines += [f"+ {d.span}: {d.code} {d.message}" for d in surplus]
        if lines:
            pytest.fail("\n".join(lines), pytrace=False)
        assert len(found) == len(wanted), "an annotation stands for one diagnostic"
    else:
        want = case.stderr.read_text(encoding="utf-8") if case.stderr.exists() else ""
        if case.said() != want:
            pytest.fail(f"wanted:\n{want}\ngot:\n{case.said()}{_HINT}", pytrace=False)


# --- generated text -------------------------------------------------------------------------------------------------


@_each(GOLDEN)
def test_generated_files(case: Case, update: bool) -> None:
    got = case.files()
    if update:
        shutil.rmtree(case.golden)
        _write(got, case.golden)
        return
    want = {
        file.relative_to(case.golden).as_posix(): file.read_text(encoding="utf-8") for file in case.golden.rglob("*.py")
    }
    if got.keys() != want.keys():
        pytest.fail(f"wanted the files {sorted(want)}, got {sorted(got)}{_HINT}", pytrace=False)
    for name, text in got.items():
        assert text == want[name], f"{name} is not as wanted{_HINT}"


@_each(CASES)
def test_generated_text_is_as_black_leaves_it(case: Case) -> None:
    for name, text in case.files().items():
        compile(text, name, "exec")
        if case.build().diagnostics.has_errors:
            continue  # such a package is never written
        assert black.format_str(text, mode=black.Mode()) == text, name


@pytest.mark.skipif(shutil.which("ruff", path=Path(sys.executable).parent) is None, reason="ruff is not installed")
def test_generated_text_has_no_loose_names(tmp_path: Path) -> None:
    for case in CASES:
        _write(case.files(), tmp_path / case.name)
    ruff = str(shutil.which("ruff", path=Path(sys.executable).parent))
    # Of names that nothing uses (F401, F841) ruff is told to say nothing: they do no harm.
    command = [ruff, "check", "--isolated", "--ignore-noqa", "--no-cache", "--select=F", "--ignore=F401,F841"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


_GENERATE = """
import json, os, sys
from validation_gen.build.pipeline import Settings, build_files, build_program
for path in sys.argv[1:]:
    os.chdir(path)
    os.environ["GOMODCACHE"] = os.path.join(path, "no cache")
    print(json.dumps(list(build_files(build_program(Settings((".",))).program).items())))
"""


@functools.cache
def _generated(seed: str) -> dict[Path, object]:
    """What a process with this seed makes of all cases."""
    paths = [case.path for case in GOLDEN]
    environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", _GENERATE, *map(str, paths)]
    with inside(CASES[0].path):
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    return dict(zip(paths, map(json.loads, done.stdout.splitlines()), strict=True))


@_each(GOLDEN)
@pytest.mark.parametrize("seed", ["1", "4711"])
def test_the_same_bytes_whatever_the_hash_seed(case: Case, seed: str) -> None:
    assert _generated(seed)[case.path] == [[name, text] for name, text in case.files().items()]
