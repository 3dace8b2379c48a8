"""Repositories that were made to harm: nothing is written or run, nothing waits, and what is left out is told."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.breaking.conftest import Project, api, short
from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.settings import Settings
from validation_gen.files import git, reading, revision, tree

OLD = api('// +k8s:maxLength=10\nName string `json:"name,omitempty"`')
NEW = api('// +k8s:maxLength=5\nName string `json:"name,omitempty"`')
DOC = "// +groupName=example.com\npackage v1\n"
FILES = {"go.mod": "module example.com/m\n", "api/v1/doc.go": DOC, "api/v1/types.go": NEW}
WANTED = "error VG705 name: maxLength is 5, it was 10"
LEFT_OUT = "is left out of the old state"

Entry = tuple[str, bytes, str]


class Hostile:
    """A repository whose objects are written byte by byte, as no git would write them."""

    def __init__(self, around: Path) -> None:
        self.around = around
        self.project = Project(around / "home" / "project")
        self.project.directory.mkdir(parents=True)
        self.project.write(FILES)
        self.project.git("init", "--quiet", "--initial-branch=main", ".")
        self.pwned = around / "PWNED"

    def object(self, kind: str, data: bytes, size: int | None = None) -> str:
        whole = f"{kind} {len(data) if size is None else size}\0".encode() + data
        digest = hashlib.sha1(whole).hexdigest()
        path = self.project.directory / ".git/objects" / digest[:2] / digest[2:]
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.write_bytes(zlib.compress(whole))
        return digest

    def blob(self, text: str | bytes) -> str:
        return self.object("blob", text.encode() if isinstance(text, str) else text)

    def tree(self, *entries: Entry) -> str:
        return self.object("tree", b"".join(f"{m} ".encode() + n + b"\0" + bytes.fromhex(d) for m, n, d in entries))

    def file(self, name: bytes, text: str | bytes) -> Entry:
        return "100644", name, self.blob(text)

    def link(self, name: bytes, target: str) -> Entry:
        return "120000", name, self.blob(target)

    def directory(self, name: bytes, *entries: Entry) -> Entry:
        return "40000", name, self.tree(*entries)

    def commit(self, *entries: Entry) -> None:
        """A commit `v1` of these entries and the older state of the API."""
        api = self.directory(b"v1", self.file(b"doc.go", DOC), self.file(b"types.go", OLD))
        top = self.tree(self.directory(b"api", api), self.file(b"go.mod", FILES["go.mod"]), *entries)
        who = "t <t@example.com> 0 +0000"
        digest = self.object("commit", f"tree {top}\nauthor {who}\ncommitter {who}\n\nold\n".encode())
        (self.project.directory / ".git/refs/tags/v1").write_text(digest + "\n")

    def configure(self, text: str) -> None:
        with (self.project.directory / ".git/config").open("a") as file:
            file.write(text)

    def listing(self) -> dict[str, tuple[int, int]]:
        """All that is in and around the repository."""
        found = {}
        for path in self.around.rglob("*"):
            state = path.lstat()
            found[str(path)] = state.st_mode, state.st_size
        return found

    def said(self, against: str = "git:v1", *paths: str) -> list[str]:
        """The findings of a comparison, which has changed nothing anywhere."""
        before, tops = self.listing(), sorted(Path("/").iterdir())
        found = [short(d) for d in compare(Settings(paths or ("api",)), against).diagnostics.sorted()]
        assert self.listing() == before
        assert sorted(Path("/").iterdir()) == tops
        assert not self.pwned.exists()
        return found


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hostile]:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    made = Hostile(tmp_path)
    monkeypatch.chdir(made.project.directory)
    yield made
    assert not list((tmp_path / "tmp").iterdir())


# --- names -----------------------------------------------------------------------------------------------------------


NAMES = [
    b"..",
    b".",
    b"/abs",
    b"../../x",
    b"../../x.go",
    b"a/../../b.go",
    b".git/hooks/post-checkout",
    b".GIT",
    b".git ",
    b".gi\xe2\x80\x8ct",
    b"git~1",
    b"a//b.go",
    b"..\\..\\x.go",
    b"a/./b.go",
    b"d/" * 300 + b"x.go",
]


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name[:20]) for name in NAMES])
def test_a_name_that_is_no_path_is_told_and_left_out(hostile: Hostile, name: bytes) -> None:
    hostile.commit(hostile.file(name, "package x\n"))
    first, *rest = sorted(hostile.said())
    assert first == WANTED
    assert len(rest) == 1
    assert LEFT_OUT in rest[0]


def test_names_that_lead_up_step_by_step(hostile: Hostile) -> None:
    """Directories called `..`, in one another."""
    inner = hostile.directory(b"..", hostile.file(b"x.go", "package x\n"), hostile.file(b"go.mod", "module evil\n"))
    for _ in range(5):
        inner = hostile.directory(b"..", inner)
    hostile.commit(inner, hostile.directory(b"hooks", hostile.directory(b"..", hostile.file(b"types.go", "x"))))
    said = hostile.said()
    assert WANTED in said
    assert sum(LEFT_OUT in each for each in said) == 3


def test_names_with_line_feeds_and_escapes(hostile: Hostile) -> None:
    hostile.commit(hostile.file(b"a\n\x1b[2J\xff.go", "package m\n"), hostile.file(b"..\n", "x"))
    assert WANTED in hostile.said("git:v1", ".")


def test_many_refused_names_are_counted(hostile: Hostile) -> None:
    hostile.commit(*(hostile.file(b"../%d.go" % number, "package x\n") for number in range(100)))
    said = hostile.said()
    assert len(said) == 22
    assert any("80 more entries" in each for each in said)


def test_an_empty_name_is_no_tree(hostile: Hostile) -> None:
    hostile.commit(hostile.file(b"", "package x\n"))
    (said,) = hostile.said()
    assert said.startswith("error VG910 the files of v1 cannot be read")


def test_one_name_twice(hostile: Hostile) -> None:
    """A link and a directory of one name: whoever wrote them one after the other would write through the link."""
    outside = str(hostile.around)
    for order in (1, -1):
        both = [hostile.link(b"a", outside), hostile.directory(b"a", hostile.file(b"x.go", "package x\n"))]
        hostile.commit(*both[::order])
        said = hostile.said()
        assert WANTED in said
        assert any("another entry has its place" in each for each in said)


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_chain_of_links_leads_nowhere(hostile: Hostile) -> None:
    evil = hostile.link(b"l", "sub"), hostile.link(b"sub", "..")
    hostile.commit(*evil, hostile.file(b"l/x.go", "package x\n"), hostile.file(b"l/../x.go", "package x\n"))
    assert WANTED in hostile.said("git:v1", ".")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("/etc/passwd", "out of the repository"),
        ("../../../../../etc/passwd", "out of the repository"),
        ("../up/x", "out of the repository"),
        ("round.go", "more than 40"),
        ("x" * 5000, ""),
        ("a\0b", "out of the repository"),
    ],
)
def test_links_that_lead_out_or_nowhere(hostile: Hostile, target: str, reason: str) -> None:
    hostile.commit(
        hostile.link(b"round.go", "square.go"),
        hostile.link(b"square.go", "round.go"),
        hostile.link(b"up", ".."),
        hostile.directory(b"away", hostile.link(b"x.go", target), hostile.link(b"round.go", "../round.go")),
    )
    said = hostile.said("git:v1", ".")
    assert WANTED in said
    assert any(LEFT_OUT in each and reason in each for each in said)


def test_links_within_the_tree_are_followed(hostile: Hostile) -> None:
    """Files and directories, also through one another, as they would be on disk."""
    part = 'package shared\n\ntype Part struct {\n\t// +k8s:maxLength=10\n\tName string `json:"name,omitempty"`\n}\n'
    kind = api('Part shared.Part `json:"part,omitempty"`').replace(
        "import metav1", 'import "example.com/m/now/shared"\nimport metav1'
    )
    shared = hostile.directory(b"shared", hostile.link(b"types.go", "../../files/part.txt"))
    hostile.commit(
        hostile.directory(b"files", hostile.file(b"part.txt", part)),
        hostile.link(b"now", "next"),
        hostile.link(b"next", "./past/../past"),
        hostile.directory(b"past", shared),
        hostile.directory(b"robots", hostile.file(b"types.go", kind), hostile.file(b"doc.go", DOC)),
    )
    hostile.project.write(
        {"now/shared/types.go": part.replace("=10", "=5"), "robots/types.go": kind, "robots/doc.go": DOC}
    )
    assert hostile.said("git:v1", "robots") == ["error VG705 part.name: maxLength is 5, it was 10"]


# --- sizes -----------------------------------------------------------------------------------------------------------


def test_a_huge_file_is_not_read(hostile: Hostile) -> None:
    """It says that it has 10 GB, which nobody takes into memory."""
    digest = hostile.object("blob", b"package x\n", size=10 * 2**30)
    hostile.commit(hostile.directory(b"big", ("100644", b"x.go", digest), hostile.file(b"y.go", "package big\n")))
    said = hostile.said("git:v1", ".")
    assert WANTED in said
    assert any("10737418240 bytes" in each for each in said), said


def test_limits_are_errors(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.commit()
    with monkeypatch.context() as patch:
        patch.setattr(revision, "MOST_ENTRIES", 2)
        assert "more than 2 entries" in hostile.said()[0]
    with monkeypatch.context() as patch:
        patch.setattr(revision, "MOST_BYTES", 20)
        assert any("MiB together" in each for each in hostile.said())
    with monkeypatch.context() as patch:
        patch.setattr(reading, "MOST_OF_A_SOURCE", 100)
        said = hostile.said()
        assert any("at most 100 are read" in each for each in said), said
    with monkeypatch.context() as patch:
        patch.setattr(revision, "LONGEST_PATH", 1)
        assert "has more than 2 bytes" in hostile.said()[0]
    assert hostile.said() == [WANTED]


def test_a_tree_that_holds_itself_many_times(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten names for one tree, ten levels deep, are ten thousand million files."""
    monkeypatch.setattr(revision, "MOST_ENTRIES", 5000)
    bomb = hostile.tree(hostile.file(b"x.go", "package x\n"))
    for _ in range(10):
        bomb = hostile.tree(*(("40000", b"d%d" % number, bomb) for number in range(10)))
    hostile.commit(("40000", b"bomb", bomb))
    assert hostile.said() == [
        "error VG910 the files of v1 cannot be read: the revision has more than 5000 entries, the most that are read"
    ]


def test_many_links_are_followed_in_bounded_time(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_FOLLOWED", 50)
    chain = [hostile.link(b"l%02d.go" % number, f"l{number + 1:02}.go") for number in range(30)]
    hostile.commit(*chain, hostile.file(b"l30.go", "package m\n"))
    assert any("more than 50 links" in each for each in hostile.said("git:v1", "."))


def test_entries_that_are_not_what_they_say(hostile: Hostile) -> None:
    """A file that is a tree, one that is not there, and one that is damaged."""
    broken = hostile.blob("package damaged\n")
    path = hostile.project.directory / ".git/objects" / broken[:2] / broken[2:]
    path.write_bytes(b"no zlib")
    hostile.commit(
        hostile.directory(
            b"odd", ("100644", b"a.go", hostile.tree()), ("100644", b"b.go", "1" * 40), ("100644", b"c.go", broken)
        )
    )
    said = hostile.said("git:v1", ".")
    assert WANTED in said
    assert any("cannot read" in each and each.startswith("error VG716") for each in said)


# --- settings --------------------------------------------------------------------------------------------------------

SETTINGS = {
    "monitor": "[core]\n\tfsmonitor = touch {pwned}\n",
    "hooks": "[core]\n\thooksPath = {hooks}\n",
    "programs": "[core]\n\tpager = touch {pwned}\n\tsshCommand = touch {pwned}\n\taskPass = touch {pwned}\n"
    "\tgitProxy = touch {pwned}\n\teditor = touch {pwned}\n\talternateRefsCommand = touch {pwned}\n"
    "[pager]\n\tls-tree = touch {pwned}\n\tcat-file = touch {pwned}\n\trev-parse = touch {pwned}\n"
    '[credential]\n\thelper = "!touch {pwned}"\n[gpg]\n\tprogram = touch {pwned}\n',
    "aliases": '[alias]\n\trev-parse = "!touch {pwned}"\n\tls-tree = "!touch {pwned}"\n\tcat-file = "!touch {pwned}"\n',
    "filters": '[core]\n\tattributesFile = {hooks}/attributes\n[filter "x"]\n\tsmudge = touch {pwned}\n'
    '\tclean = touch {pwned}\n\tprocess = touch {pwned}\n\trequired = true\n[diff "x"]\n\ttextconv = touch {pwned}\n'
    "\tcommand = touch {pwned}\n[diff]\n\texternal = touch {pwned}\n",
    "included": "[include]\n\tpath = {hooks}/more\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_a_repository_start_nothing(hostile: Hostile, name: str) -> None:
    hooks = hostile.around / "hooks"
    hooks.mkdir()
    for hook in "post-index-change reference-transaction post-checkout pre-auto-gc fsmonitor-watchman".split():
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {hostile.pwned}\n")
        (hooks / hook).chmod(0o755)
    (hooks / "attributes").write_text("* filter=x diff=x\n")
    (hooks / "more").write_text(SETTINGS["monitor"].format(pwned=hostile.pwned, hooks=hooks))
    hostile.commit(hostile.file(b".gitattributes", "* filter=x diff=x working-tree-encoding=UTF-16\n"))
    hostile.configure(SETTINGS[name].format(pwned=hostile.pwned, hooks=hooks))
    if name == "monitor":  # the trap is one
        subprocess.run(["git", "status"], check=False, capture_output=True)
        assert hostile.pwned.exists()
        hostile.pwned.unlink()
    assert hostile.said() == [WANTED]


def test_what_a_partial_copy_lacks_is_not_fetched(hostile: Hostile) -> None:
    lost = hostile.blob("package lost\n")
    hostile.commit(hostile.directory(b"lost", ("100644", b"x.go", lost)))
    (hostile.project.directory / ".git/objects" / lost[:2] / lost[2:]).unlink()
    hostile.configure(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n"
        f'[remote "origin"]\n\turl = "ext::touch {hostile.pwned}"\n\tpromisor = true\n'
        '[protocol "ext"]\n\tallow = always\n[protocol]\n\tallow = always\n'
    )
    subprocess.run(["git", "cat-file", "-p", lost], check=False, capture_output=True)
    assert hostile.pwned.exists()  # the trap is one
    hostile.pwned.unlink()
    said = hostile.said("git:v1", ".")
    assert WANTED in said
    assert any(each.startswith("error VG716") and "cannot read" in each for each in said)


def test_a_work_tree_elsewhere(hostile: Hostile) -> None:
    """`core.worktree` says where paths are; git's own files stay those that were found."""
    hostile.commit()
    hostile.configure(f"[core]\n\tworktree = {hostile.around}\n")
    assert hostile.said() == ["warning VG716 v1 has no home/project/api, so all of it counts as new"]


def test_variables_that_lead_elsewhere(hostile: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.commit()
    for name in "TRACE TRACE2 TRACE2_EVENT TRACE_SETUP REDIRECT_STDERR".split():
        monkeypatch.setenv(f"GIT_{name}", str(hostile.pwned))
    for name in "DIR WORK_TREE INDEX_FILE OBJECT_DIRECTORY COMMON_DIR EXEC_PATH NAMESPACE SHALLOW_FILE".split():
        monkeypatch.setenv(f"GIT_{name}", "/nowhere")
    for name, text in (("COUNT", "1"), ("KEY_0", "core.fsmonitor"), ("VALUE_0", f"touch {hostile.pwned}")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", text)
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'core.fsmonitor'='touch {hostile.pwned}'")
    monkeypatch.setenv("GIT_PAGER", f"touch {hostile.pwned}")
    assert hostile.said() == [WANTED]


def test_replaced_objects_are_those_that_were_committed(hostile: Hostile) -> None:
    hostile.commit()
    kept = hostile.blob(OLD)
    place = hostile.project.directory / ".git/refs/replace" / kept
    place.parent.mkdir()
    place.write_text(hostile.blob(NEW) + "\n")
    assert hostile.said() == [WANTED]


@pytest.mark.parametrize("place", ["", ".", "bin"])
def test_git_is_not_taken_from_the_current_directory(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    hostile.commit()
    for name in ("git", "bin/git"):
        path = hostile.project.directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {hostile.pwned}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    assert hostile.said() == [WANTED]


def test_a_bare_repository_in_a_directory_of_others(hostile: Hostile) -> None:
    """Its settings come with the files of a clone, so git must not find it."""
    evil = hostile.project.directory / "api" / "evil"
    subprocess.run(["git", "init", "--quiet", "--bare", str(evil)], check=True)
    with (evil / "config").open("a") as file:
        file.write(f"[core]\n\tbare = false\n\tworktree = {evil}\n\tfsmonitor = touch {hostile.pwned}\n")
    hostile.commit()
    said = hostile.said("git:v1", "api/evil")
    assert said == ["warning VG716 v1 has no api/evil, so all of it counts as new"] or "safe.bareRepository" in said[0]


@pytest.mark.parametrize(
    "ref",
    ["-v1", "--exec=x", "@{-1}", "HEAD^{/(a*)*b}", ":/x", "v1..v1", "^v1", "v1\nv1", "v1 --all", "--end-of-options"],
)
def test_names_of_revisions_are_never_options(hostile: Hostile, ref: str) -> None:
    hostile.commit()
    (said,) = hostile.said(f"git:{ref}")
    assert "error VG910" in said


# --- submodules ------------------------------------------------------------------------------------------------------


def _with_module(hostile: Hostile) -> Path:
    """A repository elsewhere that has the same commit, and the place of a submodule of it."""
    other = Hostile(hostile.around / "other")
    other.commit()
    digest = (other.project.directory / ".git/refs/tags/v1").read_text().strip()
    hostile.commit(("160000", b"lib", digest))
    place = hostile.project.directory / "lib"
    place.mkdir()
    return place


@pytest.mark.parametrize("how", ["a file", "a directory", "a link", "a link above", "a pipe", "nothing in it"])
def test_submodules_are_read_from_where_git_keeps_them(hostile: Hostile, how: str) -> None:
    place = _with_module(hostile)
    away = hostile.around / "other/home/project/.git"
    if how == "a file":
        (place / ".git").write_text(f"gitdir: {away}\n")
    elif how == "a directory":
        away.rename(place / ".git")
    elif how == "a link":
        (place / ".git").symlink_to(away)
    elif how == "a link above":
        place.rmdir()
        place.symlink_to(away.parent)
    elif how == "a pipe":
        os.mkfifo(place / ".git")
    else:
        (place / ".git").write_text("gitdir: ../.git/modules\n")
    said = hostile.said("git:v1", ".")
    assert WANTED in said
    assert any("'lib' is left out" in each and "not kept below .git/modules" in each for each in said)


def test_a_link_below_the_modules_leads_nowhere_else(hostile: Hostile) -> None:
    place = _with_module(hostile)
    modules = hostile.project.directory / ".git/modules"
    modules.mkdir()
    (modules / "lib").symlink_to(hostile.around / "other/home/project/.git")
    (place / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert any("not kept below" in each for each in hostile.said("git:v1", "."))


def test_a_submodule_with_settings_of_its_own(hostile: Hostile) -> None:
    place = _with_module(hostile)
    modules = hostile.project.directory / ".git/modules"
    modules.mkdir()
    (hostile.around / "other/home/project/.git").rename(modules / "lib")
    (place / ".git").write_text("gitdir: ../.git/modules/lib\n")
    with (modules / "lib/config").open("a") as file:
        file.write(f"[core]\n\tfsmonitor = touch {hostile.pwned}\n\tworktree = ../../../lib\n")
    hostile.project.write({f"lib/{name}": text for name, text in FILES.items()})
    assert hostile.said("git:v1", "lib") == [WANTED]


# --- deadlines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", ["sleep 600", "sleep 600 & sleep 600", "exec sleep 600 1>&2"])
def test_git_that_does_not_end_is_ended(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch, script: str, tmp_path: Path
) -> None:
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "git").write_text(f"#!/bin/sh\n{script}\n")
    (bin / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git, "SECONDS", 0.5)
    (said,) = hostile.said()
    assert "has not answered within" in said


def test_git_that_does_not_answer_for_an_object(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hostile.commit()
    true = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "git").write_text(f'#!/bin/sh\ncase "$*" in *cat-file*) exec sleep 600;; esac\nexec {true} "$@"\n')
    (bin / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git, "SECONDS", 2.0)
    assert any("has not answered within" in each for each in hostile.said("git:v1", "api/v1/types.go"))


# --- one place -------------------------------------------------------------------------------------------------------


def test_git_is_run_in_one_place() -> None:
    package = Path(git.__file__).parents[1]
    found = [
        path.relative_to(package).as_posix()
        for path in sorted(package.rglob("*.py"))
        if any(text in path.read_text(encoding="utf-8") for text in ('["git"', '"git", ', 'which("git"'))
    ]
    assert found == ["files/git.py"]


def test_nothing_is_opened_for_writing(hostile: Hostile) -> None:
    """Seen from Python: a run that compares with a revision opens no file for writing, and makes none."""
    hostile.commit(hostile.file(b"../x.go", "package x\n"), hostile.link(b"l.go", "api/v1/types.go"))
    code = """
import os, sys
opened = []
def hook(event, args):
    written = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if written and isinstance(args[0], str) and args[0] != os.devnull:
        opened.append(args[0])
    elif event in ("os.mkdir", "os.symlink", "os.link", "os.rename", "tempfile.mkstemp", "tempfile.mkdtemp"):
        opened.append(event)
from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.settings import Settings
sys.dont_write_bytecode = True
sys.addaudithook(hook)
found = compare(Settings(("api",)), "git:v1")
assert found.diagnostics.items
print(opened)
"""
    home = str(Path(git.__file__).parents[2])
    environ = {**os.environ, "PYTHONPATH": home}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
