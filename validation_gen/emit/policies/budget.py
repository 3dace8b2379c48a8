"""Keeps policies within the budgets of API servers: for one expression, and for a policy and request.

Costs are estimated from the greatest sizes that the schema of the kind admits. A validation that may be too expensive
is left to validators; validations that may be too expensive together are split, as each policy has its own budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from validation_gen.emit.policies.collecting import Validation
from validation_gen.ir import TagRef
from validation_gen.kubernetes.admission.compiling import estimate_cost, type_checked
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.policies.requests import BUDGET, CALL_LIMIT


@dataclass(frozen=True, slots=True)
class Excess:
    """A rule that is left to validators: its maximum cost, or the `error` of its expression."""

    tag: TagRef
    cost: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Priced:
    """A validation in a form within the budget, and its maximum cost on a request."""

    validation: Validation
    cost: int

    @property
    def size(self) -> int:
        """Number of characters."""
        message = self.validation
        return len(message.expression) + len(message.listing) + len(message.message) + len(message.message_expression)


def distribute(
    validations: Sequence[Validation], names: Names, *, keep: bool = False
) -> tuple[list[list[Priced]], list[Excess]]:
    """Distributes validations over policies within the budget. Also returns those that fit into no policy.

    `keep` includes validations that may exceed the budget; they then refuse objects that are too large.
    """
    kept: list[Priced] = []
    excesses: list[Excess] = []
    for validation in validations:
        _, error = type_checked(validation.expression, names.environment(), minor=names.minor)
        cost = estimate_cost(validation.expression, names)
        if error or cost is None:
            excesses.append(Excess(validation.tag, error=error.partition("\n")[0]))
        elif cost > CALL_LIMIT and keep:
            kept.append(Priced(replace(validation, listing="", message_expression=""), 0))
        elif cost > CALL_LIMIT:
            excesses.append(Excess(validation.tag, cost))
        else:
            kept.append(_with_message(validation, cost, names))
    return _partition(kept), excesses


def _with_message(validation: Validation, cost: int, names: Names) -> Priced:
    """Returns the validation with a message that can be paid for: each is worked out on every request, by itself."""
    if validation.listing:
        listed = estimate_cost(validation.listing, names, authorizer=False)
        if listed is not None and listed <= CALL_LIMIT and 2 * (listed + _OF_A_LISTING) <= _SHARE:
            return Priced(replace(validation, message_expression=""), 2 * (listed + _OF_A_LISTING))
        return Priced(replace(validation, listing="", message_expression=""), cost)
    if not validation.message_expression:
        return Priced(validation, cost)
    more = estimate_cost(validation.message_expression, names, authorizer=False)
    if more is None or more > CALL_LIMIT or cost + more > _SHARE:
        return Priced(replace(validation, message_expression=""), cost)
    return Priced(validation, cost + more)


#: The most characters of a policy: clusters store no object of more than 1.5 MiB.
_LARGEST = 400_000
#: Cost of reading a variable, and the share of the budget that a message of one validation may use.
_OF_A_LISTING, _SHARE = 10, BUDGET // 4


def _partition(priced: Sequence[Priced]) -> list[list[Priced]]:
    parts: list[list[Priced]] = []
    left = room = 0
    for each in priced:
        if not parts or each.cost > left or each.size > room:
            parts.append([])
            left, room = BUDGET, _LARGEST
        parts[-1].append(each)
        left -= each.cost
        room -= each.size
    return parts
