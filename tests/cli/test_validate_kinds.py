"""`validation-gen validate` over mixed manifests: nothing is passed in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_validate_definitions import here, run, write
from tests.kubernetes.objects.answers import robot

__all__ = ["here"]

DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}
SLIP = {**DEPLOYMENT, "kind": "Deploymnt"}
BUILT_IN = "not judged: 2 Deployment apps/v1: built-in, no schema here"


def test_built_in_kinds_are_counted_and_named(here: Path) -> None:
    write("all.yaml", robot({"model": "x"}), DEPLOYMENT, {**DEPLOYMENT, "metadata": {"name": "e"}})
    told = "3 objects: 1 valid, 0 invalid, 2 not judged\n"
    assert run("crds", "-f", "all.yaml") == (0, told, f"{BUILT_IN}\n")
    assert run("crds", "-f", "all.yaml", "--quiet") == (0, "", "")
    for format in ("concise", "json", "github", "sarif", "junit"):
        code, out, err = run("crds", "-f", "all.yaml", "--format", format)
        assert (code, f"{BUILT_IN}\n" in err) == (0, True)
        if format == "json":
            assert json.loads(out)[1]["reason"] == "built-in, no schema here"


def test_strict_kinds(here: Path) -> None:
    write("all.yaml", DEPLOYMENT, SLIP)
    code, out, _ = run("crds", "-f", "all.yaml", "--strict-kinds")
    assert (code, out.splitlines()[:2]) == (
        1,
        [
            'all.yaml:1: not judged: no rules for apps/v1 Deployment "d" (built-in, no schema here)',
            'all.yaml:6: not judged: no rules for apps/v1 Deploymnt "d" (no such kind; did you mean Deployment?)',
        ],
    )
    code, _, err = run("crds", "-f", "all.yaml", "--strict-kinds", "--ignore-missing-schemas")
    assert (code, "it contradicts --ignore-missing-schemas" in err) == (2, True)
    off = '[lint]\nVG807 = { level = "off", reason = "others judge" }\n'
    Path("validation-gen.toml").write_text(f"[validate]\nignore-missing-schemas = true\n{off}", encoding="utf-8")
    assert run("crds", "-f", "all.yaml")[0] == 0
    assert run("crds", "-f", "all.yaml", "--strict-kinds")[0] == 1


@pytest.mark.parametrize("name", ["Deploymnt", "HTTPRoute"])
def test_kinds_that_there_are_not_fail(here: Path, name: str) -> None:
    write("all.yaml", {**DEPLOYMENT, "kind": name})
    assert run("crds", "-f", "all.yaml")[0] == 1


@pytest.mark.parametrize(
    ("obj", "told"),
    [
        (DEPLOYMENT | {"metadata": {}}, 'The Deployment "" is invalid: metadata.name: Required value'),
        (DEPLOYMENT | {"metadata": {"name": "a/b"}}, "metadata.name: Invalid value"),
        (DEPLOYMENT | {"metadata": {"name": "a", "labels": {"a": "-"}}}, "metadata.labels: Invalid value"),
        (DEPLOYMENT | {"metadata": {"name": "a", "lables": {}}}, 'unknown field "metadata.lables"'),
        (DEPLOYMENT | {"metadata": {"name": "a", "labels": {"a": 1}}}, "cannot unmarshal number"),
    ],
)
def test_what_is_asked_of_all_kinds_is_judged(here: Path, obj: dict[str, object], told: str) -> None:
    write("all.yaml", obj)
    code, out, _ = run("crds", "-f", "all.yaml")
    assert (code, told in out, out.splitlines()[-1]) == (1, True, "1 object: 0 valid, 1 invalid")


@pytest.mark.parametrize(
    "obj",
    [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "one", "namespace": "two"}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "n-"}},
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": "t"}},
    ],
)
def test_what_servers_do_not_ask_is_not_judged(here: Path, obj: dict[str, object]) -> None:
    write("all.yaml", obj)
    assert run("crds", "-f", "all.yaml")[:2] == (0, "1 object: 0 valid, 0 invalid, 1 not judged\n")
