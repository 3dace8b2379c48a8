"""Packages that are drawn: recursion through collections, keys that repeat, constants of equal value.

The validators of each are compared with those that have no shortcuts, on updates to objects that say the same in
another way, or that differ in little. So the quick questions of an update meet types that nobody has thought of.
"""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.emit.test_shortcuts import without_shortcuts
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.runtime.registry import Registry

KINDS = ("A", "B", "C")
_NAMES = ("a", "b", "")
OPTIONS = [{"Odd": odd, "New": new} for odd in (False, True) for new in (False, True)]


@dataclass(frozen=True)
class _Field:
    """A field of a drawn struct: how it is written, and the kind and the type of its values."""

    json: str
    kind: str
    of: str
    tags: tuple[str, ...]
    type: str

    def text(self) -> str:
        lines = [f"\t// +k8s:{tag}" for tag in self.tags]
        return "\n".join([*lines, f'\t{self.json.title()} {self.type} `json:"{self.json},omitempty"`'])


def _drawn_field(rng: random.Random, number: int) -> _Field:
    json_name, of = f"f{number}", rng.choice(KINDS)
    kind = rng.choice(["int", "enum", "pointer", "list", "keyed", "keyed", "map"])
    immutable = ["immutable"] if rng.random() < 0.2 else []
    if kind == "int":
        tags = rng.choice([["minimum=1"], ["neq=2"], ["monotonic"], ["optional", "minimum=2"], []])
        return _Field(json_name, kind, "", tuple(tags), "int32")
    if kind == "enum":
        return _Field(json_name, kind, "", ("optional",), "Word")
    size = [f"subfield(size)=+k8s:{rule}" for rule in ("minimum=2", "maximum=2", "required", "neq=1")]
    name = [f"subfield(name)=+k8s:{rule}" for rule in ("minLength=1", "maxLength=0")]
    parts = rng.sample([*size, *name], rng.choice([0, 0, 1, 2]))
    if kind == "pointer":
        return _Field(json_name, kind, of, ("optional", *immutable, *parts), f"*{of}")
    if kind == "map":
        return _Field(json_name, kind, of, tuple(immutable), rng.choice([f"map[string]{of}", f"Map{of}"]))
    tags = [*immutable, *rng.choice([[], ["optional"], ["maxItems=2"], ["minItems=1"]])]
    tags += [f"eachVal=+k8s:{part}" for part in parts]
    if kind == "keyed":
        tags += ["listType=map", "listMapKey=name", *rng.choice([[], ["customUnique"]])]
        tags += rng.choice([[], ["eachVal=+k8s:immutable"], ['item(name: "a")=+k8s:immutable']])
        return _Field(json_name, kind, of, tuple(tags), f"[]{of}")
    return _Field(json_name, kind, of, tuple(tags), rng.choice([f"[]{of}", f"List{of}"]))


def _source(structs: dict[str, list[_Field]], rng: random.Random) -> str:
    parts = ["// +k8s:validation-gen=*\npackage drawn\n"]
    for name, fields in structs.items():
        members = "\n\n".join(member.text() for member in fields)
        size = rng.choice(["// +k8s:optional\n\t", ""]) + 'Size int32 `json:"size,omitempty"`'
        rule = rng.choice(
            ["", "", "// +k8s:subfield(size)=+k8s:maximum=2\n", "// +k8s:subfield(name)=+k8s:maxLength=1\n"]
        )
        parts.append(f'{rule}type {name} struct {{\n\tName string `json:"name"`\n\n\t{size}\n\n{members}\n}}\n')
        keyed = "// +k8s:listType=map\n// +k8s:listMapKey=name\n" if rng.random() < 0.5 else ""
        unique = "// +k8s:customUnique\n" if keyed and rng.random() < 0.5 else ""
        parts.append(f"{keyed}{unique}type List{name} []{name}\n\ntype Map{name} map[string]{name}\n")
    constants = []
    for number in range(6):
        tag = rng.choice(["", "ifEnabled(Odd)=+k8s:", "ifDisabled(New)=+k8s:"])
        comment = f"\t// {'x' * rng.randint(0, 60)}\n" + (f"\t// +k8s:{tag}enumExclude\n" if tag else "")
        constants.append(f'{comment}\tWord{number} Word = "{rng.choice(_NAMES)}"')
    parts.append("// +k8s:enum\ntype Word string\n\nconst (\n" + "\n".join(constants) + "\n)\n")
    return "\n".join(parts)


def _value(structs: dict[str, list[_Field]], member: _Field, rng: random.Random, depth: int) -> Any:
    if member.kind == "int":
        return rng.randint(0, 3)
    if member.kind == "enum":
        return rng.choice(_NAMES)
    if member.kind == "pointer":
        return _object(structs, member.of, rng, depth - 1)
    if member.kind == "map":
        return {name: _object(structs, member.of, rng, depth - 1) for name in _NAMES[: rng.randint(0, 2)]}
    return [_object(structs, member.of, rng, depth - 1) for _ in range(rng.randint(0, 3))]


def _object(structs: dict[str, list[_Field]], name: str, rng: random.Random, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"name": rng.choice(_NAMES)} | rng.choice([{}, {"size": rng.randint(0, 3)}])
    for member in structs[name]:
        if depth > 0 and rng.random() < 0.5:
            found[member.json] = _value(structs, member, rng, depth)
    return found


def _respelt(value: Any, rng: random.Random, changes: float) -> Any:
    """The same in another way: null for what is empty, unknown names. Some values do change."""
    if isinstance(value, list):
        items = [_respelt(item, rng, changes) for item in value if rng.random() >= changes]
        return items if items or rng.random() < 0.5 else None
    if isinstance(value, dict):
        found = {name: _respelt(item, rng, changes) for name, item in value.items() if rng.random() >= changes}
        return {**found, "unknown": None} if "name" in found and rng.random() < 0.3 else found
    return rng.randint(0, 3) if isinstance(value, int) and rng.random() < changes else value


@dataclass(frozen=True)
class Drawn:
    """A drawn package: its fields by struct, its program, and its validators."""

    structs: dict[str, list[_Field]]
    program: Program
    registry: Registry


def drawn_validators(rng: random.Random, directory: Path) -> Drawn:
    """Draws a package in a directory and loads its validators."""
    structs = {name: [_drawn_field(rng, n) for n in range(rng.randint(2, 5))] for name in KINDS}
    (directory / "drawn").mkdir()
    (directory / "drawn/types.go").write_text(_source(structs, rng), encoding="utf-8")
    result = build_program(Settings((str(directory / "drawn"),), every_type=True))
    assert not [d for d in result.diagnostics.sorted() if d.severity.value == "error"]
    return Drawn(structs, result.program, load_validators(result.program))


def drawn_objects(drawn: Drawn, kind: str, rng: random.Random) -> tuple[Any, Any]:
    """Draws an object of a kind, and an old one that says the same in another way or differs in little."""
    old = _object(drawn.structs, kind, rng, 4)
    return _respelt(copy.deepcopy(old), rng, rng.choice([0.0, 0.0, 0.1])), old


def _answers(registry: Registry, kind: str, obj: Any, old: Any, options: dict[str, bool]) -> list[str]:
    (found,) = registry.of_type(kind, "")
    errors = registry.run(found, obj, old, update=old is not None, options=options, level="alpha")
    return [json.dumps(error.as_dict(), default=repr) for error in errors]


@pytest.mark.parametrize("seed", range(12))
def test_quick_questions_change_no_answer(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    drawn = drawn_validators(rng, tmp_path)
    with without_shortcuts():
        plain = load_validators(drawn.program)
    for _ in range(150):
        kind, options = rng.choice(KINDS), rng.choice(OPTIONS)
        obj, old = drawn_objects(drawn, kind, rng)
        for before in (None, old):
            assert _answers(drawn.registry, kind, obj, before, options) == _answers(plain, kind, obj, before, options)
