"""Ours say what Kubernetes' own functions have said: messages in their order, the answer, duplicates, matchers, gates.

`testdata/comparison-answers/README.md` tells where the answers are from.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.mismatch.answers import answer, read_answers

CASES = read_answers()


@pytest.mark.parametrize("mode", ["37", "35"])
def test_requests_are_answered_logged_and_counted_alike(mode: str) -> None:
    for case in of_mode(mode):
        wanted, said = dict(case["answer"]), answer(case)
        said["logged"] = [text for text in said["logged"] if not text.startswith("panic during")]
        if "identifier" not in wanted:  # Kubernetes makes one, but nothing shows it when nothing is counted
            del said["identifier"]
        assert said == wanted, case


@pytest.mark.parametrize("mode", ["matcher", "normalize"])
def test_matchers_match_and_print_alike(mode: str) -> None:
    for case in of_mode(mode):
        assert answer(case) == case["answer"], case


def test_gates_are_set_and_refused_alike() -> None:
    for case in of_mode("gates"):
        for said, wanted in zip(answer(case), case["answer"], strict=True):
            assert said["enabled"] == wanted["enabled"], case
            assert said["error"].startswith(wanted["error"]), case  # ours goes on with a suggestion
            assert bool(said["error"]) == bool(wanted["error"]), case


def test_the_cases_show_everything_that_can_happen() -> None:
    """Guards the data: cases that agree because nothing happens in them prove nothing."""
    seen: Counter[str] = Counter()
    for case in of_mode("37") + of_mode("35"):
        wanted = case["answer"]
        logged = " ".join(wanted["logged"])
        seen["agreeing"] += not wanted["logged"]
        for word in ("unmatched", "extra", "authoritative", "DeclarativeValidationBeta", "Takeover", "aka"):
            seen[word] += word in logged
        seen["duplicates"] += wanted["duplicates"] > 0
        seen["panics"] += wanted["panics"]
        seen["superseded"] += len(wanted["result"]) < len(case["hand"])
        seen["short-circuited"] += case.get("shortCircuit", False) and any(error["short"] for error in case["decl"])
    for case in of_mode("matcher"):
        matches = [each for row in case["answer"]["matches"] for each in row]
        seen["matching"] += any(matches)
        seen["differing"] += not all(matches)
        seen["duplicate in a test"] += "exact duplicate" in case["answer"]["test"]
        seen["agreeing test"] += not case["answer"]["test"]
    for case in of_mode("gates"):
        seen["refused"] += bool(case["answer"][-1]["error"])
    assert {name: count for name, count in seen.items() if count < 5} == {}


def of_mode(mode: str) -> list[dict[str, Any]]:
    found = [case for case in CASES if case["mode"] == mode]
    assert len(found) >= 40
    return found
