"""Validators of types in which nearly each field has rules: 30 types, more than 150 rules.

Times are shown beside what it takes to read the object's JSON, in one run: `python -m benchmarks.dense`.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.objects import Subject, edited
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.registry import Registry

TYPES = Path(__file__).parent / "v1"
OPTIONS = {"Drones": True, "Lasers": False}
API_VERSION, KIND = "plants.example.com/v1", "Plant"
ROUNDS = 15
_CALLS = 40

Call = Callable[[], Any]


def registry() -> Registry:
    """Returns the validators of the types."""
    program = build_program(Settings((str(TYPES),))).program
    return load_validators(program)


def plant() -> dict[str, Any]:
    """Returns a valid object that has all fields."""
    tasks: list[dict[str, Any]] = [
        {"type": "Weld", "weld": {"degrees": 1200, "gas": "argon"}},
        {"type": "Cut", "cut": {"depth": 4, "blade": "steel"}},
        {"type": "Check", "check": {"questions": ["is it round?", "is it red?"], "share": 10}},
    ]
    tools = [{"name": f"tool-{i}", "weight": 3 + i, "maker": "ACME", "range": {"low": 1, "high": 90}} for i in range(3)]
    tools[0]["serial"] = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    stations = [
        {
            "id": i + 1,
            "title": f"station {i}",
            "tools": tools,
            "limits": {"noise": 80, "heat": 40},
            "task": tasks[i],
            "skills": ["welding", "reading"],
        }
        for i in range(3)
    ]
    belts = [{"meters": 30, "drive": "Chain", "links": 300}, {"meters": 12, "drive": "Air", "bar": 8}]
    lines = [
        {
            "name": name,
            "kind": kind,
            "speed": 20,
            "stations": stations,
            "supervisor": "kim",
            "belt": belts[i],
            "since": "2024-05-01T12:00:00Z",
        }
        for i, (name, kind) in enumerate([("main", "Assembly"), ("side", "Packing")])
    ]
    hours = [{"open": 6, "close": 20}, {"open": 7, "close": 18}]
    goods = [{"kind": "screws", "grade": i, "count": 1000, "notes": {"from": "north"}} for i in range(1, 4)]
    store = {"aisle": "A", "capacity": "10Gi", "goods": goods, "climate": {"celsius": 18, "humidity": 40}}
    spec: dict[str, Any] = {
        "site": "north-1",
        "owner": "team north",
        "floors": 2,
        "lines": lines,
        "docks": [
            {"name": "east", "gate": 1, "hours": hours, "port": 80, "ramp": {"degrees": 8}},
            {"name": "west", "gate": 2, "hours": hours, "port": "http", "lift": {"kilograms": 900, "runs": 12}},
        ],
        "labels": {"app": "plant", "example.com/tier": "one"},
        "stores": {"cold": store, "warm": store},
        "power": {"grid": {"meter": "M-17", "phases": 3}, "kilowatts": 400},
        "safety": {"retries": 3, "zones": ["red", "blue"], "delay": "5s", "hosts": ["alarm.example.com"]},
        "drones": ["d-1", "d-2"],
        "shifts": {
            "shifts": [
                {"name": "early", "workers": 20, "hours": {"open": 6, "close": 14}},
                {"name": "late", "workers": 12, "hours": {"open": 14, "close": 22}},
            ],
            "weeks": 4,
        },
        "contacts": [{"name": "Kim", "mail": "kim@example.com", "phone": "+49 1"}],
        "remark": "none",
        "budget": {"amount": 100000, "currency": "EUR", "months": [1, 2, 3]},
    }
    status = {"ready": 1, "conditions": [{"type": "Ready", "status": "True", "message": "all is well"}]}
    found = {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": "north"}, "spec": spec, "status": status}
    return copy.deepcopy(json.loads(json.dumps(found)))


_TYPED = [
    (("spec", "owner"), "x"),
    (("spec", "floors"), 65),
    (("spec", "lines", 0, "kind"), "Baking"),
    (("spec", "docks", 0, "gate"), 120),
    (("spec", "docks", 1, "hours", 0, "close"), 30),
    (("spec", "stores", "cold", "climate", "celsius"), 80),
    (("spec", "shifts", "shifts", 0, "workers"), 300),
    (("spec", "budget", "currency"), "EURO"),
]
#: Others know most of its rules, but neither options nor unions, modes and rules about keys of maps or parts of items.
SUBJECT = Subject(
    key="dense",
    title="Dense kind",
    api_version=API_VERSION,
    kind=KIND,
    build=plant,
    one=(("spec", "stores", "warm", "goods", 1, "grade"), 9),
    ten=[*_TYPED, (("spec", "lines", 1, "speed"), "fast"), (("spec", "lines", 0, "stations", 1, "title"), 5)],
    ten_typed=[
        *_TYPED,
        (("spec", "lines", 1, "speed"), 2000),
        (("spec", "lines", 0, "stations", 1, "title"), "x" * 50),
    ],
    change=(("spec", "lines", 1, "stations", 2, "limits", "heat"), 41),
    options=OPTIONS,
    is_drawn=False,
)


def calls() -> dict[str, tuple[Call, int]]:
    """Returns what is measured by name, with the number of errors that it must give."""
    validators = registry()
    validator = validators.validator(API_VERSION, KIND)
    obj = plant()
    text = json.dumps(obj)
    same, changed, wrong = json.loads(text), edited(obj, SUBJECT.change), edited(obj, SUBJECT.one)
    ten = edited(obj, *SUBJECT.ten)
    return {
        "json.loads": (lambda: json.loads(text) and [], 0),
        "valid create": (lambda: validator(obj, options=OPTIONS), 0),
        "unchanged update": (lambda: validator(same, obj, options=OPTIONS), 0),
        "update of one value": (lambda: validator(changed, obj, options=OPTIONS), 0),
        "one error": (lambda: validator(wrong, options=OPTIONS), 1),
        "ten errors": (lambda: validator(ten, options=OPTIONS), 10),
        "one error in an update": (lambda: validator(wrong, obj, options=OPTIONS), 1),
        "registry.validate": (lambda: validators.validate(obj, type=KIND, options=OPTIONS), 0),
    }


def measure(rounds: int = ROUNDS, number: int = _CALLS) -> dict[str, float]:
    """Returns the least time of a call by name, in seconds of so many calls a round; all take turns."""
    measured = calls()
    best = dict.fromkeys(measured, float("inf"))
    for call, errors in measured.values():
        for _ in range(50):
            found = call()
        assert len(found) == errors, found
    for _ in range(rounds):
        for name, (call, _) in measured.items():
            start = time.process_time()
            for _ in range(number):
                call()
            best[name] = min(best[name], (time.process_time() - start) / number)
    return best
