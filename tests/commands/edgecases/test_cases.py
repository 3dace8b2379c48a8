"""Boundary cases: both sides of each rule, as the validators see them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

from tests.case_folders import Case as Folder
from tests.commands.edgecases.samples import apis, errors, program_of, subjects
from tests.upstream_packages import API, APIMACHINERY, needs_all_sources
from validation_gen.commands.coverage import Declared, Observed, find_triggered_errors, list_declared_errors
from validation_gen.commands.edgecases import Case, boundary_cases
from validation_gen.commands.edgecases.sites import find_sites
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

#: Rules of case folders that nothing can break: others stop them, every value obeys them, or old values are not known.
#: Of `note` coverage names the tag around the mode, and the error the tag in it.
UNBREAKABLE = {
    ("forbidden", "box.label"),
    ("forbidden", "code"),
    ("forbidden", "floor"),
    ("forbidden", "keys[*]"),
    ("forbidden", "rank"),
    ("if-mode", "note"),
    ("min-items", "dust"),
    ("min-properties", "dust"),
    ("minimum", "int8"),
    ("mode-discriminator", "lock"),
    ("monotonic", "loose[*].value"),
    ("optional", "agrees"),
    ("optional", "grade"),
    ("shape-cohorts", "name"),
    ("shape-cohorts", "sealed.name"),
    ("shape-cohorts", "tags[*]"),
    ("subfield", "gate.ghost"),
    ("subfield-guard", "cans[*]"),
    ("subfield-guard", "cans[*].seal"),
    ("subfield-guard", "shelves[*].cans[*]"),
    ("subfield-guard", "shelves[*].cans[*].seal"),
    ("update", "item.loose[*]"),
    ("update", "loose[*]"),
    ("validate-false", "cohorts"),
    ("validate-false", "default"),
    ("validate-false", "silent"),
    ("validate-false", "stop"),
}
#: Fields that JSON does not have, so that no value can be put there.
_NAMELESS = {"string", "Left.size", "Right.size", "twins.size"}


def is_of(error: FieldError, rule: Declared) -> bool:
    """Whether an error is that of a rule."""
    seen = Observed(rule.kind, error.field, error.type.value, error.origin, rule.package)
    return rule in find_triggered_errors([rule], [seen]) and error.tag == rule.tag and error.rule.place == rule.place


def check(case: Case, registry: Registry) -> None:
    """Whether a case is what it says."""
    rule = case.rule
    if case.failing is not None:
        found = errors(registry, case.failing)
        mine = [error for error in found if is_of(error, rule)]
        assert mine, (rule, found)
        assert case.alone == (len(found) == len(mine))
    if case.passing is not None:
        found = errors(registry, case.passing)
        assert case.valid == (not found)
    assert bool(case.reason) == (case.failing is None or case.passing is None)


def check_rules(folder: Folder) -> None:
    """Checks that each rule of a case folder is broken and obeyed by a boundary case."""
    program, registry = folder.build().program, folder.registry()
    unbroken = set()
    for case in boundary_cases(program, registry):
        check(case, registry)
        if case.failing is None:
            unbroken.add((folder.name, case.rule.path))
    assert unbroken - {each for each in UNBREAKABLE if each[0] == folder.name} == set()


def check_sites(folder: Folder) -> None:
    """Checks that the walk finds what coverage declares."""
    program = folder.build().program
    found = {
        (kind.kind.package, kind.kind.name, *site.key)
        for kind in subjects(program, folder.registry())
        for site in find_sites(kind.root, kind.place)
    }
    wanted = {(r.package, r.kind, r.path, r.type, r.origin, r.tag, r.span) for r in list_declared_errors(program)}
    missing = {each for each in wanted - found if "Secret" not in str(each)}
    # Coverage names the outer tag where options decide whether modes count; the errors name the tag of the mode.
    assert {each for each in missing if "ifMode" not in each[5]} <= {each for each in wanted if each[2] in _NAMELESS}
    assert {each for each in found - wanted if "ifMode" not in each[5]} == set()


def test_each_rule_of_the_sample_apis_has_both_sides() -> None:
    program, registry = apis()
    cases = list(boundary_cases(program, registry))
    assert [case.rule for case in cases] == list_declared_errors(program)
    for case in cases:
        check(case, registry)
        assert case.alone, case
        assert case.valid, case
        assert case.failing is not None
        assert len(json.dumps([case.failing.obj, case.failing.old])) < 70_000


def test_the_same_program_has_the_same_cases() -> None:
    program, registry = apis()
    assert list(boundary_cases(program, registry)) == list(boundary_cases(program, registry))


def test_single_rules_can_be_asked_for() -> None:
    program, registry = apis()
    some = list_declared_errors(program)[3:6]
    assert [case.rule for case in boundary_cases(program, registry, some)] == some
    strange = replace(some[0], kind="Nobody")
    (case,) = boundary_cases(program, registry, [strange])
    assert case.failing is None
    assert case.reason == "the kind has no validators"


TYPES = """
type T struct {
	// +k8s:maxLength=5
	Text string `json:"text"`

	// +k8s:optional
	// +k8s:minimum=3
	Number *int32 `json:"number,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Fixed *string `json:"fixed,omitempty"`

	// +k8s:optional
	// +k8s:listType=set
	// +k8s:maxItems=3
	Set []string `json:"set,omitempty"`

	// +k8s:ifEnabled(Fast)=+k8s:required
	Speed *int32 `json:"speed,omitempty"`
}
"""


def test_cases_are_exactly_at_the_limit_and_small(tmp_path: Path) -> None:
    program, registry = program_of(tmp_path, TYPES)
    found = {(case.rule.path, case.rule.type): case for case in boundary_cases(program, registry)}

    def objects(path: str, type: str) -> tuple[object, object]:
        case = found[path, f"FieldValue{type}"]
        assert case.failing is not None
        assert case.passing is not None
        return case.failing.obj, case.passing.obj

    assert objects("text", "TooLong") == ({"text": "aaaaaa"}, {"text": "aaaaa"})
    assert objects("number", "Invalid") == ({"number": 2}, {"number": 3})
    assert objects("set", "TooMany")[0] == {"set": ["a", "abc", "my-name", "MyName"]}
    assert objects("set", "TooMany")[1] == {"set": ["a", "abc", "my-name"]}
    assert objects("set[*]", "Duplicate") == ({"set": ["a", "a"]}, {"set": ["a", "abc"]})
    assert objects("speed", "Required")[0] == {}
    fixed = found["fixed", "FieldValueInvalid"].failing
    assert fixed is not None
    assert (fixed.update, fixed.old, fixed.obj) == (True, {"fixed": "a"}, {"fixed": "abc"})
    speed = found["speed", "FieldValueRequired"].failing
    assert speed is not None
    assert speed.options == {"Fast": True}


@needs_all_sources
def test_nearly_all_rules_of_kubernetes_have_both_sides() -> None:
    settings = Settings((str(API),), modules={"k8s.io/apimachinery": str(APIMACHINERY)})
    program = build_program(settings).program
    registry = load_validators(program)
    begun = time.monotonic()
    cases = list(boundary_cases(program, registry))
    assert time.monotonic() - begun < 60
    for case in cases:
        check(case, registry)
    assert len(cases) > 3000
    # What is left is stopped by a rule around it.
    assert [case.rule.path for case in cases if not (case.alone and case.valid)].count(
        "spec.schedulingPolicy.basic"
    ) >= 1
    assert sum(1 for case in cases if not (case.alone and case.valid)) <= 4
