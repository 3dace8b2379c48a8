"""What goes wrong with conversions: one that is declared wrongly, and an object that cannot be converted."""

from __future__ import annotations


class DeclarationError(ValueError):
    """A conversion that makes no sense. It is raised where it is declared; the text says what to write instead."""


class ConversionError(ValueError):
    """An object that cannot be converted. The text says why.

    Functions raise it with words for whoever asked for the object. What else they raise is told by its name alone.
    """
