"""`webhook stdio --custom-objects PATH…`: kinds that are known before anybody defines one."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Program, definition


def _asked(project: Program, request: dict[str, object], *paths: str) -> tuple[int, list[dict[str, object]], str]:
    done = project("webhook", "stdio", "--custom-objects", *paths, stdin=json.dumps(request) + "\n")
    return done.code, [json.loads(line) for line in done.out.splitlines()], done.err


@pytest.mark.parametrize(
    ("path", "said"),
    [("apis", "spec.name: Too long"), ("crds", "spec: Too long")],
)
def test_kinds_in_sources_and_definitions(project: Program, path: str, said: str) -> None:
    project.write({"crds/thing.json": definition(5)})
    spec: object = {"name": "abcdef"} if path == "apis" else "abcdef"
    obj = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    request = {"id": 1, "op": "admit", "definition": "things.example.com", "version": "v1", "obj": obj}
    code, answers, told = _asked(project, request, path)
    assert (code, told) == (0, "")
    errors = answers[0]["errors"]
    assert isinstance(errors, list)
    assert [f"{each['field']}: {each['detail']}".startswith(said) for each in errors] == [True]


def test_what_cannot_be_read_ends_it(project: Program) -> None:
    code, answers, told = _asked(project, {}, "nowhere")
    assert (code, answers) == (2, [])
    assert "nowhere" in told


def test_rules_are_not_chosen(project: Program) -> None:
    code, _, told = _asked(project, {}, "apis", "--rules", "tags")
    assert code == 2
    assert "judged by tags and schemas alike" in " ".join(told.split())
