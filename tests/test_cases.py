"""Every case folder, built once and judged in all contexts; and the text that is generated for them.

A test of a folder lists all its failures: the object, the context, what was wanted and what came out.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import black
import pytest

from tests.case_folders import CASES as DIRECTORY
from tests.case_folders import ROOT, UPDATE, Case, WantedError, all_cases, inside, rewrite_errors
from tests.contexts import Failures, judge, write

CASES = all_cases()
#: The version of black, and the digests of the texts of folders that it leaves as they are.
FORMATTED = DIRECTORY / "formatted.json"


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_folder(case: Case, update: bool, tmp_path: Path) -> None:
    if update:
        _rewrite(case)
        return
    failures = Failures()
    judge(case, tmp_path, failures)
    if failures.texts:
        pytest.fail(f"{failures}\n\nIf this is what Kubernetes does: {UPDATE}", pytrace=False)


#: Folders without root types, with the reason. Schemas and policies of the others are judged as well.
_WITHOUT_ROOTS = {
    "docs-1.35": "its packages have no package tag",
    "errors-two-packages": "it is about files that are not read",
}


def test_folders_have_roots() -> None:
    """A package tag makes roots only in `doc.go`. Without a root nothing asks schemas and policies."""
    found = set()
    for case in CASES:
        built = case.build()
        if not built.diagnostics.has_errors and not any(plan.roots for plan in built.program.packages.values()):
            found.add(case.name)
    assert found == set(_WITHOUT_ROOTS), "put the package tag into doc.go"


def _rewrite(case: Case) -> None:
    """Writes what is wanted anew: errors of objects, `stderr.txt` and `want`. Annotations are changed by hand."""
    for request in case.requests():
        got = [WantedError.of(error) for error in request.run(case.registry())]
        if not request.broken and got != list(request.errors):
            rewrite_errors(case.objects, request.name, got)
    if not case.wanted_diagnostics():
        if case.said():
            case.stderr.write_text(case.said(), encoding="utf-8")
        else:
            case.stderr.unlink(missing_ok=True)
    if case.golden.is_dir():
        shutil.rmtree(case.golden)
        write(case.files(), case.golden)


# --- generated text -------------------------------------------------------------------------------------------------


def test_generated_text_is_as_black_leaves_it(update: bool) -> None:
    """Only what has changed is formatted: `formatted.json` has the digest of each folder's text."""
    known: dict[str, Any] = json.loads(FORMATTED.read_text(encoding="utf-8"))
    digests = known["folders"] if known["black"] == version("black") else {}
    found = {}
    for case in CASES:
        for name, text in case.files().items():
            compile(text, name, "exec")
        if case.build().diagnostics.has_errors:
            continue  # such a package is never written
        found[case.name] = hashlib.sha256(json.dumps(case.files()).encode()).hexdigest()
        for name, text in case.files().items() if digests.get(case.name) != found[case.name] else ():
            assert black.format_str(text, mode=black.Mode()) == text, f"{case.name}: {name}"
    if update:
        text = json.dumps({"black": version("black"), "folders": found}, indent=1)
        FORMATTED.write_text(f"{text}\n", encoding="utf-8")
    elif digests:
        assert digests == found, "formatted as they must be, but not noted: run this test with --update"


@pytest.mark.skipif(shutil.which("ruff", path=Path(sys.executable).parent) is None, reason="ruff is not installed")
def test_generated_text_has_no_loose_names(tmp_path: Path) -> None:
    for case in CASES:
        write(case.files(), tmp_path / case.name)
    ruff = str(shutil.which("ruff", path=Path(sys.executable).parent))
    # Of names that nothing uses (F401, F841) ruff reports nothing: they do no harm.
    command = [ruff, "check", "--isolated", "--ignore-noqa", "--no-cache", "--select=F", "--ignore=F401,F841"]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


_GENERATE = """
import json, os, sys
from validation_gen.compiler.pipeline import Settings, build_files, build_program
for path in sys.argv[1:]:
    os.chdir(path)
    os.environ["GOMODCACHE"] = os.path.join(path, "no cache")
    print(json.dumps(list(build_files(build_program(Settings((".",))).program).items())))
"""
#: Unions, options and several packages: what sets and dictionaries with texts as keys are used for.
_SEEDED = [case for case in CASES if case.name in ("docs-1.35", "if-mode", "shape-packages")]


@pytest.mark.parametrize("seed", ["1", "4711"])
def test_the_same_bytes_whatever_the_hash_seed(seed: str) -> None:
    environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", _GENERATE, *(str(case.path) for case in _SEEDED)]
    with inside(CASES[0].path):
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found == [[[name, text] for name, text in case.files().items()] for case in _SEEDED]
