"""Statistics of rules, which cost nothing unless they are recorded."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.objects.answers import robot, root, scheme_of
from validation_gen.kubernetes.objects.rule_stats import RuleStats, render_keys, watch_rules


def rules(*texts: str, **more: Any) -> dict[str, Any]:
    return {"x-kubernetes-validations": [{"rule": text} for text in texts], **more}


INTEGER = {"type": "integer"}
SPEC = rules(
    "self.items.size() < 9",
    type="object",
    properties={
        "items": {"type": "array", "maxItems": 9, "items": rules("self > 0", "10 / self > 0", **INTEGER)},
        "map": {"type": "object", "maxProperties": 9, "additionalProperties": rules("self > oldSelf", **INTEGER)},
    },
)


def seen_after(new: Any, old: Any = None) -> dict[str, RuleStats]:
    scheme = scheme_of(root(SPEC))
    (kind,) = scheme.kinds.values()
    found = watch_rules(kind.storage)
    scheme.admit(new, old)
    return {seen.rule: seen for seen in found}


def test_how_often_rules_hold_and_fail() -> None:
    found = seen_after(robot({"items": [1, 0, 2, -1], "map": {"a": 2}}), robot({"items": [], "map": {"a": 1}}))
    assert {rule: (seen.held, seen.failed, seen.broke) for rule, seen in found.items()} == {
        "self.items.size() < 9": (1, 0, 0),
        "self > 0": (2, 2, 0),
        "10 / self > 0": (2, 1, 1),
        "self > oldSelf": (1, 0, 0),
    }


def test_places() -> None:
    found = seen_after(robot({"items": []}))
    assert {rule: (render_keys(seen.keys), seen.keys[-1]) for rule, seen in found.items()} == {
        "self.items.size() < 9": (".spec", 0),
        "self > 0": (".spec.items[*]", 0),
        "10 / self > 0": (".spec.items[*]", 1),
        "self > oldSelf": (".spec.map[*]", 0),
    }
    assert found["self > oldSelf"].evaluations == 0


def test_costs_are_those_of_the_answer() -> None:
    scheme = scheme_of(root(SPEC))
    (kind,) = scheme.kinds.values()
    found = watch_rules(kind.storage)
    outcome = scheme.admit(robot({"items": [1, 2, -3]}))
    assert sum(seen.cost for seen in found) == outcome.cost > 0
    assert max(seen.most for seen in found) <= outcome.cost
