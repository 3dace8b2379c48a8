"""What is drawn decodes, is at the edges, and depends on nothing but its source."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands.edgecases.samples import apis, changed, errors, program_of, subjects
from tests.thorough import drawn
from validation_gen.commands.edgecases import Drawing, Objects, RandomSource, make_random_source
from validation_gen.commands.edgecases.repairs import Subject
from validation_gen.commands.edgecases.value_specs import option_name
from validation_gen.commands.edgecases.values import distinct, edges, fits, fitting

each_kind = pytest.mark.parametrize("index", range(6))


@cache
def _kinds() -> list[Subject]:
    found = list(subjects(*apis()))
    assert len(found) == 6
    return found


@each_kind
@settings(max_examples=drawn(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), mistakes=st.sampled_from([0.0, 0.1, 1.0]), size=st.integers(0, 100))
def test_everything_decodes_whatever_is_drawn(index: int, seed: int, mistakes: float, size: int) -> None:
    kind = _kinds()[index]
    conditions = {option_name(name): bool(seed % 2) for name in kind.options}
    source = RandomSource(random.Random(seed))
    drawn = Objects(source, mistakes, 0.7, size, nulls=0.1).value(kind.place, conditions)
    other = changed(Objects(source, mistakes, 0.7, size, nulls=0.1), kind.place, drawn, conditions)
    shape = apis()[1].shape(kind.kind)
    assert not shape.problems(drawn)
    assert not shape.problems(other)
    json.dumps([drawn, other])


@each_kind
def test_requests_decode_and_most_of_them_are_valid_or_nearly(index: int) -> None:
    kind = _kinds()[index]
    drawing = Drawing(kind, make_random_source("requests", index), texts=["\u0250"], numbers=[7, 2**62])
    valid = updates = 0
    paths: set[str] = set()
    for _ in range(400):
        probe = drawing.request()
        found = errors(apis()[1], probe)
        assert "FieldValueTypeInvalid" not in {error.type.value for error in found}
        assert "InternalError" not in {error.type.value for error in found}
        valid += not found
        updates += probe.update
        paths.update(error.field for error in found)
    assert valid > 120
    assert 80 < updates < 320
    assert kind.kind.name == "Scale" or len(paths) > 15


@each_kind
def test_the_smallest_object_is_valid(index: int) -> None:
    kind = _kinds()[index]
    for state in (False, True):
        conditions = {option_name(name): state for name in kind.options}
        obj = kind.whole(Objects().value(kind.place, conditions))
        probe = kind.probe(obj, options=dict.fromkeys(kind.options, state))
        assert errors(apis()[1], probe) == []
        assert len(json.dumps(obj)) < 400


def test_the_same_source_draws_the_same() -> None:
    def drawn() -> str:
        drawing = Drawing(_kinds()[0], make_random_source("same"))
        return json.dumps([[p.obj, p.old, p.update] for p in (drawing.request() for _ in range(50))])

    assert drawn() == drawn()


TYPES = """
type T struct {
	// +k8s:maxLength=5
	// +k8s:minLength=2
	Text string `json:"text"`

	// +k8s:optional
	// +k8s:minimum=3
	// +k8s:maximum=9
	Number *int32 `json:"number,omitempty"`

	// +k8s:maxBytes=4
	Bytes string `json:"bytes"`

	// +k8s:optional
	Mode Mode `json:"mode,omitempty"`

	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=300
	Items []Item `json:"items,omitempty"`
}

// +k8s:enum
type Mode string

const (
	On  Mode = "On"
	Off Mode = "Off"
)

type Item struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
}
"""


def test_values_stand_on_both_sides_of_every_limit(tmp_path: Path) -> None:
    (kind, *_) = [k for k in subjects(*program_of(tmp_path, TYPES)) if k.kind.name == "T"]
    members = kind.place.members
    lengths = {len(text) for text in edges(members["text"])}
    assert {0, 1, 2, 3, 4, 5, 6, 7, 10, 63, 64, 253, 254} <= lengths
    assert {len(text) for text in fitting(members["text"], {})} == {2, 3, 4, 5}
    assert {2, 3, 4, 1, 5, 6, 8, 9, 10, 7, 11, 18, 2**31 - 1, -(2**31)} <= set(edges(members["number"]))
    assert {len(text.encode()) for text in fitting(members["bytes"], {})} == {0, 1, 2, 3, 4}
    assert any(len(text) <= 4 < len(text.encode()) for text in edges(members["bytes"]))
    assert {"On", "Off", "on", "off", "OFF", "On "} <= set(edges(members["mode"]))
    assert set(fitting(members["mode"], {})) == {"On", "Off", ""}


def test_there_are_as_many_different_values_as_a_rule_allows(tmp_path: Path) -> None:
    (kind, *_) = [k for k in subjects(*program_of(tmp_path, TYPES)) if k.kind.name == "T"]
    members = kind.place.members
    assert sorted(distinct(members["number"], {})) == [3, 4, 5, 6, 7, 8, 9]
    names = members["items"].elem.members["name"]
    found = [name for name, _ in zip(distinct(names, {}), range(1000), strict=False)]
    assert len(set(found)) == 1000
    assert all(fits(names, name, {}) for name in found)


def test_lists_are_drawn_whose_limits_contradict_each_other(tmp_path: Path) -> None:
    types = 'type T struct {\n\t// +k8s:minItems=3\n\t// +k8s:maxItems=2\n\tItems []string `json:"items"`\n}\n'
    (kind,) = subjects(*program_of(tmp_path, types))
    found = [Objects(make_random_source(seed), density=1.0).value(kind.place, {}) for seed in range(20)]
    assert any(obj.get("items") for obj in found)
