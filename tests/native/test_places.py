"""Where native code says what is wrong with an object, it says what Python says: the same errors in the same order."""

from __future__ import annotations

import copy
import gc
import random
import sys
from typing import Any

import pytest

from tests.case_folders import all_cases
from tests.decoded import case_of, manifests, sample
from tests.native.damage import damaged, ruined, shaped
from tests.native.test_agreement import _kind
from tests.native.twoways import Asked, all_of, needs_native
from tests.thorough import drawn
from validation_gen.runtime import checks, native
from validation_gen.runtime.acceptance import Acceptance
from validation_gen.runtime.acceptance.nodes import MOST_PLACES
from validation_gen.runtime.acceptance.places import Leaf, watch
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.items import KeyedItems
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import INT32, STRING, ListOf, MapOf, Pointer, Struct, Table

pytestmark = needs_native

_CASES = [case for case in all_cases() if case.requests()]


@pytest.mark.parametrize("case", _CASES, ids=[case.name for case in _CASES])
def test_cases(case: Any) -> None:
    rng = random.Random(case.name)
    for request in case.requests():
        kind = _kind(case, request)
        if kind is None or not isinstance(request.obj, dict):
            continue
        for _ in range(drawn(60)):
            Asked(case.registry(), kind, ruined(request.obj, rng), None, False, request.options).agree()
        for _ in range(drawn(60)):
            obj, old = _update(request.obj, rng)
            Asked(case.registry(), kind, obj, old, True, request.options).agree()


def _update(obj: Any, rng: random.Random) -> tuple[Any, Any]:
    """A ruined object, and an old one that is ruined, too, or not: in other ways, or in the same and others."""
    old = copy.deepcopy(obj) if rng.random() < 0.3 else rng.choice([ruined, damaged])(obj, rng)
    start = old if old and isinstance(old, dict) and rng.random() < 0.5 else obj
    return rng.choice([ruined, damaged])(start, rng), old


def test_all_kinds() -> None:
    """Objects drawn by the shapes of all types, in which members come in any order."""
    rng = random.Random(3)
    registries = [sample().registry, *(case.registry() for case in _CASES)]
    kinds = [(registry, kind) for registry in registries for kind in registry.kinds if kind.subresources]
    for registry, kind in rng.choices([(r, kind) for r, kind in kinds if not kind.schemas], k=drawn(20_000)):
        options = rng.choice([None, {"RobotSwarming": True, "FlightPermits": False, "Motor": True}])
        obj = shaped(registry._validator(kind).shape, rng)
        Asked(registry, kind, obj, options=options).agree()
        old = shaped(registry._validator(kind).shape, rng) if rng.random() < 0.3 or not obj else _update(obj, rng)[0]
        Asked(registry, kind, obj, old, True, options).agree()


@pytest.mark.parametrize("options", [None, {"RobotSwarming": True, "FlightPermits": False}])
def test_manifests(options: dict[str, bool] | None) -> None:
    rng = random.Random(1)
    said = [0, 0]
    for obj in manifests():
        kind = sample().registry.of_object(obj)
        assert kind is not None
        for _ in range(drawn(200)):
            new, old = _update(obj, rng)
            for asked in (
                Asked(sample().registry, kind, ruined(obj, rng), options=options),
                Asked(sample().registry, kind, new, old, True, options),
            ):
                asked.agree()
                found = asked.looked()
                said[asked.update] += isinstance(found, list) and bool(found)
    assert all(said)


def _outer() -> tuple[Any, Any]:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    return registry, kind


def test_what_is_new_is_watched_once() -> None:
    registry, kind = _outer()
    validator = registry._validator(kind)
    validator._acceptance = Acceptance(validator.shape)
    asked = Asked(registry, kind, {"name": "", "number": 5, "inner": {"b": 1}})
    told = [all_of(error) for error in asked.errors()]
    assert told
    assert isinstance(asked.looked(), tuple)
    assert [all_of(error) for error in asked._run()] == told
    assert [all_of(error) for error in asked.looked()] == told


_ITEM = Struct("Item")
_KEYED = Struct("Keyed")
_WHOLE = Struct("Whole")


@_ITEM.accept
def _of_item() -> Table:
    return {"a": ("required", ("max_length", 3)), "b": ("unset", ("minimum", 5))}


@_KEYED.accept
def _of_keyed() -> Table:
    return {"name": ("required",), "size": ("unset", ("minimum", 5))}


@_WHOLE.accept
def _of_whole() -> Table:
    return {
        "items": (("max_items", 100),),
        "named": (("each", (("max_length", 3),)),),
        "least": ("required_pointer", ("minimum", 5)),
        "keyed": (("unique", KeyedItems(_KEYED, ("name", ""))),),
        "word": ("required", ("max_length", 3)),
    }


_ITEM.define({"a": STRING, "b": INT32})
_KEYED.define({"name": STRING, "size": INT32})
_WHOLE.define(
    {
        "items": ListOf(_ITEM),
        "named": MapOf(STRING),
        "least": Pointer(INT32),
        "inner": Pointer(_ITEM),
        "keyed": ListOf(_KEYED),
        "word": STRING,
    }
)


def _places(obj: Any, old: Any = None) -> Any:
    """What is told of a create, or of an update. There is a word, as one is wanted."""
    if isinstance(obj, dict):
        obj = {"word": "a"} | obj
    look = Acceptance(_WHOLE).of(Operation()).look
    found = look(obj) if old is None else look(obj, {"word": "a"} | old)
    if isinstance(found, tuple):
        return [[("".join(way[::-1]), value, inside) for _, value, way, inside in places] for places in found]
    return found


def test_places_are_in_the_order_of_functions_and_wrong_types_in_that_of_the_object() -> None:
    obj = {"inner": {"b": "x", "a": 1}, "least": 1, "items": [{"b": 7, "a": "long"}, {"b": 1}], "named": {"k": 1}}
    assert _places(obj) == [
        [(".inner.b", "x", False), (".inner.a", 1, False), (".named[k]", 1, False)],
        [
            *[(".items[0].a", "long", False), (".items[1].a", "", None), (".items[1].b", 1, False)],
            (".least", 1, False),
        ],
    ]
    assert _places({"items": [{"a": "x"}] * 101, "least": 5})[1] == [(".items", [{"a": "x"}] * 101, False)]


@pytest.mark.parametrize(
    "obj",
    [
        {"least": 5, "named": {"a[b]": 1}},
        {"least": 5, "named": {1: ""}},
        {"least": 5, "items": [None]},
        {"least": 5, "items": [{"a": f"{i:09}"} for i in range(MOST_PLACES + 1)]},
        {"least": 5, "inner": {}},
        [],
    ],
)
def test_what_has_no_places_is_a_doubt(obj: Any) -> None:
    assert _places(obj) is None


def test_as_many_places_as_there_may_be() -> None:
    _, others = _places({"least": 5, "items": [{"a": f"{i:09}"} for i in range(MOST_PLACES)]})
    assert [way for way, *_ in others] == [f".items[{i}].a" for i in range(MOST_PLACES)]


@pytest.mark.parametrize(
    ("obj", "old", "ways"),
    [
        ({"least": 1}, {"least": 7}, [".least"]),
        ({"least": 1}, {}, [".least"]),
        ({}, {"least": 7}, [".least"]),
        ({"least": 1}, {"least": 1}, []),
        ({"least": 5, "word": ""}, {"word": "b"}, [".word"]),
        ({"least": 5, "inner": {"a": "long"}}, {}, [".inner.a"]),
        ({"least": 5, "inner": {"a": "long"}}, {"inner": {"a": "b"}}, [".inner.a"]),
        ({"least": 5, "inner": {"a": "long", "b": 6}}, {"inner": {"a": "long", "b": 5}}, []),
        ({"least": 5, "inner": {"a": "long", "b": 1}}, {"inner": {"a": "long"}}, [".inner.b"]),
        ({"least": 5, "named": {"k": "long"}}, {"named": {"k": "b"}}, [".named[k]"]),
        ({"least": 5, "named": {"k": "long"}}, {"named": {"j": "b"}}, [".named[k]"]),
        ({"least": 5, "named": {"k": "long"}}, {"least": 6, "named": {"k": "long"}}, []),
        ({"least": 5, "keyed": [{"name": "b", "size": 1}]}, {}, [".keyed[0].size"]),
        ({"least": 5, "keyed": [{"name": "b", "size": 1}]}, {"keyed": [{"name": "a"}]}, [".keyed[0].size"]),
        (
            {"least": 5, "keyed": [{"name": "b", "size": 1}]},
            {"keyed": [{}, {"name": "b", "size": 6}]},
            [".keyed[0].size"],
        ),
        ({"least": 5, "keyed": [{"name": "b"}, {"name": "b"}]}, {"keyed": [{"name": "b"}, {"name": "c"}]}, [".keyed"]),
        ({"least": 5, "items": [{"a": "long"}]}, {"items": [{"a": "b"}, {"a": "c"}]}, [".items[0].a"]),
        ({"least": 5, "items": [{"a": "long"}]}, {"items": [{"a": "long"}]}, []),
        ({"least": "x"}, {"least": 5}, [".least"]),
        ({"least": "x", "word": 1}, {"least": "x"}, None),
        # Functions do not come across what Python takes for the same.
        ({"least": 5, "word": 1.0}, {"least": 5, "word": 1}, None),
        # In lists and maps they look at all, or at what has changed.
        ({"least": 5, "keyed": [{"name": "b", "size": 1}]}, {"keyed": [{}, {"name": "b", "size": 1}]}, None),
        ({"least": 5, "keyed": [{"name": "b", "size": 1}]}, {"keyed": [{"name": "b"}, {"name": "b"}]}, None),
        ({"least": 5, "items": [{"a": "long"}]}, {"items": [{"a": "b"}, {"a": "long"}]}, None),
        ({"least": 5, "items": [{"a": "long"}]}, {"items": [{"a": "b"}] * 9}, None),
        # An old value does not decode, or may count as the same.
        ({"least": 5, "word": ""}, {"word": 1}, None),
        ({"least": 1}, {"least": True}, None),
    ],
)
def test_an_update_has_places_where_something_has_changed(obj: Any, old: Any, ways: list[str] | None) -> None:
    found = _places(obj, old)
    if isinstance(found, list) and found:
        # What is of the wrong type can be said at once; else there are two lists of places.
        wrong = isinstance(found[0], FieldError)
        found = [f".{each.field}" for each in found] if wrong else [way for each in found for way, *_ in each]
    assert found == ways


@pytest.mark.parametrize(
    ("obj", "old"),
    [
        ({"least": 5, "named": {"k": "long"}}, {"named": {"k": "long", "j": "b"}}),
        ({"least": 5, "inner": {"a": ""}}, {"inner": {}}),
    ],
)
def test_what_has_not_changed_has_no_places(obj: Any, old: Any) -> None:
    assert _places(obj, old) in (None, [])  # a doubt is right, too


def _look(check: Any, leaf_known: dict[int, Any]) -> Any:
    """A kind whose member `a` is a text that a function is asked about, and what is known of it."""
    accept: Any = native.accept
    leaf: tuple[Any, ...] = (((check, ()),), leaf_known, STRING.mended, "leaf", (None,), {})
    nothing: tuple[Any, ...] = (0, -1, -1, 0, 0, 0, 0, None, (), ())
    member = ("a", 1, 0, "", ".a", None)
    struct = (accept.STRUCT, 0, *nothing, 0, 0, None, (member,), (), (), None, None, 64)
    text = (accept.TEXT, 0, *nothing[:-1], ((check, ()),), 0, 0, None, (), (), (), None, leaf, 64)
    return accept.Acceptor((struct, text)).look


def test_nothing_leaks() -> None:
    """Numbers of references, before and after: of what is said, of what is watched, and of what is given up."""
    registry = sample().registry
    rng = random.Random(2)
    asked = []
    for obj in manifests():
        kind = registry.of_object(obj)
        assert kind is not None
        asked += [Asked(registry, kind, ruined(obj, rng)) for _ in range(20)]
    kinds = [type(each.looked()) for each in asked for _ in range(2) if each.agree() is not None]
    assert {list, type(None)} <= set(kinds)
    watched = [part for each in asked for part in _parts(each.obj)]
    gc.collect()
    before = [sys.getrefcount(value) for value in watched], len(gc.get_objects())
    for _ in range(50):
        for each in asked:
            each.looked()
    gc.collect()
    after = [sys.getrefcount(value) for value in watched], len(gc.get_objects())
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 50


def _parts(obj: Any) -> list[Any]:
    if not isinstance(obj, dict | list):
        return []
    return [obj, *(part for inner in (obj.values() if isinstance(obj, dict) else obj) for part in _parts(inner))]


def test_a_check_that_trips_is_a_doubt_and_an_interrupt_is_none() -> None:
    def trips(value: Any) -> None:
        raise ValueError(value)

    def stops(value: Any) -> None:
        raise KeyboardInterrupt

    assert isinstance(_look(trips, {})({"a": "b"}), tuple)
    with pytest.raises(KeyboardInterrupt):
        _look(stops, {})({"a": "b"})


def test_an_object_may_change_while_it_is_looked_at() -> None:
    """No answer is wanted of such an object."""
    for spoilt in ({}, {"a": 1}, {"a": ["x"]}):
        obj: dict[str, Any] = {"a": "b" * 100}

        def spoil(value: Any, obj: dict[str, Any] = obj, spoilt: dict[str, Any] = spoilt) -> list[FieldError]:
            obj.clear()
            gc.collect()
            obj.update(copy.deepcopy(spoilt))
            return [FieldError(ErrorType.INVALID, value)]

        assert isinstance(_look(spoil, {})(obj), list | tuple | None)  # whatever it is, memory is whole


def test_a_name_may_be_gone_while_it_is_looked_for() -> None:
    """A name of the old object that is no text may do anything. No answer is wanted."""
    name = "".join(["odd", "name"])  # nobody else has it
    inside = {name: "long", "a": "long"}

    class Odd:
        def __init__(self, name: str) -> None:
            self.hash = hash(name)

        def __hash__(self) -> int:
            return self.hash

        def __eq__(self, other: object) -> bool:
            inside.clear()
            gc.collect()
            return False

    old = {Odd(name): "b", "b": 1}
    del name
    _places({"least": 1, "named": inside}, {"least": 7, "named": old})
    assert not inside  # it has been looked for; memory is whole, whatever was said


def test_values_that_were_told_are_not_kept() -> None:
    """They may be large, and secret."""
    leaf = Leaf(INT32, [(checks.minimum, (5,))])
    found = checks.minimum(4, 5)
    assert isinstance(found, list)
    watch([], [(leaf, 4, [], False)], found)
    ((told,),) = leaf.known.values()
    model = told[4]
    assert model is not None
    assert (model.detail, model.bad_value) == (found[0].detail, None)


@pytest.mark.parametrize("member", ["dust", "marks"])
def test_null_is_no_old_item(member: str) -> None:
    """A list in which it is new has changed, though there is none before that would be found."""
    registry = case_of("list-type").registry
    (kind,) = registry.of_type("Bag")
    known = [({"few": ["a"]}, {"few": ["b"]})] * 40 + [({"few": ["a", "b", "c", "d"]}, {"few": ["a"]})] * 2
    for given in known:
        Asked(registry, kind, *given, True).agree()
    obj: dict[str, Any] = {"few": ["a", "b", "c", "d"], member: [None]}
    Asked(registry, kind, obj, {"few": ["a"], member: ["1"]}, True).agree()
