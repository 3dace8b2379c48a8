"""Drawn objects, by schemas and by validators: how often the verdicts differ, and why.

`test_equivalence` asks an API server. This asks the little one, so that it runs everywhere: on the kinds of
`testdata/kinds-drawn` with many objects, and on others with a few.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from tests.case_folders import ROOT
from tests.emit.schema.equivalence import Outcome, subject
from tests.emit.schema.little import LittleServer
from tests.emit.schema.test_equivalence import claims, effects, general
from tests.tables import each
from validation_gen.emit.schema.manner import Manner
from validation_gen.rules.fidelity import Fidelity
from validation_gen.rules.registry import catalogue

KINDS, APIS = ROOT / "testdata" / "kinds-drawn", ROOT / "testdata" / "apis"
MANY, FEW = 60, 4

#: `tests/test_cases.py` asks the case folders.
each_folder = each("folder", [KINDS, APIS], ids=lambda folder: folder.name)


@cache
def judge_folder(folder: Path) -> tuple[Outcome, frozenset[str]]:
    """Returns the outcome of a folder in the exact manner, and the tags that are in the folder."""
    found = subject(folder)
    return found.judge(LittleServer(), Manner.EXACT, MANY if folder == KINDS else FEW), found.tags


def check_differences(folder: Path) -> None:
    """Checks that each difference has a listed cause, and each cause a section in the documentation."""
    outcome, tags = judge_folder(folder)
    surprises = [f"{n} times: {s} for {s.sample}" for s, n in outcome.surprises.most_common(3)]
    assert surprises == []
    declared = [claims(rule.schema, Manner.EXACT) for name, rule in catalogue().items() if name in tags]
    allowed = effects(tuple(d for each in (general(Manner.EXACT), *declared) for d in each))
    assert outcome.effects.keys() <= allowed, "a cause that no tag here declares"
    text = (ROOT / "docs" / "schema-mapping.md").read_text(encoding="utf-8")
    assert [cause for cause in outcome.reasons if f"\n### {cause.capitalize()}\n" not in text] == []


@each_folder
def test_every_difference_has_a_listed_cause(folder: Path) -> None:
    check_differences(folder)


def test_verdicts_of_the_kinds() -> None:
    """Where a verdict differs, the schema is stricter, for causes that show on updates or where items are together."""
    outcome, _ = judge_folder(KINDS)
    assert outcome.judged == 2 * 3 * MANY
    decisive = Counter({cause: n for (cause, effect), n in outcome.effects.items() if effect is Fidelity.STRICTER})
    assert decisive["items together"] > 0
    assert decisive["uncorrelated items"] > 0
    assert sum(decisive.values()) < outcome.judged / 2
