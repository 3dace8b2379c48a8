"""Statistics of the CEL rules of a schema during validation: how often each holds, and its cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.expressions import Rules
from validation_gen.kubernetes.objects.kinds import Served

#: Path from a schema to a part of it, as in the document.
Keys = tuple[str | int, ...]
_KEYWORD = "x-kubernetes-validations"


@dataclass(slots=True)
class RuleStats:
    """Statistics of a rule.

    Attributes:
        keys: the path from the schema to the rule.
        rule: its text.
        held: how often it held.
        failed: how often it did not.
        broke: how often it had no value: it ended with an error, or cost too much.
        cost: the total cost, messages included.
        most: the greatest cost of one evaluation.
    """

    keys: Keys
    rule: str
    held: int = 0
    failed: int = 0
    broke: int = 0
    cost: int = 0
    most: int = 0

    @property
    def evaluations(self) -> int:
        return self.held + self.failed + self.broke

    def note(self, result: Any, spent: int) -> None:
        """Records a result with its cost, or the cost of a message, whose result is None."""
        self.cost += spent
        self.most = max(self.most, spent)
        if result is True:
            self.held += 1
        elif result is False:
            self.failed += 1
        elif result is not None:
            self.broke += 1


def watch_rules(version: Served) -> list[RuleStats]:
    """Records all rules of a version from now on, in the order of the document.

    It turns off the fast path, which cannot.
    """
    version.fast.disable()
    return [] if version.rules is None else list(_watch(version.rules, ()))


def _watch(rules: Rules, keys: Keys) -> Iterator[RuleStats]:
    for index, compiled in enumerate(rules.compiled):
        seen = RuleStats((*keys, _KEYWORD, index), compiled.rule.rule)
        compiled.seen = seen.note
        yield seen
    for number, part in enumerate(rules.combined):
        yield from _watch(part, (*keys, "allOf", number))
    for name, part in rules.properties.items():
        yield from _watch(part, (*keys, "properties", name))
    if rules.items is not None:
        yield from _watch(rules.items, (*keys, "items"))
    if rules.additional is not None:
        yield from _watch(rules.additional, (*keys, "additionalProperties"))


def render_keys(keys: Keys) -> str:
    """Returns the path of a rule or schema as in errors: `.spec.arms[*]`; empty for the root."""
    place, rest = "", iter(keys)
    for key in rest:
        if key == "properties":
            place += f".{next(rest, '')}"
        elif key in ("items", "additionalProperties"):
            place += "[*]"
        elif key == _KEYWORD:
            break
    return place
