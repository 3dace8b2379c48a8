"""Processes that do not hear Ctrl-C: terminals send it to all, and whoever has started them ends them in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Has processes that are started meanwhile not hear SIGINT, which terminals send to them as well."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process starts another one before, which lets SIGINT through again, whatever was blocked.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
