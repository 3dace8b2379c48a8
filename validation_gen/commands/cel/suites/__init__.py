"""Table tests of CEL rules: reads `*.celtest.yaml`, runs the cases, and reports the results.

`reading` declares the keys of such a file and makes a `Suite` of it. `files` finds the files and reads those that they
name; `subjects` has the tested version of a definition, or the rules of the file itself. `running` runs a case, and
`report` renders the report, with the rules that have held and failed.
"""

from __future__ import annotations

from validation_gen.commands.cel.suites.files import SUFFIXES, find_test_files
from validation_gen.commands.cel.suites.reading import Case, Suite, read_suites
from validation_gen.commands.cel.suites.report import Coverage
from validation_gen.commands.cel.suites.running import Ran, run_all, run_case
from validation_gen.commands.cel.suites.subjects import Subjects

__all__ = [
    "SUFFIXES",
    "Case",
    "Coverage",
    "Ran",
    "Subjects",
    "Suite",
    "find_test_files",
    "read_suites",
    "run_all",
    "run_case",
]
