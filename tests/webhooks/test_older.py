"""Objects that were stored under older rules, before their types had a default, can still be updated."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.webhooks.ours import OPTIONS, registry
from tests.webhooks.recorded import review_of
from validation_gen.webhooks import Mutating, Validating, by_validators


def _filled(obj: Any) -> Any:
    made = copy.deepcopy(obj)
    for each in made.get("spec", {}).get("compartments", []):
        each.setdefault("climate", "Ambient")
    return made


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("name", ["update-robot-stored-under-older-rules", "update-robot-last-finalizer"])
def test_a_default_of_the_new_object_changes_nothing_of_the_old_one(name: str, is_known: bool) -> None:
    """The judge must know the defaults that are filled in before it is asked, as the old object has none of them."""
    review = review_of(name)
    request = review["request"]
    assert any("climate" not in each for each in request["oldObject"]["spec"]["compartments"])
    mutating = Mutating(_filled)
    assert "patch" in mutating.filled(mutating.read(json.dumps(review).encode())).review["response"]
    request["object"] = _filled(request["object"])
    validating = Validating(by_validators(registry(), OPTIONS, defaults=_filled if is_known else None))
    response = validating.judge(validating.read(json.dumps(review).encode())).review["response"]
    assert response["allowed"] is is_known, response


def test_an_object_that_nobody_fills_in_can_be_updated_as_well() -> None:
    """No mutating webhook is asked, perhaps: then neither object has the default."""
    review = review_of("update-robot-stored-under-older-rules")
    validating = Validating(by_validators(registry(), OPTIONS, defaults=_filled))
    assert validating.judge(validating.read(json.dumps(review).encode())).review["response"]["allowed"]


def test_what_an_update_changes_is_judged_all_the_same() -> None:
    review = review_of("update-robot-invalid")
    validating = Validating(by_validators(registry(), OPTIONS, defaults=_filled))
    response = validating.judge(validating.read(json.dumps(review).encode())).review["response"]
    assert [cause["field"] for cause in response["status"]["details"]["causes"]] == [
        "spec.battery.chemistry",
        "spec.sensors[3]",
    ]
