"""The files of the page about webhooks, asked as the page says."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, blocks
from tests.webhooks.asking import patch, response
from tests.webhooks.robots import robot, robots
from validation_gen.commands.compare.sides.functions import load_file
from validation_gen.webhooks import Gates
from validation_gen.webhooks.application import endpoints, make_defaults

PAGE = ROOT / "docs" / "serve.md"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with the files of the page."""
    for block in blocks(PAGE):
        if name := block.marks.get("file"):
            (tmp_path / name).write_text(block.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("checks", None)


def test_the_checks_of_the_page(files: Path) -> None:
    found = endpoints(
        robots().registry,
        options={"Armed": False},
        functions=[load_file("checks.py")],
        defaults=make_defaults(robots().scheme),
    )
    judged, changed = found["/validate"], found["/mutate"]
    assert response(judged, robot(), robot(), dryRun=True)["warnings"] == ["admin only tries"]
    refused = response(judged, robot(color="gold"), robot(color="gold"))
    assert refused["status"]["message"] == 'Robot.example.com "talos" is invalid: spec.color: Forbidden: gold stays'
    refused = response(judged, None, {**robot(), "status": {"replicas": 1}}, operation="DELETE")
    assert (refused["status"]["code"], refused["status"]["message"]) == (403, "it is at work")
    assert response(judged, None, robot(), operation="DELETE")["allowed"]
    assert patch(response(changed, robot())) == [
        {"op": "add", "path": "/metadata/labels", "value": {"owner": "nobody"}}
    ]


def test_the_gates_of_the_page(files: Path) -> None:
    gates = Gates(files / "gates.yaml", known=robots().program.options)
    endpoint = endpoints(robots().registry, gates=gates)["/validate"]
    found = response(endpoint, robot(replicas=9))
    assert found["auditAnnotations"] == {"warned-rules": "maximum"}
    assert response(endpoint, robot(arms=[{}, {}]))["allowed"] is False  # by the option
