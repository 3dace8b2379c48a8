"""Errors of handwritten functions themselves, as opposed to the objects that they validate."""

from __future__ import annotations


class HandwrittenError(TypeError):
    """A function cannot be adapted, or answers with something that cannot be understood. The text names it."""
