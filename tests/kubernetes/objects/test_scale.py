"""Requests about the scale of an object: a `Scale` in, the object updated, a `Scale` out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kubernetes.objects.answers import Object, robot, root, scheme_of, texts
from validation_gen.kubernetes.objects import Outcome, Scheme, UnsupportedRequestError

PATHS = {
    "specReplicasPath": ".spec.arms.replicas",
    "statusReplicasPath": ".status.replicas",
    "labelSelectorPath": ".status.selector",
}
NUMBER: Object = {"type": "integer", "maximum": 9}
SPEC: Object = {
    "type": "object",
    "properties": {"arms": {"type": "object", "properties": {"replicas": NUMBER}}, "kept": {"type": "string"}},
    "x-kubernetes-validations": [{"rule": "!has(self.arms) || !has(self.arms.replicas) || self.arms.replicas != 5"}],
}
STATUS: Object = {"type": "object", "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}}}


def _scheme(**paths: str) -> Scheme:
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": root(SPEC, status=STATUS)},
        "subresources": {"status": {}, "scale": PATHS | paths},
    }
    return scheme_of({}, versions=[version])


def _sent(replicas: Any = None, **more: Any) -> Object:
    spec = {} if replicas is None else {"spec": {"replicas": replicas}}
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "talos"}, **spec, **more}


OLD = robot({"arms": {"replicas": 2}, "kept": "x"}, status={"replicas": 1, "selector": "a=b"})


def _asked(new: Object, old: Object = OLD, **more: Any) -> Outcome:
    return _scheme().admit(new, old, subresource="scale", **more)


def test_the_scale_comes_back() -> None:
    outcome = _asked(_sent(3))
    assert (outcome.code, outcome.warnings) == (200, [])
    assert outcome.object == {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {"name": "talos", "namespace": "default"},
        "spec": {"replicas": 3},
        "status": {"replicas": 1, "selector": "a=b"},
    }
    assert outcome.judged is not None
    assert outcome.judged[0]["spec"] == {"arms": {"replicas": 3}, "kept": "x"}


def test_the_old_object_stays_as_it_is() -> None:
    _asked(_sent(3))
    assert OLD["spec"] == {"arms": {"replicas": 2}, "kept": "x"}


@pytest.mark.parametrize("old", [robot({}), robot()])
def test_the_place_of_the_number_is_made(old: Object) -> None:
    outcome = _asked(_sent(3), old)
    assert outcome.object is not None
    assert (outcome.object["spec"], outcome.object["status"]) == ({"replicas": 3}, {"replicas": 0})


def test_who_says_no_number_means_none() -> None:
    outcome = _asked(_sent())
    assert outcome.object is not None
    assert outcome.object["spec"] == {}


@pytest.mark.parametrize(
    ("replicas", "said"),
    [
        (-1, ["spec.arms.replicas: Invalid value: -1: should be a non-negative integer"]),
        (10, [
            "spec.arms.replicas: Invalid value: 10: spec.arms.replicas in body should be less than or equal to 9",
        ]),
        (5, [
            "spec: Invalid value: failed rule: !has(self.arms) || !has(self.arms.replicas) || self.arms.replicas != 5",
        ]),
        ("3", ["json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32"]),
        (1 << 31, [
            "json: cannot unmarshal number 2147483648 into Go struct field ScaleSpec.spec.replicas of type int32",
        ]),
    ],
)  # fmt: skip
def test_what_is_wrong(replicas: Any, said: list[str]) -> None:
    found = texts(_asked(_sent(replicas)))
    assert [text.lstrip(".") for text in found] == said or found == said, found


def test_unknown_fields_by_level() -> None:
    new = _sent(3, more=1)
    assert (_asked(new).code, _asked(new).problems) == (400, ['unknown field "more"'])
    assert _asked(new, field_validation="Warn").warnings == ['unknown field "more"']
    assert _asked(new, field_validation="Ignore").warnings == []


def test_objects_whose_number_cannot_be_had() -> None:
    """A server fails itself, as none of its own objects is like that."""
    found = _scheme(specReplicasPath=".spec.kept").admit(_sent(3), OLD, subresource="scale")
    assert (found.code, found.problems) == (
        500,
        [".spec.kept accessor error: x is of the type string, expected int64"],
    )


def test_what_is_not_judged() -> None:
    with pytest.raises(UnsupportedRequestError, match="sends a Scale of autoscaling/v1, not a Robot"):
        _asked(OLD)
    with pytest.raises(UnsupportedRequestError, match="no scale subresource"):
        scheme_of(root(SPEC)).admit(_sent(3), OLD, subresource="scale")
    with pytest.raises(UnsupportedRequestError, match="no old object whose scale"):
        _scheme().admit(OLD, subresource="scale")


def test_the_number_that_stands_for_none_cannot_be_asked_for() -> None:
    outcome = _asked(_sent(-(1 << 31)))
    assert (outcome.code, texts(outcome)) == (400, ['the spec replicas field ".spec.arms.replicas" cannot be empty'])
