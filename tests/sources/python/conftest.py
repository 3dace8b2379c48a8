from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.diagnostics import Diagnostics
from validation_gen.sources.model import Universe
from validation_gen.sources.reader import read_universe

HEAD = """\
import dataclasses, datetime, decimal, enum, typing, uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, NewType, Optional, TypeAlias, Union

from validation_gen.tags import EachVal, Format, Item, ListType, MaxItems, MaxLength, Minimum, Optional as Opt, Required
from validation_gen.types import Float32, Inline, Int8, Int32, Json, Uint16
from validation_gen.types import meta
from validation_gen.types.meta import ObjectMeta, TypeMeta
"""
HEAD_LINES = HEAD.count("\n")


class Read:
    """What reading some files gave: the universe, what was reported, and notes about types."""

    def __init__(self, universe: Universe, diagnostics: Diagnostics) -> None:
        self.universe = universe
        self.diagnostics = diagnostics

    @property
    def problems(self) -> list[tuple[str, str, str]]:
        """Code, message and help of everything that was noticed."""
        noted = [d for package in self.universe.packages.values() for _, d in package.notes]
        return [(d.code, d.message, d.help) for d in (*self.diagnostics.sorted(), *noted)]

    @property
    def places(self) -> list[str]:
        noted = [d for package in self.universe.packages.values() for _, d in package.notes]
        return [str(d.span) for d in (*self.diagnostics.sorted(), *noted)]


Files = dict[str, str]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Read]:
    """Reads files by name, of which the arguments behind them are named on the command line (by default all)."""
    monkeypatch.chdir(tmp_path)

    def run(files: Files | str, *paths: str, modules: dict[str, str] | None = None) -> Read:
        named = {"m.py": HEAD + files} if isinstance(files, str) else files
        for name, text in named.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        diagnostics = Diagnostics()
        universe = read_universe(paths or tuple(named), diagnostics, modules=modules)
        return Read(universe, diagnostics)

    return run
