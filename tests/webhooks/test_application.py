"""The whole webhook in one call, asked over ASGI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.webhooks.asking import body, patch, post
from tests.webhooks.robots import robot, robots
from tests.webhooks.test_converting import CONVERTER, OBJECTS
from validation_gen import webhooks
from validation_gen.mismatch import FieldError
from validation_gen.webhooks import GateError, Limits, Request, mutates, validates
from validation_gen.webhooks.application import make_defaults


@validates("Robot", group="example.com")
async def has_dock(request: Request, reader: Any) -> FieldError | None:
    dock = request.object["spec"].get("color", "")
    found = await reader.get("example.com/v1", "Dock", request.namespace, dock)
    return None if found else FieldError.not_found("spec.color", dock)


@mutates("Robot", group="example.com")
def paint(request: Request) -> None:
    request.object["spec"].setdefault("color", "grey")


def test_all_of_it(tmp_path: Path) -> None:
    async def get(api_version: str, kind: str, namespace: str, name: str) -> Any:
        return {} if name == "none" else {"kind": kind}

    gates = tmp_path / "gates.json"
    gates.write_text('{"levels": {"alpha": "warn"}}', encoding="utf-8")
    app = webhooks.app(
        robots().registry,
        options={"Armed": True},
        gates=gates,
        functions=[has_dock, paint],
        defaults=make_defaults(robots().scheme),
        reader=get,
        limits=Limits(body=10_000),
    )
    code, found = post(app, "/validate", body(robot(color="north", replicas=1)))
    assert (code, found["allowed"], len(found["warnings"])) == (200, True, 1)
    _, found = post(app, "/validate", body(robot(color="none")))
    assert found["status"]["details"]["causes"][0]["reason"] == "FieldValueNotFound"
    _, found = post(app, "/validate", body(robot(arms=[{}, {}])))
    assert found["status"]["details"]["causes"][0]["field"] == "spec.arms"
    _, found = post(app, "/mutate", body({**robot(), "spec": {}}))
    assert [each["path"] for each in patch(found)] == ["/spec/color", "/spec/replicas"]
    assert post(app, "/validate", b"{")[0] == 400
    assert post(app, "/validate", b" " * 10_001)[0] == 413


def test_what_is_not_given_is_not_there(tmp_path: Path) -> None:
    app = webhooks.app(robots().registry, options={"Armed": False})
    assert post(app, "/validate", body(robot()))[1]["allowed"]
    assert post(app, "/mutate", body(robot()))[0] == 404
    assert post(webhooks.app(robots().registry, functions=[paint]), "/mutate", body(robot()))[0] == 200
    with pytest.raises(GateError):
        webhooks.app(robots().registry, gates=tmp_path / "none")


def test_objects_are_converted() -> None:
    app = webhooks.app(robots().registry, converter=CONVERTER)
    asked = {"uid": "7", "desiredAPIVersion": "example.com/v1", "objects": OBJECTS}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": asked}
    code, found = post(app, "/convert", json.dumps(review).encode())
    assert (code, found["uid"], found["result"]) == (200, "7", {"status": "Success"})
    assert [each["spec"] for each in found["convertedObjects"]] == [{"length": 3}, {}]
    assert post(app, "/convert", body(robot()))[0] == 400
    assert post(webhooks.app(robots().registry), "/convert", json.dumps(review).encode())[0] == 404


def test_names_of_the_room() -> None:
    for name in webhooks.__all__:
        assert getattr(webhooks, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        webhooks.nothing  # noqa: B018
