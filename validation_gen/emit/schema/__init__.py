"""Writes schemas of a program: CustomResourceDefinitions, OpenAPI documents, JSON Schemas for editors.

The input is a `Program` with `SchemaOptions`; the outputs are documents, as data and as text, with findings about
omitted constraints. No module here knows a tag. A schema is made in two passes: `structure` makes the schema of a type
as it is decoded, and `constrain` walks the checks as the validators do and adds keywords and CEL.

- Documents: `resources` (definitions), `swagger` (OpenAPI), `jsonschema`, with `components`; as text by `yamltext`.
- Checks: `values`, `unions`, `updates`, each for some kinds of checks; `rulewriter` and `expressions` write CEL.
- Limits: `budget` keeps CEL within the cost that servers take, and omits refused parts, as `defaults` does.
- Manifests that users maintain: `patch` and `splice` replace the schema and nothing else.
- `node` is a schema under construction, with the places of checks, `contributions` the parts of one check, `findings`
  the omitted constraints.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from validation_gen.runtime.levels import DEFAULT_LEVEL, Level


class SchemaMode(str, enum.Enum):
    """Translation of rules to schemas.

    IDIOMATIC is handwritten style: an absent value and a zero value may have different verdicts. EXACT adds CEL until
    the verdict is that of the validators, as far as a schema can express it.
    """

    IDIOMATIC = "idiomatic"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class SchemaOptions:
    """The settings of a generation.

    `options` are the validation options that are on or off; one that is not named is off. Rules are kept from `level`
    on. `max_description` cuts descriptions to so many characters; `None` keeps them.
    """

    manner: SchemaMode = SchemaMode.IDIOMATIC
    options: Mapping[str, bool] = field(default_factory=dict)
    level: Level = DEFAULT_LEVEL
    max_description: int | None = None
    #: True to include tags; otherwise only types and markers, for validators that also check the tags.
    tags: bool = True

    @property
    def exact(self) -> bool:
        return self.manner is SchemaMode.EXACT

    def wants(self, level: str) -> bool:
        """Returns whether rules of a stability level are enforced."""
        return level not in self.level.hidden
