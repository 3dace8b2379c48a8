"""Requests as a server sends them are all answered as they should be."""

from __future__ import annotations

import json
from typing import Any

from tests.tables import each
from tests.webhooks.ours import answer_to
from tests.webhooks.recorded import ADMISSIONS, CONVERSIONS, body_of, review_of

#: What is refused, with the code and the fields at fault. All else is allowed.
REFUSED: dict[str, tuple[int, list[str]]] = {
    "create-mission-invalid": (
        422,
        [
            "spec.customer",
            "spec.zone",
            "spec.robotPool",
            "spec.requires",
            "spec.stops[0]",
            "spec.stops[1]",
            "spec.stops[1].action",
            "spec.stops[1].addressLines[0]",
            "spec.stops[1].waitSeconds",
            "spec.parcels[0].id",
            "spec.parcels[0].contents[1]",
            "spec.parcels[0].stop",
            "spec.witnesses[0]",
            "spec.airspace.permit",
            "spec.contingency.otherwise.action",
        ],
    ),
    "create-pool-invalid": (
        422,
        [
            "metadata.name",
            "spec.strategy",
            "spec.minReadySeconds",
            "spec.replicas",
            "spec.selector",
            "spec.areas[1]",
            "spec.areas[0].corners[0].latitude",
            "spec.areas[0].corners[0].floor",
            "spec.areas[1].corners",
            "spec.areas[1].surfaces[1]",
            "spec.template.drive",
        ],
    ),
    "create-robot-invalid": (
        422,
        [
            "metadata.name",
            "spec.model",
            "spec.serialNumber",
            "spec.serialNumber",
            "spec.assetID",
            "spec.homeDock",
            "spec.drive",
            "spec.drive.wheeled.wheels",
            "spec.drive.rotor.rotors",
            "spec.battery.chemistry",
            "spec.compartments[1]",
            "spec.compartments[0].volumeLiters",
            "spec.compartments[1].climate",
            "spec.sensors",
            "spec.sensors[1].driver",
            "spec.capabilities[2]",
            "spec.capabilities[1]",
            "spec.speedLimits[park]",
            "spec.speedLimits",
            "spec.consumables",
            "spec.markings[colour]",
            "spec.surfaces[0]",
            "spec.autonomy.swarm.leader",
        ],
    ),
    "create-robot-v1beta1-invalid": (422, ["spec.drive.wheeled", "spec.drive.rotor", "spec.radioChannel"]),
    "create-robot-without-defaults": (422, ["spec.compartments[0].climate", "spec.compartments[1].climate"]),
    "create-unknown-kind": (400, []),
    "update-mission-invalid": (422, ["spec.customer"]),
    "update-pool-scale-invalid": (422, ["spec.replicas"]),
    "update-robot-invalid": (422, ["spec.battery.chemistry", "spec.sensors[3]"]),
    "update-robot-status-invalid": (422, ["status.phase", "status.position.latitude"]),
}
# A dry run is judged as any other request, and so is one of a client of another version.
REFUSED["create-robot-invalid-dry-run"] = REFUSED["create-robot-invalid"]
REFUSED["update-robot-asked-as-v1beta1-invalid"] = REFUSED["update-robot-invalid"]


def test_there_are_requests_of_all_kinds() -> None:
    assert len(ADMISSIONS) >= 30
    assert len(CONVERSIONS) >= 5
    assert REFUSED.keys() <= set(ADMISSIONS)
    requests = [review_of(name)["request"] for name in ADMISSIONS]
    assert {request["operation"] for request in requests} == {"CREATE", "UPDATE", "DELETE", "CONNECT"}
    assert {request.get("subResource") for request in requests} == {None, "status", "scale", "exec"}
    assert {request["dryRun"] for request in requests} == {True, False}
    assert any(request["kind"] != request["requestKind"] for request in requests)
    assert any("name" not in request for request in requests)


@each("name", ADMISSIONS)
def test_requests_are_answered(name: str) -> None:
    request = review_of(name)["request"]
    review = answer_to(body_of(name))
    assert (review.pop("apiVersion"), review.pop("kind")) == ("admission.k8s.io/v1", "AdmissionReview")
    response: dict[str, Any] = review.pop("response")
    assert review == {}
    assert response["uid"] == request["uid"]
    code, fields = REFUSED.get(name, (None, []))
    status = response.get("status", {})
    assert (response["allowed"], status.get("code")) == (code is None, code)
    assert [cause["field"] for cause in status.get("details", {}).get("causes", [])] == fields
    assert {"patch", "patchType"}.isdisjoint(response)


@each("name", ADMISSIONS)
def test_a_dry_run_is_answered_as_if_it_were_none(name: str) -> None:
    review = review_of(name)
    answers = []
    for dry in (False, True):
        review["request"]["dryRun"] = dry
        answers.append(answer_to(json.dumps(review).encode()))
    assert answers[0] == answers[1]
