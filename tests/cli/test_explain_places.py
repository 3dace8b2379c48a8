"""`validation-gen explain PATH FIELD` and `validation-gen explain PATH -f FILE` as people run them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Program

THING = """\
apiVersion: example.com/v1
kind: Thing
metadata: {name: a}
spec: {name: too-long, count: 0, color: red}
"""
OTHERS = """\
apiVersion: example.com/v1
kind: Thing
metadata: {name: b}
spec: {name: ok, color: blue}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: a}
spec: {name: too-long, count: 0, color: green}
"""


@pytest.fixture
def things(project: Program) -> Program:
    (project.directory / "thing.yaml").write_text(THING)
    (project.directory / "others.yaml").write_text(OTHERS)
    return project


def checks(out: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(check["path"], check["tag"]): check for check in json.loads(out)["checks"]}


# --- fields ----------------------------------------------------------------------------------------------------------


def test_a_field(things: Program) -> None:
    done = things("explain", "apis", "Thing.spec.name")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Thing.spec.name: string\n")
    assert "validated for the requests /, /status\n" in done.out
    assert (
        "  2. +k8s:maxLength=5\n"
        "     A string may have at most this many characters.\n"
        "     from the field ThingSpec.name at apis/things/v1/types.go:16:5\n"
        "     gives FieldValueTooLong (maxLength)\n"
        "     stopped by +k8s:required\n"
        "     idiomatic schema: exact\n"
        "       spec.name: maxLength: 5\n"
    ) in done.out


def test_a_field_for_programs(things: Program) -> None:
    done = things("explain", "apis", "Thing.spec.count", "--format", "json")
    assert done.code == 0
    found = json.loads(done.out)
    assert [rule["tag"] for rule in found["rules"]] == ["+k8s:optional", "+k8s:minimum=1"]
    assert found["rules"][1]["schemas"][0]["said"] == [{"path": "spec.count", "keywords": {"minimum": 1}}]


def test_a_type_and_a_field_without_rules(things: Program) -> None:
    assert "  (none)\n" in things("explain", "apis", "Thing").out
    assert "  (none)\n" in things("explain", "apis", "v1.Thing.spec.anything[*]").out


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("Thing.spec.nam", "did you mean name?"),
        ("Thingy", "did you mean Thing"),
        ("Thing.spec.name[*]", "leave [*] away"),
        ("Thing.spec[", "write it like"),
        ("", "write it like"),
    ],
)
def test_a_slip(things: Program, field: str, said: str) -> None:
    done = things("explain", "apis", field)
    assert (done.code, done.out) == (2, "")
    assert "error[VG904]: " in done.err
    assert said in done.err


def test_no_path(things: Program) -> None:
    done = things("explain", "nowhere", "Thing")
    assert done.code == 2
    assert "there is no file or directory nowhere" in done.err
    done = things("explain", "apis")
    assert done.code == 2
    assert "validation-gen explain apis Robot.spec" in done.err


# --- objects ---------------------------------------------------------------------------------------------------------


def test_an_object(things: Program) -> None:
    done = things("explain", "apis", "-f", "thing.yaml", "--option", "Glitter=false")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith('thing.yaml:1: Thing "a", create\n')
    assert (
        'spec.name: "too-long"\n'
        "  held    +k8s:required  apis/things/v1/types.go:15:5\n"
        "  failed  +k8s:maxLength=5  apis/things/v1/types.go:16:5\n"
        "          spec.name: Too long: may not be more than 5 characters\n"
    ) in done.out
    assert "  skipped +k8s:immutable  apis/things/v1/types.go:24:5\n          it runs on updates only\n" in done.out
    assert "the option Glitter is off" in done.out
    assert done.out.endswith("skipped\n")


def test_an_update_finds_the_old_object_by_its_name(things: Program) -> None:
    done = things("explain", "apis", "-f", "thing.yaml", "--old", "others.yaml", "--format", "json")
    assert done.code == 1
    found = checks(done.out)
    assert json.loads(done.out)["old"] == "others.yaml:6"
    assert found["spec.name", "+k8s:maxLength=5"]["why"] == "unchanged"
    assert found["spec.name", "+k8s:maxLength=5"]["because"] == "spec.name"
    assert found["spec.color", "+k8s:immutable"]["status"] == "failed"
    assert found["spec.color", "+k8s:immutable"]["errors"][0]["detail"] == "field is immutable"


def test_one_object_of_several(things: Program) -> None:
    done = things("explain", "apis", "-f", "others.yaml", "--name", "a", "--path", "spec.count")
    assert done.code == 1
    assert done.out.startswith('others.yaml:6: Thing "a", create\nspec.count: 0\n')
    assert done.out.count("\n") == 6
    assert things("explain", "apis", "-f", "others.yaml").out.startswith('others.yaml:1: Thing "b", create\n')


def test_standard_input(things: Program) -> None:
    done = things("explain", "apis", "-f", "-", "--type", "ThingSpec", stdin='{"name": 1}')
    assert done.code == 1
    assert "name: 1\n  failed  (JSON type)\n" in done.out
    assert "must be a string, not an integer" in done.out


def test_another_request(things: Program) -> None:
    done = things("explain", "apis", "-f", "thing.yaml", "--subresource", "scale")
    assert done.code == 1
    assert "Thing is validated for /, /status, and not for /scale" in done.out


def test_what_is_left_out_together_is_one_line_unless_all_is_asked(things: Program) -> None:
    args = ("explain", "apis", "-f", "thing.yaml", "--old", "thing.yaml")
    done = things(*args)
    assert done.code == 0
    assert "checks: spec is as it was\n" in done.out
    assert "+k8s:maxLength=5" not in done.out
    assert "+k8s:maxLength=5" in things(*args, "--all").out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-f", "nowhere.yaml"], "cannot read"),
        (["-f", "thing.yaml", "--name", "b"], "there is a"),
        (["-f", "thing.yaml", "--type", "Thingy"], "did you mean Thing"),
        (["-f", "thing.yaml", "--old", "none.yaml"], "cannot read"),
        (["-f", "-", "--old", "-"], "cannot be for --old"),
        (["-f", "other-kind.yaml"], "no type here has the apiVersion v1 and the kind Pod"),
        (["-f", "broken.yaml"], "VG905"),
        (["--old", "thing.yaml"], "name one by -f"),
        (["--path", "spec"], "name one by -f"),
        (["Thing.spec", "-f", "thing.yaml"], "has no managedFields"),
        (["Thing.spec", "-f", "thing.yaml", "--path", "spec"], "leave FIELD out"),
        (["-f", "thing.yaml", "--option", "x=maybe"], "is not NAME=true or NAME=false"),
    ],
)
def test_wrong_arguments(things: Program, args: list[str], said: str) -> None:
    (things.directory / "other-kind.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    (things.directory / "broken.yaml").write_text("a: [")
    done = things("explain", "apis", *args)
    assert done.code == 2
    assert said in done.err


def test_a_path_that_nothing_is_about(things: Program) -> None:
    done = things("explain", "apis", "-f", "thing.yaml", "--path", "spec.nam")
    assert done.code == 0
    assert "did you mean spec.name" in done.err


def test_deep_objects(things: Program) -> None:
    deep = '{"spec": ' * 300 + "{}" + "}" * 300
    done = things("explain", "apis", "-f", "-", "--type", "Thing", stdin=deep)
    assert done.code in (0, 1)


def test_without_a_path_the_types_are_those_of_the_configuration(things: Program) -> None:
    args = ("explain", "-f", "thing.yaml", "--path", "spec.name")
    here = things(*args)
    assert "failed  +k8s:maxLength=5" in here.out
    things.write({"validation-gen.toml": 'inputs = ["apis"]\ntarget = "1.36"\n', "other/types.go": "package other\n"})
    done = things(*args)
    assert (done.code, done.out, done.err) == (1, here.out, "")
    things.write({"validation-gen.toml": 'inputs = ["nowhere"]\n'})
    assert "there is no file or directory `nowhere`" in things(*args).err
    assert things("explain", "apis", *args[1:]).out == here.out


def test_an_empty_name_of_a_file_is_a_slip(things: Program) -> None:
    for args in (["-f", ""], ["-f", "thing.yaml", "--old", ""]):
        done = things("explain", "apis", *args)
        assert (done.code, done.out) == (2, "")
        assert "the path is empty" in done.err


@pytest.mark.parametrize("args", [["--type", "Thing"], ["--subresource", "status"], ["--level", "alpha"], ["--all"]])
def test_what_is_about_an_object_needs_one(things: Program, args: list[str]) -> None:
    done = things("explain", "apis", "Thing.spec", *args)
    assert (done.code, done.out) == (2, "")
    assert f"Invalid value for {args[0]}: it is about an object: name one by -f" in done.err


def test_sources_are_read_as_configured(things: Program) -> None:
    """So that fields have the rules that the validators have."""
    things.write({"validation-gen.toml": 'target = "1.33"\n'})
    args = ("explain", "apis", "Thing.spec.name")
    assert "raise --target" in things(*args).err
    assert things(*args, "--target", "1.37").err == ""
