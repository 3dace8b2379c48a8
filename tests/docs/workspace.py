"""The directory in which the blocks of one document run, and how each sort of block is run."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import program
from tests.docs.blocks import ROOT, Block
from tests.docs.installs import check_install, installs
from tests.docs.pipelines import commands_of, commands_of_part, is_pipeline

_PROGRAM = "validation-gen"
#: Characters that have a meaning for a shell outside of quotes, or within them.
_OF_SHELLS = frozenset("|&;<>()$`\\*?[#~{!\n")
#: The folders of `testdata` that a block names.
_TESTDATA = r"\btestdata/([\w-]+)"
_BYTECODE = shutil.ignore_patterns("__pycache__")
_STOPPED = "  # until Ctrl-C"


@dataclass(slots=True)
class Workspace:
    """The directory in which the blocks of one document run.

    Programs are those of the environment in which the tests run, or those in `scripts`. Then what installs is run, too,
    unless `installed` contains the command: earlier documents ran it in the same environment.
    """

    directory: Path
    scripts: Path | None = None
    installed: set[str] = field(default_factory=set)
    names: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def at(
        cls, path: Path, document: list[Block], scripts: Path | None = None, installed: set[str] | None = None
    ) -> Workspace:
        directory = path / "work"
        directory.mkdir()
        for name in {found for block in document for found in re.findall(_TESTDATA, f"{block.text}{block.marks}")}:
            shutil.copytree(ROOT / "testdata" / name, directory / "testdata" / name, ignore=_BYTECODE)
        if scripts:
            return cls(directory, scripts, set() if installed is None else installed)
        script = path / "bin" / "validation-gen"
        script.parent.mkdir()
        workspace = cls(directory)
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m validation_gen "$@"\n')
        script.chmod(0o755)
        return workspace

    def run(self, command: str, given: str = "", within: Path | None = None) -> tuple[int, str]:
        """The exit code and all output of a shell command. Plain words of ours run in this process."""
        directory, output = within or self.directory, ""
        parts = command.split(" && ")
        if self.scripts or not all(map(_is_plain, parts)):
            return self._run(command, given, directory)
        for part in parts:
            if len(parts) > 1 and part.startswith("cd "):
                directory /= shlex.split(part)[1]
                continue
            code, more = self._run(part, given, directory)
            output += more
            if code != 0:
                break
        return code, output

    def _run(self, command: str, given: str, directory: Path) -> tuple[int, str]:
        if not self.scripts and command.partition(" ")[0] == _PROGRAM and _is_plain(command):
            ended = program.run(shlex.split(command)[1:], given.encode(), directory, self._environ(), together=True)
            return ended.returncode, ended.stdout.decode()
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=directory,
            env=self._environ(),
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600 if self.scripts else 120,
            check=False,
        )
        return done.returncode, done.stdout

    def _environ(self) -> dict[str, str]:
        bins = [self.scripts] if self.scripts else [self.directory.parent / "bin", Path(sys.executable).parent]
        path = os.pathsep.join([*map(str, bins), os.environ.get("PATH", "")])
        ours = {"PATH": path, "PYTHONPATH": "" if self.scripts else str(ROOT), "NO_COLOR": "1", "COLUMNS": "120"}
        # Readers do not have pytest-asyncio, which warns where it is not configured.
        ours["PYTEST_ADDOPTS"] = "-p no:asyncio"
        environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | ours
        if self.scripts:  # a new environment has no bytecode yet, which each program would compile again
            environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return environ

    def do(self, block: Block) -> None:
        """Does what a block shows; fails when something else happens."""
        if "run" in block.marks:
            self._succeed(block.marks["run"])
        if "not-run" in block.marks or ("needs" in block.marks and not self._has(block.marks["needs"])):
            return
        if "file" in block.marks:
            self._write(block.marks["file"], block.text)
            if "tried-by" not in block.marks:
                commands = commands_of(block.marks["file"], block.text)
                assert commands or not is_pipeline(block.marks["file"]), "it runs nothing"
                self._each(commands)
        elif "steps" in block.marks:
            self._each(commands_of_part(block.text))
        elif "session" in block.marks:
            self._protocol(block)
        elif block.language == "console":
            self._console(block)
        elif block.language == "sh":
            self._commands(block)
        elif block.language == "pycon":
            self._session(block)
        elif block.language == "python":
            code, output = self.run(f"python -W error - <<'END'\n{block.text}END")
            assert code == 0, output

    def _has(self, program: str) -> bool:
        return self.run(f"command -v {program}")[0] == 0

    def _write(self, path: str, text: str) -> None:
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def _each(self, commands: list[str]) -> None:
        for command in commands:
            self._command(command)

    def _succeed(self, command: str, within: Path | None = None) -> None:
        code, output = self.run(command, within=within)
        assert code == 0, f"$ {command}\n{output}"

    def _commands(self, block: Block) -> None:
        for line in block.text.replace("\\\n", "").splitlines():
            for command in line.split(" && "):
                self._command(command)

    def _command(self, command: str) -> None:
        if installs(command):
            check_install(command)
            if self.scripts and command not in self.installed:
                self._succeed(f"{command} --quiet --disable-pip-version-check", ROOT)
                self.installed.add(command)
        elif not command.startswith(("python -m pytest", "python -m venv ", ". ")):
            self._succeed(command)

    def _console(self, block: Block) -> None:
        assert block.text.startswith("$ "), f"line {block.line}: a command begins with `$ `"
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            line, _, wanted = part.replace("\\\n", "").partition("\n")
            command, _, code = line.partition("  # exit code ")
            if code == "" and command.endswith(_STOPPED):
                result, code = self._stopped(command.removesuffix(_STOPPED), wanted), "130"
            else:
                result = self.run(command)
            if not re.fullmatch(_pattern(wanted), result[1]):
                raise AssertionError(f"$ {command}\n{result[1]}\nwanted:\n{wanted}")
            assert result[0] == int(code or 0), f"$ {command}"

    def _stopped(self, command: str, wanted: str) -> tuple[int, str]:
        """Interrupts a command when it has said what is wanted, or after some seconds."""
        file = self.directory.parent / "said"
        with (
            file.open("wb") as said,
            subprocess.Popen(
                ["bash", "-euo", "pipefail", "-c", f"exec {command}"],
                cwd=self.directory,
                env=self._environ(),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            deadline = time.monotonic() + 60
            while not re.fullmatch(_pattern(wanted), file.read_text(encoding="utf-8")) and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
        return process.returncode, file.read_text(encoding="utf-8")

    def _session(self, block: Block) -> None:
        if self.scripts:
            (self.directory / ".session").write_text(block.text, encoding="utf-8")
            self._succeed("python -m doctest .session && rm .session")
            return
        test = doctest.DocTestParser().get_doctest(block.text, self.names, "example", None, block.line)
        said = io.StringIO()
        with self._importing():
            result = doctest.DocTestRunner(verbose=False).run(test, out=said.write, clear_globs=False)
        assert result.attempted
        assert not result.failed, said.getvalue()
        self.names = test.globs

    @contextlib.contextmanager
    def _importing(self) -> Iterator[None]:
        """Makes packages of the directory importable, as their files are now, and leaves no trace of them."""
        cwd, path, modules, writes = Path.cwd(), list(sys.path), set(sys.modules), sys.dont_write_bytecode
        os.chdir(self.directory)
        sys.path.insert(0, str(self.directory))
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        try:
            yield
        finally:
            os.chdir(cwd)
            sys.path[:] = path
            sys.dont_write_bytecode = writes
            for name in set(sys.modules) - modules:
                module = sys.modules[name]
                places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
                if any(place and Path(place).is_relative_to(self.directory) for place in places):
                    del sys.modules[name]

    def _protocol(self, block: Block) -> None:
        """Requests are sent as they stand; of answers all that JSON says must be the same, order of names included."""
        lines = re.sub(r"\n +", " ", block.text).splitlines()
        requests = [line[2:] for line in lines if line.startswith("> ")]
        wanted = [line[2:] for line in lines if line.startswith("< ")]
        assert len(requests) + len(wanted) == len(lines)
        code, output = self.run(block.marks["session"], "".join(f"{line}\n" for line in requests))
        assert (code, output.isascii()) == (0, True), output
        assert [_ordered(line) for line in output.splitlines()] == [_ordered(line) for line in wanted]


def _is_plain(command: str) -> bool:
    """Returns whether a shell would only split a command into words."""
    return not set(re.sub(r"'[^']*'", "", command)) & _OF_SHELLS


def _pattern(wanted: str) -> str:
    lines = wanted.split("\n")
    return "\n".join(r"[\s\S]*" if line == "…" else re.escape(line).replace("…", ".*") for line in lines)


def _ordered(line: str) -> object:
    """JSON with the names of its objects in order."""
    return json.loads(line, object_pairs_hook=list)
