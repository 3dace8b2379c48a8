"""`validation-gen crd lint`, as people run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Program
from tests.kubernetes.crd.schemas import definition, with_properties
from tests.program import invoke

GOOD = yaml.safe_dump(definition())
BAD = yaml.safe_dump(with_properties(a={}))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(["crd", "lint", *args])
    return result.exit_code, result.stdout, result.stderr


def test_a_good_definition(here: Path) -> None:
    (here / "a.yaml").write_text(GOOD, encoding="utf-8")
    assert run("a.yaml") == (0, "1 definition: 1 valid, 0 invalid\n", "")
    assert run("a.yaml", "--quiet") == (0, "", "")


def test_a_finding_has_a_caret_and_a_help(here: Path) -> None:
    (here / "a.yaml").write_text(BAD, encoding="utf-8")
    code, out, err = run("a.yaml")
    assert (code, out) == (1, "1 definition: 0 valid, 1 invalid\n")
    assert "error[VG501]: spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty" in err
    assert "  --> a.yaml:16:11\n   |\n16 |           a: {}\n   |           ^\n   |\n   = help: add type: object" in err


def test_releases(here: Path) -> None:
    """Lists can be sorted on servers from 1.35 on."""
    rules = [{"rule": "[self.b, 1].sort()[0] > 0"}]
    spec = {"type": "object", "properties": {"b": {"type": "integer"}}, "x-kubernetes-validations": rules}
    (here / "a.yaml").write_text(yaml.safe_dump(with_properties(a=spec)), encoding="utf-8")
    assert run("a.yaml") == run("a.yaml", "--target", "1.37") == (0, "1 definition: 1 valid, 0 invalid\n", "")
    code, _, err = run("a.yaml", "--target", "1.34")
    assert (code, "undeclared reference to 'sort'" in err) == (1, True)
    code, _, err = run("a.yaml", "--target", "2")
    assert (code, "--target" in err) == (2, True)


def test_parts_of_urls_have_sizes_since_1_38(here: Path) -> None:
    rules = [{"rule": f"url(self).{part}().matches('^[a-z/.]+$')"} for part in ("getEscapedPath", "getHostname")]
    spec = {"type": "string", "maxLength": 300, "x-kubernetes-validations": rules}
    (here / "a.yaml").write_text(yaml.safe_dump(with_properties(a=spec)), encoding="utf-8")
    code, _, err = run("a.yaml", "--target", "1.37")
    assert (code, "estimated rule cost exceeds budget by factor of more than 100x" in err) == (1, True)
    assert run("a.yaml") == (code, "1 definition: 0 valid, 1 invalid\n", err)
    assert run("a.yaml", "--target", "1.38") == (0, "1 definition: 1 valid, 0 invalid\n", "")


def test_too_few_items_of_a_default_since_1_38(here: Path) -> None:
    spec = {"type": "array", "items": {"type": "string"}, "minItems": 2, "default": ["a"]}
    (here / "a.yaml").write_text(yaml.safe_dump(with_properties(a=spec)), encoding="utf-8")
    assert "default: Invalid value: 1:  in body should have at least 2 items" in run("a.yaml")[2]
    assert "default: Too few: 1: must have at least 2 items" in run("a.yaml", "--target", "1.38")[2]


def test_rules_run_on_defaults(here: Path) -> None:
    rules = [{"rule": "self > 1", "message": "too small"}]
    ruled = {"type": "integer", "default": 1, "x-kubernetes-validations": rules}
    (here / "a.yaml").write_text(yaml.safe_dump(with_properties(a=ruled, b={**ruled, "default": 2})))
    code, _, err = run("a.yaml")
    assert code == 1
    assert "openAPIV3Schema.properties[a].default: Invalid value: 1: too small" in err
    assert "properties[b]" not in err


def test_formats(here: Path) -> None:
    (here / "a.yaml").write_text(BAD, encoding="utf-8")
    _, out, err = run("a.yaml", "--format", "concise")
    assert err.startswith("a.yaml:16:11: error VG501 spec.validation.")
    assert out
    code, out, err = run("a.yaml", "--format", "json")
    (record,) = json.loads(out)
    assert (code, err) == (1, "")
    assert (record["code"], record["file"], record["line"], record["column"]) == ("VG501", "a.yaml", 16, 11)


def test_many_files_documents_and_lists(here: Path) -> None:
    items = {"apiVersion": "v1", "kind": "List", "items": [definition(), {"apiVersion": "v1", "kind": "Secret"}]}
    (here / "a.yaml").write_text(f"{GOOD}---\n{BAD}---\nkind: Robot\n", encoding="utf-8")
    (here / "b.json").write_text(json.dumps(items), encoding="utf-8")
    code, out, err = run("a.yaml", "b.json")
    assert (code, out) == (1, "3 definitions: 2 valid, 1 invalid; 2 other objects skipped\n")
    assert "a.yaml:34:11" in err


def test_directories_and_patterns(here: Path) -> None:
    (here / "crds" / "deep").mkdir(parents=True)
    (here / "crds" / "a.yaml").write_text(GOOD, encoding="utf-8")
    (here / "crds" / "deep" / "b.yml").write_text(GOOD, encoding="utf-8")
    (here / "crds" / "[c].yaml").write_text(GOOD, encoding="utf-8")
    assert run("crds")[1].startswith("3 definitions")
    assert run("crds/**/*.yml", "crds/*.yaml")[1].startswith("3 definitions")
    assert run("crds/[c].yaml")[1].startswith("1 definition:")


def test_standard_input(here: Path) -> None:
    result = invoke(["crd", "lint", "-", "--format", "concise"], BAD)
    assert result.exit_code == 1
    assert result.stderr.startswith("<stdin>:16:11: error VG501")


@pytest.mark.parametrize(
    ("content", "code", "text"),
    [
        ("kind: Robot\n", "VG902", "there are no CustomResourceDefinitions here"),
        ("", "VG902", "there are no objects here"),
        ("a: b: c\n", "VG905", "mapping values are not allowed"),
        ("a: &a [*a]\n", "VG905", "contains itself"),
    ],
)
def test_files_without_definitions(here: Path, content: str, code: str, text: str) -> None:
    (here / "a.yaml").write_text(content, encoding="utf-8")
    exit_code, _, err = run("a.yaml")
    assert exit_code == 2
    assert f"error[{code}]: " in err
    assert text in err


def test_missing_files(here: Path) -> None:
    assert run("nowhere.yaml")[0] == 2
    assert "no file has a name of this pattern" in run("*.yaml")[2]
    assert run("")[0] == 2


def test_yaml_that_explodes_is_refused(here: Path) -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    (here / "a.yaml").write_text(f"a0: &a0 [x, x]\n{levels}", encoding="utf-8")
    code, _, err = run("a.yaml")
    assert code == 2
    assert "the document repeats too much by aliases" in err


def test_what_aliases_repeat_counts(here: Path) -> None:
    text = BAD.replace("a: {}", f"a: &a {{type: string, description: {'x' * 2000}}}")
    names = "".join(f"\n          a{n}: *a" for n in range(130))
    (here / "a.yaml").write_text(text.rstrip("\n").replace("xx}", f"xx}}{names}", 1), encoding="utf-8")
    code, out, err = run("a.yaml", "--max-description", "0")
    assert (code, out) == (0, "1 definition: 1 valid, 0 invalid\n")
    assert "warning[VG509]" in err
    assert "with --max-description 0 it would have" in err


def test_the_command_is_part_of_a_group() -> None:
    result = invoke(["crd", "--help"])
    assert "lint" in result.stdout
    assert invoke(["crd", "lnt"]).exit_code == 2


@pytest.mark.parametrize("pattern", ["nowhere/**", "nowhere/**/*.yaml", "a.yaml/**", "nowhere/*"])
def test_a_pattern_is_named_as_it_is_written(pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("a: b\n", encoding="utf-8")
    result = invoke(["crd", "lint", pattern, "--format", "concise"])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{pattern}: error VG902 no file has a name of this pattern")
    assert len(result.stderr.splitlines()) == 2


def test_admission_policies_are_checked(program: Program) -> None:
    text = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: robots}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [robots]}]
  validations:
  - expression: object.spec.size > 0
  - expression: 3 * 'a'
"""
    program.write({"policy.yaml": text})
    done = program("crd", "lint", "policy.yaml", "--format", "concise")
    assert done.code == 1
    assert done.err.startswith("policy.yaml:9:17: error VG573 spec.validations[1].expression: Invalid value")
    assert done.out == "1 policy: 0 valid, 1 invalid\n"
    program.write({"policy.yaml": text.partition("  - expression: 3")[0]})
    assert program("crd", "lint", "policy.yaml").code == 0
