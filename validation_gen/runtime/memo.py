"""Cache of valid texts, which are not checked again.

Objects of one cluster repeat their names, labels and quantities, and a look-up in a set is many times faster than a
pattern. A text is cached for one check only (*is it a quantity?*), after it has passed.
"""

from __future__ import annotations

#: Longer texts hardly ever repeat.
_MAX_LENGTH = 256
#: A full set is cleared: texts in use return at once, and stale ones must not stay for ever.
_MAX_TEXTS = 2048


def remember(known: set[str], value: object) -> None:
    """Adds a valid text. Other values are checked each time."""
    if value.__class__ is str and len(value) <= _MAX_LENGTH:
        if len(known) >= _MAX_TEXTS:
            known.clear()
        known.add(value)
