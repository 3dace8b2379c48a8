"""Cases on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from validation_gen.commands.compare.groups import Example, Group, Sort
from validation_gen.commands.compare.inputs import Inputs, parse_item
from validation_gen.commands.compare.regressions import case_name, load, save
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics

SORT = Sort(
    "shop.example.com/v1/Widget",
    "update /status",
    "handwritten",
    "rule missing",
    "spec.parts[*].name",
    "FieldValueInvalid",
    "format=x",
    '+k8s:format="x"',
    "example.com/shop/v1.Part.name",
)
ERROR = {"type": "FieldValueInvalid", "field": "spec.parts[0].name", "message": "spec.parts[0].name: Invalid value: 1"}


def group(**changes: Any) -> Group:
    example = Example(
        {"apiVersion": "shop.example.com/v1", "kind": "Widget", "spec": {"parts": [{"name": "Ä"}]}},
        {"apiVersion": "shop.example.com/v1", "kind": "Widget"},
        {"Fast": True},
        "objects.yaml:3",
        [ERROR],
        [],
        "Unexpected difference",
        "no tag declares it",
        {"kind": "Widget", "apiVersion": "shop.example.com/v1", "package": "shop/v1", "op": "update"}
        | {"subresources": ["status"]},
    )
    return Group(SORT, 3, replace(example, **changes))


def test_a_case_comes_back_as_the_request_that_it_was(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    file = save(str(tmp_path / "cases"), group(), diagnostics)
    assert file is not None
    (request,) = load(str(tmp_path / "cases"), diagnostics)
    known = group().example
    assert request.place.startswith(file)
    assert replace(request, place="") == Request(
        "Widget", known.obj, known.old, True, "shop/v1", "", {"Fast": True}, "/status"
    )
    assert not diagnostics.items


def test_the_folder_can_be_given_as_objects(tmp_path: Path) -> None:
    save(str(tmp_path), group(), Diagnostics())
    with Inputs([str(tmp_path)], Diagnostics()) as inputs:
        found = [request for item in inputs.read_items() for request in parse_item(item)]
    assert found == load(str(tmp_path), Diagnostics())


def test_people_can_read_a_case(tmp_path: Path) -> None:
    file = save(str(tmp_path), group(), Diagnostics())
    assert file is not None
    text = Path(file).read_text(encoding="utf-8")
    assert '"name": "Ä"' in text
    assert list(json.loads(text))[:4] == ["$comment", "kind", "package", "op"]
    seen = json.loads(text)["seen"]
    assert seen["cause"] == "rule missing"
    assert seen["handwritten"] == [ERROR["message"]]
    assert seen["declarative"] == []


def test_names_tell_what_a_case_is_about_and_do_not_depend_on_lines(tmp_path: Path) -> None:
    name = case_name(group())
    assert name.startswith("widget-spec-parts-name-rule-missing-")
    moved = group()
    moved.sort = replace(SORT, operation="create")
    assert case_name(moved) == name
    other = group()
    other.sort = replace(SORT, origin="format=y")
    assert case_name(other) != name
    longest = group()
    longest.sort = replace(SORT, path="spec." + "x" * 300, kind="a/b.Widget")
    assert len(case_name(longest)) < 120


def test_what_is_there_stays(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    file = save(str(tmp_path), group(), diagnostics)
    assert file is not None
    before = Path(file).stat().st_mtime_ns
    assert save(str(tmp_path), group(), diagnostics) is None
    assert save(str(tmp_path), group(obj={"kind": "Widget"}), diagnostics) is None
    assert Path(file).stat().st_mtime_ns == before
    Path(file).write_text("mine", encoding="utf-8")
    assert save(str(tmp_path), group(), diagnostics) is None
    assert Path(file).read_text(encoding="utf-8") == "mine"


def test_the_same_mismatch_has_the_same_bytes(tmp_path: Path) -> None:
    one, other = (save(str(tmp_path / name), group(), Diagnostics()) for name in ("one", "other"))
    assert one is not None
    assert other is not None
    assert Path(one).read_bytes() == Path(other).read_bytes()


def test_cases_can_be_written_by_hand(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kind: Widget\nobj: {spec: {size: 1}}\n", encoding="utf-8")
    (tmp_path / "b.yml").write_text("apiVersion: v1\nkind: Widget\n", encoding="utf-8")
    diagnostics = Diagnostics()
    found = load(str(tmp_path), diagnostics)
    assert [(request.kind, request.obj) for request in found] == [
        ("Widget", {"spec": {"size": 1}}),
        ("Widget", {"apiVersion": "v1", "kind": "Widget"}),
    ]
    assert not diagnostics.items


def test_what_is_no_case_is_reported_and_the_others_count(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"obj": 1}', encoding="utf-8")
    (tmp_path / "b.json").write_text('{"kind": "Widget", "obj": 1}', encoding="utf-8")
    diagnostics = Diagnostics()
    assert [request.obj for request in load(str(tmp_path), diagnostics)] == [1]
    (found,) = diagnostics.items
    assert (found.code, found.span.file) == ("VG905", f"{tmp_path}/a.json")
    assert "kind" in found.message


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_a_folder_without_cases_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    diagnostics = Diagnostics()
    assert load(str(tmp_path / name), diagnostics) == []
    assert not diagnostics.items


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    file = save(str(tmp_path), group(obj={"text": "\ud800"}), Diagnostics())
    assert file is not None
    assert "\\ud800" in Path(file).read_text(encoding="utf-8")
    assert len(load(str(tmp_path), Diagnostics())) == 1


def test_an_example_that_is_too_deep_is_not_kept(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    diagnostics = Diagnostics()
    assert save(str(tmp_path), group(obj=deep), diagnostics) is None
    assert [found.code for found in diagnostics.items] == ["VG903"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OSError, match="file"):
        save(str(tmp_path / "file"), group(), Diagnostics())
