"""Nothing that is read is taken for Python objects: no module that could do so is imported, but by those named here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import validation_gen

PACKAGE = Path(validation_gen.__file__).parent
BARRED = {"_pickle", "cPickle", "cloudpickle", "dbm", "dill", "joblib", "jsonpickle", "marshal", "pickle", "shelve"}

#: What stays among ourselves: an error that a worker tries on itself before it goes through the pipe between our own
#: processes.
ALLOWED = {
    ("commands/distributed/processes.py", "pickle"),
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in BARRED:
            found.add(node.value)  # import_module("pickle"), __import__("pickle")
    return found


def test_none_is_imported() -> None:
    names = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in PACKAGE.rglob("*.py")
        for name in imported(path) & BARRED
    }
    assert names == ALLOWED


@pytest.mark.parametrize(
    "text", ["import pickle", "from marshal import loads", "__import__('dill')", "import dbm.dumb"]
)
def test_they_would_be_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    assert imported(tmp_path / "a.py") & BARRED
