"""`validation-gen apply --dry-run`, as people run it who know kubectl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke

SPEC = {
    "type": "object",
    "required": ["model"],
    "x-kubernetes-validations": [{"rule": "!has(self.reach) || self.reach <= self.most", "message": "too far"}],
    "properties": {
        "model": {"type": "string", "maxLength": 5},
        "reach": {"type": "integer"},
        "most": {"type": "integer", "default": 5},
    },
}
KIND = definition(root(SPEC))
NAMED = "robot.example.com/talos"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", KIND)
    return tmp_path


def write(name: str, *objects: Any) -> None:
    Path(name).write_text(yaml.safe_dump_all(objects), encoding="utf-8")


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(["apply", "--dry-run", *args])
    return result.exit_code, result.stdout, result.stderr


def applied_metadata(manifest: dict[str, Any]) -> dict[str, Any]:
    """Metadata as kubectl sends it for a manifest that has no annotations of its own."""
    place = {} if manifest["kind"] == "CustomResourceDefinition" else {"namespace": "default"}
    metadata = {"annotations": {}, **place, **manifest["metadata"]}
    text = json.dumps({**manifest, "metadata": metadata}, separators=(",", ":"), sort_keys=True) + "\n"
    for mark, escape in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(mark, escape)
    return metadata | {"annotations": {LAST_APPLIED: text}}


def as_applied(manifest: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """An object as the server has it after kubectl has applied a manifest."""
    return {**manifest, "metadata": applied_metadata(manifest) | metadata}


def applied(*args: str) -> tuple[int, str, str]:
    return run("-f", "crd.yaml", "-f", "robots.yaml", *args)


def test_created(here: Path) -> None:
    write("robots.yaml", robot({"model": "x"}))
    crd = "customresourcedefinition.apiextensions.k8s.io/robots.example.com"
    assert applied() == (0, f"{crd} created (server dry run)\n{NAMED} created (server dry run)\n", "")
    assert applied("-o", "name") == (0, f"{crd}\n{NAMED}\n", "")


def test_what_would_be_stored(here: Path) -> None:
    write("robots.yaml", robot({"model": "x", "reach": None}))
    wanted = robot({"model": "x", "most": 5}) | {"metadata": applied_metadata(robot({"model": "x", "reach": None}))}
    code, out, _ = run("-f", "crd.yaml", "-f", "robots.yaml", "-o", "json")
    assert (code, json.loads(out)["items"][1]) == (0, wanted)
    code, out, _ = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "yaml")
    assert (code, yaml.safe_load(out)) == (0, wanted)
    code, out, _ = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "diff")
    assert out.splitlines()[1:] == ["  spec.most: defaulted: 5"]


def test_refused(here: Path) -> None:
    write(
        "robots.yaml",
        robot({"model": "x", "reach": 7}),
        robot({"model": "x", "bogus": 1}),
        robot({"model": "too long", "most": "x"}),
    )
    code, out, err = applied()
    assert (code, len(out.splitlines())) == (1, 1)
    lines = err.splitlines()
    assert lines[0] == 'robots.yaml:1: The Robot "talos" is invalid: spec: Invalid value: too far'
    bad = 'Robot in version "v1" cannot be handled as a Robot: strict decoding error: unknown field "spec.bogus"'
    assert lines[1] == f"robots.yaml:9: Error from server (BadRequest): {bad}"
    assert lines[2] == 'robots.yaml:17: The Robot "talos" is invalid: '
    assert "* spec.model: Too long: may not be more than 5 bytes" in lines


def test_levels_of_unknown_fields(here: Path) -> None:
    write("robots.yaml", robot({"model": "x", "bogus": 1}))
    code, out, err = applied("--field-validation", "Warn", "-o", "diff")
    assert (code, err) == (0, 'Warning: unknown field "spec.bogus"\n')
    assert "  spec.bogus: pruned: no schema has it: 1\n" in out
    assert applied("--field-validation", "ignore")[2] == ""


def test_updates(here: Path) -> None:
    manifest = robot({"model": "x", "reach": 9})
    write("old.yaml", KIND, as_applied(manifest))
    write("robots.yaml", manifest)
    assert run("--old", "old.yaml", "-f", "robots.yaml") == (0, f"{NAMED} unchanged (server dry run)\n", "")
    write("robots.yaml", manifest | {"metadata": {"name": "talos", "labels": {"a": "b"}}})
    told = "Warning: spec: Invalid value: too far\n"
    assert run("--old", "old.yaml", "-f", "robots.yaml") == (0, f"{NAMED} configured (server dry run)\n", told)
    write("robots.yaml", robot({"model": "y", "reach": 9}))
    assert run("--old", "old.yaml", "-f", "robots.yaml")[:2] == (1, "")


def test_what_the_last_manifest_had_alone_is_taken_away(here: Path) -> None:
    last = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(robot({"model": "x", "reach": 1}))}
    old = robot({"model": "x", "reach": 1, "most": 3}, metadata={"name": "talos", "annotations": last})
    write("old.yaml", KIND, old)
    write("robots.yaml", robot({"model": "x"}))
    code, out, _ = run("--old", "old.yaml", "-f", "robots.yaml", "-o", "json")
    assert (code, json.loads(out)["spec"]) == (0, {"model": "x", "most": 3})


def test_annotations_of_others_stay(here: Path) -> None:
    manifest = robot({"model": "x"})
    last = json.dumps({**manifest, "metadata": {"name": "talos", "annotations": {"mine": "1"}}})
    notes = {"kubectl.kubernetes.io/last-applied-configuration": last, "controller/x": "1", "mine": "1"}
    write("old.yaml", KIND, robot({"model": "x"}, metadata={"name": "talos", "annotations": notes}))
    write("robots.yaml", manifest)
    code, out, _ = run("--old", "old.yaml", "-f", "robots.yaml", "-o", "json")
    assert code == 0
    assert json.loads(out)["metadata"]["annotations"].keys() == notes.keys() - {"mine"}


def test_what_nobody_can_judge_is_told(here: Path) -> None:
    write("robots.yaml", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}, {"a": 1})
    code, out, err = run("-f", "robots.yaml")
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "robots.yaml:1: not judged: ConfigMap v1: built-in, no schema here",
        "robots.yaml:6: not judged: the object has no apiVersion and no kind",
        "2 objects: 0 judged, 2 not judged",
        "not judged: 1 ConfigMap v1: built-in, no schema here",
        "not judged: 1 without apiVersion and kind",
    ]


def test_definitions_are_judged(here: Path) -> None:
    write("robots.yaml", definition({"type": "object", "properties": {"a": {}}}))
    code, _, err = run("-f", "robots.yaml")
    assert code == 1
    assert "spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty" in err


def test_mistakes(here: Path) -> None:
    code, _, err = run("-f", "gone.yaml")
    assert (code, "cannot read" in err) == (2, True)


# --- as users of kubectl type it --------------------------------------------------------------------------------------


def typed(*args: str) -> tuple[int, str]:
    result = invoke(["apply", "-f", "crd.yaml", *args])
    return result.exit_code, " ".join(result.stderr.split())


def test_spellings_of_dry_run(here: Path) -> None:
    assert typed("--dry-run=server") == typed("--dry-run") == typed() == (0, "")
    for value, words in (
        ("client", "kubectl judges no custom object with it"),
        ("none", "there is no server to change"),
        ("true", "'true' is none of its values"),
        ("", "'' is none of its values"),
    ):
        code, err = typed(f"--dry-run={value}")
        assert (code, words in err, "write --dry-run=server" in err) == (2, True, True)


def test_namespace(here: Path) -> None:
    write("robots.yaml", robot({"model": "x"}))
    code, out, _ = applied("-n", "far", "-o", "json")
    assert (code, json.loads(out)["items"][1]["metadata"]["namespace"]) == (0, "far")
    write("old.yaml", robot({"model": "y"}, metadata={"name": "talos", "namespace": "far"}))
    assert f"{NAMED} configured" in applied("--namespace", "far", "--old", "old.yaml")[1]
    assert f"{NAMED} created" in applied("--old", "old.yaml")[1]
    write("robots.yaml", robot({"model": "x"}, metadata={"name": "talos", "namespace": "near"}))
    told = (
        'the namespace from the provided object "near" does not match the namespace "far". You must pass '
        "'--namespace=near' to perform this operation."
    )
    code, _, err = applied("-n", "far")
    assert (code, err) == (1, f"robots.yaml:1: error: {told}\n")
    assert applied("-n", "near")[0] == 0


def test_a_namespace_means_nothing_to_kinds_without(here: Path) -> None:
    write("crd.yaml", definition(root(SPEC), scope="Cluster"))
    write("robots.yaml", robot({"model": "x"}, metadata={"name": "talos", "namespace": "near"}))
    code, out, _ = applied("-n", "far", "-o", "json")
    assert (code, "namespace" in json.loads(out)["items"][1]["metadata"]) == (0, False)


def test_generated_names(here: Path) -> None:
    write("robots.yaml", robot({"model": "x"}, metadata={"generateName": "talos-"}))
    code, _, err = applied()
    assert (code, err) == (1, "robots.yaml:1: error: from talos-: cannot use generate name with apply\n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("7", "7", 0), ("7", "", 0), ("", "6", 0), ("7", "6", 1)],
    ids=["same", "any", "new", "stale"],
)
def test_resource_versions(here: Path, old: str, new: str, code: int) -> None:
    write("old.yaml", as_applied(robot({"model": "x"}), resourceVersion=old))
    write(
        "robots.yaml",
        robot({"model": "too long"[: 8 * code] or "x"}, metadata={"name": "talos", "resourceVersion": new}),
    )
    told = (
        'robots.yaml:1: Error from server (Conflict): Operation cannot be fulfilled on robots.example.com "talos": the '
        "object has been modified; please apply your changes to the latest version and try again\n"
    )
    assert applied("--old", "old.yaml")[::2] == (code, told if code else "")


def test_another_uid(here: Path) -> None:
    write("old.yaml", robot({"model": "x"}, metadata={"name": "talos", "uid": "1"}))
    write("robots.yaml", robot({"model": "x"}, metadata={"name": "talos", "uid": "2"}))
    code, _, err = applied("--old", "old.yaml")
    assert (code, 'metadata.uid: Invalid value: "2": field is immutable' in err) == (1, True)


def test_the_version_of_a_definition_is_judged_before_its_fields(tmp_path: Path) -> None:
    file = tmp_path / "crd.yaml"
    file.write_text(
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.com}\n"
        "spec: {group: b.com, version: v1, validation: {}, names: {kind: A, plural: a}}\n",
        encoding="utf-8",
    )
    result = invoke(["apply", "--dry-run", "-f", str(file)])
    assert result.exit_code == 1
    version = 'no matches for kind "CustomResourceDefinition" in version "apiextensions.k8s.io/v1beta1"'
    assert version in result.output
    assert "unknown field" not in result.output
