"""The cases cover the rules: each has a folder, and each emission of a check has an object that triggers it.

`tests/test_cases.py` asks the latter of each folder.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from tests.case_folders import Case, all_cases
from tests.tables import each
from validation_gen.diagnostics import Span
from validation_gen.ir import Check, IfOption, Modes, Program
from validation_gen.rules.base import Rule
from validation_gen.rules.registry import catalogue
from validation_gen.tags.model import CommentLine
from validation_gen.tags.parser import extract, parse

RULES = list(catalogue().values())

#: Emissions that no object can trigger, as `case: tag: type origin`, each with the reason.
UNREACHABLE: dict[str, str] = {
    "forbidden: +k8s:eachVal=+k8s:maxLength=1: FieldValueTooLong maxLength": "a forbidden field is never looked into",
    "forbidden: +k8s:maxLength=3: FieldValueTooLong maxLength": "a forbidden field is never looked into",
    "forbidden: +k8s:minimum=5: FieldValueInvalid minimum": "a forbidden field is never looked into",
    'forbidden: +k8s:neq="low": FieldValueInvalid neq': "a forbidden field is never looked into",
    "forbidden: +k8s:required: FieldValueRequired": "a forbidden field is never looked into",
    'dependent-required: +k8s:listType="map": FieldValueDuplicate': "the list is there for its keys",
    'if-mode: +k8s:listType="map": FieldValueDuplicate': "the list is there for its keys",
    'monotonic: +k8s:listType="map": FieldValueDuplicate': "the list is there for its keys",
    'update: +k8s:listType="map": FieldValueDuplicate': "the list is there for its keys",
    'update: +k8s:eachVal=+k8s:update="NoModify": FieldValueInvalid update': "items without identity have no old value",
    "min-items: +k8s:minItems=0: FieldValueTooFew minItems": "no list is shorter",
    "min-properties: +k8s:minProperties=0: FieldValueTooFew minProperties": "no map is smaller",
    'mode-discriminator: +k8s:ifMode("false")=+k8s:required: FieldValueForbidden': "both modes have rules",
    "minimum: +k8s:minimum=-128: FieldValueInvalid minimum": "no int8 is less",
    "opaque-type: +k8s:maxItems=1: FieldValueTooMany maxItems": "the only field of the type is opaque",
    "opaque-type: +k8s:maxLength=1: FieldValueTooLong maxLength": "the type is opaque",
    "opaque-type: +k8s:required: FieldValueRequired": "the type is opaque",
    'optional: +k8s:neq="": FieldValueInvalid neq': "the only field of the type is optional",
    "optional: +k8s:neq=false: FieldValueInvalid neq": "false is unset, and the field is optional",
    'shape-cohorts: +k8s:listType="set": FieldValueDuplicate': "the list may hold one item",
    "shape-cohorts: +k8s:required: FieldValueRequired": "a rule of the struct always stops before its fields",
    'subfield: +k8s:subfield("ghost")=+k8s:validateFalse="looked at": FieldValueInvalid validateFalse': (
        "the member forbids itself, which stops the rule"
    ),
    'validate-false: +k8s:validateFalse(cohort: "a")="not reached": FieldValueInvalid validateFalse': "it says so",
    'validate-false: +k8s:validateFalse(cohort: "b")="b2: not reached": FieldValueInvalid validateFalse': "it says so",
    'validate-false: +k8s:validateFalse="3: not reached": FieldValueInvalid validateFalse': "it says so",
    'validate-false: +k8s:validateFalse="not reached": FieldValueInvalid validateFalse': "it says so",
}

_each_rule = each("rule", RULES, ids=[rule.name for rule in RULES])


def _folder(rule: Rule) -> str:
    return re.sub("[A-Z]", lambda match: f"-{match[0].lower()}", rule.name.removeprefix("k8s:"))


@_each_rule
def test_every_rule_has_a_case_that_uses_it(rule: Rule) -> None:
    case = next((case for case in all_cases() if case.name == _folder(rule)), None)
    assert case is not None, f"there is no folder testdata/cases/{_folder(rule)}"
    sources = "".join(file.read_text(encoding="utf-8") for file in case.path.rglob("*.go"))
    assert re.search(rf"// \+(?:[^\n]*\+)?{rule.name}(?![A-Za-z])", sources), "its folder does not use the tag"


@_each_rule
def test_every_rule_is_documented_by_an_example_that_parses(rule: Rule) -> None:
    assert rule.doc.endswith(".")
    (raw,) = extract([CommentLine(rule.example, Span("example"))])
    tag = parse(raw)
    names = {tag.name}
    while tag.payload:
        tag = tag.payload
        names.add(tag.name)
    assert rule.name in names, "the example shows another tag"
    assert names <= catalogue().keys(), "the example chains a tag that does not exist"


# --- emissions ------------------------------------------------------------------------------------------------------


def _checks(program: Program) -> Iterator[Check]:
    for plan in program.types.values():
        for check in (*plan.checks, *(c for member in plan.fields for c in member.checks)):
            yield from _by_tag(check)


def _by_tag(check: Check) -> Iterator[Check]:
    """The check, or where it stands for the rules of several tags, those of each."""
    operation = check.operation
    while isinstance(operation, IfOption):
        operation = operation.inner.operation
    if not isinstance(operation, Modes):
        yield check
        return
    rules = [inner for _, checks in operation.rules for inner in checks]
    of_rules = {(emission.type, emission.origin) for inner in rules for emission in inner.emits}
    yield replace(check, emits=tuple(e for e in check.emits if (e.type, e.origin) not in of_rules))
    yield from rules


def _declared(case: Case) -> set[tuple[str, str, str, str]]:
    """What the checks of a case can report: tag, its place, error type and origin."""
    found = set()
    for check in _checks(case.build().program):
        place = check.tag.place if check.tag.text else ""
        if not check.silent:
            found |= {(check.tag.text, place, emission.type, emission.origin) for emission in check.emits}
    return found


def _reported(case: Case) -> set[tuple[str, str, str, str]]:
    """What the objects of a case made the checks report."""
    errors = [e for request in case.requests() for e in request.run(case.registry())]
    return {(e.tag, e.rule.place, e.type.value, e.origin) for e in errors}


def _line(case: Case, tag: str, type: str, origin: str) -> str:
    return f"{case.name}: {tag or 'null items'}: {type} {origin}".strip()


def check_emissions(case: Case) -> None:
    """Checks that an object of a case triggers each emission but those that are called unreachable.

    Of packages with errors no validators are made.
    """
    found: dict[str, set[str]] = defaultdict(set)
    if not case.build().diagnostics.has_errors:
        for tag, position, type, origin in _declared(case) - _reported(case):
            found[_line(case, tag, type, origin)].add(position)
    missing = {f"{line} (at {', '.join(sorted(places))})" for line, places in found.items() if line not in UNREACHABLE}
    assert not missing, "\n".join(sorted(missing))
    reached = {line for line in UNREACHABLE if line.startswith(f"{case.name}: ")} - found.keys()
    assert not reached, f"called unreachable, and an object triggers it: {sorted(reached)}"


def test_what_is_called_unreachable_has_a_reason_and_a_case() -> None:
    assert all(UNREACHABLE.values()), "an exception needs a reason"
    assert {line.partition(":")[0] for line in UNREACHABLE} <= {case.name for case in all_cases()}
