"""What is told of definitions that an API server would refuse, and of rules that get lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from validation_gen.cli.app import app, arguments

KIND = """
// {marker}
type {kind} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec {kind}Spec `json:"spec"`
}}

type {kind}Spec struct {{
{fields}
}}
"""


def package(directory: Path, *kinds: str, version: str = "v1") -> None:
    place = directory / "api" / version
    place.mkdir(parents=True)
    head = f"// +groupName=example.com\npackage {version}\n"
    metav1 = '\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n'
    (place / "types.go").write_text(head + metav1 + "".join(kinds))


def kind(name: str, fields: str = "", marker: str = "+kubebuilder:resource") -> str:
    return KIND.format(kind=name, fields=fields, marker=marker)


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, command: str = "crd") -> Result:
    result = CliRunner().invoke(app, arguments([command, "api", "--format", "concise", *args]))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_handwritten_checks_need_no_file(api: Path) -> None:
    package(api, kind("Robot", '\t// +k8s:customValidation\n\tName string `json:"name"`'))
    result = run()
    assert result.exit_code == 0, result.stderr
    assert "VG540 +k8s:customValidation: handwritten code has no schema" in result.stderr
    assert (api / "crds" / "example.com_robots.yaml").exists()


def test_keys_of_a_marker_are_no_keys_of_a_set(api: Path) -> None:
    fields = '\t// +k8s:listType=set\n\t// +listType=map\n\t// +listMapKey=x\n\tD []string `json:"d,omitempty"`'
    package(api, kind("Robot", fields))
    assert "VG526" in run().stderr
    assert "list-map-keys" not in (api / "crds" / "example.com_robots.yaml").read_text()


def test_kinds_with_one_plural_are_told(api: Path) -> None:
    package(api, kind("Bus"), kind("Autobus", marker="+kubebuilder:resource:path=buses"))
    result = run("--keep-going")
    assert "VG549 Bus and Autobus both are buses.example.com" in result.stderr
    assert (api / "crds" / "example.com_buses.yaml").read_text().count("- name: v1") == 1
    assert result.exit_code == 1


def test_a_kind_that_is_declared_twice_is_told(api: Path) -> None:
    package(api, kind("Robot"))
    package(api / "api" / "other", kind("Robot"))
    assert "VG549 Robot of example.com is declared twice in version v1" in run().stderr


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (":path=bots", ":path=robots", "the kind Robot of example.com is bots and robots"),
        (":scope=Cluster", ":scope=Namespaced", "Robot is Cluster in v1 and Namespaced in v2"),
        (":scope=Cluster", "", ""),
        ("\n// +kubebuilder:storageversion", "\n// +kubebuilder:storageversion", "Robot is stored in v2 and in v1"),
    ],
)
def test_versions_that_contradict_each_other_are_told(api: Path, first: str, second: str, told: str) -> None:
    package(api, kind("Robot", marker=f"+kubebuilder:resource{first}"))
    package(api, kind("Robot", marker=f"+kubebuilder:resource{second}"), version="v2")
    result = run()
    assert told in result.stderr
    assert ("VG549" in result.stderr) == bool(told)


def test_what_the_server_refuses_is_told(api: Path) -> None:
    fields = '\t// +kubebuilder:validation:Type=array\n\tQ string `json:"q,omitempty"`'
    package(api, kind("Robot", fields))
    result = run()
    assert "VG550 the API server refuses robots.example.com: " in result.stderr
    assert "properties[q].items: Required value: must be specified" in result.stderr


def test_rules_of_a_type_inside_itself_are_told(api: Path) -> None:
    package(api, kind("Robot", '\t// +k8s:optional\n\tSpare *RobotSpec `json:"spare,omitempty"`'))
    assert "VG540 RobotSpec is recursive" in run().stderr


def test_rules_that_refuse_nothing_are_left_out(api: Path) -> None:
    fields = """
	// +k8s:optional
	// +k8s:neq=0
	Arms int32 `json:"arms,omitempty"`
	// +k8s:zeroOrOneOfMember
	// +k8s:optional
	Legs *int32 `json:"legs,omitempty"`
"""
    package(api, kind("Robot", fields))
    assert run("--schema", "exact").exit_code == 0
    assert "x-kubernetes-validations" not in (api / "crds" / "example.com_robots.yaml").read_text()


def test_defaults_beyond_the_format_are_left_out(api: Path) -> None:
    package(api, kind("Robot", '\t// +kubebuilder:default=99999999999\n\tArms int32 `json:"arms,omitempty"`'))
    result = run()
    assert "types.go:15:5: warning VG544" in result.stderr
    assert "VG550" not in result.stderr


def test_a_rule_that_costs_too_much_names_what_to_limit(api: Path) -> None:
    tags = "\t// +k8s:update=NoAddItem\n\t// +k8s:optional\n\t// +k8s:listType=set\n"
    fields = f'{tags}\tArms []string `json:"arms,omitempty"`'
    package(api, kind("Robot", fields))
    assert "(limit spec.arms, spec.arms[*] with +k8s:maxItems, +k8s:maxProperties or +k8s:maxLength)" in run().stderr


def test_documents_tell_what_they_leave_out(api: Path) -> None:
    tags = "\t// +k8s:optional\n\t// +k8s:maxItems=3\n"
    package(api, kind("Robot", f'{tags}\tKey []byte `json:"key,omitempty"`'))
    assert run(command="openapi").stderr.count("VG540 +k8s:maxItems=3: bytes are one text in JSON") == 1


def test_kinds_with_one_plural_have_schemas_for_editors(api: Path) -> None:
    package(api, kind("Bus"), kind("Autobus", marker="+kubebuilder:resource:path=buses"))
    run(command="jsonschema")
    assert {file.name for file in (api / "schemas" / "example.com").iterdir()} == {"bus_v1.json", "autobus_v1.json"}


def test_columns_that_lead_nowhere_and_groups_that_need_approval_are_told(api: Path) -> None:
    package(api, kind("Robot", marker="+kubebuilder:printcolumn:name=A,type=string,JSONPath=.spec.arms"))
    types = api / "api" / "v1" / "types.go"
    assert "warning VG550 robots.example.com: the column stays empty" in run().stderr
    types.write_text(types.read_text().replace("example.com", "robots.k8s.io"))
    result = run()
    assert "warning VG550 robots.robots.k8s.io: metadata.annotations[api-approved.kubernetes.io]" in result.stderr
    assert result.exit_code == 0


def test_of_patched_manifests_only_schemas_are_judged(api: Path) -> None:
    package(api, kind("Robot", marker="+kubebuilder:selectablefield:JSONPath=.spec.arms"))
    assert "VG550" in run().stderr
    assert "VG550" not in run("--patch-schemas", "crds").stderr


UNSAYABLE = """
	// +k8s:unionDiscriminator
	Kind Kind `json:"größe"`
	// +k8s:unionMember
	// +k8s:optional
	Wheels *string `json:"wheels,omitempty"`

	Moves Moves `json:"moves"`

	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=größe
	Arms []Arm `json:"arms,omitempty"`
}

type Moves struct {
	// +k8s:modeDiscriminator
	Mode string `json:"größe"`
	// +k8s:ifMode("Fast")=+k8s:required
	Speed *int32 `json:"speed,omitempty"`
}

type Arm struct {
	Length string `json:"größe"`
}

// +k8s:enum
type Kind string

const Wheeled Kind = "Wheels"

type Rest struct {
"""


@pytest.mark.parametrize("manner", ["idiomatic", "exact"])
@pytest.mark.parametrize("command", ["crd", "openapi"])
def test_rules_about_fields_that_cel_cannot_name_are_left_out(api: Path, command: str, manner: str) -> None:
    package(api, kind("Robot", UNSAYABLE))
    result = run("--schema", manner, "-o", "out", command=command)
    assert result.exit_code == 0, result.stderr
    for tag in ("unionMember", 'ifMode("Fast")=+k8s:required', 'listType="atomic"'):
        assert f"VG540 +k8s:{tag}: CEL cannot name the field größe" in result.stderr
    (file,) = (path for path in (api / "out").rglob("*") if path.is_file())
    assert "self." not in file.read_text()


# --- runs with errors -------------------------------------------------------------------------------------------------

REFUSED = '\t// +kubebuilder:validation:MaxItems=3\n\tName string `json:"name"`'


def test_beside_refused_definitions_none_is_written(api: Path) -> None:
    package(api, kind("Robot"), kind("Arm", REFUSED))
    held = run()
    assert held.exit_code == 1
    assert "2 definitions held back because of errors (--keep-going writes them all the same)" in held.stdout
    assert not (api / "crds").exists()
    kept = run("--keep-going")
    assert kept.exit_code == 1
    assert sorted(path.name for path in (api / "crds").iterdir()) == [
        "example.com_arms.yaml",
        "example.com_robots.yaml",
    ]


def test_what_was_written_before_stays_when_a_definition_is_refused(api: Path) -> None:
    package(api, kind("Robot"), kind("Arm"))
    assert run().exit_code == 0
    before = {path.name: path.read_text() for path in (api / "crds").iterdir()}
    types = api / "api" / "v1" / "types.go"
    types.write_text(types.read_text().replace("type ArmSpec struct {\n", f"type ArmSpec struct {{\n{REFUSED}\n"))
    types.write_text(types.read_text().replace("type RobotSpec", "// RobotSpec is new.\ntype RobotSpec"))
    for args in ((), ("--patch-schemas", "crds"), ("--check",)):
        assert run(*args).exit_code == 1
        assert {path.name: path.read_text() for path in (api / "crds").iterdir()} == before


def test_a_refused_definition_holds_validators_back(api: Path) -> None:
    tag = '\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tName string `json:"name,omitempty"`'
    package(api, kind("Robot", tag), kind("Arm", REFUSED))
    result = run("--emit", "crd", command="generate")
    assert result.exit_code == 1
    assert "held back because of errors" in result.stdout
    assert not (api / "generated").exists()
    assert not (api / "crds").exists()
    run("--emit", "crd", "--keep-going", command="generate")
    assert (api / "generated").exists()
    assert (api / "crds" / "example.com_robots.yaml").exists()


def test_kinds_that_no_marker_chooses_are_told(api: Path) -> None:
    package(api, kind("Robot"), kind("Duck", marker="Duck is for code alone."))
    result = run()
    assert result.exit_code == 0
    assert (
        "VG551 Duck gets a definition for its TypeMeta and ObjectMeta, and no marker declares it a kind"
        in result.stderr
    )
    assert "VG551 Robot" not in result.stderr


def test_without_any_markers_kinds_are_what_they_look_like(api: Path) -> None:
    package(api, kind("Robot", marker="A robot."), kind("Duck", marker="A duck."))
    assert "VG551" not in run().stderr


def test_a_kind_is_marked_in_any_of_its_versions(api: Path) -> None:
    package(api, kind("Robot"), kind("Duck"))
    package(api, kind("Duck", marker="The older one."), version="v1beta1")
    assert "VG551" not in run().stderr


def test_an_alias_passes_no_marker_on(api: Path) -> None:
    types = """
// Short is a text.
type Short string

// Alias is another name.
// +kubebuilder:validation:MinLength=2
type Alias = Short

// Plain is a name for a type of Go.
// +kubebuilder:validation:MinLength=3
type Plain = string
"""
    package(api, kind("Robot", '\tA Alias `json:"a"`\n\tB Plain `json:"b"`'), types)
    result = run()
    assert result.exit_code == 0, result.stderr
    assert "Alias is only another name for api/v1.Short, so +kubebuilder:validation:MinLength" in result.stderr
    assert result.stderr.count("VG522") == 1
    text = (api / "crds" / "example.com_robots.yaml").read_text()
    assert "minLength: 3" in text
    assert "minLength: 2" not in text


def test_the_last_line_decides_all_of_a_resource(api: Path) -> None:
    first, last = "+kubebuilder:resource:scope=Cluster,categories=all", "+kubebuilder:resource:shortName=rb"
    package(api, kind("Robot", marker=f"{first}\n// {last}"))
    result = run()
    assert result.exit_code == 0, result.stderr
    for what in ("the categories", "the scope", "the short names"):
        assert f"VG526 api/v1.Robot: +kubebuilder:resource says something else of {what} than line 6" in result.stderr
    text = (api / "crds" / "example.com_robots.yaml").read_text()
    assert "scope: Namespaced" in text
    assert "categories" not in text
    assert "- rb\n" in text


def test_a_marker_with_a_colon_before_its_value_is_a_warning(api: Path) -> None:
    fields = (
        '\t// +kubebuilder:validation:UniqueItems:true\n\tA []string `json:"a"`\n'
        '\t// +kubebuilder:validation:MaxLength: 3\n\tB string `json:"b"`\n'
        '\t// +kubebuilder:default:value=x\n\tC string `json:"c,omitempty"`'
    )
    package(api, kind("Robot", fields))
    result = run()
    assert result.exit_code == 0, result.stderr
    assert "did you mean +kubebuilder:validation:UniqueItems=true?" in result.stderr
    assert "did you mean +kubebuilder:validation:MaxLength=3?" in result.stderr
    assert 'VG523 field api/v1.RobotSpec.c: +kubebuilder:default has one value, so "value"' in result.stderr
    text = (api / "crds" / "example.com_robots.yaml").read_text()
    assert "maxLength" not in text
    assert "default: x" in text
