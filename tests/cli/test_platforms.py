"""What other systems bring along: line ends and marks of Windows in sources, its paths, and names that it refuses.

Line ends are tried on sources of both languages and on everything that is written. Paths with backslashes are names of
directories here, as they can be on any system but Windows.
"""

from __future__ import annotations

import ntpath
import re
from pathlib import Path, PureWindowsPath

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import TYPES, Program
from tests.tables import each
from validation_gen.cli.options import Sources
from validation_gen.commands.convert.comments import _module_name
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.formats import render
from validation_gen.emit.output.files import problem_with
from validation_gen.emit.python import module_names
from validation_gen.types.naming import DEVICES

BOM = "\ufeff"
GO = TYPES.replace("// Thing is what there is.", "/*\nThing is what\nthere is.\n*/")
PYTHON = '''"""+groupName=fleet.example.com"""

from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import Format, Required
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class DroneSpec:
    """A drone.

    With a second paragraph.
    """

    call_sign: Annotated[str, Required(), Format("k8s-short-name")]
    # how many
    # +k8s:optional
    # +k8s:minimum=3
    rotors: Annotated[int, Int32] | None = None


@dataclass(kw_only=True)
class Drone(TypeMeta):
    metadata: ObjectMeta
    spec: DroneSpec
'''
SOURCES = {
    "apis/v1/types.go": GO,
    "apis/v1/doc.go": "// +groupName=example.com\n\npackage v1\n",
    "py/v1.py": PYTHON,
    "go.mod": "module example.com/m\n",
}
MANNERS = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "bom": lambda text: BOM + text,
    "both": lambda text: BOM + text.replace("\n", "\r\n"),
}
each_manner = pytest.mark.parametrize("manner", MANNERS)


def put(project: Program, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = project.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())  # line ends as they are


def outcome(project: Program) -> tuple[dict[str, bytes], list[str]]:
    """All that every writing command writes and says of the sources."""
    said = []
    for command in (
        "generate apis --output-dir out/go",
        "generate py --output-dir out/py",
        "crd generate apis -o out/crd",
        "crd generate py -o out/crdpy",
        "openapi apis -o out/openapi",
        "jsonschema py -o out/json",
        "convert apis --to python -o out/topython",
        "convert py --to go -o out/togo",
    ):
        done = project(*command.split(), "--quiet", "--no-cache" if command.startswith("generate") else "--quiet")
        said.append(f"{done.code}\n{done.out}{done.err}")
    return project.files("out"), said


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], list[str]]:
    """What comes of the sources as they are."""
    project = Program(tmp_path_factory.mktemp("plain"))
    put(project, SOURCES)
    return outcome(project)


@each_manner
def test_line_ends_and_marks_change_nothing_that_is_written(
    plain: tuple[dict[str, bytes], list[str]], manner: str, tmp_path: Path
) -> None:
    other = Program(tmp_path)
    changed = {name: MANNERS[manner](text) for name, text in SOURCES.items()}
    changed["go.mod"] = changed["go.mod"].removeprefix(BOM)  # the go command refuses a mark there
    put(other, changed)
    files, said = plain
    assert said == ["0\n"] * len(said)
    assert outcome(other) == (files, said)
    assert len(files) > 10
    assert not [name for name, content in files.items() if b"\r" in content or BOM.encode() in content]


@each_manner
def test_positions_and_carets(program: Program, manner: str) -> None:
    wrong = {
        "apis/v1/types.go": TYPES.replace("maxLength=5", "maxLength=five"),
        "first/types.go": "package first // +k8s:nope\n\nvar = 1\n",
        "py/v1.py": PYTHON.replace("minimum=3", "minimum=three"),
    }
    put(program, wrong)
    plain = [program(path, "--no-cache") for path in ("apis", "first", "py")]
    assert [done.code for done in plain] == [1, 1, 1]
    put(program, {name: MANNERS[manner](text) for name, text in wrong.items()})
    for path, before in zip(("apis", "first", "py"), plain, strict=True):
        done = program(path, "--no-cache")
        assert "\r" not in done.err
        assert BOM not in done.err
        assert (done.code, done.err) == (before.code, before.err)


def test_generated_files_that_were_checked_out_with_other_line_ends(project: Program) -> None:
    project("apis")
    wanted = project.files("generated")
    for name, content in wanted.items():
        (project.directory / "generated" / name).write_bytes(content.replace(b"\n", b"\r\n"))
    assert project("apis", "--check").code == 1
    assert project("apis").code == 0
    assert project.files("generated") == wanted


# --- paths -----------------------------------------------------------------------------------------------------------


def test_modules_in_directories_of_windows(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.directory)
    place = r"C:\src\a=b\api"
    (program.directory / place).mkdir()
    found = Sources([f"k8s.io/api={place}"]).settings(["."])
    assert found.modules == {"k8s.io/api": place}
    assert PureWindowsPath(found.modules["k8s.io/api"]).drive == "C:"
    with pytest.raises(typer.BadParameter, match=re.escape(r"D:\none is not a directory")):
        Sources([r"k8s.io/api=D:\none"]).settings(["."])


@pytest.mark.parametrize("file", ["C:/src/api/types.go", r"\\server\share\types.go", "//server/share/types.go"])
def test_positions_in_files_with_a_drive(file: str) -> None:
    found = Diagnostics()
    found.error("VG101", "message", Span(file, 3, 7, 9), "help")
    assert render(found.items, color=False, format="concise").startswith(f"{file}:3:7: error VG101 message")
    assert f" --> {file}:3:7\n" in render(found.items, color=False)


@each("name", ["a\\b.py", "C:/a.py", "C:a.py", "..\\a.py", "/a", "../a", "a/../b", ""])
def test_kept_names_lead_nowhere_else_on_any_system(name: str) -> None:
    assert problem_with(name)


def test_kept_names_as_we_write_them() -> None:
    assert problem_with("robots/v1.py") == ""
    assert not ntpath.isabs("robots/v1.py")


# --- names -----------------------------------------------------------------------------------------------------------


def _is_taken_by_windows(name: str) -> bool:
    """Names of devices, with any suffix and in any case (Microsoft: "Naming Files, Paths, and Namespaces")."""
    return name.partition(".")[0].lower() in DEVICES


def test_names_of_devices() -> None:
    found = module_names(
        ["example.com/con/aux", "example.com/CON/v1", "example.com/com1/nul", "example.com/console/v1"]
    )
    assert found["example.com/con/aux"] == ("con__", "aux_")
    assert found["example.com/com1/nul"] == ("com1_", "nul_")
    assert found["example.com/console/v1"] == ("console", "v1")
    assert [_module_name(name) for name in ("aux", "Con", "v1", "com0")] == ["aux_", "Con_", "v1", "com0_"]


def test_names_that_differ_in_case_alone() -> None:
    found = module_names(["a/Robots/v1", "b/robots/v1", "b/robots/v2", "c/robots_/v1", "d/x/V1", "d/x/v1"])
    assert found == {
        "a/Robots/v1": ("Robots", "v1"),
        "b/robots/v1": ("robots_", "v1"),
        "b/robots/v2": ("robots_", "v2"),
        "c/robots_/v1": ("robots__", "v1"),
        "d/x/V1": ("x", "V1"),
        "d/x/v1": ("x", "v1_"),
    }


_word = st.sampled_from(["a", "A", "a_", "con", "CON", "v1", "V1", "nul", "b"])


@given(st.lists(st.lists(_word, min_size=1, max_size=4).map("/".join), min_size=1, max_size=8, unique=True))
def test_any_names_can_be_files_on_any_system(paths: list[str]) -> None:
    found = module_names(paths)
    assert found.keys() == set(paths)
    assert len({tuple(name.lower() for name in names) for names in found.values()}) == len(paths)
    spelled: dict[tuple[str, ...], str] = {}
    for names in found.values():
        for depth, name in enumerate(names):
            assert not _is_taken_by_windows(name)
            place = (*(above.lower() for above in names[:depth]), name.lower())
            assert spelled.setdefault(place, name) == name


def test_packages_whose_names_differ_in_case_are_generated_apart(program: Program) -> None:
    program.write({"go.mod": "module example.com/m\n", "apis/Aux/v1/types.go": TYPES, "apis/aux/v1/types.go": TYPES})
    if len(list((program.directory / "apis").iterdir())) < 2:
        pytest.skip("names of files have no case here")
    assert program("apis").code == 0
    names = set(program.files("generated"))
    assert {"Aux_/v1.py", "aux__/v1.py"} <= names
