"""What the API server's type checker warns of."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.policies.samples import policy
from validation_gen.kubernetes.policies.reading import read_policy, type_warnings
from validation_gen.kubernetes.policies.requests import GroupVersionKind

_ROBOT = GroupVersionKind("fleet.example.com", "v1", "Robot")
_SCHEMA = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "wheels": {"type": "integer"},
                "since": {"type": "string", "format": "date-time"},
                "a-b": {"type": "string"},
            },
        }
    },
}
_CONFIG = {"type": "object", "properties": {"data": {"type": "object", "additionalProperties": {"type": "string"}}}}


def _warnings(**spec: Any) -> dict[str, str]:
    found = type_warnings(read_policy(policy(**spec)), {_ROBOT: _SCHEMA}, params=_CONFIG)
    return {each.field: each.warning for each in found}


def test_nothing_is_said_of_what_suits() -> None:
    assert _warnings() == {}
    looked_up = {"expression": "'a-b' in dyn(object.spec)", "messageExpression": "object.kind"}
    assert _warnings(validations=[looked_up]) == {}
    assert _warnings(validations=[{"expression": "object.metadata.labels['a'] == oldObject.metadata.namespace"}]) == {}


def test_fields_that_are_not_there() -> None:
    found = _warnings(validations=[{"expression": "object.spec.legs > 2", "messageExpression": "string(object.x)"}])
    assert found == {
        "spec.validations[0].expression": (
            "fleet.example.com/v1, Kind=Robot: ERROR: <input>:1:12: undefined field 'legs'\n"
            " | object.spec.legs > 2\n"
            " | ...........^\n"
        ),
        "spec.validations[0].messageExpression": (
            "fleet.example.com/v1, Kind=Robot: ERROR: <input>:1:14: undefined field 'x'\n"
            " | string(object.x)\n"
            " | .............^\n"
        ),
    }


def test_types_that_do_not_fit() -> None:
    (found,) = _warnings(validations=[{"expression": "object.spec.wheels == 'four'"}]).values()
    assert "found no matching overload for '_==_' applied to '(int, string)'" in found
    (found,) = _warnings(validations=[{"expression": "object.spec.since == ''"}]).values()
    assert "(timestamp, string)" in found


def test_params_and_variables_have_types() -> None:
    kind = {"apiVersion": "v1", "kind": "ConfigMap"}
    (found,) = _warnings(paramKind=kind, validations=[{"expression": "params.data.most < 3"}]).values()
    assert "(string, int)" in found
    variables = [{"name": "n", "expression": "object.spec.wheels"}, {"name": "spec", "expression": "object.spec"}]
    (found,) = _warnings(variables=variables, validations=[{"expression": "variables.n == 'x'"}]).values()
    assert "(int, string)" in found
    # What a variable keeps of an object has no type, as on a server.
    assert _warnings(variables=variables, validations=[{"expression": "variables.spec.none == 'x'"}]) == {}
