"""`validation-gen validate` with definitions instead of sources, as people run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from validation_gen.emit.loading.generated import load_registry

SPEC = {
    "type": "object",
    "required": ["model"],
    "properties": {
        "model": {"type": "string"},
        "reach": {"type": "integer"},
        "most": {"type": "integer", "default": 5},
    },
    "x-kubernetes-validations": [{"rule": "!has(self.reach) || self.reach <= self.most", "message": "too far"}],
}
TYPES = """package v1

// +k8s:validation-gen=*

// +kubebuilder:object:root=true
type Dog struct {
	TypeMeta `json:",inline"`
	// +k8s:required
	// +k8s:minimum=1
	Legs int32 `json:"legs"`
}

type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("crds").mkdir()
    write("crds/robots.yaml", definition(root(SPEC)))
    return tmp_path


def write(name: str, *objects: Any) -> None:
    Path(name).write_text(yaml.safe_dump_all(objects, sort_keys=False), encoding="utf-8")


def run(*args: str, stdin: str | None = None) -> tuple[int, str, str]:
    result = invoke(["validate", *args], stdin)
    return result.exit_code, result.stdout, result.stderr


def test_a_directory_or_a_file_of_definitions(here: Path) -> None:
    write("good.yaml", robot({"model": "x"}))
    for path in ("crds", "crds/robots.yaml"):
        assert run(path, "-f", "good.yaml") == (0, "1 object: 1 valid, 0 invalid\n", "")
    definitions = Path("crds/robots.yaml").read_text(encoding="utf-8")
    assert run("-", "-f", "good.yaml", stdin=definitions)[0] == 0
    both = run("-", "-f", "-", stdin=definitions)
    assert (both[0], "standard input is read for" in both[2]) == (2, True)


def test_rules_and_unknown_fields_are_findings_at_their_place(here: Path) -> None:
    write("bad.yaml", robot({"model": "x", "reach": 6}), robot({"model": "x", "bogus": 1}))
    code, out, err = run("crds", "-f", "bad.yaml", "--format", "concise")
    assert code == 1
    unknown = 'strict decoding error: unknown field "spec.bogus"'
    assert [line for line in (out + err).splitlines() if line.startswith("bad.yaml")] == [
        'bad.yaml:5:1: error VG804 Robot "talos": spec: Invalid value: too far',
        f'bad.yaml:15:10: error VG804 Robot "talos": spec.bogus: Invalid value: {unknown}',
    ]


def test_updates_and_status(here: Path) -> None:
    write("old.yaml", robot({"model": "x", "reach": 9}))
    write("new.yaml", robot({"model": "x", "reach": 9}))
    assert run("crds", "-f", "new.yaml")[0] == 1
    assert run("crds", "-f", "new.yaml", "--old", "old.yaml")[0] == 0


@pytest.mark.parametrize(
    ("scope", "old", "new", "updated"),
    [
        ("Namespaced", {}, {"namespace": "default"}, True),
        ("Namespaced", {"namespace": "default"}, {}, True),
        ("Namespaced", {"namespace": "a"}, {}, False),
        ("Cluster", {"namespace": "a"}, {}, True),
    ],
)
def test_which_objects_are_the_same(
    here: Path, scope: str, old: dict[str, str], new: dict[str, str], updated: bool
) -> None:
    kind = definition(root(SPEC), scope=scope)
    version = kind["spec"]["versions"][0]
    kind["spec"]["versions"].append({**version, "name": "v1beta1", "storage": False})
    write("crds/robots.yaml", kind)
    for api in ("v1", "v1beta1"):
        then = robot({"model": "x", "reach": 9}, metadata={"name": "talos", **old}, apiVersion=f"example.com/{api}")
        write("old.yaml", then)
        write("new.yaml", robot({"model": "x", "reach": 9}, metadata={"name": "talos", **new}))
        code, _, err = run("crds", "-f", "new.yaml", "--old", "old.yaml")
        assert (code, "VG904" in err) == ((0, False) if updated else (1, True))


def test_kinds_that_nobody_defines_are_named(here: Path) -> None:
    write("other.yaml", robot({}) | {"kind": "Cat"}, robot({"model": "x"}) | {"apiVersion": "example.com/v9"})
    code, out, _ = run("crds", "-f", "other.yaml")
    assert (code, out.splitlines()[-1]) == (1, "2 objects: 0 valid, 0 invalid, 2 not judged")
    assert run("crds", "-f", "other.yaml", "--ignore-missing-schemas")[0] == 0


def test_definitions_beside_sources(here: Path) -> None:
    Path("dogs/v1").mkdir(parents=True)
    Path("dogs/v1/types.go").write_text(TYPES, encoding="utf-8")
    Path("dogs/v1/doc.go").write_text("// +groupName=pets.example.com\npackage v1\n", encoding="utf-8")
    write(
        "all.yaml",
        robot({"model": "x", "reach": 7}),
        {"apiVersion": "pets.example.com/v1", "kind": "Dog", "legs": 0},
    )
    code, out, _ = run("dogs", "crds", "-f", "all.yaml", "--format", "json")
    assert code == 1
    assert [verdict["status"] for verdict in json.loads(out)] == ["invalid", "invalid"]


def test_wrong_definitions_are_told(here: Path) -> None:
    write("crds/robots.yaml", definition({"type": "object", "properties": {"a": {}}}))
    write("good.yaml", robot({"model": "x"}))
    code, _, err = run("crds", "-f", "good.yaml")
    assert (code, "VG501" in err) == (1, True)
    write("crds/robots.yaml", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}})
    code, _, err = run("crds", "-f", "good.yaml")
    assert (code, "there are no definitions here" in err) == (2, True)


def test_a_server_makes_names(here: Path) -> None:
    write("new.yaml", robot({"model": "x"}, metadata={"generateName": f"{'a' * 70}-"}))
    assert run("crds", "-f", "new.yaml")[0] == 0
    write("new.yaml", robot({"model": "x"}, metadata={"generateName": "AB-"}))
    code, out, _ = run("crds", "-f", "new.yaml")
    assert (code, "metadata.generateName: Invalid value" in out) == (1, True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_too_few_items_and_properties_since_1_38(here: Path, jobs: str) -> None:
    spec = {
        "type": "object",
        "minProperties": 1,
        "properties": {
            "arms": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
            "marks": {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1},
        },
    }
    write("crds/robots.yaml", definition(root(spec)))
    write("few.yaml", robot({"arms": ["a"], "marks": {}}), robot({}), robot({"arms": ["a"] * 4}))
    since = run("crds", "-f", "few.yaml", "--target", "1.38", "--jobs", jobs)[1]
    assert "spec.arms: Too few: 1: must have at least 2 items" in since
    assert "spec.marks: Too few: 0: must have at least 1 item\n" in since
    assert "spec: Too few: 0: must have at least 1 item\n" in since
    assert "spec.arms: Too many: 4: must have at most 3 items" in since
    before = run("crds", "-f", "few.yaml", "--target", "1.37", "--jobs", jobs)
    assert "spec.arms: Invalid value: 1: spec.arms in body should have at least 2 items" in before[1]
    assert before == run("crds", "-f", "few.yaml", "--jobs", jobs)


def test_generated_validators_of_definitions_have_the_texts_of_their_target(here: Path) -> None:
    spec = {"type": "object", "minProperties": 1, "properties": {"a": {"type": "string"}}}
    write("crds/robots.yaml", definition(root(spec)))
    texts = {"1.37": "Invalid value: 0: spec in body", "1.38": "Too few: 0: must have at least 1 item"}
    for target, wanted in texts.items():
        result = invoke(["generate", "crds", "-o", f"out{target[2:]}", "--target", target])
        assert result.exit_code == 0, result.output
        out = Path(f"out{target[2:]}")
        files = {file.relative_to(out).as_posix(): file.read_text(encoding="utf-8") for file in out.rglob("*.py")}
        errors = load_registry(files).validate(robot({}))
        assert any(wanted in str(error) for error in errors), list(map(str, errors))
