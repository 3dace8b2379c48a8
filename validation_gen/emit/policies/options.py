"""What people can say of the policies that are wanted."""

from __future__ import annotations

from dataclasses import dataclass

#: What can follow from a decision. Of Deny and Warn a binding has one at most.
ACTIONS = ("Audit", "Deny", "Warn")
FAILURE_POLICIES = ("Fail", "Ignore")
#: What becomes of rules that may cost more than an API server spends.
COSTLY = ("leave", "keep")


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The settings of policies.

    Attributes:
        actions: what follows from a decision against a request.
        failure_policy: what follows from an expression that comes to no verdict.
        spared: namespaces of which no object is looked at.
        prefix: stands before the name of each policy.
        defaults: whether there are policies that fill in defaults, too.
        costly: whether rules that may cost too much are kept, so that objects are refused that are too large for them.
        weaker: whether policies may go without rules, as a webhook says them.
    """

    actions: tuple[str, ...] = ("Deny",)
    failure_policy: str = "Fail"
    spared: tuple[str, ...] = ()
    prefix: str = ""
    defaults: bool = True
    costly: str = "leave"
    weaker: bool = False
