"""Options of admission policies."""

from __future__ import annotations

from dataclasses import dataclass

#: Actions of a binding. It has at most one of Deny and Warn.
ACTIONS = ("Audit", "Deny", "Warn")
FAILURE_POLICIES = ("Fail", "Ignore")
#: Treatments of rules beyond the cost limit of an API server.
COSTLY = ("leave", "keep")


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The settings of policies.

    Attributes:
        actions: actions on a refused request.
        failure_policy: result of an expression that fails to evaluate.
        spared: namespaces that are excluded.
        prefix: prefix of each policy's name.
        defaults: True to write policies that fill in defaults, too.
        costly: True to keep rules that may be too expensive; they then refuse objects that are too large.
        weaker: True if policies may omit rules, which a webhook checks.
    """

    actions: tuple[str, ...] = ("Deny",)
    failure_policy: str = "Fail"
    spared: tuple[str, ...] = ()
    prefix: str = ""
    defaults: bool = True
    costly: str = "leave"
    weaker: bool = False
