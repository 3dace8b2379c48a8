"""Reviews of admission: what is asked, what is answered, and bodies that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.webhooks import Request, ReviewError, Verdict
from validation_gen.webhooks.reviews import find_rules
from validation_gen.webhooks.validating import answered

OBJECT = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "talos"}, "spec": {}}
#: All that a server sends.
REQUEST: dict[str, Any] = {
    "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
    "kind": {"group": "example.com", "version": "v1", "kind": "Robot"},
    "resource": {"group": "example.com", "version": "v1", "resource": "robots"},
    "requestKind": {"group": "example.com", "version": "v1", "kind": "Robot"},
    "requestResource": {"group": "example.com", "version": "v1", "resource": "robots"},
    "name": "talos",
    "namespace": "default",
    "operation": "CREATE",
    "userInfo": {"username": "admin", "uid": "0", "groups": ["system:authenticated"]},
    "object": OBJECT,
    "oldObject": None,
    "dryRun": False,
    "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"},
}


def _body(**more: Any) -> bytes:
    request = {name: value for name, value in {**REQUEST, **more}.items() if value is not ...}
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


class Asked:
    """A judge that notes what it is asked."""

    def __init__(self, *errors: FieldError) -> None:
        self.errors = errors
        self.calls: list[tuple[Any, Any, str]] = []

    def __call__(self, request: Request) -> Verdict:
        self.calls.append((request.object, request.old, request.subresource))
        return Verdict(self.errors)


def _answer(judge: Asked, **more: Any) -> dict[str, Any]:
    review = answered(_body(**more), judge)
    assert (review["apiVersion"], review["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    response: dict[str, Any] = review["response"]
    assert response["uid"] == REQUEST["uid"]
    return response


def test_what_is_right_is_allowed() -> None:
    judge = Asked()
    assert _answer(judge) == {"uid": REQUEST["uid"], "allowed": True}
    assert judge.calls == [(OBJECT, None, "")]


def test_updates_and_subresources() -> None:
    judge = Asked()
    old = {**OBJECT, "spec": {"a": 1}}
    assert _answer(judge, operation="UPDATE", oldObject=old, subResource="status")["allowed"]
    assert judge.calls == [(OBJECT, old, "status")]


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_what_has_no_new_object_is_allowed(operation: str) -> None:
    judge = Asked(FieldError(ErrorType.INVALID, 1, "wrong"))
    assert _answer(judge, operation=operation, object=None, oldObject=OBJECT)["allowed"]
    assert judge.calls == []


def test_what_is_wrong_is_told_as_a_server_does() -> None:
    errors = (
        FieldError(ErrorType.TOO_LONG, "abc", "may not be more than 2 bytes", "maxLength", ".name", ".spec"),
        FieldError(ErrorType.REQUIRED, "", "", "required", ".size", ".spec"),
    )
    assert _answer(Asked(*errors)) == {
        "uid": REQUEST["uid"],
        "allowed": False,
        "status": {
            "status": "Failure",
            "code": 422,
            "reason": "Invalid",
            "message": 'Robot.example.com "talos" is invalid: '
            "[spec.name: Too long: may not be more than 2 bytes, spec.size: Required value]",
            "details": {
                "name": "talos",
                "group": "example.com",
                "kind": "Robot",
                "causes": [
                    {
                        "reason": "FieldValueTooLong",
                        "message": "Too long: may not be more than 2 bytes",
                        "field": "spec.name",
                    },
                    {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.size"},
                ],
            },
        },
        "auditAnnotations": {"rules": "maxLength,required"},
    }


@each(
    ("type", "origin", "tag", "name"),
    [
        (ErrorType.INVALID, "format=k8s-uuid", '+k8s:format="k8s-uuid"', "format=k8s-uuid"),
        (ErrorType.REQUIRED, "", "+k8s:required", "required"),
        (ErrorType.NOT_SUPPORTED, "", "+k8s:eachVal=+k8s:enum", "enum"),
        (ErrorType.REQUIRED, "", "+k8s:item(name: a)=+k8s:subfield(b)=+k8s:required", "required"),
        (ErrorType.INVALID, "", '+example:odd="+k8s:maxLength=1"', "odd"),
        (ErrorType.TYPE_INVALID, "", "", "FieldValueTypeInvalid"),
        (ErrorType.INVALID, "", "(((=", "FieldValueInvalid"),
    ],
)
def test_each_error_has_a_rule(type: ErrorType, origin: str, tag: str, name: str) -> None:
    """Errors of presence have no origin, nor do those of a wrong type, which no tag causes."""
    error = FieldError(type, "", "", origin)
    error.tag = tag
    assert find_rules([error, error]) == (name,)


def test_one_error_has_no_brackets() -> None:
    error = FieldError(ErrorType.REQUIRED, "", "", "", ".spec")
    assert _answer(Asked(error))["status"]["message"] == 'Robot.example.com "talos" is invalid: spec: Required value'


def test_kinds_that_nobody_knows_are_refused() -> None:
    def judge(request: Request) -> Verdict:
        raise LookupError("no validators are here for Robot")

    response = answered(_body(), judge)["response"]
    assert (response["allowed"], response["status"]["code"]) == (False, 400)
    assert response["status"]["message"] == "no validators are here for Robot"


def test_what_fails_lets_nothing_pass() -> None:
    def judge(request: Request) -> Verdict:
        raise ZeroDivisionError("with what nobody is to see")

    response = answered(_body(), judge)["response"]
    assert (response["allowed"], response["status"]["code"]) == (False, 500)
    assert response["status"]["message"] == "the validation of the object failed: ZeroDivisionError"


@each(
    ("body", "said"),
    [
        (b"", "the body is not JSON"),
        (b"\xff", "the body is not JSON"),
        (b"[" * 100_000, "the body is not JSON"),
        (b"[]", "the body is not a JSON object"),
        (b"{}", "an AdmissionReview of admission.k8s.io/v1 is wanted, this is None of None"),
        (b'{"apiVersion": "admission.k8s.io/v1beta1", "kind": "AdmissionReview"}', "admission.k8s.io/v1 is wanted"),
        (b'{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}', "the review has no request"),
        (_body(uid=7), "request.uid is not a string"),
        (_body(uid=""), "request.uid is not a string"),
        (_body(operation=...), "request.operation is not a string"),
        (_body(operation="PATCH"), "request.operation is none of CREATE, UPDATE, DELETE, CONNECT"),
        (_body(subResource=1), "request.subResource is not a string"),
        (_body(object=None), "request.object is not an object"),
        (_body(oldObject=[]), "request.oldObject is not an object"),
    ],
)
def test_bodies_that_are_no_reviews(body: bytes, said: str) -> None:
    with pytest.raises(ReviewError) as caught:
        answered(body, Asked())
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


def test_names_are_quoted_as_go_does() -> None:
    error = FieldError(ErrorType.REQUIRED, "", "", "", ".spec")
    for name, shown in (("", '""'), ('a"b', r'"a\"b"'), ("é\u200b", r'"é\u200b"')):
        obj = {**OBJECT, "metadata": {"generateName": "talos-", **({"name": name} if name else {})}}
        found = _answer(Asked(error), object=obj, name=name)
        assert found["status"]["message"] == f"Robot.example.com {shown} is invalid: spec: Required value"
        assert found["status"]["details"].get("name", "") == name
    # Of kinds in the core group, nothing stands behind the kind.
    found = _answer(Asked(error), object={**OBJECT, "apiVersion": "v1"})
    assert found["status"]["message"].startswith('Robot "talos" is invalid: ')
    assert "group" not in found["status"]["details"]


def test_the_same_error_is_told_once_and_is_a_cause_each_time() -> None:
    error = FieldError(ErrorType.REQUIRED, "", "", "", ".spec")
    found = _answer(Asked(error, error))["status"]
    assert found["message"] == 'Robot.example.com "talos" is invalid: spec: Required value'
    assert len(found["details"]["causes"]) == 2


def test_answers_have_an_end_however_much_is_wrong() -> None:
    huge = "x" * 100_000
    errors = [FieldError(ErrorType.INVALID, huge, huge, f"rule{number}", f".a{number}") for number in range(2000)]
    found = _answer(Asked(*errors))
    assert len(json.dumps(found)) < 600_000
    causes = found["status"]["details"]["causes"]
    assert len(causes) < 100
    assert all(len(each["message"]) <= 4096 for each in causes)
    assert causes[0]["message"].endswith("x…")
    assert found["status"]["message"].endswith(" more]")
    assert len(found["auditAnnotations"]["rules"]) == 1000
    several = [FieldError(ErrorType.REQUIRED, "", "", "", f".a{number}") for number in range(1500)]
    found = _answer(Asked(*several))["status"]
    assert len(found["details"]["causes"]) == 100
    assert found["message"].endswith("a999: Required value, and 500 more]")


@pytest.mark.parametrize(
    ("warnings", "shown"),
    [
        (["a", "b", "a", ""], ["a", "b"]),
        (["one\nline\x00"], ["one line "]),  # a server drops what has control characters
        (["x" * 4096], ["x" * 4096]),
        (["x" * 4097], ["x" * 255 + "…"]),
        (
            [f"{n:03}" + "x" * 300 for n in range(100)],
            [f"{n:03}" + "x" * 252 + "…" for n in range(15)] + ["and 85 more"],
        ),
    ],
)
def test_warnings_are_as_many_as_clients_see(warnings: list[str], shown: list[str]) -> None:
    def judge(request: Request) -> Verdict:
        return Verdict(warnings=warnings)

    response = answered(_body(), judge)["response"]
    assert response["warnings"] == shown
    assert sum(map(len, response["warnings"])) <= 4096


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*REQUEST, "metadata"]), inner, max_size=3)
    ),
    max_leaves=9,
)


@given(st.dictionaries(st.sampled_from([*REQUEST, "subResource"]), _json, max_size=4))
def test_nothing_else_is_raised(more: dict[str, Any]) -> None:
    try:
        review = answered(_body(**more), Asked(FieldError(ErrorType.INVALID, 1, "wrong", "", ".spec")))
    except ReviewError:
        return
    json.dumps(review)
