"""Kinds of other projects come back from their other version as they were: README.md says where they are from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.commands.conversions.run import check
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics

VARIABLE = "VALIDATION_GEN_CONVERSION_PARTIES"
OBJECTS = 10_000
PARTIES = Path(__file__).parent / "parties"
DIRECTORY = os.environ.get(VARIABLE, "")


@pytest.mark.skipif(
    not DIRECTORY,
    reason=f"{VARIABLE} must name a directory with the definitions of tests/webhooks/conversions/README.md",
)
@each(
    ("definition", "conversions", "versions"),
    [
        ("machinehealthchecks.yaml", "machinehealthcheck.py", {"v1beta1", "v1beta2"}),
        ("task.yaml", "task.py", {"v1beta1", "v1"}),
    ],
)
def test_objects_of_others_come_back(definition: str, conversions: str, versions: set[str]) -> None:
    diagnostics = Diagnostics()
    settings = Settings((), definitions=(str(Path(DIRECTORY, definition)),))
    found = check(settings, str(PARTIES / conversions), (), OBJECTS, 0, diagnostics)
    assert not diagnostics.has_errors
    assert found is not None
    assert {(trip.source, trip.target) for trip in found.trips} == {
        (one, other) for one in versions for other in versions if one != other
    }
    for trip in found.trips:
        assert (trip.objects, trip.problems, trip.unreached, trip.skipped) == (OBJECTS, [], [], [])
