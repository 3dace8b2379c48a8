"""What a version cannot hold is kept and restored, unless it, or what it stood in, was changed meanwhile."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.tables import each
from tests.webhooks.conversions.robots import converter, robot
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
    Values,
    converts,
)

V1ALPHA1, V1 = "example.com/v1alpha1", "example.com/v1"


def _kept(obj: Any) -> Any:
    text = obj["metadata"].get("annotations", {}).get(KEPT)
    return None if text is None else json.loads(text)


def _changed(of: Converter, spec: Any, change: Any) -> Any:
    """The spec of a robot of v1 that was changed in v1alpha1."""
    low = of.convert(robot("v1", copy.deepcopy(spec)), V1ALPHA1)
    change(low["spec"])
    high = of.convert(low, V1)
    assert _kept(high) is None
    return high["spec"]


def _nothing(spec: Any) -> None:
    """Changes nothing."""


def _set(**values: Any) -> Any:
    return lambda spec: spec.update(values)


def test_the_annotation_is_there_as_long_as_it_is_needed() -> None:
    of = converter(FieldOnlyIn("v1", "spec.dock"))
    obj = robot("v1", {"dock": "d", "model": "m"}, metadata={"annotations": {"a": "b"}})
    low = of.convert(obj, V1ALPHA1)
    assert low["spec"] == {"model": "m"}
    assert low["metadata"]["annotations"].keys() == {"a", KEPT}
    assert _kept(low) == {"v1": [{"at": ["spec", "dock"], "value": "d"}]}
    assert of.convert(low, V1) == obj


def test_nothing_is_kept_where_nothing_is_lost() -> None:
    of = converter(Rename("spec.size", "length"))
    low = of.convert(robot("v1", {"length": 1}), V1ALPHA1)
    assert "annotations" not in low["metadata"]


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (_nothing, {"color": "Navy", "dock": "d"}),
        (_set(model="m"), {"color": "Navy", "dock": "d", "model": "m"}),
        (_set(color="Red"), {"color": "Red", "dock": "d"}),
        (lambda spec: spec.pop("color"), {"dock": "d"}),
    ],
)
def test_a_change_of_the_value_counts(change: Any, wanted: Any) -> None:
    of = converter(
        Values("spec.color", {"Blue": "Blue"}, back={"Navy": "Blue"}),
        FieldOnlyIn("v1", "spec.dock"),
    )
    assert _changed(of, {"color": "Navy", "dock": "d"}, change) == wanted


def test_a_change_that_was_undone_is_none() -> None:
    of = converter(Values("spec.color", {"Blue": "Blue"}, back={"Navy": "Blue"}))

    def there_and_back(spec: Any) -> None:
        spec["color"] = "Red"
        spec["color"] = "Blue"

    assert _changed(of, {"color": "Navy"}, there_and_back) == {"color": "Navy"}


def test_what_the_way_back_makes_up_goes_again_unless_it_was_changed() -> None:
    of = converter(Default("v1alpha1", "spec.mode", "Auto"), Constant("v1", "spec.tier", "basic"))
    assert _changed(of, {"model": "m"}, _nothing) == {"model": "m"}
    assert _changed(of, {"model": "m"}, _set(mode="Off")) == {"model": "m", "mode": "Off"}
    assert _changed(of, {"tier": "gold"}, _nothing) == {"tier": "gold"}


def test_what_stood_in_something_that_is_gone_is_gone() -> None:
    of = converter(FieldOnlyIn("v1", "spec.template.extra"))
    spec = {"template": {"extra": 1, "name": "a"}}
    assert _changed(of, spec, lambda low: low.pop("template")) == {}
    assert _changed(of, spec, _set(template={"name": "b"})) == {"template": {"extra": 1, "name": "b"}}
    assert _changed(of, spec, _set(template="text")) == {"template": "text"}


def test_what_was_set_meanwhile_stands_beside_what_was_kept() -> None:
    of = converter(Move("spec.capacity", "spec.battery.capacity"), FieldOnlyIn("v1", "spec.battery"))
    spec = {"battery": {"serial": "a", "cells": {"n": 1, "m": 2}}}
    assert _changed(of, spec, _nothing) == spec
    assert _changed(of, spec, _set(capacity=5)) == {"battery": {**spec["battery"], "capacity": 5}}


def test_a_member_of_a_union_is_restored_only_if_no_other_was_set() -> None:
    spec = {"drive": {"rotor": {"n": 4}}}
    plain = converter(FieldOnlyIn("v1", "spec.drive.rotor"))
    both = {"drive": {"rotor": {"n": 4}, "wheeled": {"n": 2}}}
    assert _changed(plain, spec, _set(drive={"wheeled": {"n": 2}})) == both
    of = converter(FieldOnlyIn("v1", "spec.drive.rotor", beside="spec.drive"))
    assert _changed(of, spec, _nothing) == spec
    assert _changed(of, spec, _set(drive={"wheeled": {"n": 2}})) == {"drive": {"wheeled": {"n": 2}}}
    assert _changed(of, spec, _set(model="m")) == {**spec, "model": "m"}


def test_beside_is_in_the_same_item() -> None:
    of = converter(FieldOnlyIn("v1", "spec.arms[*].left", beside="spec.arms[*]"), keys={"spec.arms": "id"})
    spec = {"arms": [{"id": 1, "left": "l"}, {"id": 2, "left": "m"}]}

    def change(low: Any) -> None:
        low["arms"][1]["right"] = "r"

    assert _changed(of, spec, change) == {"arms": [{"id": 1, "left": "l"}, {"id": 2, "right": "r"}]}


# --- lists -----------------------------------------------------------------------------------------------------------

PORTS = [{"name": "a", "port": 1, "extra": "x"}, {"name": "b", "port": 2, "extra": "y"}]


def _low(*ports: Any) -> Any:
    return [{name: value for name, value in port.items() if name != "extra"} for port in ports]


@each(
    ("ports", "wanted"),
    [
        (_low(*PORTS), PORTS),
        (_low(*PORTS[::-1]), PORTS[::-1]),
        (_low(PORTS[1]), [PORTS[1]]),
        ([{"name": "c"}, *_low(*PORTS)], [{"name": "c"}, *PORTS]),
        ([{"name": "a", "port": 7}, _low(*PORTS)[1]], [{"name": "a", "port": 7, "extra": "x"}, PORTS[1]]),
        ([{"name": "c", "port": 1}], [{"name": "c", "port": 1}]),
        ([{"name": "a"}, {"name": "a"}], [{"name": "a"}, {"name": "a"}]),  # nobody knows which
        ([], []),
    ],
)
def test_items_are_told_by_their_names(ports: Any, wanted: Any) -> None:
    of = converter(FieldOnlyIn("v1", "spec.ports[*].extra"))
    assert _changed(of, {"ports": PORTS}, _set(ports=ports)) == {"ports": wanted}


def test_items_are_told_by_declared_keys() -> None:
    of = converter(FieldOnlyIn("v1", "spec.ports[*].extra"), keys={"spec.ports": ["port", "protocol"]})
    spec = {"ports": [{"port": 1, "protocol": "TCP", "extra": "x"}, {"port": 1, "protocol": "UDP", "extra": "y"}]}

    def change(low: Any) -> None:
        low["ports"] = [{"port": 1, "protocol": "UDP", "a": 1}]

    assert _changed(of, spec, change) == {"ports": [{"port": 1, "protocol": "UDP", "a": 1, "extra": "y"}]}


NAMELESS = [{"port": 1, "extra": "x"}, {"port": 2, "extra": "y"}, {"port": 2, "extra": "z"}]


@pytest.mark.parametrize(
    ("ports", "wanted"),
    [
        (_low(*NAMELESS), NAMELESS),
        ([{"port": 5}, *_low(*NAMELESS)], [{"port": 5}, *NAMELESS]),
        ([{"port": 2}, {"port": 1}, {"port": 2}], [NAMELESS[1], NAMELESS[0], NAMELESS[2]]),
        ([{"port": 9}, {"port": 2}, {"port": 2}], [{"port": 9}, *NAMELESS[1:]]),  # another item, for all one knows
        ([{"port": 1}, {"port": 2}], [NAMELESS[0], {"port": 2}]),  # nobody knows which of the two is gone
    ],
)
def test_items_without_names_are_told_by_all_that_they_have(ports: Any, wanted: Any) -> None:
    of = converter(FieldOnlyIn("v1", "spec.ports[*].extra"))
    assert _changed(of, {"ports": NAMELESS}, _set(ports=ports)) == {"ports": wanted}


def test_a_list_that_is_shorter_is_restored_only_if_it_was_left_alone() -> None:
    def first_two(new: Any, old: Any) -> None:
        new["spec"]["names"] = new["spec"]["names"][:2]

    of = converter(back=first_two, keeps=["spec.names"])
    spec = {"names": ["a", "b", "c"], "x": 1}
    assert _changed(of, spec, _set(x=2)) == {"names": ["a", "b", "c"], "x": 2}
    assert _changed(of, spec, _set(names=["b", "a"])) == {"names": ["b", "a"], "x": 1}


# --- versions --------------------------------------------------------------------------------------------------------


def test_each_version_gets_its_own_back() -> None:
    of = Converter(
        [
            Conversion(
                "v1alpha1", "v1", kind="Robot", moves=[FieldOnlyIn("v1alpha1", "spec.a"), FieldOnlyIn("v1", "spec.c")]
            ),
            Conversion(
                "v1beta1", "v1", kind="Robot", moves=[FieldOnlyIn("v1beta1", "spec.b"), FieldOnlyIn("v1", "spec.c")]
            ),
        ]
    )
    obj = robot("v1alpha1", {"a": 1, "x": 1})
    stored = of.convert(obj, V1)
    assert _kept(stored).keys() == {"v1alpha1"}
    stored["spec"]["c"] = 3
    middle = of.convert(stored, "example.com/v1beta1")
    assert _kept(middle).keys() == {"v1alpha1", "v1"}
    middle["spec"]["b"] = 2
    again = of.convert(middle, V1)
    assert again["spec"] == {"x": 1, "c": 3}
    assert _kept(again).keys() == {"v1alpha1", "v1beta1"}
    assert of.convert(again, V1ALPHA1)["spec"] == {"a": 1, "x": 1}
    assert of.convert(again, "example.com/v1beta1")["spec"] == {"b": 2, "x": 1}
    over_the_hub = of.convert(middle, V1ALPHA1)
    assert over_the_hub["spec"] == {"a": 1, "x": 1}
    assert of.convert(over_the_hub, V1) == again | {"metadata": of.convert(over_the_hub, V1)["metadata"]}


def test_labels_and_annotations_are_kept_as_well() -> None:
    @converts("v1", "v1alpha1", kind="Robot")
    def down(obj: Any) -> None:
        obj["metadata"]["labels"] = {}
        obj["metadata"]["annotations"].pop("size")

    @converts("v1alpha1", "v1", kind="Robot")
    def up(obj: Any) -> None:
        """Changes nothing."""

    of = Converter([down, up])
    obj = robot("v1", {}, metadata={"labels": {"a": "b"}, "annotations": {"size": "1", "x": "y"}})
    assert of.convert(of.convert(obj, V1ALPHA1), V1) == obj


def test_more_than_annotations_hold_is_an_error() -> None:
    of = converter(FieldOnlyIn("v1", "spec.data"))
    text = "of it \\(v1\\) would take 2[0-9]{5} bytes of annotations, which have room for 2[0-9]{5}$"
    with pytest.raises(ConversionError, match=text):
        of.convert(robot("v1", {"data": "x" * 262_144}), V1ALPHA1)
    full = {"annotations": {"a": "x" * (262_144 - 1 - len(KEPT) - 5)}}
    with pytest.raises(ConversionError, match=r"which have room for 5$"):
        of.convert(robot("v1", {"data": "x"}, metadata=full), V1ALPHA1)


# --- annotations of others -------------------------------------------------------------------------------------------

STRANGE: list[Any] = [
    "",
    "no JSON",
    "[" * 100_000,
    "5",
    "[]",
    '{"v1": 5}',
    '{"v1": [5, [], {}, {"at": []}, {"at": [5]}, {"at": ["spec", [1]], "value": 1}]}',
    '{"v1": [{"at": ["spec", {}, "a"], "value": 1}, {"at": ["spec", "a", ["x", 0, true], "b"]}]}',
    '{"v1": [{"at": ["metadata", "name"], "value": "x"}, {"at": ["kind"], "value": "x"}]}',
    '{"v1": [{"at": ["metadata", "labels", "a"], "value": {}}, {"at": ["metadata", "labels"], "value": {}}]}',
    '{"v1": [{"at": ["spec", "a"], "value": 1, "was": 5}, {"at": ["spec", "a"], "value": 1, "in": "x"}]}',
    '{"v1": [{"at": ["spec", "a"], "value": 1, "beside": 5}, {"at": ["spec", "a"], "beside": [["x"], 5]}]}',
    json.dumps({"v1": [{"at": ["metadata", "annotations", KEPT], "value": "x"}]}),
    '{"v1": [{"at": ["spec", "a"], "value": NaN}]}',
]


@each("text", STRANGE, ids=range(len(STRANGE)))
def test_an_annotation_that_is_none_of_ours_counts_for_nothing(text: Any) -> None:
    of = converter(FieldOnlyIn("v1", "spec.dock"))
    made = of.convert(robot("v1alpha1", {"model": "m"}, metadata={"annotations": {KEPT: text}}), V1)
    assert made == robot("v1", {"model": "m"})


def test_an_annotation_cannot_make_it_work_for_long() -> None:
    spec = {"items": [{"id": number} for number in range(3000)]}
    entries = [
        {"at": ["spec", "items", {"id": number, f"k{number}": 1}, "x"], "value": 1, "beside": [["spec"], f"{number}"]}
        for number in range(3000)
    ]
    entries += [{"at": ["spec", "items", [f"{number}", 0, 1], "x"], "value": 1} for number in range(3000)]
    text = json.dumps({"v1": entries})
    made = converter(FieldOnlyIn("v1", "spec.dock")).convert(
        robot("v1alpha1", spec, metadata={"annotations": {KEPT: text}}), V1
    )
    assert made["spec"] == spec
