"""What programs read of a comparison: JSON, JUnit XML and SARIF."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.commands.compare.rendering import render_json, render_junit, render_sarif
from tests.commands.compare.sample_results import (
    FILE,
    HOSTILE,
    SHELF,
    WIDGET,
    clean,
    example,
    hostile,
    many,
    ordinary,
    sort,
)
from tests.documents import junit_of, needs_the_junit_schema, needs_the_sarif_schema, sarif_of
from tests.tables import each
from validation_gen.commands.compare.groups import Group
from validation_gen.commands.compare.report.sections import REASONS
from validation_gen.commands.compare.report.wording import fingerprint
from validation_gen.commands.compare.results import Results
from validation_gen.mismatch.outcome import Cause
from validation_gen.runtime.errors import FieldError

RESULTS = [ordinary(), clean(), hostile(), many(30), Results()]
ALL = pytest.mark.parametrize("results", RESULTS)


def deep() -> Results:
    """Results with an object that is nested more deeply than Python's own functions go."""
    obj: Any = 1
    for _ in range(900):
        obj = {"a": [obj]}
    results = Results()
    results.add_group(Group(sort("a", "FieldValueInvalid", "rule extra"), 1, example(obj, [], [])))
    return results


# --- JSON -------------------------------------------------------------------------------------------------------------


@ALL
def test_json_reads_back_as_the_results(results: Results) -> None:
    text = render_json(results)
    assert text.isascii()
    assert Results.from_json(json.loads(text)).as_json() == results.as_json()
    assert render_json(Results.from_json(json.loads(text))) == text


def test_json_of_deep_objects() -> None:
    assert '"a":[{"a":' in render_json(deep())
    render_junit(deep())
    render_sarif(deep(), lambda _source, _tag: None)


# --- JUnit ------------------------------------------------------------------------------------------------------------


def parse(results: Results) -> ET.Element:
    return junit_of(render_junit(results))


@ALL
def test_junit_is_as_servers_expect_it(results: Results) -> None:
    root = parse(results)
    assert all(failure.get("message") and failure.text for failure in root.iter("failure"))


def test_junit_follows_the_schema() -> None:
    needs_the_junit_schema()
    for results in RESULTS:
        parse(results)


def test_junit_has_a_case_a_rule() -> None:
    cases = {case.get("name"): case for case in parse(ordinary()).iter("testcase")}
    state = {
        name: next((child.tag for child in case if child.tag != "system-out"), "passed") for name, case in cases.items()
    }
    assert state == {
        "spec.mode: FieldValueInvalid (immutable): +k8s:immutable": "failure",
        "spec.ports[*].name: FieldValueTooLong (maxLength): +k8s:maxLength=64": "failure",
        "spec.size: FieldValueInvalid (minimum): +k8s:minimum=0": "passed",
        "spec.owner: FieldValueRequired: +k8s:required": "skipped",
        'aisle: FieldValueInvalid (format=k8s-short-name): +k8s:format="k8s-short-name"': "skipped",
        "create: aisle: FieldValueRequired: rule missing": "failure",
        "create, update: spec.limits[*]: FieldValueInvalid (format=k8s-quantity): path differs": "failure",
    }
    assert [suite.get("name") for suite in parse(ordinary())] == [SHELF, WIDGET]


def test_junit_says_what_differs() -> None:
    root = parse(ordinary())
    failure = next(f for f in root.iter("failure") if f.get("type") == "rule differs")
    assert failure.get("message") == (
        "1,204 mismatches: rule differs: The tag +k8s:maxLength=64 declares the rule, "
        "and accepts this value of 64 characters."
    )
    text = failure.text or ""
    assert text.startswith(f"{FILE}:14:5: rule differs: 1,204 handwritten errors without counterpart\n")
    assert "\n  > spec.ports[1].name: Too long: may not be more than 63 bytes\n" in text
    assert f"\n>   - name: {'n' * 64}\n" in text
    outputs = [(out.text or "") for out in root.iter("system-out")]
    assert any("expected: 3 mismatches, spec.size: Negative sizes were valid" in out for out in outputs)


# --- SARIF ------------------------------------------------------------------------------------------------------------


def sarif(results: Results, root: str = "") -> dict[str, Any]:
    def locate(source: str, _tag: str) -> tuple[Path, int, int] | None:
        file, line, column = source.rsplit(":", 2)
        return Path(root, "api dir", file.rpartition("/")[2]), int(line), int(column)

    text = render_sarif(results, locate if results.about.get("paths") else lambda _source, _tag: None)
    return {"runs": [sarif_of(text)]}


@ALL
def test_sarif_has_what_the_standard_requires(results: Results) -> None:
    log = sarif(results)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert {cause.value for cause in Cause} <= {rule["shortDescription"]["text"] for rule in rules}
    assert len(run["results"]) == len(results.groups)
    for result in run["results"]:
        assert re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"]["mismatch/v1"])
        assert result["level"] == ("note" if "suppressions" in result else "error")
        assert result["occurrenceCount"] >= 1
        assert len(result["locations"]) == 1
    assert run["invocations"][0]["executionSuccessful"] is not results.interrupted


def test_sarif_names_files() -> None:
    (run,) = sarif(ordinary())["runs"]
    found = {
        result["ruleId"]: result["locations"][0].get("physicalLocation", {"region": None}) for result in run["results"]
    }
    assert found == {
        "rule-differs": {
            "artifactLocation": {"uri": "api%20dir/types.go"},
            "region": {"startLine": 14, "startColumn": 5},
        },
        "rule-extra": {
            "artifactLocation": {"uri": "api%20dir/types.go"},
            "region": {"startLine": 31, "startColumn": 5},
        },
        "ratcheted-away": {
            "artifactLocation": {"uri": "api%20dir/types.go"},
            "region": {"startLine": 20, "startColumn": 5},
        },
        "path-differs": {
            "artifactLocation": {"uri": "api%20dir/types.go"},
            "region": {"startLine": 60, "startColumn": 5},
        },
        "rule-missing": {"region": None},
    }
    absolute = sarif(ordinary(), "/src")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert absolute["artifactLocation"]["uri"] == "file:///src/api%20dir/types.go"


def test_sarif_notes_what_is_expected_and_what_was_not_compared() -> None:
    (run,) = sarif(ordinary())["runs"]
    (note,) = [result for result in run["results"] if result["level"] == "note"]
    assert note["suppressions"][0]["justification"].startswith("Negative sizes were valid")
    texts = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert texts == ["objects.yaml:70: no kind Gadget", "objects.yaml:91: not JSON"]


def test_every_cause_is_explained() -> None:
    assert set(REASONS) == set(Cause)


def test_fingerprints_stay_when_lines_move() -> None:
    groups = [
        Group(sort("a", "FieldValueInvalid", "rule extra", source=f"{FILE}:{line}:5"), 1, example({}, [], []))
        for line in (3, 4)
    ]
    assert fingerprint(groups[0]) == fingerprint(groups[1])
    assert len({fingerprint(group) for group in many(50).groups.values()}) == 50


@ALL
def test_sarif_follows_the_schema(results: Results) -> None:
    needs_the_sarif_schema()
    sarif_of(render_sarif(results, lambda source, _tag: (source or "x", 1, 1)))


@each("text", HOSTILE)
def test_no_text_breaks_a_format(text: str) -> None:
    results = Results()
    error = FieldError.invalid(text, {text: text}, text).with_origin(text)
    group = Group(
        sort(text, text, text, kind=text, operation=text, side=text, tag=text, source=text),
        1,
        example(text, [error], []),
    )
    results.add_group(group)
    assert parse(results).find(".//failure") is not None
    render_sarif(results, lambda source, _tag: (source or "x", 1, 1)).encode("ascii")
