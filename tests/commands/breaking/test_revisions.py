"""Old states: revisions and directories, and what is said when one cannot be had."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.commands.breaking.conftest import Project, api, short
from validation_gen.commands.breaking.run import Comparison, compare
from validation_gen.compiler.settings import Settings

OLD = api('// +k8s:maxLength=10\nName string `json:"name,omitempty"`')
NEW = api('// +k8s:maxLength=5\nName string `json:"name,omitempty"`')
DOC = "// +groupName=example.com\npackage v1\n"
WANTED = ["error VG705 name: maxLength is 5, it was 10"]
FILES = {"go.mod": "module example.com/m\n", "api/v1/doc.go": DOC}


@pytest.fixture
def repository(project: Project) -> Project:
    """One commit with the tag v1, and a newer work tree."""
    project.commit({**FILES, "api/v1/types.go": OLD}, "v1")
    project.write({"api/v1/types.go": NEW})
    return project


def _found(against: str, *paths: str, modules: dict[str, str] | None = None) -> Comparison:
    return compare(Settings(paths or ("api",), modules=modules or {}), against)


def _said(found: Comparison) -> list[str]:
    return [short(d) for d in found.diagnostics.sorted()]


def test_a_revision_is_read_without_touching_anything(repository: Project) -> None:
    before = repository.git("status", "--porcelain", "--branch"), repository.git("stash", "list")
    index = (repository.directory / ".git/index").read_bytes()
    found = _found("git:v1")
    assert _said(found) == WANTED
    (finding,) = found.diagnostics.items
    places = [str(span) for _, span in finding.notes if span]
    assert places == ["v1:api/v1/types.go:13:5"]
    assert (repository.git("status", "--porcelain", "--branch"), repository.git("stash", "list")) == before
    assert (repository.directory / ".git/index").read_bytes() == index


@pytest.mark.parametrize("ref", ["HEAD", "main", "refs/tags/v1", "v1^0"])
def test_names_of_revisions(repository: Project, ref: str) -> None:
    assert _said(_found(f"git:{ref}")) == WANTED


@pytest.mark.parametrize("path", ["api", "./api/...", "api/v1", "api/v1/types.go", "."])
def test_names_of_paths(repository: Project, path: str) -> None:
    found = _found("git:v1", path)
    assert [d.code for d in found.diagnostics.items] == ["VG705"]


def test_absolute_paths_and_other_directories(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert _said(_found("git:v1", str(repository.directory / "api"))) == WANTED


def test_a_path_below(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.directory / "api")
    assert _said(_found("git:v1", "v1")) == WANTED
    assert _said(_found("git:v1", ".")) == WANTED


def test_a_directory_of_a_revision(project: Project) -> None:
    project.commit({f"src/{name}": text for name, text in {**FILES, "api/v1/types.go": OLD}.items()}, "v1")
    project.git("mv", "src/api", "api")
    project.git("mv", "src/go.mod", "go.mod")
    project.write({"api/v1/types.go": NEW})
    assert _said(_found("git:v1:src")) == WANTED


@pytest.mark.parametrize("below", ["nowhere", "../other", "/etc", "api/v1/types.go", "a\0b"])
def test_no_directory_of_a_revision(repository: Project, below: str) -> None:
    (finding,) = _found(f"git:v1:{below}").diagnostics.items
    assert finding.code == "VG910"


def test_paths_elsewhere_are_no_part_of_a_directory(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write({"below/here/x": ""})
    monkeypatch.chdir(repository.directory / "below" / "here")
    (finding,) = _found("git:v1:api", "../../api").diagnostics.items
    assert (finding.code, finding.help) == ("VG910", "start in the directory above")


def test_what_is_new_has_no_old_state(repository: Project) -> None:
    repository.write({"other/v1/doc.go": DOC.replace("example", "other"), "other/v1/types.go": NEW})
    found = _found("git:v1", "other")
    assert _said(found) == ["warning VG716 v1 has no other, so all of it counts as new"]
    assert found.safe == 1


def test_no_such_revision(repository: Project) -> None:
    found = _found("git:v2")
    (finding,) = found.diagnostics.items
    assert (finding.code, finding.message) == ("VG910", "the repository has no revision v2")
    assert "git fetch origin v2" in finding.help


@pytest.mark.parametrize("ref", ["", "-x", "--upload-pack=x"])
def test_no_revision_at_all(repository: Project, ref: str) -> None:
    (finding,) = _found(f"git:{ref}").diagnostics.items
    assert (finding.code, finding.message) == ("VG910", f"{ref!r} is no revision")


def test_shallow_copies_are_told_to_fetch(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit({"api/v1/types.go": NEW}, "v2")
    repository.git("clone", "--quiet", "--depth=1", "--no-tags", f"file://{repository.directory}", "copy")
    monkeypatch.chdir(repository.directory / "copy")
    (finding,) = _found("git:v1").diagnostics.items
    assert finding.help == "this is a shallow copy, which lacks older commits: git fetch --unshallow --tags"
    (finding,) = _found("git:origin/release").diagnostics.items
    assert finding.help.endswith("git fetch --unshallow origin release:refs/remotes/origin/release")
    (finding,) = _found("git:HEAD~1").diagnostics.items
    assert finding.help.endswith("git fetch --unshallow")
    (finding,) = _found("git:0123456789abcdef0123456789abcdef01234567").diagnostics.items
    assert finding.help.endswith("git fetch --unshallow --tags")


def test_no_repository(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write({"api/v1/types.go": NEW, "api/v1/doc.go": DOC})
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.directory.parent))
    (finding,) = _found("git:v1").diagnostics.items
    assert finding.code == "VG910"
    assert finding.message.startswith("api is in no git repository")


def test_no_git(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.directory))
    (finding,) = _found("git:v1").diagnostics.items
    assert "git cannot be run" in finding.message


def test_in_a_hook_of_git(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert _said(_found("git:v1")) == WANTED


def test_two_repositories(repository: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (finding,) = _found("git:v1", "api", str(other)).diagnostics.items
    assert (finding.code, finding.help) == ("VG910", "compare one repository at a time")


def test_types_of_other_directories_of_the_repository(project: Project) -> None:
    shared = 'package shared\n\ntype Part struct {\n\t// +k8s:maxLength=10\n\tName string `json:"name,omitempty"`\n}\n'
    kind = api('Part shared.Part `json:"part,omitempty"`').replace(
        "import metav1", 'import "example.com/m/shared"\nimport metav1'
    )
    project.commit({**FILES, "api/v1/types.go": kind, "shared/types.go": shared}, "v1")
    project.write({"shared/types.go": shared.replace("=10", "=5")})
    assert _said(_found("git:v1")) == ["error VG705 part.name: maxLength is 5, it was 10"]


def test_modules_of_the_repository_are_those_of_the_revision(project: Project) -> None:
    shared = 'package shared\n\ntype Part struct {\n\t// +k8s:maxLength=10\n\tName string `json:"name,omitempty"`\n}\n'
    kind = api('Part shared.Part `json:"part,omitempty"`').replace(
        "import metav1", 'import "other.org/shared"\nimport metav1'
    )
    project.commit({**FILES, "api/v1/types.go": kind, "staging/shared/types.go": shared}, "v1")
    project.write({"staging/shared/types.go": shared.replace("=10", "=5")})
    found = _found("git:v1", modules={"other.org/shared": "staging/shared"})
    assert _said(found) == ["error VG705 part.name: maxLength is 5, it was 10"]


def test_submodules_whose_commits_are_at_hand(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    library = Project(tmp_path_factory.mktemp("library"))
    library.commit({**FILES, "v1/doc.go": DOC, "v1/types.go": OLD}, "one")
    project.commit({"README": "nothing\n"}, "v0")
    project.git("submodule", "--quiet", "add", str(library.directory), "library")
    project.commit({}, "v1")
    inner = Project(project.directory / "library")
    inner.commit({"v1/types.go": NEW}, "two")
    assert _said(_found("git:v1", ".")) == WANTED
    assert _said(_found("git:one", "library/v1")) == WANTED  # a revision of the submodule's own repository


def test_links_stay_inside(project: Project) -> None:
    project.write({"api/v1/doc.go": DOC, "real/types.go": OLD})
    Path("api/v1/types.go").symlink_to("../../real/types.go")
    Path("api/v1/away.go").symlink_to("/etc/passwd")
    Path("api/v1/up.go").symlink_to("../../../../up.go")
    project.commit({}, "v1")
    Path("api/v1/away.go").unlink()
    Path("api/v1/up.go").unlink()
    project.write({"real/types.go": NEW})
    left_out = "warning VG716 'api/v1/{}.go' is left out of the old state: it leads out of the repository"
    assert _said(_found("git:v1")) == [*WANTED, left_out.format("away"), left_out.format("up")]


def test_names_that_are_no_text(project: Project) -> None:
    project.write({"api/v1/doc.go": DOC, "api/v1/types.go": OLD})
    strange = os.fsencode(project.directory) + b"/api/v1/\xff b.go"
    try:
        Path(os.fsdecode(strange)).write_text("package v1\n")
    except OSError:
        pytest.skip("the file system has no such names")
    project.commit({}, "v1")
    Path(os.fsdecode(strange)).unlink()
    project.write({"api/v1/types.go": NEW})
    assert _said(_found("git:v1")) == WANTED


# --- directories -----------------------------------------------------------------------------------------------------


def test_a_directory_with_the_same_paths(project: Project) -> None:
    assert [d.code for d in project.compare(OLD, NEW).diagnostics.items] == ["VG705"]


def test_a_revision_without_git(repository: Project) -> None:
    (finding,) = _found("v1").diagnostics.items
    assert finding.help == "name a directory, or a revision: git:v1"


def test_a_directory_in_place_of_the_only_path(project: Project) -> None:
    project.write({"old/types.go": OLD, "old/doc.go": DOC, "api/v1/types.go": NEW, "api/v1/doc.go": DOC})
    found = _found("old", "api/v1")
    assert _said(found) == WANTED
    assert [str(span) for _, span in found.diagnostics.items[0].notes if span] == ["old/types.go:13:5"]


@pytest.mark.parametrize("name", ["missing", "api/v1/types.go", "bad\0name", "x" * 5000])
def test_no_directory(project: Project, name: str) -> None:
    project.write({"api/v1/types.go": NEW, "api/v1/doc.go": DOC})
    (finding,) = _found(name).diagnostics.items
    assert finding.code == "VG910"


def test_several_paths_must_be_there(project: Project) -> None:
    project.write({"api/v1/types.go": NEW, "b/v1/types.go": NEW, "old/api/v1/types.go": OLD})
    (finding,) = _found("old", "api", "b").diagnostics.items
    assert (finding.code, finding.message) == ("VG910", "old has no b")


def test_python_classes(project: Project) -> None:
    source = (
        "from dataclasses import dataclass\nfrom typing import Annotated\n\n"
        "from validation_gen.tags import MaxLength\n\n\n"
        "@dataclass\nclass Robot:\n    name: Annotated[str, MaxLength({})]\n"
    )
    project.write({"old/robots.py": source.format(10), "robots.py": source.format(5)})
    found = _found("old", "robots.py")
    assert [d.code for d in found.diagnostics.items] == ["VG705"]
    assert "maxLength is 5, it was 10" in found.diagnostics.items[0].message
