from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Package, Universe
from validation_gen.sources.reader import read_universe

ReadGo = Callable[..., Package]
WriteTree = Callable[[dict[str, str]], Path]


@pytest.fixture
def diagnostics() -> Diagnostics:
    return Diagnostics()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteTree:
    """Writes files (by relative path) into an empty directory and makes it the current one.

    No file outside of it can be found: there is no module cache.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("GOPATH", "GOWORK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "no cache"))

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(textwrap.dedent(text).encode())
        return tmp_path

    return write


@pytest.fixture
def read_tree(tree: WriteTree, diagnostics: Diagnostics) -> Callable[..., Universe]:
    """Writes files and reads the packages below the current directory, or those of `paths`."""

    def read(files: dict[str, str], *paths: str, **options: object) -> Universe:
        tree(files)
        return read_universe(list(paths) or ["."], diagnostics, **options)  # type: ignore[arg-type]

    return read


@pytest.fixture
def read_go(read_tree: Callable[..., Universe]) -> ReadGo:
    """Reads one package `example.com/m` from the text of a file; further files are given by name.

    `package p` is put in front of the first text on the same line, so that lines count from the text's own first line.
    """

    def read(text: str, **others: str) -> Package:
        text = textwrap.dedent(text).removeprefix("\n")
        files = {"go.mod": "module example.com/m\n", "types.go": "package p; " + text}
        files |= {f"{name}.go": body for name, body in others.items()}
        package = read_tree(files).package("example.com/m")
        assert package is not None
        return package

    return read
