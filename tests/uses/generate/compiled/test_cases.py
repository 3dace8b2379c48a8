"""Compiled validators say what those that Python runs say: of the objects of cases, of drawn ones, and of odd ones."""

from __future__ import annotations

import copy
import re
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.case_folders import Case, Request, WantedError, all_cases
from tests.thorough import drawn
from tests.uses.generate.compiled.conftest import NAMES, PACKAGE
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.shape import WrongTypeError
from validation_gen.uses.generate.compiled.extensions import SUFFIX

CASES = [case for case in all_cases() if case.name in NAMES]
Both = Callable[[str], tuple[Registry, Registry]]


def said(registry: Registry, *args: Any, **more: Any) -> list[tuple[str, str, str, str, str]]:
    kind, *objects = args
    (found,) = (k for k in registry.kinds if (k.module, k.name) == (kind.module, kind.name))
    errors = registry.run(found, *objects, **more)
    return [(str(e), e.type.value, e.origin, e.level, e.tag) for e in errors]


# --- objects of cases -----------------------------------------------------------------------------------------------


def _called(case: Case) -> set[str]:
    """What the validators of a case call."""
    texts = [text for text in case.files().values() if '"""Validators of ' in text[:400]] if case.requests() else []
    names = r"\b(?:check|shapes)\.\w+|\b(?:KeyedItems|Selector|SetMembers|PresentItems|Inlined|inlined|without)\b"
    return {name for text in texts for name in re.findall(names, text)}


def test_the_cases_call_all_that_can_be_called() -> None:
    every = set[str]().union(*(_called(case) for case in all_cases() if case.build().program.validated))
    assert every - set[str]().union(*map(_called, CASES)) == set()


def test_modules_are_extensions(compiled: Mapping[str, Registry]) -> None:
    for registry in compiled.values():
        for kind in registry.kinds:
            registry.shape(kind)
    # Python runs the packages, and checks that are written by hand.
    below = {n: m for n, m in sys.modules.items() if n.startswith(f"{PACKAGE}.") and not n.endswith("_custom")}
    modules = {n: m for n, m in below.items() if not hasattr(m, "__path__")}
    python = [name for name, module in modules.items() if not (module.__file__ or "").endswith(SUFFIX)]
    assert len(modules) > len(NAMES)
    assert python == []
    assert [name for name in sys.modules if name.startswith("_validation_gen_") and "memory" not in name] == []


@pytest.mark.parametrize(
    ("case", "request_"), [pytest.param(c, r, id=f"{c.name}-{r.name}") for c in CASES for r in c.requests()]
)
def test_object(case: Case, request_: Request, compiled: Mapping[str, Registry]) -> None:
    got = [WantedError.of(error) for error in request_.run(compiled[case.name])]
    assert got == [WantedError.of(error) for error in request_.run(case.registry())]
    assert got == list(request_.errors) or request_.broken


# --- drawn objects --------------------------------------------------------------------------------------------------

_TEXTS = st.one_of(st.text(max_size=5), st.sampled_from(["a", "a.b", "A", "", "\ud800", "1", "Ready", "x" * 300]))
_NUMBERS = st.one_of(st.integers(-3, 9), st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**30, 1.0, 1.5, float("nan")]))
_ATOMS = st.one_of(st.none(), st.booleans(), _TEXTS, _NUMBERS)


def _values(names: list[str]) -> st.SearchStrategy[Any]:
    keys = st.one_of(st.sampled_from(names), st.sampled_from(["k", "", "\ud800"]), st.integers(0, 2))
    return st.recursive(
        _ATOMS,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
        max_leaves=12,
    )


@settings(max_examples=drawn(250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_drawn_objects(both: Both, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(CASES))
    python, compiled = both(case.name)
    kind = data.draw(st.sampled_from([kind for kind in python.kinds if kind.subresources]))
    structs = case.build().program.structs
    names = sorted({member.json for members in structs.values() for member in members} or {"a"})
    values = _values(names)
    objects = st.one_of(st.dictionaries(st.sampled_from(names), values, max_size=6), values)
    obj, old = data.draw(objects), data.draw(st.one_of(st.none(), objects))
    options = data.draw(st.dictionaries(st.sampled_from(["A", "B", "Feature"]), st.booleans()))
    before = repr((obj, old))
    for update in (False, True):
        more = {"update": update, "options": options, "subresource": (kind.subresources or ("/",))[0]}
        assert said(compiled, kind, obj, old, **more) == said(python, kind, obj, old, **more)
        unchanged = copy.deepcopy(obj)
        assert said(compiled, kind, obj, unchanged, **more) == said(python, kind, obj, unchanged, **more)
    assert repr((obj, old)) == before


# --- odd objects ----------------------------------------------------------------------------------------------------


class Text(str):
    __slots__ = ()


class Items(list[Any]):
    __slots__ = ()


class Members(dict[str, Any]):
    """A dict that has more than it shows, as those of some readers of YAML do."""

    def __missing__(self, key: str) -> Any:
        return "missing"


ODD: list[Any] = [
    None,
    [],
    "text",
    5,
    {1: 2},
    {"name": Text("a"), "number": 5, "inner": Members(b=1)},
    Members(name="a", number=10**5000, inner=OrderedDict(b=1)),
    {"name": "a", "list": Items([Text("b"), 1]), "number": True, "ratio": 1},
    {"name": b"a", "number": 5.0, "flag": 1},
    {"name": "\ud800", "number": 2**63},
    {"name": object(), "number": {5}, "inner": ()},
]


@pytest.mark.parametrize("name", ["wrong-types", "shape-recursion", "update", "item"])
def test_odd_objects(both: Both, name: str) -> None:
    python, compiled = both(name)
    for kind in python.kinds:
        for obj in ODD:
            for old in (None, *ODD):
                more = {"update": old is not None}
                assert said(compiled, kind, obj, old, **more) == said(python, kind, obj, old, **more), (kind, obj, old)


# --- depth ----------------------------------------------------------------------------------------------------------


def _deep(wrap: Callable[[Any], Any], depth: int) -> Any:
    value: Any = {"name": "a"}
    for _ in range(depth):
        value = wrap(value)
    return value


WRAPS: list[Callable[[Any], Any]] = [
    lambda value: {"name": "a", "left": value},
    lambda value: {"name": "a", "children": [value]},
    lambda value: {"name": "a", "byName": {"k": value}},
    lambda value: {"name": "a", "friends": [value]},
]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("depth", [50, 20_000])
def test_depth(both: Both, wrap: Callable[[Any], Any], depth: int) -> None:
    """A process that overflows its stack is gone, and its tests with it."""
    python, compiled = both("shape-recursion")
    # Trees go down with the object, a forest has it in an error, the others look at its first step alone.
    kinds = [kind for kind in python.kinds if depth == 50 or kind.name in ("Tree", "Forest", "Knot")]
    assert kinds
    for kind in kinds:
        obj = _deep(wrap, depth)
        olds: list[Any] = [None, {}, _deep(wrap, depth)]
        for old in olds:
            more = {"update": old is not None}
            assert said(compiled, kind, obj, old, **more) == said(python, kind, obj, old, **more)


def test_depth_in_a_thread(both: Both) -> None:
    """The stacks of threads can be smaller than that of the process."""
    python, compiled = both("shape-recursion")
    obj, found = _deep(WRAPS[0], 20_000), []
    before = threading.stack_size(1024 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.extend(said(compiled, python.kinds[0], obj)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == said(python, python.kinds[0], obj)


# --- modules --------------------------------------------------------------------------------------------------------


def test_tracebacks_tell_the_line(compiled: Mapping[str, Registry]) -> None:
    """Nobody sees them, as validators raise nothing; who calls a function of the module does."""
    registry = compiled["wrong-types"]
    (kind,) = registry.of_type("Outer")
    registry.shape(kind)
    module = sys.modules[f"{PACKAGE}.wrong_types{kind.module}"]
    with pytest.raises(WrongTypeError) as caught:
        module.create_Outer({"name": 5, "number": 5}, None)
    (frame,) = (entry for entry in traceback.extract_tb(caught.tb) if entry.name == "create_Outer")
    assert frame.filename.endswith("cases/wrong_types.py")
    lines = Path(str(module.__file__)).with_name("wrong_types.py").read_text(encoding="utf-8").splitlines()
    assert "decoded(" in lines[(frame.lineno or 0) - 1]
