"""Starts processes that ignore Ctrl-C: terminals send it to all, and the parent ends its processes in good order."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Blocks SIGINT in child processes started inside the block. Terminals send it to them, too."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The first process starts the resource tracker, which would unblock SIGINT again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
