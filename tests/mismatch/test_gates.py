"""Feature gates: what releases have, how they are set, and what is refused. `test_upstream_answers` has more of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.widgets import logged
from tests.tables import each
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates, parse_gates


@each(
    ("target", "validation", "takeover", "beta", "lifecycle"),
    [
        ("1.33", True, False, False, False),
        ("1.34", True, False, False, False),
        ("1.35", True, False, False, False),
        ("1.36", True, False, True, True),
        ("1.37", True, False, True, True),
        ("v1.38", True, False, True, True),
        ("2.0", True, False, True, True),
    ],
)
def test_releases_have_their_gates(target: str, validation: bool, takeover: bool, beta: bool, lifecycle: bool) -> None:
    gates = FeatureGates(target)
    assert [gates.enabled(name) for name in (VALIDATION, TAKEOVER, BETA)] == [validation, takeover, beta]
    assert gates.has_lifecycle is lifecycle
    assert (BETA in gates.states) == lifecycle


@each("target", ["1.32", "1", "1.37.1", "", "newest", "1.x", "-1.40", "1.٣٧x"])
def test_other_releases_are_refused(target: str) -> None:
    with pytest.raises(ValueError, match="no Kubernetes release with declarative validation"):
        FeatureGates(target)


@pytest.mark.parametrize(
    ("target", "settings", "text"),
    [
        ("1.35", {BETA: True}, "unrecognized feature gate: DeclarativeValidationBeta; 1.35 has Declarat"),
        ("1.37", {"Other": True}, "unrecognized feature gate: Other"),
        (
            "1.36",
            {VALIDATION: False},
            "cannot set feature gate DeclarativeValidation to false, feature is locked to true",
        ),
        ("1.37", {TAKEOVER: True}, "cannot set feature gate DeclarativeValidationTakeover to true, feature is locked"),
    ],
)
def test_what_a_release_does_not_have_or_allow_is_refused(target: str, settings: dict[str, bool], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        FeatureGates(target, settings)


def test_of_several_gates_all_are_set_or_none() -> None:
    gates = FeatureGates("1.37")
    with pytest.raises(ValueError, match="locked"):
        gates.update({BETA: False, VALIDATION: False})
    assert gates.enabled(BETA)
    gates.update({BETA: False, VALIDATION: True})
    assert not gates.enabled(BETA)


def test_gates_stay_set_when_others_are_set() -> None:
    gates = FeatureGates("1.35")
    gates.set(TAKEOVER, True)
    gates.set(VALIDATION, False)
    assert [gates.enabled(name) for name in (VALIDATION, TAKEOVER)] == [False, True]


def test_gates_are_replaced_by_others() -> None:
    gates = FeatureGates("1.36", {BETA: False})
    gates.replace({TAKEOVER: True})
    assert (gates.enabled(BETA), gates.enabled(TAKEOVER)) == (True, True)
    with pytest.raises(ValueError, match="unrecognized feature gate"):
        gates.replace({"Other": True})
    assert gates.enabled(TAKEOVER)
    gates.replace({})
    assert gates.states == FeatureGates("1.36").states


def test_takeover_of_1_36_can_be_set_and_has_no_effect() -> None:
    gates = FeatureGates("1.36", {TAKEOVER: True})
    assert gates.enabled(TAKEOVER)
    assert gates.has_lifecycle


def test_states_are_those_of_one_moment() -> None:
    gates = FeatureGates("1.37")
    before = gates.states
    gates.set(BETA, False)
    assert before[BETA]
    assert not gates.states[BETA]
    with pytest.raises(TypeError):
        before[BETA] = False  # type: ignore[index]


def test_groups_stand_for_what_is_not_set_itself() -> None:
    gates = FeatureGates.parse("AllBeta=false", "1.35")
    assert [gates.enabled(name) for name in (VALIDATION, TAKEOVER)] == [False, False]
    gates.set(VALIDATION, True)
    assert gates.enabled(VALIDATION)
    gates = FeatureGates.parse("AllBeta=true,DeclarativeValidation=false", "1.35")
    assert [gates.enabled(name) for name in (VALIDATION, TAKEOVER)] == [False, True]
    gates = FeatureGates.parse("AllAlpha=true,AllBeta=false")
    assert [gates.enabled(name) for name in (VALIDATION, TAKEOVER, BETA)] == [True, False, False]


def test_gates_are_told_by_the_environment() -> None:
    environment = {"KUBE_FEATURE_DeclarativeValidationBeta": "0", "KUBE_FEATURE_Other": "true", "PATH": "/bin"}
    assert not FeatureGates.from_environment(environment=environment).enabled(BETA)
    assert FeatureGates.from_environment(environment={}).enabled(BETA)
    assert FeatureGates.from_environment("1.35", {"KUBE_FEATURE_AllBeta": "T"}).enabled(TAKEOVER)


def test_the_environment_of_the_process_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBE_FEATURE_DeclarativeValidationBeta", "false")
    assert not FeatureGates.from_environment().enabled(BETA)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (BETA, "of", "invalid value of DeclarativeValidationBeta=of: write true or false"),
        (VALIDATION, "false", "cannot set feature gate DeclarativeValidation to false, feature is locked to true"),
    ],
)
def test_a_variable_that_cannot_be_meant_is_logged_and_ignored(name: str, text: str, said: str) -> None:
    environment = {f"KUBE_FEATURE_{name}": text, "KUBE_FEATURE_AllBeta": "false"}
    with logged() as records:
        gates = FeatureGates.from_environment(environment=environment)
    assert [record.getMessage() for record in records] == [f"Could not set a feature gate from the environment: {said}"]
    assert gates.enabled(VALIDATION)
    assert not gates.enabled(BETA)


def test_gates_are_printed_with_their_states() -> None:
    assert repr(FeatureGates("1.37", {BETA: False})) == (
        "FeatureGates('1.37': DeclarativeValidation=true,DeclarativeValidationBeta=false,"
        "DeclarativeValidationTakeover=false)"
    )


@given(st.text(alphabet="AB=, truefalsTF01", max_size=20) | st.text(max_size=20))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        found = parse_gates(text)
    except ValueError:
        return
    assert all(isinstance(state, bool) for state in found.values())
