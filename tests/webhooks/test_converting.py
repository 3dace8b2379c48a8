"""Reviews of conversions: what is asked, what is answered, and bodies that are none."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import each
from tests.thorough import drawn
from validation_gen.runtime.registry import Registry
from validation_gen.webhooks import Converting, ReviewError
from validation_gen.webhooks.application import endpoints
from validation_gen.webhooks.conversions import Conversion, Converter, FieldOnlyIn, Rename, converts
from validation_gen.webhooks.converting import converted
from validation_gen.webhooks.logs import Log, RequestRecord, log_to

#: As a server sends them: what is in the version that is wanted already is not among them.
OBJECTS: list[Any] = [
    {
        "apiVersion": "example.com/v1alpha1",
        "kind": "Robot",
        "metadata": {
            "creationTimestamp": "2026-01-02T03:04:05Z",
            "generation": 1,
            "managedFields": [
                {
                    "apiVersion": "example.com/v1alpha1",
                    "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:spec": {".": {}, "f:size": {}}},
                    "manager": "kubectl-client-side-apply",
                    "operation": "Update",
                    "time": "2026-01-02T03:04:05Z",
                }
            ],
            "name": "talos",
            "namespace": "default",
            "resourceVersion": "1234",
            "uid": "9c8f0a3c-9f0a-4d0c-8f0a-3c9f0a4d0c8f",
        },
        "spec": {"size": 3},
    },
    {"apiVersion": "example.com/v1alpha1", "kind": "Robot", "metadata": {"name": "gort", "uid": "2"}, "spec": {}},
]
REQUEST: dict[str, Any] = {
    "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
    "desiredAPIVersion": "example.com/v1",
    "objects": OBJECTS,
}
CONVERTER = Converter(
    [Conversion("v1alpha1", "v1", kind="Robot", moves=[Rename("spec.size", "length"), FieldOnlyIn("v1", "spec.dock")])]
)


def _body(**more: Any) -> bytes:
    request = {name: value for name, value in {**REQUEST, **more}.items() if value is not ...}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
    return json.dumps(review).encode()


def _response(converter: Converter = CONVERTER, **more: Any) -> dict[str, Any]:
    review = converted(_body(**more), converter)
    assert review.keys() == {"apiVersion", "kind", "response"}
    assert (review["apiVersion"], review["kind"]) == ("apiextensions.k8s.io/v1", "ConversionReview")
    response: dict[str, Any] = review["response"]
    assert response["uid"] == REQUEST["uid"]
    assert response.keys() == {"uid", "convertedObjects", "result"}
    return response


def test_all_objects_are_converted_in_their_order() -> None:
    response = _response()
    assert response["result"] == {"status": "Success"}
    made = response["convertedObjects"]
    assert made == [
        {**OBJECTS[0], "apiVersion": "example.com/v1", "spec": {"length": 3}},
        {**OBJECTS[1], "apiVersion": "example.com/v1"},
    ]


def test_the_way_back_gives_the_same_objects() -> None:
    made = _response()["convertedObjects"]
    back = _response(objects=made, desiredAPIVersion="example.com/v1alpha1")["convertedObjects"]
    assert back == OBJECTS


def test_an_object_in_the_version_that_is_wanted_stays() -> None:
    assert _response(desiredAPIVersion="example.com/v1alpha1")["convertedObjects"] == OBJECTS


@pytest.mark.parametrize("objects", [[], None, ...])
def test_no_objects_are_all_objects(objects: Any) -> None:
    assert _response(objects=objects) == {
        "uid": REQUEST["uid"],
        "convertedObjects": [],
        "result": {"status": "Success"},
    }


def test_an_endpoint_answers_and_says_why_it_cannot() -> None:
    endpoint = Converting(CONVERTER)
    asked = endpoint.read(_body())
    answer = anyio.run(endpoint.answer, asked)
    assert (answer.allowed, answer.kind, answer.failure) == (True, "Robot", "")
    assert answer.review == converted(_body(), CONVERTER)
    late = endpoint.failed(asked, 504, "Timeout", "time is up")
    assert (late.allowed, late.failure) == (False, "time is up")
    assert late.review["response"] == {
        "uid": REQUEST["uid"],
        "convertedObjects": [],
        "result": {"status": "Failure", "code": 504, "reason": "Timeout", "message": "time is up"},
    }


def test_a_webhook_with_a_converter_has_the_endpoint() -> None:
    registry = Registry("none")
    assert isinstance(endpoints(registry, converter=CONVERTER)["/convert"], Converting)
    assert "/convert" not in endpoints(registry)


def test_where_one_fails_none_is_given_and_each_is_told() -> None:
    bad = [{**OBJECTS[1], "kind": "Robto"}, OBJECTS[0], {**OBJECTS[0], "apiVersion": "example.com/v7"}, 5]
    response = _response(objects=bad)
    assert response["convertedObjects"] == []
    assert response["result"] == {
        "status": "Failure",
        "message": "3 of 4 objects cannot be converted: "
        'objects[0] "gort": there are no conversions for Robto of example.com; did you mean Robot?; '
        'objects[2] "default/talos": Robot has no version v7 here; there are v1, v1alpha1; '
        "objects[3]: this is not an object",
    }


def test_a_message_is_bounded() -> None:
    bad = [{**OBJECTS[0], "kind": "x" * 5000, "metadata": {"name": "y" * 5000}}] * 500
    message = _response(objects=bad)["result"]["message"]
    assert message.endswith("; and 490 others")
    assert len(message) < 5000


def test_a_function_that_breaks_is_told_by_the_name_of_its_exception() -> None:
    @converts("v1alpha1", "v1", kind="Robot")
    def up(obj: Any) -> Any:
        raise MemoryError("secret")

    @converts("v1", "v1alpha1", kind="Robot")
    def down(obj: Any) -> Any:
        return obj

    message = _response(Converter([up, down]))["result"]["message"]
    assert "from v1alpha1 to v1 failed: MemoryError" in message
    assert "secret" not in message


def test_an_object_that_is_too_deep_is_told() -> None:
    deep: Any = 1
    for _ in range(450):
        deep = {"a": deep}
    response = _response(objects=[{**OBJECTS[0], "spec": deep}])
    assert "more than 400 objects and lists in one another" in response["result"]["message"]


def test_a_number_that_json_cannot_say_is_told() -> None:
    body = _body().replace(b'"size": 3', b'"size": 1e999')
    for wanted in (b"example.com/v1", b"example.com/v1alpha1"):
        review = converted(
            body.replace(b'"desiredAPIVersion": "example.com/v1"', b'"desiredAPIVersion": "%s"' % wanted), CONVERTER
        )
        assert "spec.size is inf" in review["response"]["result"]["message"]


@each(
    ("body", "text"),
    [
        (b"", "the body is not JSON"),
        (b"\xff\xfe\x00", "the body is not JSON"),
        (b"[" * 1_000_000, "the body is not JSON"),
        (b'{"a": NaN}', "the body is not JSON: NaN is not a number"),
        (b"1" * 10_000, "the body is not JSON"),
        (b"[]", "the body is not a JSON object"),
        (b"{}", "a ConversionReview of apiextensions.k8s.io/v1 is wanted, this is null of null"),
        (_body().replace(b"s.io/v1", b"s.io/v1beta1"), 'this is "ConversionReview" of "apiextensions.k8s.io/v1beta1"'),
        (b'{"kind": %s}' % (b"[" * 900 + b"]" * 900), "is wanted, this is "),
        (b'{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview"}', "the review has no request"),
        (_body(uid=...), "request.uid is not a string"),
        (_body(uid=""), "request.uid is not a string"),
        (_body(desiredAPIVersion=5), "request.desiredAPIVersion is not a string"),
        (_body(objects={}), "request.objects is not a list"),
    ],
)
def test_a_body_that_is_no_review_is_told(body: bytes, text: str) -> None:
    with pytest.raises(ReviewError, match=text):
        converted(body, CONVERTER)


# --- anything --------------------------------------------------------------------------------------------------------

_leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
_values = st.recursive(
    _leaves,
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(st.text(max_size=5), inside, max_size=3)),
)
_objects = st.fixed_dictionaries(
    {},
    optional={
        "apiVersion": st.one_of(st.sampled_from(["example.com/v1alpha1", "example.com/v1"]), _values),
        "kind": st.one_of(st.just("Robot"), _values),
        "metadata": st.one_of(
            _values,
            st.fixed_dictionaries({}, optional={"labels": _values, "annotations": _values, "name": _values}),
        ),
        "spec": _values,
    },
)


@settings(max_examples=drawn(1500), deadline=None)
@given(body=st.one_of(st.binary(max_size=200), _values.map(lambda value: json.dumps(value).encode())))
def test_no_body_raises_anything_but_our_error(body: bytes) -> None:
    with pytest.raises(ReviewError):
        converted(body, CONVERTER)


@settings(max_examples=drawn(1000), deadline=None)
@given(
    objects=st.one_of(_values, st.lists(_objects, max_size=3)),
    wanted=st.one_of(st.just("example.com/v1"), _values),
    uid=st.one_of(st.just("1"), _values),
)
def test_no_review_raises_anything_but_our_error(objects: Any, wanted: Any, uid: Any) -> None:
    body = _body(objects=objects, desiredAPIVersion=wanted, uid=uid)
    try:
        review = converted(body, CONVERTER)
    except ReviewError:
        return
    json.dumps(review, allow_nan=False)
    response = review["response"]
    done = response["result"]["status"] == "Success"
    assert len(response["convertedObjects"]) == (len(objects or []) if done else 0)


# --- what the log has -------------------------------------------------------------------------------------------------


def _logged(converter: Converter, form: str = "text", **more: Any) -> str:
    stream = io.StringIO()
    loggers = [logging.getLogger(name) for name in ("validation_gen.server", "validation_gen.webhooks")]
    before = [(each.handlers, each.propagate, each.level) for each in loggers]
    try:
        log_to(stream, form=form)
        endpoint = Converting(converter)
        asked = endpoint.read(_body(**more))
        Log().ended(RequestRecord("/convert", 200, 0.001, 9, asked, endpoint.converted(asked)))
    finally:
        for each, (handlers, propagate, level) in zip(loggers, before, strict=True):
            each.handlers, each.propagate = handlers, propagate
            each.setLevel(level)
    return stream.getvalue()


def _failing(problem: Callable[[Any], BaseException]) -> Converter:
    @converts("v1alpha1", "v1", kind="Robot")
    def up(obj: Any) -> Any:
        raise problem(obj)

    @converts("v1", "v1alpha1", kind="Robot")
    def down(obj: Any) -> Any:
        return obj

    return Converter([up, down])


def test_a_refusal_is_logged_with_its_objects_and_the_reason() -> None:
    bad = {**OBJECTS[0], "apiVersion": "example.com/v7"}
    line = _logged(CONVERTER, objects=[bad, OBJECTS[1]])
    assert line == (
        "refused path=/convert uid=705ab4f5-6393-11e8-b7cc-42010a800002 kind=Robot wanted=example.com/v1 "
        'objects=default/talos reason="1 of 2 objects cannot be converted: objects[0] \\"default/talos\\": Robot has '
        'no version v7 here; there are v1, v1alpha1" code=200 seconds=0.001\n'
    )
    found = json.loads(_logged(CONVERTER, form="json", objects=[bad, bad, {}]))
    assert (found["kind"], found["objects"]) == ("Robot", "default/talos,default/talos,objects[2]")


def test_an_exception_is_logged_with_its_text_and_told_by_its_class_and_line() -> None:
    converter = _failing(lambda obj: KeyError("reach"))
    message = _response(converter)["result"]["message"]
    assert re.search(r"from v1alpha1 to v1 failed: KeyError at test_converting\.py:\d+;", message)
    assert "reach" not in message
    found = json.loads(_logged(converter, form="json"))
    assert re.search(r"from v1alpha1 to v1 failed: KeyError: 'reach' at test_converting\.py:\d+;", found["reason"])


def test_values_of_objects_are_not_logged() -> None:
    spec = {"key": "hunter2\nhunter3", "pin": 123456, "on": True, "short": "x", "parts": [{"deep": "topsecret"}]}
    told = "bad {key!r} {pin} {on} {short!r} {parts} of length 7"
    converter = _failing(lambda obj: ValueError(told.format(**obj["spec"]) + obj["spec"]["key"]))
    found = json.loads(_logged(converter, form="json", objects=[{**OBJECTS[0], "spec": spec}]))
    assert "failed: ValueError: bad … … True … [{'deep': …}] of length 7… at test_converting.py:" in found["reason"]


def test_values_that_end_behind_the_text_are_not_logged() -> None:
    spec = {"first": "a" * 300, "second": "b" * 400, "third": "c" * 600}
    converter = _failing(lambda obj: ValueError(" ".join(obj["spec"].values())))
    found = json.loads(_logged(converter, form="json", objects=[{**OBJECTS[0], "spec": spec}]))
    assert "failed: ValueError: … … at test_converting.py:" in found["reason"]


def test_exceptions_whose_text_fails_are_logged() -> None:
    class BrokenError(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert "failed: BrokenError at test_converting.py:" in _logged(_failing(lambda obj: BrokenError()))
