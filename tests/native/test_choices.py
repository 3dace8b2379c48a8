"""Native code knows rules of one item, rules of modes, and old items by their keys, in creates and updates."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.native.packages import built
from tests.native.twoways import Asked, fresh, needs_native
from validation_gen.compiler.pipeline import load_validators
from validation_gen.runtime.registry import Registry

pytestmark = needs_native

_TYPES = """\
// +k8s:validation-gen=*
package choices

type Tool struct {
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:maxLength=3
	Word string `json:"word,omitempty"`
	// +k8s:optional
	// +k8s:update=NoUnset
	Sticky *string `json:"sticky,omitempty"`
}

type Moded struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// +k8s:ifMode("x")=+k8s:required
	// +k8s:ifMode("x")=+k8s:minimum=3
	// +k8s:ifMode("y")=+k8s:immutable
	// +k8s:ifMode("z")=+k8s:monotonic
	Count int32 `json:"count,omitempty"`

	// +k8s:ifMode("x")=+k8s:required
	// +k8s:ifMode("y")=+k8s:optional
	// +k8s:ifMode("y")=+k8s:immutable
	Tool *Tool `json:"tool,omitempty"`
}

type Box struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:immutable
	// +k8s:item(name: "b")=+k8s:subfield(word)=+k8s:minLength=1
	// +k8s:item(name: "c")=+k8s:subfield(word)=+k8s:immutable
	Tools []Tool `json:"tools,omitempty"`
}
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    text, program = built(_TYPES, Path(tmp_path_factory.mktemp("choices")))
    assert text == _TYPES
    return load_validators(program)


def _agree(registry: Registry, name: str, objects: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Returns the valid requests of which native code is not sure, and checks all."""
    (kind,) = registry.of_type(name)
    left: list[tuple[Any, ...]] = []
    valid = 0
    for obj, old in itertools.product(objects, [None, "", *objects]):
        asked = Asked(registry, kind, obj, None if old == "" else old, old is not None)
        certain, errors = asked.agree(), asked.errors()
        valid += not errors
        left += [] if certain or errors else [(obj, old)]
    assert valid > len(objects)
    return left


def test_members_in_modes(registry: Registry) -> None:
    tools: list[Any] = [None, {}, {"word": "a"}, {"word": "long"}]
    objects = [
        {name: value for name, value in found.items() if value is not None}
        for mode, count, tool in itertools.product([None, "", "x", "y", "z"], [None, 0, 2, 4], tools)
        for found in [{"mode": mode, "count": count, "tool": tool}]
    ]
    assert [obj for obj, old in _agree(registry, "Moded", objects) if old != ""] == []
    null = {"mode": None, "count": None, "tool": None}
    wrong = {"mode": 1}, {"mode": [], "count": 3}
    left = _agree(registry, "Moded", [*objects[::5], null, *wrong])
    assert [obj for obj, old in left if old != "" and old not in wrong] == []


def test_chosen_items(registry: Registry) -> None:
    tools = [
        [{"name": name} | ({} if word is None else {"word": word}) for name in names]
        for names in ("", "a", "b", "c", "ba", "cab", "dd")
        for word in (None, "", "v", "long")
    ]
    objects: list[dict[str, Any]] = [{"tools": each} for each in tools]
    left = _agree(registry, "Box", objects)
    # A part that is not set is left to functions, which do not look at it.
    assert [
        obj for obj, _ in left if not any(tool["name"] == "b" and not tool.get("word") for tool in obj["tools"])
    ] == []


def test_old_items_by_their_keys(registry: Registry) -> None:
    """The first old item of a name decides whether an item had a part."""
    many = [{"name": f"n{i}", "sticky": ""} for i in range(40)]
    lists: list[list[Any]] = [
        [],
        [{"name": "d"}, {"name": "e", "sticky": "a"}],
        [{"name": "e", "sticky": "b"}, {"name": "d", "sticky": "b"}],
        [{"name": "d"}, {"name": "d", "sticky": "a"}],
        [{"name": "d", "sticky": "a"}, {"name": "d"}],
        [{"sticky": "a"}, {"name": "", "word": "a"}],
        [{"word": "b"}],
        [None, {"name": "d"}],
        [{"name": 1}, {"name": "1", "sticky": "a"}],
        [{"name": "1"}],
        many,
        [*many[20:], *many[:20]],
        [{**each, "word": "a"} for each in many],
        [{"name": each["name"]} for each in many],
    ]
    left = _agree(registry, "Box", [{"tools": each} for each in lists])
    odd = [{"tools": each} for each in lists if None in each or each[:1] == [{"name": 1}]]
    assert [obj for obj, old in left if obj not in odd and old not in odd] == []


@pytest.mark.parametrize("more", [("more",), ()])
def test_steps_of_another_version_leave_all_to_functions(
    registry: Registry, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packages keep the steps of the generator that has written them, which this version may not be able to read."""
    (kind,) = registry.of_type("Moded")
    shape: Any = registry.shape(kind)
    table = shape.table
    (modes,) = (step for step in table[""] if step[0] == "modes" and step[1] == "count")
    changed = (*modes, *more) if more else modes[:-1]
    monkeypatch.setattr(shape, "_table", lambda: {**table, "": (changed,)})
    other = fresh(registry, warm=True)
    for obj in ({"mode": "x", "count": 3, "tool": {"name": "a"}}, {"mode": "x", "count": 1}, {"count": 2}):
        for old in (None, {"mode": "y", "count": 4}):
            asked = Asked(other, kind, obj, old, update=old is not None)
            assert not asked.agree()
            assert asked.located() is None
