"""The errors that tags declare, with their paths."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.commands.coverage import Declared, Observed, find_triggered_errors, list_declared_errors
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Span

RulesOf = Callable[..., list[Declared]]

HEAD = """\
// +k8s:validation-gen=*
// +groupName=example.com
package v1
"""


@pytest.fixture
def rules_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RulesOf:
    """Makes the declared errors of types in one package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "no cache"))

    def rules(types: str, head: str = HEAD) -> list[Declared]:
        Path("go.mod").write_text("module example.com/m\n", encoding="utf-8")
        Path("v1").mkdir()
        Path("v1/doc.go").write_text(head + types, encoding="utf-8")
        result = build_program(Settings((".",)))
        assert not result.diagnostics.has_errors, result.diagnostics.sorted()
        return list_declared_errors(result.program)

    return rules


def _of(rules: list[Declared], kind: str) -> list[tuple[str, str, str]]:
    return [(r.path, r.type.removeprefix("FieldValue"), r.origin) for r in rules if r.kind == kind]


def test_a_rule_says_where_it_is_from(rules_of: RulesOf) -> None:
    rules = rules_of('type T struct {\n\t// +k8s:alpha=+k8s:maxItems=3\n\tList []string `json:"list"`\n}\n')
    span = Span("v1/doc.go", 5, 5, 31)
    text = "+k8s:alpha=+k8s:maxItems=3"
    kind = ("example.com/m/v1", "example.com/v1", "T")
    assert rules == [Declared(*kind, "list", "FieldValueTooMany", "maxItems", text, span, "example.com/m/v1.T.list")]


def test_paths_lead_through_fields_items_values_and_keys(rules_of: RulesOf) -> None:
    rules = rules_of("""
// +k8s:maxLength=5
type Name string

// +k8s:eachVal=+k8s:minimum=1
type Counts map[Name]int

type Part struct {
	// +k8s:required
	Name Name `json:"name"`
}

type T struct {
	Part   Part             `json:"part"`
	Parts  []*Part          `json:"parts"`
	Table  map[string][]Part `json:"table"`
	Counts Counts           `json:"counts"`
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:neq="x"
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:immutable
	List []Part `json:"list"`
}
""")
    name = [("name", "Required", ""), ("name", "TooLong", "maxLength")]
    assert _of(rules, "Name") == [("", "TooLong", "maxLength")]
    assert _of(rules, "Counts") == [("", "TooLong", "maxLength"), ("[*]", "Invalid", "minimum")]
    assert _of(rules, "Part") == name
    assert _of(rules, "T") == [
        ("counts", "TooLong", "maxLength"),
        ("counts[*]", "Invalid", "minimum"),
        ("list[*]", "Duplicate", ""),
        ("list[*]", "Invalid", "immutable"),
        ("list[*].name", "Invalid", "neq"),
        *((f"list[*].{path}", type, origin) for path, type, origin in name),
        *((f"part.{path}", type, origin) for path, type, origin in name),
        *((f"parts[*].{path}", type, origin) for path, type, origin in name),
    ]


def test_checks_that_say_nothing_declare_nothing(rules_of: RulesOf) -> None:
    rules = rules_of("""
type T struct {
	// +k8s:optional
	// +k8s:ifEnabled(X)=+k8s:maximum=1
	Count *int `json:"count"`
	// +k8s:validateFalse(flags: "NonError")="silent"
	// +k8s:validateTrue
	Text string `json:"text"`
	// +k8s:opaqueType
	Other Other `json:"other"`
	// +k8s:subfield(text)=+k8s:maxBytes=2
	Sub Other `json:"sub"`
}

type Other struct {
	// +k8s:required
	Text string `json:"text"`
}
""")
    assert _of(rules, "T") == [
        ("count", "Invalid", "maximum"),
        ("sub.text", "Required", ""),
        ("sub.text", "TooLong", "maxBytes"),
    ]


def test_rules_about_several_members(rules_of: RulesOf) -> None:
    rules = rules_of("""
type Plain struct {
	// +k8s:unionMember
	A *string `json:"a"`
	// +k8s:unionMember
	// +k8s:dependentRequired(a)
	B *string `json:"b"`
}

type Selected struct {
	// +k8s:unionDiscriminator
	Which string `json:"which"`
	// +k8s:unionMember
	A *string `json:"a"`
}

type Moded struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`
	// +k8s:ifMode("x")=+k8s:required
	// +k8s:ifMode("y")=+k8s:maxLength=2
	A string `json:"a"`
}
""")
    assert _of(rules, "Plain") == [("", "Invalid", "union"), ("a", "Required", "dependentRequired")]
    assert _of(rules, "Selected") == [("a", "Invalid", "union")]
    assert [(r.path, r.type, r.tag) for r in rules if r.kind == "Moded"] == [
        ("a", "FieldValueForbidden", '+k8s:ifMode("x")=+k8s:required'),
        ("a", "FieldValueRequired", '+k8s:ifMode("x")=+k8s:required'),
        ("a", "FieldValueTooLong", '+k8s:ifMode("y")=+k8s:maxLength=2'),
    ]


def test_a_type_inside_itself_ends_the_walk(rules_of: RulesOf) -> None:
    rules = rules_of("""
type Tree struct {
	// +k8s:minimum=1
	Size int `json:"size"`
	Left *Tree `json:"left"`
	Leaves []Leaf `json:"leaves"`
}

type Leaf struct {
	// +k8s:required
	Name string `json:"name"`
	Tree *Tree `json:"tree"`
}
""")
    assert _of(rules, "Tree") == [("leaves[*].name", "Required", ""), ("size", "Invalid", "minimum")]
    assert _of(rules, "Leaf") == [
        ("name", "Required", ""),
        ("tree.size", "Invalid", "minimum"),
    ]


def test_an_inlined_struct_shows_where_the_path_begins(rules_of: RulesOf) -> None:
    rules = rules_of("""
type Inner struct {
	// +k8s:required
	Name string `json:"name"`
}

type T struct {
	Inner `json:",inline"`
}

type Outer struct {
	T T `json:"t"`
}
""")
    assert _of(rules, "T") == [("Inner.name", "Required", "")]
    assert _of(rules, "Outer") == [("t.name", "Required", "")]


def test_only_roots_count(rules_of: RulesOf) -> None:
    types = 'type TypeMeta struct{}\n\ntype T struct {\n\tTypeMeta `json:",inline"`\n\tPart Part `json:"part"`\n}\n'
    types += '\ntype Part struct {\n\t// +k8s:required\n\tName string `json:"name"`\n}\n'
    rules = rules_of(types, "// +k8s:validation-gen=TypesWithField=TypeMeta\npackage v1\n")
    assert [(r.api_version, r.kind, r.path) for r in rules] == [("v1", "T", "part.name")]


def test_the_same_error_of_two_tags_counts_twice(rules_of: RulesOf) -> None:
    tags = '\t// +k8s:validateFalse="one"\n\t// +k8s:validateFalse="two"\n'
    rules = rules_of(f'type T struct {{\n{tags}\tText string `json:"text"`\n}}\n')
    assert [r.tag for r in rules] == ['+k8s:validateFalse="one"', '+k8s:validateFalse="two"']
    assert find_triggered_errors(rules, [Observed("T", "text", "FieldValueInvalid", "validateFalse")]) == set(rules)


def test_a_check_in_a_mode_has_its_own_tag(rules_of: RulesOf) -> None:
    """The option around the modes comes from one of their tags; errors name the tag of their mode."""
    rules = rules_of(
        """
type A struct {
	// +k8s:modeDiscriminator
	Mode string `json:"mode"`

	// +k8s:ifEnabled(Strict)=+k8s:ifMode(a)=+k8s:required
	// +k8s:ifMode(b)=+k8s:maxLength=1
	Note string `json:"note"`
}
"""
    )
    tags = {rule.type: rule.tag for rule in rules}
    assert tags["FieldValueTooLong"] == '+k8s:ifMode("b")=+k8s:maxLength=1'
    assert tags["FieldValueRequired"] == '+k8s:ifEnabled("Strict")=+k8s:ifMode("a")=+k8s:required'
