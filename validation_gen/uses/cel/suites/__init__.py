"""Table tests of CEL rules: what a file `*.celtest.yaml` says, and what becomes of its cases.

`keys` declares what may stand in such a file, `editors` makes a JSON Schema of that, and `reading` a `Suite`. `files`
finds the files and reads those that they name; `subjects` has what is tested: the version of a definition, or rules of
the file itself. `running` runs a case, `matching` compares errors with those that are expected. `coverage` knows which
rules have been seen to hold and to fail, and `told` makes a report of all.
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
