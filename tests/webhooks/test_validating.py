"""What is allowed: levels, versions, updates, subresources and scales, with validators of real types."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.webhooks.asking import answer, body, response
from tests.webhooks.robots import robot, robots
from tests.webhooks.test_reviews import REQUEST
from validation_gen.mismatch import FieldError, Harness, Outcome
from validation_gen.webhooks import (
    Gates,
    Reader,
    Request,
    Scaling,
    Validating,
    by_harnesses,
    by_validators,
)
from validation_gen.webhooks.application import find_scalable

OPTIONS = {"Armed": False}


def _validating(**more: Any) -> Validating:
    return Validating(by_validators(robots().registry, OPTIONS), **more)


def _said(response: dict[str, Any]) -> list[str]:
    """The fields that are wrong."""
    return [each["field"] for each in response.get("status", {}).get("details", {}).get("causes", [])]


def test_alpha_rules_refuse_nothing_and_beta_rules_do() -> None:
    endpoint = _validating()
    assert response(endpoint, robot(replicas=1)) == {"uid": REQUEST["uid"], "allowed": True}
    found = response(endpoint, robot(replicas=9, name="longer"))
    assert (found["allowed"], _said(found)) == (False, ["spec.name", "spec.replicas"])
    assert found["auditAnnotations"] == {"rules": "maxLength,maximum"}


def test_a_gate_file_warns_first(tmp_path: Path) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text("levels: {alpha: warn, beta: warn}\noptions: {Armed: true}\n", encoding="utf-8")
    endpoint = Validating(by_validators(robots().registry, gates=Gates(file)))
    found = response(endpoint, robot(replicas=1))
    assert found["allowed"]
    assert found["warnings"] == ["spec.replicas: Invalid value: 1: must be greater than or equal to 2 (alpha rule)"]
    assert found["auditAnnotations"] == {"warned-rules": "minimum"}
    assert answer(endpoint, body(robot(replicas=1))).warned == ("minimum",)
    found = response(endpoint, robot(replicas=9, arms=[{}, {}]))
    assert _said(found) == ["spec.arms"]  # by the option
    assert found["warnings"] == ["spec.replicas: Invalid value: 9: must be less than or equal to 8 (beta rule)"]


def test_the_old_object_counts_in_updates_alone() -> None:
    endpoint = _validating()
    red, blue = robot(color="red"), robot(color="blue")
    assert response(endpoint, blue)["allowed"]
    assert _said(response(endpoint, blue, red)) == ["spec.color"]
    # No server sends an old object with a create; if one came, nothing would be ratcheted.
    wrong = robot(name="longer")
    assert response(endpoint, wrong, wrong)["allowed"]
    assert _said(response(endpoint, wrong, wrong, operation="CREATE")) == ["spec.name"]


def test_what_an_update_leaves_as_it_was_is_left_alone() -> None:
    """An object that was stored before a rule came can go: its finalizers are removed by updates."""
    old = robot(name="longer")
    old["metadata"] |= {"deletionTimestamp": "2026-11-25T00:00:00Z", "finalizers": ["example.com/dock"]}
    new = {**old, "metadata": {**old["metadata"], "finalizers": []}}
    endpoint = _validating()
    assert response(endpoint, new, old)["allowed"]
    # What is to go is judged as all else: a server does so, too.
    assert _said(response(endpoint, {**new, "spec": {"name": "longest", "replicas": 3}}, old)) == ["spec.name"]


def test_the_status_is_judged_where_tags_name_it() -> None:
    endpoint = _validating()
    old = robot()
    new = {**old, "status": {"replicas": -1}}
    assert _said(response(endpoint, new, old, subResource="status")) == ["status.replicas"]
    assert response(endpoint, new, old, subResource="other")["allowed"]


def test_objects_are_judged_in_the_version_that_a_server_sends() -> None:
    """With `matchPolicy: Equivalent`, `kind` is the version of the object, and `requestKind` the one that was asked."""
    endpoint = _validating()
    for sent, asked, is_right in (("v1", "v1beta1", False), ("v1beta1", "v1", True)):
        kinds = {
            name: {"group": "example.com", "version": version, "kind": "Robot"}
            for name, version in (("kind", sent), ("requestKind", asked))
        }
        resources = {
            name: {"group": "example.com", "version": version, "resource": "robots"}
            for name, version in (("resource", sent), ("requestResource", asked))
        }
        obj = robot(sent, name="longer")
        assert response(endpoint, obj, **kinds, **resources)["allowed"] is is_right
        old = robot(sent, name="other")
        assert response(endpoint, obj, old, **kinds, **resources)["allowed"] is is_right


def test_two_objects_in_two_versions_are_no_update() -> None:
    found = response(_validating(), robot("v1"), robot("v1beta1"))
    assert (found["allowed"], found["status"]["code"]) == (False, 400)
    assert found["status"]["message"] == "the old object is in example.com/v1beta1, and the new one in example.com/v1"


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_what_has_no_new_object_is_allowed(operation: str) -> None:
    assert response(_validating(), None, robot(name="longer"), operation=operation)["allowed"]


def test_small_answers_need_no_thread() -> None:
    endpoint = _validating()
    asked = endpoint.read(body(robot(replicas=9)))
    found = endpoint.at_once(asked)
    assert found is not None
    assert found.review == answer(endpoint, body(robot(replicas=9))).review
    assert found.rules == ("maximum",)
    assert Validating(by_harnesses(robots().registry, {})).at_once(asked) is None
    assert _validating(at_once=False).at_once(asked) is None


def test_names_that_are_no_texts() -> None:
    """Even to show them could fail: they are as deep as a body can be."""
    deep: Any = []
    for _ in range(900):
        deep = [deep]
    endpoint = _validating()
    for obj in ({"apiVersion": deep, "kind": "Robot"}, {"apiVersion": "example.com/v1", "kind": deep}, {}):
        asked = body(robot()).replace(json.dumps(robot()).encode(), json.dumps(obj).encode())
        found = answer(endpoint, asked).review["response"]
        assert (found["allowed"], found["status"]["code"]) == (False, 400)
        assert endpoint.failed(endpoint.read(asked), 504, "Timeout", "late").allowed is False
    asked = body(robot(), robot()).replace(
        b'"oldObject": {"apiVersion": "example.com/v1"', b'"oldObject": {"apiVersion": [[]]'
    )
    assert (
        answer(endpoint, asked)
        .review["response"]["status"]["message"]
        .startswith("the old object is in another version")
    )


# --- scales -----------------------------------------------------------------------------------------------------------


def _scale(replicas: Any) -> dict[str, Any]:
    return {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {"name": "talos", "namespace": "default"},
        "spec": {"replicas": replicas},
        "status": {"replicas": 0},
    }


def _scaled(endpoint: Validating, replicas: Any) -> dict[str, Any]:
    resource = {"group": "example.com", "version": "v1", "resource": "robots"}
    more = {"resource": resource, "requestResource": resource, "subResource": "scale"}
    return response(endpoint, _scale(replicas), _scale(3), **more)


def test_of_a_scale_alone_its_number_is_judged() -> None:
    endpoint = _validating()
    found = _scaled(endpoint, 9)
    assert found["allowed"]
    assert found["auditAnnotations"] == {"unjudged": "the object that is scaled"}
    found = _scaled(endpoint, -1)
    assert found["status"]["message"] == (
        'Scale.autoscaling "talos" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'
    )
    found = _scaled(endpoint, "many")
    assert (found["allowed"], found["status"]["code"]) == (False, 400)


def test_with_a_reader_the_object_is_scaled_and_judged() -> None:
    stored: Any = robot(replicas=3, name="longer")
    asked: list[tuple[str, ...]] = []

    async def get(*names: str) -> Any:
        asked.append(names)
        return stored

    endpoint = _validating(scaling=Scaling(find_scalable(robots().scheme), Reader(get)))
    assert _scaled(endpoint, 4) == {"uid": REQUEST["uid"], "allowed": True}  # its name was as long before
    found = _scaled(endpoint, 9)
    assert found["status"]["message"] == (
        'Robot.example.com "talos" is invalid: spec.replicas: Invalid value: 9: must be less than or equal to 8 '
        "(beta rule)"
    )
    assert asked == [("example.com/v1", "Robot", "default", "talos")] * 2  # each time, as it may have changed
    stored = None
    assert _scaled(endpoint, 9)["auditAnnotations"] == {"unjudged": "the object that is scaled"}
    stored = {**robot(), "spec": 7}
    assert _scaled(endpoint, 9)["status"]["code"] == 400


def test_a_reader_that_fails_lets_no_scale_pass() -> None:
    async def get(*names: str) -> Any:
        raise KeyError("secret")

    endpoint = _validating(scaling=Scaling(find_scalable(robots().scheme), Reader(get)))
    found = _scaled(endpoint, 4)
    assert (found["allowed"], found["status"]["code"]) == (False, 500)
    assert "secret" not in json.dumps(found)


# --- harnesses --------------------------------------------------------------------------------------------------------


class _Noted:
    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def compared(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def _by_hand(obj: Any, old: Any = None) -> list[FieldError]:
    """It knows of robots that are too many, and not of their names."""
    if obj["spec"].get("replicas", 0) > 8:
        error = FieldError.invalid("spec.replicas", obj["spec"]["replicas"], "too many").with_origin("maximum")
        return [error.covered_by_declarative()]
    return []


async def _by_hand_later(obj: Any, old: Any = None) -> list[FieldError]:
    await asyncio.sleep(0)
    return _by_hand(obj, old)


@pytest.mark.parametrize("function", [_by_hand, _by_hand_later])
def test_a_migration_runs_in_a_webhook(tmp_path: Path, function: Any) -> None:
    now = [0.0]
    file = tmp_path / "gates.yaml"
    file.write_text("featureGates: {DeclarativeValidationBeta: false}", encoding="utf-8")
    gates = Gates(file, clock=lambda: now[0], told=lambda text: None)
    noted, registry = _Noted(), robots().registry
    harness = Harness.of(
        registry, "v1.Robot", function, gates=gates.features, observers=[noted], options=lambda *_: OPTIONS
    )
    endpoint = Validating(by_harnesses(registry, {"example.com/v1/Robot": harness}, by_validators(registry, OPTIONS)))
    found = response(endpoint, robot(replicas=9))
    assert [each["message"] for each in found["status"]["details"]["causes"]] == ["Invalid value: 9: too many"]
    file.write_text("featureGates: {DeclarativeValidationBeta: true}", encoding="utf-8")
    now[0] = 2.0
    assert gates.state
    found = response(endpoint, robot(replicas=9))
    assert [each["message"] for each in found["status"]["details"]["causes"]] == [
        "Invalid value: 9: must be less than or equal to 8 (beta rule)"
    ]
    assert [outcome.identifier for outcome in noted.outcomes] == ["robot_create"] * 2
    assert response(endpoint, robot("v1beta1", replicas=9))["allowed"] is False  # by the other judge
    assert len(noted.outcomes) == 2
    assert response(endpoint, robot(replicas=9), robot(replicas=9), subResource="other")["allowed"]


def test_a_kind_without_a_harness_has_no_validators() -> None:
    found = response(Validating(by_harnesses(robots().registry, {})), robot())
    assert (found["allowed"], found["status"]["code"]) == (False, 400)


def test_a_handwritten_side_that_fails_lets_nothing_pass() -> None:
    def fails(obj: Any, old: Any = None) -> list[FieldError]:
        raise ZeroDivisionError("with what nobody is to see")

    registry = robots().registry
    harness = Harness.of(registry, "v1.Robot", fails, options=lambda *_: OPTIONS)
    found = response(Validating(by_harnesses(registry, {"Robot": harness})), robot())
    assert (found["allowed"], found["status"]["code"]) == (False, 500)
    assert "nobody" not in json.dumps(found)


def test_requests_say_what_was_sent() -> None:
    asked: list[Request] = []

    def judge(request: Request) -> Any:
        asked.append(request)
        raise LookupError("nobody")

    answer(Validating(judge), body(robot(), robot(), dryRun=True, subResource="status"))
    (request,) = asked
    assert (request.dry_run, request.name, request.namespace, request.subresource) == (
        True,
        "talos",
        "default",
        "status",
    )
    assert request.user["username"] == "admin"
    assert request.about == ("example.com", "v1", "Robot")
    assert request.resource == ("example.com", "v1", "robots")
