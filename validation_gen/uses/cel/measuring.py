"""Measures the cost of a definition's rules on an object, as a server counts it for a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.crd.expressions import CALL_LIMIT, OBJECT_BUDGET
from validation_gen.kubernetes.objects import Outcome, Scheme
from validation_gen.kubernetes.objects.watching import Seen, watched

__all__ = ["CALL_LIMIT", "OBJECT_BUDGET", "Measured", "measured"]


@dataclass(frozen=True, slots=True)
class Measured:
    """Cost of each rule, and the server's answer."""

    rules: tuple[Seen, ...]
    outcome: Outcome

    @property
    def total(self) -> int:
        """Total cost of all rules, including stopped ones."""
        return sum(seen.cost for seen in self.rules)

    @property
    def too_much(self) -> bool:
        return self.total > OBJECT_BUDGET or any(seen.most > CALL_LIMIT for seen in self.rules)


def measured(definition: Mapping[str, Any], version: str, new: Any, old: Any = None) -> Measured:
    """Validates an object and counts the cost.

    Raises:
        UndefinedError: the object is not of this kind and version.
        UnjudgedError: it cannot be validated.
    """
    scheme = Scheme()
    kind = scheme.define(definition)
    seen = watched(kind.versions[version])
    return Measured(tuple(seen), scheme.admit(new, old))
