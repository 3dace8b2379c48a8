"""What the extension itself must never do: leak, raise, go too deep, trust a table, or be caught out by a change."""

from __future__ import annotations

import copy
import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.decoded import case_of, manifests, sample
from tests.native.twoways import Asked, needs_native
from tests.tables import each
from validation_gen.runtime import native
from validation_gen.runtime.fastpath import FastPath
from validation_gen.runtime.fastpath.nodes import Node, Part
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import STRING, ListOf, MapOf, Pointer, Struct

pytestmark = [needs_native, pytest.mark.usefixtures("small_heap")]

_fastpath: Any = native.accept


def _acceptor(*nodes: Node) -> Callable[..., bool]:
    made: Callable[..., bool] = _fastpath.Acceptor(tuple(node.spec() for node in nodes))
    return made


def _asking(function: Callable[..., Any], *operands: Any) -> Callable[..., bool]:
    """A kind whose member `a` is a text that a function is asked about."""
    text = Node(_fastpath.TEXT, calls=[(function, operands)])
    return _acceptor(Node(_fastpath.STRUCT, members=[("a", 1, 0, "")]), text)


def test_a_function_is_asked_with_its_operands() -> None:
    seen: list[Any] = []
    asking = _asking(lambda *given: seen.append(given), 1, "two")
    assert asking({"a": "b"})
    assert seen == [("b", 1, "two")]
    assert not _asking(lambda value: ["wrong"])({"a": "b"})
    assert _asking(lambda value: [])({"a": "b"})


def test_what_a_function_raises_is_a_doubt() -> None:
    def fails(value: Any) -> None:
        raise ValueError(value)

    assert not _asking(fails)({"a": "b"})
    assert sys.exc_info() == (None, None, None)


def test_an_interrupt_is_none() -> None:
    def stops(value: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _asking(stops)({"a": "b"})


def _deciding(same: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    """A kind whose member `a` decodes itself, which may not change; a function tells what is the same."""
    wire = Node(_fastpath.WIRE, finder=same, changes=[None], flags=_fastpath.CHANGES)
    return _acceptor(Node(_fastpath.STRUCT, members=[("a", 1, 0, None)], flags=_fastpath.CHANGES), wire)


def test_a_value_may_be_written_in_another_way() -> None:
    assert _deciding(lambda value, old: True)({"a": "1"}, {"a": 1})
    assert not _deciding(lambda value, old: False)({"a": "1"}, {"a": 1})
    assert not _deciding(lambda value, old: True)({"a": "1"}, {"a": 1.0})
    assert not _deciding(lambda value, old: True)({"a": "1"}, {"a": "\ud800"})
    assert not _deciding(lambda value, old: bool(1 / 0))({"a": "1"}, {"a": 1})
    assert sys.exc_info() == (None, None, None)


def test_an_interrupt_comes_again_where_values_are_compared() -> None:
    def stops(value: Any, old: Any) -> bool:
        raise KeyboardInterrupt

    def ask() -> None:
        for _ in range(1000):
            assert not _deciding(stops)({"a": "1"}, {"a": 1})

    with pytest.raises(KeyboardInterrupt):
        ask()


def test_an_object_may_change_while_old_values_are_compared() -> None:
    """As above: memory must stay whole."""
    for key in ("", "b"):
        obj: dict[str, Any] = {"m": {"a": {"b": "1"}} if key else {"a": "1"}}
        old: dict[str, Any] = {"m": {"a": {"b": 1}} if key else {"a": 1}}

        def spoil(value: Any, was: Any, obj: dict[str, Any] = obj, old: dict[str, Any] = old) -> bool:
            for item in (obj, old):
                item["m"].clear()
                item.clear()
            gc.collect()
            return True

        wire, inner = Node(_fastpath.WIRE, finder=spoil), Node(_fastpath.STRUCT, members=[("b", 3, 0, None)])
        values = Node(_fastpath.MAP, item=2 if key else 3, key=4)
        kind = Node(_fastpath.STRUCT, members=[("m", 1, 0, None)])
        assert isinstance(_acceptor(kind, values, inner, wire, Node(_fastpath.TEXT))(obj, old), bool)


@each(
    ("name", "right"),
    [
        *[("0", True), ("-0", True), ("007", True), ("-128", True), ("127", True), ("128", False), ("-129", False)],
        *[("", False), ("-", False), ("+1", False), (" 1", False), ("1 ", False), ("1e2", False), ("\u0661", False)],
        *[("0" * 18 + "1", False), ("9" * 30, False)],
    ],
)
def test_names_that_stand_for_numbers(name: str, right: bool) -> None:
    """Nothing is asked of those that were there before, if they are right for certain; else a function is."""
    asked: list[str] = []
    key = Node(_fastpath.TEXT, type=(-128, 127), flags=_fastpath.DEMANDED, calls=[(asked.append, ())])
    values = Node(_fastpath.MAP, item=2, key=3)
    acceptor = _acceptor(Node(_fastpath.STRUCT, members=[("m", 1, 0, None)]), values, Node(_fastpath.TEXT), key)
    assert acceptor({"m": {name: "a"}}, {"m": {name: "b"}})
    assert asked == ([] if right else [name])


def test_an_object_may_change_while_it_is_looked_at() -> None:
    """No answer is wanted of such an object; but memory must stay whole."""
    inner = Node(_fastpath.STRUCT, members=[("b", 2, 0, "")])
    for size in (1, 50):
        obj: dict[str, Any] = {f"x{i}": {"b": str(i)} for i in range(size)}

        def spoil(value: Any, obj: dict[str, Any] = obj) -> None:
            obj.clear()
            gc.collect()
            obj.update({f"y{i}": [value] for i in range(200)})

        text = Node(_fastpath.TEXT, calls=[(spoil, ()), (spoil, ())])
        many = Node(_fastpath.STRUCT, members=[(f"x{i}", 1, 0, None) for i in range(size)])
        _acceptor(many, inner, text)(obj)
        one = Node(_fastpath.MAP, item=1, key=3)
        _acceptor(Node(_fastpath.STRUCT, members=[("m", 4, 0, None)]), inner, text, Node(_fastpath.TEXT), one)(
            {"m": obj}
        )


def test_a_list_may_change_while_it_is_looked_at() -> None:
    items: list[Any] = ["a", "b", "c"]

    def spoil(value: Any) -> None:
        items.clear()
        gc.collect()

    kind = Node(_fastpath.STRUCT, members=[("l", 1, 0, None)])
    listed = Node(_fastpath.LIST, item=2, unique=())
    assert isinstance(_acceptor(kind, listed, Node(_fastpath.TEXT, calls=[(spoil, ())]))({"l": items}), bool)


def _nested(depth: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = wrap(value)
    return value


def test_depth_has_an_end() -> None:
    tree = Struct("Tree")
    tree.define({"inner": Pointer(tree), "items": ListOf(tree), "named": MapOf(tree)})
    acceptor = FastPath(tree).find_acceptor(Operation())
    for wrap in (lambda v: {"inner": v}, lambda v: {"items": [v]}, lambda v: {"named": {"a": v}}):
        assert acceptor(_nested(20, wrap))
        for depth in (100, 100_000):
            deep = _nested(depth, wrap)
            assert not acceptor(deep)
            assert not acceptor(deep, deep)
            while deep:  # taken apart here, as an end deep in there would be Python's
                deep = deep.get("inner") or (deep.get("items") or [{}])[0] or deep.get("named", {}).get("a")


def test_circles_have_an_end() -> None:
    tree = Struct("Tree")
    tree.define({"inner": Pointer(tree)})
    acceptor = FastPath(tree).find_acceptor(Operation())
    circle: dict[str, Any] = {}
    circle["inner"] = circle
    other = {"inner": circle}
    assert not acceptor(circle)
    assert not acceptor(circle, circle)
    assert not acceptor(other, circle)


def test_guards_in_guards_have_an_end() -> None:
    """Behind a guard all is walked again: only three of them, one in another, are tried."""
    calls: list[Any] = []

    def fails(text: str) -> list[str]:
        calls.append(text)
        return [text]

    def nested(depth: int, bad: str) -> dict[str, Any]:
        return {"bad": bad} if depth == 1 else {"next": nested(depth - 1, bad)}

    members = [("next", 0, 0, None), ("bad", 2, 0, "")]
    for found, rest in ((None, members[:1]), (["wrong"], members)):
        guard = (lambda *values, found=found: found, 1)
        guarded, behind = Node(_fastpath.STRUCT, members=members, guards=[guard]), Node(_fastpath.STRUCT, members=rest)
        acceptor = _acceptor(guarded, behind, Node(_fastpath.TEXT, calls=[(fails, ())]))
        for depth in (1, 2, 3, 4, 60):
            for old in ((), (nested(depth, "old"),)):
                calls.clear()
                assert acceptor(nested(depth, "new"), *old) is (found is None and depth <= 3)
                assert len(calls) <= 8


def test_doubts_behind_guards_that_stop_nothing() -> None:
    """Below three guards, one in another, the part is named; below more, all is left to Python."""
    calls: list[Any] = []

    def stops_nothing(*values: Any) -> bool:
        calls.append(values)
        return False

    part = Part(Struct("Part"), lambda *_: None, lambda *_: None)
    guarded = Node(_fastpath.STRUCT, members=[("next", 0, 0, None), ("part", 2, 0, None)])
    guarded.guards = [(stops_nothing, 1)]
    named = Node(_fastpath.STRUCT, members=[("bad", 3, 0, "")], part=part)
    acceptor: Any = _acceptor(guarded, Node(_fastpath.ANY), named, Node(_fastpath.TEXT, max=3))

    def nested(depth: int, text: str) -> dict[str, Any]:
        return {"part": {"bad": text}} if depth == 1 else {"next": nested(depth - 1, text)}

    for depth in (1, 2, 3, 4, 60):
        path = [".part", *[".next"] * (depth - 1)]
        for old in ((), (nested(depth, "old"),)):
            calls.clear()
            was = {"bad": "old"} if old else None
            found = acceptor.locate(nested(depth, "newer"), *old)
            assert found == (None if depth > 3 else (part, {"bad": "newer"}, was, path))
            assert len(calls) <= 16


def test_nothing_leaks() -> None:
    """Numbers of references, before and after: what is left behind once is left behind a thousand times."""
    subject = sample()
    kind = next(kind for kind in subject.registry.kinds if kind.name == "RobotPool")
    valid = [obj for obj in manifests() if subject.registry.of_object(obj) == kind]
    others = [copy.deepcopy(obj) for obj in valid]
    for obj in others:
        obj["spec"]["replicas"] = -1
    # Others than these are shared with everybody.
    watched = [value for obj in (*valid, *others) for value in _values(obj) if isinstance(value, dict | list | str)]
    fastpath = FastPath(subject.registry._validator(kind).shape)  # type: ignore[arg-type]

    def ask() -> None:
        for op in (Operation(), Operation({"RobotSwarming": True}, update=True)):
            acceptor = fastpath.find_acceptor(op)
            for obj in (*valid, *others):
                acceptor(obj)
                acceptor(obj, None)
                acceptor(obj, copy.copy(obj))
                for other in (*valid, *others):
                    acceptor(obj, other)

    ask()  # what is remembered is remembered now
    for _ in range(4):  # each one stops to track one more level of nested tuples
        gc.collect()
    before = [sys.getrefcount(value) for value in watched], len(gc.get_objects())
    for _ in range(50):
        ask()
    gc.collect()
    after = [sys.getrefcount(value) for value in watched], len(gc.get_objects())
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) < 50


def _values(obj: Any) -> list[Any]:
    found = [obj]
    for inner in obj.values() if isinstance(obj, dict) else obj if isinstance(obj, list) else ():
        found += _values(inner)
    return found


def test_a_table_goes_with_its_acceptor() -> None:
    class Watched:
        def __call__(self, value: Any) -> None: ...

    watched = Watched()
    before = sys.getrefcount(watched)
    acceptors = [_asking(watched) for _ in range(10)]
    assert sys.getrefcount(watched) > before
    del acceptors
    gc.collect()
    assert sys.getrefcount(watched) == before


@each(
    "spec",
    [
        (),
        (1,),
        ((),),
        ((1, 2),),
        (Node(10, members=[("a", 7, 0, "")]).spec(),),
        (Node(8, item=9).spec(),),
        (Node(2, calls=[1]).spec(),),  # type: ignore[list-item]
        (Node(10, unions=[(0, ((3, ""),), "")]).spec(),),
        (Node(2, patterns=[(None,)]).spec(),),
    ],
)
def test_a_wrong_table_is_refused(spec: Any) -> None:
    with pytest.raises((TypeError, ValueError, SystemError)):
        _fastpath.Acceptor(spec)


def test_a_wrong_call_is_refused() -> None:
    acceptor = _acceptor(Node(_fastpath.STRUCT))
    for given in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            acceptor(*given)
    with pytest.raises(TypeError):
        acceptor({}, old={})


def test_large_structs_are_never_sure() -> None:
    members = [(f"a{i}", 1, 0, "") for i in range(1025)]
    assert not _acceptor(Node(_fastpath.STRUCT, members=members), Node(_fastpath.TEXT))({})
    assert _acceptor(Node(_fastpath.STRUCT, members=members[:1024]), Node(_fastpath.TEXT))({"a1023": "x", "a0": "y"})


@each("count", [1, 2, 8, 9, 40, 1000])
def test_items_differ(count: int) -> None:
    kind = Node(_fastpath.STRUCT, members=[("l", 1, 0, None)])
    texts = _acceptor(kind, Node(_fastpath.LIST, item=2, unique=()), Node(_fastpath.TEXT))
    keyed = _acceptor(
        kind,
        Node(_fastpath.LIST, item=2, unique=(("a", ""), ("b", 0))),
        Node(_fastpath.STRUCT, members=[("a", 3, 0, ""), ("b", 4, 0, 0)]),
        Node(_fastpath.TEXT),
        Node(_fastpath.INTEGER),
    )
    items = [{"a": str(i // 2), "b": i % 2} for i in range(count)]
    assert texts({"l": [str(i) for i in range(count)]})
    assert not texts({"l": [str(i) for i in range(count)] + ["0"]})
    assert keyed({"l": items})
    assert not keyed({"l": [*items, {"a": "0"}]})  # what is not there is zero
    assert keyed({"l": [*items, {"b": 7}, {}]})
    assert not keyed({"l": [*items, {"b": 0}, {}]})


def test_numbers_that_are_made_to_meet_do_not_take_forever() -> None:
    """The place of a number in the table of hashes is the upper half of a product: these have one place."""
    kind = Node(_fastpath.STRUCT, members=[("l", 1, 0, None)])
    acceptor = _acceptor(kind, Node(_fastpath.LIST, item=2, unique=()), Node(_fastpath.INTEGER))
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    products = (i * inverse % 2**64 for i in range(400_000))
    numbers = [number for item in products if (number := item ^ item >> 32) < 2**61 - 1]
    assert len(numbers) > 20_000
    assert not acceptor({"l": numbers})
    assert acceptor({"l": list(range(200_000))})


def test_threads_ask_at_once() -> None:
    registry = case_of("wrong-types").registry
    (kind,) = registry.of_type("Outer")
    valid = {"name": "a", "number": 5, "inner": {"b": 1}}
    answers: list[bool] = []
    threads = [
        threading.Thread(target=lambda: answers.extend(Asked(registry, kind, valid).certain() for _ in range(200)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 800


def test_texts_are_remembered_where_python_remembers_them() -> None:
    assert STRING.fits("a")
    known: set[str] = set()
    asked: list[str] = []
    pattern = (None, 0, known, asked.append, ())
    acceptor = _acceptor(Node(_fastpath.STRUCT, members=[("a", 1, 0, "")]), Node(_fastpath.TEXT, patterns=[pattern]))
    assert acceptor({"a": "b"})
    known.add("c")
    assert acceptor({"a": "c"})
    assert asked == ["b"]


def test_names_with_code_of_their_own_do_no_harm() -> None:
    """To look for a name among others runs their comparison, if they have one hash."""
    inner = {"a": ["x"], "b": {"a": "y"}}
    old: dict[Any, Any] = {}

    class Name:
        def __hash__(self) -> int:
            return hash("b")

        def __eq__(self, other: object) -> bool:
            inner.clear()
            old.clear()
            gc.collect()
            return False

    tree = Struct("Tree")
    tree.define({"a": ListOf(STRING), "b": Pointer(tree), "c": Pointer(tree)})
    acceptor = FastPath(tree).find_acceptor(Operation(update=True))
    old |= {"a": ["x"], Name(): 1, "c": {}}
    assert isinstance(acceptor(inner, old), bool)  # memory stays whole
    assert not acceptor({"a": ["x"], "b": []}, {"a": ["x"], Name(): []})
