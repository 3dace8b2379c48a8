"""Metrics of several processes: they count in files, of which each can show the sum."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextlib.contextmanager
def counting_together() -> Iterator[None]:
    """Has all processes that are made within the block count together, in a directory that the user or we have made.

    It must begin before `prometheus_client` is imported.
    """
    if os.environ.get(_VARIABLE):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="validation-gen-metrics-", ignore_cleanup_errors=True) as directory:
        os.environ[_VARIABLE] = directory
        try:
            yield
        finally:
            os.environ.pop(_VARIABLE, None)
