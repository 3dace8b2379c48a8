"""`validation-gen generate`: what it writes, what it says, how it ends, and what it never does."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import API, DOC, HOME, TYPES, Program
from tests.program import invoke
from validation_gen.cli import terminal
from validation_gen.emit.output import MARKER

SUMMARY = re.compile(
    r"(?P<packages>\d+) packages?, (?P<types>\d+) types?, (?P<rules>\d+) rules?: "
    r"(?P<written>\d+) files? written, (?P<unchanged>\d+) unchanged(?:, (?P<removed>\d+) removed)? "
    r"in (?P<place>.+) \((?P<seconds>\d+\.\d) s\)\n"
)
MODULES = {"__init__.py", "meta/__init__.py", "meta/v1.py", "things/__init__.py", "things/v1.py"}


def run(*args: str) -> Result:
    """Runs the program in this process."""
    return invoke(args)


def summary(text: str) -> dict[str, int | str]:
    match = SUMMARY.fullmatch(text)
    assert match, text
    return {name: int(value) if value.isdigit() else value for name, value in match.groupdict("0").items()}


def numbers(text: str) -> tuple[int | str, ...]:
    found = summary(text)
    return tuple(found[name] for name in ("written", "unchanged", "removed"))


# --- what is written -------------------------------------------------------------------------------------------------


def test_the_first_run_writes_and_the_second_writes_nothing(project: Program) -> None:
    first = project("apis", PYTHONHASHSEED="1")
    assert (first.code, first.err) == (0, "")
    assert numbers(first.out) == (5, 0, 0)
    assert (summary(first.out)["packages"], summary(first.out)["place"]) == (1, "generated")
    before = project.files("generated")
    assert set(before) == MODULES
    assert all(content.startswith(MARKER.encode()) for content in before.values())
    paths = [project.directory / "generated", *(project.directory / "generated" / name for name in before)]
    times = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in paths}

    second = project("generate", "./apis/...", PYTHONHASHSEED="2")
    assert (second.code, second.err) == (0, "")
    assert numbers(second.out) == (0, 5, 0)
    assert project.files("generated") == before
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in paths} == times


def test_the_same_bytes_from_anywhere(project: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    run("apis")
    wanted = project.files("generated")
    assert str(project.directory).encode() not in b"".join(wanted.values())
    for place, path in {"apis": ".", "apis/things": "v1/types.go", "/": f"{project.directory}/apis/things"}.items():
        monkeypatch.chdir(project.directory / place)
        assert run(path, "-o", str(project.directory / "again")).exit_code == 0
        assert project.files("again") == wanted, place
        shutil.rmtree(project.directory / "again")


@pytest.mark.process
def test_what_was_written_is_a_package(project: Program) -> None:
    run("apis", "-o", "checks")
    code = (
        "import checks\n"
        "thing = {'apiVersion': 'example.com/v1', 'kind': 'Thing', 'spec': {'name': 'too long'}}\n"
        "print(*checks.validate(thing, options={'Glitter': True}, raw=True), sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "spec.name: Too long: may not be more than 5 characters\n"


def test_only_what_changed_is_written_again(project: Program) -> None:
    run("apis")
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    assert numbers(run("apis").stdout) == (1, 4, 0)


def test_what_is_no_longer_wanted_is_removed(project: Program) -> None:
    project.write({"apis/others/v1/types.go": TYPES})
    assert numbers(run("apis").stdout) == (7, 0, 0)
    shutil.rmtree(project.directory / "apis/others")
    assert numbers(run("apis").stdout) == (1, 4, 2)
    assert set(project.files("generated")) == MODULES
    assert not (project.directory / "generated/others").exists()


def test_errors_remove_nothing(project: Program) -> None:
    project.write({"apis/others/v1/types.go": TYPES})
    run("apis")
    project.write({"apis/others/v1/types.go": TYPES + "}"})
    before = project.files("generated")
    result = run("apis")
    assert result.exit_code == 1
    assert "5 files held back because of errors (--keep-going writes them all the same)" in result.stdout
    assert project.files("generated") == before
    assert run("apis", "--keep-going").exit_code == 1
    assert (project.directory / "generated/others/v1.py").exists()


EVERY_OUTPUT = tuple(f"--emit={name}" for name in ("crd", "openapi", "jsonschema", "webhooks", "policies"))
OTHERS = "apis/others/v1/types.go"
TORN = TYPES.replace("maxLength=5", "maxLength=x").replace("Anything", "Everything")


def test_a_run_with_errors_changes_no_file(project: Program) -> None:
    project.write({OTHERS: TYPES, "apis/others/v1/doc.go": DOC.replace("=example", "=others.example")})
    assert run("apis", *EVERY_OUTPUT).exit_code == 0
    project.write({OTHERS: TORN})
    before = project.files()
    for args in (("apis", *EVERY_OUTPUT), ("openapi", "apis"), ("jsonschema", "apis"), ("crd", "apis")):
        held = run(*args)
        assert held.exit_code == 1
        assert "held back because of errors (--keep-going writes them all the same)" in held.stdout
        assert project.files() == before


def test_a_run_that_keeps_going_names_the_kinds_it_leaves_out(project: Program) -> None:
    project.write({OTHERS: TORN, "apis/others/v1/doc.go": DOC.replace("=example", "=others.example")})
    line = next(number for number, text in enumerate(TORN.splitlines(), 1) if "maxLength=x" in text)
    left = f"1 kind left out because of errors:\n  others.example.com/v1 Thing (VG203 at {OTHERS}:{line}:"
    for command in ("generate", "openapi", "jsonschema"):
        kept = run(command, "apis", "--keep-going")
        assert kept.exit_code == 1
        assert left in kept.stderr
    assert (project.directory / "generated/things/v1.py").exists()
    assert not (project.directory / "generated/others/v1.py").exists()


def test_quiet(project: Program) -> None:
    result = run("apis", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert set(project.files("generated")) == MODULES


def test_sources_of_another_module(project: Program) -> None:
    project.write(
        {
            "other place/base/base.go": "package base\n\n// +k8s:maxLength=3\ntype Name string\n",
            "apis/user/types.go": 'package user\n\nimport "example.org/other/base"\n\n'
            'type T struct {\n\t// +k8s:required\n\tName base.Name `json:"name"`\n}\n',
        }
    )
    unknown = run("apis/user")
    assert unknown.exit_code == 1
    assert "error[VG301]" in unknown.stderr
    assert "--module example.org/other=DIR" in unknown.stderr
    allowed = run("apis/user", "--allow-unresolved")
    assert (allowed.exit_code, "warning[VG301]" in allowed.stderr) == (0, True)
    known = run("apis/user", "--module", "example.org/other=other place")
    assert (known.exit_code, known.stderr) == (0, "")
    assert b"maxLength=3" in b"".join(project.files("generated").values())


def test_nothing_to_generate_is_a_warning(project: Program) -> None:
    project.write({"plain/plain.go": "package plain\n\ntype T struct{}\n"})
    result = run("plain")
    assert result.exit_code == 0
    assert "warning[VG902]" in result.stderr
    assert "= help: " in result.stderr
    assert not (project.directory / "generated").exists()
    strict = run("plain", "--require-directive").stderr
    assert "no package here has a +k8s:validation-gen directive that chooses types" in strict
    assert "= help: write one into doc.go" in strict


# --- findings --------------------------------------------------------------------------------------------------------

WRONG = """\
package wrong

type T struct {
	// +k8s:maxLength=
	A string `json:"a"`
	// +k8s:maxLenght=5
	B string `json:"b"`
	// +k8s:maxItems=5
	C string `json:"c"`
	// +k8s:minimum="x"
	D int `json:"d"`
	// +k8s:required
	E elsewhere.Type `json:"e"`
	// +k8s:eachVal=+k8s:nope
	F []string `json:"f"`
	// +k8s:minimum(1)=5
	G int `json:"g"`
}
"""


def test_every_mistake_has_a_place_a_caret_and_help(project: Program) -> None:
    project.write({"apis/wrong/types.go": WRONG, "apis/torn/types.go": "package torn\n\ntype T struct {\n\tA int\n"})
    done = project("apis", "--no-lint")
    assert done.code == 1
    text, _, count = done.err.removesuffix("\n").rpartition("\n")
    assert count == "8 errors, [*] 1 fixable with `lint --fix`"
    found = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        head = re.fullmatch(r"(?:error|warning)\[(VG\d+)\]: .+", lines[0])
        place = re.fullmatch(r" *--> (.+):(\d+):(\d+)", lines[1])
        assert head, block
        assert place, block
        assert re.fullmatch(r" *\| +\^+", lines[4]), block
        assert lines[-1].strip().startswith("= help: ") or head[1] in ("VG101", "VG204"), block
        found[place[1].removeprefix("apis/"), int(place[2])] = (head[1], int(place[3]))
    assert found[("torn/types.go", 3)][0] == "VG101"
    wrong = {line: finding for (file, line), finding in found.items() if file == "wrong/types.go"}
    assert {line: code for line, (code, _) in wrong.items()} == {
        4: "VG102",
        6: "VG103",
        8: "VG204",
        10: "VG203",
        13: "VG301",
        14: "VG103",
        16: "VG202",
    }
    assert "did you mean" in done.err
    assert not (project.directory / "generated").exists()
    project("apis", "--no-lint", "--keep-going")
    assert set(project.files("generated")) == MODULES  # the package that is right has its validators


@pytest.mark.parametrize("format", ["full", "concise", "json"])
def test_formats_of_findings(project: Program, format: str) -> None:
    project.write({"apis/wrong/types.go": WRONG})
    result = run("apis", "--format", format)
    assert result.exit_code == 1
    if format == "json":
        assert result.stderr == ""
        findings = json.loads(result.stdout)
        assert {finding["code"] for finding in findings} == {
            "VG102",
            "VG103",
            "VG202",
            "VG203",
            "VG204",
            "VG301",
            "VG403",
        }
    elif format == "concise":
        assert re.search(r"^apis/wrong/types\.go:6:\d+: error VG103 .*maxLenght.*$", result.stderr, re.MULTILINE)
    else:
        assert "error[VG103]" in result.stderr


def test_json_without_findings_is_an_empty_list(project: Program) -> None:
    result = run("apis", "--format", "json")
    assert (result.exit_code, json.loads(result.stdout), result.stderr) == (0, [], "")


# --- files and directories at fault ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("missing", "VG902", "no file or directory"),
        ("missing/...", "VG902", "no file or directory"),
        ("missing.go", "VG902", "no file or directory"),
        ("empty", "VG902", "no Go files"),
        ("go.mod", "VG902", "neither a directory nor a Go or Python file"),
        ("dangling.go", "VG901", "No such file"),
        ("dangling", "VG901", "No such file"),
        ("circle", "VG901", "symbolic links"),
        ("latin", "VG901", "UTF-8"),
        ("x" * 5000, "VG902", "no file or directory"),
    ],
)
def test_what_cannot_be_read(project: Program, path: str, code: str, words: str) -> None:
    for name in ("empty", "dangling", "circle", "latin"):
        (project.directory / name).mkdir()
    for link, target in {"dangling.go": "nowhere.go", "dangling/a.go": "nowhere.go", "circle/a.go": "a.go"}.items():
        (project.directory / link).symlink_to(target)
    (project.directory / "latin/a.go").write_bytes(b"package latin\n\n// caf\xe9\n")
    result = run(path)
    assert result.exit_code == 2
    assert f"error[{code}]: " in result.stderr
    assert re.search(words, result.stderr)
    assert "--> " in result.stderr
    assert not (project.directory / "generated").exists()


def test_odd_things_in_the_tree_are_passed_over(project: Program) -> None:
    (project.directory / "apis/up").symlink_to("..")
    (project.directory / "apis/things/loop").symlink_to(".")
    (project.directory / "apis/x.go").mkdir()
    os.mkfifo(project.directory / "apis/things/v1/pipe.go")
    result = run("apis")
    assert (result.exit_code, result.stderr) == (0, "")
    assert numbers(result.stdout) == (5, 0, 0)


@pytest.mark.parametrize("place", ["a_file", "a_file/below", "a_file/far/below", "dangling", "/dev/null", "/proc/here"])
def test_output_that_cannot_be_a_directory(project: Program, place: str) -> None:
    if place.startswith("/") and not Path(place).parent.is_dir():
        pytest.skip("the system has no such directory")
    project.write({"a_file": "mine\n"})
    (project.directory / "dangling").symlink_to("nowhere/at/all")
    before = project.files()
    result = run("apis", "--output-dir", place)
    assert result.exit_code == 2
    assert result.stderr.count("error[VG903]") == 1
    assert f"--> {place}\n" in result.stderr
    assert "= help: " in result.stderr
    assert project.files() == before


def test_files_of_others_are_kept(project: Program) -> None:
    mine = {
        "generated/__init__.py": "print('mine')\n",
        "generated/things/v1.py": f"\n{MARKER}\n",
        "generated/things/notes.py": "mine\n",
        "generated/things/notes.txt": "mine\n",
    }
    project.write(mine)
    (project.directory / "generated/things/__init__.py").mkdir()
    result = run("apis")
    assert result.exit_code == 2
    assert "error[VG903]: 2 files exist and were not generated, so nothing is written here" in result.stderr
    assert "--> generated/__init__.py" in result.stderr
    assert result.stdout == ""
    assert "--output-dir" in result.stderr
    for name, text in mine.items():
        assert (project.directory / name).read_text() == text


def test_other_generated_packages_are_kept(project: Program) -> None:
    """Packages of other runs below the output directory, and copies of generated files, belong to somebody."""
    run("apis", "-o", "out/inner")
    project.write({"out/kept/want.py": f"{MARKER}\n", "out/stale.py": f"{MARKER}\n"})
    assert numbers(run("apis", "-o", "out").stdout) == (5, 0, 1)
    assert set(project.files("out")) == MODULES | {f"inner/{name}" for name in MODULES} | {"kept/want.py"}


@pytest.fixture
def nobody() -> Iterator[list[str]]:
    """What to put in front of a command so that permissions count, which they do not for the superuser."""
    if os.geteuid() != 0:
        yield []
        return
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    probe = [*command, sys.executable, "-c", "import validation_gen.cli.main, lark, tree_sitter"]
    environ = {**os.environ, "PYTHONPATH": str(HOME)}
    if (
        shutil.which("setpriv") is None
        or subprocess.run(probe, env=environ, capture_output=True, check=False).returncode
    ):
        pytest.skip("the superuser cannot become somebody else who can run the program")
    yield command


def test_permissions(nobody: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        project = Program(Path(name))
        project.write(API | {"secret/a.go": "package a\n", "locked/a.go": "package a\n", "m.yaml": "a: 1\n"})
        for path, mode in {"": 0o755, "secret/a.go": 0, "locked": 0, "m.yaml": 0}.items():
            (project.directory / path).chmod(mode)

        def run_as_nobody(*args: str) -> str:
            command = [*nobody, *project.command(*args)]
            done = subprocess.run(
                command, cwd=name, env=project.environ(), capture_output=True, text=True, check=False, timeout=60
            )
            assert done.returncode == 2, done
            assert "Traceback" not in done.stderr
            return done.stderr

        assert "error[VG901]: cannot read the file: Permission denied\n --> secret/a.go" in run_as_nobody("secret")
        assert "error[VG901]: cannot read the directory: Permission denied\n --> locked" in run_as_nobody("locked")
        manifest = run_as_nobody("validate", "apis", "-f", "m.yaml", "-f", "locked", "-f", "locked/x.yaml")
        assert "error[VG901]: cannot read: Permission denied\n --> m.yaml" in manifest
        assert "error[VG901]: cannot read the directory: Permission denied\n --> locked\n" in manifest
        assert " --> locked/x.yaml\n" in manifest
        if nobody:
            written = run_as_nobody("apis")
            assert "error[VG903]: cannot make the directory: Permission denied\n --> generated" in written
            (project.directory / "generated").mkdir()
            written = run_as_nobody("apis")
            assert written.count("error[VG903]: cannot write: Permission denied") == len(MODULES)
            assert project.files("generated") == {}
        (project.directory / "locked").chmod(0o755)


# --- where it runs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_paths_with_blanks_letters_and_line_ends(program: Program, locale: str) -> None:
    place = "a b/größe\n日本"
    program.write({f"{place}/{name}": text for name, text in API.items()})
    done = program(
        f"{place}/apis", "-o", f"{place}/out put/generated", LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert set(program.files(f"{place}/out put/generated")) == MODULES


def test_paths_that_are_no_text(program: Program) -> None:
    place = program.directory / os.fsdecode(b"caf\xe9")
    try:
        place.mkdir()
    except OSError:
        pytest.skip("names of files are text here")
    (place / "types.go").write_text(TYPES)
    done = program(place.name, "-o", os.fsdecode(b"out\xff/generated"))
    assert (done.code, done.err) == (0, "")
    done = program(
        "webhook", "stdio", place.name, stdin='{"id": 1, "kind": "ThingSpec", "obj": {"name": "a"}}\n', LC_ALL="C"
    )
    assert (done.code, json.loads(done.out)["errors"][0]["field"]) == (0, "glitter")


@pytest.mark.process
def test_messages_survive_any_encoding(project: Program) -> None:
    project.write(
        {"apis/wrong/größe.go": 'package wrong\n\ntype T struct {\n\t// +k8s:eachVal=+k8s:größe="ü"\n\tA string\n}\n'}
    )
    done = project.process("apis", PYTHONIOENCODING="ascii:strict")
    assert done.code == 1
    assert "apis/wrong/gr\\xf6\\xdfe.go:4:" in done.err


def test_output_that_nobody_reads(project: Program) -> None:
    for words in (["generate", "apis"], ["--help"], ["generate", "missing"]):
        command = " ".join([f"'{sys.executable}'", "-m", "validation_gen", *words])
        for redirection in ("| true", ">&-", "2>&-", ">&- 2>&- <&-", ">/dev/full", "2>/dev/full"):
            if "full" in redirection and not Path("/dev/full").exists():
                continue
            if len(words) == 1 and redirection != "| true" and "full" not in redirection:
                continue
            if "missing" in words and redirection in (">&-", ">/dev/full"):  # it prints nothing there
                continue
            done = subprocess.run(
                ["sh", "-c", f"{command} {redirection}"],
                cwd=project.directory,
                env=project.environ(),
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
            assert "Traceback" not in done.stderr, (words, redirection)
            assert "Exception ignored" not in done.stderr, (words, redirection)
            if "missing" in words and redirection != "| true":
                assert done.returncode == 2, (words, redirection)
            elif redirection == ">/dev/full":
                assert done.returncode == 2, (words, redirection)
                assert "No space left" in done.stderr


# --- terminals -------------------------------------------------------------------------------------------------------

#: The program, but reading takes a while.
SLOW = """
import time
import validation_gen.compiler.stages as stages
read = stages.read_universe
def read_slowly(*args, **kwargs):
    time.sleep(0.8)
    return read(*args, **kwargs)
stages.read_universe = read_slowly
from validation_gen.cli.main import run
run()
"""


def on_terminal(project: Program, *args: str, code: str = "", **environ: str) -> tuple[int, str]:
    """Runs the program on a terminal, and returns what appears there."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", code, *args] if code else project.command(*args)
    with subprocess.Popen(
        command, cwd=project.directory, env=project.environ(environ), stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                more = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side is closed
                break
            if not more:
                break
            seen += more
    os.close(ours)
    return process.returncode, seen.decode().replace("\r\n", "\n")


@pytest.mark.process
def test_colour_is_for_terminals(project: Program) -> None:
    project.write({"apis/wrong/types.go": WRONG})
    code, seen = on_terminal(project, "apis")
    assert code == 1
    assert "\x1b[1;31merror[VG102]\x1b[0m" in seen
    for environ in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, seen = on_terminal(project, "apis", **environ)
        assert code == 1
        assert "error[VG102]" in seen
        assert not re.search(r"\x1b\[[0-9;]*m", seen)
    assert "\x1b" not in project("apis").err


@pytest.mark.process
def test_long_runs_show_progress_on_terminals(project: Program) -> None:
    code, seen = on_terminal(project, "apis", code=SLOW)
    assert code == 0
    clear = "\r\x1b[K"
    first, *stages, last = seen.split(clear)
    assert (first, stages[0], stages[-1]) == ("", "reading ...", "writing ...")
    assert all(re.fullmatch(r"[a-z ]+ \.\.\.", stage) for stage in stages)
    assert SUMMARY.fullmatch(last)
    code, seen = on_terminal(project, "apis", code=SLOW, TERM="dumb")
    assert (code, SUMMARY.fullmatch(seen) is not None) == (0, True)
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "apis"],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stderr, SUMMARY.fullmatch(done.stdout) is not None) == ("", True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_short_runs_show_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "_PATIENCE", 60)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with terminal.Progress(stream) as progress:
        progress("reading")
        progress("writing")
    assert (stream.getvalue(), 0 <= progress.seconds < 60) == ("", True)


def test_the_group_can_stand_at_the_head_of_any_file(project: Program) -> None:
    """Conventions have it in doc.go, and so have the other tests."""
    types = (project.directory / "apis/things/v1/types.go").read_text()
    project.write(
        {"apis/things/v1/doc.go": "package v1\n", "apis/things/v1/types.go": f"// +groupName=a.example\n{types}"}
    )
    done = project("generate", "apis")
    assert done.code == 0
    assert '"a.example/v1 /' in (project.directory / "generated/__init__.py").read_text()
    project.write({"apis/things/v1/doc.go": "// +groupName=b.example\npackage v1\n"})
    project("generate", "apis")
    assert '"b.example/v1 /' in (project.directory / "generated/__init__.py").read_text()
