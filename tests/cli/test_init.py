"""A first configuration, in repositories of all sorts; what is there is never changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import API, Program

PLAIN = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec BoxSpec `json:"spec"`
}

type BoxSpec struct {
	Name  string   `json:"name"`
	Count *int32   `json:"count,omitempty"`
	Tags  []string `json:"tags"`
	Free  any      `json:"free"`
}
"""
PYTHON = """\
from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import MaxLength, Required


@dataclass
class Box:
    name: Annotated[str, Required(), MaxLength(3)]
"""
OWN = "validation-gen.toml"


def test_a_go_repository(project: Program) -> None:
    before = project.files()
    done = project("config", "init")
    assert (done.code, done.err) == (0, "")
    files = project.files()
    assert files.keys() - before.keys() == {OWN}
    text = files[OWN].decode()
    assert 'inputs = ["apis/things"]' in text
    assert 'crd = "crds"' in text
    assert "validation-gen crd" not in done.out
    assert "a first tag" not in done.out
    assert project().code == 0
    assert {"crds/example.com_things.yaml", "generated/__init__.py"} <= project.files().keys()
    assert project("--check").code == project("check").code == project("crd", "--check").code == 0
    file = project.directory / "crds/example.com_things.yaml"
    file.write_text(file.read_text().replace("maxLength: 5", "maxLength: 6"))
    assert project("--check").code == project("check").code == 1


def test_without_a_group_no_definition_is_promised(project: Program) -> None:
    doc = project.files()["apis/things/v1/doc.go"].decode()
    project.write({"apis/things/v1/doc.go": doc.replace("// +groupName=example.com\n", "")})
    done = project("config", "init")
    assert "crd" not in project.files()[OWN].decode()
    assert "  write +groupName=GROUP above the package clause, then emit = [" in done.out
    assert project().code == project("--check").code == 0


def test_a_second_time(project: Program) -> None:
    project("config", "init")
    before = project.files()
    done = project("config", "init")
    assert done.code == 2
    assert "VG903" in done.err
    assert project.files() == before


def test_first_tags_are_proposed_and_not_written(program: Program) -> None:
    program.write(
        {"go.mod": "module m\n", "api/v1/box.go": PLAIN, "api/v1/zz.go": f"// +k8s:deepcopy-gen=true\n{PLAIN}"}
    )
    before = program.files()
    done = program("config", "init")
    assert done.code == 0
    assert "without tags in api" in done.out
    assert "above BoxSpec.Name in api/v1/box.go:12\n  // +k8s:required\n  // +k8s:maxLength=64\n" in done.out
    assert "above BoxSpec.Count in api/v1/box.go:13\n  // +k8s:optional\n  // +k8s:minimum=0\n" in done.out
    assert {name: text for name, text in program.files().items() if name != OWN} == before
    # They are right: with them there is something to validate.
    (program.directory / "api/v1/zz.go").unlink()  # which declares the same again
    tagged = PLAIN.replace("	Name ", "	// +k8s:required\n	// +k8s:maxLength=64\n	Name ")
    program.write(
        {"api/v1/box.go": tagged.replace("	Count", "	// +k8s:optional\n	// +k8s:minimum=0\n	Count")}
    )
    assert "1 package" in program("--no-lint").out


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"[project]\nname = 'x'\n",
        b"[project]\nname = 'x'",
        b"[project]\r\nname = 'x'\r\n",
        b"# \xc3\xa9\n[tool.other]\na = 1 # validation-gen\n",
        b"\xef\xbb\xbf[project]\nname = 'x'\n",
        b"tool.other.a = 1\n",
    ],
)
def test_a_python_repository(program: Program, before: bytes) -> None:
    program.write({"shop/v1.py": PYTHON, "shop/app.py": "print()\n", "tests/test_a.py": PYTHON})
    file = program.directory / "pyproject.toml"
    file.write_bytes(before)
    done = program("config", "init")
    assert (done.code, done.err) == (0, "")
    after = file.read_bytes()
    assert after.startswith(before)
    assert b'inputs = ["shop/v1.py"]' in after
    assert (b"\r\n" in after) == (b"\r\n" in before)
    assert after.count(b"\n") == after.count(b"\r\n") or b"\r" not in before
    assert "1 package, 1 type" in program().out


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("pyproject.toml", "[tool.validation-gen]\n", "VG903"),
        ("pyproject.toml", "# validation-gen\n[", "VG906"),
        ("pyproject.toml", "[", "VG906"),
        ("pyproject.toml", "tool = {}\n", "VG906"),
        (OWN, "", "VG903"),
    ],
)
def test_what_is_there_stays(program: Program, name: str, text: str, code: str) -> None:
    program.write({"shop/v1.py": PYTHON, name: text})
    before = program.files()
    done = program("config", "init")
    assert done.code == 2
    assert code in done.err
    assert program.files() == before


def test_a_dry_run_and_a_difference(project: Program) -> None:
    before = project.files()
    done = project("config", "init", "--dry-run")
    assert (done.code, done.err) == (0, "")
    diff = project("config", "init", "--diff")
    assert diff.out.startswith(f"--- /dev/null\n+++ {OWN}\n@@")
    assert project.files() == before
    project("config", "init")
    assert (project.directory / OWN).read_text() == done.out
    assert "".join(line[1:] for line in diff.out.splitlines(True)[3:]) == done.out


def test_another_directory(program: Program) -> None:
    program.write({f"fleet/{name}": text for name, text in API.items()})
    done = program("config", "init", "fleet")
    assert done.code == 0
    assert "cd fleet && validation-gen" in done.out
    assert (program.directory / "fleet" / OWN).is_file()


def test_nothing_to_begin_with(program: Program) -> None:
    program.write({"go.mod": "module m\n", "main.go": "package main\n\ntype a struct {\n}\n", "vendor/a.go": PLAIN})
    for args in (
        ["config", "init"],
        ["config", "init", "nowhere"],
        ["config", "init", "main.go"],
        ["config", "init", ""],
    ):
        done = program(*args)
        assert done.code == 2, args
        assert done.err
    assert OWN not in program.files()


def test_what_other_directories_hold(program: Program) -> None:
    """Versions share an input, generated files and tests are none."""
    program.write(
        {
            "go.mod": "module m\n",
            "pkg/apis/a/v1/t.go": PLAIN,
            "pkg/apis/b/v1/t.go": PLAIN,
            "x/y/v1beta1/t.go": PLAIN,
            "gen/v1/t.go": f"// Code generated by tool. DO NOT EDIT.\n{PLAIN}",
            "testdata/v1/t.go": PLAIN,
            "a/t_test.go": PLAIN,
        }
    )
    assert 'inputs = ["pkg/apis", "x/y"]' in program("config", "init", "--dry-run").out


def test_names_that_toml_has_to_escape(program: Program) -> None:
    name = 'a"b\\\u0085é'
    program.write({"go.mod": "module m\n", f"{name}/v1/t.go": PLAIN})
    assert program("config", "init").code == 0
    assert "cannot" not in program("crd").err


def test_generated_is_taken(project: Program) -> None:
    project.write({"generated/mine.py": ""})
    assert 'python = "validators"' in project("config", "init", "--dry-run").out


def test_what_an_earlier_run_has_generated_stays_in_its_place(project: Program) -> None:
    assert project("apis").code == 0
    assert 'python = "generated"' in project("config", "init", "--dry-run").out


def test_a_project_file_that_is_no_toml_has_its_line(program: Program) -> None:
    program.write({"pyproject.toml": "[project]\nname = [\n", "a.py": "from validation_gen.tags import Required\n"})
    done = program("config", "init")
    assert done.code == 2
    assert "pyproject.toml:2:" in done.err


def test_a_directory_that_may_not_be_written(project: Program) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everything")
    project.directory.chmod(0o555)
    done = project("config", "init")
    project.directory.chmod(0o755)
    assert done.code == 2
    assert "VG903" in done.err


def test_links_in_a_circle(project: Program) -> None:
    Path(project.directory, "apis", "again").symlink_to(project.directory)
    assert project("config", "init", "--dry-run").code == 0


@pytest.mark.parametrize("place", ["config/crd/bases", "pkg/apis/crds"])
def test_definitions_stay_where_the_repository_has_them(project: Program, place: str) -> None:
    (project.directory / place).mkdir(parents=True)
    done = project("config", "init")
    assert f"write validators into generated/, definitions into {place}/" in done.out
    assert f'crd = "{place}"' in project.files()[OWN].decode()


def test_definitions_of_controller_gen_are_patched(project: Program) -> None:
    project.write({"config/crd/bases/example.com_things.yaml": "kind: CustomResourceDefinition\n"})
    done = project("config", "init")
    assert "# put the schemas into the definitions in config/crd/bases/" in done.out
    assert "crd --patch-schemas" not in done.out
    assert "validation-gen crd --check" in done.out
    text = project.files()[OWN].decode()
    assert '[crd]\npatch-schemas = "config/crd/bases"\n' in text
    assert "crd =" not in text
    before = project.files("config")
    assert "no manifest in this directory defines Thing" in project("crd").err
    assert project.files("config") == before


def test_definitions_of_others_are_told_once_and_none_is_written(project: Program) -> None:
    text = project.files()["apis/things/v1/types.go"].decode()
    kinds = text.replace("// Thing is", "// +kubebuilder:object:root=true\n// Thing is")
    for name in ("Other", "Fresh"):
        part = text[text.index("// Thing is") : text.index("type ThingSpec")]
        kinds += part.replace("// Thing is", "// +kubebuilder:object:root=true\n// x is").replace(
            "Thing struct", f"{name} struct"
        )
    project.write({"apis/things/v1/types.go": kinds})
    known = {f"crds/example.com_{name}.yaml": "kind: CustomResourceDefinition\n" for name in ("things", "others")}
    project.write(known)
    for more in ([], ["--check"], ["--diff"]):
        done = project("crd", "apis", *more, "--format", "concise")
        assert done.code == 2
        assert done.err.count("VG903") == 1
        assert done.err.startswith("crds: error VG903 2 files exist and were not generated, so nothing is written here")
        assert "--patch-schemas crds" in done.err
        assert done.out == ""
        assert sorted(project.files("crds")) == ["example.com_others.yaml", "example.com_things.yaml"]
    told = project("crd", "apis").err
    assert "crds/example.com_others.yaml" in told


def test_what_has_validation_is_counted(project: Program) -> None:
    marked = PLAIN.replace("type Box struct", "// +kubebuilder:object:root=true\ntype Box struct")
    project.write({"apis/boxes/v1/box.go": PLAIN, "apis/boxes/v1/marked.go": marked.replace("Box", "Crate")})
    told = project("config", "init").out.splitlines()[0]
    assert told.endswith(": 4 files with API types, 1 with markers of controller-gen, 2 with tags, in apis")


def test_our_own_packages_are_no_inputs(program: Program) -> None:
    header = "# Code generated by validation-gen. DO NOT EDIT.\n"
    tool = {"lib/validation_gen/runtime/registry.py": "", "lib/validation_gen/types/meta.py": PYTHON}
    program.write({"pyproject.toml": "", "shop.py": PYTHON, "made/v1.py": f"{header}{PYTHON}", **tool})
    done = program("config", "init")
    assert done.code == 0
    assert 'inputs = ["shop.py"]' in program.files()["pyproject.toml"].decode()


def test_beside_markers_no_tag_is_proposed_but_migrate(project: Program) -> None:
    marked = PLAIN.replace("type Box struct", "// +kubebuilder:object:root=true\ntype Box struct")
    project.write({"apis/boxes/v1/box.go": marked, "apis/things/v1/types.go": marked})
    told = project("config", "init").out
    assert "a first tag" not in told
    assert "validation-gen convert markers apis" in told
