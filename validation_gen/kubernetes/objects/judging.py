"""Validation of objects by a schema, without the other steps of a request.

`findings` is the part that requests (`admission`) and generated validators share: embedded objects, list types, and CEL
rules. `Judge` validates objects by one schema, for generated validators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.crd.correlation import Correlation
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET, Rules, compile_rules
from validation_gen.kubernetes.crd.pruning import apply_defaults, list_errors, prune_value
from validation_gen.kubernetes.crd.resource import check_embedded
from validation_gen.kubernetes.crd.schema import Schema, read_schema
from validation_gen.kubernetes.crd.schema_path import under
from validation_gen.kubernetes.crd.stored_metadata import check_metadata
from validation_gen.kubernetes.crd.values import judge
from validation_gen.kubernetes.crd.verdict import SERVER
from validation_gen.kubernetes.objects.fastpath import FastPath
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.sent import with_status

#: Types of errors that prevent CEL rules from running.
_BLOCKING = frozenset(
    (ErrorType.NOT_SUPPORTED, ErrorType.REQUIRED, ErrorType.TOO_LONG, ErrorType.TOO_MANY, ErrorType.TYPE_INVALID)
)
#: Error in place of the rules that did not run.
BLOCKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)
_STATUS = "/status"


@dataclass(slots=True)
class Findings:
    """Errors of an object. Warnings are of rules that failed before; `cost` is that of the rules, or counts it."""

    errors: list[FieldError] = field(default_factory=list)
    warnings: list[FieldError] = field(default_factory=list)
    cost: int | Callable[[], int] = 0


def structure_errors(
    schema: Schema, obj: Any, correlation: Correlation | None, *, is_status: bool = False, server: int = SERVER
) -> list[FieldError]:
    """Returns the violations of the schema, without rules, in the words of servers of release 1.`server`.

    For a status request only the status counts. If one of the objects has none, null replaces the missing one.
    """
    if not is_status:
        return [violation.error(server) for violation in judge(schema, obj, correlation=correlation)]
    part = schema.properties.get("status")
    if part is None or not isinstance(obj, dict) or "status" not in obj:
        return []
    its = None
    if correlation is not None:
        before = correlation.old.get("status") if isinstance(correlation.old, dict) else None
        its = correlation.key("status") or Correlation(obj["status"], before, part)
    violations = judge(part, obj["status"], correlation=its)
    return [*under((violation.error(server) for violation in violations), ".status")]


def findings(
    schema: Schema,
    rules: Rules | None,
    new: Any,
    old: Any,
    correlation: Correlation | None,
    known: Iterable[FieldError],
    *,
    is_status: bool = False,
) -> Findings:
    """Returns all other errors of an object, after those that are `known`.

    On a create there is no old object, and no correlation.
    """
    errors = list(known)
    if not is_status:
        errors += check_embedded(new, schema, judge=check_metadata)
    if old is None or not any(list_errors(old, schema)):
        errors += list_errors(new, schema)
    if rules is None:
        return Findings(errors)
    if any(error.type in _BLOCKING for error in errors):
        return Findings([*errors, FieldError(ErrorType.INVALID, None, BLOCKED)])
    run = rules.check(new, old, correlation)
    return Findings([*errors, *run.errors], run.warnings, OBJECT_BUDGET - max(run.budget, 0))


class Judge:
    """Validator by the schema of a kind, for generated packages.

    It reads the schema, and compiles its rules, for the first object.

    Args:
        raw: the schema, as in a definition.
        status: whether the status is a subresource, so that requests about it are validated.
        expressions: the parsed expressions of its rules by their texts, so that no parser is needed.
        server: errors have the texts of servers of release 1.`server`.
    """

    def __init__(
        self,
        raw: Mapping[str, Any],
        *,
        status: bool = False,
        expressions: Mapping[str, str] | None = None,
        server: int = SERVER,
    ) -> None:
        self._raw = raw
        self._status = status
        self._expressions = expressions or {}
        self._server = server

    @cached_property
    def schema(self) -> Schema:
        """The parsed schema."""
        return read_schema(self._raw)

    @cached_property
    def rules(self) -> Rules | None:
        """The CEL rules; None if there are none."""
        return compile_rules(self.schema, Scope(self._raw, minor=NEWEST, stored=True, expressions=self._expressions))

    def __call__(self, new: Any, old: Any = None, subresource: str = "/") -> list[FieldError]:
        """Returns the errors of a decoded object, or of the update from `old` to it.

        Unknown fields and nulls of non-nullable fields are dropped before, and defaults filled in, as the server does
        it. If the status is a subresource, only requests about it validate it, and they validate nothing else. Requests
        about other subresources have no errors.
        """
        is_status = subresource == _STATUS
        if (is_status and not self._status) or subresource not in ("/", _STATUS):
            return []
        schema = self.schema
        if self._status:
            new = with_status(old, new) if is_status else with_status(new, old)
        if self._accepts(new, old):
            return []
        new = apply_defaults(prune_value(new, schema, resource=True), schema)
        old = None if old is None else apply_defaults(prune_value(old, schema, resource=True), schema)
        correlation = None if old is None else Correlation(new, old, schema)
        errors = structure_errors(schema, new, correlation, is_status=is_status, server=self._server)
        return findings(schema, self.rules, new, old, correlation, errors, is_status=is_status).errors

    def unknown(self, obj: Any) -> list[str]:
        """Returns the paths of the fields that the schema does not have."""
        found: list[str] = []
        with suppress(RecursionError):
            prune_value(obj, self.schema, resource=True, unknown=found)
        return list(dict.fromkeys(found))

    @cached_property
    def _fast(self) -> FastPath:
        return FastPath(self.schema, self._raw, lambda: self.rules)

    def _accepts(self, new: Any, old: Any) -> bool:
        """Returns whether an object, or an update, is certainly valid."""
        ready, before = (None if obj is None else self._normalize(obj) for obj in (new, old))
        if ready is None or (old is not None and before is None):
            return False
        return self._fast.accepts_rules(ready, before)

    def _normalize(self, obj: Any) -> Any:
        """Returns a certainly valid object with its defaults, whose type and metadata fit, too; None if in doubt."""
        found = self._fast.normalize(obj)
        if found is None or not all(isinstance(obj.get(name, ""), str) for name in ("apiVersion", "kind")):
            return None
        metadata = obj.get("metadata", {})
        return found if isinstance(metadata, dict) and self._fast.accepts_metadata(metadata) else None
