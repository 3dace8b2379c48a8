"""Kept results are believed only where nobody but the user can have put them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import invoke
from validation_gen.commands.generate.cache import distrust, load, save

KEY = "0" * 40


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    directory = tmp_path / "cache/validation-gen"
    save(directory, KEY, b"x")
    assert load(directory, KEY) == b"x"
    return directory


def _link(directory: Path) -> None:
    directory.rename(directory.with_name("elsewhere"))
    directory.symlink_to("elsewhere")


SPOILT: dict[str, Callable[[Path], object]] = {
    "others write": lambda d: d.chmod(0o757),
    "the group writes": lambda d: d.chmod(0o770),
    "a link": _link,
    "others write above": lambda d: d.parent.chmod(0o777),
}


@pytest.mark.parametrize("how", SPOILT)
def test_directories(kept: Path, how: str) -> None:
    SPOILT[how](kept)
    before = sorted(kept.iterdir())
    assert distrust(kept)
    assert load(kept, KEY) is None
    save(kept, "1" * 40, b"y")
    assert sorted(kept.iterdir()) == before


def test_a_directory_of_somebody_else(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert distrust(kept)
    assert load(kept, KEY) is None


def test_others_may_write_above_where_they_cannot_move_what_is_there(kept: Path) -> None:
    kept.parent.chmod(0o1777)
    assert distrust(kept) == ""
    assert load(kept, KEY) == b"x"


def test_entries(kept: Path) -> None:
    path = kept / f"{KEY}.json"
    for mode in (0o620, 0o602):
        path.chmod(mode)
        assert load(kept, KEY) is None
    path.chmod(0o600)
    assert load(kept, KEY) == b"x"
    path.rename(kept / "real")
    path.symlink_to("real")
    assert load(kept, KEY) is None
    path.unlink()
    os.mkfifo(path)
    assert load(kept, KEY) is None


def test_it_is_told(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kept.parents[1])
    Path("v1").mkdir()
    Path("v1/types.go").write_text('package v1\n\ntype A struct {\n\t// +k8s:required\n\tB string `json:"b"`\n}\n')
    args = ["generate", "v1", "--cache-dir", str(kept.parent)]
    assert "not used" not in invoke([*args, "--verbose"]).output
    kept.chmod(0o777)
    assert f"cache {kept} not used: others can write to {kept}\n" in invoke([*args, "-v"]).output
    assert "not used" not in invoke(args).output
