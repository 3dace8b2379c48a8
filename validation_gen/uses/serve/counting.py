"""Metrics of several processes: each counts in a file, and any of them can show the sum."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextlib.contextmanager
def counting_together() -> Iterator[None]:
    """Makes all processes started within the block count together, in a directory of the user or a new one.

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
