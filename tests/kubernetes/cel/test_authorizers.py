"""The authorizer in expressions: what it is asked, and what becomes of its answers."""

from __future__ import annotations

from typing import Any

import pytest

from validation_gen.kubernetes.cel import types
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.functions.authorizers import Attributes, Authorizer, Decision, User
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.plan import make_plan
from validation_gen.kubernetes.cel.values import EvaluationError

ANN = User("ann", ("cooks",))
YES = Decision(True)
_TYPE = types.object_type("kubernetes.authorization.Authorizer")


def _run(text: str, decision: Decision = YES) -> tuple[Any, list[Attributes], int]:
    """The value of an expression, what the authorizer was asked for it, and the cost."""
    asked: list[Attributes] = []

    def answers(attributes: Attributes) -> Decision:
        asked.append(attributes)
        return decision

    environment = Environment({"authorizer": _TYPE}, functions(36, stored=True), {})
    plan = make_plan(check_expression(parse(text, quoted=False), environment), ("authorizer",))
    found, left = plan.run([Authorizer(ANN, answers)], 1 << 40)
    return found, asked, (1 << 40) - left


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("authorizer.path('/healthz').check('get')", Attributes(ANN, "get", path="/healthz")),
        (
            "authorizer.group('apps').resource('deployments').check('list')",
            Attributes(ANN, "list", group="apps", resource="deployments"),
        ),
        (
            "authorizer.group('').resource('pods').subresource('exec').namespace('a').name('b').check('create')",
            Attributes(ANN, "create", resource="pods", subresource="exec", namespace="a", name="b"),
        ),
        (
            "authorizer.group('').resource('pods').fieldSelector('x=1').labelSelector('a in').check('list')",
            Attributes(ANN, "list", resource="pods", field_selector="x=1", label_selector="a in"),
        ),
        (
            "authorizer.serviceAccount('a', 'b.c').group('').resource('pods').check('get')",
            Attributes(
                User("system:serviceaccount:a:b.c", ("system:serviceaccounts", "system:serviceaccounts:a")),
                "get",
                resource="pods",
            ),
        ),
    ],
)
def test_what_is_asked(text: str, asked: Attributes) -> None:
    found, questions, cost = _run(f"{text}.allowed()")
    assert (found, questions) == (True, [asked])
    assert cost >= 350_000


@pytest.mark.parametrize(
    ("method", "wanted"), [("allowed", False), ("reason", "no"), ("errored", True), ("error", "gone")]
)
def test_answers(method: str, wanted: object) -> None:
    text = f"authorizer.group('').resource('pods').check('get').{method}()"
    assert _run(text, Decision(False, "no", "gone"))[0] == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("authorizer.path(' ').check('get').allowed()", "path must not be empty"),
        ("authorizer.group('').resource('').check('get').allowed()", "resource must not be empty"),
        ("authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()", "Invalid service account name"),
        ("authorizer.serviceAccount('a.b', 'b').path('/').check('get').allowed()", "Invalid service account namespace"),
    ],
)
def test_what_cannot_be_asked(text: str, said: str) -> None:
    found, asked, _ = _run(text)
    assert isinstance(found, EvaluationError)
    assert (found.message, asked) == (said, [])


def test_what_is_decided_otherwise_is_not_asked() -> None:
    assert _run("true || authorizer.path('/').check('get').allowed()")[:2] == (True, [])
