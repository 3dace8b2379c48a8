"""A release: its metadata, its workflow, and installations from a path, an archive and a repository.

Nothing is fetched: builds use the packages of the tests' environment, and pip has no index.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import program
from tests.packaging.builds import ROOT, copy_project
from tests.packaging.test_lock import PROJECT, PYPROJECT, PYTHONS
from tests.packaging.test_wheel import Environment
from validation_gen.runtime import native

WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
#: What a new environment says of the installation.
TRY = """
import importlib.metadata, validation_gen, validation_gen.runtime.registry
from validation_gen.runtime.native import told
print(importlib.metadata.version("validation-gen"), told)
"""


def find_commands(job: str) -> list[str]:
    return [step["run"] for step in WORKFLOW["jobs"][job]["steps"] if "run" in step]


# --- metadata --------------------------------------------------------------------------------------------------------


def test_pythons_of_classifiers_locks_and_wheels_are_the_same() -> None:
    classified = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", text)]
    built = [f"3.{number}" for number in re.findall(r"cp3(\d+)-", PYPROJECT["tool"]["cibuildwheel"]["build"])]
    assert classified == built == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_the_metadata_has_addresses_and_says_that_types_are_there() -> None:
    assert {"Homepage", "Documentation", "Changelog", "Issues"} == PROJECT["urls"].keys()
    assert {url.startswith(PROJECT["urls"]["Homepage"]) for url in PROJECT["urls"].values()} == {True}
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert (ROOT / "validation_gen" / "py.typed").is_file()
    assert (PROJECT["license"], PROJECT["license-files"]) == ("Apache-2.0", ["LICENSE"])


@pytest.mark.skipif(native.accept is None, reason="without native code")
def test_the_check_of_a_native_wheel_passes() -> None:
    command = PYPROJECT["tool"]["cibuildwheel"]["test-command"]
    words = shlex.split(command)
    subprocess.run([sys.executable, *words[1:]], check=True, timeout=60)


def test_no_page_names_the_host_of_a_registry() -> None:
    """Where packages come from is the choice of those who install them."""
    hosts = re.compile(r"\bpypi\.org\b|\bpythonhosted\b|\b(docker|ghcr|quay)\.io\b|\bcrates\.io\b")
    texts = [*ROOT.glob("*.*"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "templates").rglob("*.j2")]
    texts += [*(ROOT / ".github").rglob("*.yml"), *(ROOT / "requirements").iterdir()]
    assert [path.name for path in texts if path.is_file() and hosts.search(path.read_text(encoding="utf-8"))] == []


# --- the workflow ----------------------------------------------------------------------------------------------------


def test_the_workflow_builds_for_three_platforms_with_locked_packages() -> None:
    systems = WORKFLOW["jobs"]["native"]["strategy"]["matrix"]["os"]
    assert [system.partition("-")[0] for system in systems] == ["ubuntu", "macos", "windows"]
    for job in ("pure", "native"):
        install, build, *_ = find_commands(job)
        lock = re.fullmatch(r"python -m pip install --require-hashes -r (\S+)", install)
        assert lock, install
        names = (ROOT / lock[1]).read_text(encoding="utf-8")
        assert f"\n{build.split()[2]}==" in names  # the module that runs is a locked package


def test_the_workflow_may_write_only_where_it_makes_a_draft() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert [name for name, job in WORKFLOW["jobs"].items() if "permissions" in job] == ["draft"]
    actions = [step["uses"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "uses" in step]
    assert [action for action in actions if not re.fullmatch(r"actions/[a-z-]+@v\d+", action)] == []


# --- installations ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of the project, with a tag of its version, and with the files that the workflow builds in `dist`."""
    directory = tmp_path_factory.mktemp("project") / "validation-gen"
    copy_project(directory)
    git = ["git", "-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "init.defaultBranch=main"]
    for words in ("init --quiet", "add .", "commit --quiet --message=Begin", f"tag v{PROJECT['version']}"):
        subprocess.run([*git, *words.split()], cwd=directory, check=True, timeout=60)
    build = shlex.split(find_commands("pure")[1])
    environ = {"VALIDATION_GEN_BUILD": "pure", "PATH": "", "PYTHONWARNINGS": "ignore"}
    subprocess.run([sys.executable, *build[1:]], cwd=directory, env=environ, check=True, timeout=300)
    return directory


@pytest.mark.thorough
@pytest.mark.parametrize("origin", ["path", "sdist", "repository"])
def test_pip_installs_without_an_index(
    origin: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Native code is compiled from the source distribution alone, as `test_wheel.py` compiles it from the tree."""
    if origin != "sdist":
        monkeypatch.setenv("VALIDATION_GEN_BUILD", "pure")
    version = PROJECT["version"]
    found = {
        "path": str(project),
        "sdist": str(project / "dist" / f"validation_gen-{version}.tar.gz"),
        "repository": f"git+{project.as_uri()}@v{version}",
    }
    environment = Environment(tmp_path / "venv")
    _lend_packages(tmp_path / "venv")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed"]
    environment.install(*options, found[origin], cwd=tmp_path)
    said = environment.run("python", "-I", "-c", TRY, cwd=tmp_path)
    assert said.startswith(f"{version} ")
    (place,) = (tmp_path / "venv").rglob("site-packages/validation_gen")
    assert (place / "templates" / "python" / "module.py.j2").is_file()


@pytest.mark.slow
def test_the_files_of_a_release(project: Path) -> None:
    version = PROJECT["version"]
    names = {f"validation_gen-{version}.tar.gz", f"validation_gen-{version}-py3-none-any.whl"}
    assert {path.name for path in (project / "dist").iterdir()} == names
    compared = next(command for command in find_commands("pure") if command.startswith("test "))
    for tag, code in ((f"v{version}", 0), ("v99.0", 1)):
        ended = subprocess.run(["bash", "-c", compared], cwd=project, env={"GITHUB_REF_NAME": tag}, check=False)
        assert ended.returncode == code


@pytest.mark.slow
def test_the_image_of_a_webhook_installs_the_wheel_beside_it(project: Path, tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    (wheel,) = (project / "dist").glob("*.whl")
    shutil.copy(wheel, tmp_path / "wheels")
    shutil.copytree(ROOT / "testdata" / "apis", tmp_path / "apis")
    assert program.run(["generate", "apis", "--emit", "webhooks"], b"", tmp_path, {}).returncode == 0
    text = (tmp_path / "webhooks" / "Dockerfile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^RUN (.*)$", text, re.MULTILINE)
    assert 'ARG REQUIREMENT=""\nCOPY ["wheels", "/wheels"]\n' in text
    environment = Environment(tmp_path / "venv")
    pip = tmp_path / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pip --python "{environment.scripts}/python" "$@"\n')
    pip.chmod(0o755)
    variables = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "HOME": str(tmp_path)}
    for requirement, code in (("", 0), ("validation-gen[serve]==99", 1)):
        ended = subprocess.run(
            ["sh", "-c", command.replace("/wheels", str(tmp_path / "wheels"))],
            env=variables | {"REQUIREMENT": requirement},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert ended.returncode == code, ended.stderr
    assert environment.run("python", "-c", TRY, cwd=tmp_path).startswith(f"{PROJECT['version']} ")


def _lend_packages(venv: Path) -> None:
    """Lets an environment import the packages of the tests: what builds the project is among them."""
    (packages,) = venv.rglob("site-packages")
    lent = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "lent.pth").write_text("\n".join(lent), encoding="utf-8")
