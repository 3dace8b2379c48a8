"""What kind of schema is wanted."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.runtime.levels import DEFAULT_LEVEL, Level


class Manner(str, enum.Enum):
    """How rules become schemas.

    IDIOMATIC is what an author would write by hand: an absent value and a zero value may be judged differently.
    EXACT adds CEL until the verdict is that of the validators, as far as a schema can say it.
    """

    IDIOMATIC = "idiomatic"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class SchemaOptions:
    """The settings of a generation.

    `options` are the validation options that are on or off; one that is not named is off. Rules are kept from `level`
    on. `max_description` cuts descriptions to so many characters; `None` keeps them.
    """

    manner: Manner = Manner.IDIOMATIC
    options: Mapping[str, bool] = field(default_factory=dict)
    level: Level = DEFAULT_LEVEL
    max_description: int | None = None
    #: Whether schemas say what tags demand. Else they have what types and markers say, for those who ask the tags, too.
    tags: bool = True

    @property
    def exact(self) -> bool:
        return self.manner is Manner.EXACT

    def wants(self, level: str) -> bool:
        """Tells whether rules of a stability level are enforced."""
        return level not in self.level.hidden
