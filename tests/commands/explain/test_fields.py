"""Which rules apply to a field, from wherever they are written."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_folders import ROOT, Case, all_cases, inside
from tests.tables import each
from tests.thorough import THOROUGH, drawn
from validation_gen.commands.explain.fields.account import FieldAccount, account
from validation_gen.commands.explain.fields.address import AddressError, Step, read_address
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter
from validation_gen.ir import Program
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.levels import Level


@pytest.fixture(scope="module")
def program() -> Program:
    with inside(ROOT):
        return build_program(Settings(("testdata/apis",), every_kind=True)).program


def about(program: Program, text: str) -> FieldAccount:
    plan, steps = read_address(text, program)
    return account(program, plan, steps, NEWEST)


def tags(found: FieldAccount) -> list[str]:
    return [rule.tag for rule in found.rules]


@each(
    ("text", "name", "steps"),
    [
        ("robots/v1.Robot", "Robot", []),
        ("robots/v1.Robot.spec.model", "Robot", [".spec", ".model"]),
        ("v1.Robot.spec.sensors[*].kind", "Robot", [".spec", ".sensors", "[*]", ".kind"]),
        ("example.com/fleet/robots/v1.RobotSpec.markings[a.b/c]", "RobotSpec", [".markings", "[a.b/c]"]),
        ("Battery.capacity", "Battery", [".capacity"]),
        ("v1.RobotSpec.markings{}", "RobotSpec", [".markings", "[*]"]),
        ('v1.RobotSpec.compartments[name="a"].name', "RobotSpec", [".compartments", '[name="a"]', ".name"]),
    ],
)
def test_addresses(program: Program, text: str, name: str, steps: Sequence[str]) -> None:
    plan, found = read_address(text, program)
    assert (plan.name, [str(step) for step in found]) == (name, list(steps))


def test_of_several_versions_the_stored_one_is_meant(program: Program) -> None:
    found = about(program, "Robot.spec.compartments[*].volumeLiters")  # as the help has it
    assert (found.package, found.declared.partition(":")[0]) == (
        "example.com/fleet/robots/v1",
        "testdata/apis/robots/v1/robot_types.go",
    )
    note = "This is the storage version; Robot is also in example.com/fleet/robots/v1beta1."
    assert note in found.notes
    assert note not in about(program, "v1beta1.Robot.spec").notes
    assert about(program, "RobotSpec.model").package == "example.com/fleet/robots/v1"


def test_the_keys_of_a_list(program: Program) -> None:
    told = "Items are identified by kind and mount: no two may have the same."
    assert told in about(program, "Robot.spec.sensors").notes
    assert told not in about(program, "Robot.spec.sensors[*]").notes
    assert not any("told apart" in note for note in about(program, "Robot.spec").notes)


def test_each_rule_is_named_after_what_it_does(program: Program) -> None:
    for plan in program.types.values():
        for field in plan.fields:
            found = account(program, plan, [Step(field.json)] if field.json else [], NEWEST)
            for rule in (*found.rules, *found.around, *found.above):
                assert "  " not in rule.meaning
                assert rule.tag != "(null items of a list of pointers)" or "[]*" in found.type


def test_what_both_manners_say_alike_is_as_good_in_one_as_in_the_other(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/m\n")
    (tmp_path / "types.go").write_text(
        "package m\n\ntype Robot struct {\n"
        '\t// +k8s:optional\n\t// +k8s:minimum=1\n\tArms *int32 `json:"arms,omitempty"`\n'
        '\t// +k8s:optional\n\t// +k8s:minimum=1\n\tLegs int32 `json:"legs,omitempty"`\n}\n'
    )
    with inside(tmp_path):
        made = build_program(Settings((".",), every_kind=True)).program
    verdicts = {
        name: [each.verdict for each in about(made, f"Robot.{name}").rules[-1].schemas] for name in ("arms", "legs")
    }
    assert verdicts == {"arms": ["exact", "exact"], "legs": ["stricter, looser", "exact"]}


def test_keys_of_items() -> None:
    assert Step(inside='name=a, kind: "b"').terms == {"name": "a", "kind": "b"}
    assert Step(inside="{name: a}").terms == {"name": "a"}
    assert Step(inside="*").terms == {}


@each(
    ("text", "message", "help"),
    [
        ("robots/v1.Robt.spec", "there is no type robots/v1.Robt", "did you mean Robot"),
        ("Qqqq", "there is no type Qqqq", "write it like Robot.spec"),
        ("", "there is no type ", "write it like"),
        ("v1.Robot.spec.modell", "RobotSpec has no field modell", "did you mean model?"),
        ("v1.Robot.spec.zzz", "RobotSpec has no field zzz", "it has "),
        ("v1.Robot.spec.Modell", "RobotSpec has no field Modell", "did you mean model?"),
        ("v1.Robot.spec[*]", "Robot.spec is a RobotSpec, and no list or map", "leave [*] away"),
        ("v1.Robot.spec.model.x", "Robot.spec.model is a string and has no field x", "it has no parts"),
        ("v1.Robot.spec.sensors.kind", "Robot.spec.sensors is a []Sensor and has no field kind", "write [*] first"),
        ("v1.Robot.spec.sensors[kin=x]", "items of Robot.spec.sensors have no key kin", "did you mean kind?"),
        ("v1.Robot.spec.sensors[", "cannot be read", "write it like"),
        ("v1.Robot..spec", "cannot be read", "write it like"),
    ],
)
def test_slips(program: Program, text: str, message: str, help: str) -> None:
    with pytest.raises(AddressError) as caught:
        about(program, text)
    assert message in str(caught.value)
    assert help in caught.value.help


def test_a_field_with_the_rules_of_its_type(program: Program) -> None:
    found = about(program, "robots/v1.Robot.spec.serialNumber")
    assert tags(found) == ["+k8s:required", '+k8s:format="k8s-short-name"', "+k8s:maxLength=24"]
    first, second, _ = found.rules
    assert first.on == "the field RobotSpec.serialNumber"
    assert first.stops == "all other rules of the value, and what is inside"
    assert second.on == "the type FrameSerialNumber"
    assert second.stopped_by == ("+k8s:required",)
    assert second.source.endswith("robot_types.go:167:4")
    assert second.errors == ("FieldValueInvalid (format=k8s-short-name)",)


def test_a_type_lists_the_rules_of_its_fields(tmp_path: Path) -> None:
    (tmp_path / "v1").mkdir()
    text = """package v1

type Node struct {
	// +k8s:required
	// +k8s:eachVal=+k8s:maxLength=3
	Names []Name `json:"names"`
	// +k8s:optional
	Next *Node `json:"next,omitempty"`
	Leaf Leaf `json:"leaf"`
	// +k8s:optional
	Other *Leaf `json:"other,omitempty"`
	// +k8s:opaqueType
	Closed Leaf `json:"closed"`
}

// +k8s:minLength=1
type Name string

type Leaf struct {
	// +k8s:minimum=1
	Size int `json:"size"`
}
"""
    (tmp_path / "v1" / "types.go").write_text(text, encoding="utf-8")
    with inside(tmp_path):
        program = build_program(Settings(("v1",), every_kind=True)).program
    plan, steps = read_address("Node", program)
    found = [(each.path, each.tag, each.source) for each in account(program, plan, steps, NEWEST).inside]
    assert set(found) == {
        ("Node.names", "+k8s:required", "v1/types.go:4:5"),
        ("Node.names", "+k8s:eachVal=+k8s:maxLength=3", "v1/types.go:5:5"),
        ("Node.names[*]", "+k8s:minLength=1", "v1/types.go:16:4"),
        ("Node.next", "+k8s:optional", "v1/types.go:7:5"),
        ("Node.next", "(as in Node)", ""),
        ("Node.leaf.size", "+k8s:minimum=1", "v1/types.go:20:5"),
        ("Node.other", "+k8s:optional", "v1/types.go:10:5"),
        ("Node.other", "(as in Node.leaf)", ""),
    }
    assert account(program, *read_address("Node.leaf", program), NEWEST).inside == ()


def test_go_names_mean_the_same(program: Program) -> None:
    by_json = about(program, "robots/v1.Robot.spec.homeDock")
    assert about(program, "robots/v1.Robot.Spec.HomeDock") == by_json


def test_rules_from_further_up(program: Program) -> None:
    found = about(program, "robots/v1.Robot.spec.compartments[*].volumeLiters")
    outer = '+k8s:item(name: "main")=+k8s:subfield("volumeLiters")=+k8s:minimum=10'
    assert tags(found) == [outer, outer, "+k8s:required", "+k8s:minimum=1"]
    guard, rule, *_ = found.rules
    assert guard.errors == ()
    assert rule.at == "Robot.spec.compartments"
    assert rule.via == ('item(name: "main")', "subfield(volumeLiters)")
    assert rule.conditions == ('only the first item with name: "main"',)
    assert [rule.tag for rule in found.above] == ["+k8s:maxItems=8", "+k8s:optional"]
    chosen = about(program, "robots/v1.Robot.spec.compartments[name=main].volumeLiters")
    assert chosen.rules[1].conditions == ()
    other = about(program, "robots/v1.Robot.spec.compartments[name=side].volumeLiters")
    assert tags(other) == ["+k8s:required", "+k8s:minimum=1"]


def test_rules_around(program: Program) -> None:
    found = about(program, "robots/v1.Robot.spec.drive.legged")
    assert [rule.tag for rule in found.around] == ["+k8s:unionMember"]


def test_options(program: Program) -> None:
    found = about(program, "robots/v1.Robot.spec.autonomy.swarm")
    assert {c.partition(",")[0] for rule in found.rules for c in rule.conditions if c.startswith("only")} == {
        "only while the option RobotSwarming is off",
        "only while the option RobotSwarming is on",
    }


def test_opaque_types(program: Program) -> None:
    found = about(program, "robots/v1.Robot.status.lastAppliedSpec")
    assert "+k8s:opaqueType: the rules of RobotSpec do not count here" in found.notes


def test_schemas(program: Program) -> None:
    found = about(program, "robots/v1.Robot.spec.model")
    required, length = found.rules
    idiomatic, exact = required.schemas
    assert [(said.path, dict(said.keywords)) for said in idiomatic.said] == [
        ("spec", {"required": ["model"]}),
        ("spec.model", {"minLength": 1}),
    ]
    assert (idiomatic.verdict, idiomatic.differences) == ("looser", ("zeros accepted",))
    assert exact.verdict == "exact"
    assert exact.said[0].path == ""
    (rule,) = exact.said[0].keywords["x-kubernetes-validations"]
    assert "self.spec.model != ''" in rule["rule"]
    assert [dict(said.keywords) for schema in length.schemas for said in schema.said] == [{"maxLength": 64}] * 2
    assert "zeros accepted" in found.differences


def test_schemas_say_what_definitions_say(program: Program) -> None:
    """All that is told of fields stands in the schema of the kind."""
    package = program.packages["example.com/fleet/robots/v1"]
    (root,) = [root for root in package.roots if root.kind == "Robot"]
    for manner in SchemaMode:
        whole = str(ResourceEmitter(program, SchemaOptions(manner, level=Level.ALPHA)).schema(root).as_json())
        for field in ("model", "serialNumber", "compartments", "speedLimits", "drive", "capabilities[*]"):
            for rule in about(program, f"robots/v1.Robot.spec.{field}").rules:
                for schema in rule.schemas:
                    for said in schema.said if schema.manner == manner.value else ():
                        for entry in said.keywords.get("x-kubernetes-validations", ()):
                            assert repr(entry["rule"]) in whole


CASES = all_cases()  # built by the process that tries them


def fields_of(case: Case) -> list[str]:
    types = case.build().program.types.values()
    return [f"{plan.package}.{plan.name}.{member.json or member.go_name}" for plan in types for member in plan.fields]


@each("case", CASES, ids=[case.name for case in CASES], parts=8)
def test_all_fields_of_cases(case: Case) -> None:
    """Every check of a field, or of its type, is told."""
    program = case.build().program
    for plan in program.types.values():
        for member in plan.fields if THOROUGH else plan.fields[::2]:
            name = f"{plan.package}.{plan.name}.{member.json or member.go_name}"
            found = about(program, name)
            told = {(rule.tag, rule.source) for rule in found.rules}
            own = [*member.checks, *(program.types[member.type].checks if member.type else [])]
            wanted = {(check.tag.text, str(check.tag.span)) for check in own if check.tag.text}
            assert wanted <= told, name


@settings(deadline=None, max_examples=drawn(60))
@given(st.data())
def test_nothing_else_is_raised(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from([case for case in CASES if fields_of(case)]))
    text = data.draw(st.sampled_from(fields_of(case)) | st.text(max_size=12))
    more = data.draw(st.text('.[]{}*="abcxyz/ é', max_size=8))
    with contextlib.suppress(AddressError):
        about(case.build().program, text + more)
