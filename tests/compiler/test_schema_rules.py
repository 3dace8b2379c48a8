"""Validators judge kinds with markers by their schemas, too: as a server judges objects by the definition."""

from __future__ import annotations

import copy
import importlib
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import black
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import drawn
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Result, Settings, build_files, build_program, load_validators
from validation_gen.compiler.settings import RuleSource
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.text import literal
from validation_gen.kubernetes.objects import Scheme
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.registry import Registry

HEAD = """\
// +groupName=fleet.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
"""
MARKED = (
    HEAD
    + """
// +kubebuilder:validation:Enum=On;Off
type Mode string

type Arm struct {
	// +kubebuilder:validation:Maximum=10
	Reach int32 `json:"reach"`
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Name string `json:"name"`
}

// +kubebuilder:validation:XValidation:rule="self.arms.all(a, a.reach <= self.most)",message="an arm reaches too far"
// +kubebuilder:validation:XValidation:rule="self.model == oldSelf.model",message="the model stays"
type RobotSpec struct {
	// +kubebuilder:validation:MinLength=2
	Model string `json:"model"`
	Mode  Mode   `json:"mode,omitempty"`
	// +kubebuilder:default=5
	Most int32 `json:"most"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	// +listType=map
	// +listMapKey=name
	Arms []Arm `json:"arms"`
	// +listType=set
	Tags []string `json:"tags,omitempty"`
	// +nullable
	Note *string `json:"note,omitempty"`
	// +kubebuilder:validation:MaxProperties=2
	Labels map[string]Mode `json:"labels,omitempty"`
}

type RobotStatus struct {
	// +kubebuilder:validation:Minimum=0
	Count int32 `json:"count,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RobotSpec   `json:"spec,omitempty"`
	Status RobotStatus `json:"status,omitempty"`
}
"""
)
#: A kind with tags, one with markers, and one with both.
MIXED = (
    HEAD
    + """
type Tagged struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +k8s:maximum=3
	Size int32 `json:"size"`
}

type Marked struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Maximum=3
	Size int32 `json:"size"`
}

type Both struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +k8s:required
	// +k8s:maximum=3
	Size int32 `json:"size"`
	// +kubebuilder:validation:MaxLength=2
	Name string `json:"name,omitempty"`
}
"""
)


BLOCKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)


def build(directory: Path, text: str, rules: RuleSource | None = None) -> Result:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "v1" / "types.go").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        return build_program(Settings(("v1",), rules=rules))


def registry_of(directory: Path, text: str, rules: RuleSource | None = None) -> Registry:
    result = build(directory, text, rules)
    assert not result.diagnostics.items
    return load_validators(result.program)


def scheme_of(directory: Path) -> Scheme:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        program = build_program(Settings(("v1",), every_kind=True)).program
        files = build_definitions(program, SchemaOptions(), Diagnostics())
    scheme = Scheme()
    for text in files.values():
        scheme.define(yaml.safe_load(text))
    return scheme


def an_object(kind: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": "fleet.example.com/v1", "kind": kind, "metadata": {"name": "a"}, **parts}


def told(errors: list[FieldError]) -> list[str]:
    return [str(error) for error in errors]


# --- the verdict of a server ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Registry, Scheme]:
    directory = tmp_path_factory.mktemp("fleet")
    return registry_of(directory, MARKED), scheme_of(directory)


MODES = st.sampled_from(["On", "Off", "on", "", 1, None])
ARMS = st.fixed_dictionaries(
    {}, optional={"name": st.sampled_from(["a", "b", "B", "", 1]), "reach": st.sampled_from([0, 4, 6, 10, 11, "x"])}
)
SPECS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(["xy", "xz", "x", "", None, 3]),
        "mode": MODES,
        "most": st.sampled_from([None, 5, 6, 20, 1.5, "many"]),
        "arms": st.one_of(st.lists(ARMS, max_size=4), st.just([{"name": "a", "reach": 4}]), st.just("none")),
        "tags": st.lists(st.sampled_from(["a", "b", None, 1]), max_size=3),
        "note": st.sampled_from(["n", None, 1]),
        "labels": st.dictionaries(st.sampled_from("abc"), MODES),
    },
)
SOUND = {"model": "xy", "arms": [{"name": "a", "reach": 4}, {"name": "b", "reach": 1}]}


def causes(errors: list[FieldError]) -> Counter[tuple[str, str]]:
    """Errors without those of metadata, of which no schema says anything."""
    return Counter((e.type.value, str(e)) for e in errors if not e.field.startswith("metadata"))


@settings(deadline=None, max_examples=drawn(300))
@given(SPECS, st.booleans())
def test_created_objects_have_the_servers_errors(
    both: tuple[Registry, Scheme], spec: Any, is_nearly_sound: bool
) -> None:
    registry, scheme = both
    obj = an_object("Robot", spec={**SOUND, **spec} if is_nearly_sound else spec)
    before = copy.deepcopy(obj)
    assert causes(registry.validate(obj)) == causes(scheme.admit(obj).errors)
    assert obj == before, "an object is not changed"


@settings(deadline=None, max_examples=drawn(300))
@given(SPECS, SPECS, st.booleans())
def test_updated_objects_have_the_servers_errors(
    both: tuple[Registry, Scheme], spec: Any, old_spec: Any, is_nearly_same: bool
) -> None:
    registry, scheme = both
    old = an_object("Robot", spec={**SOUND, **old_spec})
    obj = an_object("Robot", spec={**SOUND, **old_spec, **spec} if is_nearly_same else {**SOUND, **spec})
    assert causes(registry.validate(obj, old)) == causes(scheme.admit(obj, old).errors)


@pytest.mark.parametrize("status", [{}, {"count": 1}, {"count": -1}, {"count": "x"}, {"count": None}, None, "x"])
def test_of_a_request_about_the_status_that_alone_counts(both: tuple[Registry, Scheme], status: Any) -> None:
    registry, scheme = both
    old = an_object("Robot", spec={"model": "x", "arms": "none"})
    obj = {**old, "status": status}
    wanted = causes(scheme.admit(obj, old, subresource="status").errors)
    assert causes(registry.validate(obj, old, subresource="/status")) == wanted


def test_errors_have_the_words_of_the_server(both: tuple[Registry, Scheme]) -> None:
    obj = an_object("Robot", spec={"model": "x", "mode": "on", "arms": [{"name": "a", "reach": 11}]})
    assert told(both[0].validate(obj)) == [
        'spec.model: Invalid value: "x": spec.model in body should be at least 2 chars long',
        'spec.mode: Unsupported value: "on": supported values: "On", "Off"',
        "spec.arms[0].reach: Invalid value: 11: spec.arms[0].reach in body should be less than or equal to 10",
        f"<nil>: Invalid value: null: {BLOCKED}",
    ]


@pytest.mark.parametrize("obj", [None, [], "x", 1, {"spec": 1}, {"kind": 3}, {"spec": []}])
def test_anything_is_answered(both: tuple[Registry, Scheme], obj: Any) -> None:
    registry, _ = both
    assert registry.validate(obj, type="Robot")
    registry.validate(obj, obj, type="Robot")
    registry.validate(an_object("Robot"), obj, type="Robot")


def test_what_is_nested_too_deeply_is_an_error(tmp_path: Path) -> None:
    text = MARKED.replace(
        "	Note *string",
        '	// +kubebuilder:pruning:PreserveUnknownFields\n	Deep Deep `json:"deep"`\n	Note *string',
    )
    registry = registry_of(tmp_path, text + "\n// +kubebuilder:validation:Type=object\ntype Deep struct{}\n")
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"deep": deep}
    (error,) = registry.validate(an_object("Robot", spec={**SOUND, "deep": deep}))
    assert str(error) == "<nil>: Internal error: the object is nested too deeply"


# --- which kinds, and by what ---------------------------------------------------------------------------------------


def test_kinds_without_markers_are_judged_by_tags_alone(tmp_path: Path) -> None:
    registry = registry_of(tmp_path, MIXED)
    assert {kind.name for kind in registry.kinds if kind.schemas} == {"Marked", "Both"}
    assert told(registry.validate(an_object("Tagged", size=5))) == [
        "size: Invalid value: 5: must be less than or equal to 3"
    ]
    assert not registry.validate(an_object("Tagged"))
    assert told(registry.validate(an_object("Marked"))) == ["size: Required value"]


def test_tags_speak_first_and_nothing_is_said_twice(tmp_path: Path) -> None:
    registry = registry_of(tmp_path, MIXED)
    errors = registry.validate(an_object("Both", size=5, name="abc"))
    assert told(errors) == [
        "size: Invalid value: 5: must be less than or equal to 3",
        "name: Too long: may not be more than 2 bytes",
    ]
    assert [error.tag for error in errors] == ["+k8s:maximum=3", ""]
    assert told(registry.validate(an_object("Both"))) == ["size: Required value"]
    (wrong,) = registry.validate(an_object("Both", size="five"))
    assert (wrong.type, wrong.field) == (ErrorType.TYPE_INVALID, "size")


@pytest.mark.parametrize(
    ("rules", "judged", "errors"),
    [
        (RuleSource.TAGS, set(), ["size: Invalid value: 5: must be less than or equal to 3"]),
        (
            RuleSource.SCHEMA,
            {"Tagged", "Marked", "Both"},
            ["size: Invalid value: 5: size in body should be less than or equal to 3"],
        ),
        (
            RuleSource.ALL,
            {"Tagged", "Marked", "Both"},
            ["size: Invalid value: 5: must be less than or equal to 3"],
        ),
    ],
)
def test_rules_can_be_chosen(tmp_path: Path, rules: RuleSource, judged: set[str], errors: list[str]) -> None:
    registry = registry_of(tmp_path, MIXED, rules)
    assert {kind.name for kind in registry.kinds if kind.schemas} == judged
    assert told(registry.validate(an_object("Tagged", size=5))) == errors


def test_by_schemas_alone_a_kind_has_the_whole_definition(tmp_path: Path) -> None:
    registry = registry_of(tmp_path, MIXED, RuleSource.SCHEMA)
    scheme = scheme_of(tmp_path)
    for obj in (an_object("Both", size=5, name="abc"), an_object("Both"), an_object("Both", size=0)):
        assert causes(registry.validate(obj)) == causes(scheme.admit(obj).errors)


def test_kinds_of_kubernetes_itself_are_no_custom_resources(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module k8s.io/api\n", encoding="utf-8")
    assert not any(kind.schemas for kind in registry_of(tmp_path, MIXED).kinds)
    assert any(kind.schemas for kind in registry_of(tmp_path, MIXED, RuleSource.ALL).kinds)


QUIET = ["+optional", "+listType=set", "+kubebuilder:validation:Optional", '+default=["a"]', "+kubebuilder:title=a"]


@pytest.mark.parametrize("marker", QUIET)
def test_markers_that_demand_nothing_change_nothing(tmp_path: Path, marker: str) -> None:
    text = (
        MIXED.partition("type Marked")[0]
        + '\ntype Names struct {\n	// MARKER\n	A []string `json:"a,omitempty"`\n}\n'
    )
    text = text.replace("	Size int32", '	Names Names `json:"names"`\n	// +k8s:maximum=3\n	Size int32')
    plain = build_files(build(tmp_path, text.replace("// MARKER", "")).program)
    assert build_files(build(tmp_path, text.replace("MARKER", marker)).program) == plain
    assert not any("schemas" in name for name in plain)


CLASSES = """
# +groupName=fleet.example.com
from dataclasses import dataclass

from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class Port(TypeMeta):
    metadata: ObjectMeta
    # +kubebuilder:validation:Pattern=`^[a-z]+$`
    dock_name: str
"""


def test_instances_of_classes_are_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "judged_ports.py").write_text(CLASSES, encoding="utf-8")
    registry = load_validators(build_program(Settings(("judged_ports.py",))).program)
    ports = importlib.import_module("judged_ports")
    (kind,) = (kind for kind in registry.kinds if kind.schemas)
    port = ports.Port(metadata=ports.ObjectMeta(name="a"), dock_name="A")
    wanted = ["dockName: Invalid value: \"A\": dockName in body should match '^[a-z]+$'"]
    assert told(registry.validate(port)) == wanted
    assert (
        told(
            registry.validate(
                {"apiVersion": kind.api_version, "kind": "Port", "metadata": {"name": "a"}, "dockName": "A"}
            )
        )
        == wanted
    )
    assert not registry.validate(port, port)


# --- what is generated ----------------------------------------------------------------------------------------------


def test_schemas_are_data_in_blacks_style(tmp_path: Path) -> None:
    files = build_files(build(tmp_path, MARKED).program)
    text = next(text for name, text in files.items() if name.endswith("v1_schemas.py"))
    assert '                    "model": {"minLength": 2, "type": "string"},\n' in text
    for name, each in files.items():
        assert black.format_str(each, mode=black.Mode()) == each, name
    assert build_files(build(tmp_path, MARKED).program) == files, "the same again"


@pytest.mark.parametrize("rules", [None, *RuleSource])
def test_validators_in_memory_judge_as_written_ones(tmp_path: Path, rules: RuleSource | None) -> None:
    """Schemas are handed over as data there, without what is for people, and not compiled from text."""
    text = MIXED.replace(
        "\t// +kubebuilder:validation:Maximum=3", "\t// How large.\n\t// +kubebuilder:validation:Maximum=3"
    )
    program = build(tmp_path, text, rules).program
    before = copy.deepcopy(program.schemas)
    memory, written = load_validators(program), load_registry(build_files(program))
    assert memory.kinds == written.kinds
    for kind in memory.kinds:
        for size in (0, 3, 4, "4"):
            obj = an_object(kind.name, size=size, name="long")
            assert [each.as_dict() for each in memory.validate(obj)] == [
                each.as_dict() for each in written.validate(obj)
            ]
    assert program.schemas == before


def test_a_package_without_schemas_imports_nothing_new(tmp_path: Path) -> None:
    files = build_files(build(tmp_path, MIXED, RuleSource.TAGS).program)
    assert not any("kubernetes" in text for name, text in files.items() if name != "__init__.py")
    assert "judging" not in files["__init__.py"]


@settings(deadline=None, max_examples=drawn(200))
@given(st.text(alphabet="'\"\\\\a\n\u00e9\u3164", max_size=8))
def test_texts_of_any_quotes_are_in_blacks_style(text: str) -> None:
    line = f"x = {literal(text)}\n"
    assert black.format_str(line, mode=black.Mode()) == line
    assert eval(literal(text)) == text


def test_a_changed_marker_is_a_changed_line(tmp_path: Path) -> None:
    before = build_files(build(tmp_path, MARKED).program)
    after = build_files(build(tmp_path, MARKED.replace("MaxItems=3", "MaxItems=4")).program)
    (changed,) = [name for name in before if before[name] != after[name]]
    lines = set(after[changed].splitlines()) - set(before[changed].splitlines())
    assert [line.strip() for line in lines] == ['"maxItems": 4,']


ISOLATED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocker())
from out import validate
print(*validate({obj}), sep="\\n")
"""


DEPENDENCIES = {"black", "click", "jinja2", "lark", "tomli", "tree_sitter", "tree_sitter_go", "typer", "yaml"}


@pytest.mark.parametrize(("kind", "allowed"), [("Marked", set()), ("Robot", {"lark"})])
def test_a_package_needs_no_more_than_is_said(tmp_path: Path, kind: str, allowed: set[str]) -> None:
    for name, text in build_files(build(tmp_path, MARKED if kind == "Robot" else MIXED).program).items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_text(text, encoding="utf-8")
    wrong = {"spec": {"model": "xy", "arms": [{"name": "a", "reach": 9}]}} if kind == "Robot" else {"size": 5}
    obj = an_object(kind, **wrong)
    program = ISOLATED.format(refused=DEPENDENCIES - allowed, obj=obj)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    wanted = "spec: Invalid value: an arm reaches too far"
    if kind == "Marked":
        wanted = "size: Invalid value: 5: size in body should be less than or equal to 3"
    assert (done.stdout, done.stderr) == (f"{wanted}\n", "")


# --- what cannot be judged ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('rule="self.model == oldSelf.model"', 'rule="self.modle == oldSelf.model"', "VG542"),
        ("MinLength=2", "MinLength=two", "VG520"),
        ("+kubebuilder:validation:MinLength=2", "+kubebuilder:validation:Pattern=`(`", "VG524"),
        ("+listMapKey=name", "+listMapKey=nobody", "VG525"),
        ("// +nullable", "// +kubebuilder:validation:Schemaless", "VG550"),
        ("+kubebuilder:subresource:status", "+kubebuilder:printcolumn:nme=a", "VG523"),
    ],
)
def test_a_kind_that_a_server_would_refuse_has_no_validators(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in MARKED
    result = build(tmp_path, MARKED.replace(old, new))
    assert {item.code for item in result.diagnostics.items if item.severity.value == "error"} == {code}
    assert not [kind for kind in load_validators(result.program).kinds if kind.name == "Robot"]
    tags = build(tmp_path, MARKED.replace(old, new), RuleSource.TAGS)
    assert not tags.diagnostics.items


def test_what_is_wrong_elsewhere_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    (tmp_path / "controllers").mkdir()
    loose = 'package controllers\n\nimport "example.com/other"\n\n// +kubebuilder:validation:MaxLength=many\n'
    loose += "type Reconciler struct {\n	other.Client\n	A other.B\n}\n"
    (tmp_path / "controllers" / "a.go").write_text(loose, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        (tmp_path / "v1").mkdir()
        (tmp_path / "v1" / "types.go").write_text(MARKED, encoding="utf-8")
        result = build_program(Settings((".",), refuse_unresolved=True))
    assert not result.diagnostics.items
    assert any(kind.schemas for kind in load_validators(result.program).kinds)


def test_a_type_that_cannot_be_found_weakens_a_schema_if_that_is_allowed(tmp_path: Path) -> None:
    text = MARKED.replace("	Note *string", '	Far other.Far `json:"far"`\n	Note *string')
    text = text.replace("import metav1", 'import "example.com/other"\nimport metav1')
    (finding,) = build(tmp_path, text).diagnostics.items
    assert (finding.code, finding.severity.value) == ("VG301", "warning")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        refused = build_program(Settings(("v1",), refuse_unresolved=True)).diagnostics.items
    assert [(item.code, item.severity.value) for item in refused] == [("VG301", "error")]


TREE = """
type Tree struct {
	// +kubebuilder:validation:Minimum=1
	A     int32 `json:"a"`
	Below *Tree `json:"below"`
}
"""


def test_a_type_inside_itself_is_told(tmp_path: Path) -> None:
    text = MARKED.replace("	Note *string", '	Tree Tree `json:"tree"`\n	Note *string') + TREE
    (finding,) = build(tmp_path, text).diagnostics.items
    assert (finding.code, finding.severity.value) == ("VG540", "warning")
    assert finding.help == "validators do not judge it either"
