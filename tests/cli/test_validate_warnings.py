"""`validation-gen validate` with definitions: the warnings that a server sends are told, and no error twice."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_validate_definitions import SPEC, here, run, write
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import robot, root

__all__ = ["here"]

FINALIZER = (
    'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other '
    "finalizer writers"
)
OLD_VERSION = "example.com/v1alpha1 Robot is deprecated; use example.com/v1 Robot"


def _with_old_version() -> dict[str, Any]:
    found = definition(root(SPEC))
    version = deepcopy(found["spec"]["versions"][0])
    found["spec"]["versions"].append({**version, "name": "v1alpha1", "storage": False, "deprecated": True})
    return found


def test_warnings_are_told_beside_the_verdict(here: Path) -> None:
    write("crds/robots.yaml", _with_old_version())
    write("old.yaml", robot({"model": "x", "reach": 9}))
    write(
        "new.yaml",
        robot({"model": "x"}, metadata={"name": "a", "finalizers": ["mine"]}),
        robot({"model": "x", "reach": 9}),
        robot({"bogus": 1}, apiVersion="example.com/v1alpha1", metadata={"name": "c"}),
    )
    code, out, err = run("crds", "-f", "new.yaml", "--old", "old.yaml")
    assert (code, err) == (1, "")
    assert out.splitlines()[:3] == [
        f'new.yaml:1: warning: Robot "a": {FINALIZER}',
        'new.yaml:10: warning: Robot "talos": spec: Invalid value: too far',
        f'new.yaml:18: warning: Robot "c": {OLD_VERSION}',
    ]
    assert out.splitlines()[-1] == "3 objects: 2 valid, 1 invalid"
    quiet = run("crds", "-f", "new.yaml", "--old", "old.yaml", "--quiet")
    assert (quiet[0], "warning" in quiet[1] + quiet[2]) == (1, False)


def test_warnings_in_formats_for_programs(here: Path) -> None:
    write("new.yaml", robot({"model": "x"}, metadata={"name": "a", "finalizers": ["mine"]}))
    code, out, _ = run("crds", "-f", "new.yaml", "--format", "concise")
    assert (code, out.splitlines()[0]) == (0, f'new.yaml:5:3: warning VG808 Robot "a": {FINALIZER}')
    code, out, _ = run("crds", "-f", "new.yaml", "--format", "json")
    assert (code, json.loads(out)[0]["warnings"]) == (0, [FINALIZER])
    for format, words in (("github", "::warning file=new.yaml"), ("junit", "prefer a domain"), ("sarif", "VG808")):
        code, out, _ = run("crds", "-f", "new.yaml", "--format", format)
        assert (code, words in out) == (0, True)


@pytest.mark.parametrize(
    ("level", "args", "code", "told"),
    [
        ("off", [], 0, ""),
        ("error", [], 1, "error"),
        ("error", ["--quiet"], 1, "error"),
        ("warning", ["--ignore", "VG808"], 0, ""),
    ],
)
def test_warnings_have_a_level(here: Path, level: str, args: list[str], code: int, told: str) -> None:
    Path("validation-gen.toml").write_text(
        f'[lint]\nVG808 = {{ level = "{level}", reason = "known" }}\n', encoding="utf-8"
    )
    write("new.yaml", robot({"model": "x"}, metadata={"name": "a", "finalizers": ["mine"]}))
    done, out, _ = run("crds", "-f", "new.yaml", *args)
    assert (done, FINALIZER in out) == (code, bool(told))
    done, out, _ = run("crds", "-f", "new.yaml", *args, "--format", "concise")
    assert (done, f"{told} VG808" in out) == (code, bool(told))


def test_no_error_is_told_twice(here: Path) -> None:
    def named(uid: str, **labels: str) -> dict[str, Any]:
        return robot({"model": "x"}, metadata={"name": "a", "uid": uid, "labels": labels})

    write("old.yaml", named("1"))
    write("new.yaml", named("2", a="not valid"))
    code, out, _ = run("crds", "-f", "new.yaml", "--old", "old.yaml", "--format", "json")
    errors = [f"{error['field']}: {error['detail']}" for error in json.loads(out)[0]["errors"]]
    assert code == 1
    assert [error.split(":")[0] for error in errors] == ["metadata.labels", "metadata.uid"]


def test_what_is_said_of_definitions(here: Path) -> None:
    questionable = definition(root({"type": "object", "properties": {"model": {"type": "string", "format": "colour"}}}))
    write("crds/robots.yaml", questionable)
    write("good.yaml", robot({"model": "x"}))
    told = "1 warning about the definitions; `validation-gen crd lint crds` shows it\n"
    assert run("crds", "-f", "good.yaml") == (0, "1 object: 1 valid, 0 invalid\n", told)
    assert run("crds", "-f", "good.yaml", "--quiet") == (0, "", "")
    assert "VG502" in run("crds", "-f", "good.yaml", "--format", "sarif")[1]
    write("crds/second.yaml", definition(root(SPEC)))
    code, _, err = run("crds", "-f", "good.yaml")
    twice = "the kind Robot of example.com is defined in crds/robots.yaml:1 already; this definition counts"
    assert (code, f"VG513]: {twice}" in err, told in err) == (0, True, True)
