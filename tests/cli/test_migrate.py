"""Markers become tags only where nothing changes by it: definitions, verdicts, and all other bytes of the sources."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Done, Program
from validation_gen.commands import migrate
from validation_gen.commands.migrate import objects
from validation_gen.commands.migrate.proof import Prover

HEAD = """\
// +groupName=a.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

"""
KIND = (
    HEAD
    + """\
// Robot works.
type Robot struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

{fields}}}
{more}"""
)
PROJECT = Path(__file__).parents[2] / "testdata" / "markers-to-tags" / "fleet"


@pytest.fixture
def project(program: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    program.write({"go.mod": "module example.com/m\n"})
    monkeypatch.chdir(program.directory)
    return program


def _robot(fields: str, more: str = "") -> str:
    return KIND.format(fields=fields, more=more)


def _write(text: str) -> Path:
    file = Path("v1/types.go")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    return file


def _definitions(project: Program, directory: str, *paths: str) -> dict[str, bytes]:
    done = project("crd", *paths, "-o", directory)
    assert done.code == 0, done.err
    return {file.name: file.read_bytes() for file in Path(directory).glob("*.yaml")}


def _patched(done: Done) -> None:
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=done.out.encode(), check=True)


# --- a project --------------------------------------------------------------------------------------------------------


def test_a_project(project: Program) -> None:
    """The patch applies, what is written is the same, definitions keep their bytes, and nothing is left to be done."""
    files = {file.relative_to(PROJECT).as_posix(): file for file in PROJECT.rglob("*.go")}
    project.write({name: file.read_text(encoding="utf-8") for name, file in files.items()})
    before = _definitions(project, "before", "./api/...")
    assert len(before) == 2
    done = project("convert", "markers", "./api/...", "--format", "concise")
    assert done.code == 0, done.err
    assert "VG552 kept: +kubebuilder:validation:Pattern: no tag checks a pattern" in done.err
    _patched(done)
    after = {name: Path(name).read_text(encoding="utf-8") for name in files}
    want = PROJECT.parent / "want"
    assert after == {name: (want / name).read_text(encoding="utf-8") for name in files}
    assert _definitions(project, "after", "./api/...") == before
    assert project("convert", "markers", "./api/...").out == ""
    again = project("convert", "markers", "./api/...", "--write")
    assert "0 markers rewritten in 0 files" in again.out
    assert after == {name: Path(name).read_text(encoding="utf-8") for name in files}


def test_write_is_what_the_patch_says(project: Program) -> None:
    file = _write(_robot('\t// +kubebuilder:validation:MaxLength=4\n\tA string `json:"a"`\n'))
    patch = project("convert", "markers", "v1").out
    assert "+\t// +k8s:maxLength=4\n" in patch
    before = file.read_bytes()
    assert project("convert", "markers", "v1").out == patch
    assert file.read_bytes() == before
    done = project("convert", "markers", "v1", "--write")
    assert (done.code, done.out) == (0, "1 marker rewritten in 1 file, 0 kept\n")
    assert file.read_bytes() == before.replace(b"kubebuilder:validation:MaxLength", b"k8s:maxLength")


# --- one marker -------------------------------------------------------------------------------------------------------

#: Lines above a field and the field, and the lines that come of them; `None` if they stay.
FIELDS: Mapping[str, tuple[str, str, str | None]] = {
    "a longest text": ("V:MaxLength=4", 'string `json:"a"`', "k8s:maxLength=4"),
    "optional texts": ("optional V:MaxLength=4", 'string `json:"a,omitempty"`', "k8s:optional k8s:maxLength=4"),
    "a least length of a text that must be there": ("V:MinLength=1", 'string `json:"a"`', "k8s:minLength=1"),
    "required and not empty": ("V:Required V:MinLength=1", 'string `json:"a"`', "k8s:required"),
    "required and longer": ("V:Required V:MinLength=3", 'string `json:"a"`', "k8s:required k8s:minLength=3"),
    "required, and the empty text is legal": ("V:Required", 'string `json:"a"`', None),
    "a required pointer": ("V:Required", '*string `json:"a"`', "k8s:required"),
    "an optional text with a least length": ("optional V:MinLength=1", 'string `json:"a,omitempty"`', None),
    "an optional pointer": ("optional V:MinLength=1", '*string `json:"a,omitempty"`', "k8s:optional k8s:minLength=1"),
    "a least number": ("V:Minimum=1", 'int32 `json:"a"`', "k8s:minimum=1"),
    "a least number that zero obeys": ("V:Minimum=0", 'int32 `json:"a,omitempty"`', "k8s:minimum=0"),
    "an optional number above zero": ("V:Minimum=1", 'int32 `json:"a,omitempty"`', None),
    "an optional number below zero": ("V:Maximum=-1", 'int32 `json:"a,omitempty"`', None),
    "an exclusive limit": ("V:Minimum=0 V:ExclusiveMinimum=true", 'int32 `json:"a"`', None),
    "a limit of a float": ("V:Minimum=1", 'float64 `json:"a"`', None),
    "lists": ("V:MinItems=1 V:MaxItems=3", '[]string `json:"a"`', "k8s:minItems=1 k8s:maxItems=3"),
    "items": ("V:items:MaxLength=3", '[]string `json:"a"`', "k8s:eachVal=+k8s:maxLength=3"),
    "least items": ("V:items:MinLength=2", '[]string `json:"a"`', "k8s:eachVal=+k8s:minLength=2"),
    "maps": ("V:MaxProperties=2", 'map[string]string `json:"a"`', "k8s:maxProperties=2"),
    "sets": ("listType=set", '[]string `json:"a"`', "k8s:listType=set"),
    "a struct's properties": ("V:MaxProperties=2", 'struct{} `json:"a"`', None),
    "bytes": ("V:MaxLength=2", '[]byte `json:"a"`', None),
    "a time": ("V:MaxLength=2", 'metav1.Time `json:"a"`', None),
    "patterns": ("V:Pattern=`^a`", 'string `json:"a"`', None),
    "formats": ("V:Format=uuid", 'string `json:"a"`', None),
    "an enum of a field": ("V:Enum=a;b", 'string `json:"a"`', None),
    "twice": ("V:MaxLength=4 V:MaxLength=5", 'string `json:"a"`', None),
    "malformed": ("V:MaxLength=x", 'string `json:"a"`', None),
    "optional alone": ("optional", 'string `json:"a,omitempty"`', None),
    "an optional struct": ("V:Optional", 'struct{} `json:"a,omitempty"`', None),
    "contradictions": ("V:Optional V:Required", '*string `json:"a,omitempty"`', None),
}


def _lines(words: str) -> str:
    return "".join(f"\t// +{word.replace('V:', 'kubebuilder:validation:', 1)}\n" for word in words.split())


@pytest.mark.parametrize("name", FIELDS)
def test_fields(project: Program, name: str) -> None:
    marks, field, tags = FIELDS[name]
    text = _robot(f"\t// A counts.\n{_lines(marks)}\tA {field}\n")
    file = _write(text)
    done = project("convert", "markers", "v1", "--write", "--format", "concise")
    wanted = text if tags is None else text.replace(_lines(marks), _lines(tags))
    assert file.read_text(encoding="utf-8") == wanted
    stays = [word for word in marks.split() if "V:" in word] if tags is None else []
    assert len({line for line in done.err.splitlines() if "VG552 kept: +kubebuilder:" in line}) == len(stays)


#: Rules that differ by values alone, each with the difference: there is a tag, and definitions stay the same.
REFUSED = {
    "a zero": ("optional V:Minimum=1", 'int32 `json:"a,omitempty"`', "accept 0, which the schema refuses"),
    "no number": ("V:Maximum=-1", 'int32 `json:"a,omitempty"`', " 0, which the schema "),
    "an empty text": ("optional V:MinLength=2", 'string `json:"a,omitempty"`', 'accept "", which the schema refuses'),
}
#: Where the fields of a rule are, beside those of other rules.
STRUCTURES = {
    "one struct": ("{before}{middle}{after}", ""),
    "structs below": (
        '\t// +required\n\tOne One `json:"one"`\n\t// +required\n\tTwo Two `json:"two"`\n',
        "\ntype One struct {{\n{before}{middle}}}\n\ntype Two struct {{\n{after}}}\n",
    ),
    "above another struct": (
        '{before}{middle}\t// +required\n\tTwo Two `json:"two"`\n',
        "\ntype Two struct {{\n{after}}}\n",
    ),
    "below a rule": (
        '\t// +required\n\tOne One `json:"one"`\n{after}',
        "\n// +kubebuilder:validation:MinProperties=4\ntype One struct {{\n{before}{middle}}}\n",
    ),
    "items": (
        '{before}\t// +required\n\tList []Item `json:"list"`\n{after}',
        "\ntype Item struct {{\n{middle}}}\n",
    ),
}


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("name", REFUSED)
def test_a_rule_with_other_verdicts_is_refused_alone(
    project: Program, monkeypatch: pytest.MonkeyPatch, name: str, structure: str
) -> None:
    """Objects have values of many rules at once: no other value hides the difference of one of them.

    `--zeros` proposes the rule. The proof does not know of it, and has to find the difference.
    """
    monkeypatch.setattr(objects, "_DRAWN", 0)
    monkeypatch.setattr(migrate, "Prover", lambda settings, before, zeros: Prover(settings, before, zeros=False))
    marks, field, difference = REFUSED[name]
    # One marker a field: the neighbours.
    proved = [(old, go, new) for old, go, new in FIELDS.values() if new is not None and " " not in old]
    half = len(proved) // 2

    def fields(begin: int, end: int, *, tagged: bool) -> str:
        found = ""
        for number, (old, go, new) in enumerate(proved[begin:end], begin):
            member = go.replace('"a', f'"b{number}')
            found += f"\t// B counts.\n{_lines(new if tagged else old)}\tB{number} {member}\n"
        return found

    def text(*, tagged: bool) -> str:
        parts = {
            "before": fields(0, half, tagged=tagged),
            "middle": f"\t// A counts.\n{_lines(marks)}\tA {field}\n",
            "after": fields(half, len(proved), tagged=tagged),
        }
        top, more = (part.format(**parts) for part in STRUCTURES[structure])
        return _robot(top, more)

    assert half >= 4
    file = _write(text(tagged=False))
    done = project("convert", "markers", "v1", "--write", "--zeros", "--format", "concise")
    assert file.read_text(encoding="utf-8") == text(tagged=True), done.err
    kept = [line for line in done.err.splitlines() if "VG552 kept: +kubebuilder:" in line and "Properties" not in line]
    assert [difference in line for line in kept] == [True], kept


ENUM = '\n// +kubebuilder:validation:Enum={values}\ntype Mode string\n\nconst (\n\tX Mode = "x"\n\tY Mode = "y"\n)\n'


@pytest.mark.parametrize(
    ("values", "field", "migrates"),
    [
        ("x;y", 'Mode `json:"a"`', True),
        ("y;x", 'Mode `json:"a"`', False),
        ("x", 'Mode `json:"a"`', False),
        ("x;y", '*Mode `json:"a,omitempty"`', True),
        ("x;y", 'Mode `json:"a,omitempty"`', False),
    ],
)
def test_enums(project: Program, values: str, field: str, migrates: bool) -> None:
    file = _write(_robot(f"\tA {field}\n", ENUM.format(values=values)))
    project("convert", "markers", "v1", "--write")
    text = file.read_text(encoding="utf-8")
    assert ("// +k8s:enum\n" in text, f"Enum={values}" in text) == (migrates, not migrates)


def test_zeros_can_be_accepted(project: Program) -> None:
    field = '\t// +optional\n\tA Mode `json:"a,omitempty"`\n\t// +kubebuilder:validation:Minimum=1\n'
    file = _write(_robot(f'{field}\t// +optional\n\tB int32 `json:"b,omitempty"`\n', ENUM.format(values="x;y")))
    assert project("convert", "markers", "v1").out == ""
    before = _definitions(project, "before", "v1")
    project("convert", "markers", "v1", "--write", "--zeros")
    text = file.read_text(encoding="utf-8")
    assert "kubebuilder" not in text
    assert text.count("+k8s:optional") == 2
    assert _definitions(project, "after", "v1") == before


# --- sources that are odd ---------------------------------------------------------------------------------------------

MARK = "+kubebuilder:validation:MaxLength=4"
ODD = {
    "a syntax error": _robot(f'\t// {MARK}\n\tA string `json:"a"\n'),
    "block comments": _robot(f'\t/* {MARK} */\n\tA string `json:"a"`\n\t/*\n\t{MARK}\n\t*/\n\tB string `json:"b"`\n'),
    "a one-line struct": _robot("", f'\n// {MARK}\ntype S struct {{ A string `json:"a"` }}\n'),
    "behind the field": _robot(f'\tA string `json:"a"` // {MARK}\n'),
    "two names": _robot(f"\t// {MARK}\n\tA, B string\n"),
    "a type that no definition shows": _robot("", f"\n// {MARK}\ntype S string\n"),
    "prose": _robot(f'\t// Write {MARK} here.\n\tA string `json:"a"`\n'),
    "no kind": f'{HEAD}type S struct {{\n\t// {MARK}\n\tA string `json:"a"`\n\tmetav1.Time\n}}\n',
    "generated": f"// Code generated by hand. DO NOT EDIT.\n\n{_robot(f'	// {MARK}	A string')}",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_sources_stay_as_they_are(project: Program, name: str) -> None:
    file = _write(ODD[name])
    before = file.read_bytes()
    assert project("convert", "markers", "v1", "--write").code in (0, 1)
    assert file.read_bytes() == before


def test_ends_of_lines_and_all_else_stay(project: Program) -> None:
    text = _robot(f'\t//   {MARK}  \n\t//\n\t// A é.\n\tA   string `json:"a"` // odd\n').replace("\n", "\r\n")
    file = _write(text)
    done = project("convert", "markers", "v1")
    project("convert", "markers", "v1", "--write")
    assert file.read_bytes() == text.replace("kubebuilder:validation:MaxLength", "k8s:maxLength").encode()
    file.write_bytes(text.encode())
    assert done.out.count("\n-") == 1


def test_links_out_of_the_project_are_not_followed(project: Program, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "types.go"
    other.write_text(_robot(f'\t// {MARK}\n\tA string `json:"a"`\n'), encoding="utf-8")
    Path("v1").mkdir()
    Path("v1/types.go").symlink_to(other)
    before = other.read_bytes()
    done = project("convert", "markers", "v1", "--write")
    assert other.read_bytes() == before
    assert "it is a link that leads out" in done.err


def test_formats_for_programs(project: Program) -> None:
    _write(_robot('\t// +kubebuilder:validation:Pattern=`a`\n\tA string `json:"a"`\n'))
    (finding,) = json.loads(project("convert", "markers", "v1", "--format", "json").out)
    assert (finding["code"], finding["severity"]) == ("VG552", "info")
    assert "VG552" not in project("convert", "markers", "v1", "--quiet").err


def test_a_directory_that_is_not_there(project: Program) -> None:
    assert project("convert", "markers", "nowhere").code == 2


def test_a_value_that_never_changes_is_immutable_where_the_definition_stays(project: Program) -> None:
    rule = '+kubebuilder:validation:XValidation:rule="self == oldSelf"'
    file = _write(
        _robot(
            f'\t// +required\n\t// {rule},message="field is immutable"\n\tA *string `json:"a"`\n'
            f'\t// +required\n\t// {rule},message="never"\n\tB *string `json:"b"`\n'
            f'\t// +optional\n\t// {rule},message="field is immutable"\n\tC *string `json:"c,omitempty"`\n'
        )
    )
    before = _definitions(project, "before", "v1")
    _patched(project("convert", "markers", "v1"))
    text = file.read_text()
    assert text.count("+k8s:immutable") == 1
    assert text.count(rule) == 2
    assert _definitions(project, "after", "v1") == before
