"""Ray Data finds what the command finds, by the program of docs/howto-other-engines.md."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands.distributed.engines import draw, of_command, of_program


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray Data is not installed: pip install 'ray[data]'")
def test_ray_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    files = draw(tmp_path)
    assert of_program("with_ray.py", files) == of_command(files)
