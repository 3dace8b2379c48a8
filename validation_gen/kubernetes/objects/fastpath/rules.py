"""Compiles the CEL rules of a schema to Python functions, one for each schema with rules below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.kubernetes.cel.compiled import (
    TOO_LARGE,
    DoubtError,
    UnsupportedError,
    Writer,
    of_shape,
    translate,
)
from validation_gen.kubernetes.cel.compiled.writer import LIMIT
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.types import DYN
from validation_gen.kubernetes.cel.values import ABSENT, EvaluationError, Optional
from validation_gen.kubernetes.crd.correlation import KeyedItems
from validation_gen.kubernetes.crd.expressions import CALL_LIMIT, Rules, RunningRule

#: Exceptions of the fast path where something may be wrong.
DOUBTS = (
    *(DoubtError, EvaluationError, CostExceededError),
    *(LookupError, TypeError, AttributeError, RecursionError),
)
#: Runs the rules of a value (and of its old one) and of all below it. It takes the cost so far, and returns the new
#: one.
RulePosition = Callable[..., int]


class CompiledRules:
    """Functions that run the rules of a schema.

    Raises:
        UnsupportedError: one of them cannot run at all.
    """

    def __init__(self, rules: Rules) -> None:
        if any(rule.plan is None for rule in _all_rules(rules)):
            raise UnsupportedError("a rule that does not compile")
        self._rules = rules
        self._writer = Writer()
        self._known: dict[tuple[int, bool], str] = {}
        self._plans_alone = False
        self._create = self._function(rules, update=False)
        self._update = self._function(rules, update=True)

    def run(self, new: Any, old: Any = None) -> int:
        """Returns an upper limit of the cost of all rules, which all hold. The values must be valid by their schema.

        Raises:
            DOUBTS: a rule may not hold.
        """
        names = self._writer.names
        found: int = names[self._create](new, 0) if old is None else names[self._update](new, old, 0)
        if found > LIMIT:
            raise DoubtError
        return found

    # --- functions ----------------------------------------------------------------------------------------------------

    def _function(self, rules: Rules, *, update: bool) -> str:
        """Returns the name of the function for a place, which is compiled at its first call."""
        name = self._known.get((id(rules), update))
        if name is None:
            name = self._known[id(rules), update] = self._writer.fresh("r")
            self._writer.names[name] = self._late(rules, name, update)
        return name

    def _late(self, rules: Rules, name: str, update: bool) -> RulePosition:
        """Returns a function that is compiled at its first call, unless another thread has compiled it by then."""

        def call(*args: Any) -> int:
            with self._writer.lock:
                if self._writer.names[name] is call:
                    self._make(rules, name, update)
            place: RulePosition = self._writer.names[name]
            return place(*args)

        return call

    def _make(self, rules: Rules, name: str, update: bool) -> None:
        try:
            self._write(rules, name, update)
        except TOO_LARGE:
            self._writer.lines.clear()
            self._plans_alone = True
            self._write(rules, name, update)
        finally:
            self._plans_alone = False

    def _write(self, rules: Rules, name: str, update: bool) -> None:
        writer = self._writer
        if update and not any(rule.uses_old for rule in _all_rules(rules)):
            create = self._function(rules, update=False)
            with writer.block(f"def {name}(v, o, cost):"):
                writer.line(f"return {create}(v, cost)")
        else:
            with writer.block(f"def {name}(v, {'o, ' if update else ''}cost):"):
                self._place_rule(rules, update)
        writer.defined(name, "rules")

    def _place_rule(self, rules: Rules, update: bool) -> None:
        writer = self._writer
        writer.constant_cost = 0
        for rule in rules.compiled:
            self._rule(rules, rule, update)
        writer.line(f"cost += {writer.constant_cost}")
        for part in rules.combined:
            writer.line(f"cost = {self._call(part, 'v', 'o', update)}")
        if rules.items is not None:
            self._items(rules, rules.items, update)
        if rules.additional is not None or rules.properties:
            self._entries(rules, update)
        writer.line("return cost")

    def _call(self, rules: Rules, new: str, old: str, update: bool) -> str:
        return f"{self._function(rules, update=update)}({new}, {f'{old}, ' if update else ''}cost)"

    # --- below --------------------------------------------------------------------------------------------------------

    def _items(self, rules: Rules, part: Rules, update: bool) -> None:
        writer = self._writer
        old = "None"
        if update and rules.schema.list_type == "map":
            keys = writer.constant(rules.schema.list_map_keys)
            writer.line(f"b = {writer.constant(KeyedItems)}(o, {keys}) if o.__class__ is list else None")
            old = "b.get(x) if b is not None else None"
        with writer.block("for x in v:"):
            writer.line(f"cost = {self._call(part, 'x', old, update)}")
            writer.line(f"if cost > {LIMIT}: raise DOUBT")

    def _entries(self, rules: Rules, update: bool) -> None:
        writer = self._writer
        if update:
            known = rules.schema.map_type in (None, "granular", "atomic")
            writer.line(f"w = o if o.__class__ is dict and {known} else {{}}")
        if rules.additional is not None:
            with writer.block("for k, x in v.items():"):
                writer.line(f"cost = {self._call(rules.additional, 'x', 'w.get(k)', update)}")
                writer.line(f"if cost > {LIMIT}: raise DOUBT")
        for name, part in rules.properties.items():
            key = writer.text(name)
            writer.line(f"x = v.get({key})")
            writer.line(f"if x is not None: cost = {self._call(part, 'x', f'w.get({key})', update)}")

    # --- rules --------------------------------------------------------------------------------------------------------

    def _rule(self, rules: Rules, rule: RunningRule, update: bool) -> None:
        writer = self._writer
        if rule.rule.optional_old_self:
            writer.spend(f"{self._plan_rule(rules, rule)}(v, {'o' if update else 'None'})")
            return
        if not rule.uses_old:
            self._check_rule(rules, rule)
        elif update:
            with writer.block("if o is not None:"):
                self._check_rule(rules, rule)

    def _check_rule(self, rules: Rules, rule: RunningRule) -> None:
        writer = self._writer
        assert rule.typed is not None
        before = writer.constant_cost
        variables = {name: of_shape(writer, text, rules.shape, DYN) for name, text in (("self", "v"), ("oldSelf", "o"))}
        try:
            if self._plans_alone:
                raise UnsupportedError("source that is too large")
            with writer.apart() as lines:
                found = translate(writer, rule.typed, variables)
        except UnsupportedError:
            writer.constant_cost = before
            writer.spend(f"{self._plan_rule(rules, rule)}(v, {'o' if rule.uses_old else 'None'})")
            return
        writer.put([line[1:] for line in lines])
        writer.line(f"if not {found.text}: raise DOUBT")

    def _plan_rule(self, rules: Rules, rule: RunningRule) -> str:
        """Returns the name of a function that runs a rule as a plan."""
        plan, read, is_optional = rule.plan, rules.shape.read, bool(rule.rule.optional_old_self)
        assert plan is not None

        def run(new: Any, old: Any) -> int:
            before = None if old is None else read(old)
            if is_optional:
                before = ABSENT if old is None else Optional(True, before)
            value, spent = plan.run((read(new), before), CALL_LIMIT)
            if value is not True:
                raise DoubtError
            return spent

        return self._writer.constant(run)


def _all_rules(rules: Rules) -> list[RunningRule]:
    found = list(rules.compiled)
    for part in (rules.items, rules.additional, *rules.properties.values(), *rules.combined):
        if part is not None:
            found += _all_rules(part)
    return found
