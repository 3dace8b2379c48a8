"""`validation-gen convert`: what it writes, what it says, how it ends, and what it never does."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import Program

SUMMARY = re.compile(r"(\d+) files? written, (\d+) unchanged in (\S+) \(\d+\.\d s\)\n")
MODULES = {"__init__.py", "apis/__init__.py", "apis/things/__init__.py", "apis/things/v1.py"}


def numbers(text: str) -> tuple[int, int, str]:
    match = SUMMARY.fullmatch(text)
    assert match, text
    return int(match[1]), int(match[2]), match[3]


def test_to_python_and_back(project: Program) -> None:
    first = project("convert", "apis", "--to", "python", "-o", "things")
    assert (first.code, first.err, numbers(first.out)) == (0, "", (4, 0, "things"))
    before = project.files("things")
    assert set(before) == MODULES
    second = project("convert", "apis", "--to", "python", "-o", "things")
    assert (second.code, second.err) == (0, "")
    assert numbers(second.out)[0] == 0
    assert project.files("things") == before

    back = project("convert", "things", "--to", "go", "--module", "example.com/m=things", "-o", "back")
    assert (back.code, back.err, numbers(back.out)) == (0, "", (2, 0, "back"))
    project.write({"back/go.mod": "module example.com/m\n"})
    assert project("generate", "apis", "-o", "a", "-q").code == project("back", "-o", "b", "-q").code == 0
    a, b = (project.files(name) for name in "ab")
    assert a.keys() == b.keys()
    assert {name for name in a if _without_places(a[name]) != _without_places(b[name])} == set()


def _without_places(text: bytes) -> str:
    return re.sub(r"[\w/]*types\.go:\d+(?::\d+)?", "…", text.decode())


def test_what_was_edited_is_kept(project: Program) -> None:
    project.write({"out/apis/things/v1.py": "mine = 1\n", "out/__init__.py": '"""Mine too."""\n'})
    done = project("convert", "apis", "--to", "python", "--output-dir", "out", "--format", "concise")
    assert (done.code, numbers(done.out)) == (2, (2, 0, "out"))
    assert done.err.startswith(
        "out/apis/things/v1.py: error VG903 the file exists and was not generated, so it is kept"
    )
    files = project.files("out")
    assert (files["apis/things/v1.py"], files["__init__.py"]) == (b"mine = 1\n", b'"""Mine too."""\n')


def test_the_group_of_another_file_is_kept(project: Program) -> None:
    project.write({"apis/things/v1/doc.go": "package v1\n"})
    project.write(
        {"apis/things/v1/groupversion_info.go": "// Package v1 has things.\n// +groupName=a.example.com\npackage v1\n"}
    )
    assert project("convert", "apis", "--to", "python", "-o", "out").code == 0
    assert b"+groupName=a.example.com" in project.files("out")["apis/things/v1.py"]
    assert project("crd", "out", "-o", "crds").code == 0
    assert set(project.files("crds")) == {"a.example.com_things.yaml"}


def test_markers_of_packages_in_other_files_are_kept(project: Program) -> None:
    text = "// +groupName=a.example.com\n// +versionName=v1beta9\n// +kubebuilder:validation:Optional\npackage v1\n"
    project.write({"apis/things/v1/doc.go": "package v1\n", "apis/things/v1/groupversion_info.go": text})
    for args in (
        ("crd", "apis", "-o", "a"),
        ("convert", "apis", "--to", "python", "-o", "out"),
        ("crd", "out", "-o", "b"),
    ):
        assert project(*args).code == 0
    first, second = (project.files(folder)["a.example.com_things.yaml"] for folder in "ab")
    assert b"name: v1beta9" in first
    assert first == second


def test_a_definition_without_a_group_is_an_error(project: Program) -> None:
    project.write({"apis/things/v1/doc.go": "package v1\n"})
    for args in ((), ("--keep-going",)):
        done = project("crd", "apis", *args)
        assert (done.code, "error[VG550]: things has no API group" in done.err) == (1, True)
        assert not (project.directory / "crds/_things.yaml").exists()


def test_nothing_to_convert(project: Program) -> None:
    done = project("convert", "apis", "--to", "go")
    assert done.code == 0
    assert done.err.startswith("warning[VG902]: nothing here can be converted to Go\n")
    assert not (project.directory / "converted").exists()


def test_what_is_in_the_language_already_is_left_alone(project: Program) -> None:
    first = project("convert", ".", "--to", "python", "-o", "out")
    second = project("convert", ".", "--to", "python", "-o", "out")
    assert [done.code for done in (first, second)] == [0, 0]
    assert {name for name in project.files("out") if name.endswith(".py")} == MODULES


def test_what_cannot_be_said_is_a_warning(project: Program) -> None:
    project.write({"apis/things/v1/more.go": 'package v1\n\ntype Point struct {\n\tXY [2]int32 `json:"xy"`\n}\n'})
    done = project("convert", "apis", "--to", "python", "--format", "json")
    assert (done.code, done.err) == (0, "")
    (found,) = json.loads(done.out)
    assert (found["code"], found["severity"]) == ("VG107", "warning")
    assert b'xy: Annotated[Any, Json(go="XY")]\n' in project.files("converted")["apis/things/v1.py"]


def test_errors_of_the_source_are_told_and_the_rest_is_converted(project: Program) -> None:
    project.write(
        {"robots.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass Robot:\n    arms: set[str]\n"}
    )
    done = project("convert", "robots.py", "--to", "go", "-q")
    assert (done.code, done.out) == (1, "")
    assert "error[VG106]" in done.err
    assert b'\tArms any `json:"arms"`\n' in project.files("converted")["robots/types.go"]


def test_arguments(project: Program) -> None:
    for args, text in (
        (["apis"], "--to"),
        (["apis", "--to", "java"], "'java'"),
        (["apis", "--to", "go", "-o", ""], "the path is empty"),
        (["nowhere", "--to", "go"], "VG902"),
    ):
        done = project("convert", *args)
        assert done.code == 2
        assert text in done.err


def test_readonly_packages_are_imported_and_not_written(project: Program) -> None:
    go = (
        'package v2\n\nimport "example.com/m/apis/things/v1"\n\ntype Box struct {\n\tThing v1.Thing `json:"thing"`\n}\n'
    )
    project.write({"apis/things/v2/types.go": go})
    args = ["--to", "python", "--readonly-pkg", "example.com/m/apis/things/v1"]
    assert project("convert", "apis", *args).code == 0
    files = project.files("converted")
    assert set(files) == MODULES - {"apis/things/v1.py"} | {"apis/things/v2.py"}
    assert b"from .v1 import Thing\n" in files["apis/things/v2.py"]


DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: PLURAL.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: KIND, plural: PLURAL}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, minimum: 1}}}
---
"""


def definition(kind: str) -> str:
    return DEFINITION.replace("KIND", kind).replace("PLURAL", f"{kind.lower()}s")


def test_definitions_become_classes_and_definitions_again(project: Program) -> None:
    others = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
    project.write({"crds/a.yaml": definition("Widget") + others, "crds/more/b.yaml": definition("Gadget")})
    done = project("convert", "crds", "--to", "python", "-o", "classes")
    assert (done.code, done.err, numbers(done.out)) == (0, "", (3, 0, "classes"))
    text = project.files("classes")["example_com/v1.py"].decode()
    assert "class Widget(TypeMeta):" in text
    assert "class Gadget(TypeMeta):" in text
    again = project(
        "convert", "-", "--to", "python", "-o", "classes", stdin=definition("Widget") + definition("Gadget")
    )
    assert (again.code, numbers(again.out)) == (0, (0, 1, "classes"))
    assert project("crd", "classes", "-o", "back", "-q").code == 0
    assert b"minimum: 1" in project.files("back")["example.com_widgets.yaml"]
    assert project("convert", "crds", "--to", "go", "-o", "types", "-q").code == 0
    assert b"\ntype WidgetSpec struct {\n" in project.files("types")["example.com/v1/types.go"]


def test_what_is_lost_of_a_definition_is_told_where_it_is(project: Program) -> None:
    project.write({"crd.yaml": definition("Widget").replace("minimum: 1", "pattern: a")})
    done = project("convert", "crd.yaml", "--to", "python", "--format", "concise")
    assert done.code == 0
    assert done.err.startswith("crd.yaml:17:76: warning VG107 `pattern` of Widget.spec.size cannot be converted: ")
    two = "{pattern: a, maxLength: 1, type: integer}, and: {pattern: a, type: integer}"
    project.write({"crd.yaml": definition("Widget").replace("{size: {type: integer, minimum: 1}}", f"{{size: {two}}}")})
    done = project("convert", "crd.yaml", "--to", "python")
    assert done.err.count("cannot be converted") == 3  # each is named, also where a cause is told once
    (command,) = set(re.findall(r"`validation-gen (explain crd.yaml 'Widget.spec.and')`", done.err))
    assert "a" in project(*command.replace("'", "").split()).out


@pytest.mark.parametrize("language", ["go", "python"])
@pytest.mark.parametrize(
    ("schema", "written", "lost"),
    [
        ("type: integer, enum: [1, 1e20]", "[1, 100000000000000000000]", ""),
        ("type: integer, enum: [true, 1, 2.0, 1.5, a]", "[1, 2]", 'no value of type integer is ever true, 1.5, "a"'),
        ("type: number, enum: [1, 1e20, 1.5]", "[1, 1e+20, 1.5]", ""),
        ("type: string, enum: [1, 'a b']", '["a b"]', "no value of type string is ever 1"),
        ("type: boolean, enum: [1]", "", "no value of type boolean is ever 1"),
    ],
)
def test_values_of_enums_are_those_that_can_be_read(
    project: Program, language: str, schema: str, written: str, lost: str
) -> None:
    project.write({"crd.yaml": definition("Widget").replace("type: integer, minimum: 1", schema)})
    done = project("convert", "crd.yaml", "--to", language, "-o", "types", "--format", "concise")
    assert (done.code, lost in done.err, bool(done.err)) == (0, True, bool(lost))
    text = b"".join(project.files("types").values()).decode()
    assert f"+k8s:validation:enum={written}\n" in text if written else "enum" not in text
    assert project("lint", "types", "-q", "--markers").err == ""


def test_definitions_that_cannot_be_converted(project: Program) -> None:
    project.write(
        {"crd.yaml": definition("Widget"), "bad.yaml": definition("Widget").replace("type: integer", "type: x")}
    )
    project.write({"empty/a.yaml": "apiVersion: v1\nkind: ConfigMap\n"})
    for paths, text in (
        (["crd.yaml", "apis"], "definitions and sources of types cannot be converted together"),
        (["bad.yaml"], 'Unsupported value: "x"'),
        (["empty"], "there are no definitions here"),
    ):
        done = project("convert", *paths, "--to", "python")
        assert done.code != 0
        assert text in done.err
        assert not (project.directory / "converted").exists()


def test_classes_of_definitions_are_judged_by_what_the_definition_said(project: Program) -> None:
    two = "size: {type: integer}, big: {type: integer}}, oneOf: [{required: [size]}, {required: [big]}]"
    project.write({"crd.yaml": definition("Widget").replace("size: {type: integer, minimum: 1}}", two)})
    assert project("convert", "crd.yaml", "--to", "python", "-o", "classes").code == 0
    head = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a, namespace: b}\nspec: "
    project.write({"good.yaml": f"{head}{{size: 1}}\n", "bad.yaml": f"{head}{{size: 1, big: 2}}\n"})
    assert project("validate", "classes", "-f", "good.yaml").code == 0
    done = project("validate", "classes", "-f", "bad.yaml")
    assert done.code == 1
    assert '"spec" must validate one and only one schema (oneOf). Found 2 valid alternatives' in done.out + done.err
