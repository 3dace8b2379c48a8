"""Validators from definitions alone: their kinds are judged as a server judges them."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import black
import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.kubernetes.objects.test_conformance import OBJECTS, rows
from tests.program import invoke
from validation_gen.commands.definitions import is_lasting
from validation_gen.compiler.defined import read_definitions
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.objects import Scheme, UnsupportedRequestError, read_json
from validation_gen.kubernetes.objects.admission import admit
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

BLOCKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)
SPEC = {
    "type": "object",
    "description": "what people read",
    "required": ["model"],
    "properties": {
        "model": {"type": "string", "enum": ["a", "b"]},
        "description": {"type": "string", "maxLength": 3},
        "reach": {"type": "integer"},
        "most": {"type": "integer", "default": 5},
    },
    "x-kubernetes-validations": [{"rule": "!has(self.reach) || self.reach <= self.most", "message": "too far"}],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, *objects: Any) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(yaml.safe_dump_all(objects, sort_keys=False), encoding="utf-8")
    return name


def registry_of(*paths: str, known: tuple[str, ...] = ()) -> Registry:
    """Builds validators of definitions without findings, but for warnings of known codes."""
    result = build_program(Settings((), definitions=paths))
    assert not result.diagnostics.has_errors
    assert not [item for item in result.diagnostics.items if item.code not in known]
    return load_validators(result.program)


def told(errors: list[FieldError]) -> list[str]:
    return [str(error) for error in errors]


def run(*args: str, stdin: str | None = None) -> tuple[int, str]:
    result = invoke([*args], stdin)
    return result.exit_code, result.output


def other(name: str) -> dict[str, Any]:
    """The definition with another kind."""
    names = {"kind": name, "plural": f"{name.lower()}s", "singular": name.lower(), "listKind": f"{name}List"}
    found = definition(root(SPEC), names=names)
    found["metadata"]["name"] = f"{name.lower()}s.example.com"
    return found


def test_kinds_have_the_functions_of_types() -> None:
    registry = registry_of(write("robots.yaml", definition(root(SPEC))))
    (kind,) = registry.kinds
    assert (kind.name, kind.package, kind.api_version) == ("Robot", "example.com/v1", "example.com/v1")
    assert not registry.validate(robot({"model": "a"}))
    assert told(registry.validate(robot({"reach": 9, "description": "four"}))) == [
        "spec.description: Too long: may not be more than 3 bytes",
        "spec.model: Required value",
        f"<nil>: Invalid value: null: {BLOCKED}",
    ]
    assert told(registry.validate(robot({"model": "a", "reach": 6}))) == ["spec: Invalid value: too far"]
    wrong = robot({"model": "c"})
    assert registry.validate(wrong)
    assert not registry.validate(wrong, wrong)
    assert registry.validate({"spec": 1}, type="Robot")
    assert registry.validator("example.com/v1", "Robot")(robot({"model": "c"}))


def test_definitions_come_as_manifests_do() -> None:
    kinds = [other(name) for name in ("Ant", "Bee", "Cat", "Dog")]
    write("crds/one.yaml", kinds[0], kinds[1])
    write("crds/below/two.yml", {"apiVersion": "v1", "kind": "List", "items": [kinds[2]]})
    Path("crds/three.json").write_text(json.dumps(kinds[3]), encoding="utf-8")
    write("crds/other.yaml", {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}})
    assert [kind.name for kind in registry_of("crds").kinds] == ["Ant", "Bee", "Cat", "Dog"]


def test_versions_are_modules_and_those_that_are_not_served_are_none() -> None:
    found = definition(root(SPEC))
    (version,) = found["spec"]["versions"]
    found["spec"]["versions"] = [
        version,
        {**version, "name": "v2", "storage": False},
        {**version, "name": "v3", "storage": False, "served": False},
    ]
    program = build_program(Settings((), definitions=(write("robots.yaml", found),))).program
    files = build_files(program)
    assert sorted(files) == [
        "__init__.py",
        "example_com/__init__.py",
        "example_com/v1.py",
        "example_com/v1_schemas.py",
        "example_com/v2.py",
        "example_com/v2_schemas.py",
    ]
    for name, text in files.items():
        assert black.format_str(text, mode=black.Mode()) == text, name
    assert "what people read" not in files["example_com/v1_schemas.py"]
    assert '"description": {"type": "string", "maxLength": 3}' in files["example_com/v1_schemas.py"]


def test_the_command_takes_definitions_for_path() -> None:
    write("crds/robots.yaml", definition(root(SPEC)))
    code, output = run("crds", "-o", "out")
    assert (code, output.partition(":")[0]) == (0, "1 package, 1 type, 3 rules")
    text = Path("crds/robots.yaml").read_text(encoding="utf-8")
    code, output = run("check", "-", "-o", "out", stdin=text)
    assert (code, output.partition(":")[0]) == (0, "1 package, 1 type, 3 rules")
    code, output = run("check", "-", "-o", "out", stdin=text.replace("maxLength: 3", "maxLength: 4"))
    assert code == 1
    assert '+                    "description": {"type": "string", "maxLength": 4},' in output


def test_definitions_stand_beside_sources() -> None:
    write("crds/robots.yaml", definition(root(SPEC)))
    Path("v1").mkdir()
    Path("v1/types.go").write_text(
        'package v1\n\ntype Dog struct {\n	// +k8s:maximum=4\n	Legs int32 `json:"legs"`\n}\n'
    )
    code, _ = run("v1", "crds", "-o", "out")
    assert code == 0
    assert "schemas=" in Path("out/__init__.py").read_text(encoding="utf-8")
    assert '"Dog"' in Path("out/__init__.py").read_text(encoding="utf-8")


def test_a_kind_is_defined_once() -> None:
    write("crds/a.yaml", definition(root(SPEC)))
    write("crds/b.yaml", definition(root(SPEC)))
    code, output = run("crds", "-o", "out")
    assert code == 1
    assert "VG549" in output
    assert "leave one of them out; the other one is in crds/a.yaml" in output


def test_what_a_server_would_refuse_is_reported() -> None:
    write(
        "crds/a.yaml", definition(root({**SPEC, "x-kubernetes-validations": [{"rule": "self.nothing"}]})), other("Bee")
    )
    code, output = run("crds", "-o", "out", "--keep-going")
    assert code == 1
    assert "undefined field 'nothing'" in output
    assert "1 kind left out because of errors:\n  example.com/v1 Robot (VG" in output
    assert '"Bee"' in Path("out/__init__.py").read_text(encoding="utf-8")
    assert '"Robot"' not in Path("out/__init__.py").read_text(encoding="utf-8")


def test_a_schema_that_python_could_not_read_is_reported() -> None:
    for levels, wanted in ((94, 0), (95, 1)):
        schema: dict[str, Any] = {"type": "string", "maxLength": 3}
        for _ in range(levels):
            schema = {"type": "object", "properties": {"a": schema}}
        Path("deep.json").write_text(json.dumps(definition(schema)), encoding="utf-8")
        code, output = run("deep.json", "-o", f"out{levels}")
        assert (code, "VG305" in output) == (wanted, bool(wanted))
    compile(Path("out94/example_com/v1_schemas.py").read_text(encoding="utf-8"), "a", "exec")


@pytest.mark.parametrize(
    ("text", "code"),
    [("a: [", "VG905"), ("kind: Service\n", "VG902"), ("", "VG902"), ("- 1\n- x: {}\n", "VG902")],
)
def test_other_files_are_findings(text: str, code: str) -> None:
    Path("a.yaml").write_text(text, encoding="utf-8")
    number, output = run("a.yaml", "-o", "out")
    assert number != 0
    assert code in output
    assert not Path("out").exists()


@pytest.mark.parametrize("path", ["-", "*.yaml", "a.yaml,b.yaml"])
def test_what_cannot_be_asked_again_is_not_watched(path: str) -> None:
    write("a.yaml", definition(root(SPEC)))
    code, output = run(path, "-o", "out", "--watch")
    assert code == 2
    assert f"{path} cannot be watched" in output


def test_pipes_are_not_asked_again() -> None:
    os.mkfifo("pipe.yaml")
    assert not is_lasting("pipe.yaml")
    assert is_lasting(write("a.yaml"))
    assert is_lasting("later.yaml")


def test_a_result_is_kept_until_a_definition_changes() -> None:
    Path("crds/more").mkdir(parents=True)
    write("crds/a.yaml", definition(root(SPEC)))
    assert "package" in run("crds", "-o", "out", "--cache-dir", "cache", "-v")[1]
    kept = "kept result"
    assert kept in run("crds", "-o", "out", "--cache-dir", "cache", "-v")[1]
    write("crds/a.yaml", definition(root({"type": "string"})))
    assert kept not in run("crds", "-o", "out", "--cache-dir", "cache", "-v")[1]
    assert kept in run("crds", "-o", "out", "--cache-dir", "cache", "-v")[1]
    write("crds/more/b.yaml", {"kind": "Service"})
    assert kept not in run("crds", "-o", "out", "--cache-dir", "cache", "-v")[1]


# --- recorded requests about definitions of real projects -------------------------------------------------------------


def causes(errors: list[FieldError]) -> Counter[tuple[str, str]]:
    return Counter((error.type.value, str(error)) for error in errors)


def is_of_schema(error: FieldError) -> bool:
    """Whether the schema says it: others are about metadata, the type of the request, and paths of scale."""
    return not error.field.startswith(("metadata", ".")) and error.field not in ("kind", "apiVersion")


@pytest.mark.skipif(not OBJECTS.is_dir(), reason="VALIDATION_GEN_CONFORMANCE names no folder with recorded answers")
def test_real_definitions_are_judged_as_by_a_server() -> None:
    recorded = list(rows("sample.jsonl.gz"))[::20]
    asked = {row["crd"] for row in recorded}
    definitions = {row["id"]: row["crd"] for row in rows("definitions.jsonl.gz") if row["id"] in asked}
    known = {}
    for id, found in definitions.items():
        Path(f"{id}.json").write_text(json.dumps(found), encoding="utf-8")
        assert read_definitions([f"{id}.json"], Diagnostics())
        known[id] = registry_of(f"{id}.json", known=("VG502", "VG507", "VG509")), Scheme().define(found)
    judged = 0
    for row in recorded:
        registry, kind = known[row["crd"]]
        version = kind.versions[row["version"]]
        new, old = (read_json(text)[0] if text else None for text in (row["obj"], row["oldObj"]))
        try:
            outcome = admit(kind, version, new, old, subresource=row["subresource"], field_validation="Ignore")
        except UnsupportedRequestError:
            continue
        if outcome.problems or not all(map(is_of_schema, outcome.errors)):
            continue
        type = f"{version.api_version}.{kind.kind}"
        found = registry.validate(new, old, subresource=f"/{row['subresource']}", type=type)
        assert causes(found) == causes(outcome.errors), row["id"]
        judged += 1
    assert judged > 150
