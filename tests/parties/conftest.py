"""Where the environment names no program, one test says that there is nobody to ask, in place of all."""

from __future__ import annotations

import os

from tests.cli.conftest import program
from tests.parties.fixture import VARIABLE

__all__ = ["program"]

collect_ignore_glob = [] if os.environ.get(VARIABLE) else ["test_[!n]*.py"]
