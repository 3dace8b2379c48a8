"""Pipes and devices where files are wanted: left out or refused, and never waited for.

All roles are tried in one process, which has a deadline: whoever waits for a pipe is named by what it has not finished.
"""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import validation_gen
from tests.cli.conftest import API, Program
from validation_gen.files import reading

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")

#: Where a pipe stands, and the command that could wait for it. `P` is a pipe.
COMMANDS = {
    "manifest": "validate apis -f P",
    "old manifest": "validate apis -f one.yaml --old P",
    "manifests in a directory": "validate apis -f manifests",
    "definition": "crd lint P",
    "definitions by pattern": "crd lint manifests/*.yaml",
    "sources": "generate P --output-dir out",
    "sources of Go": "generate pipe.go --output-dir out",
    "sources of Python": "generate pipe.py --output-dir out",
    "go.mod": "generate gomod --output-dir out",
    "go.work": "generate gowork --output-dir out",
    "modules.txt": "generate vendored --output-dir out",
    "types.go": "generate types --output-dir out",
    "Python module": "generate python --output-dir out",
    "custom validations": "generate apis --output-dir out --custom-validations pipe.py",
    "configuration": "generate apis --config P",
    "configuration to show": "config show --config P",
    "module": "generate apis --output-dir out --module example.com/x=P",
    "patches of schemas": "crd generate apis --patch-schemas manifests",
    "older state": "breaking apis --against P",
    "older state with pipes": "breaking apis --against old",
    "lint": "lint types",
    "fix": "lint --fix types",
    "coverage": "coverage apis --tests P",
    "allowances": "coverage apis --tests results.json --allow P",
    "objects": "compare apis --handwritten python:checks.py:check -f P",
    "objects in a directory": "compare apis --handwritten python:checks.py:check -f manifests",
    "old objects": "compare apis --handwritten python:checks.py:check -f one.yaml --old P",
    "expected": "compare apis --handwritten python:checks.py:check -f one.yaml --expected P",
    "state": "compare apis --handwritten python:checks.py:check -f one.yaml --resume P",
    "report": "compare apis --handwritten python:checks.py:check -f one.yaml --report P",
    "history": "compare apis --handwritten python:checks.py:check -f one.yaml --history P",
    "metrics": "compare apis --handwritten python:checks.py:check -f one.yaml --metrics-file pipe.prom",
    "regressions": "compare apis --handwritten python:checks.py:check -f one.yaml --cases manifests",
    "handwritten": "compare apis --handwritten python:pipe.py:check -f one.yaml",
    "init": "config init python",
    "init beside a pipe": "config init types",
    "convert": "convert types --to python --output-dir out",
    "schemas": "openapi types --output-dir out",
}

#: The same for what is written; pipes stand where our own files would.
OUTPUTS = {
    "check": "generate apis --check --output-dir taken",
    "output file": "generate apis --output-dir taken",
    "output directory": "generate apis --output-dir P",
    "definitions": "crd generate apis --output-dir taken",
    "JSON schemas": "jsonschema apis --output-dir taken",
}

RUNNER = """
import io, json, os, sys, contextlib
from validation_gen.cli.main import run as main
from validation_gen.files import reading
reading.PATIENCE = 0.1
commands = json.loads(sys.argv[1])
# Run with one process: all of it together has one deadline, and what is begun is told before it is.
for name, line in commands.items():
    print(name, file=sys.__stderr__, flush=True)
    words = line.split()
    sys.argv = ["validation-gen", *words]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code
    out.flush(), err.flush()
    said = (out.buffer.getvalue() + err.buffer.getvalue()).decode(errors="replace")
    print(json.dumps([name, code, said]), flush=True)
"""


def _pipes(program: Program) -> None:
    program.write(API)
    source = API["apis/things/v1/types.go"]
    for place in ("gomod", "gowork", "vendored", "types", "old/apis/things/v1", "old"):
        program.write({f"{place}/v1/types.go": source, f"{place}/v1/doc.go": "package v1\n"})
    program.write({"vendored/go.mod": "module example.com/v\n", "python/robots.py": "# +k8s:validation-gen\n"})
    program.write(
        {"one.yaml": "apiVersion: example.com/v1\nkind: Thing\n", "checks.py": "def check(request):\n    return []\n"}
    )
    program.write(
        {"results.json": '{"kind": "Thing", "errors": []}\n', "taken/other.txt": "", "manifests/a.yaml": "a: 1\n"}
    )
    for name in (
        "P pipe.go pipe.py pipe.prom gomod/go.mod gowork/go.work vendored/vendor/modules.txt types/v1/pipe.go "
        "types/v1/x.py types/pyproject.toml types/go.mod python/pipe.py python/__init__.py manifests/pipe.yaml "
        "manifests/pipe.json old/go.mod old/apis/things/v1/pipe.go old/apis/things/v1/types2.go taken/__init__.py "
        "taken/thing.py taken/example.com_things.yaml taken/schemas/example.com/thing_v1.json"
    ).split():
        path = program.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)


def _run(program: Program, commands: dict[str, str]) -> dict[str, tuple[int, str]]:
    """The exit code and the text of each command. Nobody has waited, and every command was one."""
    _pipes(program)
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, json.dumps(commands)],
        cwd=program.directory,
        env=program.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            _, err = process.communicate()
            pytest.fail(f"this waits for a pipe: {err.splitlines()[-1:]}")
    answers = {name: (code, said) for name, code, said in map(json.loads, out.splitlines())}
    assert list(answers) == list(commands), err
    for name, (_, said) in answers.items():
        assert "Traceback" not in said, f"{name}: {said}"
        assert "Missing option" not in said, f"{name}: {said}"
        assert "No such option" not in said, f"{name}: {said}"
    return answers


@pytest.mark.process
def test_no_command_waits_for_a_pipe(program: Program) -> None:
    answers = _run(program, COMMANDS)
    for name in (
        "manifest|old manifest|definition|configuration|configuration to show|custom validations|sources of Python|"
        "coverage|allowances|objects|old objects|expected|state"
    ).split("|"):
        code, said = answers[name]
        assert code, f"{name}: {said}"
        assert "it is a pipe, and " in said, f"{name}: {said}"
    for name in ("sources", "module", "report", "history", "metrics", "handwritten", "older state"):
        code, said = answers[name]
        assert code, f"{name}: {said}"
    assert all(path.is_fifo() for path in map(program.directory.joinpath, ("P", "pipe.prom")))


@pytest.mark.process
def test_no_command_waits_for_a_pipe_in_its_output(program: Program) -> None:
    answers = _run(program, OUTPUTS)
    for name, (code, said) in answers.items():
        assert code, f"{name}: {said}"
    assert all(path.is_fifo() for path in map(program.directory.joinpath, ("P", "taken/__init__.py")))


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/random", "/dev/tty"])
def test_devices_are_refused_with_words(device: str) -> None:
    if not Path(device).exists():
        pytest.skip("there is no such device")
    for read in (reading.read, reading.read_named, reading.open_argument):
        with pytest.raises(OSError, match="it is a device, and only ordinary files are read"):
            read(device)


@pytest.mark.process
def test_standard_input_that_never_ends(project: Program) -> None:
    """As a name, and as what it is: read as far as a limit, which is told."""
    for argument in ("-", "/dev/stdin"):
        command = [*project.command("validate", "apis", "-f", argument)]
        with Path("/dev/zero").open("rb") as zeros:
            done = subprocess.run(
                command, stdin=zeros, capture_output=True, text=True, env=project.environ(), timeout=300, check=False
            )
        assert "it holds more than 256 MiB, the most that is read" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_what_the_shell_has_opened_is_read(project: Program) -> None:
    """`<(command)` is a name of a pipe that somebody writes to."""
    reader, writer = os.pipe()
    os.write(writer, b"apiVersion: example.com/v1\nkind: Thing\nspec: {name: far too long}\n")
    os.close(writer)
    assert b"far too long" in reading.read_named(f"/dev/fd/{reader}")
    os.close(reader)
    assert reading.read_named(os.devnull) == b""
    assert (project.directory / "go.mod").read_bytes() == reading.read_named(project.directory / "go.mod")


def test_a_pipe_that_is_named_gets_some_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(reading, "PATIENCE", 0.1)
    with pytest.raises(OSError, match="it is a pipe, and no data came within"):
        reading.read_named(pipe)
    with pytest.raises(OSError, match="only ordinary files are read"):
        reading.read(pipe)
    silent = os.open(pipe, os.O_RDWR)  # somebody who may write later

    def write() -> None:
        os.write(silent, b"late")
        os.close(silent)

    threading.Timer(0.5, write).start()
    assert reading.read_named(pipe) == b"late"


def test_limits_and_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)
    assert reading.read(file, 10) == b"x" * 10
    with pytest.raises(OSError, match="more than 9 bytes"):
        reading.read(file, 9)
    (tmp_path / "link").symlink_to("file")
    assert reading.read(tmp_path / "link") == b"x" * 10
    with pytest.raises(IsADirectoryError):
        reading.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        reading.read(tmp_path / "missing")
    with pytest.raises(ValueError, match="null"):
        reading.read("a\0b")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket")
        with pytest.raises(OSError, match="it is a socket"):
            reading.read("socket")
    with file.open("wb") as sparse:
        sparse.truncate(10 * 2**30)
    with pytest.raises(OSError, match="more than 64 MiB"):
        reading.read(file)


def test_files_that_hold_more_than_they_say() -> None:
    """Such as those of the system, which say that they hold nothing."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the system has no such files")
    assert b"Name:" in reading.read("/proc/self/status")
    with pytest.raises(OSError, match="more than 8 bytes"):
        reading.read("/proc/self/status", 8)


# --- nobody opens files elsewhere -------------------------------------------------------------------------------------

_OPENS = {"read_bytes", "read_text", "open", "fdopen", "FileIO"}
#: Who opens files himself, and why that is no way to wait.
ALLOWED = {
    "audit.py": "appends to the log of a server, and waits for no reader",
    "__main__.py": "writes our own documentation",
    "checkpoint.py": "opens a state of its own in a store, by fsspec",
    "cache.py": "the cache, behind a look at what it is",
    "fixtures.py": "runs in tests of programs, on their own files",
    "history.py": "writes, behind a look at what it is",
    "init.py": "writes a new file, or one that was read before",
    "main.py": "the null device",
    "root.py": "the writer, behind a look at what it is",
    "owned.py": "the writer, behind a look at what it is",
    "trust.py": "writes a new file",
    "opening.py": "opens objects of stores, by fsspec",
    "parser.py": "opens grammars",
    "reading.py": "the one place",
    "pairing.py": "opens files of its own in a store, by fsspec",
    "stores.py": "a temporary file of its own",
    "syntax.py": "a function of our own",
    "terminal.py": "writes, behind a look at what it is",
    "wellknown.py": "reads the program itself",
    "codes.py": "reads the program itself",
    "tags.py": "reads the program itself",
    "vendoring.py": "reads the program itself",
    "errors.py": "reads the program itself",
    "worker.py": "reads what this run has written",
    "finder.py": "a function of our own",
    "running.py": "writes the kubeconfig and the key of a server, for its owner alone",
}
_NO_FILES = {
    "side.open",
    "self.side().open",
    "Root.open",
    "self.open",
    "FunctionSide(self.name).open",
    "webbrowser.open",
    "Lark.open",
    "self._client.open",
}


def test_readers_open_files_in_one_place() -> None:
    package = Path(validation_gen.__file__).parent
    found = []
    for file in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            called = ast.unparse(node.func)
            own = called in _NO_FILES or called.startswith("Path(__file__).")  # the program itself
            if name in _OPENS and not own and file.name not in ALLOWED:
                found.append(f"{file.relative_to(package).as_posix()}:{node.lineno} {called}")
    assert found == [], "ask validation_gen.files.reading"
