"""A server takes our answers to admission reviews as they are meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parties import Parties
from tests.webhooks.ours import answer_to
from tests.webhooks.recorded import ADMISSIONS, body_of, review_of
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.webhooks.asgi import failure
from validation_gen.webhooks.reviews import Request, invalid

WEBHOOK = "robots.example.com"
TEXTS = st.text(st.sampled_from('ab "\\\n\té😀\u2028<&'), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.sampled_from([0.5, 1e21, -0.001]) | TEXTS,
    # Go writes the keys of a map in order; here they are in that of the fields of a type.
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "<b>"]), inner, max_size=2).map(lambda some: dict(sorted(some.items())))
    ),
    max_leaves=5,
)
ERRORS = st.lists(
    st.builds(
        FieldError.at,
        st.sampled_from([None, "spec", "spec.size", "spec.items[0]", 'spec.labels[a.b/c"]']),
        st.sampled_from(sorted(ErrorType)),
        VALUES,
        TEXTS,
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("name", ADMISSIONS)
def test_recorded_requests(name: str, parties: Parties) -> None:
    request, answer = review_of(name), answer_to(body_of(name))
    response = answer["response"]
    taken = parties.admission(request, answer)
    assert taken.problems == ()
    assert taken.allowed == response["allowed"]
    assert taken.object == request["request"]["object"]
    assert taken.audit == {f"{WEBHOOK}/{key}": text for key, text in response.get("auditAnnotations", {}).items()}
    assert len(taken.warnings) == len(response.get("warnings", []))
    if not taken.allowed:
        said = response["status"]
        message = f'admission webhook "{WEBHOOK}" denied the request: {said["message"]}'
        assert {**taken.status, "metadata": ...} == {**said, "message": message, "metadata": ...}


def test_kubectl_shows_every_error_in_a_line_of_its_own(parties: Parties) -> None:
    name = "update-robot-status-invalid"
    lines = parties.admission(review_of(name), answer_to(body_of(name))).kubectl.splitlines()
    assert lines[0] == 'The Robot "hermes-17.north" is invalid: '
    assert [line.partition(":")[0] for line in lines[1:]] == ["* status.phase", "* status.position.latitude"]


def test_kubectl_says_why_a_kind_is_refused(parties: Parties) -> None:
    name = "create-unknown-kind"
    assert parties.admission(review_of(name), answer_to(body_of(name))).kubectl == (
        f'Error from server (BadRequest): admission webhook "{WEBHOOK}" denied the request: '
        "no validators are here for Depot of robots.example.com/v1"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"uid": "another"}, ', got "another"'),
        ({"patch": "W10=", "patchType": "JSONPatch"}, "validating webhook may not return response.patch"),
        ({"patchType": "JSONPatch"}, "validating webhook may not return response.patchType"),
    ],
)
def test_the_program_is_no_yes_man(change: dict[str, Any], said: str, parties: Parties) -> None:
    """What is wrong on purpose is found, so that the tests above can fail."""
    name = "create-robot"
    request, answer = review_of(name), answer_to(body_of(name))
    answer["response"] |= change
    taken = parties.admission(request, answer)
    assert not taken.allowed
    assert (taken.status["code"], taken.status["reason"]) == (500, "InternalError")
    assert said in taken.status["message"]


@pytest.mark.parametrize("code", [400, 403, 404, 405, 408, 413, 415, 429])
def test_words_without_a_review_reach_the_client(code: int, parties: Parties) -> None:
    taken = parties.admission(review_of("create-robot"), bytes(failure(code, "say <why>").body).decode(), code=code)
    assert not taken.allowed
    assert taken.status["message"].endswith("failed to call webhook: say <why>")


def test_fields_that_nobody_knows_are_found(parties: Parties) -> None:
    request, answer = review_of("create-robot"), answer_to(body_of("create-robot"))
    answer["response"]["warning"] = "no such field"
    assert parties.admission(request, answer).problems == ('unknown field "response.warning"',)


def _value(error: FieldError) -> Any:
    return None if error.type is ErrorType.TOO_LONG or error.bad_value is OMITTED else error.bad_value


@given(
    errors=ERRORS, kind=st.sampled_from(["Robot", ""]), group=st.sampled_from(["robots.example.com", ""]), name=TEXTS
)
def _is_worded_as_by_a_server(parties: Parties, errors: list[FieldError], kind: str, group: str, name: str) -> None:
    said = parties.ask(
        "invalid",
        kind=kind,
        group=group,
        name=name,
        errors=[
            {"type": each.type.value, "field": each.field, "detail": each.detail, "value": _value(each)}
            for each in errors
        ],
    )
    obj = {"apiVersion": f"{group}/v1" if group else "v1", "kind": kind}
    request = Request("1", "CREATE", obj, name=name)
    ours = invalid(request, errors).review["response"]["status"]
    assert ours == {key: value for key, value in said["status"].items() if key != "metadata"}


def test_a_refusal_is_worded_as_by_a_server(parties: Parties) -> None:
    _is_worded_as_by_a_server(parties)
