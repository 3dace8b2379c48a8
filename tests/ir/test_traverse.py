"""The traversal of a program: each check with its value and its conditions, in the order of the validators."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Span
from validation_gen.emit.policies import walk
from validation_gen.emit.python import checks, fastpath
from validation_gen.emit.schema import constrain
from validation_gen.ir import (
    OPERATIONS,
    CallType,
    Check,
    Location,
    OnOption,
    Program,
    TagRef,
    Visit,
    visit,
    visit_checks,
    visit_fields,
)
from validation_gen.ir.traverse import Entry, FieldStep, Item

TYPES = """\
// +k8s:validation-gen=*
// +groupName=example.com
package v1

type Rocket struct {
	Base `json:",inline"`

	// +k8s:required
	// +k8s:eachVal=+k8s:maxLength=3
	// +k8s:ifEnabled(Boost)=+k8s:maxItems=4
	Names []string `json:"names"`

	// +k8s:eachKey=+k8s:minLength=1
	Parts map[string]Part `json:"parts,omitempty"`

	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// +k8s:ifMode(fly)=+k8s:alpha=+k8s:maximum=9
	Height int `json:"height,omitempty"`

	// +k8s:subfield(label)=+k8s:maxLength=5
	Main Part `json:"main,omitempty"`
}

type Base struct {
	// +k8s:maxLength=8
	Owner string `json:"owner,omitempty"`
}

// A part holds others.
type Part struct {
	// +k8s:immutable
	Label string `json:"label,omitempty"`

	Inner []Part `json:"inner,omitempty"`
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    directory = tmp_path_factory.mktemp("rocket")
    (directory / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (directory / "types.go").write_text(TYPES, encoding="utf-8")
    result = build_program(Settings((str(directory),)))
    assert not result.diagnostics.has_errors, result.diagnostics.sorted()
    return result.program


def _line(each: Visit) -> str:
    """Describes a visit: path, operation, guard, stopping checks, conditions, level."""
    operation = each.operation
    name = getattr(operation, "name", type(operation).__name__)
    if isinstance(operation, CallType):
        name = f"call {operation.type.rpartition('.')[2]}"
    parts = [each.at.path.removeprefix("."), name]
    if each.guard is not each.at:
        parts.append(f"guard={each.guard.path if each.guard else None}")
    parts += [f"after {check.tag.text.rpartition(':')[2]}" for check in each.stopped_by]
    for condition in each.conditions:
        parts.append(condition.check.option if isinstance(condition, OnOption) else f"mode {condition.mode}")
    return " ".join(filter(None, [*parts, each.level, "quiet" if each.silent else ""]))


def test_each_check_has_its_value_and_its_conditions(program: Program) -> None:
    lines = [_line(each) for each in visit(program, "example.com/m.Rocket")]
    assert lines == [
        "height maximum mode fly alpha",
        "Modes guard=None",
        "Base call Base",
        "Base.owner max_length",
        "names max_items Boost",
        "names required",
        "names[*] max_length guard=.names after maxItems=4 after required",
        "parts min_length",
        "parts[*] call Part",
        "parts[*].label immutable",
        "parts[*].inner[*] call Part guard=.parts[*].inner",
        "main.label immutable quiet",
        "main.label max_length after maxLength=5",
        "main call Part",
        "main.label immutable",
        "main.inner[*] call Part guard=.main.inner",
    ]


def test_steps_tell_items_values_and_keys_apart(program: Program) -> None:
    found = {_line(each): each.at.steps for each in visit(program, "example.com/m.Rocket")}
    assert found["names[*] max_length guard=.names after maxItems=4 after required"] == (FieldStep("names"), Item())
    assert found["parts min_length"] == (FieldStep("parts"), Entry(key=True))
    assert found["parts[*].label immutable"] == (FieldStep("parts"), Entry(), FieldStep("label"))
    assert found["Base.owner max_length"] == (FieldStep(""), FieldStep("owner"))


def test_fields_are_those_of_shapes(program: Program) -> None:
    """Fields without checks are among them, and a struct inside itself is not repeated."""
    found = [(plan.name, at.path.removeprefix(".")) for plan, _, at in visit_fields(program, "example.com/m.Rocket")]
    assert found == [
        ("Rocket", ""),
        ("Base", "owner"),
        ("Rocket", "names"),
        ("Rocket", "parts"),
        ("Part", "parts[*].label"),
        ("Part", "parts[*].inner"),
        ("Rocket", "mode"),
        ("Rocket", "height"),
        ("Rocket", "main"),
        ("Part", "main.label"),
        ("Part", "main.inner"),
    ]


@each("module", [fastpath, checks, constrain, walk], ids=lambda module: module.__name__)
def test_each_emitter_has_every_operation(module: ModuleType) -> None:
    assert set(module.OPERATIONS) == set(OPERATIONS)


def test_a_new_operation_has_no_visits_silently() -> None:
    check = Check(object(), TagRef("", Span("types.go", 1)))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="no visits"):
        list(visit_checks([check], Location()))
