"""A sample for each tag that gives errors: declarations with the tag, and an object that it refuses.

What it says is not written here: the samples are run, and `uses/explain/given.py` has what came out. `make docs` runs
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from validation_gen.uses.explain.samples import conditions, lists, members, updates, values
from validation_gen.uses.explain.samples.base import Refusal

__all__ = ["Refusal", "refusals"]


def refusals() -> Mapping[str, Refusal]:
    """The samples by tag, in the order of the alphabet."""
    rooms = (conditions, lists, members, updates, values)
    return MappingProxyType(dict(sorted((name, each) for room in rooms for name, each in room.REFUSALS.items())))
