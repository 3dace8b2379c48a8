"""Options from the configuration and the environment, and the commands about them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.conftest import Program

FLAG = """\
package v1

type Switch struct {
	// +k8s:required
	On bool `json:"on"`
}
"""
FILE = "validation-gen.toml"


def shown(program: Program, *args: str, **environ: str) -> dict[str, Any]:
    """What `config show` says of the commands, as data."""
    done = program("config", "show", "--format", "json", *args, **environ)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


# --- what counts -----------------------------------------------------------------------------------------------------


def test_the_inputs_and_the_output_may_stand_in_the_file(project: Program) -> None:
    project.write({FILE: 'inputs = ["apis"]\n[outputs]\npython = "out"\n'})
    done = project()
    assert (done.code, done.err) == (0, "")
    assert "in out" in done.out
    assert (project.directory / "out" / "things" / "v1.py").is_file()
    assert project("generate", "--check").code == 0


def test_several_outputs_in_one_run(project: Program) -> None:
    outputs = '[outputs]\npython = "out"\ncrd = "manifests"\n'
    project.write({FILE: f'inputs = ["apis"]\nemit = ["python", "crd", "jsonschema"]\n{outputs}'})
    done = project()
    assert (done.code, done.err) == (0, "")
    assert list(project.files("manifests")) == ["example.com_things.yaml"]
    assert (project.directory / "out" / "things" / "v1.py").is_file()
    assert (project.directory / "schemas").is_dir()
    assert project("check").code == 0
    (project.directory / "manifests" / "example.com_things.yaml").unlink()
    assert project("check").code == 1
    found = shown(project, "check")["commands"]["generate"]
    assert found["emit"]["value"] == ["crd=manifests", "jsonschema"]


def test_an_output_goes_to_its_place_whoever_asks_for_it(project: Program) -> None:
    outputs = '[outputs]\npython = "out"\ncrd = "manifests"\n[jsonschema]\noutput-dir = "editors"\n'
    project.write({FILE: f'inputs = ["apis"]\n{outputs}'})
    done = project("generate", "--emit", "crd", "--emit", "jsonschema", "--emit", "openapi")
    assert (done.code, done.err) == (0, "")
    assert list(project.files("manifests")) == ["example.com_things.yaml"]
    assert {(project.directory / name).exists() for name in ("editors/schemas", "openapi")} == {True}
    assert not (project.directory / "crds").exists()
    assert project("check", "--emit", "crd", "--emit", "jsonschema").code == 0
    assert project("generate", "--emit", "crd=here").code == 0
    assert list(project.files("here")) == ["example.com_things.yaml"]
    below = Program(project.directory / "apis")
    assert below("check", "--emit", "crd").code == 0
    assert project("check", "--emit", "crd", VALIDATION_GEN_NO_CONFIG="1").code == 2  # no inputs
    assert project("check", "apis", "--emit", "crd", VALIDATION_GEN_NO_CONFIG="1").code == 1


def test_from_a_directory_below(project: Program) -> None:
    project.write({FILE: 'inputs = ["apis"]\n[outputs]\npython = "out"\ncrd = "manifests"\n'})
    below = Program(project.directory / "apis" / "things")
    assert below().code == 0
    assert below("crd").code == 0
    assert project.files("out").keys() >= {"__init__.py", "things/v1.py"}
    assert list(project.files("manifests")) == ["example.com_things.yaml"]


def test_the_order_of_origins(project: Program) -> None:
    project.write({FILE: 'inputs = ["apis"]\ntarget = "1.35"\n[generate]\nlint = false\n'})

    def target(*args: str, **environ: str) -> tuple[str, str, str]:
        found = shown(project, "generate", *args, **environ)["commands"]["generate"]["target"]
        return found["value"], found["source"], found["where"]

    assert target() == ("1.35", "file", f"{FILE}:2")
    assert target(VALIDATION_GEN_TARGET="1.36") == ("1.36", "environment", "VALIDATION_GEN_TARGET")
    both = {"VALIDATION_GEN_TARGET": "1.36", "VALIDATION_GEN_GENERATE_TARGET": "1.34"}
    assert target(**both) == ("1.34", "environment", "VALIDATION_GEN_GENERATE_TARGET")
    assert target("--target", "1.37", **both) == ("1.37", "command line", "command line")
    assert target(VALIDATION_GEN_TARGET="")[1] == "file"


def test_variables_alone(project: Program) -> None:
    done = project(VALIDATION_GEN_INPUTS="apis", VALIDATION_GEN_OUTPUT_DIR="out", VALIDATION_GEN_QUIET="true")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (project.directory / "out").is_dir()
    done = project(
        "crd", VALIDATION_GEN_INPUTS="apis", VALIDATION_GEN_CRD_OUTPUT_DIR="m", VALIDATION_GEN_OUTPUT_DIR="x"
    )
    assert (done.code, done.err) == (0, "")
    assert (project.directory / "m").is_dir()


def test_a_format_of_other_commands_is_passed_over(project: Program) -> None:
    project.write({"tests.jsonl": ""})
    project.write({FILE: 'format = "concise"\n'})
    done = project("coverage", "apis", "--tests", "tests.jsonl", VALIDATION_GEN_FORMAT="full")
    assert "Error" not in done.err
    assert "Invalid value" in project("coverage", "apis", "--tests", "tests.jsonl", VALIDATION_GEN_FORMAT="nope").err


def test_a_list_on_the_command_line_replaces_the_one_in_the_file(project: Program) -> None:
    project.write({FILE: 'inputs = ["nowhere"]\nreadonly-pkg = ["a", "b"]\n'})
    found = shown(project, "generate", "apis", "--readonly-pkg", "c")["commands"]["generate"]
    assert found["inputs"]["value"] == ["apis"]
    assert found["readonly-pkg"]["value"] == ["c"]


def test_another_file_or_none(project: Program) -> None:
    project.write({FILE: 'target = "1.63"\n', "ci/other.toml": 'inputs = ["../apis"]\n[outputs]\npython = "out"\n'})
    for args in (["--config", "ci/other.toml"], ["--config=ci/other.toml"], ["generate", "--config", "ci/other.toml"]):
        done = project(*args)
        assert (done.code, done.err) == (0, ""), args
    assert (project.directory / "ci" / "out").is_dir()
    assert project(VALIDATION_GEN_CONFIG="ci/other.toml").code == 0
    assert project("apis").code == 2
    for args in (["--no-config", "apis"], ["apis", "--no-config"], ["--no-config", "crd", "apis"]):
        assert project(*args).code == 0, args
    assert project("apis", VALIDATION_GEN_NO_CONFIG="1").code == 0
    assert "cannot read" in project("apis", "--config", "nowhere.toml").err
    assert "cannot read" in project("apis", "--config", ".").err


def test_a_file_that_is_given_wins_over_a_variable_that_wants_none(project: Program) -> None:
    project.write({"other.toml": 'inputs = ["apis"]\n'})
    assert project("--config", "other.toml", VALIDATION_GEN_NO_CONFIG="1").code == 0
    done = project("apis", "--config", "other.toml", "--no-config")
    assert done.code == 2
    assert "leave one of them out" in done.err


def test_pyproject_as_the_file_that_is_named(project: Program) -> None:
    project.write({"other/pyproject.toml": "[tool.validation-gen]\ninputs = ['../apis']\n"})
    assert project("--config", "other/pyproject.toml").code == 0


def test_two_files(project: Program) -> None:
    project.write({FILE: "inputs = ['apis']\n", "pyproject.toml": "[tool.validation-gen]\n"})
    done = project()
    assert done.code == 2
    assert "both configure" in done.err
    assert "pyproject.toml:1:7" in done.err


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_nothing_names_an_input(project: Program) -> None:
    done = project("generate")
    assert done.code == 2
    assert "PATH" in done.err
    assert "inputs = " in done.err
    assert "Usage" in project().out + project().err


def test_a_mistake_has_its_line_and_a_caret(project: Program) -> None:
    project.write({FILE: '# first\ninputs = ["apis"]\ntarget = "1.63"\n'})
    for args in ([], ["generate"], ["crd"], ["validate", "apis", "-f", "x.yaml"], ["config", "show"]):
        done = project(*args)
        assert done.code == 2, args
        assert '3 | target = "1.63"\n  |          ^^^^^^\n' in done.err
        assert "did you mean" in done.err


@pytest.mark.parametrize("format", ["json", "concise"])
def test_mistakes_in_another_format(project: Program, format: str) -> None:
    project.write({FILE: 'tagret = "1.36"\n'})
    done = project("apis", "--format", format)
    assert done.code == 2
    if format == "json":
        (found,) = json.loads(done.out)
        assert found["code"] == "VG906"
    else:
        assert done.err.startswith(f"{FILE}:1:1: error VG906")


@pytest.mark.parametrize("format", ["text", "full"])
def test_mistakes_told_by_a_command_with_a_report(project: Program, format: str) -> None:
    """`text` is a former name of `full`, for findings about the configuration, too."""
    project.write({FILE: "nothing = 1\n", "seen.jsonl": ""})
    done = project("coverage", "apis", "--tests", "seen.jsonl", "--format", format)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error[VG906]: there is no key nothing\n")


def test_a_value_that_only_the_command_can_judge(project: Program) -> None:
    project.write({FILE: 'inputs = ["apis"]\n\n[modules]\n"example.com/other" = "nowhere"\n'})
    done = project()
    assert done.code == 2
    assert f"{FILE}:3:2" in done.err
    assert "nowhere is not a directory" in done.err
    done = project("apis", VALIDATION_GEN_NO_CONFIG="1", VALIDATION_GEN_MODULE="a=nowhere")
    assert done.code == 2
    assert "VALIDATION_GEN_MODULE" in done.err


def test_an_empty_variable_does_not_hide_the_other(project: Program) -> None:
    project.write({FILE: "x = 1\n"})
    done = project("apis", VALIDATION_GEN_GENERATE_FORMAT="", VALIDATION_GEN_FORMAT="json")
    assert done.code == 2
    assert json.loads(done.out)[0]["code"] == "VG906"


def test_a_key_is_told_as_the_file_has_it(project: Program) -> None:
    project.write({FILE: 'modules = { "a" = "nowhere" }\n'})
    done = project("apis")
    assert "error[VG906]: modules: nowhere is not a directory" in done.err
    assert "give --module on the command line" in done.err


def test_show_takes_the_words_of_a_command(project: Program) -> None:
    assert list(shown(project, "crd", "lint")["commands"]) == ["crd-lint"]
    assert list(shown(project, "crd", "generate", "apis")["commands"]) == ["crd"]
    assert "explain takes nothing from a configuration" in project("config", "show", "explain").err


def test_explain_and_init_do_not_need_a_sound_configuration(project: Program) -> None:
    project.write({FILE: "x = \n"})
    assert project("explain", "VG906").code == 0
    assert project("config", "show").code == 2


# --- lint ------------------------------------------------------------------------------------------------------------


def test_levels_and_suppressions(program: Program) -> None:
    program.write({"go.mod": "module m\n", "v1/types.go": FLAG})
    head = 'inputs = ["v1"]\n'
    cases = {
        "": (0, "warning[VG411]"),
        '[lint]\nVG411 = "error"\n': (1, "error[VG411]"),
        '[lint]\nrequired-bool = "off"\n': (0, ""),
        '[[suppressions]]\ncodes = ["VG411"]\nfiles = ["v1/*.go"]\nreason = "one-way"\n': (0, ""),
        '[[suppressions]]\ncodes = ["VG411"]\nfiles = ["v1/*.go"]\n': (0, "warning[VG498]"),
        '[[suppressions]]\ncodes = ["VG411"]\nfiles = ["v2/*.go"]\nreason = "a"\n': (0, "warning[VG499]"),
    }
    for text, (code, said) in cases.items():
        program.write({FILE: head + text})
        # The second run answers from what the first has kept, and the check as well.
        for args in ((), (), ("generate", "--check")):
            done = program(*args, VALIDATION_GEN_CACHE_DIR=str(program.directory / "kept"))
            assert (done.code, said in done.err) == (code, True), (text, args, done)
            if not said:
                assert done.err == ""
    assert f"--> {FILE}:2:3" in done.err


def test_a_run_that_reads_a_part_says_nothing_of_other_files(program: Program) -> None:
    program.write({"go.mod": "module m\n", "v1/types.go": FLAG, "v2/types.go": FLAG.replace("v1", "v2")})
    entry = '[[suppressions]]\ncodes = ["VG411"]\nfiles = ["{}"]\nreason = "one-way"\n'
    program.write({FILE: 'inputs = ["v1", "v2"]\n' + entry.format("v1") + entry.format("v2")})
    assert program().err == ""
    assert program("v2").err == ""


# --- the commands ----------------------------------------------------------------------------------------------------


def test_show_as_text(project: Program) -> None:
    project.write(
        {
            FILE: 'inputs = ["apis"]\n[lint]\nVG411 = "off"\n[handwritten]\nThing = "a:b"\n'
            '[[suppressions]]\ncodes = ["VG404"]\nfiles = ["apis"]\nreason = "old"\n'
        }
    )
    done = project("config", "show", "crd-lint", VALIDATION_GEN_QUIET="1")
    assert (done.code, done.err) == (0, "")
    assert [" ".join(line.split()) for line in done.out.splitlines()] == [
        f"configuration: {FILE}",
        "",
        "crd-lint",
        "inputs - default",
        "jobs 0 default",
        "max-description - default",
        'target "1.37" default',
        'format "full" default',
        "quiet true VALIDATION_GEN_QUIET",
        "",
        "lint",
        "VG411 off",
        "",
        "suppressions",
        f"VG404 in apis: old {FILE}:6",
        "",
        "handwritten",
        f"Thing a:b {FILE}:5",
    ]


def test_show_all(project: Program) -> None:
    assert shown(project)["file"] is None
    assert {"generate", "compare", "crd"} <= shown(project)["commands"].keys()
    done = project("config", "show", "genrate")
    assert done.code == 2
    assert "did you mean generate?" in done.err
    assert project("config", "show", "generate", "--nope").code == 2
    project.write({"a.toml": "quiet = true\n"})
    found = shown(project, "--config", "a.toml", "generate")
    assert found["commands"]["generate"]["quiet"]["where"] == "a.toml:1"


def test_schema(project: Program) -> None:
    done = project("config", "schema")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["properties"]["inputs"]["type"] == "array"
    done = project("config", "schema", "--format", "markdown")
    assert "| `inputs` |" in done.out


def test_handwritten_validators_from_the_file_that_is_named(comparison: Any) -> None:
    """What `--config` names counts also for what is no option."""
    program: Program = comparison.program
    program.write({"other.toml": '[handwritten]\n"Nothing" = "missing_module:f"\n', "o.yaml": ""})
    done = program("compare", "apis", "-f", "o.yaml", "--config", "other.toml")
    assert "missing_module" in done.err or "Nothing" in done.err


def test_a_directory_that_is_gone(project: Program) -> None:
    gone = f'd=$(mktemp -d) && cd "$d" && rmdir "$d" && "{sys.executable}" -m validation_gen'
    inputs = project.directory / "apis"
    for args in (f"validate {inputs} -f {inputs}/none.yaml", "", "config show"):
        done = subprocess.run(["sh", "-c", f"{gone} {args}"], env=project.environ(), capture_output=True, check=False)
        assert b"Traceback" not in done.stderr


def test_values_that_are_no_values(project: Program) -> None:
    done = project("apis", VALIDATION_GEN_QUIET="maybe")
    assert done.code == 2
    assert "VALIDATION_GEN_QUIET" in done.err
    assert project("apis", "--config", "").code == 2
    assert "VALIDATION_GEN_TARGET" in project("apis", VALIDATION_GEN_TARGET="9").err
