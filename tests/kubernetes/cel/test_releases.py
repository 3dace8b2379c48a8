"""What a rule may say depends on the server's release; and how a server names types."""

from __future__ import annotations

import pytest

from tests.tables import each
from validation_gen.kubernetes.cel import Scope, compile_rule

_UNDEFINED = "program instantiation failed: reference to undefined type: "
_SCHEMA = {
    "type": "object",
    "x-kubernetes-validations": [{"rule": "true"}],
    "properties": {
        "ports": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "n": {"type": "integer"},
                    "span": {"type": "string", "format": "duration"},
                    "inner": {"type": "object", "properties": {"x": {"type": "string"}}},
                },
            },
        },
        "named": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"y": {"type": "string"}}},
        },
    },
}


def _error(rule: str, minor: int = 37, *path: str) -> str:
    scope = Scope(_SCHEMA, minor=minor)
    for step in path:
        scope = scope.items() if step == "@idx" else scope.values() if step == "@elem" else scope.child(step)
    return compile_rule(rule, scope).error.partition("\n")[0]


@pytest.mark.parametrize(
    ("rule", "before", "now"),
    [
        ("self.`ports`.size() > 1", "compilation failed: ERROR: <input>:1:6: unsupported syntax: '`'", ""),
        (
            "duration(self.ports[0].n) > duration('1s')",
            "",
            "compilation failed: ERROR: <input>:1:9: found no matching overload for 'duration' applied to '(int)'",
        ),
        ("duration(1) > duration('1s')", "compilation failed: ERROR: <input>:1:10: invalid duration argument", None),
        (
            "duration(int('1')) > duration('1s')",
            "program instantiation failed: type conversion error from 'int' to 'google.protobuf.Duration'",
            None,
        ),
    ],
)
def test_releases(rule: str, before: str, now: str | None) -> None:
    """cel-go 0.28 takes quoted names, and no `duration` of an integer, which fails whenever it is run."""
    assert _error(rule, 36) == before
    if now is not None:
        assert _error(rule, 37) == now


@each(
    ("rule", "error"),
    [
        ("type(self.ports[0].span) == duration", f"{_UNDEFINED}duration"),
        (
            "type(self.ports[0].span) == .timestamp",
            f"{_UNDEFINED}timestamp",
        ),
        ("[int].all(t, t == int)", f"{_UNDEFINED}t"),
        ("type(self.ports[0].span) == google.protobuf.Duration", ""),
        ("type(self.ports[0].n) == int", ""),
        ("type(duration('1s')) == type(self.ports[0].span)", ""),
    ],
)
def test_a_name_of_a_type_is_a_value_if_programs_know_it(rule: str, error: str) -> None:
    assert _error(rule) == error


@each(
    ("path", "rule", "named"),
    [
        (("ports", "@idx"), "self == 1", "(selfType, int)"),
        (("ports", "@idx"), "self.inner == 1", "(selfType.inner, int)"),
        (("ports",), "self == 1", "(list(selfType.@idx), int)"),
        (("named",), "self == 1", "(map(string, selfType.@elem), int)"),
        (("named", "@elem"), "self == 1", "(selfType, int)"),
        ((), "self.ports[0].inner == 1", "(selfType.ports.@idx.inner, int)"),
    ],
)
def test_types_are_named_from_where_a_rule_stands(path: tuple[str, ...], rule: str, named: str) -> None:
    assert _error(rule, 36, *path).endswith(f"applied to '{named}'")
    assert _error("self.inner.x == ''" if path == ("ports", "@idx") else "true", 36, *path) == ""
