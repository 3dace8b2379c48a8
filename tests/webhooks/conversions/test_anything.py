"""Whatever objects hold: there and back nothing is lost, and what cannot be converted is told."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from tests.webhooks.conversions.robots import robot
from validation_gen.webhooks.conversions import (
    KEPT,
    Constant,
    Conversion,
    ConversionError,
    Converter,
    Default,
    FieldOnlyIn,
    Move,
    Rename,
    Split,
    Values,
    Wrap,
)

NAMES = st.sampled_from(["a", "b", "c", "d", "name"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["", "a", "b", "a/b/c"]))
VALUES = st.recursive(
    LEAVES,
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(NAMES, inside, max_size=4)),
    max_leaves=12,
)
SPECS = st.dictionaries(NAMES, VALUES, max_size=5)
STRANGE = Converter(
    [
        Conversion(
            "v1alpha1",
            "v1",
            kind="Robot",
            moves=[
                Move("spec.a", "spec.b.c"),
                Rename("spec.d[*].a", "b"),
                Rename("spec.d[*].name", "c"),
                FieldOnlyIn("v1", "spec.b"),
                FieldOnlyIn("v1alpha1", "spec.c"),
                FieldOnlyIn("v1", "spec.d[*].d"),
                Values("spec.name", {"a": "b", "b": "b"}, back={"b": "a"}),
                Default("v1", "spec.name", "a"),
                Constant("v1alpha1", "spec.d[*].c", 1),
            ],
        ),
        Conversion(
            "v1beta1",
            "v1",
            kind="Robot",
            moves=[
                Split("spec.a", into=("spec.c", "spec.d")),
                Wrap("spec.b"),
                FieldOnlyIn("v1", "spec.name", beside="spec"),
            ],
        ),
    ]
)
VERSIONS = ("v1alpha1", "v1beta1", "v1")
_versions = st.sampled_from(VERSIONS)


@settings(max_examples=drawn(2000), deadline=None)
@given(spec=SPECS, source=_versions, target=_versions)
def test_objects_come_back_as_they_were(spec: Any, source: str, target: str) -> None:
    obj = robot(source, spec)
    before = copy.deepcopy(obj)
    try:
        made = STRANGE.convert(obj, f"example.com/{target}")
        back = STRANGE.convert(made, f"example.com/{source}")
    except ConversionError as problem:
        assert "is not a string" in str(problem) or "is not an object" in str(problem)  # noqa: PT017 - all others are mistakes
        return
    finally:
        assert obj == before
    assert json.dumps(back, sort_keys=True) == json.dumps(obj, sort_keys=True)


@settings(max_examples=drawn(1000), deadline=None)
@given(obj=st.one_of(VALUES, SPECS.map(lambda spec: robot("v1", spec))), kept=VALUES, wanted=st.text(max_size=20))
def test_nothing_but_our_error_is_raised(obj: Any, kept: Any, wanted: str) -> None:
    if isinstance(obj, dict) and isinstance(obj.get("metadata"), dict):
        obj["metadata"]["annotations"] = {KEPT: json.dumps({"v1alpha1": [kept], "v1beta1": kept})}
    for version in (wanted, "example.com/v1alpha1", "example.com/v1beta1"):
        try:
            made = STRANGE.convert(obj, version)
        except ConversionError as problem:
            assert str(problem)  # noqa: PT017
        else:
            json.dumps(made, allow_nan=False)


_steps = st.lists(
    st.one_of(
        NAMES, st.dictionaries(NAMES, LEAVES, max_size=2), st.tuples(st.text(max_size=16), st.integers(), st.integers())
    ),
    max_size=4,
)
_entries = st.fixed_dictionaries(
    {"at": st.tuples(st.just("spec"), _steps).map(lambda each: [each[0], *each[1]])},
    optional={
        "value": VALUES,
        "was": st.text(max_size=16),
        "in": st.integers(-1, 5),
        "beside": st.tuples(_steps, st.text(max_size=16)),
    },
)


@settings(max_examples=drawn(1000), deadline=None)
@given(spec=SPECS, entries=st.lists(_entries, max_size=4))
def test_an_annotation_of_somebody_else_keeps_nothing_from_being_converted(spec: Any, entries: Any) -> None:
    plain = robot("v1", spec)
    noted = robot("v1", spec, metadata={"annotations": {KEPT: json.dumps({"v1alpha1": entries})}})
    try:
        STRANGE.convert(plain, "example.com/v1alpha1")
    except ConversionError:
        return
    STRANGE.convert(noted, "example.com/v1alpha1")
