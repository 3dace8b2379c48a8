"""How mismatches are repeated, and how numbers are worded."""

from __future__ import annotations

import json

import pytest

from tests.compare.sample_results import HOSTILE, WIDGET, example, immutable, many, sort, too_long
from validation_gen.compare.report.repeat import repeat, request_line
from validation_gen.compare.report.wording import counted, duration, percent, rate, short, visible
from validation_gen.compare.results import Group

ABOUT = {"paths": "./api ./more", "handwritten": "exec:my check", "objects": "all.yaml"}


def test_the_request_is_one_of_the_line_protocol() -> None:
    group = immutable()
    assert json.loads(request_line(group)) == {
        "id": 1,
        "kind": "Widget",
        "op": "update",
        "options": {"Fast": True, "Slow": False},
        "obj": group.example.obj,
        "oldObj": group.example.old,
        "subresources": ["status"],
    }


@pytest.mark.parametrize(
    ("name", "kind", "package"),
    [
        (WIDGET, "Widget", None),
        ("v1/Pod", "Pod", None),
        ("Pod", "Pod", None),
        ("example.com/shop/v1.Shelf", "Shelf", "example.com/shop/v1"),
        ("shop.types.Shelf", "Shelf", "shop.types"),
    ],
)
def test_kinds_are_named_as_the_protocol_names_them(name: str, kind: str, package: str | None) -> None:
    line = json.loads(request_line(Group(sort("a", "b", "c", kind=name), 1, example({}, [], []))))
    assert (line["kind"], line.get("package")) == (kind, package)


def test_the_comparison_is_repeated_where_the_example_was_found() -> None:
    again = repeat(too_long(), ABOUT | {"target": "1.36", "lifecycle": "beta"}).again
    assert again == (
        "validation-gen compare ./api ./more --handwritten 'exec:my check' --objects objects.yaml "
        "--target 1.36 --lifecycle beta"
    )
    nowhere = Group(too_long().sort, 1, example({}, [], []))
    assert repeat(nowhere, ABOUT).again.endswith(" --objects all.yaml")
    assert repeat(nowhere, ABOUT | {"seed": "7", "fuzz": "500"}).again.endswith(" --fuzz 500 --seed 7")
    assert repeat(too_long(), ABOUT).alone == "validation-gen stdio ./api ./more"
    assert repeat(too_long(), {}).again == repeat(too_long(), {}).alone == ""


def test_requests_that_are_too_long_are_left_to_the_json() -> None:
    assert repeat(next(iter(many(1).groups.values())), ABOUT).request == ""
    assert repeat(too_long(), ABOUT).request


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "–"),
        (0, 5, "0 %"),
        (1, 100_000, "< 0.1 %"),
        (99_999, 100_000, "99.9 %"),
        (1, 8, "12.5 %"),
        (100, 100, "100 %"),
    ],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (-1, "0 s"),
        (4.2e-6, "4.2 µs"),
        (0.0123, "12.3 ms"),
        (4.56, "4.56 s"),
        (60, "1 min"),
        (200.4, "3 min 20 s"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_words() -> None:
    assert counted(1, "mismatch") == "1 mismatch"
    assert counted(1234, "mismatch") == "1,234 mismatches"
    assert counted(0, "group") == "0 groups"
    assert duration(7500) == "2 h 5 min"
    assert rate(10, 0) == "–"
    assert rate(1, 3) == "0.3"
    assert short("a" * 5 + "b" * 5, 7) == "aaaa…bb"
    assert all(visible(text).isprintable() for text in HOSTILE)
