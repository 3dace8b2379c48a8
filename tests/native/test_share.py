"""Native code is sure of nearly all valid objects: whatever it is not sure of costs the time of Python.

The case folders are full of what real objects hardly ever have. Requests of which native code is not sure are named
here with the reason. Recorded requests for the packages of Kubernetes are no part of this project: see
`tests/test_upstream.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.case_folders import all_cases
from tests.decoded import case_of, sample
from tests.native.test_agreement import _kind
from tests.native.twoways import Asked, needs_native
from tests.upstream_packages import name_of, needs_vectors, path_of, registry, vectors
from validation_gen.runtime.operation import Operation

pytestmark = needs_native

#: Valid requests of case folders that are left to Python.
_LEFT = {
    "custom-validation: create-option-off": "a handwritten check depends on an option",
    "docs-1.35: each-key-unchanged": "names of maps that stand for numbers are all asked about",
    "each-key: update-unchanged-invalid": "names of maps that stand for numbers are all asked about",
    "if-enabled: update-unchanged-undefined": "an option is not defined",
    "if-mode: create-undefined-idle": "an option is not defined",
    "list-type: update-unchanged-invalid": "the same amount is written in another way",
    "min-items: update-null-to-empty": "a pointer to an empty list",
    "shape-arrays: fewer, more and none": "an array may be longer than it is",
    "shape-arrays: same": "an array may be longer than it is",
    "shape-arrays: absent": "an array may be longer than it is",
    "shape-foreign: create-valid": "a type that decodes itself",
    "shape-foreign: update-unchanged": "a type that decodes itself",
    "shape-recursion: forest-valid": "a kind that is no struct has no table",
    "shape-wellknown: create-valid": "a quantity is a number with a point",
    "shape-wellknown: create-other-forms": "bytes are a list of numbers",
    "shape-wellknown: update-equal": "the same value is written in another way",
    "shape-wellknown: update-zero": "the same value is written in another way",
    "shape-wellknown: update-struct-without-old-object": "an update without an old object",
    "unique: create-valid": "items differ in how they are written",
    "wrong-types: update-wrong-both": "an old value of the wrong type",
    "wrong-types: update-old-is-no-object": "an old value of the wrong type",
}
#: At most so few of a thousand valid objects of the recorded requests are left to Python.
_MOST_LEFT = {
    ("api", "create"): 1,
    ("api", "update"): 1,
    (".", "create"): 1,
    (".", "update"): 15,  # packages in which structs are asked about as a whole, or inlined by a pointer
}


def _of_cases() -> Iterator[tuple[str, Asked]]:
    for case in all_cases():
        for request in case.requests():
            kind = _kind(case, request)
            if kind is not None and request.subresource in (kind.subresources or ()):
                yield (
                    f"{case.name}: {request.name}",
                    Asked(
                        *(case.registry(), kind, request.obj, request.old, request.op == "update", request.options),
                        request.subresource,
                    ),
                )


def test_what_is_left_to_python_is_known() -> None:
    left = {name for name, asked in _of_cases() if not asked.certain() and not asked.errors()}
    assert left == set(_LEFT), (left - set(_LEFT), set(_LEFT) - left)


@needs_vectors
@pytest.mark.parametrize(("name", "op"), list(_MOST_LEFT))
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
            if registry(name)._validator(kinds[0])._acceptance is None or subresource not in (
                kinds[0].subresources or ()
            ):
                continue  # kinds that are no structs
            options = vector.get("options") or {}
            asked = Asked(
                registry(name), kinds[0], vector["obj"], vector.get("oldObj"), op == "update", options, subresource
            )
            told[asked.certain()] += 1
    assert told[True] > 100
    assert 1000 * told[False] <= _MOST_LEFT[name, op] * sum(told.values()), told


def test_options_that_a_kind_does_not_ask_for_make_no_tables() -> None:
    registry = sample().registry
    tables = []
    for kind in registry.kinds:
        acceptance = registry._validator(kind)._acceptance
        if acceptance is None:
            continue
        acceptance.forget()
        found = {id(acceptance.of(Operation({f"Other{i}": i % 2 == 0}, update=i % 3 == 0))) for i in range(200)}
        assert len(found) == 1
        tables.append(len({id(acceptance.of(Operation({"RobotSwarming": on}))) for on in (True, False)}))
    assert set(tables) == {1, 2}, "some kinds ask for it"


def test_there_is_a_bound_on_tables_and_none_of_them_stays_for_ever() -> None:
    """Handwritten checks may ask for any option, so that each set of options has a table of its own."""
    registry = case_of("custom-validation").registry
    (kind,) = registry.of_type("Dock")
    acceptance = registry._validator(kind)._acceptance
    assert acceptance is not None
    acceptance.forget()
    first = [acceptance.of(Operation({f"Option{i}": True})) for i in range(16)]
    assert None not in first
    assert acceptance.of(Operation({"Option0": True})) is first[0]
    waited = 0
    while acceptance.of(Operation({"Late": True})) is None:
        waited += 1
    assert 1000 < waited < 10_000
    assert acceptance.of(Operation({"Late": True})) is not None
    acceptance.forget()
