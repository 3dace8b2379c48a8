"""`generate --compile` and what becomes of extensions: built once, never stale, only removed where they are ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import API, Program
from validation_gen.uses.generate.compiled.extensions import SUFFIX, stamp_in

EXTENSION = f"generated/things/v1{SUFFIX}"
FOREIGN = f"generated/things/foreign{SUFFIX}"
THING = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"name": "too long"}}
_ASK = """
import json, sys, warnings
warnings.simplefilter("always")
from PACKAGE import registry
from PACKAGE.things import v1
from PACKAGE.meta import v1 as meta
errors = [str(e) for e in registry.validate(json.loads(sys.argv[1]), options={'Glitter': True})]
assert not [name for name in sys.modules if name in ("v1", "things") or name.startswith("_validation_gen")]
print(json.dumps([type(v1.create_Thing).__name__, type(meta.typed_ObjectMeta).__name__, v1.__name__, errors]))
"""


@pytest.fixture
def project(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    program.write(API)
    return program


@pytest.fixture(scope="module")
def built(tools: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = Program(tmp_path_factory.mktemp("built"))
    program.write(API)
    done = program("apis", "--compile")
    assert (done.code, done.err) == (0, "")
    assert "7 files written" in done.out
    return program.directory


@pytest.fixture
def compiled(built: Path, project: Program) -> Program:
    shutil.copytree(built / "generated", project.directory / "generated")
    return project


def ask(directory: Path, package: str = "generated") -> tuple[list[object], str]:
    command = [sys.executable, "-c", _ASK.replace("PACKAGE", package), json.dumps(THING)]
    path = str(Path(__file__).parents[4])
    done = subprocess.run(
        command, cwd=directory, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


ERRORS = ["spec.name: Too long: may not be more than 5 characters"]
NATIVE = "builtin_function_or_method"


def test_compiled_modules_are_imported(compiled: Program) -> None:
    assert ask(compiled.directory) == ([NATIVE, NATIVE, "generated.things.v1", ERRORS], "")
    assert (compiled.directory / "generated/things/v1.py").exists()
    # Extensions know no name of a package: the directory can be moved and copied as it always could.
    (compiled.directory / "outer").mkdir()
    (compiled.directory / "generated").rename(compiled.directory / "outer/renamed")
    assert ask(compiled.directory, "outer.renamed")[0] == [NATIVE, NATIVE, "outer.renamed.things.v1", ERRORS]


def test_what_has_not_changed_is_not_built_again(compiled: Program) -> None:
    file = compiled.directory / EXTENSION
    before = file.stat().st_mtime_ns, file.stat().st_ino
    # Nothing could be built now.
    again = compiled("apis", "--compile", CC="none")
    assert (again.code, again.err) == (0, "")
    assert "0 files written, 7 unchanged" in again.out
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_without_the_option_ours_go_and_others_stay(compiled: Program) -> None:
    (compiled.directory / FOREIGN).write_bytes(b"\x7fELF of somebody else")
    done = compiled("apis")
    assert "0 files written, 5 unchanged, 2 removed" in done.out
    assert not (compiled.directory / EXTENSION).exists()
    assert (compiled.directory / FOREIGN).exists()
    assert ask(compiled.directory) == (["function", "function", "generated.things.v1", ERRORS], "")


def test_a_changed_module_is_built_again(compiled: Program) -> None:
    before = stamp_in(compiled.directory / EXTENSION)
    types = compiled.directory / "apis/things/v1/types.go"
    types.write_text(types.read_text().replace("maxLength=5", "maxLength=4"))
    done = compiled("apis", "--compile")
    assert (done.code, done.err) == (0, "")
    assert "2 files written, 5 unchanged" in done.out  # and no change in `meta`
    assert stamp_in(compiled.directory / EXTENSION) not in ("", before)
    assert ask(compiled.directory)[0][-1] == ["spec.name: Too long: may not be more than 4 characters"]


def test_a_module_without_its_types_leaves_nothing(compiled: Program) -> None:
    other = API["apis/things/v1/types.go"].replace("package v1", "package v2")
    compiled.write({f"apis/things/v2/{name}": text for name, text in (("types.go", other),)})
    compiled.write({"apis/things/v2/doc.go": API["apis/things/v1/doc.go"].replace("package v1", "package v2")})
    for file in (compiled.directory / "apis/things/v1").iterdir():
        file.unlink()
    done = compiled("apis", "--compile", CC="none")
    assert done.code == 0
    assert not list((compiled.directory / "generated/things").glob("v1*"))
    assert (compiled.directory / f"generated/meta/v1{SUFFIX}").exists()  # whose source is as before
    assert (compiled.directory / "generated/things/v2.py").exists()


def test_a_source_that_was_replaced_since_is_run_by_python(compiled: Program) -> None:
    """As a version control system does it, which knows nothing of extensions."""
    module = compiled.directory / "generated/things/v1.py"
    module.write_text(module.read_text().replace("> 5", "> 4").replace(", 5)", ", 4)"))
    (kind, other, name, errors), said = ask(compiled.directory)
    assert (kind, other, name) == ("function", NATIVE, "generated.things.v1")
    assert errors == ["spec.name: Too long: may not be more than 4 characters"]
    assert "RuntimeWarning" in said
    assert "has changed since it was compiled" in said
    module.unlink()  # nothing to compare with
    assert ask(compiled.directory) == ([NATIVE, NATIVE, "generated.things.v1", ERRORS], "")


def test_a_foreign_extension_is_kept(tools: None, project: Program) -> None:
    assert project("apis").code == 0
    (project.directory / EXTENSION).write_bytes(b"of somebody else")
    done = project("apis", "--compile")
    assert done.code == 2
    assert "error[VG903]: the file exists and was not generated, so it is kept" in done.err
    assert (project.directory / EXTENSION).read_bytes() == b"of somebody else"


def test_without_a_compiler_python_goes_on(tools: None, project: Program) -> None:
    done = project("apis", "--compile", CC="no-such-compiler")
    assert done.code == 0
    assert done.err == "not compiled, so Python runs the validators: there is no C compiler (no-such-compiler)\n"
    assert "5 files written" in done.out
    assert ask(project.directory) == (["function", "function", "generated.things.v1", ERRORS], "")
    done = project("apis", "--compile", "--format", "json", CC="no-such-compiler")
    assert done.code == 0
    assert '"VG907"' in done.out


def test_without_mypyc_the_extra_is_named(project: Program) -> None:
    """A module that cannot be found stands for one that is not installed."""
    script = (
        "import sys; from importlib import util; find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'mypyc' else find(name, *rest)\n"
        "from validation_gen.cli.main import run; sys.argv = ['validation-gen', 'apis', '--compile']; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert "mypyc is not installed (pip install 'validation-gen[compile]')" in done.stderr


def test_a_failing_compiler_is_reported(tools: None, project: Program) -> None:
    done = project("apis", "--compile", CC="false")
    assert done.code == 2
    # Versions of setuptools show the command as a text or as a list.
    assert re.search(r"error\[VG907\]: the module cannot be compiled: error: [Cc]ommand '(\['|\S*/)?false'", done.err)
    assert "5 files written" in done.out
    assert ask(project.directory)[0][0] == "function"


def test_a_compiler_that_writes_nothing_is_reported(tools: None, project: Program) -> None:
    done = project("apis", "--compile", CC="true")
    assert done.code == 2
    assert "error[VG907]: the module cannot be compiled: " in done.err


def test_files_of_the_user_are_in_nobodys_way(tools: None, project: Program) -> None:
    project.write({"mypy.ini": "[mypy]\nplugins = none\n", "setup.cfg": "[build_ext]\nforce = nonsense\n"})
    project.write({"setuptools.py": "raise SystemExit('mine')\n", "mypy.py": "raise SystemExit('mine')\n"})
    done = project("apis", "--compile")
    assert (done.code, done.err) == (0, "")
