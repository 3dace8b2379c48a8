"""What is changed of objects: defaults, functions of users, and that nothing is left for a second time."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands.edgecases.samples import subjects
from tests.thorough import drawn
from tests.webhooks.asking import answer, body, patch, response
from tests.webhooks.robots import robot, robots
from tests.webhooks.test_patches import _json as json_values
from tests.webhooks.test_patches import applied
from tests.webhooks.test_reviews import REQUEST
from validation_gen.commands.edgecases import Drawing, make_random_source
from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks import DeniedError, Functions, Mutating, Request, Validating, by_validators, mutates
from validation_gen.webhooks.application import make_defaults
from validation_gen.webhooks.patches import identical

ALLOWED = {"uid": REQUEST["uid"], "allowed": True}


def _bare(**spec: Any) -> dict[str, Any]:
    """A robot as a user has sent it."""
    return {**robot(), "spec": spec}


def _mutating(*functions: Any) -> Mutating:
    return Mutating(make_defaults(robots().scheme), Functions(functions))


def _after(endpoint: Mutating, obj: Any, **more: Any) -> Any:
    """The object as a server has it afterwards."""
    found = response(endpoint, obj, **more)
    assert found["allowed"], found
    made = applied(patch(found), obj)
    assert identical(jsonpatch.apply_patch(obj, patch(found)), made)
    return made


# --- defaults ---------------------------------------------------------------------------------------------------------


def test_defaults_are_filled_in() -> None:
    found = response(_mutating(), _bare(arms=[{}, {"side": "right"}, {}]))
    assert patch(found) == [
        {"op": "replace", "path": "/spec/arms", "value": [{"side": "left"}, {"side": "right"}, {"side": "left"}]},
        {"op": "add", "path": "/spec/replicas", "value": 3},
    ] or patch(found) == [
        {"op": "add", "path": "/spec/arms/0/side", "value": "left"},
        {"op": "add", "path": "/spec/arms/2/side", "value": "left"},
        {"op": "add", "path": "/spec/replicas", "value": 3},
    ]
    assert _after(_mutating(), _bare(arms=[{}]))["spec"] == {"arms": [{"side": "left"}], "replicas": 3}


def test_nothing_is_said_where_nothing_changes() -> None:
    assert response(_mutating(), robot()) == ALLOWED
    assert response(Mutating(), _bare()) == ALLOWED
    assert response(_mutating(), {**_bare(), "kind": "Other"}) == ALLOWED


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_what_has_no_new_object_is_left_alone(operation: str) -> None:
    assert response(_mutating(), None, _bare(), operation=operation) == ALLOWED


def test_dry_runs_and_updates_are_answered_alike() -> None:
    expected = [{"op": "add", "path": "/spec/replicas", "value": 3}]
    assert patch(response(_mutating(), _bare(), dryRun=True)) == expected
    assert patch(response(_mutating(), _bare(), robot())) == expected
    assert patch(response(_mutating(), _bare(), robot(), subResource="status")) == expected
    assert response(_mutating(), _bare(), robot(), subResource="scale") == ALLOWED


def test_small_answers_need_no_thread() -> None:
    endpoint = _mutating()
    asked = endpoint.read(body(_bare()))
    found = endpoint.at_once(asked)
    assert found is not None
    assert found.review == answer(endpoint, body(_bare())).review
    assert _mutating(label).at_once(asked) is None


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_asked_twice_there_is_nothing_left(version: str) -> None:
    """Of drawn objects, whatever is in them; and what is patched is what the functions made."""
    kinds = subjects(robots().program, robots().registry)
    (robot_kind,) = (kind for kind in kinds if kind.kind.api_version == f"example.com/{version}")
    drawing = Drawing(robot_kind, make_random_source("mutating"))
    endpoint = _mutating(label, colour)
    for _ in range(drawn(1000)):
        probe = drawing.request()
        obj = json.loads(json.dumps(robot_kind.whole(probe.obj)))
        if not isinstance(obj, dict):
            continue
        old = robot() if probe.update else None
        made = _after(endpoint, obj, old=old)
        assert patch(response(endpoint, made, old)) == [], obj
        assert made["metadata"]["labels"]["example.com/made-by"]


_strange = st.fixed_dictionaries(
    {"apiVersion": st.sampled_from(["example.com/v1", "example.com/v2", 7]), "kind": st.just("Robot") | json_values},
    optional={"metadata": json_values | st.fixed_dictionaries({"labels": json_values}), "spec": json_values},
)


@given(_strange, _strange | st.none())
def test_whatever_is_sent_has_an_answer(obj: Any, old: Any) -> None:
    for endpoint in (
        _mutating(label, colour),
        Validating(by_validators(robots().registry), functions=Functions([label])),
    ):
        found = response(endpoint, obj, old)
        if found["allowed"]:
            made = applied(patch(found), obj)
            assert patch(response(endpoint, made, old)) == []
        else:
            assert found["status"]["code"] in (400, 422, 500)


# --- functions --------------------------------------------------------------------------------------------------------


@mutates("Robot")
def label(request: Request) -> None:
    metadata = request.object.setdefault("metadata", {})
    if isinstance(metadata, dict) and isinstance(metadata.get("labels", {}), dict):
        metadata.setdefault("labels", {}).setdefault("example.com/made-by", "us")


@mutates("Robot", group="example.com")
async def colour(request: Request) -> Any:
    await asyncio.sleep(0)
    spec = request.object.get("spec")
    return {**request.object, "spec": {"color": "grey", **spec}} if isinstance(spec, dict) else None


def test_functions_change_what_they_are_given_or_return_another() -> None:
    found = response(_mutating(label, colour), _bare())
    assert patch(found) == [
        {"op": "add", "path": "/metadata/labels", "value": {"example.com/made-by": "us"}},
        {"op": "add", "path": "/spec/color", "value": "grey"},
        {"op": "add", "path": "/spec/replicas", "value": 3},
    ]


def test_what_a_function_adds_has_its_defaults_at_once() -> None:
    @mutates("Robot")
    def arms(request: Request) -> None:
        assert request.object["spec"]["replicas"] == 3  # they come before it, too
        request.object["spec"].setdefault("arms", [{}])

    endpoint = _mutating(arms)
    made = _after(endpoint, _bare())
    assert made["spec"]["arms"] == [{"side": "left"}]
    assert response(endpoint, made) == ALLOWED


def test_a_server_asks_again_when_others_have_changed_the_object() -> None:
    endpoint = _mutating(label, colour)
    first = _after(endpoint, _bare())
    first["spec"]["arms"] = [{}]  # another webhook
    del first["metadata"]["labels"]
    assert _after(endpoint, first)["spec"]["arms"] == [{"side": "left"}]
    assert response(endpoint, _after(endpoint, first)) == ALLOWED


def test_the_request_is_not_changed() -> None:
    asked = _mutating().read(body(_bare()))
    before = copy.deepcopy(asked.object)
    asyncio.run(_mutating(label, colour).answer(asked))
    assert asked.object == before


@pytest.mark.parametrize(
    "change",
    [
        lambda obj: obj["metadata"].update(name="other"),
        lambda obj: obj["metadata"].pop("namespace"),
        lambda obj: obj["metadata"].update(uid="1"),
        lambda obj: obj["metadata"].update(managedFields=[]),
        lambda obj: obj.pop("metadata"),
        lambda obj: obj.update(metadata=7),
        lambda obj: obj.update(apiVersion="example.com/v2"),
        lambda obj: obj.update(kind="Dock"),
        lambda obj: obj["spec"].update(size=(1, 2)),
        lambda obj: obj["spec"].update(size=float("nan")),
        lambda obj: obj["spec"].update({1: 2}),
    ],
)
def test_what_a_function_may_not_change(change: Any, caplog: pytest.LogCaptureFixture) -> None:
    @mutates("Robot")
    def changes(request: Request) -> None:
        change(request.object)

    found = response(_mutating(changes), _bare())
    assert (found["allowed"], found["status"]["code"], "patch" in found) == (False, 500, False)
    assert found["status"]["message"] == "a function of the webhook failed; its log says why"
    assert "The function test_what_a_function_may_not_change.<locals>.changes failed" in caplog.text


def test_a_patch_has_an_end() -> None:
    """What a server would never store is not sent."""

    @mutates("Robot")
    def grows(request: Request) -> None:
        request.object["spec"]["notes"] = ["x" * 1000] * 6300

    found = response(_mutating(grows), _bare())
    assert (found["status"]["code"], "patch" in found) == (413, False)
    assert found["status"]["message"] == "its changes have more than 6291456 bytes"


def test_labels_annotations_finalizers_and_owners_may_change() -> None:
    @mutates("Robot")
    def changes(request: Request) -> None:
        request.object["metadata"] |= {"labels": {"a": "b"}, "annotations": {}, "finalizers": [], "ownerReferences": []}

    assert len(patch(response(_mutating(changes), robot()))) == 4


@pytest.mark.parametrize("returned", [[], "x", 7, True])
def test_a_function_returns_an_object_or_nothing(returned: Any) -> None:
    @mutates("Robot")
    def changes(request: Request) -> Any:
        return returned

    assert response(_mutating(changes), _bare())["status"]["code"] == 500


def test_a_failure_that_lets_requests_pass_changes_nothing() -> None:
    @mutates("Robot", fail_open=True)
    def changes(request: Request) -> None:
        request.object["spec"]["color"] = "red"
        raise OSError("away")

    found = response(_mutating(changes, label), robot())
    assert [each["path"] for each in patch(found)] == ["/metadata/labels"]
    assert list(found["auditAnnotations"]) == ["failed-open"]


def test_a_function_can_refuse() -> None:
    @mutates("Robot")
    def refuses(request: Request) -> None:
        if request.object["spec"].get("color") == "red":
            raise DeniedError(FieldError.invalid("spec.color", "red", "is out"))
        raise DeniedError("out of colours")

    assert response(_mutating(refuses), robot(color="red"))["status"]["code"] == 422
    found = response(_mutating(refuses), robot())
    assert (found["status"]["code"], found["status"]["message"]) == (403, "out of colours")


def test_a_function_that_never_has_enough_is_told(caplog: pytest.LogCaptureFixture) -> None:
    @mutates("Robot")
    def counts(request: Request) -> None:
        request.object["spec"]["count"] = request.object["spec"].get("count", 0) + 1

    endpoint = _mutating(label, counts)
    with caplog.at_level(logging.WARNING, "validation_gen.webhooks"):
        for _ in range(3):
            found = response(endpoint, robot())
    assert found["auditAnnotations"] == {"not-idempotent": counts.__qualname__}
    assert patch(found)[-1] == {"op": "add", "path": "/spec/count", "value": 1}  # of one time
    assert len(caplog.records) == 1
    assert caplog.records[0].__dict__["function"] == counts.__qualname__


def test_functions_are_tried_twice_for_a_while() -> None:
    calls = 0

    @mutates("Robot")
    def counted(request: Request) -> None:
        nonlocal calls
        calls += 1

    endpoint = _mutating(counted)
    for _ in range(30):
        response(endpoint, robot())
    assert calls == 30 + 16
