"""Objects that change while native code reads them: an answer or an exception, and memory stays whole.

Native code holds the global lock, so that objects can change where it calls Python: handwritten checks, and values that
it leaves to functions. `.ci/check-native` runs these tests with sanitizers.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from benchmarks import dense, engine
from tests.native.twoways import fresh, needs_native
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.kubernetes.objects import Scheme
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

pytestmark = needs_native

TYPES = """\
// +k8s:validation-gen=*
package changing

// +k8s:customValidation
type Whole struct {
	// +k8s:customValidation
	List []Item `json:"list,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:subfield(word)=+k8s:maxLength=9
	Keyed []Item `json:"keyed,omitempty"`
	// +k8s:customValidation
	Map map[string]Item `json:"map,omitempty"`
	// +k8s:customValidation
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Part *Item `json:"part,omitempty"`
}

// +k8s:customValidation
type Item struct {
	// +k8s:customValidation
	Name string `json:"name"`
	// +k8s:optional
	Word Word `json:"word,omitempty"`
	// +k8s:listType=set
	Words []Word `json:"words,omitempty"`
	// +k8s:optional
	// +k8s:customValidation
	Part *Item `json:"part,omitempty"`
}

// +k8s:customValidation
type Word string
"""
NAMES = ("Whole", "Whole_List", "Whole_Map", "Whole_Text", "Item", "Item_Name", "Item_Part", "Word")
CHECKS = "from tests.native import test_changing\n" + "".join(
    f"\n\ndef ValidateCustom_{name}(value, old, op):\n    return test_changing.on_check({name!r})\n" for name in NAMES
)
#: Is called by each handwritten check with its name.
on_check: Callable[[str], list[FieldError]] = lambda name: []  # noqa: E731 - tests replace it


@cache
def _registry() -> Registry:
    """The validators of the types, of which native code has tables."""
    with TemporaryDirectory() as directory:
        (Path(directory) / "types.go").write_text(TYPES, encoding="utf-8")
        (Path(directory) / "checks.py").write_text(CHECKS, encoding="utf-8")
        program = build_program(Settings((directory,), custom=(f"{directory}/checks.py",))).program
        return fresh(load_validators(program), warm=True)


def _whole() -> dict[str, Any]:
    """A valid object whose texts have no other references."""

    def text(*parts: object) -> str:
        return "".join(map(str, parts))

    def item(number: int, *, inner: bool = True) -> dict[str, Any]:
        words = [text("w", number, letter) for letter in "ab"]
        part = {"part": item(number + 10, inner=False)} if inner else {}
        return {"name": text("n", number), "word": text("x", number), "words": words, **part}

    lists = {name: [item(number) for number in range(3)] for name in ("list", "keyed")}
    return {**lists, "map": {text("k", n): item(n) for n in range(3)}, "text": text("t", 1), "part": item(5)}


def _empty(value: Any) -> None:
    """Empties an object from the outside in."""
    parts = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    if isinstance(value, dict | list):
        value.clear()
    while parts:
        _empty(parts.pop())


@each("name", NAMES)
def test_checks_may_empty_the_objects_that_they_judge(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = _registry()
    (kind,) = registry.of_type("Whole")
    for late, is_valid, update in ((late, v, u) for late in range(5) for v in (True, False) for u in (True, False)):
        obj, old = _whole(), _whole()
        if update:
            old["text"] = "other"
            old["map"]["k1"]["word"] = old["list"][1]["word"] = old["keyed"][1]["name"] = "other"
        calls = iter(range(late))

        def spoil(asked: str, obj: Any = obj, old: Any = old, calls: Any = calls, is_valid: bool = is_valid) -> Any:
            if asked == name and next(calls, None) is None:
                _empty(obj)
                _empty(old)
                _whole()  # uses the memory again
                return [] if is_valid else [FieldError.invalid("", "", "spoilt")]
            return []

        monkeypatch.setattr(sys.modules[__name__], "on_check", spoil)
        try:
            errors = registry.run(kind, obj, old, update=update)
        except Exception:
            errors = []
        assert all(isinstance(error, FieldError) for error in errors)
        monkeypatch.setattr(sys.modules[__name__], "on_check", lambda asked: [])
        assert registry.run(kind, _whole()) == registry.run(kind, _whole(), _whole(), update=True) == []


# --- by other threads ------------------------------------------------------------------------------------------------

#: Seconds of the processor in which objects change.
_SECONDS = 3


def _spoil(rng: random.Random, obj: Any, spare: Any) -> None:
    """Changes a part of an object in place: takes parts away, puts others there, or empties it and fills it again."""
    where = obj
    while rng.random() < 0.7:
        inner = list(where.values()) if isinstance(where, dict) else list(where)
        parts = [part for part in inner if isinstance(part, dict | list)]
        if not parts:
            break
        where = rng.choice(parts)
    other = copy.deepcopy(spare)
    if isinstance(where, list):
        where[:] = rng.choice([[], where[::2], [*where, *where], where[::-1]])
        where.append(other)
    else:
        for name in list(where)[: rng.randrange(3)]:
            where.pop(name, None)
        where[f"name{rng.randrange(5)}"] = other
        if rng.random() < 0.2:
            where.clear()


#: Returns whether an object, or its update from an old one, is valid.
Judge = Callable[[Any, Any], bool]


def _judges() -> Iterator[tuple[Judge, Any]]:
    """Yields judges with valid objects: of types with handwritten checks, of dense types, and of custom objects."""

    def judge(registry: Registry, name: str, options: Mapping[str, bool] | None = None) -> Judge:
        (kind,) = registry.of_type(name)
        run = functools.partial(registry.run, kind, options=options)
        return lambda obj, old: not run(obj, old, update=old is not None)

    yield judge(_registry(), "Whole"), _whole()
    yield judge(fresh(dense.registry(), warm=True), dense.KIND, dense.OPTIONS), dense.plant()
    scheme = Scheme()
    scheme.define(yaml.safe_load(engine.DEFINITION.read_text(encoding="utf-8")))
    yield lambda obj, old: scheme.admit(obj, old).ok, engine.route(1)


def _change(seed: int, objects: Sequence[Any], valid: Any, end: float) -> None:
    """Changes objects until the processor has worked so long, and makes them valid again now and then."""
    rng = random.Random(seed)
    while time.process_time() < end:
        obj = rng.choice(objects)
        with contextlib.suppress(RuntimeError):  # another thread has changed it meanwhile
            _spoil(rng, obj, rng.choice([None, 1, "a", {"name": "b"}, [], valid]))
        if rng.random() < 0.3:
            obj.clear()
            obj.update(copy.deepcopy(valid))


def _judge(seed: int, objects: Sequence[Any], judge: Judge, end: float, answers: Counter[str]) -> None:
    """Judges the objects meanwhile. An object that changes may also have any exception."""
    rng = random.Random(seed)
    while time.process_time() < end:
        try:
            answers[str(judge(rng.choice(objects), rng.choice([None, *objects])))] += 1
        except Exception as error:
            answers[type(error).__name__] += 1


@pytest.mark.slow
def test_other_threads_may_change_objects_that_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def let_others_run(name: str) -> list[FieldError]:
        time.sleep(0)
        return []

    monkeypatch.setattr(sys.modules[__name__], "on_check", let_others_run)
    interval = sys.getswitchinterval()
    for judge, valid in _judges():
        objects = [copy.deepcopy(valid) for _ in range(6)]
        end, answers = time.process_time() + _SECONDS / 3, Counter[str]()
        threads = [threading.Thread(target=_change, args=(seed, objects, valid, end)) for seed in range(2)]
        threads += [threading.Thread(target=_judge, args=(seed, objects, judge, end, answers)) for seed in range(2)]
        sys.setswitchinterval(1e-5)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        sys.stderr.write(f"{dict(answers)}\n")
        assert answers["True"]
        assert answers["False"]
        assert judge(valid, None)
        assert judge(valid, copy.deepcopy(valid))
