"""What decoders of JSON and YAML return, drawn for the kinds of the case folders and of the sample API."""

from __future__ import annotations

import copy
import datetime
import functools
import math
from dataclasses import dataclass
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.case_folders import CASES, ROOT, Case, inside
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program, TypePlan
from validation_gen.runtime.registry import Kind, Registry

_SOME_CASES = [
    "each-key",
    "each-val",
    "format",
    "if-enabled",
    "immutable",
    "item",
    "list-map-key",
    "list-type",
    "shape-embedded",
    "shape-pointers",
    "shape-recursion",
    "shape-wellknown",
    "subfield",
    "union-discriminator",
    "wrong-types",
]


@dataclass(frozen=True)
class Subject:
    """A program with its validators."""

    program: Program
    registry: Registry

    @property
    def names(self) -> list[str]:
        """All names that objects of the program can have."""
        found = {member.json for members in self.program.structs.values() for member in members}
        return sorted({*found, "apiVersion", "kind", "unknown"})

    def plan(self, kind: Kind) -> TypePlan:
        return self.program.types[f"{kind.package}.{kind.name}"]


@functools.cache
def sample() -> Subject:
    """The sample API."""
    with inside(ROOT / "testdata" / "apis"):
        program = build_program(Settings((".",))).program
    return Subject(program, load_validators(program))


@functools.cache
def case_of(name: str) -> Subject:
    case = Case(CASES / name)
    return Subject(case.build().program, case.registry())


@functools.cache
def subjects() -> list[Subject]:
    return [sample(), *map(case_of, _SOME_CASES)]


@functools.cache
def manifests() -> list[dict[str, Any]]:
    files = sorted((ROOT / "testdata" / "manifests").glob("*.yaml"))
    documents = [d for file in files for d in yaml.safe_load_all(file.read_text(encoding="utf-8"))]
    return [d for d in documents if sample().registry.of_object(d) is not None]


# --- what decoders return -------------------------------------------------------------------------------------------

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.integers(),
    st.sampled_from([2**31, -(2**63), 2**64, -(10**400)]),
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf]),
    st.text(max_size=8),
    st.sampled_from(
        ["", "a", "main", "Camera", "1", "1Gi", "1h", "2024-01-01T00:00:00Z", "aGk=", "\ud800", "a\n", "/"]
    ),
    st.binary(max_size=4),
    st.dates(),
    st.datetimes(timezones=st.sampled_from([None, datetime.timezone.utc])),
)
odd_keys = st.one_of(
    st.text(max_size=3), st.integers(-2, 300), st.booleans(), st.none(), st.floats(), st.dates(), st.binary(max_size=2)
)


def values_with(names: list[str]) -> st.SearchStrategy[Any]:
    """Anything, often with names that mean something."""
    keys = st.one_of(st.sampled_from(names), st.sampled_from(names), odd_keys)
    return st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=6)),
        max_leaves=25,
    )


@st.composite
def mutants_of(draw: st.DrawFn, valid: Any, names: list[str]) -> Any:
    """A copy of an object with a few of its parts replaced, taken away or doubled."""
    whole = {"": copy.deepcopy(valid)}
    for _ in range(draw(st.integers(1, 3))):
        where: Any = whole
        while True:
            places = list(where) if isinstance(where, dict) else list(range(len(where)))
            place = draw(st.sampled_from(places))
            below = where[place]
            if not (isinstance(below, (dict, list)) and below) or draw(st.integers(0, 3)) == 0:
                break
            where = below
        action = draw(st.sampled_from(["replace", "drop", "double"]))
        if action == "drop" and where is not whole:
            del where[place]
        elif action == "double" and isinstance(where, list):
            where.append(copy.deepcopy(where[place]))
        else:
            where[place] = draw(values_with(names))
    return whole[""]
