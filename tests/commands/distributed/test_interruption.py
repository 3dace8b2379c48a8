"""Signals during a comparison: held back where numbers belong together, remembered where code swallows them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

import pytest

from validation_gen.commands.distributed.engines import Interruption


def press(sign: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), sign)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_interrupts_and_the_handler_of_before_comes_back(sign: int) -> None:
    before = signal.getsignal(sign)
    with Interruption() as interruption:
        with pytest.raises(KeyboardInterrupt):
            press(sign)
        assert interruption.asked == 1
    assert signal.getsignal(sign) is before


def test_what_is_held_is_told_afterwards() -> None:
    with Interruption() as interruption:
        with interruption.held():
            with interruption.held():
                press()
            press()
            done = True
        assert done
        with pytest.raises(KeyboardInterrupt):
            interruption.check()


def test_what_was_swallowed_is_remembered() -> None:
    with Interruption() as interruption:
        interruption.check()
        with contextlib.suppress(BaseException):  # as careless handwritten code does
            press()
        with pytest.raises(KeyboardInterrupt):
            interruption.check()


def test_a_caller_that_has_signals_ignored_is_obeyed() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            press()
            interruption.check()
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_may_use_it_without_signals() -> None:
    problems: list[BaseException] = []

    def enter() -> None:
        try:
            with Interruption() as interruption, interruption.held():
                interruption.check()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert problems == []


@pytest.mark.process
@pytest.mark.parametrize("held", [False, True])
def test_the_third_signal_ends_the_process_after_a_last_rescue(held: bool) -> None:
    program = (
        "import contextlib, os, signal, sys\n"
        "from validation_gen.commands.distributed.engines import Interruption\n"
        "with Interruption() as interruption:\n"
        "    interruption.rescue = lambda: (print('rescued'), sys.stdout.flush())\n"
        f"    with interruption.held() if {held} else contextlib.nullcontext():\n"
        "        for _ in range(3):\n"
        "            with contextlib.suppress(KeyboardInterrupt):\n"
        "                os.kill(os.getpid(), signal.SIGINT)\n"
        "print('still there')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (130, "" if held else "rescued\n")
