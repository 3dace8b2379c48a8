"""A server takes what we convert."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.parties import Parties
from tests.webhooks.recorded import CONVERSIONS, body_of, review_of
from validation_gen.webhooks.conversions import Conversion, Converter, FieldOnlyIn, Move
from validation_gen.webhooks.converting import converted

_TYPES = {"wheeled": "Wheeled", "legged": "Legged", "rotor": "Flying"}


def _with_type(obj: Any, _: Any) -> None:
    """In v1beta1 a drive says which of its members is set."""
    drive = obj.get("spec", {}).get("drive")
    for name in drive or ():
        if name in _TYPES:
            drive["type"] = _TYPES[name]
            break


CONVERTER = Converter(
    [
        Conversion(
            "v1beta1",
            "v1",
            kind="Robot",
            moves=[
                Move("spec.batteryCapacity", "spec.battery.capacity"),
                FieldOnlyIn("v1beta1", "spec.drive.type"),
                FieldOnlyIn("v1beta1", "spec.radioChannel"),
                *[
                    FieldOnlyIn("v1", f"spec.{name}")
                    for name in (
                        "serialNumber",
                        "assetID",
                        "poolName",
                        "homeDock",
                        "controlHost",
                        "compartments",
                        "sensors",
                        "speedLimits",
                        "consumables",
                        "markings",
                        "surfaces",
                        "autonomy",
                        "controlCertificate",
                        "battery.chemistry",
                        "battery.serialNumber",
                        "battery.rechargeBelow",
                    )
                ],
                FieldOnlyIn("v1", "status.position"),
                FieldOnlyIn("v1", "status.chargePercent"),
                FieldOnlyIn("v1", "status.lastSeen"),
                FieldOnlyIn("v1", "status.conditions"),
                FieldOnlyIn("v1", "status.lastAppliedSpec"),
            ],
            back=_with_type,
        )
    ]
)


@pytest.mark.parametrize("name", CONVERSIONS)
def test_recorded_requests_and_the_way_back(name: str, parties: Parties) -> None:
    request = review_of(name)
    asked = request["request"]
    answer = converted(body_of(name), CONVERTER)
    taken = parties.conversion(request, answer)
    assert (taken.error, taken.problems) == ("", ())
    assert len(taken.objects) == len(asked["objects"])
    for before, ours, after in zip(
        asked["objects"], answer["response"]["convertedObjects"], taken.objects, strict=True
    ):
        assert after == ours, "the server had to restore metadata"
        assert after["apiVersion"] == asked["desiredAPIVersion"]
        back = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "ConversionReview",
            "request": {"uid": "back", "desiredAPIVersion": before["apiVersion"], "objects": [after]},
        }
        again = parties.conversion(back, converted(json.dumps(back).encode(), CONVERTER))
        assert again.error == ""
        assert again.objects == [before]


def test_what_cannot_be_converted_is_told(parties: Parties) -> None:
    request = review_of("robots-to-v1")
    request["request"]["objects"][1]["spec"] = "none"
    taken = parties.conversion(request, converted(json.dumps(request).encode(), CONVERTER))
    assert taken.objects == []
    assert taken.error.startswith("conversion webhook for robots.example.com/v1beta1, Kind=RobotList failed: ")
    assert "talos" in taken.error


def test_what_is_kept_has_no_more_room_than_annotations_have(parties: Parties) -> None:
    """Too much of it is a failure of ours, with words, before it is one of the server."""
    request = review_of("robot-to-v1beta1")
    for size, said in ((100_000, ""), (300_000, "annotations")):
        request["request"]["objects"][0]["spec"]["controlCertificate"] = "x" * size
        taken = parties.conversion(request, converted(json.dumps(request).encode(), CONVERTER))
        assert said in taken.error
        assert bool(taken.objects) is not bool(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "another"}, "must have the same name"),
        ({"uid": "another"}, "must have the same UID"),
        ({"labels": {"a": 1}}, "metadata.labels[a] must be a string"),
        ({"labels": {"a b": "c"}}, "metadata.labels"),
    ],
)
def test_the_program_is_no_yes_man(change: dict[str, Any], said: str, parties: Parties) -> None:
    """What is wrong on purpose is found, so that the tests above can fail."""
    request = review_of("robot-to-v1")
    answer = converted(body_of("robot-to-v1"), CONVERTER)
    answer["response"]["convertedObjects"][0]["metadata"] |= change
    assert said in parties.conversion(request, answer).error
