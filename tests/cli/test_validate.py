"""`validation-gen validate`: verdicts about manifests, in kubectl's words and as JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.cli.conftest import TYPES, Program
from tests.program import invoke
from validation_gen.compiler.pipeline import Settings, build_program, load_validators

HEAD = "apiVersion: example.com/v1\nkind: Thing\n"
GOOD = f"{HEAD}metadata: {{name: good}}\nspec: {{name: a}}\n"
BAD = f"{HEAD}metadata: {{name: bad}}\nspec: {{name: too long}}\n"
WORSE = f"{HEAD}metadata: {{name: worse}}\nspec: {{count: 0}}\n"
BAD_ERROR = "spec.name: Too long: may not be more than 5 characters"


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    """Runs the program in this process, with the option that the API asks for."""
    arguments = ["validate", "apis", "--option", "Glitter=true", *args]
    return invoke(arguments, stdin)


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_errors_as_kubectl_prints_them(project: Program) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{BAD}---\n# nothing\n---\n{WORSE}"})
    before = project.files()
    done = project("validate", "apis", "-f", "a.yaml", "--option", "Glitter")
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        f'a.yaml:6: The Thing "bad" is invalid: {BAD_ERROR}',
        'a.yaml:13: The Thing "worse" is invalid:',
        "* spec.name: Required value",
        "* spec.count: Invalid value: 0: must be greater than or equal to 1",
        "3 objects: 1 valid, 2 invalid",
    ]
    assert project.files() == before


def test_valid_objects_are_only_counted(project: Program) -> None:
    project.write({"a.yaml": GOOD})
    result = run("-f", "a.yaml")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1 object: 1 valid, 0 invalid\n", "")


def test_json(project: Program) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{BAD}"})
    result = run("-f", "a.yaml", "--format", "json")
    assert (result.exit_code, result.stderr) == (1, "")
    good, bad = json.loads(result.stdout)
    assert good == {
        "file": "a.yaml",
        "line": 1,
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "namespace": "",
        "name": "good",
        "status": "valid",
        "errors": [],
        "warnings": [],
    }
    assert (bad["line"], bad["name"]) == (6, "bad")
    (error,) = bad["errors"]
    assert error["message"] == BAD_ERROR
    assert (error["type"], error["field"], error["origin"]) == ("FieldValueTooLong", "spec.name", "maxLength")


def test_json_of_values_that_json_does_not_like(project: Program) -> None:
    deep = "[" * 990 + "]" * 990
    values = ["1e300", "18446744073709551616", "-0.0", "2.50", '"\\ud800"']
    objects = [
        f'{{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {{"name": "a"}}, "spec": {{"name": [{v}]}}}}'
        for v in [*values, deep]
    ]
    project.write({"a.json": "\n".join(objects[:-1]), "deep.json": objects[-1]})

    def bad_values(*files: str) -> list[Any]:
        result = run(*(arg for file in files for arg in ("-f", file)), "--format", "json")
        assert (result.exit_code, result.stderr) == (1, "")
        verdicts = json.loads(result.stdout, parse_constant=pytest.fail)
        return [error["badValue"] for verdict in verdicts for error in verdict["errors"]]

    assert bad_values("a.json") == [[1e300], [2**64], [0], [2.5], ["\ud800"]]
    last = bad_values("a.json", "deep.json")[-1]
    assert isinstance(last, list) or last == f"[{deep}]"  # as text where it is too deep for Python's JSON
    assert f"spec.name: Invalid value: [{deep}]: must be a string" in run("-f", "deep.json").stdout


def test_updates(project: Program) -> None:
    old = f"{HEAD}metadata: {{name: a, namespace: here}}\nspec: {{name: long ago, color: red}}\n"
    project.write(
        {
            "old/a.yaml": f"{old}---\n{old.replace('name: a', 'name: b')}",
            "new/same.yaml": old,
            "new/changed.yaml": old.replace("red", "blue"),
            "new/renamed.yaml": old.replace("long ago", "longer still"),
            "new/moved.yaml": old.replace("here", "there").replace("red", "blue"),
        }
    )

    def verdict(file: str) -> list[str]:
        result = run("-f", f"new/{file}.yaml", "--old", "old", "--format", "json")
        return [error["message"] for error in json.loads(result.stdout)[0]["errors"]]

    assert verdict("same") == []
    assert verdict("changed") == ["spec.color: Invalid value: null: field is immutable"]
    assert verdict("renamed") == [BAD_ERROR]
    assert verdict("moved") == [BAD_ERROR]  # another object: a create
    assert run("-f", "new/same.yaml", "--old", "old/a.yaml").exit_code == 0


@pytest.mark.parametrize(
    ("path", "valid"), [("/", True), ("", True), ("status", True), ("/status/", True), ("x", False)]
)
def test_subresources(project: Program, path: str, valid: bool) -> None:
    project.write({"a.yaml": GOOD})
    result = run("-f", "a.yaml", "--subresource", path)
    assert (result.exit_code == 0) is valid
    assert valid or "Internal error: no validation found for *v1.Thing, subresource: /x" in result.stdout


def test_objects_that_do_not_name_their_kind(project: Program) -> None:
    project.write({"a.yaml": "name: too long\n"})
    for type in ("ThingSpec", "v1.ThingSpec", "things/v1.ThingSpec", "example.com/m/apis/things/v1.ThingSpec"):
        result = run("-f", "a.yaml", "--type", type)
        assert result.exit_code == 1
        assert result.stdout.startswith('a.yaml:1: The object "" is invalid: name: Too long')


@pytest.mark.parametrize(
    ("type", "words"),
    [
        ("ThingSpek", ["there is no type ThingSpek", "did you mean Thing or ThingSpec?"]),
        ("zzz", ["there is no type zzz"]),
        ("v2.ThingSpec", ["there is no type v2.ThingSpec"]),
        ("", ["there is no type"]),
        ("Twin", ["example.com/m/apis/one.Twin", "example.com/m/apis/two.Twin"]),
    ],
)
def test_types_that_cannot_be_told(project: Program, type: str, words: list[str]) -> None:
    twin = 'type Twin struct {\n\t// +k8s:required\n\tName string `json:"name"`\n}\n'
    project.write({f"apis/{name}/t.go": f"package {name}\n\n{twin}" for name in ("one", "two")} | {"a.yaml": "a: 1\n"})
    result = run("-f", "a.yaml", "--type", type)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[VG904]" in result.stderr
    for word in words:
        assert word in result.stderr


KUSTOMIZE = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("kind: Thing\n", "apiVersion: Required value"),
        (HEAD.replace("Thing", "Nothing"), "not judged: no rules for example.com/v1 Nothing"),
        (HEAD.replace("v1", "v2"), "not judged: no rules for example.com/v2 Thing"),
        ("apiVersion: {}\nkind: []\n", "apiVersion: "),
        ("apiVersion: 5\nkind: Thing\n", "apiVersion: "),
        (f"{HEAD}metadata: 5\n", "metadata: Invalid value: 5: must be an object"),
        (f"{HEAD}metadata: {{name: [1]}}\n", "metadata.name: Invalid value: [1]: must be a string, not a list"),
        (f"{HEAD}spec: {{name: a, labels: {{a: 1}}}}\n", "spec.labels[a]: Invalid value: 1: must be a string"),
        (f"apiVersion: {'[' * 990}{']' * 990}\nkind: x\n", "apiVersion: "),
    ],
)
def test_any_document_has_a_verdict(project: Program, text: str, error: str) -> None:
    project.write({"a.yaml": text})
    result = run("-f", "a.yaml")
    assert (result.exit_code, "Traceback" in result.stderr) == (1, False)
    assert error.removeprefix(".") in result.stdout
    assert run("-f", "a.yaml", "--format", "json").exit_code == 1


@pytest.mark.parametrize(
    "text", ["5\n", "[]\n", "{}\n", "a: 1\n", "kind: ''\n", "apiVersion: example.com/v1\n", KUSTOMIZE]
)
def test_what_is_no_object_of_a_server_is_skipped(project: Program, text: str) -> None:
    project.write({"a.yaml": f"{GOOD}---\n{text}"})
    result = run("-f", "a.yaml")
    assert (result.exit_code, result.stdout) == (0, "2 objects: 1 valid, 0 invalid, 1 skipped\n")
    assert result.stderr.startswith("skipped: 1 ")
    assert run("-f", "a.yaml", "--strict-kinds").exit_code == 1


def test_a_long_list_of_objects_without_rules_is_cut(project: Program) -> None:
    project.write({"a.yaml": "---\n".join([HEAD.replace("Thing", "Nothing")] * 30)})
    result = run("-f", "a.yaml")
    lines = result.stdout.splitlines()
    assert lines[20:] == ["10 more objects not judged", "30 objects: 0 valid, 0 invalid, 30 not judged"]


# --- where objects come from -----------------------------------------------------------------------------------------


def test_files_directories_and_standard_input(project: Program) -> None:
    project.write(
        {
            "m/b.yaml": BAD,
            "m/deep/a.yml": BAD,
            "m/deep/c.json": '{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, '
            '"spec": {"name": "a"}}',
            "m/notes.txt": BAD,
            "x.manifest": BAD,
        }
    )
    result = run("-f", "m", "-f", "-", "--filename", "x.manifest", stdin=WORSE)
    assert [line.partition(":")[0] for line in result.stdout.splitlines() if "is invalid" in line] == [
        "m/b.yaml",
        "m/deep/a.yml",
        "<stdin>",
        "x.manifest",
    ]
    assert result.stdout.endswith("5 objects: 1 valid, 4 invalid\n")


def test_lists(project: Program) -> None:
    items = "".join(f"- metadata: {{name: {name[:3]}}}\n  spec: {{name: {name}}}\n" for name in ("a", "too long"))
    project.write({"a.yaml": f"apiVersion: example.com/v1\nkind: ThingList\nitems:\n{items}"})
    assert run("-f", "a.yaml").stdout.splitlines() == [
        f'a.yaml:6: The Thing "too" is invalid: {BAD_ERROR}',
        "2 objects: 1 valid, 1 invalid",
    ]


def test_a_malformed_document_does_not_hide_the_others(project: Program) -> None:
    project.write({"a.yaml": f"{BAD}---\na: [\n---\n{WORSE}", "b.yaml": "a: 1\na: 2\n", "c.yaml": GOOD})
    result = run("-f", "a.yaml", "-f", "b.yaml", "-f", "c.yaml")
    assert result.exit_code == 2
    assert 'The Thing "bad"' in result.stdout
    assert 'a.yaml:8: The Thing "worse"' in result.stdout
    assert result.stdout.endswith("3 objects: 1 valid, 2 invalid\n")
    twice = "error[VG905]: the key `a` is there twice\n --> b.yaml:2:1\n  |\n2 | a: 2\n  | ^\n  |\n  = help: "
    assert twice in result.stderr
    assert result.stderr.endswith("2 errors\n")


@pytest.mark.parametrize(
    "path", ["missing.yaml", "missing", "dangling.yaml", "circle.yaml", "a.yaml/b.yaml", "x" * 5000]
)
def test_manifests_that_cannot_be_read(project: Program, path: str) -> None:
    project.write({"a.yaml": GOOD})
    (project.directory / "dangling.yaml").symlink_to("nowhere")
    (project.directory / "circle.yaml").symlink_to("circle.yaml")
    for option in ("-f", "--old"):
        result = run("-f", "a.yaml", option, path)
        assert result.exit_code == 2
        assert f"error[VG901]: cannot read: " in result.stderr  # noqa: F541
        assert f" --> {path}\n" in result.stderr
        assert "= help: " in result.stderr


@pytest.mark.parametrize("content", ["", "# nothing\n", "---\n---\n", "null\n"])
def test_manifests_without_objects(project: Program, content: str) -> None:
    project.write({"a.yaml": content})
    result = run("-f", "a.yaml")
    assert result.exit_code == 2
    assert "error[VG902]: there are no objects here\n --> a.yaml\n" in result.stderr
    assert run("-f", "-", stdin=content).exit_code == 2


def test_a_directory_with_odd_things(project: Program) -> None:
    project.write({"m/a.yaml": GOOD, "m/empty.yaml": ""})
    (project.directory / "m/dir.yaml").mkdir()
    (project.directory / "m/up").symlink_to("..")
    (project.directory / "m/self").symlink_to(".")
    os.mkfifo(project.directory / "m/pipe.yaml")
    result = run("-f", "m")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1 object: 1 valid, 0 invalid\n", "")
    (project.directory / "m/gone.json").symlink_to("nowhere")
    result = run("-f", "m")
    assert result.exit_code == 2
    assert " --> m/gone.json\n" in result.stderr


def test_thousands_of_documents(project: Program) -> None:
    done = project("validate", "apis", "-f", "-", "--option", "Glitter", stdin="---\n".join([GOOD, BAD] * 1500))
    assert (done.code, done.err) == (1, "")
    assert done.out.count("\n") == 1501
    assert done.out.endswith("3000 objects: 1500 valid, 1500 invalid\n")


# --- types that are not right ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["full", "json"])
def test_no_verdict_without_types(project: Program, format: str) -> None:
    project.write({"a.yaml": BAD})
    result = invoke(["validate", "missing", "-f", "a.yaml", "--format", format])
    assert result.exit_code == 2
    assert "VG902" in result.stderr
    assert result.stdout == ("[]\n" if format == "json" else "")


def test_broken_packages_do_not_stop_the_others(project: Program) -> None:
    project.write({"a.yaml": BAD, "apis/broken/t.go": "package broken\n\ntype T struct {\n"})
    result = run("-f", "a.yaml")
    assert result.exit_code == 1
    assert "error[VG101]" in result.stderr
    assert BAD_ERROR in result.stdout


def test_handwritten_checks_that_cannot_be_imported(project: Program) -> None:
    project.write(
        {
            "apis/things/v1/types.go": TYPES.replace("type ThingSpec", "// +k8s:customValidation\ntype ThingSpec"),
            "own.py": "import no_such_module\n\ndef ValidateCustom_ThingSpec(value, old, op):\n    return []\n",
            "a.yaml": GOOD,
        }
    )
    result = run("-f", "a.yaml", "--custom-validations", "own.py")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        "error[VG206]: the file cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"
        in result.stderr
    )
    assert " --> own.py\n" in result.stderr


# --- terminals and pipes ---------------------------------------------------------------------------------------------


def test_text_of_manifests_cannot_move_the_cursor(project: Program) -> None:
    text = f'{HEAD}metadata: {{name: "a\\e[2J\\nb"}}\nspec: {{name: a, labels: {{"\\e[31m": 1}}, anything: 1}}\n'
    project.write({"a.yaml": text, "b.yaml": '"\\e[2J": 1\n"\\e[2J": 2\n'})
    result = run("-f", "a.yaml", "-f", "b.yaml")
    assert result.stdout.splitlines()[0] == 'a.yaml:1: The Thing "a\\x1b[2J\\nb" is invalid:'
    assert "\x1b" not in result.stdout + result.stderr


def test_any_text_survives_any_encoding(project: Program) -> None:
    project.write({"größe.json": BAD.replace("bad", "größe").replace("too long", "[日本]")})
    for environ in (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii:strict"},
    ):
        done = project("validate", "apis", "-f", "größe.json", "--option", "Glitter", **environ)
        assert (done.code, done.err) == (1, "")
        assert 'The Thing "gr' in done.out
        done = project("validate", "apis", "-f", "größe.json", "--format", "json", **environ)
        assert ["日本"] in [error["badValue"] for error in json.loads(done.out)[0]["errors"]]


@pytest.mark.process
def test_a_reader_that_goes_away(project: Program) -> None:
    project.write({"a.yaml": "---\n".join([BAD] * 3000)})
    with project.start("validate", "apis", "-f", "a.yaml", "--option", "Glitter") as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith(b"a.yaml:1: ")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 2


@pytest.mark.process
def test_interrupted(project: Program) -> None:
    pipe = project.directory / "pipe"
    os.mkfifo(pipe)
    # To open a pipe for writing is to wait for a reader.
    with project.start("validate", "apis", "-f", "pipe") as process, pipe.open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.process
def test_interrupted_while_modules_are_imported(project: Program) -> None:
    code = """if True:
        import sys
        class Interrupt:
            def find_spec(self, name, path=None, target=None):
                if name == "typer":
                    raise KeyboardInterrupt
        sys.meta_path.insert(0, Interrupt())
        import validation_gen.__main__
    """
    done = subprocess.run([sys.executable, "-c", code], env=project.environ(), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_no_files_are_written(project: Program) -> None:
    project.write({"a.yaml": BAD})
    before = {path: path.stat().st_mtime_ns for path in Path().rglob("*")}
    run("-f", "a.yaml")
    assert {path: path.stat().st_mtime_ns for path in Path().rglob("*")} == before


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("{name: A}", 'metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of'),
        ("{namespace: a}", "metadata.name: Required value: name or generateName is required"),
        ("{name: a, labels: {a b: c}}", 'metadata.labels: Invalid value: "a b"'),
        ("{name: a, lables: {a: b}}", 'unknown field "metadata.lables"'),
    ],
)
def test_metadata_is_judged_as_that_of_definitions(project: Program, metadata: str, said: str) -> None:
    project.write({"a.yaml": f"{HEAD}metadata: {metadata}\nspec: {{name: a}}\n"})
    assert said in run("-f", "a.yaml").stdout
    assert run("-f", "a.yaml", "--raw").exit_code == 0


def test_raw_is_what_a_generated_package_says(project: Program) -> None:
    """Metadata and unknown fields are what the command adds by default."""
    obj = {
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": "A_b", "creationTimestamp": "x"},
        "spec": {"name": "too long", "nmae": "a"},
    }
    project.write({"a.json": json.dumps(obj)})
    registry = load_validators(build_program(Settings(("apis",))).program)
    rules = [str(error) for error in registry.validate(obj, options={"Glitter": True}, raw=True)]
    assert rules == [
        'metadata.creationTimestamp: Invalid value: "x": must be an RFC 3339 time',
        "spec.name: Too long: may not be more than 5 characters",
    ]

    def told(*args: str) -> list[str]:
        (verdict,) = json.loads(run("-f", "a.json", "--format", "json", *args).stdout)
        return [error["message"] for error in verdict["errors"]]

    assert told("--raw") == rules
    unknown = 'spec.nmae: Invalid value: strict decoding error: unknown field "spec.nmae"'
    assert told() == [*rules, unknown]
    obj["metadata"] = {"name": "A_b"}
    project.write({"a.json": json.dumps(obj)})
    assert [text.partition(": ")[0] for text in told()] == ["metadata.name", "spec.name", "spec.nmae"]
    assert told("--raw") == rules[1:]
