"""`validation-gen apply --server-side`: owners of fields, conflicts in the words of kubectl, and managed fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_apply import NAMED, as_applied, run, write
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.tables import each

TEXT = {"type": "string"}
ARM = {"type": "object", "required": ["name"], "properties": {"name": TEXT, "reach": {"type": "integer"}}}
SPEC = {
    "type": "object",
    "properties": {
        "model": TEXT | {"maxLength": 5},
        "most": {"type": "integer", "default": 5},
        "arms": {
            "type": "array",
            "items": ARM,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
        },
        "tags": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
        "path": {"type": "array", "items": TEXT},
    },
}
KIND = definition(root(SPEC, status={"type": "object", "properties": {"phase": TEXT}}))
KIND["spec"]["versions"][0]["subresources"] = {"status": {}}
BASE = {"model": "x", "arms": [{"name": "left", "reach": 4}], "tags": ["a"]}
ADVICE = """\
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the `--force-conflicts` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", KIND)
    return tmp_path


def apply(obj: dict[str, Any], *args: str) -> tuple[int, str, str]:
    """Applies an object to the server's state, which is in `old.yaml` if there is one."""
    write("robots.yaml", obj)
    old = ["--old", "old.yaml"] if Path("old.yaml").exists() else []
    return run("--server-side", "--old", "crd.yaml", *old, "-f", "robots.yaml", *args)


def store(obj: dict[str, Any], *args: str) -> dict[str, Any]:
    """Applies an object, and makes the result the server's state."""
    code, out, err = apply(obj, *args, "-o", "json", "--show-managed-fields")
    assert code == 0, err
    Path("old.yaml").write_text(out, encoding="utf-8")
    found: dict[str, Any] = json.loads(out)
    return found


def owners(obj: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """The fields of each manager by its name and operation."""
    entries = obj["metadata"]["managedFields"]
    return {(entry["manager"], entry["operation"]): entry["fieldsV1"] for entry in entries}


def test_an_object_is_created(here: Path) -> None:
    assert apply(robot(BASE)) == (0, f"{NAMED} serverside-applied (server dry run)\n", "")
    assert apply(robot(BASE), "-o", "name")[1] == f"{NAMED}\n"
    assert apply(robot({**BASE, "most": None}), "-o", "diff")[1].splitlines()[1:] == ["  spec.most: defaulted: 5"]
    found = store(robot(BASE), "--field-manager", "me")
    fields = {
        "f:spec": {
            "f:arms": {'k:{"name":"left"}': {".": {}, "f:name": {}, "f:reach": {}}},
            "f:model": {},
            "f:tags": {'v:"a"': {}},
        }
    }
    assert owners(found) == {("me", "Apply"): fields}
    assert found["metadata"].keys() == {"name", "namespace", "managedFields"}
    assert found["spec"] == {**BASE, "most": 5}


def test_managed_fields_are_printed_on_request(here: Path) -> None:
    store(robot(BASE))
    for args in (["--server-side"], []):
        for output in ("yaml", "json"):
            words = (*args, "--old", "crd.yaml,old.yaml", "-f", "robots.yaml", "-o", output)
            code, out, _ = run(*words)
            assert (code, "managedFields" in yaml.safe_load(out)["metadata"]) == (0, False)
            assert "managedFields" in yaml.safe_load(run(*words, "--show-managed-fields")[1])["metadata"]


def test_a_conflict_has_the_words_and_the_advice_of_kubectl(here: Path) -> None:
    store(robot(BASE))
    told = 'robots.yaml:1: error: Apply failed with 1 conflict: conflict with "kubectl": .spec.model\n'
    assert apply(robot({"model": "w"}), "--field-manager", "me") == (1, "", told + ADVICE)
    code, out, err = apply(robot({"model": "w", "arms": [{"name": "left", "reach": 5}]}), "--field-manager", "me")
    lines = '- .spec.model\n- .spec.arms[name="left"].reach\n'
    head = 'robots.yaml:1: error: Apply failed with 2 conflicts: conflicts with "kubectl":\n'
    assert (code, out, err) == (1, "", head + lines + ADVICE)
    assert apply(robot({"model": "w"}), "-o", "json")[0] == 0, "its own fields"


def test_force_takes_fields_from_other_managers(here: Path) -> None:
    store(robot(BASE), "--field-manager", "one")
    found = store(robot({"model": "w", "tags": ["b"]}), "--field-manager", "two", "--force-conflicts")
    assert found["spec"] == {"model": "w", "most": 5, "arms": BASE["arms"], "tags": ["a", "b"]}
    assert owners(found)["two", "Apply"] == {"f:spec": {"f:model": {}, "f:tags": {'v:"b"': {}}}}
    assert "f:model" not in owners(found)["one", "Apply"]["f:spec"]
    found = store(robot({"arms": BASE["arms"]}), "--field-manager", "one")
    assert found["spec"] == {"model": "w", "most": 5, "arms": BASE["arms"], "tags": ["b"]}, "given up by its owner"


def test_an_object_of_other_writers(here: Path) -> None:
    write("old.yaml", robot(BASE, metadata={"name": "talos", "uid": "u", "resourceVersion": "1"}))
    code, _, err = apply(robot({"model": "w"}))
    assert (code, err.splitlines()[0].partition("conflict: ")[2]) == (
        1,
        'conflict with "before-first-apply" using example.com/v1: .spec.model',
    )
    found = store(robot({"model": "x"}))
    assert owners(found).keys() == {("before-first-apply", "Update"), ("kubectl", "Apply")}


def test_an_object_of_client_side_applies(here: Path) -> None:
    write("robots.yaml", robot(BASE))
    _, out, _ = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "yaml", "--show-managed-fields")
    assert owners(yaml.safe_load(out)).keys() == {("kubectl-client-side-apply", "Update")}
    Path("old.yaml").write_text(out, encoding="utf-8")
    told = (
        "Warning: failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply. This is "
        "non-fatal and will be retried next time you apply. Error: Apply failed with 1 conflict: conflict with "
        '"kubectl-client-side-apply" using example.com/v1: '
        ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration\n"
    )
    assert apply(robot({**BASE, "model": "w"})) == (0, f"{NAMED} serverside-applied (server dry run)\n", told)
    assert apply(robot({**BASE, "model": "w"}), "--field-manager", "me")[0] == 1
    assert apply(robot(BASE), "--field-manager", "me")[::2] == (0, "")


def test_owners_after_a_client_side_apply(here: Path) -> None:
    store(robot(BASE), "--field-manager", "one")
    write("robots.yaml", robot({"model": "w"}))
    words = ("--old", "crd.yaml,old.yaml", "-f", "robots.yaml", "-o", "json", "--show-managed-fields")
    found = owners(json.loads(run(*words, "--field-manager", "two")[1]))
    assert found["two", "Update"]["f:spec"] == {"f:model": {}}
    assert "f:model" not in found["one", "Apply"]["f:spec"]
    write("old.yaml", as_applied(robot({"model": "w"})))
    assert "managedFields" not in json.loads(run(*words)[1])["metadata"], "no request, no owner"


def test_a_time_stays_if_nothing_else_has_changed(here: Path) -> None:
    before = store(robot(BASE))
    before["metadata"]["managedFields"][0]["time"] = "2020-01-01T00:00:00Z"
    write("old.yaml", before)
    assert store(robot(BASE)) == before
    assert store(robot({**BASE, "model": "w"}))["metadata"]["managedFields"][0]["time"] > "2020-01-02"


UNKNOWN = "field not declared in schema"
WRONG = "failed to create typed patch object (default/talos; example.com/v1, Kind=Robot): "


@each(
    "sent, told",
    [
        ({"modle": "x"}, f"Error from server: {WRONG}.spec.modle: {UNKNOWN}\n"),
        ({"b": 1, "a": 1}, f"Error from server: {WRONG}.spec.a: {UNKNOWN}\n"),
        (
            {"model": 5},
            f"Error from server: {WRONG}.spec.model: expected string, got &value.valueUnstructured{{Value:5}}\n",
        ),
        ({"tags": ["a", "a"]}, f'Error from server: {WRONG}.spec.tags: duplicate entries for key [="a"]\n'),
        (
            {"model": "too long"},
            'The Robot "talos" is invalid: spec.model: Too long: may not be more than 5 bytes\n',
        ),
    ],
)
def test_errors_are_those_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: Any, told: str) -> None:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", KIND)
    assert apply(robot(sent)) == (1, "", f"robots.yaml:1: {told}")
    store(robot(BASE))
    assert apply(robot(sent), "--force-conflicts", "--field-manager", "me") == (1, "", f"robots.yaml:1: {told}")


def test_metadata_of_the_server(here: Path) -> None:
    def first(obj: dict[str, Any]) -> tuple[int, str]:
        code, _, err = apply(obj)
        return code, err.partition("\n")[0].removeprefix("robots.yaml:1: ")

    def named(**metadata: Any) -> dict[str, Any]:
        return robot(BASE, metadata={"name": "talos", **metadata})

    stale = 'error: Operation cannot be fulfilled on robots.example.com "talos": '
    uid = "uid mismatch: the provided object specified uid u, and no existing object was found"
    assert first(named(managedFields=[])) == (1, "Error from server (BadRequest): metadata.managedFields must be nil")
    assert first(named(uid="u")) == (1, stale + uid)
    assert first(named(resourceVersion="2")) == (0, "")
    write("old.yaml", named(uid="v", resourceVersion="1"))
    modified = "the object has been modified; please apply your changes to the latest version and try again"
    assert first(named(resourceVersion="2")) == (1, stale + modified)
    immutable = 'metadata.uid: Invalid value: "u": field is immutable'
    assert first(named(uid="u")) == (1, f'The Robot "talos" is invalid: {immutable}')


def test_the_status(here: Path) -> None:
    sent = robot(BASE) | {"status": {"phase": "on"}}
    missing = 'robots.yaml:1: Error from server (NotFound): robots.example.com "talos" not found\n'
    assert apply(sent, "--subresource", "status") == (1, "", missing)
    found = store(sent)
    assert "status" not in found
    found = store(sent, "--subresource", "status", "--field-manager", "controller")
    assert found["status"] == {"phase": "on"}
    entry = found["metadata"]["managedFields"][0]
    assert (entry["manager"], entry["subresource"], entry["fieldsV1"]) == (
        "controller",
        "status",
        {"f:status": {"f:phase": {}}},
    )
    write("crd.yaml", definition(root(SPEC)))
    told = "robots.yaml:1: Error from server (NotFound): the server could not find the requested resource\n"
    assert apply(robot(BASE), "--subresource", "status") == (1, "", told)


def test_definitions_are_applied_too(here: Path) -> None:
    crd = "customresourcedefinition.apiextensions.k8s.io/robots.example.com"
    code, out, err = run("--server-side", "-f", "crd.yaml", "-o", "json", "--show-managed-fields")
    found = json.loads(out)
    assert (code, err, found["spec"]["names"]["listKind"]) == (0, "", "RobotList")
    parts: dict[str, Any] = {"f:group": {}, "f:names": {"f:kind": {}, "f:plural": {}}, "f:scope": {}, "f:versions": {}}
    assert owners(found) == {("kubectl", "Apply"): {"f:spec": parts}}
    write("old.yaml", found)
    write("crd.yaml", KIND | {"spec": KIND["spec"] | {"names": {"kind": "Robot", "plural": "robots", "singular": "r"}}})
    args = ("--server-side", "--old", "old.yaml", "-f", "crd.yaml")
    assert run(*args) == (0, f"{crd} serverside-applied (server dry run)\n", "")
    write("crd.yaml", KIND | {"spec": KIND["spec"] | {"scope": "Cluster"}})
    told = 'crd.yaml:1: error: Apply failed with 1 conflict: conflict with "kubectl": .spec.scope\n'
    assert run(*args, "--field-manager", "me") == (1, "", told + ADVICE)
    write("crd.yaml", KIND | {"spec": KIND["spec"] | {"bogus": 1}})
    lead = "failed to create typed patch object (/robots.example.com; apiextensions.k8s.io/v1, "
    told = f"{lead}Kind=CustomResourceDefinition): .spec.bogus: field not declared in schema"
    assert run(*args) == (1, "", f"crd.yaml:1: Error from server: {told}\n")


@each(
    "args, told",
    [
        (["--force-conflicts"], "--force-conflicts only works with --server-side; add that, or remove this"),
        (["--subresource", "status"], "--subresource can only be specified for --server-side; add that"),
        (["--server-side", "--dry-run=client"], "(did you mean --dry-run=server instead?)"),
        (["--server-side", "--field-manager", ""], "is required for apply patch; name a manager"),
        (["--server-side", "--field-manager", "x" * 129], "may not be more than 128 bytes"),
        (["--field-manager", "a\tb"], "has characters that cannot be printed"),
    ],
)
def test_options_that_do_not_fit(args: list[str], told: str) -> None:
    code, out, err = run("-f", "robots.yaml", *args)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())


def test_managed_fields_that_cannot_be_read(here: Path) -> None:
    for entries in ([{"manager": "a"}], [{"manager": "a", "operation": "Apply", "apiVersion": "example.com/v1"}]):
        write("old.yaml", robot(BASE, metadata={"name": "talos", "managedFields": entries}))
        code, _, err = apply(robot(BASE))
        assert (code, err.startswith("robots.yaml:1: Error from server: failed to decode managed fields: ")) == (
            1,
            True,
        )
