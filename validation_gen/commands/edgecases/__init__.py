"""Objects at the limits of rules, drawn from a program for tests of validators.

- `boundary_cases` finds for each declared rule a request that breaks it and a similar one that does not.
- `Drawing` draws requests of a kind from a source of choices, `Objects` single values.
- `shrink` makes a request as small as possible while a predicate holds.

Nothing here reads a file or prints.
"""

from validation_gen.commands.edgecases.cases import Case, boundary_cases
from validation_gen.commands.edgecases.drawing import Drawing
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.repairs import Probe, Subject, subject
from validation_gen.commands.edgecases.shrinking import shrink
from validation_gen.commands.edgecases.source import First, RandomSource, Source, seeded
from validation_gen.commands.edgecases.value_specs import ValueSpec, ValueSpecs

__all__ = [
    "Case",
    "Drawing",
    "First",
    "Objects",
    "Probe",
    "RandomSource",
    "Source",
    "Subject",
    "ValueSpec",
    "ValueSpecs",
    "boundary_cases",
    "seeded",
    "shrink",
    "subject",
]
