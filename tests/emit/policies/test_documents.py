"""What is written: names, requests, settings, the table of rules, and nothing that hangs on chance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import API, Program, definition
from tests.emit.policies.verdicts import SCHEMAS
from tests.tables import each
from validation_gen.compiler.clusterfiles import build_policies
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.output.root import is_ours
from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.policies.documents import add_limits
from validation_gen.kubernetes.policies.reading import read_policy

_DOC = "// +groupName=fleet.example.com\npackage v1\n"
_TYPES = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +k8s:supportsSubresource="/status"
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}

type RobotSpec struct {
%s
}
"""


def _made(directory: Path, fields: str, options: PolicyOptions | None = None) -> tuple[dict[str, str], Diagnostics]:
    (directory / "doc.go").write_text(_DOC, encoding="utf-8")
    (directory / "types.go").write_text(_TYPES % fields, encoding="utf-8")
    program = build_program(Settings((str(directory),), every_kind=True)).program
    diagnostics = Diagnostics()
    return build_policies(program, SCHEMAS, options or PolicyOptions(), diagnostics), diagnostics


def _objects(files: dict[str, str]) -> list[dict[str, Any]]:
    return [each for name, text in files.items() if name.endswith(".yaml") for each in yaml.safe_load_all(text)]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    found = tmp_path / "v1"
    found.mkdir()
    return found


def test_a_policy_is_about_the_requests_of_its_kind(directory: Path) -> None:
    files, diagnostics = _made(directory, '\t// +k8s:maxLength=5\n\tName string `json:"name"`')
    assert diagnostics.items == []
    assert set(files) == {"README.md", "fleet.example.com_v1_robots.yaml"}
    assert all(is_ours(name, text.encode()) for name, text in files.items())
    policy, binding = _objects(files)
    assert policy["metadata"] == binding["metadata"] == {"name": "robots.v1.fleet.example.com"}
    assert binding["spec"] == {"policyName": "robots.v1.fleet.example.com", "validationActions": ["Deny"]}
    assert policy["spec"]["matchConstraints"] == {
        "matchPolicy": "Equivalent",
        "resourceRules": [
            {
                "apiGroups": ["fleet.example.com"],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": ["robots", "robots/status"],
            }
        ],
    }


def test_settings_are_in_the_objects(directory: Path) -> None:
    options = PolicyOptions(("Audit",), "Ignore", ("kube-system",), "x-", defaults=False)
    field = '\t// +k8s:maxLength=5\n\t// +default="a"\n\tName string `json:"name"`'
    files, _ = _made(directory, field, options)
    policy, binding = _objects(files)
    assert (policy["metadata"]["name"], policy["spec"]["failurePolicy"]) == ("x-robots.v1.fleet.example.com", "Ignore")
    selector = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}
    assert binding["spec"]["matchResources"] == {"namespaceSelector": {"matchExpressions": [selector]}}
    assert binding["spec"]["validationActions"] == ["Audit"]
    assert "fleet.example.com_v1_robots_defaults.yaml" in _made(directory, field)[0]


_COSTLY = '\t// +k8s:listType=atomic\n\t// +k8s:unique=set\n\tNames []string `json:"names,omitempty"`'


def test_what_stays_is_an_error_unless_it_is_allowed(directory: Path) -> None:
    files, diagnostics = _made(directory, f'{_COSTLY}\n\t// +k8s:maxItems=3\n\tKey []byte `json:"key"`')
    assert [(each.code, each.severity) for each in diagnostics.items] == [
        ("VG570", Severity.ERROR),
        ("VG571", Severity.ERROR),
    ]
    assert "| Robot (fleet.example.com/v1) | 0 | 2 |" in files["README.md"]
    assert "| v1.RobotSpec.key | `+k8s:maxItems=3` | bytes are one text in JSON" in files["README.md"]
    _, diagnostics = _made(directory, _COSTLY, PolicyOptions(weaker=True))
    assert [each.severity for each in diagnostics.items] == [Severity.WARNING]
    files, diagnostics = _made(directory, _COSTLY, PolicyOptions(costly="keep"))
    assert diagnostics.items == []
    policy, _ = _objects(files)
    assert len(policy["spec"]["validations"]) == 1


def test_what_only_the_status_has_is_a_warning(directory: Path) -> None:
    status = f'\tName string `json:"name"`\n}}\n\ntype RobotStatus struct {{\n{_COSTLY}'
    types = _TYPES.replace('RobotSpec `json:"spec"`', 'RobotSpec `json:"spec"`\n\tStatus RobotStatus `json:"status"`')
    (directory / "doc.go").write_text(_DOC, encoding="utf-8")
    for more, severity in (("", Severity.WARNING), ('Other RobotStatus `json:"other"`', Severity.ERROR)):
        (directory / "types.go").write_text(types.replace("Spec RobotSpec", f"{more}\n\tSpec RobotSpec") % status)
        program = build_program(Settings((str(directory),), every_kind=True)).program
        diagnostics = Diagnostics()
        build_policies(program, SCHEMAS, PolicyOptions(), diagnostics)
        assert {(each.code, each.severity) for each in diagnostics.items} == {("VG571", severity)}


def test_definitions_have_their_rules_already(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.write({"things.yaml": definition(5)})
    done = program("generate", "things.yaml", "--emit", "policies")
    assert done.code == 0
    assert "VG570" in done.err
    assert "Thing: its rules are in the schema of its definition, and in no policy" in done.err
    assert not (program.directory / "policies").exists()


def test_markers_are_left_to_definitions(directory: Path) -> None:
    marked = "\t// +kubebuilder:validation:Pattern=`^a`\n"
    files, diagnostics = _made(directory, f'{marked}\t// +k8s:maxLength=5\n\tName string `json:"name"`')
    (found,) = diagnostics.items
    assert (found.code, found.severity) == ("VG570", Severity.WARNING)
    assert "Markers are in the schemas of definitions" in files["README.md"]


def test_what_does_not_fit_together_is_parted(directory: Path) -> None:
    limits = (
        "\t// +k8s:listType=atomic\n\t// +k8s:unique=set\n\t// +k8s:maxItems=180\n\t// +k8s:eachVal=+k8s:maxLength=20\n"
    )
    fields = "\n".join(f'{limits}\tNames{n} []string `json:"names{n},omitempty"`' for n in range(30))
    files, diagnostics = _made(directory, fields)
    assert diagnostics.items == []
    names = [each["metadata"]["name"] for each in _objects(files) if each["kind"] == "ValidatingAdmissionPolicy"]
    assert len(names) > 1
    assert names[:2] == ["robots.v1.fleet.example.com", "robots.v1.fleet.example.com-2"]


def test_names_that_cel_cannot_write(directory: Path) -> None:
    fields = "\n".join(
        f'\t// +k8s:required\n\tF{n} string `json:"{name}"`'
        for n, name in enumerate(("a-b", "in", "namespace", "x__y", "for", "a.b/c"))
    )
    lists = '\t// +k8s:maxItems=3\n\t// +k8s:eachVal=+k8s:maxLength=3\n\tIn []string `json:"while"`'
    files, diagnostics = _made(directory, f"{fields}\n{lists}")
    assert diagnostics.items == []
    policy = read_policy(_objects(files)[0])
    texts = [each.expression for each in policy.validations]
    assert any("[?'a-b']" in text for text in texts)
    assert any(".?namespace." in text for text in texts)


def test_the_same_comes_out_each_time(directory: Path) -> None:
    field = '\t// +k8s:maxItems=3\n\t// +k8s:eachVal=+k8s:minimum=3\n\tSizes []int32 `json:"sizes"`'
    first, _ = _made(directory, field)
    assert _made(directory, field)[0] == first
    assert all(not re.search(r"[ \t]$", text, re.M) for text in first.values())


@each(
    ("schema", "limits"),
    [
        ({"type": "string", "pattern": "^[a-f]{8}$"}, {"maxLength": 8}),
        ({"type": "string", "pattern": "^[a-f]{8}$", "maxLength": 4}, {"maxLength": 4}),
        ({"type": "string", "pattern": "[a-f]{8}"}, {}),
        ({"type": "string", "pattern": "^a$|b"}, {}),
        ({"type": "string", "pattern": "^a+$"}, {}),
        ({"type": "string", "pattern": "^(?P<x$"}, {}),
        ({"type": "array", "x-kubernetes-list-type": "set", "items": {"enum": ["a", "b"]}}, {"maxItems": 2}),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, {}),
    ],
)
def test_limits_that_rules_imply(schema: dict[str, Any], limits: dict[str, int]) -> None:
    assert add_limits(schema) == schema | limits


def test_the_command_writes_and_checks_them(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.write(API)
    program.write({"validation-gen.toml": 'inputs = ["apis"]\nemit = ["policies"]\n[outputs]\npolicies = "deploy"\n'})
    done = program()
    assert (done.code, done.err) == (0, "")
    assert set(program.files("deploy")) == {"README.md", "example.com_v1_things.yaml"}
    assert program("check").code == 0
    more = '[outputs]\npolicies = "deploy"\n[policies]\nprefix = "x-"\n'
    program.write({"validation-gen.toml": f'inputs = ["apis"]\nemit = ["policies"]\n{more}'})
    assert program("check").code == 1
    assert program().code == 0
    assert b"name: x-things.v1.example.com" in program.files("deploy")["example.com_v1_things.yaml"]
