"""Names that come from sources and lead elsewhere: nothing is written, for any command, and the source line is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.tables import each
from validation_gen.cli.app import app, arguments
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import write_files
from validation_gen.emit.output.files import problem_with

GO = """\
// +k8s:validation-gen=TypesWithField=TypeMeta
{comment}
package v1
"""
TYPES = """\
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
{marker}
type Thing struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name"`
}}
"""
PYTHON = '''\
"""Things.

{comment}
+k8s:validation-gen=TypesWithField=TypeMeta
"""

from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import MaxLength, Required
from validation_gen.types import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class Thing(TypeMeta):
    metadata: ObjectMeta
    name: Annotated[str, Required(), MaxLength(5)]
'''
COMMANDS = (
    ("generate", "{api}", "--no-cache"),
    ("generate", "{api}", "--no-cache", "--emit", "crd", "--emit", "openapi", "--emit", "jsonschema", "-o", "gen"),
    ("check", "{api}", "--no-cache"),
    ("crd", "{api}"),
    ("crd", "{api}", "--patch-schemas", "manifests"),
    ("openapi", "{api}", "--v2"),
    ("jsonschema", "{api}"),
)
GROUPS = (
    "../../../x",
    "/{root}/abs",
    "..",
    ".",
    "a..b",
    "a/b",
    "A.example.com",
    "a\\b",
    "c:d",
    "a b",
    "a\u202eb.com",
    "a\x1b[31m.com",
    "x" * 300,
    "-a.com",
    "::error file=a",
    "%0A::error::x",
)


def listing(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "a/b/c/here"
    (here / "manifests").mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "none"))
    return here


def refused(top: Path, command: tuple[str, ...], api: str, code: str, file: str) -> str:
    before = listing(top)
    args = [part.format(api=api) for part in command]
    result = CliRunner().invoke(app, arguments([*args, "--format", "concise"]))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert result.exit_code == 1, result.output
    assert re.search(rf"^{re.escape(file)}:\d+:\d+: error {code} ", result.stderr, re.MULTILINE), result.output
    assert listing(top) == before
    assert "\u202e" not in result.output
    assert "\x1b" not in result.output
    return result.output


@pytest.mark.parametrize("group", GROUPS)
def test_groups_in_go(place: Path, tmp_path: Path, group: str) -> None:
    comment = f"// +groupName={group.format(root=tmp_path)}"
    api = place / "api/v1"
    api.mkdir(parents=True)
    (place / "go.mod").write_text("module example.com/m\n")
    (api / "doc.go").write_text(GO.format(comment=comment))
    (api / "types.go").write_text(TYPES.format(marker=""))
    for command in COMMANDS:
        refused(tmp_path, command, "api/v1", "VG104", "api/v1/doc.go")


@pytest.mark.parametrize("group", ["../../../x", "/{root}/abs", "A.example.com", "a b"])
def test_groups_in_python(place: Path, tmp_path: Path, group: str) -> None:
    api = place / "api/v1"
    api.mkdir(parents=True)
    (api / "__init__.py").write_text(PYTHON.format(comment=f"+groupName={group.format(root=tmp_path)}"))
    for command in COMMANDS:
        refused(tmp_path, command, "api/v1", "VG104", "api/v1/__init__.py")


def test_a_group_of_a_constant(place: Path, tmp_path: Path) -> None:
    api = place / "api/v1"
    api.mkdir(parents=True)
    (api / "doc.go").write_text(GO.format(comment=""))
    (api / "types.go").write_text(TYPES.format(marker="") + '\nconst GroupName = "../up"\n')
    for command in COMMANDS:
        refused(tmp_path, command, "api/v1", "VG104", "api/v1/types.go")


@pytest.mark.parametrize("command", [*COMMANDS[3:4], *COMMANDS[5:]])
def test_versions_of_markers(place: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    api = place / "api/v1"
    api.mkdir(parents=True)
    (api / "doc.go").write_text(GO.format(comment="// +groupName=a.example.com\n// +versionName=../../../x"))
    (api / "types.go").write_text(TYPES.format(marker=""))
    refused(tmp_path, command, "api/v1", "VG524", "api/v1/doc.go")


@pytest.mark.parametrize("name", ["path", "singular", "shortName", "categories"])
@pytest.mark.parametrize("value", ["../../../x", "/abs/x", "a.b"])
def test_names_of_resources(place: Path, tmp_path: Path, name: str, value: str) -> None:
    """A name that is none is an error, and the file has the name that the kind gives."""
    api = place / "api/v1"
    api.mkdir(parents=True)
    (api / "doc.go").write_text(GO.format(comment="// +groupName=a.example.com"))
    (api / "types.go").write_text(TYPES.format(marker=f"// +kubebuilder:resource:{name}={value}"))
    before = listing(tmp_path)
    result = CliRunner().invoke(app, arguments(["crd", "api/v1", "--format", "concise"]))
    assert result.exit_code == 1
    assert re.search(r"^api/v1/types.go:\d+:\d+: error VG52\d ", result.stderr, re.MULTILINE)
    new = set(listing(tmp_path)) - set(before)
    assert new <= {"a/b/c/here/crds", "a/b/c/here/crds/a.example.com_things.yaml"}


def test_a_group_that_is_right_is_suggested(place: Path) -> None:
    (place / "v1").mkdir()
    (place / "v1/doc.go").write_text(GO.format(comment="// +groupName=Robots.Example.com/x"))
    (place / "v1/types.go").write_text(TYPES.format(marker=""))
    result = CliRunner().invoke(app, arguments(["crd", "v1"]))
    assert "+groupName=robots.example.com.x" in result.stderr
    assert "^^^^^" in result.stderr


# --- the writer itself ----------------------------------------------------------------------------------------------

BAD = (
    "",
    "/abs/x.py",
    "../x.py",
    "a/../../x.py",
    "a/./x.py",
    "a//x.py",
    "a/",
    "a\0.py",
    "a\nb.py",
    "a\x1b.py",
    "a\x85.py",
    "a\\b.py",
    "c:x.py",
    "con",
    "a/NUL.json",
    "aux.example.com/x.json",
    "com1 .py",
    "a./x.py",
    "a /x.py",
    "x" * 256,
    "\udcff.py",
)


@each("name", BAD)
def test_one_bad_name_keeps_all_files_from_being_written(tmp_path: Path, name: str) -> None:
    root = tmp_path / "one/two/out"
    before = listing(tmp_path)
    diagnostics = Diagnostics()
    written = write_files(str(root), {"good.py": "x", name: "y"}, diagnostics, prune=True)
    assert written.written == []
    assert [(d.code, d.span.file) for d in diagnostics.items] == [("VG903", root.as_posix())]
    assert listing(tmp_path) == before


@each("name", ["a.py", "a/b/c.yaml", "größe/ü.json", "a..b", "...x", "console.py", ".hidden", "אב.py", "x" * 255])
def test_ordinary_names(name: str) -> None:
    assert problem_with(name) == ""
