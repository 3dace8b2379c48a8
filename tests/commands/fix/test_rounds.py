"""Which fixes are made. The sources are real, the readers are those of a run, and nothing is written."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.case_folders import inside
from tests.thorough import drawn
from validation_gen.commands.fix import Outcome, mend, write
from validation_gen.compiler.pipeline import build_program
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.sources.recording_fs import override_files

#: Tags that are right where they stand, by the type of the field.
FIELDS = {
    "string": ["+k8s:maxLength=63", '+k8s:format="k8s-short-name"', "+k8s:immutable", "+k8s:minLength=1"],
    "*int32": ["+k8s:minimum=1", "+k8s:maximum=10", "+k8s:ifEnabled(Speed)=+k8s:maximum=5"],
    "[]string": ["+k8s:listType=set", "+k8s:maxItems=5", "+k8s:eachVal=+k8s:maxLength=4", "+k8s:unique=set"],
    "map[string]string": ["+k8s:eachKey=+k8s:maxLength=9", "+k8s:maxProperties=5"],
}


def judge(contents: Mapping[str, bytes]) -> Sequence[Diagnostic]:
    with override_files(contents):
        return build_program(Settings(("v1",), lint=True)).diagnostics.items


def mended(directory: Path, text: str, *, crlf: bool = False) -> Outcome:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "go.mod").write_text("module example.com/m\n")
    (directory / "v1/types.go").write_text(f"package v1\n{text}", newline="\r\n" if crlf else "\n")
    with inside(directory):
        return mend(judge({}), judge)


def struct(*lines: str) -> str:
    return "\n".join(["type Robot struct {", *lines, "}", ""])


def slip(tag: str, random: random.Random) -> str:
    """A tag as somebody writes it in a hurry; sometimes it is still right, sometimes nobody can tell what it means."""
    name = tag.partition("=")[0].partition("(")[0][len("+k8s:") :]
    place = random.randrange(1, len(name) - 1)
    wrong = random.choice(
        [
            name.swapcase(),
            name.lower(),
            name.capitalize(),
            "".join(f"-{c.lower()}" if c.isupper() else c for c in name),
            name[:place] + name[place + 1 :],
            name[:place] + name[place] + name[place:],
            name[:place] + name[place + 1] + name[place] + name[place + 2 :],
            name[:place] + "x" + name[place + 1 :],
            name,
        ]
    )
    tag = tag.replace(f"+k8s:{name}", f"+k8s:{wrong}", 1)
    changes: list[Callable[[str], str]] = [
        lambda text: text,
        lambda text: text.replace("=", " = ", 1),
        _quoted,
        lambda text: text.replace("k8s:", "k8s: ", 1),
        lambda text: f"{text} // why",
    ]
    return random.choice(changes)(tag)


def _quoted(tag: str) -> str:
    head, equals, value = tag.rpartition("=")
    return tag if not equals or value.startswith("+") else f"{head}='{value.strip(chr(34))}'"


@settings(max_examples=drawn(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False), st.booleans())
def test_slips_are_mended_without_harm(tmp_path: Path, random: random.Random, crlf: bool) -> None:
    lines = []
    for number in range(random.randrange(1, 5)):
        type = random.choice(list(FIELDS))
        tags = random.sample(FIELDS[type], random.randrange(1, len(FIELDS[type]) + 1))
        wrong = [slip(tag, random) for tag in tags]
        # Some stand on fields of another type, so that mending the name would bring an error.
        if random.random() < 0.2:
            type = random.choice(list(FIELDS))
        lines += [f"\t// {tag}" for tag in ["+k8s:optional", *wrong, *random.sample(wrong, random.randrange(2))]]
        lines += [f'\tF{number} {type} `json:"f{number},omitempty"`']
    outcome = mended(tmp_path, struct(*lines), crlf=crlf)
    with inside(tmp_path):
        before = judge({})
        problems = Diagnostics()
        assert write(outcome.files, problems) == list(outcome.files)
        after = judge({})
        again = mend(after, judge)
    assert not problems.items
    assert not outcome.diagnostics.items
    errors = [{(d.code, d.message) for d in found if d.severity is Severity.ERROR} for found in (before, after)]
    assert errors[1] <= errors[0]
    assert outcome.fixed or outcome.refused or not any(d.fix for d in before)
    assert (again.files, again.fixed) == ({}, 0)
    text = (tmp_path / "v1/types.go").read_bytes()
    assert text.count(b"\r\n") == (text.count(b"\n") if crlf else 0)
    if outcome.fixed:
        was, left = (Counter((d.code, d.message) for d in found) for found in (before, after))
        gone = Counter((d.code, d.message) for d in outcome.gone)
        assert gone == was - left


def test_what_a_fix_brings_to_light_is_fixed_too(tmp_path: Path) -> None:
    """The two tags are the same only when they are spelt right."""
    outcome = mended(
        tmp_path,
        struct(
            "\t// +k8s:optional", "\t// +k8s:maxLength=5", "\t// +k8s:MaxLength=5", '\tA string `json:"a,omitempty"`'
        ),
    )
    assert outcome.fixed == 2
    (file,) = outcome.files.values()
    assert file.new.count(b"maxLength") == 1
    assert (tmp_path / "v1/types.go").read_bytes() == file.old, "nothing is written"


def test_what_would_bring_an_error_is_left(tmp_path: Path) -> None:
    outcome = mended(
        tmp_path,
        struct(
            "\t// +k8s:optional",
            "\t// +k8s:maxLenght=5",
            '\tA *int32 `json:"a,omitempty"`',
            "\t// +k8s:optional",
            "\t// +k8s:maxLenght=6",
            '\tB string `json:"b,omitempty"`',
        ),
    )
    assert (outcome.fixed, outcome.refused) == (1, 1)
    (file,) = outcome.files.values()
    assert b"maxLenght=5" in file.new
    assert b"maxLength=6" in file.new


def test_an_error_elsewhere_is_found_by_trying(tmp_path: Path) -> None:
    """A list cannot be told twice what it is, and the error is where it is told rightly."""
    outcome = mended(
        tmp_path,
        struct(
            "\t// +k8s:optional",
            "\t// +k8s:listType=atomic",
            '\tA Parts `json:"a,omitempty"`',
            "\t// +k8s:optional",
            "\t// +k8s:MaxLength=5",
            '\tB string `json:"b,omitempty"`',
        )
        + "// +k8s:ListType=set\ntype Parts []string\n",
    )
    assert (outcome.fixed, outcome.refused) == (1, 1)
    (file,) = outcome.files.values()
    assert b"+k8s:ListType" in file.new
    assert b"+k8s:maxLength" in file.new


@pytest.mark.parametrize("number", [1, 2, 9])
def test_lines_that_go(tmp_path: Path, number: int) -> None:
    tags = ["\t// +k8s:required"] * (number + 1)
    outcome = mended(tmp_path, struct(*tags, '\tA string `json:"a"`'))
    (file,) = outcome.files.values()
    assert file.new.decode() == "package v1\n" + struct("\t// +k8s:required", '\tA string `json:"a"`')
    assert outcome.fixed == number


def test_a_file_that_changes_meanwhile(tmp_path: Path) -> None:
    outcome = mended(tmp_path, struct("\t// +k8s:Required", '\tA string `json:"a"`'))
    with inside(tmp_path):
        file = Path("v1/types.go")
        file.write_text("package v1\n// mine\n")
        found = Diagnostics()
        assert write(outcome.files, found) == []
        (problem,) = found.items
        assert (problem.code, problem.severity) == ("VG903", Severity.WARNING)
        assert "has changed while it was read" in problem.message
        assert file.read_text() == "package v1\n// mine\n"


def test_a_file_that_changed_before_it_was_looked_at(tmp_path: Path) -> None:
    mended(tmp_path, struct("\t// +k8s:Required", '\tA string `json:"a"`'))
    with inside(tmp_path):
        findings = judge({})
        file = Path("v1/types.go")
        file.write_text(file.read_text().replace("package v1", "package v1\n"))
        outcome = mend(findings, judge)
        assert outcome.files == {}
        assert [d.code for d in outcome.diagnostics.items] == ["VG903"]
        file.unlink()
        assert [d.code for d in mend(findings, judge).diagnostics.items] == ["VG903"]
