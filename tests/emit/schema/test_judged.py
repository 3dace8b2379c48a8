"""Where schemas are exact, `jsonschema` and a CEL engine come to the verdict of the validators on random objects."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.emit.schema.drawn import Drawn
from tests.emit.schema.judge import Error, Judge, defaulted
from tests.thorough import drawn
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.resources import Definition, ResourceEmitter, definitions
from validation_gen.ir import Program, Root
from validation_gen.runtime.registry import Registry

APIS = Path(__file__).parents[3] / "testdata" / "apis"
#: API servers have no such types.
_AS_INVALID = {"FieldValueTooFew", "FieldValueTooShort"}
_OPTIONS = {"FlightPermits": False, "RobotSwarming": False}
#: A type inside itself is not spelt out again.
_CUT = ".otherwise."
_OPAQUE = "status.lastAppliedSpec."


@cache
def _apis() -> tuple[Program, Registry]:
    program = build_program(Settings((str(APIS),), every_kind=True)).program
    return program, load_validators(program)


#: Listed, so that collection need not build their program.
ROOTS = [
    ("example.com/fleet/missions/v1alpha1", "Mission"),
    ("example.com/fleet/missions/v1alpha1", "Route"),
    ("example.com/fleet/robots/v1", "RobotPool"),
    ("example.com/fleet/robots/v1beta1", "Robot"),
    ("example.com/fleet/robots/v1", "Robot"),
]


def test_all_kinds_are_judged() -> None:
    assert list(_roots()) == ROOTS


def _roots() -> Iterator[tuple[str, str]]:
    for definition in definitions(_apis()[0]):
        for package, root in definition.versions:
            yield package.path, root.kind


@dataclass(frozen=True)
class _Case:
    judge: Judge
    root: Root
    api_version: str
    left_out: frozenset[str]

    def errors(self, obj: Any, old: Any = None) -> tuple[set[Error], set[str]]:
        """The errors of the validators as API servers would call them, and the paths of those that the schema lacks."""
        registry = _apis()[1]
        kind = registry.of_object(obj)
        assert kind is not None
        errors = registry.run(kind, obj, old, update=old is not None, options=_OPTIONS)
        left_out = {_dotted(e.field) for e in errors if e.tag in self.left_out or _CUT in e.field}
        named = {
            ("FieldValueInvalid" if e.type.value in _AS_INVALID else e.type.value, _dotted(e.field)) for e in errors
        }
        return {e for e in named if e[1] not in left_out}, left_out


@cache
def _case(package: str, kind: str) -> _Case:
    program = _apis()[0]
    plan = program.packages[package]
    root = next(r for r in plan.roots if r.kind == kind)
    definition = Definition(plan.group, kind)
    schema = ResourceEmitter(program, SchemaOptions(SchemaMode.EXACT)).schema(root, definition)
    left_out = {
        excess.rule.tag.text for excess in definition.excesses if excess.rule.tag is not None and excess.dropped
    }
    return _Case(
        Judge(schema.as_json()), root, plan.api_version, frozenset(left_out | {g.tag.text for g in definition.gaps})
    )


def _dotted(path: str) -> str:
    """Keys of maps as part of a path with dots, which is how API servers write the errors of keywords.

    Indexes are written so, too, as keys may look like them.
    """
    return re.sub(r"\[([^\]]*)\]", r".\1", path)


@pytest.mark.parametrize(("package", "kind"), ROOTS)
@settings(max_examples=drawn(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_creates(package: str, kind: str, seed: int) -> None:
    case = _case(package, kind)
    drawn = Drawn(_apis()[0], random.Random(seed)).root(case.root.type, kind, case.api_version)
    obj = defaulted(case.judge.schema, drawn)
    ours, left_out = case.errors(obj)
    judged = case.judge.verdict(obj)
    theirs = {(type, _dotted(path)) for type, path in judged.errors}
    # Lists of an opaque type keep their kind, for those who merge them.
    theirs = {e for e in theirs if e[1] not in left_out and not e[1].startswith(_OPAQUE)}
    assert bool(ours) == bool(theirs), (ours, theirs, obj)
    # Each value that is there several times is reported once, and what stops validators does not stop keywords.
    missing = {e for e in ours - theirs if e[0] != "FieldValueDuplicate"}
    # Rules of keys are CEL, which knows no other reason.
    long = {path for type, path in ours if type == "FieldValueTooLong" and ("FieldValueInvalid", path) in theirs}
    missing = {e for e in missing if e[1] not in long}
    assert judged.blocked or not missing, (missing, obj)
    stops = [path for type, path in ours if type in ("FieldValueTooMany", "FieldValueForbidden")]
    # Unions count the items of a list, two with the same key as two.
    stops += [path.rpartition(".")[0] for type, path in ours if type == "FieldValueDuplicate"]
    extra = {e for e in theirs - ours if e[1] not in long and not any(e[1].startswith(stop) for stop in stops)}
    assert not extra, (extra, obj)
