"""Drawn requests find what somebody has got wrong, and are the same each time."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.mutants import shifted
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.compare.comparison import MissingHypothesisError, fuzz
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.coverage import list_declared_errors, roots
from validation_gen.commands.edgecases import ValueSpecs, subject
from validation_gen.commands.edgecases.changes import find_paths, is_free
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program, Scalar
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

APIS = Path(__file__).parents[3] / "testdata" / "apis"
NUMBER = 500

#: Limits that make no difference when they are moved: the value on the other side of them counts as unset, about which
#: `+k8s:optional` lets no rule speak, and `+k8s:required` no other rule.
UNNOTICED = {
    ("pool_types.go", "+k8s:minimum=0, +1"),
    ("robot_types.go", "+k8s:minimum=1, -1"),
    ("route_types.go", "+k8s:minimum=1, -1"),
}


@cache
def apis() -> tuple[Program, Registry]:
    program = build_program(Settings((str(APIS),))).program
    return program, load_validators(program)


@cache
def requests(number: int = NUMBER) -> tuple[Request, ...]:
    return tuple(fuzz(*apis(), number, seed=1))


def answer(registry: Registry, request: Request) -> list[FieldError]:
    (kind,) = registry.of_type(request.kind, request.package)
    return registry.run(
        kind,
        request.obj,
        request.old,
        update=request.update,
        options=request.options,
        subresource=request.subresource,
        level="alpha",
    )


@cache
def answers() -> tuple[list[FieldError], ...]:
    return tuple(answer(apis()[1], request) for request in requests())


def said(errors: list[FieldError]) -> set[tuple[str, str, str]]:
    return {(error.type.value, error.field, error.origin) for error in errors}


def test_every_kind_and_operation_is_drawn() -> None:
    seen = Counter((r.package, r.kind, r.update, r.subresource) for r in requests(1500))
    for package, root in roots(apis()[0]):
        for update in (False, True):
            for path in root.subresources:
                assert seen[package.path, root.kind, update, path] > 3, (root.kind, update, path)
    assert {state for r in requests() for state in r.options.items()} == {
        ("FlightPermits", False),
        ("FlightPermits", True),
        ("RobotSwarming", False),
        ("RobotSwarming", True),
    }


@each("number", [0, 1, 7, 100, 500, 1000])
def test_there_are_as_many_as_are_asked_for(number: int) -> None:
    assert len(requests(number)) == number


def test_boundaries_come_first_and_each_once() -> None:
    places = [request.place.partition(":")[0] for request in requests()]
    assert places == sorted(places)
    assert 300 < places.count("boundary") < 440
    lines = [json.dumps(r.as_line(0)) for r in requests() if r.place.startswith("boundary")]
    assert len(set(lines)) == len(lines)


def test_some_kinds_can_be_asked_for() -> None:
    program, registry = apis()
    robots = registry.of_type("Robot", "robots/v1")
    assert {(r.package, r.kind) for r in fuzz(program, registry, 300, 1, robots)} == {(robots[0].package, "Robot")}


def test_types_that_no_object_names_can_be_asked_for() -> None:
    program, registry = apis()
    drives = registry.of_type("Drive", "robots/v1")
    found = list(fuzz(program, registry, 100, 1, drives))
    assert {r.kind for r in found} == {"Drive"}
    assert len(found) == 100
    assert any(answer(registry, r) for r in found)


def test_everything_decodes() -> None:
    types = {error.type.value for request in requests(1500) for error in answer(apis()[1], request)}
    assert not types & {"FieldValueTypeInvalid", "InternalError"}


def test_another_seed_draws_others() -> None:
    program, registry = apis()
    one, other = ({json.dumps(r.as_line(0)) for r in fuzz(program, registry, NUMBER, seed)} for seed in (1, 2))
    number = sum(1 for r in requests() if r.place.startswith("drawn"))
    assert len(one - other) > number * 0.8


_DIGEST = """
import hashlib, json, sys
from tests.commands.compare.test_fuzz import digest
print(digest())
"""


def digest() -> str:
    lines = [json.dumps(request.as_line(0)) for request in requests(500)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_same_seed_draws_the_same_in_every_process() -> None:
    """Compares with a process that has another hash seed."""
    environ = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(APIS.parents[1])}
    done = subprocess.run([sys.executable, "-c", _DIGEST], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


def test_who_has_no_hypothesis_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(MissingHypothesisError, match=r"pip install 'validation-gen\[fuzz\]'"):
        fuzz(*apis(), 1, 1)


# --- what is found ---------------------------------------------------------------------------------------------------


def test_each_rule_that_is_forgotten_is_found() -> None:
    forgotten = {(r.tag, r.place) for r in list_declared_errors(apis()[0])}
    assert len(forgotten) > 150
    for tag, place in forgotten:

        def counts(error: FieldError, rule: tuple[str, str] = (tag, place)) -> bool:
            return (error.tag, error.rule.place) != rule

        assert any(said(e) != said([x for x in e if counts(x)]) for e in answers()), (tag, place)


@pytest.mark.slow  # the rules above are left out; these are another one, and the validators are made of each
def test_each_limit_that_is_off_by_one_is_found() -> None:
    """A quarter of the limits, others each time, and those that make no difference."""
    unnoticed = set()
    mutants = list(shifted(apis()[0]))
    assert len(mutants) > 100
    chosen = random.sample(mutants, drawn(len(mutants)))
    chosen += [mutant for mutant in mutants if _called(mutant.name) in UNNOTICED and mutant not in chosen]
    for mutant in chosen:
        registry = load_validators(mutant.program)
        pairs = zip(requests(), answers(), strict=True)
        if not any(said(answer(registry, request)) != said(errors) for request, errors in pairs):
            unnoticed.add(_called(mutant.name))
    assert unnoticed == UNNOTICED


def _called(name: str) -> tuple[str, str]:
    """The file and the limit of a mutant."""
    file, _, what = name.rpartition("/")[2].partition(":")
    return file, what.partition(": ")[2]


#: What people check by hand where no tag says anything.
CHECKS: dict[str, Any] = {
    "longer than 63": lambda value: isinstance(value, str) and len(value) > 63,
    "longer than 253": lambda value: isinstance(value, str) and len(value) > 253,
    "empty": lambda value: value == "",
    "upper case": lambda value: isinstance(value, str) and value != value.lower(),
    "dots": lambda value: isinstance(value, str) and "." in value,
    "blanks": lambda value: isinstance(value, str) and " " in value,
    "letters beyond ASCII": lambda value: isinstance(value, str) and not value.isascii(),
    "negative": lambda value: isinstance(value, int) and value < 0,
    "zero": lambda value: value == 0,
    "above 100": lambda value: isinstance(value, int) and value > 100,
    "above 65535": lambda value: isinstance(value, int) and value > 65535,
}


def test_what_is_checked_by_hand_where_no_tag_is_is_found() -> None:
    program, registry = apis()
    places = ValueSpecs(program)
    missed = Counter[str]()
    for package, root in roots(program):
        kind = subject(places, registry, package, root)
        assert kind is not None
        objects = [r.obj for r in requests(1500) if (r.package, r.kind) == (package.path, root.kind)]
        for way, place in find_paths(kind.place):
            if is_free(place) and isinstance(place.value, Scalar) and all(isinstance(turn, str) for turn in way):
                values = [value for obj in objects for value in _at(obj, way)]
                text = place.value.go == "string"
                for name, check in islice(CHECKS.items(), 0 if text else 7, 7 if text else None):
                    if place.value.go != "bool" and not any(map(check, values)):
                        missed[f"{root.kind}.{'.'.join(map(str, way))}: {name}"] += 1
    assert len(missed) <= 10, missed


def _at(obj: Any, way: tuple[Any, ...]) -> list[Any]:
    for turn in way:
        if not isinstance(obj, dict) or turn not in obj:
            return []
        obj = obj[turn]
    return [obj]
