"""Requests of every kind of every case, drawn and damaged: those that native code accepts are valid for Python.

Each run asks a few thousand. `VALIDATION_GEN_DRAWN=1000000` asks so many, and `pytest -s` then shows what became of
them.
"""

from __future__ import annotations

import copy
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.case_folders import all_cases
from tests.decoded import manifests, sample
from tests.native.damage import damaged, shaped
from tests.native.twoways import Asked, find_kind, needs_native
from tests.thorough import DRAWN, drawn
from tests.upstream_packages import CONFORMANCE, name_of, path_of, registry, vectors
from validation_gen.runtime.registry import Kind, Registry

pytestmark = needs_native


@dataclass(frozen=True, slots=True)
class _Known:
    """A request that is written down, of which others are made."""

    registry: Registry
    kind: Kind
    obj: Any
    old: Any = None
    options: Mapping[str, bool] | None = None
    subresource: str = "/"


def _known() -> list[_Known]:
    """Requests of cases and manifests, and those that are recorded where the environment names them."""
    found = []
    for case in all_cases():
        for request in case.requests():
            kind = find_kind(case, request)
            if kind is not None and isinstance(request.obj, dict):
                found.append(
                    _Known(case.registry(), kind, request.obj, request.old, request.options, request.subresource)
                )
    of_sample = [(obj, sample().registry.of_object(obj)) for obj in manifests()]
    options = {"RobotSwarming": True}
    found += [_Known(sample().registry, kind, obj, options=options) for obj, kind in of_sample if kind]
    for package, wanted in vectors().items() if CONFORMANCE else ():
        for vector in wanted:
            kinds = registry(name_of(package)).of_type(vector["kind"], path_of(package))
            subresource = "/" + "/".join(vector.get("subresources") or ())
            if len(kinds) == 1 and isinstance(vector["obj"], dict):
                rest = (vector.get("oldObj"), vector.get("options"), subresource)
                found.append(_Known(registry(name_of(package)), kinds[0], vector["obj"], *rest))
    return found


def _options(known: _Known, names: list[str], rng: random.Random) -> Mapping[str, bool] | None:
    """The options of a request, or other states of those that there are; each may be undefined."""
    share = rng.random()
    if share < 0.6 or not names:
        return known.options
    return {name: rng.random() < 0.5 for name in names if rng.random() < 0.8} if share < 0.9 else None


#: Texts that stand for the same value of some type.
_ALIKE: list[list[Any]] = [
    ["1", "1000m", 1, "1.0"],
    ["1Gi", "1024Mi"],
    ["500m", "0.5"],
    ["1h", "60m"],
    ["aGk=", [104, 105]],
    [0, "0", ""],
    ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2024-01-01T00:00:00.000000Z"],
]


def _rewritten(obj: Any, rng: random.Random) -> Any:
    """A copy in which single values are written in another way, which for some types is the same."""
    if isinstance(obj, dict):
        return {key: _rewritten(value, rng) for key, value in obj.items()}
    if isinstance(obj, list) and obj != [104, 105]:
        return [_rewritten(value, rng) for value in obj]
    return next((copy.copy(rng.choice(alike)) for alike in _ALIKE if obj in alike), obj)


def _changed(obj: Any, rng: random.Random) -> Any:
    share = rng.random()
    if share < 0.2:
        return copy.deepcopy(obj) if share < 0.1 else _rewritten(obj, rng)
    return damaged(obj, rng)


def _old(known: _Known, obj: Any, rng: random.Random) -> Any:
    """What was there before: mostly much the same, or something else, or nothing."""
    share = rng.random()
    if share < 0.3:
        return known.old if known.old is not None else known.obj
    if share < 0.85:
        return _changed(obj, rng)
    return shaped(known.registry._validator(known.kind).shape, rng) if share < 0.95 else None


def test_drawn_and_damaged() -> None:
    rng = random.Random(DRAWN)
    known = _known()
    kinds = list({(id(each.registry), id(each.kind)): each for each in known}.values())
    names: dict[int, set[str]] = {}
    for each in known:
        names.setdefault(id(each.registry), set()).update(each.options or ())
    told: Counter[str] = Counter()
    for _ in range((DRAWN or drawn(8000)) // 2):
        one = rng.choice(known) if rng.random() < 0.7 else rng.choice(kinds)
        obj = _changed(one.obj, rng) if rng.random() < 0.7 else shaped(one.registry._validator(one.kind).shape, rng)
        options = _options(one, sorted(names[id(one.registry)]), rng)
        for update in (False, True):
            old = _old(one, obj, rng) if update else None
            asked = Asked(one.registry, one.kind, obj, old, update, options, one.subresource)
            told[f"{'update' if update else 'create'}: {'certainly valid' if asked.agree() else 'unsure'}"] += 1
    asked_for = sum(told.values())
    assert all(told[f"{op}: certainly valid"] > asked_for // 40 for op in ("create", "update")), told
    sys.stderr.write(f"{asked_for} requests: {dict(told)}\n")
