"""Texts that have been found valid, so that the same text is not looked at again.

Objects of one cluster repeat their names, labels and quantities, and asking a set is many times quicker than a pattern.
A text is remembered for one question only (*is it a quantity?*), after the question has been answered with yes.
"""

from __future__ import annotations

#: Longer texts are hardly ever repeated.
_MAX_LENGTH = 256
#: A set that is full is emptied: what is in use comes back at once, and what is not must not stay for ever.
_MAX_TEXTS = 2048


def remember(known: set[str], value: object) -> None:
    """Adds a text for which the answer is yes. Values that are not texts are asked about each time."""
    if value.__class__ is str and len(value) <= _MAX_LENGTH:
        if len(known) >= _MAX_TEXTS:
            known.clear()
        known.add(value)
