"""Of a request with errors in one struct, only the function of that struct is called, with the same answer."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks.dense import API_VERSION, KIND, OPTIONS, TYPES, plant, registry
from tests.case_folders import all_cases
from tests.native.twoways import Asked, needs_native
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.sent import OF_ALL

pytestmark = needs_native


@cache
def _registry() -> Registry:
    return registry()


def _asked(obj: Any, old: Any = None) -> Asked:
    (kind,) = _registry().of_type(KIND)
    return Asked(_registry(), kind, obj, old, old is not None, OPTIONS)


def _located(obj: Any, old: Any = None) -> Any:
    """Returns the name of the struct whose functions are called, and its path; true or `None` if there is none."""
    found = _asked(obj, old).located()
    return (found[0].shape.name, "".join(reversed(found[3]))) if isinstance(found, tuple) else found


def test_the_dense_types_are_dense() -> None:
    program = build_program(Settings((str(TYPES),))).program
    own = [plan for plan in program.types.values() if plan.package == "example.com/plants/v1" or "plants" in plan.id]
    assert len(own) >= 30
    assert sum(plan.rule_count for plan in own) >= 150
    assert _asked(plant()).agree()
    assert _asked(plant(), plant()).agree()
    assert _located(plant()) is True


def _goods(spec: Any) -> None:
    spec["stores"]["warm"]["goods"][1]["grade"] = 9


def _two_goods(spec: Any) -> None:
    spec["stores"]["warm"]["goods"][1]["grade"] = spec["stores"]["warm"]["goods"][2]["count"] = -1


def _two_stores(spec: Any) -> None:
    spec["stores"]["warm"]["climate"]["celsius"] = spec["stores"]["cold"]["climate"]["celsius"] = 90


def _missing(spec: Any) -> None:
    del spec["lines"][1]["stations"][0]["task"]


def _wrong_type(spec: Any) -> None:
    spec["lines"][1]["belt"]["meters"] = "far"


def _same_names(spec: Any) -> None:
    spec["lines"][0]["stations"][1]["id"] = 1


def _part_of_item(spec: Any) -> None:
    spec["shifts"]["shifts"][1]["hours"]["close"] = 23


def _not_for_options(spec: Any) -> None:
    spec["drones"] = ["a", "b", "c", "d", "e"]


def _below_guards(spec: Any) -> None:
    spec["docks"][1]["lift"]["kilograms"] = 0


def _unknown(spec: Any) -> None:
    spec["power"]["grid"]["phases"] = 3.0


@each(
    ("change", "struct", "path"),
    [
        (_goods, "Goods", ".spec.stores[warm].goods[1]"),
        (_two_goods, "Store", ".spec.stores[warm]"),
        (_two_stores, "PlantSpec", ".spec"),
        (_missing, "Station", ".spec.lines[1].stations[0]"),
        (_wrong_type, "Belt", ".spec.lines[1].belt"),
        (_same_names, "Line", ".spec.lines[0]"),
        (_part_of_item, "Shift", ".spec.shifts.shifts[1]"),
        (_not_for_options, "PlantSpec", ".spec"),
        (_below_guards, "Lift", ".spec.docks[1].lift"),
        (_unknown, "Grid", ".spec.power.grid"),
    ],
)
def test_the_part_with_the_errors(change: Callable[[Any], None], struct: str, path: str) -> None:
    obj = copy.deepcopy(plant())
    change(obj["spec"])
    assert _located(obj) == (struct, path)
    # A float may say the same as the integer that was there, of which functions leave out more.
    assert _located(obj, plant()) == (None if change is _unknown else (struct, path))
    assert not _asked(obj).agree()
    assert not _asked(obj, plant()).agree()
    assert not replace(_asked(obj), update=True).agree()


def test_a_guard_stops_for_all_items() -> None:
    """An unset gate, which is required, silently stops the checks of all docks: no part below it has errors."""
    obj = plant()
    obj["spec"]["docks"][0]["ramp"]["degrees"] = obj["spec"]["docks"][1]["gate"] = 0
    assert _asked(obj).agree()
    assert _located(obj) is True
    obj["spec"]["lines"][0]["belt"]["meters"] = 0
    assert _located(obj) == ("Belt", ".spec.lines[0].belt")
    assert not _asked(obj).agree()
    obj["spec"]["docks"][1]["lift"]["kilograms"] = "heavy"
    assert not _asked(obj).agree()


@each(
    "steps",
    [
        ("other",),
        ("spec", "other"),
        ("spec", "lines", 1, "stations", 2, "task", "weld", "other"),
        ("spec", "stores", "warm", "goods", 0, "other"),
        ("status", "conditions", 0, "other"),
    ],
)
def test_unknown_fields(steps: tuple[Any, ...]) -> None:
    obj = plant()
    validator = _registry().validator(API_VERSION, KIND)
    validator._warmup_left = 0
    fastpath = validator._fastpath
    assert fastpath is not None
    known = fastpath.find_acceptor(Operation()).knows
    assert known(obj, OF_ALL)
    assert validator.find_unknown_fields(obj) == []
    where: Any = obj
    for step in steps[:-1]:
        where = where.setdefault(step, {}) if step == "weld" else where[step]
    where[steps[-1]] = {}
    assert not known(obj, OF_ALL)
    (path,) = validator.find_unknown_fields(obj)
    assert path.endswith("other")


@each("name", ["other", 1])
def test_unknown_names_change_no_item(name: Any) -> None:
    registry = next(case.registry() for case in all_cases() if case.name == "max-items")
    (kind,) = registry.of_type("Shelf")
    obj, old = {"books": [{"pages": 1}, {name: 300}]}, {"books": [{"pages": 1}, {"pages": 0}]}
    asked = Asked(registry, kind, obj, old, update=True, options=None)
    asked.agree()
    assert asked.errors() == []


def test_names_of_maps_and_metadata_are_known() -> None:
    obj = plant()
    obj["metadata"]["labels"] = {"other": ""}
    obj["spec"]["labels"]["other"] = obj["spec"]["stores"]["cold"]["goods"][0]["notes"]["other"] = "x"
    validator = _registry().validator(API_VERSION, KIND)
    validator._warmup_left = 0
    assert validator.find_unknown_fields(obj) == []
    assert _registry().validate(obj, options=OPTIONS) == []
