"""Runs the rules of a schema on an object, as the tests of the API server do."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.cel.upstream.structural import json_of
from validation_gen.kubernetes.cel import Scope
from validation_gen.kubernetes.crd.correlation import Correlation
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET, Rules, _Ratchet, _Run, compile_rules
from validation_gen.kubernetes.crd.schema import read_schema
from validation_gen.runtime.errors import FieldError

#: The release at whose server this aims.
_MINOR = 36


def compiled(schema: Any, *, root: bool) -> Rules | None:
    """The rules of a structural schema of a Go test."""
    json = json_of(schema)
    return compile_rules(read_schema(json), Scope(json, minor=_MINOR, stored=True, resource=root))


def run(
    rules: Rules, new: Any, old: Any = None, *, budget: int = OBJECT_BUDGET, correlation: Correlation | None = None
) -> _Run:
    found = _Run(budget or OBJECT_BUDGET)
    rules._check(found, new, old, ("root",), _Ratchet(correlation))
    return found


def shown(error: FieldError) -> str:
    """All that an error says."""
    return str(error)


def correlated(schema: Any, new: Any, old: Any) -> Correlation:
    return Correlation(new, old, read_schema(json_of(schema)))
