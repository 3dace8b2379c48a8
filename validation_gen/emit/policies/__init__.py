"""Writes admission policies of a program: the rules of each kind in CEL, over the whole object and the old one.

The input is a `Program` with `PolicyOptions`; the outputs are policies with their bindings as text by path, a table of
rules that only validators check, and findings about it. No module here knows a tag.

- `value_ref` describes a value: the loops around it, and its CEL expressions in the new and in the old object.
- `walk` goes through the checks of a type as the validators do; `single` and `changes` translate them, `fields` writes
  conditions on one field, and `collecting` makes conditions on the whole object of them.
- `messages` builds the API server's error texts, `findings` reports rules that only validators check.
- `defaults` makes policies that fill in defaults.
- `budget` drops rules that are too expensive, and splits policies; `documents` makes objects.
"""

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
