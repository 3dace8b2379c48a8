"""Errors count where something is made of the type that has them; elsewhere they are information."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.case_folders import inside
from tests.program import invoke

HEAD = '// +groupName={group}\npackage {name}\n\nimport (\n\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n{more})\n\n'
META = '\tmetav1.TypeMeta `json:",inline"`\n'
OBJECT = META + '\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n'
KIND = HEAD.format(group="pools.example.com", name="v1", more="") + (
    f"// +kubebuilder:object:root=true\ntype Pool struct {{\n{OBJECT}"
    '\t// +kubebuilder:validation:MaxLength=3\n\tName string `json:"name"`\n}\n'
)
CONFIG = HEAD.format(group="config.example.com", name="config", more='\t"example.com/other/settings"\n')
#: Types without metadata, each with something that is an error in a kind.
IDLE = {
    "marker": f"{CONFIG}type Settings struct {{\n{META}\t// +kubebuilder:validation:Minimum=a\n"
    '\tN int `json:"n"`\n}\n',
    "unresolved": f'{CONFIG}type Settings struct {{\n{META}\tElection settings.Election `json:"election"`\n}}\n',
    "embedded": f"{CONFIG}type Client struct {{\n\t*settings.Client\n\tsecret int\n}}\n",
    "example": f'{CONFIG}type Settings struct {{\n{META}\t// +kubebuilder:example=a\n\tN []int `json:"n"`\n}}\n',
    "resource": f"{CONFIG}// +kubebuilder:resource:scope=Nowhere\ntype Settings struct {{\n{META}}}\n",
}


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return directory


def run(directory: Path, *words: str) -> tuple[int, list[str]]:
    with inside(directory):
        result = invoke([*words, "--format", "concise"])
    return result.exit_code, result.output.splitlines()


@pytest.mark.parametrize("command", [["crd"], ["jsonschema"], ["generate", "--emit", "crd=crds"]])
@pytest.mark.parametrize("case", IDLE)
def test_nothing_is_held_back_by_types_of_no_kind(tmp_path: Path, command: list[str], case: str) -> None:
    write(tmp_path, {"api/v1/types.go": KIND, "api/config/types.go": IDLE[case]})
    code, lines = run(tmp_path, *command, "api", "-o", "out")
    told = [line for line in lines if line.startswith("api/config/types.go:")]
    assert (code, [line.split()[1] for line in told]) == (0, ["info"]), lines
    files = [path.name for path in tmp_path.rglob("*") if path.suffix in (".yaml", ".json")]
    assert any("pool" in name for name in files), files


def test_a_level_of_the_project_does_not_raise_it(tmp_path: Path) -> None:
    levels = '[lint]\nVG301 = "error"\nVG524 = "error"\n'
    files = {"api/v1/types.go": KIND, "validation-gen.toml": levels}
    for case in ("marker", "unresolved", "example"):
        write(tmp_path, files | {"api/config/types.go": IDLE[case]})
        code, lines = run(tmp_path, "crd", "api", "-o", "out")
        assert (code, lines[0].split()[1]) == (0, "info"), lines


def test_the_full_format_says_why(tmp_path: Path) -> None:
    write(tmp_path, {"api/v1/types.go": KIND, "api/config/types.go": IDLE["marker"]})
    with inside(tmp_path):
        result = invoke(["crd", "api", "-o", "out"])
    assert "note: no kind, rule or schema reaches this type" in result.output


@pytest.mark.parametrize("case", ["marker", "unresolved"])
def test_documents_of_openapi_reach_kinds_without_metadata(tmp_path: Path, case: str) -> None:
    write(tmp_path, {"api/v1/types.go": KIND, "api/config/types.go": IDLE[case]})
    code, lines = run(tmp_path, "openapi", "api", "-o", "out")
    assert code == 1
    assert any(" error " in line for line in lines), lines


@pytest.mark.parametrize("case", ["marker", "unresolved", "embedded"])
def test_what_a_kind_reaches_stays_an_error(tmp_path: Path, case: str) -> None:
    """The same type behind a pointer, a list and another package."""
    name = "Client" if case == "embedded" else "Settings"
    field = f'\tMore map[string][]*config.{name} `json:"more,omitempty"`\n}}\n'
    kind = KIND.removesuffix("}\n") + field
    kind = kind.replace("import (\n", 'import (\n\t"example.com/m/api/config"\n')
    write(tmp_path, {"go.mod": "module example.com/m\n", "api/v1/types.go": kind, "api/config/types.go": IDLE[case]})
    code, lines = run(tmp_path, "crd", "api/v1", "-o", "out")
    if case == "marker":  # markers of others are their authors' concern
        assert (code, lines[-1].startswith("1 definition: 1 written")) == (0, True), lines
        code, lines = run(tmp_path, "crd", "api", "-o", "out")
    assert code == 1, lines
    assert [line.split()[1] for line in lines if line.startswith("api/config/types.go:")] == ["error"], lines


def test_an_example_that_does_not_fit_is_a_warning(tmp_path: Path) -> None:
    kind = KIND.replace("\tName string", '\t// +kubebuilder:example="10.0.0.0/8"\n\tName []string')
    kind = kind.replace("\t// +kubebuilder:validation:MaxLength=3\n", "")
    write(tmp_path, {"api/v1/types.go": kind})
    code, lines = run(tmp_path, "crd", "api", "-o", "out")
    assert (code, lines[0].split()[1:3]) == (0, ["warning", "VG524"]), lines
    (file,) = (tmp_path / "out").iterdir()
    schema = yaml.safe_load(file.read_text())["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert schema["properties"]["name"]["example"] == "10.0.0.0/8"


def test_a_tag_with_an_error_stays_one_for_validators(tmp_path: Path) -> None:
    """Its type has no check then, and would have had one."""
    helper = 'package config\n\ntype Limits struct {\n\t// +k8s:maxLength=a\n\tName string `json:"name"`\n}\n'
    write(tmp_path, {"api/v1/types.go": KIND, "api/config/types.go": helper})
    assert run(tmp_path, "generate", "api", "-o", "out")[0] == 1
    code, lines = run(tmp_path, "crd", "api", "-o", "crds")
    assert (code, lines[0].split()[1]) == (0, "info"), lines


def test_kinds_that_go_without_a_definition_are_counted(tmp_path: Path) -> None:
    second = KIND.partition("// +kubebuilder:object:root=true\n")[2].replace("Pool", "Tub")
    second = second.replace("// +kubebuilder:validation:MaxLength=3", "// +k8s:maxLength=a")
    write(tmp_path, {"api/v1/types.go": KIND + second})
    code, lines = run(tmp_path, "crd", "api", "-o", "out", "--keep-going")
    assert code == 1
    assert "1 kind left out because of errors:" in lines, lines
    assert any(line.startswith("  pools.example.com/v1 Tub (VG203 at api/v1/types.go:") for line in lines), lines
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["pools.example.com_pools.yaml"]


def test_a_kind_whose_rule_in_cel_fails_has_its_place(tmp_path: Path) -> None:
    second = KIND.partition("// +kubebuilder:object:root=true\n")[2].replace("Pool", "Tub")
    second = second.replace("validation:MaxLength=3", 'validation:XValidation:rule="self.a"')
    write(tmp_path, {"api/v1/types.go": KIND + second})
    code, lines = run(tmp_path, "generate", "api", "-o", "out", "--keep-going")
    assert code == 1
    assert any(line.startswith("  pools.example.com/v1 Tub (VG542 at api/v1/types.go:") for line in lines), lines


def test_a_type_that_a_package_of_the_same_module_lacks(tmp_path: Path) -> None:
    kind = KIND.replace('v1"\n', 'v1"\n\t"example.com/pools/parts"\n', 1)
    kind = kind.replace("Name string", 'Part parts.Part `json:"part"`\n\tName string')
    parts = 'package parts\n\ntype Part struct {\n\tGone Gone `json:"gone"`\n}\n'
    write(tmp_path, {"go.mod": "module example.com/pools\n", "api/v1/types.go": kind, "parts/parts.go": parts})
    code, lines = run(tmp_path, "crd", "api", "-o", "out")
    assert code == 1
    assert any("parts.Gone is not declared in its package" in line and "(declare it there" in line for line in lines), (
        lines
    )


def test_lint_reports_a_tag_with_an_error_once(tmp_path: Path) -> None:
    text = "// +k8s:validation-gen=*\n// +groupName=a.example.com\npackage v1\n\ntype Robot struct {\n"
    text += '\t// +k8s:listType=map\n\t// +k8s:listMapKey=name\n\tArms []Arm `json:"arms"`\n}\n\n'
    text += 'type Arm struct {\n\tSide string `json:"side"`\n}\n'
    write(tmp_path, {"api/v1/types.go": text})
    code, lines = run(tmp_path, "lint", "api")
    assert (code, sum("no field for JSON name" in line for line in lines)) == (1, 1), lines
