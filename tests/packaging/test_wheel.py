"""The wheel, as people get it: built, installed into environments of its own, and used.

Needs the packages `build` and `hatchling` (the extra `lint` has them) and a package index. Where one is missing the
tests are skipped, so that the ordinary test command works without; `VALIDATION_GEN_WHEEL_TEST=required` turns the skip
into a failure.
"""

from __future__ import annotations

import configparser
import email
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import textwrap
import venv
import zipfile
from pathlib import Path

import pytest

from tests.packaging.builds import STRAY, Built, build_native, build_twice

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "validation_gen"
CLI_EXISTS = (PACKAGE / "cli" / "main.py").exists()

pytestmark = pytest.mark.slow  # builds and environments; `make wheel` names this file

#: Imports every module below a directory and tells, as JSON, which of them it found and which modules that took.
IMPORT_ALL = """
    import importlib, json, pathlib, sys
    parent, name = sys.argv[1:]
    sys.path.insert(0, parent)
    found = []
    for path in sorted(pathlib.Path(parent, name).rglob("*.py")):
        parts = path.relative_to(parent).with_suffix("").parts
        found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        importlib.import_module(found[-1])
    foreign = [
        m for m in sys.modules
        if m.partition(".")[0]
        not in {*sys.stdlib_module_names, name, "__main__", "sitecustomize", "usercustomize", "_distutils_hack"}
    ]
    print(json.dumps({"found": found, "foreign": sorted(foreign)}))
"""


class Environment:
    """A virtual environment that knows nothing of the one the tests run in."""

    def __init__(self, directory: Path) -> None:
        venv.create(directory)
        self.scripts = directory / ("Scripts" if os.name == "nt" else "bin")

    def run(self, command: str | Path, *args: str | Path, cwd: Path) -> str:
        """Runs a program of the environment outside of the source tree, and returns its standard output."""
        ours = {"PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV"}
        environ = {name: value for name, value in os.environ.items() if name not in ours}
        done = subprocess.run(
            [self.scripts / command, *args], cwd=cwd, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command} failed with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, *args: str | Path, cwd: Path) -> None:
        """Installs with the pip of the tests: to give each environment its own takes longer than what is installed."""
        pip = ("-m", "pip", "--python", self.scripts / "python", "install", "--quiet", "--disable-pip-version-check")
        self.run(Path(sys.executable), *pip, *args, cwd=cwd)


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, Built]:
    missing = [name for name in ("build", "hatchling") if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"{' and '.join(missing)} must be there: install the extra `lint` to test the wheel"
        if os.environ.get("VALIDATION_GEN_WHEEL_TEST") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return build_twice(tmp_path_factory.mktemp("builds"))


@pytest.fixture(scope="module")
def wheel(builds: tuple[Built, Built]) -> Path:
    return builds[0].wheel


@pytest.fixture(scope="module")
def complete(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where the generator runs: the wheel with what it says it needs."""
    directory = tmp_path_factory.mktemp("complete")
    environment = Environment(directory / "venv")
    environment.install(wheel, cwd=directory)
    return environment


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where generated code runs: the wheel and nothing else."""
    directory = tmp_path_factory.mktemp("bare")
    environment = Environment(directory / "venv")
    environment.install("--no-deps", wheel, cwd=directory)
    return environment


@pytest.fixture(scope="module")
def generated(complete: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the installed program writes for the sample API."""
    if not CLI_EXISTS:
        pytest.skip("validation_gen.cli.main does not exist")
    directory = tmp_path_factory.mktemp("generated")
    shutil.copytree(ROOT / "testdata" / "apis", directory / "apis")
    complete.run("validation-gen", "apis", "--output-dir", "fleet_validation", cwd=directory)
    return directory / "fleet_validation"


def members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def dist_info(wheel: Path, file: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(f".dist-info/{file}")]
        return archive.read(name).decode()


def files(directory: Path) -> set[Path]:
    """Every file that belongs to the source tree below a directory, relative to it."""
    built = {".pyc", ".pyo", ".so", ".pyd"}
    found = (p for p in directory.rglob("*") if p.is_file() and p.suffix not in built)
    return {p.relative_to(directory) for p in found}


def test_the_wheel_holds_the_package_and_the_templates_and_nothing_else(wheel: Path) -> None:
    package = {f"validation_gen/{p.as_posix()}" for p in files(PACKAGE) if p.suffix not in {".c", ".h"}}
    templates = {f"validation_gen/templates/{p.as_posix()}" for p in files(ROOT / "templates")}
    assert members(wheel) == package | templates


@pytest.fixture(scope="module")
def platform_wheel(builds: tuple[Built, Built], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as `pip install .` builds it where there is a compiler."""
    found = build_native(tmp_path_factory.mktemp("native")).wheel
    if found.name.endswith("-py3-none-any.whl"):
        pytest.skip("nothing can be compiled here")
    return found


def test_a_compiler_adds_the_native_accept_path_and_nothing_else(wheel: Path, platform_wheel: Path) -> None:
    (added,) = members(platform_wheel) - members(wheel)
    assert added.startswith("validation_gen/runtime/_fastpath.")
    assert members(wheel) - members(platform_wheel) == set()


def test_the_native_accept_path_is_used(platform_wheel: Path, bare: Environment, tmp_path: Path) -> None:
    with zipfile.ZipFile(platform_wheel) as archive:
        archive.extractall(tmp_path)
    program = "from validation_gen.runtime import native; print(native.told, native.__file__)"
    told = bare.run("python", "-c", program, cwd=tmp_path)
    assert told == f"with the native accept path {tmp_path / 'validation_gen/runtime/native.py'}\n"


def test_without_a_compiler_the_wheel_is_the_pure_one(wheel: Path, tmp_path: Path) -> None:
    built = build_native(tmp_path, CC=str(tmp_path / "no-compiler")).wheel
    assert built.name == wheel.name
    assert built.read_bytes() == wheel.read_bytes()


def test_each_build_gives_the_same_bytes(builds: tuple[Built, Built]) -> None:
    """The second wheel comes from the source distribution, which thereby is whole."""
    first, second = builds
    assert first.wheel.name == second.wheel.name
    assert first.sdist.name == second.sdist.name
    assert described(first.wheel) == described(second.wheel)  # says more than bytes do
    assert first.wheel.read_bytes() == second.wheel.read_bytes()
    assert first.sdist.read_bytes() == second.sdist.read_bytes()


def described(wheel: Path) -> list[tuple[object, ...]]:
    with zipfile.ZipFile(wheel) as archive:
        return [(i.filename, i.date_time, oct(i.external_attr), i.CRC, i.file_size) for i in archive.infolist()]


def test_the_source_distribution_holds_the_project_and_nothing_else(builds: tuple[Built, Built]) -> None:
    with tarfile.open(builds[1].sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"LICENSE", "README.md", "pyproject.toml", "Makefile", ".ci/run", "requirements/dev.txt", "mkdocs.yml"}
    assert needed - held == set()
    assert {f"templates/{p.as_posix()}" for p in files(ROOT / "templates")} <= held
    assert {f"tests/{p.as_posix()}" for p in files(ROOT / "tests")} <= held
    assert held & set(STRAY) == set()


def test_beside_the_package_the_wheel_says_what_it_is_and_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        beside = {name.partition(".dist-info/")[2] for name in archive.namelist() if ".dist-info/" in name}
    licence, bill = "licenses/LICENSE", "sboms/sbom.cdx.json"
    assert beside == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", licence, bill}
    assert dist_info(wheel, bill) == (ROOT / "requirements" / "sbom.cdx.json").read_text(encoding="utf-8")
    assert dist_info(wheel, licence) == (ROOT / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("directory", "suffix"),
    [
        ("templates/", ".j2"),
        ("sources/wellknown/", ".go"),
        ("sources/known/", ".go"),
        ("tags/grammar", ".lark"),
        ("commands/explain/diagnostics/", ".md"),
        ("commands/explain/errors", ".json"),
        ("py.typed", "py.typed"),
    ],
)
def test_the_wheel_holds_what_is_read_at_run_time(wheel: Path, directory: str, suffix: str) -> None:
    """Said once more by name: a file that was moved in the source tree must not be missed by the test above."""
    prefix = f"validation_gen/{directory}"
    assert [name for name in members(wheel) if name.startswith(prefix) and name.endswith(suffix)]


def test_the_metadata_offers_the_program_and_the_licence(wheel: Path) -> None:
    scripts = configparser.ConfigParser()
    scripts.read_string(dist_info(wheel, "entry_points.txt"))
    assert dict(scripts["console_scripts"]) == {"validation-gen": "validation_gen.cli.main:run"}
    plugins = {"validation-gen": "commands.pytestplugin", "validation-gen-testing": "testing.plugin"}
    assert dict(scripts["pytest11"]) == {name: f"validation_gen.{module}" for name, module in plugins.items()}
    metadata = email.message_from_string(dist_info(wheel, "METADATA"))
    assert metadata["License-File"] == "LICENSE"
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_program_says_its_version(wheel: Path, complete: Environment, tmp_path: Path) -> None:
    if not CLI_EXISTS:
        pytest.skip("validation_gen.cli.main does not exist")
    version = email.message_from_string(dist_info(wheel, "METADATA"))["Version"]
    assert version in complete.run("validation-gen", "--version", cwd=tmp_path).split()


def test_the_runtime_needs_nothing_but_python(bare: Environment, tmp_path: Path) -> None:
    program = """
        import sys
        before = set(sys.modules)
        import validation_gen.runtime
        foreign = [m for m in set(sys.modules) - before if m.partition(".")[0] not in sys.stdlib_module_names]
        print(*sorted(m for m in foreign if m != "validation_gen" and not m.startswith("validation_gen.runtime")))
    """
    assert bare.run("python", "-c", textwrap.dedent(program), cwd=tmp_path).strip() == ""


def test_generated_code_needs_the_runtime_only(generated: Path, bare: Environment, tmp_path: Path) -> None:
    out = bare.run("python", "-c", textwrap.dedent(IMPORT_ALL), str(generated.parent), generated.name, cwd=tmp_path)
    result = json.loads(out)
    assert result["found"]
    assert [m for m in result["foreign"] if m != "validation_gen" and not m.startswith("validation_gen.runtime")] == []
