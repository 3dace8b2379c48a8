"""Table tests of CEL rules: reads `*.celtest.yaml`, runs the cases, and reports the results.

`keys` declares the keys of such a file, `editors` makes a JSON Schema of them, and `reading` a `Suite`. `files` finds
the files and reads those that they name; `subjects` has the tested version of a definition, or the rules of the file
itself. `running` runs a case, `matching` compares errors with the expected ones. `coverage` knows which rules have held
and failed, and `told` renders the report.
"""

from __future__ import annotations

from validation_gen.uses.cel.suites.coverage import Coverage
from validation_gen.uses.cel.suites.files import SUFFIXES, named
from validation_gen.uses.cel.suites.reading import Case, Suite, read_suites
from validation_gen.uses.cel.suites.running import Ran, run_all, run_case
from validation_gen.uses.cel.suites.subjects import Subjects

__all__ = [
    "SUFFIXES",
    "Case",
    "Coverage",
    "Ran",
    "Subjects",
    "Suite",
    "named",
    "read_suites",
    "run_all",
    "run_case",
]
