"""The recipe of CONTRIBUTING.md adds two tags, with nothing but what it says: everything else follows from that.

The steps are taken in a copy of the project, which a process of its own imports.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_STEP = re.compile(
    r"^(?P<indent> *)<!-- into: (?P<file>[^ ,]+)(?:, in __all__: (?P<name>\w+))? -->\n"
    r"(?P=indent)```\w+\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
#: What a tag takes besides a line in the changelog.
OF_A_KNOWN_TEST = {"validation_gen/rules/limits.py", "testdata/cases/percent"}
OF_A_NEW_TEST = {
    "validation_gen/rules/comparison.py",
    "validation_gen/runtime/checks/values.py",
    "validation_gen/ir/predicates.py",
}

TYPES = """// +k8s:validation-gen=TypeMeta
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
\tmetav1.TypeMeta `json:",inline"`

\t// +k8s:startsWith="urn:"
\tOwner string `json:"owner"`

\t// +k8s:optional
\t// +k8s:percent
\tLoad *int32 `json:"load,omitempty"`
}
"""
#: The case folder of the second tag, which the recipe does not spell out again.
CASE = {
    "go.mod": "module example.com/cases/startswith\n\ngo 1.25.0\n",
    "types.go": TYPES.replace("=TypeMeta\n// +groupName=example.com", "=*"),
    "objects.yaml": """
- name: create-valid
  type: Robot
  obj: {owner: 'urn:a', load: 0}
- name: create-invalid
  type: Robot
  obj: {owner: 'uri:a', load: 101}
  errors:
    - message: 'owner: Invalid value: "uri:a": must start with "urn:"'
      type: FieldValueInvalid
      origin: startsWith
    - message: 'load: Invalid value: 101: must be less than or equal to 100'
      type: FieldValueInvalid
      origin: maximum
- name: create-below-zero
  type: Robot
  obj: {owner: 'urn:a', load: -1}
  errors:
    - message: 'load: Invalid value: -1: must be greater than or equal to 0'
      type: FieldValueInvalid
      origin: minimum
""",
}
#: Prints the edge cases: the tag, the field, and the value on both sides.
SEARCH = """
from validation_gen.compiler.pipeline import build_program, load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.commands.edgecases import boundary_cases

program = build_program(Settings(("v1",))).program
for case in boundary_cases(program, load_validators(program)):
    sides = (probe.obj.get(case.rule.path) for probe in (case.failing, case.passing))
    print(case.rule.tag, case.rule.path, case.rule.origin, *map(repr, sides))
"""


def steps() -> list[tuple[str, str, str]]:
    """The files of the recipe, with what is added to them and the name that goes into their `__all__`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return [(m["file"], textwrap.dedent(m["text"]), m["name"] or "") for m in _STEP.finditer(text)]


#: What a tag is made of has tests in its rooms; these show that the steps of the page are enough.
with_copy = pytest.mark.slow


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the two tags."""
    root = tmp_path_factory.mktemp("recipe")
    for name in ("validation_gen", "tests", "testdata/cases", "docs", "templates", ".ci"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, root / name)
    for file, text, exported in steps():
        path = root / file
        path.parent.mkdir(exist_ok=True)
        before = f"{path.read_text(encoding='utf-8')}\n\n" if path.exists() else ""
        path.write_text(before.replace("__all__ = [", f'__all__ = ["{exported}", ', bool(exported)) + text, "utf-8")
    for name, text in CASE.items():
        (root / "testdata/cases/starts-with").mkdir(exist_ok=True)
        (root / "testdata/cases/starts-with" / name).write_text(text, encoding="utf-8")
    (root / "v1").mkdir()
    (root / "v1/types.go").write_text(TYPES, encoding="utf-8")
    _python(root, ".ci/generated_files.py")
    return root


def _python(root: Path, *arguments: str, code: int = 0) -> str:
    environ = {**os.environ, "PYTHONPATH": str(root), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environ, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def _program(root: Path, *arguments: str, code: int = 0) -> str:
    return _python(root, "-m", "validation_gen", *arguments, code=code)


def test_the_recipe_names_the_places_that_it_promises() -> None:
    places = {file.rpartition("/")[0] if file.startswith("testdata") else file for file, _, _ in steps()}
    assert places == OF_A_KNOWN_TEST | OF_A_NEW_TEST


@pytest.mark.thorough  # it runs tests of the project, for tags that are its own in all but name
def test_the_project_tests_the_new_tags(copy: Path) -> None:
    folders = [f"tests/test_cases.py::test_folder[{name}]" for name in ("percent", "starts-with")]
    rooms = ("tests/test_coverage_of_rules.py", "tests/ir", "tests/commands/explain/test_errors.py")
    out = _python(
        copy,
        "-m",
        "pytest",
        "-n0",
        "--basetemp",
        "temporary",
        "-p",
        "no:cacheprovider",
        "--no-header",
        "-vv",
        *folders,
        *rooms,
    )
    for name in (*folders, "test_every_rule_has_a_case_that_uses_it", "test_errors_are_those_of_the_record"):
        assert f"{name} PASSED" in out, out
    assert "FAILED" not in out


@with_copy
def test_validators_ask_quickly_and_answer(copy: Path) -> None:
    _program(copy, "generate", "v1", "--output-dir", "generated")
    text = (copy / "generated/v1.py").read_text(encoding="utf-8")
    assert 'if v.__class__ is not str or not v.startswith("urn:"):' in text
    assert "not 0 <= v <= 100" in text


@with_copy
def test_schemas_have_the_rule(copy: Path) -> None:
    _program(copy, "openapi", "v1", "--output-dir", "schemas")
    (file,) = (copy / "schemas").glob("**/*.json")
    properties = json.loads(file.read_text(encoding="utf-8"))["components"]["schemas"]["v1.Robot"]["properties"]
    assert (properties["load"]["minimum"], properties["load"]["maximum"]) == (0, 100)
    (rule,) = properties["owner"]["x-kubernetes-validations"]
    assert (rule["rule"], rule["message"]) == ("self.startsWith('urn:')", 'must start with "urn:"')


@with_copy
def test_versions_are_compared_by_the_name_of_the_tag(copy: Path) -> None:
    types = (copy / "v1/types.go").read_text(encoding="utf-8")
    for state in ("urn", "uri"):
        (copy / state / "v1").mkdir(parents=True)
        (copy / state / "v1/types.go").write_text(types.replace("urn:", f"{state}:"), encoding="utf-8")
    out = _program(copy, "breaking", "uri", "--against", "urn", "--format", "concise", code=1)
    assert 'startsWith is "uri:", it was "urn:"' in out


@with_copy
def test_the_search_finds_both_sides(copy: Path) -> None:
    assert _python(copy, "-c", SEARCH).splitlines() == [
        "+k8s:percent load maximum 101 100",
        "+k8s:percent load minimum -1 0",
        "+k8s:startsWith=\"urn:\" owner startsWith None 'urn:'",
    ]


@with_copy
def test_the_tag_is_explained(copy: Path) -> None:
    out = _program(copy, "explain", "v1", "Robot.owner")
    assert "A string must begin with this text." in out
    assert 'must start with "urn:"' in _program(copy, "explain", "startsWith")
