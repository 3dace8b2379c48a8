"""Cases that Kubernetes' own functions have answered, and how ours are asked the same.

A case is as in `testdata/comparison-answers/answers.jsonl.gz`; its README tells what is in there.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates, parse_gates
from validation_gen.mismatch.harness import Harness, all_declarative_enforced
from validation_gen.mismatch.matcher import ErrorMatcher, NormalizationRule
from validation_gen.mismatch.outcome import Outcome
from validation_gen.runtime.errors import ErrorType, FieldError

ANSWERS = Path(__file__).parents[2] / "testdata" / "comparison-answers" / "answers.jsonl.gz"
_TYPES = {type.value: type for type in ErrorType}


def read_answers() -> list[dict[str, Any]]:
    """All cases, each with its `answer`."""
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def errors_of(items: list[dict[str, Any]]) -> list[FieldError]:
    """The errors of one side of a case."""
    found = []
    for item in items:
        path = item["field"]
        error = FieldError.at(path if path != "<nil>" else None, _TYPES[item["type"]], item["value"], item["detail"])
        error.origin, error.level = item.get("origin", ""), item.get("level", "")
        error.short_circuit = item.get("short", False)
        error.tag = "+k8s:made-up"  # errors of no tag are of the shape of an object, about which Go has nothing to say
        if item.get("covered"):
            error.covered_by_declarative()
        found.append(error)
    return found


def rules_of(case: Mapping[str, Any]) -> list[NormalizationRule]:
    return [NormalizationRule(*rule) for rule in case.get("rules", ())]


def answer(case: Mapping[str, Any]) -> Any:
    """What we say to a case."""
    asked: Callable[[Mapping[str, Any]], Any] = {
        "normalize": normalized,
        "matcher": matched,
        "gates": gated,
        "35": requested,
        "37": requested,
    }[case["mode"]]
    return asked(case)


def normalized(case: Mapping[str, Any]) -> str:
    return ErrorMatcher().by_field_normalized(rules_of(case)).normalized(case["sub"])


def matched(case: Mapping[str, Any]) -> dict[str, Any]:
    """The verdicts of a matcher over two lists, all errors as it renders them, and what a test would report."""
    matcher = ErrorMatcher()
    for name in case["matcher"]:
        if name == "by_field_normalized":
            matcher = matcher.by_field_normalized(rules_of(case))
        else:
            matcher = getattr(matcher, name)()
    want, got = errors_of(case["hand"]), errors_of(case["decl"])
    said = ""
    try:
        matcher.check(want, got)
    except AssertionError as error:
        said = str(error)
    except ValueError:
        said = "matchAncestorShortCircuit is not supported for test"
    return {
        "matches": [[matcher.matches(w, g) for g in got] for w in want],
        "render": [matcher.render(error) for error in want + got],
        "test": said,
    }


def gated(case: Mapping[str, Any]) -> list[Any]:
    """The states of all gates after each text that somebody sets, until one is refused."""
    gates = FeatureGates(case["target"])
    found: list[Any] = []
    for text in case["sets"]:
        said = ""
        try:
            gates.update(parse_gates(text))
        except ValueError as error:
            said = str(error)
        states = {name: gates.enabled(name) for name in (VALIDATION, TAKEOVER, BETA)}
        found.append({"error": said, "enabled": states})
        if said:
            break
    return found


class Records(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class Seen:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def compared(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def requested(case: Mapping[str, Any]) -> dict[str, Any]:
    """One request through a harness: what is logged, answered and counted."""
    new = case["mode"] == "37"
    gates = FeatureGates("1.37", {BETA: case["on"]}) if new else FeatureGates("1.35", {TAKEOVER: case["on"]})
    hand, decl = errors_of(case["hand"]), errors_of(case["decl"])

    def declarative(*request: Any) -> list[FieldError]:
        if case.get("panic"):
            raise RuntimeError(case["panic"])
        return decl

    seen = Seen()
    harness = Harness(
        "Widget",
        lambda obj, old, op: hand,
        declarative,
        gates=gates,
        normalization=rules_of(case),
        short_circuit_mismatch=case.get("shortCircuit", False),
        observers=[seen],
    )
    log, records = logging.getLogger("validation_gen.mismatch"), Records()
    log.addHandler(records)
    try:
        arguments: dict[str, Any] = {"subresource": f"/{case.get('sub', '')}", "update": case.get("op") == "update"}
        if case.get("all"):
            with all_declarative_enforced():
                result = harness.validate({}, **arguments)
        else:
            result = harness.validate({}, **arguments)
    finally:
        log.removeHandler(records)
    (outcome,) = seen.outcomes
    return {
        "logged": [each.getMessage() for each in records.records if each.levelno >= logging.ERROR],
        "result": [[str(error), error.origin, error.level or "unknown"] for error in result],
        "mismatches": len(outcome.mismatches),
        "panics": int(outcome.panic is not None),
        "duplicates": len(outcome.duplicates),
        "identifier": outcome.identifier,
    }
