"""The hook that compiles with the wheel: it leaves nothing behind, and no compiler keeps it for ever."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("hatchling", reason="the extra `lint` is not installed")
pytest.importorskip("setuptools", reason="the extra `lint` is not installed")
ROOT = Path(__file__).parents[2]


class App:
    """Keeps what the hook tells."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def display_info(self, text: str) -> None:
        self.told.append(text)


class Builder:
    """A hook on a copy of the native source, and a compiler."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.directory = directory
        source = directory / "project" / "validation_gen" / "runtime"
        source.mkdir(parents=True)
        (source / "_fastpath.c").write_text("int PyInit__fastpath(void) { return 0; }\n")
        self.temporary = directory / "temporary"
        self.temporary.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(self.temporary))
        monkeypatch.setenv("TMPDIR", str(self.temporary))
        spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
        assert spec is not None
        assert spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.app = App()

    def compiler(self, script: str) -> str:
        file = self.directory / "cc"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return str(file)

    def run(self, version: str = "standard") -> dict[str, Any]:
        project = self.directory / "project"
        hook = self.module.NativeBuildHook(str(project), {}, None, None, str(project), "wheel", self.app)
        data: dict[str, Any] = {"force_include": {}}
        hook.initialize(version, data)
        for file in data["force_include"]:
            assert Path(file).is_file()
        hook.finalize(version, data, "")
        return data


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    monkeypatch.delenv("VALIDATION_GEN_BUILD", raising=False)
    return Builder(tmp_path, monkeypatch)


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_nothing_is_left_of_a_build(builder: Builder, version: str) -> None:
    data = builder.run(version)
    if builder.app.told:
        pytest.skip("nothing can be compiled here")
    assert bool(data["force_include"]) == (version == "standard")
    assert list(builder.temporary.iterdir()) == []


@pytest.mark.parametrize("wanted", ["", "native"])
def test_nothing_is_left_of_a_build_that_fails(builder: Builder, monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    monkeypatch.setenv("CC", builder.compiler("echo no luck >&2; exit 3"))
    monkeypatch.setenv("VALIDATION_GEN_BUILD", wanted)
    if wanted:
        with pytest.raises(RuntimeError, match="no luck"):
            builder.run()
    else:
        assert builder.run() == {"force_include": {}}
        assert "no luck" in builder.app.told[0]
    assert list(builder.temporary.iterdir()) == []


def test_a_compiler_that_hangs_is_ended(builder: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = builder.directory / "pid"
    monkeypatch.setenv("CC", builder.compiler(f"sleep 3600 & echo $! > {pid}; wait"))
    monkeypatch.setattr(builder.module, "_DEADLINE", 5)
    begun = time.monotonic()
    assert builder.run() == {"force_include": {}}
    assert time.monotonic() - begun < 60
    assert "the compiler has not ended within 5 seconds" in builder.app.told[0]
    assert not _is_running(int(pid.read_text()))
    assert list(builder.temporary.iterdir()) == []


def test_an_interruption_ends_the_compiler(builder: Builder) -> None:
    pid = builder.directory / "pid"
    script = f"""
        import sys
        from pathlib import Path
        sys.path.insert(0, {str(ROOT)!r})
        import hatch_build
        hatch_build._compile(Path({str(builder.directory / "project")!r}), Path({str(builder.temporary)!r}))
    """
    environ = {**os.environ, "CC": builder.compiler(f"sleep 3600 & echo $! > {pid}; wait")}
    text = "\n".join(map(str.strip, script.splitlines()))
    process = subprocess.Popen([sys.executable, "-c", text], env=environ, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if pid.exists() and pid.read_text():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.wait(120)
    assert not _is_running(int(pid.read_text()))


def _is_running(pid: int) -> bool:
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except OSError:
            return False
        time.sleep(0.05)
    return True
