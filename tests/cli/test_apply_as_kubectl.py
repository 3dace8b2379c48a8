"""Changes that kubectl makes to a manifest before `apply` sends it, and its words for the answer of the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_apply import LAST_APPLIED, NAMED, as_applied, run, write
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from tests.program import invoke
from validation_gen.commands.apply.answers import create, make_patch, merge

TEXT = {"type": "string"}
ANY = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
SPEC = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": TEXT,
        "maybe": {"type": "object", "nullable": True, "properties": {"x": TEXT}},
        "names": {"type": "array", "items": TEXT},
        "notes": {"type": "object", "additionalProperties": TEXT},
        "parts": {"type": "array", "items": {"type": "object", "properties": {"x": TEXT}}},
        "any": ANY,
        "size": {"type": "integer"},
    },
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("crd.yaml", definition(root(SPEC)))
    return tmp_path


def stored(spec: dict[str, Any], *args: str, code: int = 0) -> tuple[Any, str]:
    """The spec that a server stores, None if it refuses the object, and what is on standard error."""
    write("robots.yaml", robot(spec))
    found, out, err = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "json", *args)
    assert found == code, err
    return (json.loads(out)["spec"] if out else None), err


def test_a_create_sends_no_nulls_but_items_of_lists(here: Path) -> None:
    sent = {
        "name": "a",
        "maybe": None,
        "size": None,
        "notes": {"k": None},
        "any": {"x": None, "deep": [None, {"z": None}]},
        "nowhere": None,
        "parts": [{"x": None, "nowhere": None}],
    }
    assert stored(sent)[0] == {"name": "a", "notes": {}, "any": {"deep": [None, {}]}, "parts": [{}]}
    assert 'spec.names[0]: Invalid value: "null"' in stored({"name": "a", "names": [None]}, code=1)[1]
    assert "spec.name: Required value" in stored({"name": None}, code=1)[1]


def test_an_update_removes_what_is_null(here: Path) -> None:
    old = robot({"name": "a", "size": 1, "names": ["x"], "any": {"l": {"a": 1}, "gone": 1}})
    write("old.yaml", as_applied(old))
    new = {"name": "a", "size": None, "parts": [{"x": None, "nowhere": None}], "any": {"l": [{"z": None}], "new": {}}}
    found, err = stored(new, "--old", "old.yaml")
    assert (found, err) == ({"name": "a", "any": {"l": [{}], "new": {}}, "parts": [{}]}, "")


def test_a_null_that_was_applied_before_removes_nothing(here: Path) -> None:
    old = as_applied(robot({"name": "a", "size": None}))
    write("old.yaml", old | {"spec": {"name": "a", "size": 5}})
    write("robots.yaml", robot({"name": "a", "size": None}))
    assert run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml")[1] == f"{NAMED} unchanged (server dry run)\n"
    assert stored({"name": "a", "size": None}, "--old", "old.yaml")[0] == {"name": "a", "size": 5}
    write("old.yaml", robot({"name": "a", "size": 5}))
    assert stored({"name": "a", "size": None}, "--old", "old.yaml")[0] == {"name": "a"}


def test_patches() -> None:
    current = {"metadata": {}, "spec": {"a": 1, "old": [1], "l": {"a": 1}, "keep": 1}}
    manifest = {
        "metadata": {"name": "o"},
        "spec": {
            "a": None,
            "q": {"k": None},
            "d": {},
            "e": {"x": {"y": None}},
            "l": [{"z": None}, None, [None, {"r": None}]],
            "old": {"z": None},
            "k": 9007199254740993,
            "one": 1.0,
        },
    }
    assert make_patch(manifest, current)["spec"] == {
        "a": None,
        "q": {"k": None},
        "d": {},
        "e": {"x": {"y": None}},
        "l": [{}, None, [None, {}]],
        "old": {"z": None},
        "k": 9007199254740992,
        "one": 1,
    }
    assert merge({"a": {"b": 1}, "c": None}, {"a": [{"d": None}], "c": {"d": None}}) == {"a": [{"d": None}], "c": {}}


def test_the_annotation_is_the_manifest_as_kubectl_writes_it() -> None:
    manifest = {
        "kind": "Robot",
        "metadata": {"name": "o", "annotations": {"b": "x", "c": None, LAST_APPLIED: "{}"}, "labels": None},
        "spec": {"text": "q<&>", "big": 9223372036854775808, "one": 1.0, "far": 1e21, "null": None},
    }
    sent = create(manifest)
    text = (
        '{"kind":"Robot","metadata":{"annotations":{"b":"x","c":""},"labels":null,"name":"o"},"spec":'
        '{"big":9223372036854776000,"far":1e+21,"null":null,"one":1,"text":"q\\u003c\\u0026\\u003e"}}\n'
    )
    assert sent["metadata"] == {"name": "o", "annotations": {"b": "x", "c": "", LAST_APPLIED: text}}
    assert sent["spec"] == {"text": "q<&>", "big": 9223372036854775808.0, "one": 1, "far": 1e21}


def test_the_annotation_is_printed(here: Path) -> None:
    write("robots.yaml", robot({"name": "a"}))
    _, out, _ = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "yaml")
    assert yaml.safe_load(out) == as_applied(robot({"name": "a"}))
    write("old.yaml", as_applied(robot({"name": "b"})))
    _, out, _ = run("--old", "crd.yaml", "--old", "old.yaml", "-f", "robots.yaml", "-o", "yaml")
    assert yaml.safe_load(out) == as_applied(robot({"name": "a"}))


def test_what_something_else_has_made_is_configured_with_a_warning(here: Path) -> None:
    write("old.yaml", robot({"name": "a"}))
    write("robots.yaml", robot({"name": "a"}))
    told = (
        f"Warning: resource robots/talos is missing the {LAST_APPLIED} annotation which is required by kubectl apply. "
        "kubectl apply should only be used on resources created declaratively by either kubectl create --save-config "
        "or kubectl apply. The missing annotation will be patched automatically.\n"
    )
    found = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml")
    assert found == (0, f"{NAMED} configured (server dry run)\n", told)


def test_an_object_that_goes(here: Path) -> None:
    write("old.yaml", as_applied(robot({"name": "a"}), deletionTimestamp="2026-01-01T00:00:00Z", finalizers=["a.b/c"]))
    write("robots.yaml", robot({"name": "a"}))
    _, out, err = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml")
    assert out == f"{NAMED} unchanged (server dry run)\n"
    assert err == "Warning: Detected changes to resource talos which is currently being deleted.\n"


def test_a_number_that_no_integer_holds(here: Path) -> None:
    for size, word in ((9223372036854775808, "number"), (9223372036854775807, "integer"), (-(2**70), "number")):
        told = f'spec.name: Invalid value: "{word}": spec.name in body must be of type string: "{word}"'
        assert told in stored({"name": size}, code=1)[1]
        text = json.dumps(robot({"name": size}))
        Path("robots.json").write_text(text, encoding="utf-8")
        assert told in run("--old", "crd.yaml", "-f", "robots.json")[2]
        done = invoke(["validate", "crd.yaml", "-f", "robots.json"])
        assert told in done.stdout


OWNER = {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "u"}


def test_equal_owner_references_are_stored_once(here: Path) -> None:
    other = OWNER | {"controller": True}
    manifest = robot({"name": "a"}, metadata={"name": "talos", "ownerReferences": [OWNER, other, OWNER, OWNER]})
    write("robots.yaml", manifest)
    told = (
        "Warning: .metadata.ownerReferences contains duplicate entries{}; API server dedups owner references in 1.20+, "
        "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, u\n"
    )
    code, out, err = run("--old", "crd.yaml", "-f", "robots.yaml", "-o", "json")
    assert (code, json.loads(out)["metadata"]["ownerReferences"], err) == (0, [OWNER, other], told.format(""))
    write("old.yaml", as_applied(robot({"name": "a"})))
    code, out, err = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml", "-o", "json")
    after = " after mutating admission happens"
    assert (code, json.loads(out)["metadata"]["ownerReferences"], err) == (0, [OWNER, other], told.format(after))


def test_equal_owner_references_that_are_none(here: Path) -> None:
    write("old.yaml", as_applied(robot({"name": "a"})))
    write("robots.yaml", robot({"name": "a"}, metadata={"name": "talos", "ownerReferences": ["a", "a"]}))
    code, out, err = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml")
    assert (code, out) == (1, "")
    assert "json: cannot unmarshal string into Go struct field" in err


def test_an_unknown_field_of_an_update(here: Path) -> None:
    write("old.yaml", as_applied(robot({"name": "a"}), uid="1"))
    write("robots.yaml", robot({"name": "a", "zest": 1, "parts": [{"zip": 1}]}))
    code, out, err = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml")
    assert (code, out) == (1, "")
    head = 'robots.yaml:1: The request is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"example.com/v1\\",'
    assert err.startswith(head)
    assert '\\"spec\\":{\\"name\\":\\"a\\",\\"parts\\":[{\\"zip\\":1}],\\"zest\\":1}}": ' in err
    assert err.endswith('strict decoding error: unknown field "spec.parts[0].zip", unknown field "spec.zest"\n')
    warn = run("--old", "crd.yaml,old.yaml", "-f", "robots.yaml", "--field-validation", "Warn")
    assert warn[2] == 'Warning: unknown field "spec.parts[0].zip"\nWarning: unknown field "spec.zest"\n'


def test_a_blank_before_several_errors(here: Path) -> None:
    lines = stored({"name": 1, "size": "x"}, code=1)[1].split("\n")
    assert lines[0] == 'robots.yaml:1: The Robot "talos" is invalid: '
    assert lines[1].startswith("* spec.")


def test_the_old_object_is_what_the_server_would_return(here: Path) -> None:
    write("old.yaml", as_applied(robot({"name": "a"})) | {"spec": {"name": "a", "junk": 1}})
    assert stored({"name": "b"}, "--old", "old.yaml") == ({"name": "b"}, "")


def test_a_status_of_another_object_is_a_conflict(here: Path) -> None:
    kind = definition(root(SPEC, status=ANY))
    kind["spec"]["versions"][0]["subresources"] = {"status": {}}
    write("crd.yaml", kind)
    write("old.yaml", robot({"name": "a"}, metadata={"name": "talos", "uid": "1"}))
    for uid, code in (("1", 0), ("2", 1)):
        write("new.yaml", robot({}, metadata={"name": "talos", "uid": uid}) | {"status": {"x": 1}})
        args = ["validate", "crd.yaml", "-f", "new.yaml", "--old", "old.yaml", "--subresource", "status"]
        result = invoke(args)
        assert (result.exit_code, "UID in precondition: 2, UID in object meta: 1" in result.stdout) == (
            code,
            bool(code),
        )
