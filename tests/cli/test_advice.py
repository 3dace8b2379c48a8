"""Help that leads out: what is written as it says is right."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Program

TYPES = 'package v1\n\ntype Box struct {\n\t// +k8s:optional\n\t// +TAG\n\tSize *int32 `json:"size"`\n}\n'


@pytest.mark.parametrize(
    ("tag", "help"),
    [
        ("k8s:minimum=1.5", "write a whole number"),
        ("k8s:eachVal=+k8s:minimum=1.5", "write a whole number"),
        ("k8s:enum=A;B", "+k8s:enum takes no value; write +k8s:enum alone"),
        ("k8s:format=a/b", 'quote the value: "a/b"'),
        ("k8s:minimum:10", "write '=' before the value: +k8s:minimum=10"),
        ("k8s:pattern", "there is no such rule; schemas have +k8s:validation:pattern="),
        ("k8s:minimum=08", "a number is decimal, `0x…`, `0o…` or `0b…` and fits into 64 bits\n"),
        ("k8s:eachVal=+k8s:minimum=08", "a number is decimal, `0x…`, `0o…` or `0b…` and fits into 64 bits\n"),
        ("k8s:xyzzy", "there is no such rule; validation-gen explain lists all tags"),
    ],
)
def test_help_for_a_tag(project: Program, tag: str, help: str) -> None:
    project.write({"apis/box/v1/types.go": TYPES.replace("TAG", tag)})
    done = project("lint", "apis/box", "--format", "full")
    assert f"help: {help}" in done.err.replace("it has no effect: ", "")
    assert "fixable" not in done.err


def test_help_for_arguments(project: Program) -> None:
    for target in ("v1.35", "1.35.2"):
        assert "did you mean 1.35?" in project("apis", "--target", target).err
    assert "Value error" not in project("apis", "--format", "jsn").err
    done = project("--verison")
    assert (done.code, "--version" in done.err, "--verbose" in done.err) == (2, True, False)
    for word, meant in {"lnit": "lint", "linty": "lint", "hlp": "help", "compar": "compare"}.items():
        done = project(word)
        assert (done.code, f"there is no command or path '{word}'; did you mean `{meant}`" in done.err) == (2, True)
    for arguments in (["certs"], ["certs", "--secret"], ["help", "certs"]):
        done = project(*arguments)
        assert (done.code, "there is no command 'certs' any more: cert-manager makes" in done.err) == (2, True)
    assert "did you mean `apis`?" in project("aps").err
    assert "did you mean `apis/things`?" in project("lint", "apis/thing").err
    assert "check the path" in project("nowhere/at/all").err
    assert project("help").out == project("--help").out
    assert project("help", "lint").out == project("lint", "--help").out


MISSPELT = (
    ("+k8s:imutable", 1),
    ("+k8s:minimum:10", 1),
    ("+k8s: maxLength=3", 1),
    ("+ k8s:maxLength=3", 1),
    ("++k8s:maxLength=3", 1),
    ("+K8s:maxLength=3", 1),
    ("+k8s:xyzzy", 0),
    ("+k8s: xyzzy", 0),
)
COMMANDS = (
    ("lint", "apis/box"),
    ("generate", "apis/box", "--no-lint", "-q"),
    ("crd", "apis/box"),
    ("jsonschema", "apis/box", "-o", "schemas"),
    ("openapi", "apis/box", "-o", "openapi"),
    ("webhook", "stdio", "apis/box"),
)


@pytest.mark.parametrize(("line", "code"), MISSPELT)
def test_every_command_fails_where_a_rule_is_misspelt(project: Program, line: str, code: int) -> None:
    project.write({"apis/box/v1/types.go": TYPES.replace("+TAG", line)})
    for command in COMMANDS:
        done = project(*command)
        assert (done.code, "VG103" in done.err) == (code, True), command
    project.write({"apis/box/v1/types.go": TYPES.replace("type Box", f"// {line}\ntype Box").replace("// +TAG", "")})
    assert project("lint", "apis/box").code == code
    assert project("lint", "apis/box", "--ignore", "VG103").code == 0
    project.write({"validation-gen.toml": '[lint]\nVG103 = "warning"\n'})
    assert project("lint", "apis/box").code == 0
    assert project("generate", "apis/box").code == 0


def test_validate_says_which_tags_are_unknown(project: Program) -> None:
    project.write({"x.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"})
    for tag, code in (("k8s:xyzzy", 0), ("k8s:maxLenght=3", 1)):
        project.write({"apis/box/v1/types.go": TYPES.replace("TAG", tag)})
        done = project("validate", "apis/box", "-q", "-f", "x.yaml")
        assert (done.code, f"unknown tag +{tag.partition('=')[0]}" in done.err) == (code, True)


def test_tags_of_other_generators_are_known(project: Program) -> None:
    tags = (
        "defaulter-gen-input=k8s.io/x",
        "conversion-gen-external-types=k8s.io/x",
        "conversion-gen:explicit-from=net/url.Values",
        "deepcopy-gen:nonpointer-interfaces=true",
        "prerelease-lifecycle-gen:introduced=1.30",
        "register-gen=package",
        "informer-gen=true",
        "openapi-model-package=io.x",
    )
    text = "".join(f"// +k8s:{tag}\n" for tag in tags)
    project.write({"apis/box/v1/types.go": TYPES.replace("// +TAG", "// +k8s:maxLength=3")})
    project.write({"apis/box/v1/doc.go": f"{text}package v1\n"})
    assert "VG103" not in project("lint", "apis/box").err
    project.write({"apis/box/v1/doc.go": f"{text}// +k8s:validtion-gen=true\npackage v1\n"})
    assert "did you mean +k8s:validation-gen?" in project("lint", "apis/box").err


def test_only_what_can_be_fixed_is_called_so(project: Program) -> None:
    # On a number the right name would be an error, so that --fix leaves it.
    project.write({"apis/box/v1/types.go": TYPES.replace("TAG", "k8s:maxLenght=3")})
    for command in ("lint", "generate"):
        assert "fixable" not in project(command, "apis/box").err
    assert "left, as the fix would bring an error" in project("lint", "apis/box", "--fix").out


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: {{ .Values.kind }}\n",
        "{{- if .Values.on }}\nkind: A\n{{- end }}\n",
        'kind: A\n{{ include "labels" . | nindent 4 }}\n',
    ],
)
def test_a_template_of_helm_is_called_so(project: Program, text: str) -> None:
    project.write({"a.yaml": text})
    for command in (("validate", "apis", "-f", "a.yaml"), ("crd", "lint", "a.yaml")):
        done = project(*command)
        assert (done.code, "this is a Helm template; render it first: helm template" in done.err) == (2, True)
    project.write({"a.yaml": "kind: {a: b\n"})
    assert "Helm" not in project("validate", "apis", "-f", "a.yaml").err
