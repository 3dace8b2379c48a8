"""Objects that are drawn are valid, have each field at its edges, and are the same for the same seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.commands.conversions.definitions import INTEGER, STRING, written
from tests.tables import each
from validation_gen.commands.conversions.drawing import Drawn
from validation_gen.commands.conversions.kinds import Version, read_kinds
from validation_gen.commands.conversions.places import generate_texts
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics

SAMPLE = Path(__file__).parents[3] / "testdata" / "apis"


def _version(tmp_path: Path, fields: Any) -> Version:
    file = tmp_path / "robots.yaml"
    file.write_text(written(v1=fields, v2={}))
    diagnostics = Diagnostics()
    (kind,) = read_kinds(Settings((), definitions=(str(file),)), diagnostics)
    assert not diagnostics.items
    return kind.versions["v1"]


def _values(tmp_path: Path, schema: Any, most: int = 100) -> list[Any]:
    """The values of a field that are drawn."""
    drawn = Drawn(_version(tmp_path, {"a": schema}))
    objects = list(drawn.objects(most))
    assert drawn.unreached == []
    return [obj["spec"]["a"] for obj in objects if "a" in obj.get("spec", {})]


@each(
    ("schema", "wanted"),
    [
        (INTEGER | {"minimum": 3, "maximum": 7}, {3, 4, 6, 7}),
        (INTEGER | {"multipleOf": 5, "minimum": 1, "maximum": 11}, {10}),
        (STRING | {"enum": ["x", "y"]}, {"x", "y"}),
        (STRING | {"minLength": 3, "maxLength": 5}, {"aaa", "aaaaa", "abc"}),
        (STRING | {"pattern": r"^\[[0-9]+-[0-9]+\]$"}, {"[0-1]"}),
        (STRING | {"format": "date-time"}, {"2024-05-06T07:08:09Z"}),
        ({"type": "boolean"}, {True, False}),
        (STRING | {"nullable": True}, {None, ""}),
        ({"x-kubernetes-int-or-string": True}, {1, "50%"}),
    ],
)
def test_values_are_drawn_at_the_edges(tmp_path: Path, schema: Any, wanted: set[Any]) -> None:
    found = _values(tmp_path, schema)
    assert wanted <= {value for value in found if not isinstance(value, dict | list)}


@each(
    ("schema", "wanted"),
    [
        ({"type": "array", "items": INTEGER}, [[], [1]]),
        ({"type": "array", "items": INTEGER, "minItems": 2, "x-kubernetes-list-type": "set", "maxItems": 3}, []),
        ({"type": "object", "additionalProperties": INTEGER}, [{}]),
        ({"type": "object", "properties": {"b": INTEGER}, "required": ["b"]}, [{"b": 1}, {"b": 0}]),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, [{"a": 1}, {}]),
        ({"type": "object"}, [{}]),
    ],
)
def test_containers_are_drawn_in_several_sizes(tmp_path: Path, schema: Any, wanted: list[Any]) -> None:
    found = _values(tmp_path, schema)
    assert found
    for value in wanted:
        assert value in found


def test_what_rules_demand_of_several_fields_is_mended(tmp_path: Path) -> None:
    fields = {
        "type": "object",
        "properties": {"a": INTEGER, "b": INTEGER, "c": STRING},
        "x-kubernetes-validations": [{"rule": "has(self.a) != has(self.b)"}],
    }
    version = _version(tmp_path, fields)
    drawn = Drawn(version)
    specs = [obj["spec"] for obj in drawn.objects(60)]
    assert all(("a" in spec) != ("b" in spec) for spec in specs)
    assert any("a" in spec for spec in specs)
    assert any("b" in spec for spec in specs)


def test_fields_without_a_valid_value_are_named(tmp_path: Path) -> None:
    fields = {
        "type": "object",
        "properties": {"a": INTEGER, "b": INTEGER},
        "x-kubernetes-validations": [{"rule": "!has(self.b)"}],
    }
    drawn = Drawn(_version(tmp_path, fields))
    assert len(list(drawn.objects(50))) == 50
    assert drawn.unreached == ["spec.b"]


def test_fields_have_their_turn_and_those_that_have_not_are_named(tmp_path: Path) -> None:
    version = _version(tmp_path, {f"f{number}": INTEGER for number in range(20)})
    drawn = Drawn(version)
    objects = list(drawn.objects(15))
    assert len(objects) == 15
    assert len({name for obj in objects[:10] for name in obj["spec"]}) >= 8
    assert "spec.f19" in drawn.skipped
    list(drawn.objects(300))
    assert drawn.skipped == []


def test_the_same_seed_gives_the_same_valid_objects(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    (kind,) = read_kinds(Settings((str(SAMPLE),)), diagnostics)
    assert list(kind.versions) == ["v1", "v1beta1"]
    for version in kind.versions.values():
        first, again, other = (list(Drawn(version, seed).objects(20)) for seed in (1, 1, 2))
        assert json.dumps(first) == json.dumps(again) != json.dumps(other)
        assert [version.errors(obj) for obj in first] == [[]] * 20


@each(
    ("pattern", "first"),
    [("^a{2,3}$", "aa"), ("x|y", "x"), (r"^\d+\.\w$", "1.a"), ("[^a-z]", "A"), ("(?:a(b)?)*", ""), ("(", None)],
)
def test_texts_are_found_for_patterns(pattern: str, first: str | None) -> None:
    assert next(generate_texts(pattern), None) == first
