"""How mismatches are repeated, and how numbers are worded."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.commands.compare.sample_results import HOSTILE, immutable, is_harmless, many, too_long
from tests.tables import each
from validation_gen.commands.compare.report.sections import repeat, request_line
from validation_gen.commands.compare.report.wording import counted, duration, percent, rate, short, visible
from validation_gen.commands.compare.requests import Request

ABOUT = {
    "paths": "./api ./more",
    "handwritten": "exec:my check",
    "objects": "all.yaml more",
    "settings": "--target 1.36",
}
BEGIN = "validation-gen compare ./api ./more --handwritten 'exec:my check' --target 1.36"


def test_the_request_is_one_of_the_line_protocol() -> None:
    example = immutable().example
    assert json.loads(request_line(example)) == {
        "id": 1,
        "kind": "Widget",
        "package": "example.com/shop/v1",
        "op": "update",
        "options": {"Fast": True, "Slow": False},
        "obj": example.obj,
        "oldObj": example.old,
        "subresources": ["status"],
    }


def test_a_request_is_repeated_as_it_was() -> None:
    example = too_long().example
    lines = repeat(too_long(), ABOUT).splitlines()
    assert lines == [f"{BEGIN} -f - <<'REQUEST'", request_line(example), "REQUEST"]
    (request,) = read(lines[1])
    assert (request.kind, request.obj, request.old) == ("Widget", example.obj, None)


def read(text: str) -> list[Request]:
    """The requests that `-f -` finds in a text."""
    found = subprocess.run([sys.executable, "-c", READ], input=text, capture_output=True, text=True, check=True).stdout
    return [Request.of_line(json.loads(line)) for line in found.splitlines()]


READ = """
import json
from validation_gen.commands.compare.inputs import Inputs, parse_item
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics
with Inputs(["-"], Diagnostics()) as inputs:
    for item in inputs.read_items():
        for request in parse_item(item):
            print(json.dumps(request.as_line(1)))
"""


def test_what_is_too_long_is_repeated_where_it_was_found() -> None:
    group = next(iter(many(1).groups.values()))
    assert repeat(group, ABOUT) == f"{BEGIN} -f big.yaml"
    group.example.place = "drawn"
    assert repeat(group, ABOUT) == f"{BEGIN} -f all.yaml -f more"
    assert repeat(group, ABOUT | {"seed": "7", "fuzz": "500"}) == f"{BEGIN} --fuzz 500 --seed 7"
    assert repeat(group, {}) == ""


def test_the_manner_of_the_comparison_is_repeated() -> None:
    group = next(iter(many(1).groups.values()))
    about = {"paths": "a", "handwritten": "exec:x -y python:a:b", "settings": "--lifecycle --feature-gates A=true"}
    assert repeat(group, about).startswith(
        "validation-gen compare a --handwritten 'exec:x -y python:a:b' --lifecycle --feature-gates A=true "
    )
    assert " --normalize 'a b=c' -f" in repeat(group, about | {"settings": "--normalize 'a b=c'"})


def test_what_settings_name_is_not_named_again() -> None:
    about = ABOUT | {"handwritten": "pyproject.toml"}
    assert repeat(next(iter(many(1).groups.values())), about) == (
        "validation-gen compare ./api ./more --target 1.36 -f big.yaml"
    )


@each(
    ("part", "whole", "text"),
    [
        (0, 0, "–"),
        (0, 5, "0 %"),
        (1, 100_000, "< 0.1 %"),
        (99_999, 100_000, "99.9 %"),
        (1, 8, "12.5 %"),
        (2, 3, "66.7 %"),
        (18, 25, "72.0 %"),
        (1, 2000, "0.1 %"),
        (100, 100, "100 %"),
    ],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@each(
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
    assert all(is_harmless(visible(text)) for text in HOSTILE)
