"""`validation-gen validate` names API versions that a release has removed, or warns of."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_validate_definitions import here, run, write
from tests.kubernetes.objects.answers import robot
from validation_gen.diagnostics.formats.names import DiagnosticFormat

__all__ = ["here"]

INGRESS = {"apiVersion": "extensions/v1beta1", "kind": "Ingress", "metadata": {"name": "web"}}
POLICY = {"apiVersion": "policy/v1beta1", "kind": "PodSecurityPolicy", "metadata": {"name": "all"}}
GONE = (
    'all.yaml:1: Ingress "web": extensions/v1beta1 Ingress is not served since 1.22; write networking.k8s.io/v1 Ingress'
)
OLD = (
    'all.yaml:1: warning: Ingress "web": extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; '
    "use networking.k8s.io/v1 Ingress"
)


def test_a_removed_version_fails_and_names_the_next_steps(here: Path) -> None:
    write("all.yaml", INGRESS, POLICY, {**INGRESS, "metadata": {"name": "api"}})
    code, out, err = run("-f", "all.yaml")
    lines = out.splitlines()
    assert (code, lines[0], lines[1]) == (1, GONE, "* `spec.backend` is `spec.defaultBackend`")
    assert any("PodSecurityPolicy is not served since 1.25" in line for line in lines)
    assert any("pod-security.kubernetes.io/enforce" in line for line in lines)
    assert sum("spec.defaultBackend" in line for line in lines) == 1  # once a kind
    assert lines[-1] == "3 objects: 0 valid, 0 invalid, 3 not judged"
    told = "not judged: 2 Ingress extensions/v1beta1: not served since 1.22; write networking.k8s.io/v1 Ingress\n"
    assert told in err


def test_the_target_decides(here: Path) -> None:
    write("all.yaml", INGRESS)
    assert run("-f", "all.yaml", "--target", "1.22")[1].splitlines()[0] == GONE
    code, out, _ = run("-f", "all.yaml", "--target", "1.21")
    assert (code, out.splitlines()[0]) == (0, OLD)
    # Version 1 is not there yet: the advice has what this release serves.
    out = run("-f", "all.yaml", "--target", "1.18", "--format", "concise")[1]
    assert "(write networking.k8s.io/v1beta1 Ingress)" in out
    code, out, _ = run("-f", "all.yaml", "--target", "1.18")
    assert (code, out.splitlines()) == (0, [f"{OLD} (served since 1.19)", "1 object: 0 valid, 0 invalid, 1 not judged"])
    write("all.yaml", {"apiVersion": "networking.k8s.io/v1beta1", "kind": "IPAddress", "metadata": {"name": "a"}})
    assert "; write networking.k8s.io/v1 IPAddress\n" in run("-f", "all.yaml", "--target", "1.34")[1]
    write("all.yaml", {**INGRESS, "apiVersion": "networking.k8s.io/v1"})
    code, out, _ = run("-f", "all.yaml", "--target", "1.18")
    assert (code, "is served since 1.19, not by 1.18; write networking.k8s.io/v1beta1 Ingress" in out) == (1, True)
    assert run("-f", "all.yaml", "--target", "1.19")[0] == 0
    assert "'1.15' is none of 1.16, " in run("-f", "all.yaml", "--target", "1.15")[2]
    Path("types").mkdir()
    Path("types/types.go").write_text("package types\n", encoding="utf-8")
    assert "'1.21' is none of 1.33, " in run("types", "-f", "all.yaml", "--target", "1.21")[2]


def test_all_formats_have_the_finding(here: Path) -> None:
    write("all.yaml", INGRESS, {"apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "web"}})
    for format in DiagnosticFormat:
        code, out, _ = run("-f", "all.yaml", "--format", format.value)
        assert code == 1, format
        assert "not served since 1.22" in out, format
        assert "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice" in out, format
    out = run("-f", "all.yaml", "--format", "concise")[1]
    assert out.startswith("all.yaml:1:13: error VG812 Ingress ")
    assert "all.yaml:6:13: warning VG808 Endpoints " in out
    first, second = json.loads(run("-f", "all.yaml", "--format", "json")[1])
    assert first["reason"] == "not served since 1.22; write networking.k8s.io/v1 Ingress"
    assert second["warnings"] == ["v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"]


def test_levels_and_choices(here: Path) -> None:
    write("all.yaml", INGRESS)
    assert run("-f", "all.yaml", "--ignore-missing-schemas")[0] == 1
    assert run("-f", "all.yaml", "--skip", "Ingress")[0] == 0
    Path("validation-gen.toml").write_text('[lint]\nVG812 = { level = "warning", reason = "r" }\n', encoding="utf-8")
    code, out, _ = run("-f", "all.yaml")
    assert (code, out.splitlines()[0]) == (0, GONE.replace("1: ", "1: warning: ", 1))
    Path("validation-gen.toml").write_text('[lint]\nVG812 = { level = "off", reason = "r" }\n', encoding="utf-8")
    assert run("-f", "all.yaml")[:2] == (0, "1 object: 0 valid, 0 invalid, 1 not judged\n")
    assert run("-f", "all.yaml", "--strict-kinds")[0] == 1
    Path("validation-gen.toml").write_text('[lint]\nVG808 = "error"\n', encoding="utf-8")
    assert run("-f", "all.yaml", "--target", "1.21")[0] == 1
    Path("validation-gen.toml").unlink()
    assert run("-f", "all.yaml", "--target", "1.21", "--quiet") == (0, "", "")


def test_deprecated_versions_of_definitions_have_the_words_of_the_server(here: Path) -> None:
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "arms.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Arm", "plural": "arms", "singular": "arm", "listKind": "ArmList"},
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": name == "v1",
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                    **more,
                }
                for name, more in (
                    ("v1", {}),
                    ("v1beta1", {"deprecated": True}),
                    ("v1alpha1", {"deprecated": True, "deprecationWarning": "arms have moved"}),
                )
            ],
        },
    }
    write("arms.yaml", definition)
    objects = [{**robot({}), "apiVersion": f"example.com/{v}", "kind": "Arm"} for v in ("v1beta1", "v1alpha1", "v1")]
    for obj in objects:
        obj.pop("spec", None)
    write("all.yaml", *objects)
    code, out, _ = run("arms.yaml", "-f", "all.yaml", "--format", "concise")
    assert code == 0
    assert [line.partition(": ")[2] for line in out.splitlines()[:2]] == [
        'warning VG808 Arm "talos": example.com/v1beta1 Arm is deprecated; use example.com/v1 Arm',
        'warning VG808 Arm "talos": arms have moved',
    ]


def test_objects_without_rules_need_no_path(here: Path) -> None:
    write("all.yaml", {"apiVersion": "example.com/v1", "kind": "Arm", "metadata": {"name": "a"}})
    code, out, _ = run("-f", "all.yaml")
    assert (code, out.splitlines()[0]) == (
        1,
        'all.yaml:1: not judged: no rules for example.com/v1 Arm "a"',
    )


def test_objects_of_helm_name_their_template(here: Path) -> None:
    shelf = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: web}\n"
    text = f"---\n# Source: shop/templates/a.yaml\n# Copyright\n\n{shelf}---\n{shelf}"
    lines = run("-f", "-", stdin=text)[1].splitlines()
    assert lines[0].startswith('<stdin>:5 (shop/templates/a.yaml): Ingress "web": ')
    assert any(line.startswith('<stdin>:9: Ingress "web": ') for line in lines)
    first, second = json.loads(run("-f", "-", "--format", "json", stdin=text)[1])
    assert (first["template"], "template" in second) == ("shop/templates/a.yaml", False)
    out = run("-f", "-", "--format", "github", stdin=text)[1]
    assert out.count("note: the object is rendered from shop/templates/a.yaml") == 1
    Path("a.yaml").write_text(text, encoding="utf-8")
    assert "(shop/templates" not in run("-f", "a.yaml")[1]
