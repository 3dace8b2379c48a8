"""Requests as policies see them, and the expressions of a policy on one request: variables, errors, cost, conditions.

Sources of the behaviour: `pkg/admission/plugin/cel/activation.go` and `composition.go`, and
`pkg/admission/plugin/webhook/matchconditions` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from validation_gen.kubernetes.admission.compiling import Expression, compile_expression
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.cel.functions.authorizers import (
    Answers,
    Attributes,
    Authorizer,
    Decision,
    ResourceCheck,
    User,
)
from validation_gen.kubernetes.cel.operations import CostExceededError
from validation_gen.kubernetes.cel.values import EvaluationError

if TYPE_CHECKING:
    from validation_gen.kubernetes.policies.reading import Policy


@dataclass(frozen=True, slots=True)
class GroupVersionKind:
    """A kind by its group and version."""

    group: str = ""
    version: str = ""
    kind: str = ""

    def as_json(self) -> dict[str, str]:
        return {"group": self.group, "version": self.version, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class GroupVersionResource:
    """A resource by its group and version."""

    group: str = ""
    version: str = ""
    resource: str = ""

    def as_json(self) -> dict[str, str]:
        return {"group": self.group, "version": self.version, "resource": self.resource}


@dataclass(frozen=True, slots=True)
class UserInfo:
    """User of a request."""

    username: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """An admission request.

    Attributes:
        object: the new object as decoded JSON, `None` on delete.
        old: the old one, `None` on create.
        operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
        kind: kind of the object.
        resource: resource of the request.
        request_kind: kind in the request, if the object was converted for a policy.
        request_resource: resource in the request, if the object was converted for a policy.
        subresource: `status` and the like, `""` for the object itself.
        namespace: namespace of the object, `""` for cluster-scoped ones.
        namespace_object: the object of that namespace, if it is known.
        authorizer: answers authorization checks; without one all are denied.
    """

    object: Any = None
    old: Any = None
    operation: str = "CREATE"
    kind: GroupVersionKind = GroupVersionKind()
    resource: GroupVersionResource = GroupVersionResource()
    subresource: str = ""
    name: str = ""
    namespace: str = ""
    user: UserInfo = UserInfo()
    dry_run: bool = False
    options: Any = None
    namespace_object: Mapping[str, Any] | None = None
    authorizer: Answers | None = field(default=None, repr=False)
    request_kind: GroupVersionKind | None = None
    request_resource: GroupVersionResource | None = None


def request_value(request: Request) -> dict[str, Any]:
    """Returns the variable `request`. Empty fields are absent, as in JSON of the API server."""
    user = {
        "username": request.user.username,
        "uid": request.user.uid,
        "groups": [*request.user.groups],
        "extra": {key: [*values] for key, values in request.user.extra.items()},
    }
    optional = {
        "subResource": request.subresource,
        "requestSubResource": request.subresource,
        "name": request.name,
        "namespace": request.namespace,
    }
    kind, resource = request.kind.as_json(), request.resource.as_json()
    return {
        "uid": "",
        "kind": kind,
        "resource": resource,
        "requestKind": kind if request.request_kind is None else request.request_kind.as_json(),
        "requestResource": resource if request.request_resource is None else request.request_resource.as_json(),
        **{key: value for key, value in optional.items() if value},
        "operation": request.operation,
        "userInfo": {key: value for key, value in user.items() if value},
        "dryRun": request.dry_run,
        "options": request.options,
    }


def _deny_all(_: Attributes) -> Decision:
    return Decision(allowed=False)


def authorizer_values(request: Request) -> tuple[Authorizer, ResourceCheck]:
    """Returns the variables `authorizer` and `authorizer.requestResource`."""
    answers: Callable[[Attributes], Decision] = request.authorizer or _deny_all
    user = User(request.user.username, request.user.groups)
    asked = Attributes(
        user,
        group=request.resource.group,
        resource=request.resource.resource,
        subresource=request.subresource,
        namespace=request.namespace,
        name=request.name,
    )
    return Authorizer(user, answers), ResourceCheck(answers, asked)


#: Greatest cost of one expression, of a policy on a request, and of all its match conditions.
CALL_LIMIT, BUDGET, CONDITIONS_BUDGET = 1_000_000, 10_000_000, 2_500_000
_EXCEEDED = "operation cancelled: actual cost limit exceeded"


class OutOfBudgetError(Exception):
    """The expressions of a policy have exceeded their common cost limit."""

    def __init__(self) -> None:
        super().__init__("validation failed due to running out of cost budget, no further validation rules will be run")


@dataclass(frozen=True, slots=True)
class Result:
    """Result of an expression: a value, or an error with the server's text."""

    value: Any = None
    error: str = ""


class _Variables(Mapping[str, Any]):
    """Variables of a policy, each evaluated at its first use."""

    def __init__(self, run: PolicyRun) -> None:
        self._run = run
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = EvaluationError(f"no such key: {name}")  # a variable that uses itself finds nothing
            self._known[name] = self._run.variable(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._run.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.variables)

    def __len__(self) -> int:
        return len(self._run.variables)


def compile_variables(policy: Policy, names: Names) -> dict[str, Expression]:
    """Compiles the variables of a policy, and adds them to the names of its expressions."""
    found = {}
    for variable in policy.variables:
        found[variable.name] = compile_expression(variable.expression, names.environment(), minor=names.minor)
        names.add(variable.name, found[variable.name].type)
    return found


@dataclass(slots=True)
class PolicyRun:
    """One run of some expressions of a policy: each evaluates variables once.

    `budget` is the remaining one. `cost` is the cost so far.
    """

    request: Request
    params: Any
    variables: Mapping[str, Expression]
    budget: int = BUDGET
    cost: int = 0
    _slots: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        request = self.request
        self._slots = [
            request.object,
            request.old,
            request_value(request),
            request.namespace_object,
            self.params,
            *authorizer_values(request),
            _Variables(self),
        ]

    def result(self, expression: Expression) -> Result:
        """Runs one expression.

        Raises:
            OutOfBudgetError: the budget is used up.
        """
        if expression.plan is None:
            text = f"compilation error: {expression.error}"
            return Result(error=text)
        value, cost = self._run(expression)
        self._spend(cost)
        if isinstance(value, EvaluationError):
            return Result(error=f"expression '{expression.text}' resulted in error: {value.message}")
        return Result(value)

    def variable(self, name: str) -> Any:
        """Evaluates a variable. Its error becomes an error of the expression that uses it."""
        expression = self.variables[name]
        if expression.plan is None:
            return EvaluationError(f'composited variable "{name}" fails to compile: {expression.error}')
        value, cost = self._run(expression)
        self._spend(cost)
        if isinstance(value, EvaluationError):
            return EvaluationError(f'composited variable "{name}" fails to evaluate: {value.message}')
        return value

    def _run(self, expression: Expression) -> tuple[Any, int]:
        assert expression.plan is not None
        try:
            return expression.plan.run(self._slots, CALL_LIMIT)
        except CostExceededError:
            return EvaluationError(_EXCEEDED), CALL_LIMIT + 1

    def _spend(self, cost: int) -> None:
        self.cost += cost
        self.budget -= cost
        if self.budget < 0:
            raise OutOfBudgetError


def results(run: PolicyRun, expressions: Sequence[Expression | None]) -> list[Result | None]:
    """Runs expressions one after the other.

    Raises:
        OutOfBudgetError: the budget is used up.
    """
    return [None if expression is None else run.result(expression) for expression in expressions]


def match_conditions(
    conditions: Sequence[Expression], variables: Mapping[str, Expression], request: Request, params: Any, *, fails: bool
) -> tuple[bool, str, int]:
    """Returns whether all conditions hold, the error, and the cost. One false condition outweighs errors in others.

    Conditions see the resource of the client's request, even if a policy gets its objects in another version. `fails`:
    an error is a failure of the policy; else the policy is skipped.
    """
    if not conditions:
        return True, "", 0
    if request.request_resource is not None:
        request = replace(request, resource=request.request_resource)
    run = PolicyRun(request, params, variables, CONDITIONS_BUDGET)
    problems = []
    try:
        for result in results(run, conditions):
            assert result is not None
            if result.error:
                problems.append(result.error)
            elif result.value is not True:
                return False, "", run.cost
    except OutOfBudgetError as error:
        problems = [str(error)]
    if not problems:
        return True, "", run.cost
    joined = problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"
    return False, joined if fails else "", run.cost
