"""`validation-gen compare`: what is compared, what counts as a difference, and how the command ends."""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

import pytest

from tests.cli.comparing import TYPES, Comparison, box, lines, results

KIND = "shop.example.com/v1/Box"


def request(obj: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "Box", "package": "apis/v1", "obj": obj, **more}


# --- the exit code ----------------------------------------------------------------------------------------------------


def test_sides_that_agree_end_with_0(comparison: Comparison) -> None:
    objects = comparison.objects([box(1, size=10), box(2, size=11), box(3, name="longer")])
    done = comparison("agrees", "-f", objects, "--option", "Deep=false")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("3 requests compared, 100 % agree, no mismatches\n")


@pytest.mark.parametrize(("allowed", "code"), [((), 1), (("--allow", "1"), 1), (("--allow", "2"), 0)])
def test_mismatches_beyond_the_allowed_ones_end_with_1(
    comparison: Comparison, allowed: tuple[str, ...], code: int
) -> None:
    objects = comparison.objects([box(1, size=8), box(2, size=9), box(3, size=10), box(4, size=11)])
    done = comparison("stricter", "-f", objects, "--format", "json", *allowed)
    assert done.code == code
    totals = results(done)["totals"]
    assert (totals["compared"], totals["agreeing"], totals["mismatches"]) == (4, 2, 2)


def test_a_mismatch_names_the_tag_the_line_and_the_smallest_object(comparison: Comparison) -> None:
    big = box(1, size=9, name="abc")
    (row,) = results(comparison("stricter", "-f", comparison.objects([big]), "--format", "json"))["mismatches"]
    assert (row["cause"], row["path"], row["type"]) == ("rule differs", "spec.size", "FieldValueInvalid")
    assert (row["tag"], row["origin"], row["side"]) == ("+k8s:maximum=10", "maximum", "handwritten")
    assert row["source"].endswith("v1.BoxSpec.size")
    assert row["excerpt"]["file"] == "apis/v1/types.go:14:5"
    assert row["example"]["obj"]["spec"] == {"size": 9}  # the name has gone
    assert row["example"]["place"] == "objects.jsonl:1"


# --- what is compared -------------------------------------------------------------------------------------------------


def test_lines_are_objects_or_requests_of_the_line_protocol(comparison: Comparison) -> None:
    old = box(1, depth=41)
    objects = comparison.objects(
        [
            box(1, size=9),
            request(box(2, size=9)),
            request(old, op="update", oldObj=old, options={"Deep": True}),
            request({**old, "spec": {"depth": 42}}, op="update", oldObj=old, options={"Deep": True}),
        ]
    )
    data = results(comparison("stricter", "-f", objects, "--format", "json"))
    operations = {row["operation"]: (row["agreeing"], row["differing"]) for row in data["kinds"]}
    assert operations == {"create": (0, 2), "update": (2, 0)}
    assert data["totals"]["bad"] == 0


def test_objects_come_from_files_folders_and_standard_input_in_any_container(comparison: Comparison) -> None:
    folder = comparison.directory / "stored"
    folder.mkdir()
    (folder / "a.yaml").write_text("\n---\n".join(json.dumps(box(n, size=9)) for n in range(3)))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines([box(4, size=9)]).encode()))
    (folder / "readme.txt").write_text("no object")
    more = comparison.objects([box(5, size=9)])
    arguments = ("-f", "stored", "-f", more, "-f", "-")
    done = comparison("stricter", *arguments, "--format", "json", stdin=lines([box(6, size=9), box(7)]))
    totals = results(done)["totals"]
    assert (totals["compared"], totals["mismatches"], totals["bad"]) == (7, 6, 0)


def test_old_objects_make_updates(comparison: Comparison) -> None:
    (comparison.directory / "old").mkdir()
    comparison.objects([box(1, size=12)], "old/objects.jsonl")
    data = results(
        comparison("agrees", "-f", comparison.objects([box(1, size=12), box(2)]), "--old", "old", "--format", "json")
    )
    assert {row["operation"]: row["agreeing"] for row in data["kinds"]} == {"create": 1, "update": 1}


@pytest.mark.parametrize(("state", "mismatches"), [("true", 0), ("false", 1)])
def test_options_are_those_of_the_request_or_of_the_command(
    comparison: Comparison, state: str, mismatches: int
) -> None:
    comparison.hand("\n\ndef gated(obj, old, op):\n    return at_most(obj, 'depth', 40)\n")
    objects = comparison.objects([box(1, depth=41), request(box(2, depth=41), options={"Deep": True})])
    done = comparison("gated", "-f", objects, "--format", "json", "--option", f"Deep={state}")
    data = results(done)
    assert data["totals"]["mismatches"] == mismatches
    assert {row["cause"] for row in data["mismatches"]} == ({"gated"} if mismatches else set())
    assert data["defaultedOptions"] == []
    assert "VG604" not in done.err


def test_an_option_that_nobody_has_said_is_told(comparison: Comparison) -> None:
    done = comparison("agrees", "-f", comparison.objects([box(1)]), "--format", "json")
    assert results(done)["defaultedOptions"] == ["Deep"]
    assert "VG604" in done.err
    assert "--option Deep=true" in done.err


# --- what cannot be compared ------------------------------------------------------------------------------------------

BAD = (
    '{"a": [',
    "[1]",
    '"text"',
    json.dumps({"apiVersion": "shop.example.com/v1", "kind": "Crate"}),
    json.dumps(request({}, kind="Nothing")),
    json.dumps(box(1, size="many")),
    '{"kind": 1, "obj": {}}',
    "\x00",
)


def test_bad_lines_are_counted_quoted_with_their_position_and_skipped(comparison: Comparison) -> None:
    objects = comparison.objects([box(0, size=9), *BAD, box(1, size=9)])
    done = comparison("stricter", "-f", objects, "--format", "json")
    data = results(done)
    assert done.code == 1
    assert (data["totals"]["compared"], data["totals"]["mismatches"]) == (2, 2)
    assert data["totals"]["bad"] == len(BAD) == len(data["notes"])
    for number, note in enumerate(data["notes"], 2):
        assert note.startswith(f"objects.jsonl:{number}:"), note
    assert BAD[0] in data["notes"][0]
    assert "does not decode" in data["notes"][5]
    assert "spec.size" in data["notes"][5]
    text = comparison("stricter", "-f", objects).out
    assert f"Not compared: {len(BAD)} inputs" in text
    assert "objects.jsonl:2" in text


@pytest.mark.parametrize("line", BAD)
def test_strict_stops_at_the_first_bad_input(comparison: Comparison, line: str) -> None:
    objects = comparison.objects([box(0, size=9), line, *(box(n, size=9) for n in range(1000))])
    done = comparison("stricter", "-f", objects, "--strict", "--format", "json")
    assert done.code == 2
    assert "objects.jsonl:2" in done.err
    data = results(done)  # what was found before is told
    assert data["interrupted"]
    assert 0 < data["totals"]["mismatches"] < 1000


def test_inputs_of_which_none_can_be_compared_are_no_success(comparison: Comparison) -> None:
    done = comparison("agrees", "-f", comparison.objects(["{", "}"]))
    assert done.code == 2
    assert "none of the inputs could be compared: objects.jsonl:1" in done.err


def test_a_handwritten_function_that_fails_is_no_answer(comparison: Comparison) -> None:
    comparison.hand(
        "\n\ndef fails(obj, old, op):\n"
        "    if obj['metadata']['name'] == 'box-1':\n        raise KeyError('size')\n    return agrees(obj, old, op)\n"
    )
    done = comparison("fails", "-f", comparison.objects([box(0), box(1), box(2)]), "--format", "json")
    data = results(done)
    assert (done.code, data["totals"]["compared"], data["totals"]["bad"]) == (0, 2, 1)
    assert "objects.jsonl:2" in data["notes"][0]
    assert "KeyError" in data["notes"][0]
    assert "hand.py" in data["notes"][0]


# --- what counts as a difference --------------------------------------------------------------------------------------

ELSEWHERE = """

def elsewhere(obj, old, op):
    value = spec(obj).get("size")
    if value is not None and value > 10:
        return [FieldError.invalid("size", value, "").with_origin("maximum")]
    return []
"""


def test_normalize_rewrites_the_paths_of_the_tags(comparison: Comparison) -> None:
    comparison.hand(ELSEWHERE)
    objects = comparison.objects([box(0, size=11)])
    (row,) = results(comparison("elsewhere", "-f", objects, "--format", "json"))["mismatches"]
    assert row["cause"] == "path differs"
    rewritten = comparison("elsewhere", "-f", objects, "--normalize", r"spec\.(\w+)=$1")
    assert rewritten.code == 0, rewritten.out


MARKED = """

def marked(obj, old, op):
    found = []
    for name, most in (("weight", 20), ("height", 30), ("size", 9)):
        found += [each.covered_by_declarative() for each in at_most(obj, name, most)]
    return found


def unmarked(obj, old, op):
    return at_most(obj, "weight", 20) + at_most(obj, "height", 30)
"""


def causes(comparison: Comparison, function: str, *more: str) -> set[tuple[str, str]]:
    objects = comparison.objects([box(0, size=11), box(1, weight=21), box(2, height=31)])
    data = results(comparison(function, "-f", objects, "--format", "json", *more))
    return {(row["path"], row["cause"]) for row in data["mismatches"]}


def test_lifecycle_compares_covered_errors_and_alpha_and_beta_rules(comparison: Comparison) -> None:
    comparison.hand(MARKED)
    assert causes(comparison, "marked") == set()
    assert causes(comparison, "unmarked") == {("spec.size", "rule extra")}
    # A standard rule is not compared, so a covered twin has no counterpart.
    assert causes(comparison, "marked", "--lifecycle") == {("spec.size", "standard rule")}
    assert causes(comparison, "unmarked", "--lifecycle") == {
        ("spec.weight", "not marked as covered"),
        ("spec.height", "not marked as covered"),
    }


def test_lifecycle_of_1_35_compares_all_rules_if_its_gate_is_on(comparison: Comparison) -> None:
    types = TYPES[: TYPES.index("\t// +k8s:optional\n\t// +k8s:alpha")] + "}\n"
    comparison.program.write(
        {"apis/v1/types.go": types.replace("maximum=10", "minimum=1").replace("maxLength=5", "format=k8s-uuid")}
    )
    comparison.hand(
        "\n\ndef said(obj):\n"
        "    found = [FieldError.invalid(SPEC.child('size'), 0, '').with_origin('minimum')]\n"
        "    return found if spec(obj)['size'] < 1 else []\n"
        "\n\ndef covered(obj):\n    return [each.covered_by_declarative() for each in said(obj)]\n"
    )
    objects = comparison.objects([box(0, size=-1), box(1, size=1)])
    for function, state, found in (
        ("covered", "true", []),
        ("said", "true", ["not marked as covered"]),
        ("said", "false", []),
    ):
        gates = ("--lifecycle", "--target", "1.35", "--feature-gates", f"DeclarativeValidation={state}")
        data = results(comparison(function, "-f", objects, "--format", "json", *gates))
        assert data["totals"]["compared"] == 2
        assert [row["cause"] for row in data["mismatches"]] == found


EXPECTED = """\
expected:
- kind: Box
  path: spec.size
  reason: boxes of 9 are on their way out
  expires: "{expires}"
- path: spec.other
  reason: nobody knows
"""


def test_expected_differences_do_not_count_and_unused_entries_are_warned_of(comparison: Comparison) -> None:
    (comparison.directory / "expected.yaml").write_text(EXPECTED.format(expires="2999-01-01"))
    objects = comparison.objects([box(0, size=9)])
    done = comparison("stricter", "-f", objects, "--expected", "expected.yaml", "--format", "json")
    data = results(done)
    assert (done.code, data["totals"]["mismatches"], data["totals"]["expected"]) == (0, 0, 1)
    assert data["mismatches"][0]["expected"] == "boxes of 9 are on their way out"
    assert "VG603" in done.err
    assert "expected.yaml:6:3" in done.err


def test_an_expired_entry_is_a_finding_even_if_the_difference_has_gone(comparison: Comparison) -> None:
    (comparison.directory / "expected.yaml").write_text(EXPECTED.format(expires="2020-01-01"))
    done = comparison("agrees", "-f", comparison.objects([box(0)]), "--expected", "expected.yaml")
    assert done.code == 1
    assert "VG602" in done.err
    assert "expected.yaml:2:3" in done.err
    again = comparison("stricter", "-f", comparison.objects([box(0, size=9)]), "--expected", "expected.yaml")
    assert "1 mismatch in 1 group" in again.out


def test_a_difference_is_expected_only_where_the_entry_says(comparison: Comparison) -> None:
    comparison.hand(
        "\n\ndef indexed(obj, old, op):\n"
        "    at = SPEC.child('parts').index(int(obj['metadata']['name'][-1]))\n"
        "    return [FieldError.invalid(at, 1, '').with_origin('maximum')]\n"
    )
    entry = {"path": "spec.parts[0]", "reason": "the first part is special"}
    (comparison.directory / "expected.yaml").write_text(json.dumps({"expected": [entry]}))
    objects = comparison.objects([box(0), box(1), box(1)])
    done = comparison("indexed", "-f", objects, "--expected", "expected.yaml", "--format", "json")
    data = results(done)
    assert (done.code, data["totals"]["mismatches"], data["totals"]["expected"]) == (1, 2, 1)


def test_an_expected_file_that_cannot_be_read_is_told_before_anything_is_compared(comparison: Comparison) -> None:
    done = comparison("stricter", "-f", comparison.objects([box(0, size=9)]), "--expected", "missing.yaml")
    assert (done.code, done.out) == (2, "")
    assert "missing.yaml" in done.err


# --- requests that are drawn ------------------------------------------------------------------------------------------


def test_kinds_that_are_not_there_are_told_before_anything_is_compared(comparison: Comparison) -> None:
    objects = comparison.objects([box(0, size=9)])
    done = comparison("stricter", "-f", objects, "--fuzz", "10", "--kind", "Boxx")
    assert (done.code, done.out) == (2, "")
    assert "there is no kind Boxx" in done.err
    assert "did you mean Box?" in done.err


def test_drawn_requests_follow_the_objects(comparison: Comparison) -> None:
    objects = comparison.objects([box(0, size=9)])
    arguments = ("-f", objects, "--fuzz", "200", "--seed", "3", "--format", "json")
    data = results(comparison("stricter", *arguments))
    assert data["totals"]["compared"] == 201
    assert data["about"]["seed"] == "3"
    assert data["totals"]["exercised"] == data["totals"]["rules"] > 0


# --- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-f", ""], "-f"),
        ([], "--fuzz"),
        (["-f", "missing.jsonl"], "missing.jsonl"),
        (["-f", "empty"], "there are no objects here"),
        (["-f", "empty.jsonl"], "there are no objects here"),
        (["-f", "o.jsonl", "--option", "=x"], "--option"),
        (["-f", "o.jsonl", "--normalize", "("], "--normalize"),
        (["-f", "o.jsonl", "--normalize", "(=x"], "--normalize"),
        (["-f", "o.jsonl", "--normalize", "a=$7"], "--normalize"),
        (["-f", "o.jsonl", "--feature-gates", "A=true"], "--lifecycle"),
        (["-f", "o.jsonl", "--lifecycle", "--feature-gates", "A=true"], "--feature-gates"),
        (["-f", "o.jsonl", "--jobs", "-1"], "--jobs"),
        (["-f", "o.jsonl", "--allow", "x"], "--allow"),
        (["-f", "o.jsonl", "--target", "0.1"], "--target"),
        (["-f", "o.jsonl", "--timeout", "nan"], "--timeout"),
        (["-f", "o.jsonl", "--timeout", "inf"], "--timeout"),
        (["-f", "o.jsonl", "--format", "xml"], "--format"),
        (["-f", "o.jsonl", "--resume", "."], "."),
        (["-f", "o.jsonl", "--resume", "hand.py"], "hand.py"),
        (["-f", "o.jsonl", "--metrics-file", "metrics.txt"], ".prom"),
        (["-f", "o.jsonl", "--header", "x"], "--header"),
        (["-f", "o.jsonl", "--plural", "x"], "--plural"),
        (["-f", "o.jsonl", "--cases", "hand.py/x", "--fuzz", "1"], "hand.py"),
        (["-f", "o.jsonl", "--expected", "o.jsonl"], "VG601"),
        (["-f", "o.jsonl", "--expected", "."], "VG90"),
    ],
)
def test_mistakes_in_arguments_are_told(comparison: Comparison, arguments: list[str], said: str) -> None:
    comparison.objects([box(0, size=9)], "o.jsonl")
    comparison.objects([], "empty.jsonl")
    (comparison.directory / "empty").mkdir()
    before = comparison.program.files()
    done = comparison("stricter", *arguments)
    assert done.code in (1, 2) if said == "VG601" else done.code == 2
    assert said in done.err
    after = comparison.program.files()
    assert {name: after.get(name) for name in before} == before


def test_metrics_without_their_package(comparison: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    comparison.objects([box(0, size=9)], "o.jsonl")
    done = comparison("stricter", "-f", "o.jsonl", "--metrics-file", "m.prom")
    assert done.code == 2
    assert "metrics need the package prometheus-client" in done.err
    assert "pip install 'validation-gen[metrics]'" in done.err


@pytest.mark.parametrize(
    "spec",
    [
        *("", ":", "python:", "python:x", "python:missing:f", "python:hand.py:missing", "python:hand.py:SPEC"),
        *("exec:", "exec:missing-program", "exec:'", "webhook:", "webhook:x", "webhook:http://", "hand.py"),
        *("python:/:f", "\udcff:x"),
    ],
)
def test_mistakes_in_the_specification_of_the_handwritten_side_are_told(comparison: Comparison, spec: str) -> None:
    objects = comparison.objects([box(0)])
    done = comparison.program("compare", "apis", "-f", objects, f"--handwritten={spec}")
    assert (done.code, done.out) == (2, "")
    assert "--handwritten" in done.err


def test_a_program_may_be_the_other_side_of_several_processes(comparison: Comparison) -> None:
    program = (
        "import json, sys, time\n"
        "sys.path.insert(0, '.')\n"
        "import hand\n"
        "from validation_gen.runtime.operation import Operation\n"
        "for line in sys.stdin:\n"
        "    data = json.loads(line)\n"
        "    time.sleep(0.003)\n"
        "    op = Operation(data['options'], update=data['op'] == 'update')\n"
        "    found = hand.stricter(data['obj'], data.get('oldObj'), op)\n"
        "    print(json.dumps({'id': data['id'], 'errors': [each.as_dict() for each in found]}), flush=True)\n"
    )
    comparison.program.write({"side.py": program})
    objects = comparison.objects([box(n, size=n % 12) for n in range(600)])
    done = comparison("exec:python side.py", "-f", objects, "--jobs", "2", "--format", "json")
    data = results(done)
    assert data["notes"] == []
    assert (data["totals"]["compared"], data["totals"]["mismatches"]) == (600, 100)
