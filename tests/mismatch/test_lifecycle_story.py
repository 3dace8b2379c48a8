"""The life of a rule, as KEP-5073 tells it: from handwritten code over alpha and beta to a standard tag, and back.

Each stage says what users see, what is logged and what the metrics would count, and what becomes of the mistakes that
people make on the way.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.mismatch.widgets import Told, widget
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

HANDWRITTEN = "replicas: Invalid value: -1: must not be negative"
DECLARATIVE = "replicas: Invalid value: -1: must be greater than or equal to 0"
AUTHORITATIVE = "This difference should not affect system operation since hand written validation is authoritative."
CONSIDER = (
    "Consider disabling the {} feature gate "
    "to keep data persisted in etcd consistent with prior versions of Kubernetes."
)
WRONG = {"replicas": -1}


def tagged(rule: str) -> Registry:
    """The generated validators, with such a tag at the field."""
    return widget(f'// {rule}\nReplicas int32 `json:"replicas"`')


def twin(*marks: str, detail: str = "must not be negative") -> Any:
    """The handwritten validation, whose error has such marks."""

    def validate(obj: Any, old: Any, op: Any) -> list[FieldError]:
        if obj["replicas"] >= 0:
            return []
        error = FieldError.invalid("replicas", obj["replicas"], detail).with_origin("minimum")
        for mark in marks:
            getattr(error, mark)()
        return [error]

    return validate


def nothing(obj: Any, old: Any, op: Any) -> list[FieldError]:
    """What is left of the handwritten validation in the end."""
    return []


def message(what: str, advice: str) -> str:
    return (
        "Unexpected difference between hand written validation and declarative validation error results, "
        f'{what} error(s) found {{Type="Invalid value", Field="replicas", Origin="minimum"}}. '
        f"This indicates an issue with declarative validation. {advice}"
    )


# --- alpha: the tag is tried, and nobody is the wiser -----------------------------------------------------------------

ALPHA = '+k8s:alpha(since: "1.36")=+k8s:minimum=0'


def test_an_alpha_rule_is_compared_and_never_seen() -> None:
    told = Told(tagged(ALPHA), twin("covered_by_declarative", "alpha"))
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.ask({"replicas": 0}) == []
    assert (told.messages, told.mismatches, told.panics, told.duplicates) == ([], 0, 0, 0)
    assert [error.level for error in told.seen.outcomes[0].declarative] == ["alpha"]


def test_a_wrong_alpha_rule_is_logged_and_hurts_nobody() -> None:
    told = Told(tagged('+k8s:alpha(since: "1.36")=+k8s:minimum=1'), twin("covered_by_declarative", "alpha"))
    assert told.ask({"replicas": 0}) == []
    assert told.messages == [message("extra", AUTHORITATIVE)]
    assert told.causes == [("declarative", "rule extra")]
    assert told.mismatches == 1


def test_a_loose_alpha_rule_is_logged_and_the_handwritten_check_still_refuses() -> None:
    told = Told(tagged('+k8s:alpha(since: "1.36")=+k8s:minimum=-5'), twin("covered_by_declarative", "alpha"))
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.messages == [message("unmatched", AUTHORITATIVE)]
    assert told.mismatches == 1


def test_a_twin_that_nobody_marked_makes_the_rule_look_extra() -> None:
    told = Told(tagged(ALPHA), twin("alpha"))
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.messages == [message("extra", AUTHORITATIVE)]
    assert told.causes == [("declarative", "not marked as covered")]


def test_a_twin_without_its_origin_has_no_counterpart() -> None:
    def validate(obj: Any, old: Any, op: Any) -> list[FieldError]:
        return [FieldError.invalid("replicas", -1, "must not be negative").covered_by_declarative().alpha()]

    told = Told(tagged(ALPHA), validate)
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.causes == [("handwritten", "origin missing"), ("declarative", "origin missing")]
    assert told.mismatches == 2


# --- beta: the tag decides, and one switch takes that back ------------------------------------------------------------

BETA_RULE = '+k8s:beta(since: "1.37")=+k8s:minimum=0'


def test_a_beta_rule_speaks_for_its_twin() -> None:
    told = Told(tagged(BETA_RULE), twin("covered_by_declarative", "beta"))
    assert told.ask(WRONG) == [DECLARATIVE]
    assert (told.messages, told.mismatches, told.duplicates) == ([], 0, 0)


def test_the_twin_may_still_be_marked_as_alpha() -> None:
    told = Told(tagged(BETA_RULE), twin("covered_by_declarative", "alpha"))
    assert told.ask(WRONG) == [DECLARATIVE]
    assert told.messages == []


def test_a_wrong_beta_rule_refuses_what_was_good_until_the_gate_is_switched_off() -> None:
    gates = FeatureGates("1.37")
    strict = tagged('+k8s:beta(since: "1.37")=+k8s:minimum=1')
    told = Told(strict, twin("covered_by_declarative", "beta"), gates=gates)
    good = {"replicas": 0}
    assert told.ask(good) == ["replicas: Invalid value: 0: must be greater than or equal to 1"]
    assert told.messages == [message("extra", CONSIDER.format(BETA))]
    gates.set(BETA, False)
    assert told.ask(good) == []
    assert told.messages == [message("extra", AUTHORITATIVE)]
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.messages == []
    gates.set(BETA, True)
    assert told.ask(WRONG) == ["replicas: Invalid value: -1: must be greater than or equal to 1"]
    assert told.mismatches == 2


def test_a_beta_rule_that_misses_something_keeps_the_handwritten_error() -> None:
    told = Told(tagged('+k8s:beta(since: "1.37")=+k8s:minimum=-5'), twin("covered_by_declarative", "beta"))
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.messages == [message("unmatched", CONSIDER.format(BETA))]


def test_a_beta_twin_that_nobody_marked_is_seen_beside_the_rule() -> None:
    told = Told(tagged(BETA_RULE), twin("beta"))
    assert told.ask(WRONG) == [HANDWRITTEN, DECLARATIVE]
    assert told.messages == [message("extra", CONSIDER.format(BETA))]
    assert told.duplicates == 0  # the two have different texts


# --- standard: the tag alone ------------------------------------------------------------------------------------------

STANDARD = "+k8s:minimum=0"


@pytest.mark.parametrize("beta", [True, False])
def test_a_standard_rule_holds_whatever_the_gate_says(beta: bool) -> None:
    told = Told(tagged(STANDARD), nothing, gates=FeatureGates("1.37", {BETA: beta}))
    assert told.ask(WRONG) == [DECLARATIVE]
    assert (told.messages, told.mismatches) == ([], 0)


def test_a_covered_twin_left_behind_is_seen_twice_and_has_no_counterpart() -> None:
    told = Told(tagged(STANDARD), twin("covered_by_declarative", "beta", detail="must be greater than or equal to 0"))
    assert told.ask(WRONG) == [DECLARATIVE, DECLARATIVE]
    assert told.messages == [message("unmatched", CONSIDER.format(BETA)), "Found duplicate validation error"]
    assert told.records[0].__dict__["cause"] == "standard rule"
    assert told.records[1].__dict__["error"] == DECLARATIVE
    assert (told.mismatches, told.duplicates) == (1, 1)


def test_an_unmarked_twin_left_behind_is_seen_twice_and_only_that_is_noticed() -> None:
    told = Told(tagged(STANDARD), twin(detail="must be greater than or equal to 0"))
    assert told.ask(WRONG) == [DECLARATIVE, DECLARATIVE]
    assert told.messages == ["Found duplicate validation error"]
    assert (told.mismatches, told.duplicates) == (0, 1)


# --- until 1.35: all rules at once ------------------------------------------------------------------------------------


def test_until_1_35_rules_are_shadows_until_all_of_them_take_over() -> None:
    gates = FeatureGates("1.35")
    told = Told(tagged(STANDARD), twin("covered_by_declarative"), gates=gates)
    assert told.ask(WRONG) == [HANDWRITTEN]
    gates.set(TAKEOVER, True)
    assert told.ask(WRONG) == [DECLARATIVE]
    gates.set(TAKEOVER, False)
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert (told.messages, told.mismatches) == ([], 0)
    gates.set(VALIDATION, False)
    assert told.ask(WRONG) == [HANDWRITTEN]
    assert told.seen.outcomes[-1].declarative == ()
    assert told.seen.outcomes[-1].declarative_seconds is None


def test_until_1_35_a_wrong_rule_counts_whatever_its_level() -> None:
    gates = FeatureGates("1.35")
    told = Told(tagged("+k8s:minimum=1"), twin("covered_by_declarative"), gates=gates)
    good = {"replicas": 0}
    assert told.ask(good) == []
    assert told.messages == [message("extra", AUTHORITATIVE)]
    gates.set(TAKEOVER, True)
    assert told.ask(good) == ["replicas: Invalid value: 0: must be greater than or equal to 1"]
    assert told.messages == [message("extra", CONSIDER.format(TAKEOVER))]
    gates.set(VALIDATION, False)
    assert told.ask(good) == []
    assert told.messages == []
    assert told.mismatches == 2


def test_until_1_35_takeover_loses_a_covered_error_that_no_rule_reports() -> None:
    gates = FeatureGates("1.35", {TAKEOVER: True})
    told = Told(tagged("+k8s:minimum=-5"), twin("covered_by_declarative"), gates=gates)
    assert told.ask(WRONG) == []
    assert told.messages == [message("unmatched", CONSIDER.format(TAKEOVER))]


def test_until_1_35_an_unmarked_twin_is_seen_beside_the_rule_after_takeover() -> None:
    told = Told(tagged(STANDARD), twin(), gates=FeatureGates("1.35", {TAKEOVER: True}))
    assert told.ask(WRONG) == [HANDWRITTEN, DECLARATIVE]
    assert told.causes == [("declarative", "not marked as covered")]


def test_until_1_35_an_object_that_does_not_decode_makes_no_rule_look_extra() -> None:
    gates = FeatureGates("1.35")
    told = Told(tagged(STANDARD), nothing, gates=gates)
    assert told.ask({"replicas": "many"}) == []
    gates.set(TAKEOVER, True)
    assert told.ask({"replicas": "many"}) == [
        'replicas: Invalid value: "many": must be an integer (int32), not a string'
    ]
    assert told.messages == []
