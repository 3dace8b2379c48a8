"""What the catalogue says of schemas is true: an API server comes to the verdicts that the declarations promise.

`VALIDATION_GEN_EQUIVALENCE` is the number of objects of each type that are drawn; more of them find more.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.apiserver import ApiServer
from tests.case_folders import CASES
from tests.emit.schema.equivalence import Outcome, Subject, subject
from tests.emit.schema.normalisations import IN_IDIOMATIC
from tests.emit.schema.test_differences import EXAMPLES
from validation_gen.emit.schema import SchemaMode
from validation_gen.rules.differences import (
    GENERAL,
    GENERAL_IDIOMATIC,
    OF_ERRORS,
    OPTIONS,
    TOO_COSTLY,
    Difference,
    Fidelity,
    SchemaForm,
)
from validation_gen.rules.registry import catalogue

VARIABLE = "VALIDATION_GEN_EQUIVALENCE"
#: For so many, answers are recorded.
RECORDED = 50
NUMBER = int(os.environ.get(VARIABLE, RECORDED))

#: New case folders whose answers are not recorded yet (`tests/apiserver/README.md`).
UNRECORDED: tuple[str, ...] = ()
#: Sources that are wrong on purpose have nothing to judge.
FOLDERS = [
    CASES.parent / "apis",
    *(
        path
        for path in sorted(CASES.iterdir())
        if (path / "objects.yaml").exists() and path.name not in UNRECORDED and not path.name.startswith("errors-")
    ),
]
#: Differences that are not looked for: both sides have the same options here, and rules stay whatever they cost.
UNSEEN = (OPTIONS, TOO_COSTLY)

each_manner = pytest.mark.parametrize(
    "manner",
    [
        SchemaMode.EXACT,
        *(pytest.param(each, marks=pytest.mark.slow) for each in SchemaMode if each is not SchemaMode.EXACT),
    ],
)


@cache
def _subject(folder: Path) -> Subject:
    return subject(folder)


def claims(form: SchemaForm, manner: SchemaMode) -> tuple[Difference, ...]:
    return form.exact if manner is SchemaMode.EXACT else form.idiomatic


def general(manner: SchemaMode) -> tuple[Difference, ...]:
    return GENERAL if manner is SchemaMode.EXACT else (*GENERAL, *GENERAL_IDIOMATIC)


def effects(differences: tuple[Difference, ...]) -> set[tuple[str, Fidelity]]:
    """What may be seen of differences. What is not expressible is missing in the schema."""
    missing = {Fidelity.NOT_EXPRESSIBLE: Fidelity.LOOSER}
    return {(d.name, missing.get(effect, effect)) for d in differences for effect in d.effects}


def problems(server: ApiServer, folder: Path, manner: SchemaMode, outcome: Outcome) -> Iterator[str]:
    """Yields what is wrong with the schemas of a folder."""
    for surprise, number in outcome.surprises.items():
        # In the idiomatic manner only verdicts are promised.
        if surprise.different or manner is SchemaMode.EXACT:
            yield f"{number} times: {surprise} for {surprise.sample}"
    declared = [claims(rule.schema, manner) for name, rule in catalogue().items() if name in _subject(folder).tags]
    allowed = effects(tuple(d for each in (general(manner), *declared) for d in each))
    for name, effect in outcome.effects.keys() - allowed:
        yield f"the verdicts differ, and no tag declares it: {name} ({effect.value})"
    for crd in _subject(folder).definitions(manner):
        for error in server.check_crd(crd):
            yield f"{crd['metadata']['name']} is refused: {error}"


@each_manner
def test_verdicts_differ_only_as_the_tags_declare(apiserver: ApiServer, manner: SchemaMode) -> None:
    """And what is declared is seen."""
    found, seen = [], Counter[tuple[str, Fidelity]]()
    for folder in FOLDERS:
        outcome = _subject(folder).judge(apiserver, manner, NUMBER)
        found += [f"{folder.name}: {problem}" for problem in problems(apiserver, folder, manner, outcome)]
        seen += outcome.effects
    declared = {d for rule in catalogue().values() for d in claims(rule.schema, manner)}
    examples = {(example.difference.name, example.effect) for example in EXAMPLES if manner in example.manners}
    missing = effects((*general(manner), *declared)) - effects(UNSEEN) - examples - seen.keys()
    assert not found, "\n".join(found)
    assert missing == set(), "nothing of this kind has been seen; draw more objects, or the claim is wrong"


def test_reasons_are_those_of_the_catalogue() -> None:
    declared = {d for rule in catalogue().values() for d in (*rule.schema.idiomatic, *rule.schema.exact)}
    known = {d.name for d in (*declared, *GENERAL, *GENERAL_IDIOMATIC, *OF_ERRORS)}
    examples = {example.difference.name for example in EXAMPLES}
    assert {reason.name for reason in IN_IDIOMATIC} | examples == known - {d.name for d in UNSEEN}
