"""Suffixes of source files, for code that only checks whether something has changed."""

from __future__ import annotations

GO, PYTHON = ".go", ".py"
SUFFIXES = (GO, PYTHON)
