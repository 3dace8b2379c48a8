"""What other programs run: hooks of pre-commit, the action for GitHub, and the rule for Bazel that the guide shows.

Hooks and action install the project from a package index. As for the wheel, these tests are skipped where the package
`build` is missing, unless `VALIDATION_GEN_WHEEL_TEST=required`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.blocks import blocks
from tests.packaging.builds import create_environment

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "howto-hooks.md"
ACTION = ROOT / "action.yml"

#: The hook that reads the files of a commit.
VALIDATE = "validation-gen-validate"

#: The files that the guide shows, by path.
FILES = {block.marks["file"]: block.text for block in blocks(GUIDE) if "file" in block.marks}
CHANGES = {
    block.marks["file"]: block.text for block in blocks(ROOT / "docs/howto-ci-changes.md") if "file" in block.marks
}
API = {name: FILES[name] for name in ("go.mod", "apis/shop/v1/types.go")}


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(*command: str | Path, cwd: Path, **environ: str) -> tuple[int, str]:
    """The exit code and all output of a command, in an environment without the one that the tests have.

    A new environment keeps its bytecode, which each program would compile again. `test_wheel.py` compiles native code.
    """
    ours = {"PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "GIT_DIR", "GIT_INDEX_FILE"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**kept, "NO_COLOR": "1", "VALIDATION_GEN_BUILD": "pure", **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    return done.returncode, done.stdout


def git(directory: Path, *args: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    code, output = run("git", *who, *args, cwd=directory)
    assert code == 0, output
    return output


def needs(module: str) -> None:
    if importlib.util.find_spec("build") and importlib.util.find_spec(module):
        return
    reason = f"needs {module} of the extra `test`, and `build` as a sign that packages can be installed"
    if os.environ.get("VALIDATION_GEN_WHEEL_TEST") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is now, as a repository from which hooks and actions are fetched."""
    directory = tmp_path_factory.mktemp("clone") / "validation-gen"
    names = "validation_gen templates requirements hatch_build.py pyproject.toml README.md"
    names += " LICENSE action.yml .pre-commit-hooks.yaml"
    for name in names.split():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, directory / name)
    git(directory, "init", "--quiet")
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "all")
    git(directory, "tag", "v0.1.0")
    return directory


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The directory in which pre-commit installs the project, once for all hooks."""
    return str(tmp_path_factory.mktemp("environments"))


# --- pre-commit ------------------------------------------------------------------------------------------------------


def test_the_hooks_are_well_formed(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    manifest = ROOT / ".pre-commit-hooks.yaml"
    code, output = run(sys.executable, "-m", "pre_commit", "validate-manifest", manifest, cwd=tmp_path)
    assert code == 0, output
    hooks = {hook["id"]: hook for hook in yaml.safe_load(manifest.read_text(encoding="utf-8"))}
    assert {"validation-gen", "validation-gen-check", "validation-gen-lint"} == hooks.keys() - {VALIDATE}
    assert hooks.pop(VALIDATE)["args"] == ["-f"]  # the names of the files follow
    for hook in hooks.values():
        wanted = ["a.go", "a/b.py", "go.mod", "x/go.work", "pyproject.toml", "a/validation-gen.toml"]
        assert [name for name in wanted if not re.search(hook["files"], name)] == []
        assert not re.search(hook["files"], "README.md")
        assert hook["pass_filenames"] is False


@pytest.mark.slow
def test_the_hooks_in_a_repository(clone: Path, environments: str, tmp_path: Path) -> None:
    needs("pre_commit")
    project = tmp_path / "project"
    settings = FILES[".pre-commit-config.yaml"].replace("https://github.com/example/validation-gen", clone.as_posix())
    check = settings.replace("id: validation-gen ", "id: validation-gen-check ")
    lint = settings.replace("id: validation-gen ", "id: validation-gen-lint ")
    lint = lint.replace("[apis]", "[apis, --max-warnings=0]")
    write(project, {**API, ".pre-commit-config.yaml": settings, "check.yaml": check, "lint.yaml": lint})
    git(project, "init", "--quiet")
    git(project, "add", "--all")

    def hook(*more: str) -> tuple[int, str]:
        command = (sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never", *more)
        return run(*command, cwd=project, PRE_COMMIT_HOME=environments)

    code, output = hook("--config", "check.yaml")
    assert code == 1, output
    assert "missing" in output
    assert "generated/shop/v1.py" in output
    assert not (project / "generated").exists()

    code, output = hook()
    assert code == 0, output  # new files are nothing that git knows
    assert (project / "generated/shop/v1.py").is_file()
    git(project, "add", "--all")
    assert hook("--config", "check.yaml")[0] == 0

    write(project, {"apis/shop/v1/types.go": API["apis/shop/v1/types.go"].replace("=20", "=30")})
    git(project, "add", "--all")
    code, output = hook("--config", "check.yaml")
    assert code == 1, output
    assert "stale" in output
    assert "generated/shop/v1.py" in output
    code, output = hook()
    assert code == 1, output
    assert "files were modified by this hook" in output
    git(project, "add", "--all")
    assert hook()[0] == 0

    assert hook("--config", "lint.yaml")[0] == 0
    sound = (project / "apis/shop/v1/types.go").read_text(encoding="utf-8")
    write(project, {"apis/shop/v1/types.go": sound.replace("maxLength", "maxLenght")})
    code, output = hook("--config", "lint.yaml")
    assert code == 1, output
    assert "did you mean +k8s:maxLength?" in output
    write(project, {"apis/shop/v1/types.go": sound})

    write(project, {"README.md": "nothing\n"})
    git(project, "add", "--all")
    code, output = run(
        *(sys.executable, "-m", "pre_commit", "run", "--files", "README.md"),
        cwd=project,
        PRE_COMMIT_HOME=environments,
    )
    assert (code, "Skipped" in output) == (0, True), output


@pytest.mark.slow
def test_the_hook_for_manifests(clone: Path, environments: str, tmp_path: Path) -> None:
    needs("pre_commit")
    project = tmp_path / "project"
    config = CHANGES[".pre-commit-config.yaml"].replace("https://github.com/example/validation-gen", clone.as_posix())
    files = {name: text for name, text in CHANGES.items() if name.startswith(("crds/", "deploy/"))}
    write(project, {**files, "values.yaml": "a: {{ b }}\n"})
    git(project, "init", "--quiet")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "one")
    write(project, {".pre-commit-config.yaml": config})

    def hook() -> tuple[int, str]:
        git(project, "add", "--all")
        command = (sys.executable, "-m", "pre_commit", "run", "--color", "never")
        return run(*command, cwd=project, PRE_COMMIT_HOME=environments)

    code, output = hook()
    assert (code, "Skipped" in output) == (0, True), output
    write(
        project,
        {"deploy/south.yaml": files["deploy/south.yaml"].replace("{name: south}", "{name: south, labels: {a: b}}")},
    )
    code, output = hook()
    assert (code, "Passed" in output) == (0, True), output  # its levels were wrong before
    write(project, {"deploy/north.yaml": files["deploy/north.yaml"].replace("levels: 3", "levels: 10")})
    code, output = hook()
    assert code == 1, output
    assert 'deploy/north.yaml:1: The Shelf "north" is invalid: spec: Invalid value: too high' in output


# --- GitHub ----------------------------------------------------------------------------------------------------------


def action() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize(
    ("schema", "file"), [("actions", "action.yml"), ("workflows", "workflow.yml"), ("workflows", "changes.yml")]
)
def test_the_action_and_the_workflow_are_well_formed(schema: str, file: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema")
    write(tmp_path, {"action.yml": ACTION.read_text(encoding="utf-8")})
    write(tmp_path, {"workflow.yml": FILES[".github/workflows/validators.yml"]})
    write(tmp_path, {"changes.yml": CHANGES[".github/workflows/action.yml"]})
    arguments = ("--builtin-schema", f"vendor.github-{schema}", tmp_path / file)
    code, output = run(sys.executable, "-m", "check_jsonschema", *arguments, cwd=tmp_path)
    assert code == 0, output


def test_inputs_are_described_and_used() -> None:
    inputs = action()["inputs"]
    text = ACTION.read_text(encoding="utf-8")
    table = re.findall(r"^\| `([\w-]+)` \| (.+?) \|", GUIDE.read_text(encoding="utf-8"), re.M)
    assert [name for name, _ in table] == list(inputs)
    for name, default in table:
        assert default in (f"`{inputs[name]['default']}`", "the action's own version")
        assert inputs[name]["description"]
        assert f"inputs.{name}" in text
    (step,) = yaml.safe_load(FILES[".github/workflows/validators.yml"])["jobs"]["check"]["steps"][1:]
    assert step["with"].keys() <= inputs.keys()
    for step in action()["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an input in a script could be a command"


def run_step(name: str, cwd: Path, given: dict[str, str], action_path: Path, path: Path) -> tuple[int, str]:
    """A step of the action as the runner has it: inputs in their places, the script by bash."""
    inputs = {each: str(about["default"]) for each, about in action()["inputs"].items()} | given
    (step,) = [step for step in action()["runs"]["steps"] if step["name"] == name]

    def value(match: re.Match[str]) -> str:
        for operand in match[1].split(" || "):
            found = str(action_path) if operand == "github.action_path" else inputs[operand.removeprefix("inputs.")]
            if found:
                return found
        return ""

    environ = {each: re.sub(r"\$\{\{ (.*?) \}\}", value, text) for each, text in step["env"].items()}
    where = cwd / re.sub(r"\$\{\{ (.*?) \}\}", value, step.get("working-directory", "."))
    options = ("--noprofile", "--norc", "-eo", "pipefail", "-c")  # those of `shell: bash`
    return run("bash", *options, step["run"], cwd=where, PATH=f"{path}{os.pathsep}{os.environ['PATH']}", **environ)


@pytest.mark.thorough
def test_the_steps_of_the_action(clone: Path, tmp_path: Path) -> None:
    needs("yaml")
    path = create_environment(tmp_path / "venv")
    project = tmp_path / "a project"
    write(project, {f"sub/{name}": text for name, text in API.items()})

    def step(name: str, **given: str) -> tuple[int, str]:
        return run_step(name, project, {key.replace("_", "-"): text for key, text in given.items()}, clone, path)

    code, output = step("Install validation-gen")
    assert code == 0, output
    code, output = run(path / "python", "-m", "pip", "freeze", "--exclude", "validation-gen", cwd=tmp_path)
    assert code == 0, output
    locks = "".join((ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8") for lock in ("run", "build"))
    installed = [line.lower().replace("_", "-") for line in output.splitlines() if "==" in line]
    assert [line for line in installed if line not in locks] == []
    assert len(installed) > 20
    code, output = step("Run validation-gen", args="apis --check", working_directory="sub")
    assert code == 1, output
    assert "::error file=generated/shop/v1.py,title=VG801::" in output
    known = {"working_directory": "sub", "format": "concise"}
    code, output = step("Run validation-gen", args="apis --check", **known)
    assert code == 1, output
    assert "missing" in output
    assert "generated/shop/v1.py" in output
    code, output = step("Run validation-gen", args="apis\n--output-dir\n  generated\n", **known)
    assert (code, "3 files written" in output) == (0, True), output
    code, output = step("Run validation-gen", args="apis --check", **known)
    assert (code, "3 files up to date" in output) == (0, True), output
    code, output = step("Run validation-gen", command="explain", args="maxLength", format="")
    assert (code, "maxLength" in output) == (0, True), output
    write(project, {name: text for name, text in CHANGES.items() if name.startswith(("crds/", "deploy/"))})
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "one")):
        git(project, *words)
    write(project, {"deploy/north.yaml": CHANGES["deploy/north.yaml"].replace("levels: 3", "levels: 10")})
    (job,) = yaml.safe_load(CHANGES[".github/workflows/action.yml"])["jobs"].values()
    given = job["steps"][1]["with"]
    assert "${{ github.base_ref }}" in given["args"]
    code, output = step("Run validation-gen", **{**given, "args": given["args"].split(" origin/")[0] + " HEAD"})
    assert code == 1, output
    assert "::error file=deploy/north.yaml,line=4," in output
    assert "south" not in output
    code, output = step("Run validation-gen", args='apis "$(touch here)" `touch here`; touch here', **known)
    assert code == 2, output
    assert not list(tmp_path.rglob("here"))


# --- Bazel -----------------------------------------------------------------------------------------------------------


def test_the_rule_for_bazel(tmp_path: Path) -> None:
    starlark = pytest.importorskip("starlark")
    text = FILES["BUILD.bazel"]
    tree = starlark.parse("BUILD.bazel", text)
    module = starlark.Module()
    calls: dict[str, dict[str, Any]] = {}

    def rule(**attributes: Any) -> None:
        calls[attributes["name"]] = attributes

    body = re.sub(r"^load\(.*\)\n", "", text, flags=re.M)
    for name in ("py_console_script_binary", "genrule"):
        module.add_callable(name, rule)
    module.add_callable("glob", lambda patterns: [f"glob {pattern}" for pattern in patterns])
    assert tree is not None
    starlark.eval(module, starlark.parse("BUILD.bazel", body), starlark.Globals.standard())
    rule_ = calls["validators"]
    assert rule_["tools"] == [":validation_gen"]
    assert set(calls) == {"validation_gen", "validators"}

    write(tmp_path / "workspace", API)
    sandbox = tmp_path / "sandbox"
    for source in rule_["srcs"]:
        pattern = source.removeprefix("glob ")
        for file in (tmp_path / "workspace").glob(pattern):
            link = sandbox / file.relative_to(tmp_path / "workspace")
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(file)
    command = rule_["cmd"].replace("$(execpath :validation_gen)", f"{sys.executable} -m validation_gen")
    command = command.replace("$(RULEDIR)", "bazel-out/bin")
    assert "$(" not in command
    code, output = run("bash", "-c", command, cwd=sandbox, PYTHONPATH=str(ROOT))
    assert code == 0, output
    out = sandbox / "bazel-out/bin"
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*.py")) == sorted(rule_["outs"])
    code, output = run(
        *(sys.executable, "-m", "validation_gen", "apis", "--no-cache"),
        cwd=tmp_path / "workspace",
        PYTHONPATH=str(ROOT),
    )
    assert code == 0, output
    for name in rule_["outs"]:
        assert (out / name).read_bytes() == (tmp_path / "workspace" / name).read_bytes()
