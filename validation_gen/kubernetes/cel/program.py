"""Compiles one expression at its place in the schema, to a plan that can run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.constants import first_problem
from validation_gen.kubernetes.cel.cost import estimated
from validation_gen.kubernetes.cel.depth import TOO_DEEP
from validation_gen.kubernetes.cel.issues import InvalidExpression, Issue, rendered
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.plan import Plan, planned
from validation_gen.kubernetes.cel.ranges import saturated
from validation_gen.kubernetes.cel.schemas import MAX_REQUEST, Declared
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import BOOL, STRING
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: Greatest cost of one rule, and of all rules of a CRD together.
RULE_LIMIT = 10_000_000
CRD_LIMIT = 100_000_000

#: First minor version with quoted names, as in a.`b.c`: they need cel-go 0.28, which no server up to 1.37.0-beta.0 has.
NAMES_QUOTED = 37

#: The answer to rules on a schema without a type that expressions could use.
NO_TYPE = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert "
    "structural schema to CEL declarations"
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """Result of compiling one expression.

    `error` has the API server's words, and is empty for an expression that compiles. `base` is the cost of one
    evaluation, `cost` that of all that one object can need; both are 0 if there is an error.
    """

    text: str
    error: str = ""
    issues: tuple[Issue, ...] = ()
    base: int = 0
    cost: int = 0
    uses_old_self: bool = False
    refusal: str = ""

    @property
    def within_limit(self) -> bool:
        return self.cost <= RULE_LIMIT


def compile_rule(text: str, scope: Scope, *, optional_old_self: bool | None = None) -> Compiled:
    """Compiles a rule at a place, with the API server's verdict."""
    declared = scope.declared
    if declared is None:
        return Compiled(text, NO_TYPE, (Issue(NO_TYPE, -1),))
    found = _compiled(text, scope, declared, optional=bool(optional_old_self))
    times = MAX_REQUEST // (declared.smallest + 1) if scope.cardinality is None else scope.cardinality
    refusal = ""
    if found.uses_old_self and scope.uncorrelatable:
        refusal = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {scope.uncorrelatable}"
    elif not found.uses_old_self and optional_old_self is not None:
        refusal = "may not be set if oldSelf is not used in rule"
    return replace(found, cost=saturated(found.base, times), refusal=refusal)


def compile_message(text: str, scope: Scope, *, optional_old_self: bool | None = None) -> Compiled:
    """Compiles a `messageExpression`, which runs at most once and whose cost is therefore not multiplied."""
    declared = scope.declared
    if declared is None:
        return Compiled(text, NO_TYPE, (Issue(NO_TYPE, -1),))
    return _compiled(text, scope, declared, optional=bool(optional_old_self), message=True)


#: Cache of results, by all that they depend on.
_known: dict[tuple[object, ...], Compiled] = {}
_MOST_KNOWN = 4096
_LONGEST_KNOWN = 4096  # characters


def _compiled(text: str, scope: Scope, declared: Declared, *, optional: bool, message: bool = False) -> Compiled:
    """Compiles an expression at a place, through the cache: versions of a definition repeat types and rules."""
    digest = scope.digest if len(text) <= _LONGEST_KNOWN else b""
    if not digest:
        return _judged(text, scope, declared, optional=optional, message=message)
    key = (digest, text, scope.minor, scope.stored, optional, message)
    found = _known.get(key)
    if found is None:
        found = _judged(text, scope, declared, optional=optional, message=message)
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        if TOO_DEEP not in found.error:  # which may depend on the caller's stack depth
            _known[key] = found
    return found


def _judged(text: str, scope: Scope, declared: Declared, *, optional: bool, message: bool) -> Compiled:
    """Compiles an expression without the cache."""
    subject, prefix, kind = (
        ("messageExpression", "messageExpression ", STRING) if message else ("cel expression", "", BOOL)
    )
    try:
        found = checked(
            parsed(text, quoted=scope.minor >= NAMES_QUOTED), scope.environment(declared, optional=optional)
        )
        if issues := constant_issues(found):
            raise InvalidExpression(issues)
        cost = estimated(found, declared).most
        instantiation = first_problem(found)
    except InvalidExpression as error:
        return Compiled(text, f"{prefix}compilation failed: {rendered(text, error.issues)}", error.issues)
    except RecursionError:  # types can be nested deeper than nodes
        issue = Issue(TOO_DEEP, -1)
        return Compiled(text, f"{prefix}compilation failed: {rendered(text, [issue])}", (issue,))
    old = "oldSelf" in found.variables
    if found.type != kind:
        problem = f"{subject} must evaluate to a {kind}"
        return Compiled(text, problem, (Issue(problem, 0),))
    if instantiation:
        problem = f"{'messageExpression' if message else 'program'} instantiation failed: {instantiation}"
        return Compiled(text, problem, (Issue(problem, 0),), uses_old_self=old)
    return Compiled(text, base=cost, cost=cost, uses_old_self=old)


#: Variables of rules, in the order in which a plan takes their values.
VARIABLES = ("self", "oldSelf")


def planned_at(text: str, scope: Scope, *, optional_old_self: bool = False) -> tuple[Typed, Plan]:
    """Compiles an expression of any type at a place.

    Raises:
        InvalidExpression: it does not compile.
    """
    typed = _typed(text, scope, optional_old_self)
    return typed, _planned(typed, "program")


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A rule that can run, and its checked expression."""

    plan: Plan
    typed: Typed

    @property
    def uses_old(self) -> bool:
        """True if the rule names the old value."""
        return "oldSelf" in self.typed.variables


def prepared(text: str, scope: Scope, *, optional_old_self: bool = False, message: bool = False) -> Prepared:
    """Compiles a rule, or a `messageExpression`.

    Raises:
        InvalidExpression: it does not compile, or has the wrong type. Then all of the server's text is one issue.
    """
    subject, prefix, wanted = ("messageExpression",) * 2 + (STRING,) if message else ("cel expression", "program", BOOL)
    try:
        typed = _typed(text, scope, optional_old_self)
    except InvalidExpression as error:
        if scope.declared is None:
            raise
        before = "messageExpression " if message else ""
        problem = f"{before}compilation failed: {rendered(text, error.issues)}"
        raise InvalidExpression([Issue(problem, -1)]) from error
    if typed.type != wanted:
        raise InvalidExpression([Issue(f"{subject} must evaluate to a {wanted}", 0)])
    return Prepared(_planned(typed, prefix), typed)


def _typed(text: str, scope: Scope, optional: bool) -> Typed:
    """Returns the expression with its types."""
    declared = scope.declared
    if declared is None:
        raise InvalidExpression([Issue(NO_TYPE, -1)])
    quoted = scope.minor >= NAMES_QUOTED or scope.stored
    try:
        typed = checked(parsed(text, quoted=quoted), scope.environment(declared, optional=optional))
        issues = constant_issues(typed)
    except RecursionError:  # the expansion of macros can be nested more deeply than the text
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    if issues:
        raise InvalidExpression(issues)
    return typed


def _planned(typed: Typed, prefix: str) -> Plan:
    """Returns the plan; raises if a constant part fails."""
    try:
        if problem := first_problem(typed):
            raise InvalidExpression([Issue(f"{prefix} instantiation failed: {problem}", 0)])
        return planned(typed, VARIABLES)
    except RecursionError:
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    except EvaluationError as error:
        raise InvalidExpression([Issue(f"{prefix} instantiation failed: {error.message}", 0)]) from error
