"""How well schemas say what a tag demands: the terms in which each rule declares it.

A rule names the differences between the verdict of its schema and that of the validators; one that names none is exact.
Nothing here makes a schema. What is declared is compared with an API server's verdict by `tests/emit/schema`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Fidelity(enum.Enum):
    """What an API server makes of a schema, as compared with the validators. The values are words for tables."""

    EXACT = "exact"
    STRICTER = "stricter"
    LOOSER = "looser"
    NOT_EXPRESSIBLE = "not expressible"


@dataclass(frozen=True, slots=True)
class Difference:
    """A way in which a verdict, or the errors that go with it, differ.

    `effects` is what it does to the verdict; with none it only changes which errors are reported. `text` are the
    sentences that explain it.
    """

    name: str
    effects: tuple[Fidelity, ...]
    text: str

    @property
    def anchor(self) -> str:
        return self.name.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class SchemaForm:
    """How a tag is said in a schema. `form` is that of the idiomatic manner, `exact_form` what the exact one adds.

    `idiomatic` and `exact` are the differences of either manner that come from this tag. Those that come from the place
    where a tag stands are not repeated: see `rules.differences`.
    """

    form: str
    idiomatic: tuple[Difference, ...] = ()
    exact: tuple[Difference, ...] = ()
    exact_form: str = ""


def summary(found: tuple[Difference, ...]) -> tuple[Fidelity, ...]:
    """What differences make of a verdict, in a word or several."""
    effects = {effect for difference in found for effect in difference.effects}
    return tuple(fidelity for fidelity in Fidelity if fidelity in effects) or (Fidelity.EXACT,)
