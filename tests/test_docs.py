"""What README.md and docs/ say is tried: every command, example, session, table, link, tag and option.

Blocks of a document run in their order and in one directory, which holds a copy of `testdata`. How a block is meant is
told by its language and by comments right above it:

- `console`: lines that begin with `$` are run, what follows is their output. `…` stands for any text, alone on a line
  for any lines. `# exit code 1` behind a command says how it ends, otherwise it must succeed. A command goes on in the
  next line behind a backslash.
- `sh`: commands without their output. Those that install or test the project are left to `.ci/run`.
- `pycon`: a Python session; names stay for the next one. `python`: a program.
- `<!-- file: PATH -->`: the block is written to a file. `<!-- run: COMMAND -->`: a command that is run before it.
- `<!-- session: COMMAND -->`: what goes into a program (`>`) and comes out of it (`<`), one JSON object each.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.metadata
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer.main

from validation_gen.cli import terminal
from validation_gen.cli.app import app
from validation_gen.explain.__main__ import main as write
from validation_gen.explain.documents import pages, releases
from validation_gen.explain.vocabulary import vocabulary
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.spelling import former_names

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
#: Written by `make docs`. Their examples are tried in tests/explain; the keys have none, and are tried in tests/config.
KEYS = ROOT / "docs" / "configuration-keys.md"
GENERATED = [*(ROOT / "docs" / name for name in pages()), KEYS]
DOCUMENTS = [README, *(path for path in sorted((ROOT / "docs").glob("*.md")) if path not in GENERATED)]
#: These describe how to work on the project; their commands are what `make` and `.ci/run` run.
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "testdata").glob("*/README.md"))]

TEST_COMMAND = 'python -m pip install -e ".[test]" && python -m pytest'
#: Wrong on purpose, or tags of other generators.
FOREIGN_TAGS = {"declarativeValidationNative", "deepcopy-gen", "maxLenght", "nope", "openapi-gen", "validation"}
#: Options of other programs.
FOREIGN_OPTIONS = {"--no-deps", "--update"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
each_text = pytest.mark.parametrize("document", [*DOCUMENTS, *GENERATED, *OTHERS], ids=_name)
each_page = pytest.mark.parametrize("document", [*DOCUMENTS, *GENERATED], ids=_name)


# --- blocks ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document. `marks` are the comments above it by their first word."""

    language: str
    text: str
    line: int
    marks: dict[str, str]


_COMMENT = re.compile(r"<!-- ([\w-]+)(?:: (.*))? -->")


def blocks(document: Path) -> list[Block]:
    found = []
    marks: dict[str, str] = {}
    lines = iter(enumerate(document.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        comment = _COMMENT.fullmatch(line)
        if comment:
            marks[comment[1]] = comment[2] or ""
        elif line.startswith("```"):
            inside = []
            for _, text in lines:
                if text == "```":
                    break
                inside.append(text)
            found.append(Block(line[3:], "\n".join(inside) + "\n", number + 1, marks))
            marks = {}
        else:
            marks = {}
    return found


def between(document: Path, mark: str) -> str:
    """What stands between two comments `<!-- mark -->` and `<!-- /mark -->` on lines of their own."""
    match = re.search(rf"^<!-- {mark} -->\n(.*?)^<!-- /{mark} -->$", document.read_text(encoding="utf-8"), re.S | re.M)
    assert match, f"{document.name} has no <!-- {mark} --> and <!-- /{mark} -->"
    return match[1]


# --- running them ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Workspace:
    """The directory in which the blocks of one document run."""

    directory: Path
    names: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def at(cls, path: Path) -> Workspace:
        directory = path / "work"
        shutil.copytree(ROOT / "testdata", directory / "testdata", ignore=shutil.ignore_patterns("__pycache__"))
        script = path / "bin" / "validation-gen"
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m validation_gen "$@"\n')
        script.chmod(0o755)
        return cls(directory)

    def run(self, command: str, given: str = "") -> tuple[int, str]:
        """The exit code and all output of a shell command."""
        path = [str(self.directory.parent / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
        ours = {"PATH": os.pathsep.join(path), "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "120"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self.directory,
            env=os.environ | ours,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout

    def do(self, block: Block) -> None:
        """Does what a block shows; fails when something else happens."""
        if "run" in block.marks:
            self._succeed(block.marks["run"])
        if "file" in block.marks:
            file = self.directory / block.marks["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
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

    def _succeed(self, command: str) -> None:
        code, output = self.run(command)
        assert code == 0, f"$ {command}\n{output}"

    def _commands(self, block: Block) -> None:
        for line in block.text.splitlines():
            for command in line.split(" && "):
                if command and not command.startswith(("python -m pip ", "python -m pytest")):
                    self._succeed(command)

    def _console(self, block: Block) -> None:
        assert block.text.startswith("$ "), f"line {block.line}: a command begins with `$ `"
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            line, _, wanted = part.replace("\\\n", "").partition("\n")
            command, _, code = line.partition("  # exit code ")
            result = self.run(command)
            if not re.fullmatch(_pattern(wanted), result[1]):
                raise AssertionError(f"$ {command}\n{result[1]}\nwanted:\n{wanted}")
            assert result[0] == int(code or 0), f"$ {command}"

    def _session(self, block: Block) -> None:
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
                if name.partition(".")[0] == "generated":
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


def _pattern(wanted: str) -> str:
    lines = wanted.split("\n")
    return "\n".join(r"[\s\S]*" if line == "…" else re.escape(line).replace("…", ".*") for line in lines)


def _ordered(line: str) -> object:
    """JSON with the names of its objects in order."""
    return json.loads(line, object_pairs_hook=list)


@each_document
def test_what_is_shown_happens(document: Path, tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    for block in blocks(document):
        try:
            workspace.do(block)
        except AssertionError as error:
            raise AssertionError(f"{_name(document)}:{block.line}: {error}") from None


@each_document
def test_every_block_says_what_it_is(document: Path) -> None:
    languages = {"console", "go", "pycon", "python", "sh", "text", "toml"}
    assert {block.language for block in blocks(document)} <= languages
    unused = [b.line for b in blocks(document) if b.language == "go" and "file" not in b.marks]
    unused += [b.line for b in blocks(document) if b.language == "toml" and "file" not in b.marks]
    assert not unused, "Go that no command reads is not known to be true"


# --- the first screen ------------------------------------------------------------------------------------------------


def test_the_first_example_is_short() -> None:
    go, session = [next(b for b in blocks(README) if b.language == language) for language in ("go", "pycon")]
    assert len((go.text + session.text).splitlines()) <= 20


def test_two_commands_do_everything() -> None:
    shell = [block.text.strip() for block in blocks(README) if block.language == "sh"]
    assert shell == ["python -m pip install . && validation-gen testdata/apis", TEST_COMMAND]


def test_the_test_command_is_where_the_checks_look_for_it() -> None:
    assert between(README, "test-command") == f"```sh\n{TEST_COMMAND}\n```\n"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- test-command -->" in script.replace("\\", "")
    assert "<!-- /test-command -->" in script.replace("\\", "")
    assert "test" in (importlib.metadata.metadata("validation-gen").get_all("Provides-Extra") or [])


# --- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", pages())
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages()[name], "run `make docs`"


def test_the_table_of_releases_is_up_to_date() -> None:
    assert between(ROOT / "docs" / "compatibility.md", "releases") == releases(), "run `make docs`"


def test_make_docs_writes_what_is_generated(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs)
    wanted = {file.name: file.read_text(encoding="utf-8") for file in docs.iterdir()}
    for name in pages():
        (docs / name).unlink()
    page = docs / "compatibility.md"
    page.write_text(page.read_text(encoding="utf-8").replace(releases(), "old\n"), encoding="utf-8")
    write(docs, tmp_path / "tags.py")
    assert (tmp_path / "tags.py").read_text(encoding="utf-8") == vocabulary()
    assert {file.name: file.read_text(encoding="utf-8") for file in docs.iterdir()} == wanted


# The tags that Kubernetes 1.37 documents (`validation-gen --docs`).
_KUBERNETES = """
alpha beta customUnique customValidation dependentForbidden dependentRequired eachKey eachVal enum enumExclude forbidden
format ifDisabled ifEnabled ifMode immutable item listMapKey listType maxBytes maxItems maxLength maxProperties maximum
minItems minLength minProperties minimum modeDiscriminator monotonic neq opaqueType optional required subfield
unionDiscriminator unionMember unique update validateError validateFalse validateTrue validateTrueAlpha validateTrueBeta
zeroOrOneOfMember
""".split()


def test_every_tag_of_kubernetes_is_there() -> None:
    assert "every tag of Kubernetes 1.37" in " ".join(README.read_text(encoding="utf-8").split())
    assert {f"k8s:{name}" for name in _KUBERNETES} <= catalogue().keys()


def test_exit_codes() -> None:
    codes = re.findall(r"^\| (\d+) \| ", README.read_text(encoding="utf-8"), re.M)
    assert list(map(int, codes)) == [terminal.OK, terminal.FINDINGS, terminal.ENVIRONMENT, terminal.INTERRUPTED]


# --- names and links -------------------------------------------------------------------------------------------------


def _options() -> dict[str, set[str]]:
    """The options of each command by its name."""
    group: Any = typer.main.get_command(app)
    commands: dict[str, Any] = {"": group}
    for name, late in group.commands.items():
        command = late.loaded()
        below = getattr(command, "commands", {})
        commands |= {f"{name} {inner}": one for inner, one in below.items()} if below else {name: command}
    return {
        name: {o for p in command.params for o in (*p.opts, *p.secondary_opts)} for name, command in commands.items()
    }


@each_text
def test_tags_exist(document: Path) -> None:
    named = set(re.findall(r"\+k8s:([A-Za-z][\w-]*)", document.read_text(encoding="utf-8")))
    known = {name.removeprefix("k8s:") for name in (*catalogue(), *former_names(), *DIRECTIVES)}
    assert named - FOREIGN_TAGS <= known


@each_page
def test_options_exist(document: Path) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", document.read_text(encoding="utf-8")))
    assert named - FOREIGN_OPTIONS <= {option for options in _options().values() for option in options} | {"--help"}


def test_every_option_is_described() -> None:
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    for command, options in _options().items():
        if command:
            named = {o for o in options if o.startswith("--") and not o.startswith("--no-")}
            missing = {o for o in named if not re.search(rf"(?<![\w-]){o}(?![\w-])", text)}
            assert not missing - {"--help"}, f"of {command}"


@each_text
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = document.parent / file if file else document
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}, target


@each_page
def test_lines_are_short(document: Path) -> None:
    tables = {
        line
        for text in (*pages().values(), releases(), KEYS.read_text("utf-8"))
        for line in text.splitlines()
        if line.startswith("|")
    }
    lines = enumerate(document.read_text(encoding="utf-8").splitlines(), 1)
    # A run in the history of comparisons is one line, and an example shows one.
    long = [(n, line) for n, line in lines if len(line) > 120 and not line.startswith('{"format": 1, "time": ')]
    assert not [number for number, line in long if line not in tables]
