"""What moves make of fields, in both directions, and which make no sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tables import each
from tests.webhooks.conversions.robots import converter, down, up
from validation_gen.webhooks.conversions import (
    Apply,
    Constant,
    Conversion,
    ConversionError,
    DeclarationError,
    Default,
    FieldOnlyIn,
    Move,
    Rename,
    Split,
    Values,
    Wrap,
)
from validation_gen.webhooks.conversions.moves import AnyMove

BOTH: list[tuple[AnyMove, Any, Any]] = [
    (Move("spec.size", "spec.dimensions.size"), {"size": 3}, {"dimensions": {"size": 3}}),
    (Move("spec.a.b.c", "spec.c"), {"a": {"b": {"c": None}, "x": 1}}, {"a": {"x": 1}, "c": None}),
    (Rename("spec.size", "length"), {"size": 3, "x": 1}, {"length": 3, "x": 1}),
    (Rename("spec.ports[*].num", "number"), {"ports": [{"num": 1}, {}]}, {"ports": [{"number": 1}, {}]}),
    (Rename("spec.zones[*].max", "most"), {"zones": {"a": {"max": 1}}}, {"zones": {"a": {"most": 1}}}),
    (
        Move("spec.ports[*].rules[*].a", "spec.ports[*].rules[*].b.c"),
        {"ports": [{"rules": [{"a": 1}, {"a": 2, "x": 3}]}]},
        {"ports": [{"rules": [{"b": {"c": 1}}, {"x": 3, "b": {"c": 2}}]}]},
    ),
    (
        Split("spec.image", into=("spec.repository", "spec.tag"), separator=":"),
        {"image": "a:b:c"},
        {"repository": "a", "tag": "b:c"},
    ),
    (Split("spec.image", into=["spec.repository", "spec.tag"], separator=":"), {"image": "a"}, {"repository": "a"}),
    (Values("spec.mode", {"On": "Enabled", True: 1}), {"mode": "On"}, {"mode": "Enabled"}),
    (Values("spec.mode", {"On": "Enabled"}), {"mode": "other"}, {"mode": "other"}),
    (Values("spec.modes[*]", {"On": "Enabled"}), {"modes": ["On", "x"]}, {"modes": ["Enabled", "x"]}),
    (Values("spec.mode", {"On": "Yes"}, "spec.state.on"), {"mode": "On"}, {"state": {"on": "Yes"}}),
    (Wrap("spec.host", "spec.hosts"), {"host": "a"}, {"hosts": ["a"]}),
    (Wrap("spec.host"), {"host": "a"}, {"host": ["a"]}),
    (Apply("spec.timeout", lambda text: int(text[:-1]), lambda n: f"{n}s"), {"timeout": "5s"}, {"timeout": 5}),
    (Constant("v1", "spec.tier", "basic"), {"x": 1}, {"x": 1, "tier": "basic"}),
    (Constant("v1alpha1", "spec.tier", "basic"), {"x": 1, "tier": "basic"}, {"x": 1}),
    (Constant("v1", "spec.ports[*].protocol", "TCP"), {"ports": [{}, {}]}, {"ports": [{"protocol": "TCP"}] * 2}),
    (Move("spec.size", "metadata.labels['example.com/size']"), {"x": 1}, {"x": 1}),
]


@each(("move", "first", "second"), BOTH, ids=[repr(each[0])[:60] for each in BOTH])
def test_a_move_is_read_in_both_directions(move: AnyMove, first: Any, second: Any) -> None:
    assert up(converter(move), first) == second
    assert down(converter(move), second) == first


def test_moves_look_at_the_object_as_it_was() -> None:
    swapped = converter(Move("spec.a", "spec.b"), Move("spec.b", "spec.a"))
    assert up(swapped, {"a": 1, "b": 2}) == {"a": 2, "b": 1}
    assert down(swapped, {"a": 2, "b": 1}) == {"a": 1, "b": 2}


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_inside_of_what_is_moved_is_moved_too(order: int) -> None:
    moves = [Rename("spec.ports", "endpoints"), Move("spec.ports[*].num", "spec.endpoints[*].number")]
    of = converter(*moves[::order])
    assert up(of, {"ports": [{"num": 1, "x": 2}]}) == {"endpoints": [{"number": 1, "x": 2}]}
    assert down(of, {"endpoints": [{"number": 1, "x": 2}]}) == {"ports": [{"num": 1, "x": 2}]}


@pytest.mark.parametrize("order", [1, -1])
def test_what_is_left_of_an_object_can_be_of_one_version(order: int) -> None:
    of = converter(*[FieldOnlyIn("v1", "spec.battery"), Move("spec.capacity", "spec.battery.capacity")][::order])
    assert down(of, {"battery": {"capacity": 5, "serial": "a"}}) == {"capacity": 5}
    assert up(of, {"capacity": 5}) == {"battery": {"capacity": 5}}


def test_objects_that_moves_have_emptied_go_and_others_stay() -> None:
    of = converter(Move("spec.size", "spec.a.b.size"))
    assert down(of, {"a": {"b": {"size": 1}}, "c": {}}) == {"c": {}, "size": 1}
    assert down(converter(Move("spec.size", "status.size")), {}) == {}


def test_of_several_items_the_first_counts() -> None:
    of = converter(Wrap("spec.host", "spec.hosts"))
    assert down(of, {"hosts": ["a", "b"]}) == {"host": "a"}
    assert down(of, {"hosts": []}) == {}
    assert down(of, {"hosts": 5}) == {"host": 5}


def test_several_values_become_one() -> None:
    of = converter(Values("spec.color", {"Navy": "Blue", "Sky": "Blue"}, back={"Blue": "Sky"}))
    assert up(of, {"color": "Navy"}) == {"color": "Blue"}
    assert down(of, {"color": "Blue"}) == {"color": "Sky"}


def test_a_default_is_for_objects_without_a_value() -> None:
    of = converter(Default("v1", "spec.mode", {"a": 1}))
    assert up(of, {}) == {"mode": {"a": 1}}
    assert up(of, {"mode": 5}) == {"mode": 5}
    assert down(of, {"mode": 5}) == {"mode": 5}


def test_a_constant_is_no_part_of_the_declaration() -> None:
    value: dict[str, Any] = {"a": []}
    of = converter(Constant("v1", "spec.x", value))
    up(of, {})["x"]["a"].append(1)
    assert up(of, {}) == {"x": {"a": []}}


@each(
    ("move", "spec", "text"),
    [
        (Split("spec.image", into=("spec.a", "spec.b")), {"image": 5}, "spec.image is 5, which is not a string"),
        (Move("spec.a", "spec.b.c"), {"a": 1, "b": "x"}, "spec.b is not an object, so that spec.b.c cannot be set"),
        (Move("spec.a", "spec.b.c"), {"a": 1, "b": []}, r"spec.b is not an object, so that spec.b.c cannot be set"),
        (Apply("spec.a", int, str), {"a": "x"}, "failed: ValueError"),
        (
            Move("spec.a[*].x", "spec.b[*].x"),
            {"a": [{"x": 1}]},
            r"there is no spec.b\[0\], in which spec.b\[0\].x could",
        ),
        (
            Move("spec.a[*].x", "spec.b[*].x"),
            {"a": [{"x": 1}], "b": {}},
            r"spec.b is not an object, so that|spec.b\[0\]",
        ),
    ],
)
def test_a_value_that_cannot_be_moved_is_told(move: AnyMove, spec: Any, text: str) -> None:
    with pytest.raises(ConversionError, match=text):
        up(converter(move), spec)


MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: Move("spec.a", "spec.a"), "does not move; leave it out"),
    (lambda: Move("spec.a[*].b", "spec.b"), r"have not as many \[\*\]; a value stays in its item, else write a func"),
    (lambda: Move("spec.a[*]", "spec.b[*]"), "names items, which stay where they are; name the list itself"),
    (lambda: Move("", "spec.b"), "'' is not a path; write one such as 'spec.size'"),
    (lambda: Move("spec..a", "spec.b"), "'spec..a' is not a path: it cannot be read at '..a'"),
    (lambda: Move(".spec.a", "spec.b"), "'.spec.a' is not a path: it begins with a dot"),
    (lambda: Move("spec.a[0]", "spec.b"), r"it cannot be read at '\[0\]'; write one such as 'spec.ports\[\*\].name'"),
    (lambda: Move("metadata.name", "spec.name"), "of metadata a conversion may change these alone"),
    (lambda: Move("metadata.labels", "spec.labels"), "name a label or an annotation, such as"),
    (lambda: Move("apiVersion", "spec.version"), "is set by the library; leave it out"),
    (lambda: Move(5, "spec.b"), "5 is not a path"),  # type: ignore[arg-type]
    (lambda: Rename("spec.a", "spec.b"), r"is not the name of a field; write the name alone, or Move\("),
    (lambda: Rename("spec.a[*]", "b"), "names items, which have no name"),
    (lambda: Split("spec.a", into=("spec.b",)), "is split into one field; name two or more"),
    (lambda: Split("spec.a", into="spec.b"), "is split into one field"),
    (lambda: Split("spec.a", into=("spec.b", "spec.c"), separator=""), "is split at nothing"),
    (lambda: Values("spec.a", {"x": "z", "y": "z"}), "several values become 'z'; say with back="),
    (lambda: Values("spec.a", {"x": ["y"]}), r"\[\"y\"\] is no single value; write Apply"),
    (lambda: Apply("spec.a", int, 5), "back is no function"),  # type: ignore[arg-type]
    (lambda: FieldOnlyIn("v1", "spec.a[*]"), "names items; name the list itself"),
    (lambda: FieldOnlyIn("v1", "spec.a", beside="spec.b[*].c"), r"has more \[\*\] than spec.a"),
    (lambda: Constant("v1", "spec.a[*]", 1), "names items; name a field of them"),
    (lambda: Default("v1", "spec.a[*]", 1), "names items; name a field of them"),
    (lambda: Conversion("v1", "v1", kind="Robot"), "from v1 to itself does nothing"),
    (lambda: Conversion("example.com/v1", "v2", kind="Robot"), "is no version; the group goes into group="),
    (lambda: Conversion("1", "v2", kind="Robot"), "is no version; write one such as 'v1alpha1'"),
    (lambda: Conversion("v1", "v2", kind="my robot"), "is not a kind; write one such as kind='Robot'"),
    (lambda: Conversion("v1", "v2", kind="Robot", group="a/b"), "is not a group"),
    (lambda: Conversion("v1", "v2", kind="Robot", moves=["x"]), r"'x' is no move; write one"),  # type: ignore[list-item]
    (lambda: Conversion("v1", "v2", kind="Robot", moves=Move("spec.a", "spec.b")), r"moves=\["),  # type: ignore[arg-type]
    (
        lambda: Conversion("v1", "v2", kind="Robot", moves=[FieldOnlyIn("v3", "spec.a")]),
        "has the version 'v3', which is neither",
    ),
    (lambda: Conversion("v1", "v2", kind="Robot", keys={"spec.a": ()}), "name members of its items"),
    (lambda: Conversion("v1", "v2", kind="Robot", keeps="spec.a"), r"write keeps=\["),
    (lambda: Conversion("v1", "v2", kind="Robot", back=5), "back is no function"),  # type: ignore[arg-type]
    (
        lambda: Conversion("v1", "v2", kind="Robot", moves=[Rename("spec.a", "b"), FieldOnlyIn("v1", "spec.a")]),
        "two moves are about spec.a of v1; leave one of them out",
    ),
]


@each(("declare", "text"), MISTAKES, ids=[each[1][:40] for each in MISTAKES])
def test_a_mistake_is_told_where_it_is_made(declare: Callable[[], object], text: str) -> None:
    with pytest.raises(DeclarationError, match=text):
        declare()
