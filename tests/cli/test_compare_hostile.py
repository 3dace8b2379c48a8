"""`compare` with handwritten code, objects and files as nobody wants them: no traceback, and nothing of others lost."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.comparing import Comparison, box, results
from tests.cli.conftest import HOME
from tests.thorough import THOROUGH

NASTY = """

import asyncio
import datetime
import decimal
import enum
import sys
import time


class Rude:
    __hash__ = None

    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")


class Color(str, enum.Enum):
    RED = "red"


class Number(enum.IntEnum):
    ONE = 1


class Odd(BaseException):
    pass


def broken(part, value):
    error = FieldError.invalid("spec", 1, "")
    setattr(error, part, value)
    return lambda obj: [error]


BROKEN = {
    "type": "FieldValueInvalid", "detail": None, "origin": ["a"], "level": 1, "tag": None, "source": 1,
    "segments": [1], "marks": None,
}
for part, value in BROKEN.items():
    globals()[f"broken_{part}"] = broken(part, value)


def raising(error):
    def function(obj):
        raise error

    return function


cancelled = raising(asyncio.CancelledError())
closed = raising(GeneratorExit())
exits = raising(SystemExit(3))
odd = raising(Odd("x"))
exhausted = raising(MemoryError())
stops = raising(StopIteration())
rude = raising(RuntimeError(Rude()))
interrupts = raising(KeyboardInterrupt())


def deeper(obj):
    return deeper(obj)


def prints(obj):
    print("printed")
    return []


def changes(obj, old, op):
    found = agrees(obj, old, op)
    obj.clear()
    return found
"""

#: It takes a while to make the deep list.
VALUES = """

around = []
around.append(around)
deep = []
for _ in range(100_000):
    deep = [deep]

VALUES = [
    {1, 2}, datetime.datetime(2020, 1, 1), Rude(), [Rude()], {"a": Rude()}, float("nan"), float("-inf"), "\\ud800",
    Color.RED, Number.ONE, around, deep, 10**6000, -(10**30), {Number: 1}, {(1, 2): 3}, {None: 1}, b"\\x00\\xff",
    decimal.Decimal("1.5"), lambda: 1, iter([]), "a\\x1b[31m\\x00\\u202e", {"\\x00": ["\\ud800"]}, True, 1.5,
    None, (1, 2),
]


def values(obj, old, op):
    return [
        FieldError.invalid(SPEC.child(f"v{number}"), value, "\\x00\\ud800\\x1b[2J").with_origin("maximum")
        for number, value in enumerate(VALUES)
    ]
"""


def test_values_that_json_does_not_know_are_told_as_texts(comparison: Comparison) -> None:
    comparison.hand(NASTY + VALUES)
    objects = comparison.objects([box(0)])
    outputs = ("--report", "page.html", "--history", "runs.jsonl", "--metrics-file", "m.prom", "--cases", "cases")
    done = comparison("values", "-f", objects, "--format", "json", *outputs)
    data = results(done)
    assert (done.code, data["totals"]["bad"]) == (1, 0)
    errors = {each["field"]: each["badValue"] for each in data["mismatches"][0]["example"]["handwritten"]}
    assert len(errors) == data["totals"]["mismatches"] == 27
    assert errors["spec.v0"] == "{1, 2}"
    assert errors["spec.v2"] == "<Rude>"
    assert errors["spec.v3"] == ["<Rude>"]
    assert errors["spec.v5"] == "NaN"
    assert (errors["spec.v8"], errors["spec.v9"]) == ("red", 1)
    assert "bits" in errors["spec.v12"]
    assert errors["spec.v15"] == {"(1, 2)": 3} or errors["spec.v15"] == {"[1, 2]": 3}
    assert [errors[f"spec.v{n}"] for n in (23, 24, 25, 26)] == [True, 1.5, None, [1, 2]]
    ET.fromstring(comparison("values", "-f", objects, "--format", "junit").out)
    json.loads(comparison("values", "-f", objects, "--format", "sarif").out)
    text = comparison("values", "-f", objects).out
    assert "\x1b" not in text
    assert "\x00" not in text


@pytest.mark.parametrize("part", ["type", "detail", "origin", "level", "tag", "source", "segments", "marks"])
def test_errors_with_parts_of_other_types_are_no_answer(comparison: Comparison, part: str) -> None:
    comparison.hand(NASTY)
    done = comparison(f"broken_{part}", "-f", comparison.objects([box(0)]), "--format", "json")
    assert done.code == 2
    assert "malformed error" in results(done)["notes"][0]


@pytest.mark.parametrize("function", ["cancelled", "closed", "exits", "odd", "exhausted", "stops", "rude", "deeper"])
def test_whatever_is_raised_is_no_answer(comparison: Comparison, function: str) -> None:
    comparison.hand(NASTY)
    objects = comparison.objects([box(0), box(1)])
    for jobs in ("1", "2"):
        done = comparison(function, "-f", objects, "--format", "json", "--jobs", jobs)
        assert done.code == 2
        assert results(done)["totals"]["bad"] == 2


def test_who_interrupts_itself_has_interrupted_the_comparison(comparison: Comparison) -> None:
    comparison.hand(NASTY)
    done = comparison("interrupts", "-f", comparison.objects([box(0)]), "--format", "json")
    assert done.code == 130
    assert results(done)["interrupted"]


def test_what_handwritten_code_prints_is_not_among_the_results(comparison: Comparison) -> None:
    comparison.hand(NASTY)
    done = comparison("prints", "-f", comparison.objects([box(0, size=11)]), "--format", "json")
    assert results(done)["totals"]["mismatches"] == 1
    assert "printed" in done.err


def test_what_handwritten_code_does_to_objects_stays_with_it(comparison: Comparison) -> None:
    comparison.hand(NASTY)
    objects = comparison.objects([box(0, size=11), box(1, size=10)])
    data = results(comparison("changes", "-f", objects, "--format", "json"))
    assert (data["totals"]["agreeing"], data["totals"]["bad"]) == (2, 0)


def test_thousands_of_sorts_are_counted_and_take_no_more_room(comparison: Comparison) -> None:
    comparison.hand(
        "\n\ndef sorts(obj, old, op):\n"
        "    number = obj['metadata']['name'].replace('-', '')\n"
        "    return [FieldError.invalid(f'spec.a{n}{number}', n, '').with_origin('x') for n in range(20)]\n"
    )
    objects = comparison.objects([box(n) for n in range(300)])
    both = [
        results(comparison("sorts", "-f", objects, "--format", "json", "--jobs", jobs))
        for jobs in (("1", "2") if THOROUGH else ("2",))
    ]
    for data in both:
        assert data["totals"]["mismatches"] == 6000
        assert len(data["mismatches"]) == 5000
        assert data["ungrouped"] == 1000
        assert data["totals"]["bad"] == 0
        assert any("1000 mismatches are of further sorts" in note for note in data["notes"])


def test_thousands_of_errors_of_one_object_do_not_take_forever(comparison: Comparison) -> None:
    comparison.hand(
        "\n\ndef many(obj, old, op):\n"
        "    return [FieldError.invalid(SPEC.child('parts').index(n), n, '').with_origin('maximum') "
        "for n in range(4000)]\n"
    )
    begun = time.process_time()
    data = results(comparison("many", "-f", comparison.objects([box(0)]), "--format", "json"))
    assert time.process_time() - begun < 30
    (row,) = data["mismatches"]
    assert (row["path"], row["count"]) == ("spec.parts[*]", 4000)


@pytest.mark.parametrize("key", ["a.b/c", "a]b", "[", "]", "a[b]c", "", "ü\u2028", "a b"])
def test_keys_of_maps_may_hold_anything(comparison: Comparison, key: str) -> None:
    comparison.hand(
        "\n\ndef keyed(obj, old, op):\n"
        f"    return [FieldError.invalid(SPEC.child('labels').key({key!r}), 1, '').with_origin('x')]\n"
    )
    done = comparison("keyed", "-f", comparison.objects([box(0)]), "--format", "json")
    assert done.code == 1
    assert results(done)["mismatches"][0]["path"].startswith("spec.labels[")


def test_objects_that_are_large_and_deep(comparison: Comparison) -> None:
    nested = "[" * 100_000 + "]" * 100_000
    deep = json.dumps(box(1))[:-1] + f', "deep": {nested}}}'
    wide = box(2, size=9, name="x" * 3_000_000)
    objects = comparison.objects([box(0, size=9), deep, wide, box(3, size=9)])
    data = results(comparison("stricter", "-f", objects, "--format", "json"))
    assert data["totals"]["compared"] == 3
    assert data["totals"]["bad"] == 1
    assert "nested too deeply" in data["notes"][0]


# --- files ------------------------------------------------------------------------------------------------------------

OUTPUTS = [
    ("--report", "page.html"),
    ("--history", "runs.jsonl"),
    ("--metrics-file", "metrics.prom"),
    ("--resume", "state.json"),
]


@pytest.mark.parametrize(("flag", "name"), OUTPUTS)
def test_a_directory_is_no_output_file(comparison: Comparison, flag: str, name: str) -> None:
    (comparison.directory / name).mkdir()
    done = comparison("stricter", "-f", comparison.objects([box(0, size=9)]), flag, name)
    assert (done.code, done.out) == (2, "")
    assert name in done.err


@pytest.mark.parametrize(("flag", "name"), [*OUTPUTS[:2], OUTPUTS[3]])
def test_files_that_hold_something_else_are_kept(comparison: Comparison, flag: str, name: str) -> None:
    objects = comparison.objects([box(0, size=9)])
    for victim in ("hand.py", "apis/v1/types.go", "objects.jsonl", "notes.html"):
        (comparison.directory / "notes.html").write_text("<!doctype html><p>mine</p>")
        before = (comparison.directory / victim).read_bytes()
        done = comparison("stricter", "-f", objects, flag, victim)
        assert (done.code, done.out) == (2, ""), victim
        assert victim in done.err
        assert (comparison.directory / victim).read_bytes() == before


def test_outputs_of_an_earlier_run_are_replaced_or_added_to(comparison: Comparison) -> None:
    objects = comparison.objects([box(0, size=9)])
    arguments = ["-f", str(objects), *(part for each in OUTPUTS for part in each)]
    for _ in range(2):
        assert comparison("stricter", *arguments).code == 1
    assert len((comparison.directory / "runs.jsonl").read_text().splitlines()) == 2
    (comparison.directory / "page.html").write_text("")  # made by `mktemp`
    assert comparison("stricter", *arguments).code == 1
    assert "validation-gen compare" in (comparison.directory / "page.html").read_text()


def test_devices_are_not_replaced(comparison: Comparison) -> None:
    done = comparison("agrees", "-f", comparison.objects([box(0)]), "--report", "/dev/null")
    assert done.code == 2
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(("flag", "name"), OUTPUTS)
def test_folders_that_cannot_be_written(comparison: Comparison, flag: str, name: str) -> None:
    """Nobody can write below a file, not even the superuser, to whom permissions mean nothing."""
    objects = comparison.objects([box(0, size=9)])
    (comparison.directory / "locked").write_text("")
    done = comparison("stricter", "-f", objects, flag, f"locked/{name}")
    assert done.code == 2
    assert "VG903" in done.err
    assert "locked" in done.err
    assert (comparison.directory / "locked").read_text() == ""


def test_python_dataclasses_are_compared_as_go_types_are(comparison: Comparison) -> None:
    comparison.hand("\n\ndef nothing(obj):\n    return []\n")
    program = comparison.program
    fleet = HOME / "testdata" / "fleet"
    spec = "python:hand.py:nothing"
    done = program("compare", fleet, "--handwritten", spec, "--fuzz", "900", "--seed", "1", "--format", "json")
    data = results(done)
    assert done.code == 1
    assert data["totals"]["bad"] == 0
    assert {row["cause"] for row in data["mismatches"]} == {"rule extra", "gated"}
    assert data["totals"]["exercised"] > 0.7 * data["totals"]["rules"]
    assert all(row["excerpt"]["file"].partition(":")[0].endswith(".py") for row in data["mismatches"])


def test_a_kind_of_several_packages_is_asked_by_its_package(comparison: Comparison) -> None:
    types = (comparison.directory / "apis/v1/types.go").read_text().replace("package v1", "package v2")
    doc = (comparison.directory / "apis/v1/doc.go").read_text().replace("package v1", "package v2")
    comparison.program.write({"apis/v2/types.go": types.replace("maximum=10", "maximum=5"), "apis/v2/doc.go": doc})
    spec = {"spec": {"size": 7}}
    requests = [{"kind": "Box", "obj": spec}] + [{"kind": "Box", "package": f"apis/v{n}", "obj": spec} for n in (1, 2)]
    data = results(comparison("agrees", "-f", comparison.objects(requests), "--format", "json"))
    assert data["totals"]["bad"] == 1
    assert "in several packages" in data["notes"][0]
    assert {row["kind"]: row["differing"] for row in data["kinds"]} == {
        "shop.example.com/v1/Box": 0,
        "shop.example.com/v2/Box": 1,
    }
