"""How files with sources end. Who only looks whether something has changed needs no more of a language than this."""

from __future__ import annotations

GO, PYTHON = ".go", ".py"
SUFFIXES = (GO, PYTHON)
