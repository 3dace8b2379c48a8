"""A second process hands back what it was asked for, or nothing, and is gone afterwards whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import API
from validation_gen.build.settings import Settings
from validation_gen.uses.generate import ahead as module
from validation_gen.uses.generate import run
from validation_gen.uses.generate.ahead import Ahead, is_possible

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no second process")


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ahead]:
    """One that has a processor, also on a machine with one, and beside threads of the tests."""
    children, fork = list[int](), os.fork

    def forked() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(module, "is_possible", lambda: True)
    monkeypatch.setattr(os, "fork", forked)
    begun = Ahead()
    yield begun
    begun.stop()
    for child in children:
        with pytest.raises(ChildProcessError):  # no process is left
            os.waitpid(child, os.WNOHANG)


def test_texts_come_back(ahead: Ahead) -> None:
    here = os.getpid()
    texts = {"process": str(os.getpid() == here), "large": "ä\n" * 400_000, "odd": "\udcff\0"}
    ahead.begin(lambda: {**texts, "process": str(os.getpid() == here)})
    assert ahead.take() == {**texts, "process": "False"}
    assert ahead.take() is None


def test_nothing_comes_of_nothing(ahead: Ahead) -> None:
    assert ahead.take() is None


def _die() -> dict[str, str]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def _fail() -> dict[str, str]:
    raise ValueError


def _interrupt() -> dict[str, str]:
    raise KeyboardInterrupt


@pytest.mark.parametrize("work", [_die, _fail, _interrupt])
def test_a_process_that_fails_gives_nothing(ahead: Ahead, work: object, capfd: pytest.CaptureFixture[str]) -> None:
    ahead.begin(work)  # type: ignore[arg-type]
    assert ahead.take() is None
    assert "Traceback" not in capfd.readouterr().err


def test_it_is_not_waited_for_without_end(ahead: Ahead) -> None:
    ahead.begin(lambda: time.sleep(60) or {})  # type: ignore[func-returns-value]
    begun = time.monotonic()
    assert ahead.take(0.2) is None
    ahead.stop()
    assert time.monotonic() - begun < 30


def test_where_signals_of_children_are_ignored_nothing_comes_of_it() -> None:
    """As some supervisors start their programs: nobody learns then how a child has ended."""
    code = (
        "import signal\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from validation_gen.uses.generate import ahead as module\n"
        "module.is_possible = lambda: True\n"
        "ahead = module.Ahead()\n"
        "for patience in (60, 0):\n"
        "    ahead.begin(lambda: {'a': 'b'})\n"
        "    print(ahead.take(patience))\n"
        "    ahead.stop()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=100)
    assert (done.stdout, done.stderr) == ("None\nNone\n", "")


def test_beside_threads_there_is_none() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not is_possible()
    finally:
        done.set()
        thread.join()


@pytest.fixture
def sources(tmp_path: Path) -> Settings:
    for name, text in API.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Settings((f"{tmp_path}/apis/...",), lint=True)


@pytest.mark.parametrize("work", [None, _die, _fail], ids=["written ahead", "killed", "failed"])
def test_a_run_makes_the_same(sources: Settings, monkeypatch: pytest.MonkeyPatch, ahead: Ahead, work: object) -> None:
    alone = run.generate(sources, run.Wanted())
    begin, begun = ahead.begin, list[object]()

    def begin_with(given: object) -> None:
        begun.append(given)
        begin(work or given)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "WORTH_IT", 1)
    monkeypatch.setattr(run, "Ahead", lambda: ahead)
    monkeypatch.setattr(Ahead, "begin", lambda self, given: begin_with(given))
    assert run.generate(sources, run.Wanted()) == alone
    assert len(begun) == 1
    assert alone.outputs["python"]


def test_an_interruption_leaves_no_process(sources: Settings, monkeypatch: pytest.MonkeyPatch, ahead: Ahead) -> None:
    def interrupted(stage: str) -> None:
        if stage == "linting":
            raise KeyboardInterrupt

    monkeypatch.setattr(run, "WORTH_IT", 1)
    monkeypatch.setattr(run, "Ahead", lambda: ahead)
    with pytest.raises(KeyboardInterrupt):
        run.generate(replace(sources, lint=True), run.Wanted(), interrupted)
