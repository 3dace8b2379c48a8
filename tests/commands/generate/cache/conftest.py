"""What the tests of kept results share."""

from __future__ import annotations

from tests.cli.conftest import program, project

__all__ = ["program", "project"]
