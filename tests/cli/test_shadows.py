"""What lies in the current directory is never imported: neither by a command nor by a process that it starts.

The directory has a module under each name of Python's library, of this program and of all that is installed, and
settings of tools that would run code. Each leaves a trace when it is run.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.cli.comparing import Comparison, box
from tests.cli.conftest import HOME, Program

#: Settings and metadata of other tools, by which these would run a module `evil`.
SETTINGS = {
    "mypy.ini": "[mypy]\nplugins = evil\n",
    "setup.cfg": "[mypy]\nplugins = evil\n[global]\ncommand_packages = evil\n[tool:pytest]\naddopts = -p evil\n",
    "setup.py": "import evil\n",
    "conftest.py": "import evil\n",
    "pyproject.toml": '[tool.mypy]\nplugins = ["evil"]\n[tool.black]\nline-length = "evil"\n',
    "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
    "evil-1.0.dist-info/entry_points.txt": "[distutils.setup_keywords]\nevil = evil:evil\n"
    "[distutils.commands]\nbuild_ext = evil:evil\n[setuptools.finalize_distribution_options]\nevil = evil:evil\n"
    "[hypothesis]\nevil = evil\n[console_scripts]\nvalidation-gen = evil:evil\n",
}

#: The script of an installed program, but that it runs many commands, one after the other.
SCRIPT = """
import json, os, signal, sys, threading, time
from validation_gen.cli.main import run

def interrupt():
    while not os.path.exists("watched/__init__.py"):
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

def main():
    codes = []
    with open(sys.argv[1]) as file:
        commands = json.load(file)
    for command in commands:
        print("$", *command, file=sys.stderr)
        sys.argv[1:] = command
        if "--watch" in command:
            threading.Thread(target=interrupt, daemon=True).start()
        try:
            run()
        except SystemExit as end:
            codes.append([command, end.code or 0])
    print("\\n" + json.dumps(codes))

if __name__ == "__main__":
    main()
"""

#: A handwritten program that finds nothing wrong.
ANSWERS = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "errors": []}), flush=True)
"""

COMMANDS = [
    *(["generate", "apis"], ["check", "apis"], ["lint", "apis"], ["lint", "apis", "--fix", "--diff"]),
    ["generate", "apis", "-o", "wired", "--emit", "harness", "--config", "settings.toml", "--trust"],
    ["generate", "apis", "-o", "watched", "--watch"],
    ["validate", "apis", "-f", "objects.jsonl", "--custom-validations", "customs.py"],
    *(["webhook", "stdio", "apis"], ["coverage", "apis", "--tests", "tests.jsonl"], ["explain", "maxLength"]),
    ["explain", "apis", "-f", "objects.jsonl"],
    ["compare", "apis", "--handwritten", "python:hand.py:agrees", "-f", "objects.jsonl", "--jobs", "2"],
    ["compare", "apis", "--handwritten", "python:hand:agrees", "--fuzz", "20", "--report", "report.html"],
    ["compare", "apis", "--handwritten", "exec:hand", "-f", "objects.jsonl", "--format", "sarif"],
    *(["convert", "apis", "--to", "python"], ["breaking", "apis", "--against", "apis"], ["openapi", "apis"]),
    *(
        ["jsonschema", "apis"],
        ["crd", "apis"],
        ["crd", "lint", "crds"],
        ["generate", "apis", "--emit", "monitoring"],
        ["config", "show"],
    ),
    *(["config", "init", "--dry-run"], ["config", "trust", "--list"], ["--version"], ["--help"]),
]


@pytest.fixture
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory for traces, and for what is not in the hostile one."""
    place = tmp_path_factory.mktemp("beside")
    (place / "traces").mkdir()
    return place


@pytest.fixture
def hostile(comparison: Comparison, beside: Path) -> Iterator[Program]:
    """A directory with a module for each name, and a small API."""
    program = comparison.program
    program.write(SETTINGS)
    yield program
    assert sorted(each.name for each in (beside / "traces").iterdir()) == []


def shadow(program: Program, beside: Path, without: Iterable[str] = ()) -> None:
    names = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions(), "sitecustomize", "usercustomize"}
    ours = {path.stem for path in (HOME / "validation_gen").iterdir()} | {"validation_gen", "evil", "tests"}
    for name in (names | ours) - {*without}:
        if name.isidentifier() and name not in {"__init__", "__main__"}:
            trace = str(beside / "traces" / name)
            (program.directory / f"{name}.py").write_text(f"open({trace!r}, 'w').close()\n")


@pytest.mark.process
def test_no_command_imports_from_the_current_directory(hostile: Program, beside: Path, comparison: Comparison) -> None:
    comparison.objects([box(i, size=i) for i in range(20)])
    shadow(hostile, beside)
    program = hostile.directory / "hand"
    program.write_text(f"#!{sys.executable} -I\n{ANSWERS}")
    program.chmod(0o755)
    customs = (
        "from validation_gen.runtime.errors import FieldError\ndef ValidateCustom_Box(value, old, op):\n    return []\n"
    )
    hostile.write(
        {
            "customs.py": customs,
            "tests.jsonl": "",
            "settings.toml": '[handwritten]\nBox = "hand:agrees"\n',
            "commands.json": json.dumps(COMMANDS),
        }
    )
    script = beside / "bin" / "validation-gen"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, "commands.json"],
        cwd=hostile.directory,
        env=hostile.environ({"PATH": f"{hostile.directory}{os.pathsep}{os.environ['PATH']}"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    codes = json.loads(done.stdout.splitlines()[-1])
    wrong = [command for command, code in codes if code not in (0, 1, 130)]
    assert wrong == [], done.stderr
    assert len(codes) == len(json.loads(Path(hostile.directory, "commands.json").read_text()))


@pytest.mark.process
def test_the_module_that_is_run_forgets_the_current_directory(hostile: Program, beside: Path) -> None:
    # What Python imports for `-m` it has imported before any line of ours.
    asked = "import json, pkgutil, runpy, sys; print(json.dumps([*sys.modules]))"
    early = json.loads(subprocess.check_output([sys.executable, "-c", asked], cwd=HOME))
    shadow(hostile, beside, {*early, "validation_gen", "sitecustomize", "usercustomize"})
    assert hostile("generate", "apis").code == 0
    assert "__init__.py" in hostile.files("generated")
    # An empty part of PYTHONPATH is there when Python starts, and goes with the first thing that we do.
    for name in ("__future__", "contextlib", "gc", "io"):
        (hostile.directory / f"{name}.py").unlink(missing_ok=True)
    assert hostile("check", "apis", PYTHONPATH=f"{os.pathsep}{HOME}").code == 0


def test_handwritten_code_imports_what_lies_beside_it(comparison: Comparison) -> None:
    files = {
        "hand/own.py": "import lazy_beside, beside, types\nassert types.ModuleType\n"
        "def check(obj, old, op):\n    import later\n    return later.errors\n",
        "hand/beside.py": "",
        "hand/lazy_beside.py": "",
        "hand/later.py": "errors = []\n",
        "hand/types.py": "raise RuntimeError\n",
    }
    comparison.program.write(files)
    comparison.objects([box(i, size=i) for i in range(5)])
    done = comparison("python:hand/own.py:check", "-f", "objects.jsonl")
    assert done.code == 0, done
