"""`validation-gen apply --dry-run` with definitions that are wrong, questionable, or there already."""

from __future__ import annotations

import json
from contextlib import ExitStack
from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.test_apply import KIND, NAMED, SPEC, as_applied, here, run, write
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root
from validation_gen.kubernetes import objects
from validation_gen.kubernetes.crd import run as checks
from validation_gen.kubernetes.objects import admission

__all__ = ["here"]

CRD = "customresourcedefinition.apiextensions.k8s.io/robots.example.com"
FORMAT = definition(root({"type": "object", "properties": {"model": {"type": "string", "format": "colour"}}}))
WRONG = definition({"type": "object", "properties": {"a": {}}})


def _with(field: str) -> dict[str, Any]:
    found = deepcopy(KIND)
    found["spec"][field] = "x"
    return found


def test_warnings_about_definitions_are_told(here: Path) -> None:
    write("crd.yaml", FORMAT)
    code, out, err = run("-f", "crd.yaml")
    assert (code, out) == (0, f"{CRD} created (server dry run)\n")
    assert err == 'Warning: crd.yaml:19:25: unrecognized format "colour"\n'
    write("old.yaml", as_applied(FORMAT))
    code, out, err = run("--old", "old.yaml", "-f", "crd.yaml")
    assert (code, out) == (0, f"{CRD} unchanged (server dry run)\n")
    assert 'old.yaml:23:25: warning VG502 unrecognized format "colour"' in err


def test_unknown_fields_of_definitions_have_the_levels_of_other_objects(here: Path) -> None:
    write("crd.yaml", _with("bogus"))
    code, out, err = run("-f", "crd.yaml")
    kind = "CustomResourceDefinition"
    told = f'{kind} in version "v1" cannot be handled as a {kind}: strict decoding error: unknown field "spec.bogus"'
    assert (code, out, err) == (1, "", f"crd.yaml:1: Error from server (BadRequest): {told}\n")
    assert run("-f", "crd.yaml", "--field-validation", "Warn")[::2] == (0, 'Warning: unknown field "spec.bogus"\n')
    assert run("-f", "crd.yaml", "--field-validation", "Ignore")[::2] == (0, "")


def test_no_decoder_finds_unknown_fields_in_parts_that_decode_themselves(here: Path) -> None:
    items = {"type": "array", "items": {"type": "string", "bogus": 1}}
    write("crd.yaml", definition(root({"type": "object", "properties": {"names": items}})))
    code, out, err = run("-f", "crd.yaml")
    assert (code, out) == (0, f"{CRD} created (server dry run)\n")
    assert err.startswith("Warning: crd.yaml:")
    assert 'unknown field "spec.versions[0]' in err


def test_definitions_that_are_there_are_updated(here: Path) -> None:
    write("old.yaml", as_applied(KIND))
    code, out, _ = run("--old", "old.yaml", "-f", "crd.yaml")
    assert (code, out) == (0, f"{CRD} unchanged (server dry run)\n")
    other = deepcopy(KIND)
    other["spec"]["names"]["shortNames"] = ["rb"]
    write("new.yaml", other)
    code, out, err = run("--old", "old.yaml", "-f", "new.yaml")
    assert (code, out, err) == (0, f"{CRD} configured (server dry run)\n", "")
    out, err = run("--old", "crd.yaml", "-f", "crd.yaml")[1:]
    assert out == f"{CRD} configured (server dry run)\n"
    assert err.startswith("Warning: resource customresourcedefinitions/robots.example.com is missing the ")
    other["spec"]["bogus"] = {"a": 1}
    write("new.yaml", other)
    code, _, err = run("--old", "old.yaml", "-f", "new.yaml")
    assert code == 1
    patch = 'new.yaml:1: The request is invalid: patch: Invalid value: "map[metadata:map[annotations:map['
    problem = 'names:map[shortNames:[rb]]]]": strict decoding error: unknown field "spec.bogus"\n'
    assert err.startswith(patch)
    assert err.endswith(f"spec:map[bogus:map[a:1] {problem}")


def test_each_definition_is_decoded_once_and_each_old_object_loaded_once(here: Path) -> None:
    write("robots.yaml", robot({"model": "x"}))
    write("old.yaml", as_applied(robot({"model": "y"})))
    with ExitStack() as stack:
        calls = [
            stack.enter_context(patch.object(where, name, autospec=True, side_effect=getattr(where, name)))
            for where, name in (
                (checks, "mistakes"),
                (checks, "read_definition"),
                (objects, "read_definition"),
                (admission._Request, "load"),
            )
        ]
        for option in ("-f", "--old"):
            code, out, _ = run(
                option, "crd.yaml", "--old", "old.yaml", "-f", "robots.yaml", "--field-validation", "Warn"
            )
            assert (code, out.splitlines()[-1]) == (0, f"{NAMED} configured (server dry run)")
            assert [each.call_count for each in calls] == [1, 1, 0, 1]
            for each in calls:
                each.reset_mock()


def test_definitions_that_the_server_has_are_not_wrong_in_silence(here: Path) -> None:
    write("old.yaml", WRONG)
    write("robots.yaml", robot({"model": "x"}))
    code, out, err = run("--old", "old.yaml", "-f", "robots.yaml")
    assert (code, out) == (1, "")
    told = "the definition defines no kind here: spec.validation.openAPIV3Schema.properties[a].type: Required value"
    assert f"old.yaml:16:11: warning VG501 {told}" in err


def test_two_definitions_of_one_kind(here: Path) -> None:
    other = definition(root(SPEC | {"required": []}))
    write("more.yaml", other)
    write("robots.yaml", robot({}))
    code, out, err = run("-f", "crd.yaml", "-f", "more.yaml", "-f", "robots.yaml")
    told = "the kind Robot of example.com is defined in crd.yaml:1 already; this definition counts"
    assert (code, out.splitlines()[-1]) == (0, f"{NAMED} created (server dry run)")
    assert err == f"Warning: more.yaml:4:9: {told}\n"
    assert f"more.yaml:4:9: warning VG513 {told}" in run("--old", "crd.yaml,more.yaml", "-f", "robots.yaml")[2]
    assert run("-f", "crd.yaml", "-f", "crd.yaml")[2] == ""
    assert "already" not in run("--old", "crd.yaml", "-f", "more.yaml")[2]


@pytest.mark.parametrize("depth", [200, 400, 900])
def test_deep_definitions(here: Path, depth: int) -> None:
    schema = '{"type": "object", "properties": {"a": ' * depth + '{"type": "string"}' + "}}" * depth
    text = json.dumps(definition({"type": "object", "properties": {"a": 5}})).replace("5", schema)
    Path("deep.yaml").write_text(text, encoding="utf-8")
    for args in (["-f", "deep.yaml"], ["-f", "deep.yaml", "--old", "deep.yaml"]):
        code, out, err = run(*args)
        assert (code in (0, 1, 2), bool(out or err)) == (True, True)
