"""Keeps policies within what API servers spend on them: on one expression, and on all of a policy for one request.

Costs are estimated from the greatest sizes that the schema of the kind admits. A validation that could cost too much
stays with validators; validations that could cost too much together are parted, as each policy has a budget of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from validation_gen.emit.policies.walk import Validation
from validation_gen.ir import TagRef
from validation_gen.kubernetes.admission.compiling import estimated_cost, type_checked
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.policies.running import BUDGET, CALL_LIMIT


@dataclass(frozen=True, slots=True)
class Excess:
    """A rule that stays with validators: it could cost so much, or there is an `error` in what says it."""

    tag: TagRef
    cost: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Priced:
    """A validation in the form that can be paid for, and the most that it can cost on a request."""

    validation: Validation
    cost: int

    @property
    def size(self) -> int:
        """How many characters it has."""
        said = self.validation
        return len(said.expression) + len(said.listing) + len(said.message) + len(said.message_expression)


def within(
    validations: Sequence[Validation], names: Names, *, keep: bool = False
) -> tuple[list[list[Priced]], list[Excess]]:
    """Parts validations into those of one policy each. Returns what does not fit into any, too.

    `keep` is for those that may cost too much, of which an object is refused that is too large.
    """
    kept: list[Priced] = []
    excesses: list[Excess] = []
    for validation in validations:
        _, error = type_checked(validation.expression, names.environment(), minor=names.minor)
        cost = estimated_cost(validation.expression, names)
        if error or cost is None:
            excesses.append(Excess(validation.tag, error=error.partition("\n")[0]))
        elif cost > CALL_LIMIT and keep:
            kept.append(Priced(replace(validation, listing="", message_expression=""), 0))
        elif cost > CALL_LIMIT:
            excesses.append(Excess(validation.tag, cost))
        else:
            kept.append(_with_message(validation, cost, names))
    return _parted(kept), excesses


def _with_message(validation: Validation, cost: int, names: Names) -> Priced:
    """The validation with a message that can be paid for: each is worked out on every request, by itself."""
    if validation.listing:
        listed = estimated_cost(validation.listing, names, authorizer=False)
        if listed is not None and listed <= CALL_LIMIT and 2 * (listed + _OF_A_LISTING) <= _SHARE:
            return Priced(replace(validation, message_expression=""), 2 * (listed + _OF_A_LISTING))
        return Priced(replace(validation, listing="", message_expression=""), cost)
    if not validation.message_expression:
        return Priced(validation, cost)
    more = estimated_cost(validation.message_expression, names, authorizer=False)
    if more is None or more > CALL_LIMIT or cost + more > _SHARE:
        return Priced(replace(validation, message_expression=""), cost)
    return Priced(validation, cost + more)


#: The most characters of a policy: clusters store no object of more than 1.5 MiB.
_LARGEST = 400_000
#: What it costs to look at a variable, and what one validation may take of the budget for its message.
_OF_A_LISTING, _SHARE = 10, BUDGET // 4


def _parted(priced: Sequence[Priced]) -> list[list[Priced]]:
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
