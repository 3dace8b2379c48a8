"""Runs the CEL rules of a schema on an object as the API server does.

Source of the behaviour: `pkg/apiserver/schema/cel/validation.go` of `k8s.io/apiextensions-apiserver`. Rules run from
the root downwards until the budget of an object is used up; errors of unchanged values become warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel.data import Shape, build_shape
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.plan import Plan
from validation_gen.kubernetes.cel.program import prepare
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.tree import InvalidExpression, Typed
from validation_gen.kubernetes.cel.values import ABSENT, EvaluationError, Optional
from validation_gen.kubernetes.crd.correlation import Correlation, KeyedItems
from validation_gen.kubernetes.crd.schema import Rule, Schema, has_rules
from validation_gen.kubernetes.crd.schema_path import FieldPathError, resolve
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

#: Greatest cost of one evaluation, and of all rules of one object together.
CALL_LIMIT = 1_000_000
OBJECT_BUDGET = 10_000_000
_LONGEST_MESSAGE = 5120
_NO_OLD = EvaluationError("no such attribute(s): oldSelf")
_OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run"
_REASONS = {
    "FieldValueForbidden": ErrorType.FORBIDDEN,
    "FieldValueRequired": ErrorType.REQUIRED,
    "FieldValueDuplicate": ErrorType.DUPLICATE,
}


@dataclass(slots=True, eq=False)
class RunningRule:
    """A rule that can run, or the error of its compilation."""

    rule: Rule
    plan: Plan | None = None
    typed: Typed | None = None
    message: Plan | None = None
    error: str = ""
    uses_old: bool = False
    path: str = ""
    #: Callback that receives each result with its cost, and for each message None with its cost.
    seen: Callable[[Any, int], None] | None = None

    @property
    def text(self) -> str:
        return self.rule.message.strip() or self.rule.rule.strip()


@dataclass(slots=True)
class _Run:
    """Results of the rules of one object so far. A negative budget ends the run."""

    budget: int = OBJECT_BUDGET
    errors: list[FieldError] = field(default_factory=list)
    warnings: list[FieldError] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Ratchet:
    """Correlation of old and new values: here, and at the nearest value above."""

    here: Correlation | None = None
    above: Correlation | None = None

    @property
    def unchanged(self) -> bool:
        if self.here is not None:
            return self.here.is_equal
        return self.above is not None and self.above.is_equal

    def key(self, name: str) -> _Ratchet:
        if self.here is None:
            return self
        if self.above is None and name in ("apiVersion", "kind"):
            return _Ratchet()
        return _Ratchet(self.here.key(name), self.here)

    def index(self, number: int) -> _Ratchet:
        return self if self.here is None else _Ratchet(self.here.index(number), self.here)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A value that rules see, and the old one: each as JSON and as CEL value, with the reversed path."""

    new: Any
    value: Any
    old: Any
    before: Any
    path: tuple[str, ...]
    ratchet: _Ratchet


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that fails, with its input: a path and its values, of which `old` may be None."""

    rule: RunningRule
    shape: Shape
    path: str
    new: Any
    old: Any


@dataclass(slots=True, eq=False)
class Rules:
    """Rules of a schema node and of all nodes below it."""

    shape: Shape
    schema: Schema
    type: str
    compiled: list[RunningRule]
    items: Rules | None = None
    additional: Rules | None = None
    properties: dict[str, Rules] = field(default_factory=dict)
    combined: list[Rules] = field(default_factory=list)

    def check(self, new: Any, old: Any = None, correlation: Correlation | None = None) -> _Run:
        """Runs all rules on an object. On a create there is no old one, and no correlation."""
        run = _Run()
        self._check(run, new, old, (), _Ratchet(correlation))
        return run

    def broken(self, new: Any, old: Any = None, path: str = "") -> Iterator[Broken]:
        """Yields all failing rules with their input, whatever they cost. It is for explanations."""
        if new is None:
            return
        for rule in self.compiled:
            optional = bool(rule.rule.optional_old_self)
            if rule.plan is None or (rule.uses_old and old is None and not optional):
                continue
            found = Broken(rule, self.shape, path, new, old)
            if _evaluate(rule.plan, read_values(found))[0] is not True:
                yield found
        for rules in self.combined:
            yield from rules.broken(new, old, path)
        for rules, item, before, segment, _ in self._parts(new, old, _Ratchet()):
            yield from rules.broken(item, before, f"{path}{segment}".removeprefix("."))

    def _check(self, run: _Run, new: Any, old: Any, path: tuple[str, ...], ratchet: _Ratchet) -> None:
        if new is None:
            return
        if self.compiled:
            self._expressions(run, new, old, path, ratchet)
        for rules in self.combined:
            if run.budget < 0:
                return
            rules._check(run, new, old, path, _Ratchet(None, ratchet.above))
        if run.budget < 0:
            return
        for rules, item, before, segment, its_ratchet in self._parts(new, old, ratchet):
            rules._check(run, item, before, (segment, *path), its_ratchet)
            if run.budget < 0:
                return

    def _parts(self, new: Any, old: Any, ratchet: _Ratchet) -> Iterator[tuple[Rules, Any, Any, str, _Ratchet]]:
        """Yields the parts of a value that have rules."""
        if isinstance(new, list):
            if self.items is not None:
                is_map = self.schema.list_type == "map"
                before = KeyedItems(old, self.schema.list_map_keys) if is_map and isinstance(old, list) else None
                for index, item in enumerate(new):
                    old_item = before.get(item) if before is not None else None
                    yield self.items, item, old_item, f"[{index}]", ratchet.index(index)
        elif isinstance(new, dict):
            known = old if isinstance(old, dict) and self.schema.map_type in (None, "granular", "atomic") else {}
            if self.additional is not None:
                for name, item in new.items():
                    yield self.additional, item, known.get(name), f"[{name}]", ratchet.key(name)
            for name, rules in self.properties.items():
                if name in new:
                    yield rules, new[name], known.get(name), f".{name}", ratchet.key(name)

    # --- one value ----------------------------------------------------------------------------------------------------

    def _expressions(self, run: _Run, new: Any, old: Any, path: tuple[str, ...], ratchet: _Ratchet) -> None:
        if run.budget <= 0:
            self._fail(run, path, _OUT_OF_BUDGET)
            run.budget = -1
            return
        before = None if old is None else self.shape.read(old)
        subject = _Subject(new, self.shape.read(new), old, before, path, ratchet)
        for compiled in self.compiled:
            self._expression(run, compiled, subject)
            if run.budget < 0:
                return

    def _fail(self, run: _Run, path: tuple[str, ...], detail: str) -> None:
        """Adds an error of the rule itself, whose value is the type of the schema."""
        run.errors.append(FieldError(ErrorType.INVALID, self.type, detail, "", *path))

    def _expression(self, run: _Run, compiled: RunningRule, subject: _Subject) -> None:
        path = subject.path
        if compiled.plan is None:
            self._fail(run, path, f"rule compile error: {compiled.error}")
            return
        rule, has_old = compiled.rule, subject.old is not None
        if compiled.uses_old and not has_old and not rule.optional_old_self:
            return
        before = subject.before
        if rule.optional_old_self:
            before = Optional(True, before) if has_old else ABSENT
        result, spent = _evaluate(compiled.plan, (subject.value, before))
        if compiled.seen is not None:
            compiled.seen(result, spent)
        if spent > run.budget:
            self._fail(run, path, _OUT_OF_BUDGET)
            run.budget = -1
            return
        run.budget -= spent
        if result is CostExceededError:
            text = "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to "
            self._fail(run, path, f"{text}call cost exceeds limit for rule: {compiled.text}")
            run.budget = -1
        elif isinstance(result, EvaluationError):
            if result.message.startswith("no such overload"):
                text = "call arguments did not match a supported operator, function or macro signature for rule"
                self._fail(run, path, f"'{result.message}': {text}: {compiled.text}")
            else:
                self._fail(run, path, f"{result.message} evaluating rule: {compiled.text}")
        elif result is not True:
            self._refuse(run, compiled, subject)

    def _refuse(self, run: _Run, compiled: RunningRule, subject: _Subject) -> None:
        """Adds the error or warning of a failed rule."""
        rule = compiled.rule
        where = (compiled.path, *subject.path) if compiled.path else subject.path
        into = run.warnings if not compiled.uses_old and subject.ratchet.unchanged else run.errors
        detail = rule.message.strip() if rule.message else f"failed rule: {rule.rule.strip()}"
        if compiled.message is not None:
            before = subject.before if subject.old is not None else _NO_OLD
            message = self._message(run, compiled, (subject.value, before))
            if run.budget < 0:
                into.append(FieldError(ErrorType.INVALID, self.type, message or "", "", *where))
                return
            detail = message or detail
        value = OMITTED if self.type in ("object", "array") else subject.new
        type = _REASONS.get(rule.reason or "", ErrorType.INVALID)
        if type is ErrorType.DUPLICATE:  # it has no detail of its own
            detail = ""
        into.append(FieldError(type, value, detail, "", *where))

    def _message(self, run: _Run, compiled: RunningRule, values: Sequence[Any]) -> str | None:
        """Returns the text of a `messageExpression`, None without a usable one, the reason if the budget is used up."""
        assert compiled.message is not None
        text, spent = _evaluate(compiled.message, values)
        if compiled.seen is not None:
            compiled.seen(None, spent)
        shown = go_quote(compiled.rule.message_expression)
        if spent > run.budget:
            run.budget = -1
            text = "messageExpression evaluation failed due to running out of cost budget"
            return f"{text}, no further validation rules will be run"
        if text is CostExceededError:
            run.budget = -1
            return (
                f"no further validation rules will be run due to call cost exceeds limit for messageExpression: {shown}"
            )
        run.budget -= spent
        if not isinstance(text, str):
            return None
        text = text.strip()
        return text if text and "\n" not in text and len(text.encode()) <= _LONGEST_MESSAGE else None


def read_values(broken: Broken) -> tuple[Any, Any]:
    """Returns the CEL values of `self` and `oldSelf`."""
    before = None if broken.old is None else broken.shape.read(broken.old)
    if broken.rule.rule.optional_old_self:
        before = ABSENT if broken.old is None else Optional(True, before)
    return broken.shape.read(broken.new), before


def _evaluate(plan: Plan, values: Sequence[Any]) -> tuple[Any, int]:
    try:
        return plan.run(values, CALL_LIMIT)
    except CostExceededError as error:
        return CostExceededError, error.cost


# --- compiling --------------------------------------------------------------------------------------------------------


def compile_rules(schema: Schema, scope: Scope, values: Sequence[Any] | None = None) -> Rules | None:
    """Compiles the rules of a whole schema; None if it has none.

    Args:
        schema: the schema.
        scope: its scope.
        values: the values that will be checked, if they are known: rules that apply to none of them are left out.
    """
    if not has_rules(schema):
        return None
    return _rules(
        schema, schema, scope, build_shape(scope.schema, root=scope.parent is None and scope.resource), values
    )


def _rules(judged: Schema, declared: Schema, scope: Scope, shape: Shape, values: Sequence[Any] | None) -> Rules | None:
    """Compiles the rules of the schema `judged` (which may be within `allOf`) for values of the schema `declared`.

    Settled schemas have none.
    """
    if values is not None and not values:
        return None
    found = Rules(shape, declared, declared.type, [_compile(rule, scope, declared) for rule in judged.validations])
    if judged.item is not None and not judged.item.settled and declared.item is not None and shape.element is not None:
        below = _below(values, list, list)
        found.items = _rules(judged.item, declared.item, scope.items(), shape.element, below)
    for name, part in judged.properties.items():
        inner = declared.properties.get(name)
        if not part.settled and inner is not None and name in scope.schema.get("properties", {}):
            if (below := _below(values, dict, _members(name))) == []:
                continue
            its_shape = shape.fields.get(name) or build_shape(scope.child(name).schema)
            rules = _rules(part, inner, scope.child(name), its_shape, below)
            if rules is not None:
                found.properties[name] = rules
    rest = judged.additional
    if rest is not None and not rest.settled and declared.additional is not None and shape.element is not None:
        below = _below(values, dict, lambda value: list(value.values()))
        found.additional = _rules(rest, declared.additional, scope.values(), shape.element, below)
    for part in judged.all_of:
        rules = _rules(part, declared, scope, shape, values)
        if rules is not None:
            found.combined.append(rules)
    has_any = found.compiled or found.items or found.additional or found.properties or found.combined
    return found if has_any else None


def _below(values: Sequence[Any] | None, kind: type, parts: Callable[[Any], list[Any]]) -> list[Any] | None:
    """Returns the parts of all values of one Python type."""
    return None if values is None else [part for value in values if isinstance(value, kind) for part in parts(value)]


def _members(name: str) -> Callable[[Any], list[Any]]:
    return lambda value: [value[name]] if name in value else []


def _compile(rule: Rule, scope: Scope, schema: Schema) -> RunningRule:
    found = RunningRule(rule)
    try:
        optional = bool(rule.optional_old_self)
        ready = prepare(rule.rule, scope, optional_old_self=optional)
        found.plan, found.typed, found.uses_old = ready.plan, ready.typed, ready.uses_old
        if rule.message_expression:
            found.message = prepare(rule.message_expression, scope, optional_old_self=optional, message=True).plan
    except InvalidExpression as error:
        found.error = str(error)
    if rule.field_path:
        try:
            found.path = f".{''.join(resolve(rule.field_path, schema)[0]).removeprefix('.')}"
        except FieldPathError:
            found.path = ""
    return found
