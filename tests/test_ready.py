"""Runs by a process that is ready are as those that Python begins."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ready

ROOT = str(Path(__file__).parents[1])


def environ(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": ROOT, "LC_ALL": "C.UTF-8", **more}


def fork(args: list[str], data: bytes, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    if ready.FORKS:
        ready.servers.socket(env)  # so that it is one of many
    return ready.run(args, data, cwd, env)


def said(ended: subprocess.CompletedProcess[bytes]) -> tuple[int, bytes, bytes]:
    return (ended.returncode, re.sub(rb"\d+\.\d s", b"no time", ended.stdout), ended.stderr)


@pytest.mark.parametrize(
    "args",
    [["--version"], ["--nope"], [], ["nowhere"], ["explain", "VG101"], ["validate", "-f", "-"], ["trust", "größe"]],
)
def test_they_say_and_end_as_others_do(args: list[str], tmp_path: Path) -> None:
    env, data = environ(), b"kind: A\n"
    command = [sys.executable, "-m", "validation_gen", *args]
    begun = subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, env=env, check=False)
    forked = fork(args, data, tmp_path, env)
    assert said(forked) == said(begun)


@pytest.mark.parametrize("more", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"NO_COLOR": "1"}])
def test_their_variables_are_their_own(more: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "größe").mkdir()
    env = environ(**more)
    command = [sys.executable, "-m", "validation_gen", "größe"]
    begun = subprocess.run(command, capture_output=True, cwd=tmp_path, env=env, check=False)
    forked = fork(["größe"], b"", tmp_path, env)
    assert said(forked) == said(begun)


def script(directory: Path) -> Path:
    file = directory / "validation-gen"
    file.write_text(ready.script(environ()), encoding="utf-8")
    file.chmod(0o755)
    return file


def test_shells_have_them_too(tmp_path: Path) -> None:
    line = f"'{script(tmp_path)}' explain VG101 > said; echo $?; PYTHONUTF8=0 '{tmp_path}/validation-gen' --nope"
    done = subprocess.run(["sh", "-c", line], capture_output=True, cwd=tmp_path, env=environ(), text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "0\n")
    assert "No such option: --nope" in done.stderr
    assert "VG101" in (tmp_path / "said").read_text(encoding="utf-8")


@pytest.mark.skipif(not ready.FORKS, reason="there are none")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_they_end_with_whoever_called_them(sign: signal.Signals, tmp_path: Path) -> None:
    types = "package v1\n\n// +k8s:validation-gen=*\ntype A struct{}\n"
    (tmp_path / "types.go").write_text(types, encoding="utf-8")
    with subprocess.Popen(
        [script(tmp_path), "stdio", "."], cwd=tmp_path, env=environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as called:
        assert called.stdin
        assert called.stdout
        called.stdin.write(b"{}\n")
        called.stdin.flush()
        assert called.stdout.readline()  # it has begun
        called.send_signal(sign)
        assert called.stdout.read() == b""  # nobody is left who could write
        assert called.wait(30) in (130, -sign)
