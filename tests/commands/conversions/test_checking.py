"""What a check says of conversions that are right, and of those that lose, spoil or refuse something."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.commands.conversions.definitions import INTEGER, STRING, written
from tests.thorough import drawn
from tests.webhooks.conversions import sample
from validation_gen.commands.conversions.checking import Problem, RoundTrip, check_round_trips, round_trip
from validation_gen.commands.conversions.drawing import Drawn
from validation_gen.commands.conversions.kinds import Versioned, read_kinds
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.webhooks.conversions import Conversion, Converter, FieldOnlyIn, Move, Rename, converts

SAMPLE = Path(__file__).parents[3] / "testdata" / "apis"


def _kind(tmp_path: Path, **versions: Any) -> Versioned:
    file = tmp_path / "robots.yaml"
    file.write_text(written(**versions))
    diagnostics = Diagnostics()
    (kind,) = read_kinds(Settings((), definitions=(str(file),)), diagnostics)
    assert not diagnostics.has_errors
    return kind


def _trips(kind: Versioned, *declared: object, cases: int = 60) -> dict[tuple[str, str], RoundTrip]:
    return {(trip.source, trip.target): trip for trip in check_round_trips(Converter(declared), kind, cases, 0)}


def _told(trip: RoundTrip) -> list[tuple[str, str, str]]:
    return [(problem.sort, problem.field, problem.text) for problem in trip.problems]


def _conversion(*moves: Any, **more: Any) -> Conversion:
    return Conversion("v1", "v2", kind="Robot", moves=list(moves), **more)


def test_the_sample_api_comes_back_from_each_version() -> None:
    diagnostics = Diagnostics()
    (kind,) = read_kinds(Settings((str(SAMPLE),)), diagnostics)
    number = drawn(250)
    trips = _trips(kind, sample.ROBOT, cases=number)
    assert {way: (trip.objects, _told(trip)) for way, trip in trips.items()} == {
        ("v1", "v1beta1"): (number, []),
        ("v1beta1", "v1"): (number, []),
    }
    assert "spec.homeDock" in trips["v1", "v1beta1"].kept
    assert trips["v1beta1", "v1"].unreached == ["spec.radioChannel"]


def test_each_move_that_is_left_out_is_missed() -> None:
    (kind,) = read_kinds(Settings((str(SAMPLE),)), Diagnostics())
    drawings = [Drawn(version) for version in kind.versions.values()]
    objects = {drawing.version.name: list(drawing.objects(drawn(400))) for drawing in drawings}
    missed = []
    for move in sample.ROBOT.moves:
        left = replace(sample.ROBOT, moves=[other for other in sample.ROBOT.moves if other is not move])
        for drawing in drawings:
            name = drawing.version.name
            other = "v1" if name == "v1beta1" else "v1beta1"
            found = round_trip(Converter([left]), kind, other, drawing, objects[name], examples=False)
            if found.problems:
                break
        else:
            missed.append(move)
    # No object of v1beta1 that is valid has this field.
    assert missed == []


def test_a_field_that_nobody_converts_is_lost(tmp_path: Path) -> None:
    kind = _kind(tmp_path, v1={"a": INTEGER}, v2={"b": INTEGER})
    trips = _trips(kind, _conversion())
    (one,) = trips["v1", "v2"].problems
    assert (one.sort, one.field, one.text) == ("lost", "spec.a", "is not a field of v2, so that servers drop it")
    assert one.example == {
        "apiVersion": "example.com/v1",
        "kind": "Robot",
        "metadata": one.example["metadata"],
        "spec": {"a": one.example["spec"]["a"]},
    }
    assert 0 < one.count <= trips["v1", "v2"].objects == 60
    assert [problem.field for problem in trips["v2", "v1"].problems] == ["spec.b"]
    assert _told(_trips(kind, _conversion(Rename("spec.a", "b")))["v1", "v2"]) == []


def test_a_value_that_a_function_drops_is_lost_with_what_comes_back(tmp_path: Path) -> None:
    kind = _kind(tmp_path, v1={"a": {"type": "array", "items": INTEGER}}, v2={"a": {"type": "array", "items": INTEGER}})

    def first(new: Any, old: Any) -> None:
        new.get("spec", {}).pop("a", None)

    (one,) = _trips(kind, _conversion(forward=first))["v1", "v2"].problems
    assert (one.sort, one.field, repr(one.after)) == ("lost", "spec.a", "ABSENT")
    assert one.before == []
    declared = _trips(kind, _conversion(forward=first, keeps=["spec.a"]))["v1", "v2"]
    assert (_told(declared), list(declared.kept)) == ([], ["spec.a"])


def test_fields_of_items_are_one_field(tmp_path: Path) -> None:
    ports = {"type": "array", "items": {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}}}
    fewer = {"type": "array", "items": {"type": "object", "properties": {"a": INTEGER}}}
    zones = {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": INTEGER}}}
    kind = _kind(tmp_path, v1={"p": ports, "z": zones}, v2={"p": fewer, "z": zones})

    def drop(new: Any, old: Any) -> None:
        for zone in new.get("spec", {}).get("z", {}).values():
            zone.pop("x", None)

    told = _told(_trips(kind, _conversion(forward=drop))["v1", "v2"])
    assert told == [
        ("lost", "spec.p[*].b", "is not a field of v2, so that servers drop it"),
        ("lost", "spec.z[*].x", ""),
    ]


def test_what_is_not_valid_in_the_other_version_is_told(tmp_path: Path) -> None:
    other = {"type": "object", "properties": {"a": INTEGER | {"maximum": 10}, "c": STRING}, "required": ["c"]}
    kind = _kind(tmp_path, v1={"a": INTEGER | {"maximum": 20}}, v2=other)
    found = _trips(kind, _conversion(FieldOnlyIn("v2", "spec.c")))["v1", "v2"]
    assert _told(found) == [
        ("invalid", "spec.a", "Invalid value: should be less than or equal to 10"),
        ("invalid", "spec.c", "Required value"),
    ]


def test_what_a_conversion_refuses_is_told_with_the_reason(tmp_path: Path) -> None:
    kind = _kind(tmp_path, v1={"a": INTEGER}, v2={"a": INTEGER})

    @converts("v1", "v2", kind="Robot")
    def up(obj: Any) -> Any:
        if obj.get("spec", {}).get("a") == 0:
            raise ZeroDivisionError("zero is nothing")

    @converts("v2", "v1", kind="Robot")
    def down(obj: Any) -> Any:
        return obj

    trips = _trips(kind, up, down)
    (one,) = trips["v1", "v2"].problems
    assert one.sort == "failed"
    assert one.text.startswith("the conversion of Robot from v1 to v2 failed: ZeroDivisionError at ")
    assert one.after == "zero is nothing"
    assert one.example["spec"] == {"a": 0}
    # The way back is the same function.
    assert [problem.sort for problem in trips["v2", "v1"].problems] == ["failed"]


def test_metadata_is_left_alone(tmp_path: Path) -> None:
    kind = _kind(tmp_path, v1={"a": INTEGER}, v2={"a": INTEGER})

    def rename(new: Any, old: Any) -> None:
        new["metadata"]["name"] = "x"

    (one,) = _trips(kind, _conversion(forward=rename))["v1", "v2"].problems
    assert 'metadata.name must stay "a", and is "x"' in one.text


def test_an_object_that_comes_back_changed_is_told(tmp_path: Path) -> None:
    kind = _kind(tmp_path, v1={"a": INTEGER}, v2={"a": INTEGER})
    count = iter(range(10**9))

    @converts("v1", "v2", kind="Robot")
    def up(obj: Any) -> Any:
        return obj

    @converts("v2", "v1", kind="Robot")
    def down(obj: Any) -> Any:
        obj.setdefault("spec", {})["a"] = next(count)

    problems: list[Problem] = _trips(kind, up, down)["v1", "v2"].problems
    assert {problem.sort for problem in problems} == {"lost", "changed"}
    assert "spec.a" in {problem.field for problem in problems}


def test_each_pair_of_versions_is_checked_over_the_hub(tmp_path: Path) -> None:
    kind = _kind(
        tmp_path, v1={"a": INTEGER}, v2={"b": INTEGER}, v3={"c": {"type": "object", "properties": {"d": INTEGER}}}
    )
    second = Conversion("v3", "v1", kind="Robot", moves=[Move("spec.c.d", "spec.a"), FieldOnlyIn("v3", "spec.c")])
    trips = _trips(kind, _conversion(Rename("spec.a", "b")), second)
    assert {way: _told(trip) for way, trip in trips.items()} == {
        (one, other): [] for one in ("v1", "v2", "v3") for other in ("v1", "v2", "v3") if one != other
    }
    partly = Conversion("v3", "v1", kind="Robot", moves=[FieldOnlyIn("v3", "spec.c"), FieldOnlyIn("v1", "spec.a")])
    trips = _trips(kind, _conversion(Rename("spec.a", "b")), partly)
    assert _told(trips["v2", "v3"]) == []
