"""Native code is sure of nearly all valid objects: whatever it is not sure of costs the time of Python.

At most one valid request in a thousand is left to Python, of the case folders and of recorded requests. The case
folders are full of what real objects hardly ever have, of which native code does not want to be sure (`_why_odd`): such
requests are counted apart. Recorded requests for the packages of Kubernetes are no part of this project: see
`tests/test_upstream.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.case_folders import all_cases
from tests.decoded import case_of, sample
from tests.native.twoways import Asked, find_kind, needs_native
from tests.tables import each
from tests.upstream_packages import name_of, needs_vectors, path_of, registry, vectors
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import Struct

pytestmark = needs_native

#: At most so many of a thousand valid requests are left to Python.
_MOST_LEFT = 1
#: Valid requests of cases that native code leaves, and the reason.
_LEFT = {"subfield-guard: update-a-can-with-another-seal": "a guard that says nothing ends the checks of a whole list"}


def _parts(value: Any) -> Iterator[Any]:
    """A value, and all that is in it."""
    waiting = [value]
    while waiting:
        yield (part := waiting.pop())
        if isinstance(part, dict | list):
            waiting += [*part, *part.values()] if isinstance(part, dict) else part


def _why_odd(shape: Shape, value: Any) -> str:
    """Why native code need not be sure of a value of a shape. Empty for what readers of JSON give of usual objects."""
    if not (isinstance(shape, Struct) and isinstance(value, dict)):
        return "no object, or of a kind that is no struct"
    for part in _parts(value):
        if part is None:
            return "holds null"
        if isinstance(part, float):
            return "holds a float"
        if type(part) not in (dict, list, str, int, bool):
            return "holds a subclass"
        if isinstance(part, str) and not part.isascii() and part != part.encode(errors="replace").decode():
            return "holds half of a surrogate pair"
    return "" if shape.recover(value) is None else "holds a value of the wrong type"


def _oddity(asked: Asked) -> str:
    """The same for a request."""
    shape = asked.registry._validator(asked.kind).shape
    old = asked.old if asked.update and asked.old is not None else {}
    return _why_odd(shape, asked.obj) or _why_odd(shape, old)


def _of_cases() -> Iterator[tuple[str, Asked]]:
    for case in all_cases():
        for request in case.requests():
            kind = find_kind(case, request)
            if kind is not None and request.subresource in (kind.subresources or ()):
                yield (
                    f"{case.name}: {request.name}",
                    Asked(
                        *(case.registry(), kind, request.obj, request.old, request.op == "update", request.options),
                        request.subresource,
                    ),
                )


@pytest.mark.parametrize("update", [False, True])
def test_cases(update: bool) -> None:
    told: Counter[bool] = Counter()
    left: dict[str, Asked] = {}
    odd: Counter[str] = Counter()
    for name, asked in _of_cases():
        if asked.update is not update or asked.errors():
            continue
        if why := _oddity(asked):
            odd[why] += 1
            continue
        if name not in _LEFT:
            told[asked.certain()] += 1
        if not asked.certain():
            left[name] = asked
    assert not (_LEFT.keys() - left.keys() if update else set()), "native code is sure of these now"
    assert told[True] > 80
    assert 1000 * told[False] <= _MOST_LEFT * told.total(), left
    assert 4 * odd.total() < told.total(), odd


_USUAL: dict[str, Any] = {"name": "a", "number": 5, "inner": {"b": 1}}


@each(
    ("obj", "why"),
    [
        (_USUAL, ""),
        ({**_USUAL, "name": "é\U0001f600"}, ""),
        ({**_USUAL, "other": True}, ""),
        ({**_USUAL, "name": None}, "holds null"),
        ({**_USUAL, "number": 5.0}, "holds a float"),
        ({**_USUAL, "number": True}, "holds a value of the wrong type"),
        ({**_USUAL, "number": 2**63}, "holds a value of the wrong type"),
        ({**_USUAL, "inner": []}, "holds a value of the wrong type"),
        ({**_USUAL, "inner": Counter(b=1)}, "holds a subclass"),
        ({**_USUAL, "name": "a\ud800"}, "holds half of a surrogate pair"),
        ([_USUAL], "no object, or of a kind that is no struct"),
    ],
)
def test_what_is_odd(obj: Any, why: str) -> None:
    """Were usual objects odd, too, the shares of others would say nothing."""
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    assert _oddity(Asked(registry, kind, obj)) == why
    assert _oddity(Asked(registry, kind, _USUAL, obj, update=True)) == why
    assert not why or not Asked(registry, kind, obj).certain() or obj["name"] is None


@needs_vectors
@each(("name", "op"), [("api", "create"), ("api", "update"), (".", "create"), (".", "update")])
def test_recorded_requests(name: str, op: str) -> None:
    told: Counter[bool] = Counter()
    for package, wanted in vectors().items():
        if name_of(package) != name:
            continue
        for vector in wanted:
            kinds = registry(name).of_type(vector["kind"], path_of(package))
            subresource = "/" + "/".join(vector.get("subresources") or ())
            if vector["op"] != op or vector["errors"] or len(kinds) != 1:
                continue
            if registry(name)._validator(kinds[0])._fastpath is None or subresource not in (
                kinds[0].subresources or ()
            ):
                continue  # kinds that are no structs
            options = vector.get("options") or {}
            asked = Asked(
                registry(name), kinds[0], vector["obj"], vector.get("oldObj"), op == "update", options, subresource
            )
            told[asked.certain()] += 1
    assert told[True] > 100
    assert 1000 * told[False] <= _MOST_LEFT * told.total(), told


def test_options_that_a_kind_does_not_ask_for_make_no_tables() -> None:
    registry = sample().registry
    tables = []
    for kind in registry.kinds:
        fastpath = registry._validator(kind)._fastpath
        if fastpath is None:
            continue
        fastpath.clear()
        found = {
            id(fastpath.find_acceptor(Operation({f"Other{i}": i % 2 == 0}, update=i % 3 == 0))) for i in range(200)
        }
        assert len(found) == 1
        tables.append(len({id(fastpath.find_acceptor(Operation({"RobotSwarming": on}))) for on in (True, False)}))
    assert set(tables) == {1, 2}, "some kinds ask for it"


def test_there_is_a_bound_on_tables_and_none_of_them_stays_for_ever() -> None:
    """Handwritten checks may ask for any option, so that each set of options has a table of its own."""
    registry = case_of("custom-validation").registry
    (kind,) = registry.of_type("Dock")
    fastpath = registry._validator(kind)._fastpath
    assert fastpath is not None
    fastpath.clear()
    first = [fastpath.find_acceptor(Operation({f"Option{i}": True})) for i in range(16)]
    assert None not in first
    assert fastpath.find_acceptor(Operation({"Option0": True})) is first[0]
    waited = 0
    while fastpath.find_acceptor(Operation({"Late": True})) is None:
        waited += 1
    assert 1000 < waited < 10_000
    assert fastpath.find_acceptor(Operation({"Late": True})) is not None
    fastpath.clear()
