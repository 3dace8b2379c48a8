"""What a rule gives as a sample of an object that its tag refuses.

What the tag says of it is not written down: `make docs` runs the samples, and `uses/explain/sampleerrors.py` has what
came out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """Go declarations of one package, the first of which is a struct with the tag, and an object that the tag refuses.

    The object, and the old one of an update, are JSON. `options` are those of the request. `custom` is a Python module
    with handwritten checks, for the tags that need one.
    """

    go: str
    object: str
    old: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    custom: str = ""


def of_field(comment: str, field: str, object: str, *, more: str = "", old: str = "", **options: bool) -> Refusal:
    """A sample with one field in a struct, and further declarations behind it."""
    lines = "".join(f"    // {line}\n" for line in comment.splitlines())
    rest = f"\n{more.strip(chr(10))}\n" if more else ""
    return Refusal(f"type Robot struct {{\n{lines}    {field}\n}}\n{rest}", object, old, options)
