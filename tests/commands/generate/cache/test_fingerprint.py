"""No change of the program, or of what it needs, goes unnoticed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.commands.generate import cache as module

#: What is compiled, read by type checkers, or empty.
_NEVER_READ = {".c", ".h", ".pyi", ".typed", ".pyc"}


def test_all_files_of_the_program_count() -> None:
    suffixes = {path.suffix for path in Path(module._OURS).rglob("*") if path.is_file()}
    assert suffixes - _NEVER_READ <= set(module._SUFFIXES)


def _digest() -> str:
    return module.fingerprint.__wrapped__()


@pytest.mark.parametrize("name", ["a.py", "_fastpath.abi3.so", "_fastpath.pyd", "kinds.txt"])
def test_files_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(module, "_OURS", str(tmp_path))
    (tmp_path / "runtime").mkdir()
    file = tmp_path / "runtime" / name
    seen = {_digest()}
    for content in (b"", b"\0a", b"\0b"):
        file.write_bytes(content)
        seen.add(_digest())
    assert len(seen) == 4


@each("name", ["PyYAML", "black", "click", "rich", "tomli", "typer"])
def test_packages_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    before = _digest()
    (tmp_path / f"{name}-1.0.dist-info").mkdir()
    assert _digest() != before
