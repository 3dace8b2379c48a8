"""Drawn objects, by schemas and by validators: how often the verdicts differ, and why.

`test_equivalence` asks an API server. This asks the little one, so that it runs everywhere: on the kinds of
`testdata/kinds-drawn` with many objects, and on others with a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from site_articles import pages

from tests.case_folders import ROOT
from tests.emit.schema.equivalence import Outcome, subject
from tests.emit.schema.little import LittleServer
from tests.emit.schema.test_equivalence import claims, effects, general
from validation_gen.emit.schema import SchemaMode
from validation_gen.rules.differences import Fidelity
from validation_gen.rules.registry import catalogue
from validation_gen.runtime.registry import Kind

KINDS, APIS = ROOT / "testdata" / "kinds-drawn", ROOT / "testdata" / "apis"
MANY, FEW = 60, 4


@cache
def _judge_kinds() -> tuple[Outcome, frozenset[str]]:
    found = subject(KINDS)
    return found.judge(LittleServer(), SchemaMode.EXACT, MANY), found.tags


def check_differences(folder: Path, given: Sequence[tuple[Kind, Any, Any]] = ()) -> None:
    """Checks differences on a few drawn requests and on others, in the exact manner."""
    found = subject(folder)
    _check(found.judge(LittleServer(), SchemaMode.EXACT, FEW, given), found.tags)


def _check(outcome: Outcome, tags: Collection[str]) -> None:
    """Checks that each difference has a listed cause, and each cause a section in the documentation."""
    surprises = [f"{n} times: {s} for {s.sample}" for s, n in outcome.surprises.most_common(3)]
    assert surprises == []
    declared = [claims(rule.schema, SchemaMode.EXACT) for name, rule in catalogue().items() if name in tags]
    allowed = effects(tuple(d for each in (general(SchemaMode.EXACT), *declared) for d in each))
    assert outcome.effects.keys() <= allowed, "a cause that no tag here declares"
    text = pages()["schema-mapping.md"]
    assert [cause for cause in outcome.reasons if f"\n### {cause.capitalize()}\n" not in text] == []


def test_every_difference_has_a_listed_cause() -> None:
    """`tests/test_cases.py` checks the case folders."""
    _check(*_judge_kinds())
    check_differences(APIS)


def test_verdicts_of_the_kinds() -> None:
    """Where a verdict differs, the schema is stricter, for causes that show on updates or where items are together."""
    outcome, _ = _judge_kinds()
    assert outcome.judged == 2 * 3 * MANY
    decisive = Counter({cause: n for (cause, effect), n in outcome.effects.items() if effect is Fidelity.STRICTER})
    assert decisive["items together"] > 0
    assert decisive["uncorrelated items"] > 0
    assert sum(decisive.values()) < outcome.judged / 2
