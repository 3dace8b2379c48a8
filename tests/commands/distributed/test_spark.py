"""Spark finds what the command finds, by the program of docs/howto-other-engines.md."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands.distributed.engines import draw, of_command, of_program

_IS_HERE = find_spec("pyspark") is not None and shutil.which("java") is not None


@pytest.mark.skipif(not _IS_HERE, reason="Spark is not installed: it needs Java, and pip install pyspark")
def test_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local[2] --conf spark.ui.enabled=false pyspark-shell")
    files = draw(tmp_path)
    assert of_program("with_spark.py", files) == of_command(files)
