"""Sample of an object that a tag refuses.

The errors are not part of it: `make docs` runs the samples, and `commands/explain/errors.json` has the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """Go declarations of one package, of which the first is a struct with the tag, and an object that the tag refuses.

    The object, and the old one of an update, are JSON. `options` are those of the request. `custom` is a Python module
    with handwritten checks, for the tags that need one.
    """

    go: str
    object: str
    old: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    custom: str = ""


def of_field(comment: str, field: str, object: str, *, more: str = "", old: str = "", **options: bool) -> Refusal:
    """Builds a sample with one field in a struct, and further declarations after it."""
    lines = "".join(f"    // {line}\n" for line in comment.splitlines())
    rest = f"\n{more.strip(chr(10))}\n" if more else ""
    return Refusal(f"type Robot struct {{\n{lines}    {field}\n}}\n{rest}", object, old, options)
