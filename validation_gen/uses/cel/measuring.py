"""What the rules of a definition cost on an object, counted as a server counts it when a request comes."""

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
    """What each rule has cost, and the server's answer."""

    rules: tuple[Seen, ...]
    outcome: Outcome

    @property
    def total(self) -> int:
        """What all have cost, those that were stopped included."""
        return sum(seen.cost for seen in self.rules)

    @property
    def too_much(self) -> bool:
        return self.total > OBJECT_BUDGET or any(seen.most > CALL_LIMIT for seen in self.rules)


def measured(definition: Mapping[str, Any], version: str, new: Any, old: Any = None) -> Measured:
    """Judge an object, and count.

    Raises:
        UndefinedError: the object is not of this kind and version.
        UnjudgedError: it cannot be judged.
    """
    scheme = Scheme()
    kind = scheme.define(definition)
    seen = watched(kind.versions[version])
    return Measured(tuple(seen), scheme.admit(new, old))
