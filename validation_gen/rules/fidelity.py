"""Fidelity of schemas: the terms in which each rule declares how well a schema expresses it.

A rule names the differences between the verdict of its schema and that of the validators; one that names none is exact.
This module makes no schema. `tests/emit/schema` compares the declarations with an API server's verdict.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


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
