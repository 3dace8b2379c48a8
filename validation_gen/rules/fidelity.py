"""Fidelity of schemas, and samples of objects that a tag refuses.

A rule names the differences between the verdict of its schema and that of the validators; one that names none is exact.
This module makes no schema. `tests/emit/schema` compares the declarations with an API server's verdict. The errors of
samples are not part of these: `make docs` runs them, and `commands/explain/errors.json` has the results.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class Fidelity(enum.Enum):
    """Verdict of a schema compared with that of the validators. The values are words for tables."""

    EXACT = "exact"
    STRICTER = "stricter"
    LOOSER = "looser"
    NOT_EXPRESSIBLE = "not expressible"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of the verdict, or of its errors.

    `effects` is its effect on the verdict; with none it only changes the reported errors. `text` are the sentences that
    explain it.
    """

    name: str
    effects: tuple[Fidelity, ...]
    text: str

    @property
    def anchor(self) -> str:
        return self.name.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class SchemaForm:
    """Form of a tag in a schema. `form` is that of the idiomatic manner, `exact_form` the addition of the exact one.

    `idiomatic` and `exact` are the differences of either manner for this tag. Those that depend on the place of a tag
    are not repeated: see `rules.differences`.
    """

    form: str
    idiomatic: tuple[Difference, ...] = ()
    exact: tuple[Difference, ...] = ()
    exact_form: str = ""


def summary(found: tuple[Difference, ...]) -> tuple[Fidelity, ...]:
    """Returns the total effect of differences on a verdict."""
    effects = {effect for difference in found for effect in difference.effects}
    return tuple(fidelity for fidelity in Fidelity if fidelity in effects) or (Fidelity.EXACT,)


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
