"""`lint --fix`: what is printed, what is written, and what is never touched."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.documents import sarif_of

TYPES = """\
package v1

type Robot struct {
	// +k8s:required
	// +k8s:maxLenght = 63
	Name string `json:"name"`
}
"""
MENDED = TYPES.replace("maxLenght = 63", "maxLength=63")
DIFF = "\n".join(
    [
        "--- a/v1/types.go",
        "+++ b/v1/types.go",
        "@@ -2,6 +2,6 @@",
        " ",
        " type Robot struct {",
        " \t// +k8s:required",
        "-\t// +k8s:maxLenght = 63",
        "+\t// +k8s:maxLength=63",
        ' \tName string `json:"name"`',
        " }",
        "",
    ]
)


@pytest.fixture
def robots(program: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    program.write({"go.mod": "module example.com/m\n", "v1/types.go": TYPES})
    monkeypatch.chdir(program.directory)
    monkeypatch.setenv("VALIDATION_GEN_CACHE_DIR", str(program.directory / "kept"))
    return program


def test_fix(robots: Program) -> None:
    command = "lint"
    told = "1 error, [*] 1 fixable with `lint --fix`\n"
    assert robots(command, "v1").err.endswith(told)
    assert robots(command, "v1").err.endswith(told), "from what is kept"
    done = robots(command, "v1", "--fix")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{DIFF}fixed 1 finding in 1 file\n1 package, 1 type, 2 rules: ")
    assert Path("v1/types.go").read_text() == MENDED
    again = robots(command, "v1", "--fix")
    assert again.out.startswith("fixed no findings\n1 package")
    assert Path("v1/types.go").read_text() == MENDED


def test_only_the_difference(robots: Program) -> None:
    command = "lint"
    before = robots.files()
    done = robots(command, "v1", "--fix", "--diff")
    assert (done.code, done.out, done.err) == (1, DIFF, "would fix 1 finding in 1 file\n")
    assert robots.files() == before
    Path("v1/types.go").write_text(MENDED)
    done = robots(command, "v1", "--fix", "--diff")
    assert (done.code, done.out, done.err) == (0, "", "would fix no findings\n")
    assert not Path("generated").exists()


def test_the_difference_is_a_patch(robots: Program) -> None:
    Path("v1/types.go").write_bytes(TYPES.encode().replace(b"\n", b"\r\n").rstrip())
    done = robots("lint", "v1", "--fix", "--diff", "--quiet")
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply", "-"], input=done.out.encode(), check=True)
    assert Path("v1/types.go").read_bytes() == MENDED.encode().replace(b"\n", b"\r\n").rstrip()


def test_what_is_left(robots: Program) -> None:
    Path("v1/types.go").write_text(TYPES + "\ntype B struct {\n\t// +k8s:maxLenght=5\n\t// +k8s:nope\n\tA *int32\n}\n")
    done = robots("lint", "v1", "--fix", "--format", "concise")
    assert done.code == 1
    assert "fixed 1 finding in 1 file; 1 finding left, as the fix would bring an error\n" in done.out
    assert "unknown tag +k8s:nope" in done.err
    assert "unknown tag +k8s:maxLenght" in done.err
    assert done.err.endswith("1 error, 1 warning\n")
    Path("v1/types.go").write_text(TYPES + "\ntype B struct {\n\t// +k8s:maxLength=5\n\tA *int32\n}\n")
    done = robots("lint", "v1", "--fix", "--diff")
    assert done.code == 1
    assert done.err.endswith("1 error, 2 warnings\nwould fix 1 finding in 1 file\n")


def test_machine_formats_have_no_text_around(robots: Program) -> None:
    done = robots("lint", "v1", "--fix", "--format", "json")
    assert (done.code, done.out, done.err) == (0, "[]\n", "")
    assert Path("v1/types.go").read_text() == MENDED


@pytest.mark.parametrize(
    "content",
    [
        TYPES.encode().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + TYPES.encode(),
        TYPES.encode().rstrip(),
        TYPES.encode().replace(b"package v1", "package v1 // größer, 👀\t ".encode()),
    ],
    ids=["CRLF", "BOM", "no newline at the end", "umlauts"],
)
def test_all_other_bytes_stay(robots: Program, content: bytes) -> None:
    Path("v1/types.go").write_bytes(content)
    assert robots("lint", "v1", "--fix").code == 0
    assert Path("v1/types.go").read_bytes() == content.replace(b"maxLenght = 63", b"maxLength=63")


def test_modes_and_links_stay(robots: Program) -> None:
    target = Path("elsewhere.go.txt")
    Path("v1/types.go").rename(target)
    target.chmod(0o640)
    Path("v1/types.go").symlink_to("../elsewhere.go.txt")
    assert robots("lint", "v1", "--fix").code == 0
    assert Path("v1/types.go").is_symlink()
    assert target.read_text() == MENDED
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in Path("v1").iterdir()) == ["types.go"]


@pytest.mark.parametrize("is_project", [True, False])
def test_a_link_that_is_named_is_followed_to_another_project_alone(
    robots: Program, tmp_path_factory: pytest.TempPathFactory, is_project: bool
) -> None:
    other = tmp_path_factory.mktemp("other")
    Path("v1/types.go").rename(other / "types.go")
    if is_project:
        (other / "go.mod").write_text("module example.com/other\n")
    Path("linked").symlink_to(other)
    if is_project:
        assert "fixed 1 finding in 1 file\n" in robots("lint", "linked", "--fix").out
    else:
        found = kept(robots, "linked")
        assert f"it is a link that leads out of {robots.directory}" in found
    assert (other / "types.go").read_text() == (MENDED if is_project else TYPES)


def kept(robots: Program, *args: str) -> str:
    """Why a file is not touched."""
    before = robots.files("v1")
    done = robots("lint", *args, "--fix", "--format", "concise")
    assert done.code == int(" error VG103 " in done.err)
    assert done.out == "fixed no findings\n"
    assert robots.files("v1") == before
    (line,) = [line for line in done.err.splitlines() if "VG903" in line]
    return line


def test_read_only_files(robots: Program) -> None:
    Path("v1/types.go").chmod(0o444)
    assert kept(robots, "v1") == (
        "v1/types.go: warning VG903 nothing is fixed in this file: it is read-only (fix it by hand)"
    )


def test_generated_files(robots: Program) -> None:
    Path("v1/types.go").write_text(f"// Code generated by robots. DO NOT EDIT.\n\n{TYPES}")
    assert "it is generated; fix its source" in kept(robots, "v1")


USER = """\
package v2

import "example.com/m/v1"

type User struct {
	// +k8s:required
	// +k8s:maxLength=1
	A string `json:"a"`
	R v1.Robot `json:"r"`
}
"""
#: An error in a type that others use is told wherever it stands.
FAULTY = TYPES.replace("maxLenght = 63", 'maxLength="63"')


def test_packages_of_others(robots: Program) -> None:
    robots.write({"v1/types.go": FAULTY, "v2/types.go": USER})
    before = robots.files("v1")
    for args in (["v2"], [".", "--readonly-pkg", "example.com/m/v1"]):
        assert "[*]" not in robots("lint", *args).err
        done = robots("lint", *args, "--fix", "--format", "concise")
        assert (done.code, done.out) == (1, "fixed no findings\n")
        message = "it belongs to package example.com/m/v1, which is read and not generated for"
        assert message in done.err
        assert robots.files("v1") == before
    assert robots("lint", ".", "--fix").code == 0
    assert robots.files("v1")["types.go"] == FAULTY.replace('"63"', "63").encode()


def test_other_modules_and_vendored_ones(robots: Program) -> None:
    robots.write(
        {
            "other/go.mod": "module example.com/other\n",
            "other/v1/types.go": FAULTY,
            "vendor/example.com/copy/v1/types.go": FAULTY,
            "vendor/modules.txt": "# example.com/copy v1.0.0\n## explicit\nexample.com/copy/v1\n",
            "v1/types.go": USER.replace("package v2", "package v1").replace("example.com/m/v1", "example.com/other/v1"),
            "v2/types.go": USER.replace("example.com/m/v1", "example.com/copy/v1"),
        }
    )
    before = robots.files()
    done = robots("lint", "v1", "v2", "--module", "example.com/other=other", "--fix", "--format", "concise")
    assert "other/v1/types.go: warning VG903" in done.err
    assert "vendor/example.com/copy/v1/types.go: warning VG903" in done.err
    assert robots("lint", "vendor/example.com/copy", "--fix", "--no-cache").out == "fixed no findings\n"
    robots("lint", "v1", "v2", "--module", "example.com/other=other")
    assert {name: text for name, text in robots.files().items() if "kept/" not in name} == before


MODULE = """\
# coding: latin-1
from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import MaxLength


@dataclass
class Robot:
    # é
    # +k8s:Required
    name: Annotated[str, MaxLength(5)]
    # +k8s:optional
    size: int | None  # +k8s:Minimum=1
    # validation-gen:ignore VG411 was needed once
    # +k8s:optional
    color: str | None
    # +k8s:optional
    # +k8s:optional
    kind: str | None
"""


def test_python(robots: Program) -> None:
    Path("robots.py").write_bytes(MODULE.encode("latin-1"))
    done = robots("lint", "robots.py", "--fix")
    assert "fixed 4 findings in 1 file\n" in done.out
    wanted = MODULE.replace("Required", "required").replace("Minimum", "minimum")
    wanted = wanted.replace("    # validation-gen:ignore VG411 was needed once\n", "")
    wanted = wanted.replace("    # +k8s:optional\n    # +k8s:optional\n", "    # +k8s:optional\n")
    assert Path("robots.py").read_bytes() == wanted.encode("latin-1")
    assert (done.code, done.err) == (0, "")


def test_suppressions(robots: Program) -> None:
    Path("v1/types.go").write_text(
        """\
package v1

// +k8s:validation-gen-nolint # was needed once
type Robot struct {
	// validation-gen:ignore VG411, VG417 a one-way switch
	// +k8s:required
	A bool `json:"a"` // validation-gen:ignore VG403 was needed once
	// validation-gen:ignore vg411 a one-way switch
	// +k8s:required
	B bool `json:"b"`
}

// validation-gen:ignore VG411 of a type that is gone
"""
    )
    done = robots("lint", "v1", "--fix", "--format", "concise")
    assert "unused suppression: no lint finding here" in done.err
    assert done.err.endswith("1 warning\n")
    assert Path("v1/types.go").read_text() == (
        """\
package v1

// +k8s:validation-gen-nolint # was needed once
type Robot struct {
	// validation-gen:ignore VG411 a one-way switch
	// +k8s:required
	A bool `json:"a"`
	// validation-gen:ignore VG411 a one-way switch
	// +k8s:required
	B bool `json:"b"`
}

"""
    )


def test_markers(robots: Program) -> None:
    text = MENDED.replace("\t// +k8s:required", "\t// +k8s:required\n\t// +kubebuilder:validation:MaxLenght=70")
    Path("v1/types.go").write_text(text)
    done = robots("lint", "v1")
    assert "warning[VG521]" in done.err
    assert "[*] 1 fixable with `lint --fix`\n" in done.err
    assert "fixed 1 finding" in robots("lint", "v1", "--fix").out
    assert "validation:MaxLength=70" in Path("v1/types.go").read_text()


def test_what_markers_mean(robots: Program) -> None:
    text = MENDED.replace("\t// +k8s:required", "\t// +k8s:required\n\t// +kubebuilder:validation:Minimum=70")
    Path("v1/types.go").write_text(text)
    assert "error[VG525]" in robots("lint", "v1").err
    Path("v1/types.go").write_text(text.replace("validation:Minimum=70", "resource:scope=Cluster"))
    assert robots("lint", "v1").err == ""
    assert "VG522" in robots("lint", "v1", "--markers").err


def test_max_warnings(robots: Program) -> None:
    Path("v1/types.go").write_text(Path("v1/types.go").read_text().replace("maxLenght", "xyzzyz"))
    assert robots("lint", "v1", "--max-warnings", "1").code == 0
    done = robots("lint", "v1", "--max-warnings", "0")
    assert done.code == 1
    assert done.err.endswith("more than 0 warnings\n")


def test_lint_writes_nothing(robots: Program) -> None:
    before = robots.files()
    done = robots("lint", "v1", "--no-cache")
    assert done.code == 1
    assert robots.files() == before
    Path("v1/types.go").write_text(FAULTY)
    assert robots("lint", "v1").code == 1
    Path("v1/types.go").write_text(TYPES.replace("\t// +k8s:required\n", "").replace("maxLenght = 63", "maxLength=63"))
    assert robots("lint", "v1").code == 0
    assert robots("lint", "v1", "--strict-lint").code == 1
    done = robots("lint", "nowhere")
    assert done.code == 2


def test_nothing_to_look_at(robots: Program) -> None:
    robots.write({"bare/types.go": "package bare\n"})
    done = robots("lint", "bare")
    assert (done.code, "error[VG902]: no types are declared in or below `bare`" in done.err) == (2, True)


def test_what_a_type_refers_to_is_nothing_that_was_asked_for(robots: Program) -> None:
    meta = 'import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"'
    robots.write({"bare/types.go": f"package bare\n\n{meta}\n\ntype Thing struct {{\n\tmetav1.ObjectMeta\n}}\n"})
    done = robots("generate", "bare")
    assert (done.code, "warning[VG902]: no package here has +k8s: tags" in done.err) == (0, True)


def test_a_link_to_nowhere(robots: Program) -> None:
    robots.directory.joinpath("v1/gone.go").symlink_to("nowhere.go")
    done = robots("lint", "v1")
    assert done.code == 2
    assert "VG901" in done.err
    assert "help: check where it leads to, and the permissions" in done.err


def test_options_that_contradict_each_other(robots: Program) -> None:
    done = robots("lint", "v1", "--diff")
    assert done.code == 2
    assert "--diff" in done.err
    assert Path("v1/types.go").read_text() == TYPES


def test_a_directory_that_cannot_be_written(robots: Program) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    Path("v1").chmod(0o555)
    try:
        done = robots("lint", "v1", "--fix")
    finally:
        Path("v1").chmod(0o755)
    assert done.code == 2
    assert "VG903" in done.err


@pytest.mark.process
def test_colors_on_a_terminal(robots: Program) -> None:
    Path("v1/types.go").write_text(TYPES.replace("\tName", "\t// \x1b[31m evil\n\tName"))
    leader, follower = pty.openpty()
    with subprocess.Popen(
        robots.command("lint", "v1", "--fix", "--diff"),
        env=robots.environ(),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(follower)
        shown = b""
        try:
            while chunk := os.read(leader, 4096):
                shown += chunk
        except OSError:  # the other side has ended
            pass
        process.wait()
    os.close(leader)
    assert b"\x1b[32m+\t// +k8s:maxLength=63\x1b[0m" in shown
    assert b"\\x1b[31m evil" in shown


def test_programs_are_told_of_fixes(robots: Program) -> None:
    (found,) = json.loads(robots("lint", "v1", "--format", "json").out)
    assert found["fix"] == {
        "title": "write +k8s:maxLength=63",
        "edits": [
            {
                "file": "v1/types.go",
                "line": 5,
                "column": 6,
                "end_column": 24,
                "old": "k8s:maxLenght = 63",
                "new": "k8s:maxLength=63",
                "comment": False,
            }
        ],
    }
    log = sarif_of(robots("lint", "v1", "--format", "sarif").out)
    (fix,) = log["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "v1/types.go"
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"]["text"] == "k8s:maxLength=63"
    assert replacement["deletedRegion"] == {"startLine": 5, "startColumn": 6, "endColumn": 24}
