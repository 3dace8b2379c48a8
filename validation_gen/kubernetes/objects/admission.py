"""One request about a custom object, from what a client sends to what it gets back.

Sources of the behaviour: `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver`, and `pkg/registry/rest`,
`pkg/endpoints/handlers` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from validation_gen.kubernetes.crd.correlation import Correlation
from validation_gen.kubernetes.crd.embedded import embedded_errors
from validation_gen.kubernetes.crd.listtypes import list_errors
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.values import judge
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.decoding import applied, checked_type, defaulted
from validation_gen.kubernetes.objects.expressions import OBJECT_BUDGET
from validation_gen.kubernetes.objects.outcome import DecodingError, Outcome, UnjudgedError
from validation_gen.kubernetes.objects.reading import Duplicates, stored
from validation_gen.kubernetes.objects.scale import scale_errors
from validation_gen.kubernetes.objects.scheme import Kind, Served
from validation_gen.runtime.errors import ErrorType, FieldError

#: What can become of unknown and duplicate fields.
LEVELS = ("Strict", "Warn", "Ignore")
#: Errors after which no CEL rule is run.
_BLOCKING = frozenset(
    (ErrorType.NOT_SUPPORTED, ErrorType.REQUIRED, ErrorType.TOO_LONG, ErrorType.TOO_MANY, ErrorType.TYPE_INVALID)
)
#: What the server sets itself when an object is created.
_WIPED = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
#: What an update never changes, whatever it says.
_KEPT = ("resourceVersion", "creationTimestamp", "generation")
_BLOCKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete "
    "validation"
)


def admit(
    kind: Kind,
    version: Served,
    new: Any,
    old: dict[str, Any] | None = None,
    *,
    subresource: str = "",
    field_validation: str = "Strict",
    duplicates: Duplicates | None = None,
) -> Outcome:
    """The answer to a create, or to an update of an old object.

    Args:
        kind: what the definition declares.
        version: the version in which the request is made.
        new: the object of the request, decoded by `read_json`.
        old: the object that the server has, in any version, as it was once sent.
        subresource: empty, or `status`.
        field_validation: what becomes of unknown and duplicate fields: `Strict`, `Warn` or `Ignore`.
        duplicates: the duplicate names of the document that `new` is part of.

    Raises:
        UnjudgedError: an object has some hundred levels; or the request is about `scale`, or about a status that the
            kind or the server does not have.
        ValueError: there is no such level.
    """
    if field_validation not in LEVELS:
        raise ValueError(f"field_validation is one of {', '.join(LEVELS)}, not {field_validation!r}")
    if subresource not in ("", "status"):
        raise UnjudgedError(f"requests about {subresource} are not judged here")
    if subresource and not version.status:
        raise UnjudgedError(f"{version.api_version} {kind.kind} has no status subresource")
    if subresource and old is None:
        raise UnjudgedError("there is no old object whose status could be updated")
    request = _Request(kind, version, subresource)
    try:
        return request.answer(new, old, field_validation, duplicates)
    except DecodingError as problem:
        return Outcome(400, problems=[str(problem)])
    except RecursionError:
        raise UnjudgedError("nested too deeply") from None


class _Request:
    def __init__(self, kind: Kind, version: Served, subresource: str) -> None:
        self.kind = kind
        self.version = version
        self.is_status = subresource == "status"

    def answer(self, new: Any, old: Any, level: str, duplicates: Duplicates | None) -> Outcome:
        checked_type(new, self.version.api_version)
        slips: list[str] = []
        if level != "Ignore" and duplicates is not None:
            slips += [f'duplicate field "{path}"' for path in duplicates.paths(new)]
        unknown: list[str] = []
        obj = applied(new, self._schema_for(new, self.version), unknown=unknown)
        slips += [] if level == "Ignore" else [f'unknown field "{path}"' for path in dict.fromkeys(unknown)]
        if slips and level == "Strict":
            return Outcome(400, problems=slips)
        obj = defaulted(obj, self._schema_for(new, self.version))
        before = None if old is None else self._loaded(old)
        self._prepare(obj, before)
        errors, warnings, cost = self._judged(obj, before)
        ratcheted = [str(warning) for warning in warnings]
        if errors:
            return Outcome(422, errors=errors, warnings=slips + ratcheted, cost=cost)
        if not self.is_status:
            slips += metadata.finalizer_warnings(obj["metadata"], before.get("metadata") if before else None)
        slips += ratcheted
        return Outcome(201 if old is None else 200, stored(self._stored(obj)), warnings=slips, cost=cost)

    def _schema_for(self, obj: dict[str, Any], version: Served) -> Schema | None:
        """The schema by which an object is pruned: none for one of another kind."""
        return version.schema if obj.get("kind") == self.kind.kind else None

    # --- storage ------------------------------------------------------------------------------------------------------

    def _loaded(self, old: dict[str, Any]) -> dict[str, Any]:
        """The old object as the server reads it from its storage."""
        version = self.kind.versions.get(str(old.get("apiVersion")).rpartition("/")[2], self.version)
        schema = self._schema_for(old, version)
        ready = defaulted(applied(old, schema, lenient=True), schema)
        self._place(ready.setdefault("metadata", {}))
        return self._stored(ready)

    def _stored(self, obj: dict[str, Any]) -> dict[str, Any]:
        """An object after it was written in the version of the storage, and read again."""
        schema = self._schema_for(obj, self.kind.storage)
        converted = {**obj, "apiVersion": self.kind.storage.api_version}
        written = applied(converted, schema)
        read = defaulted(applied(written, schema, lenient=True), schema)
        read["apiVersion"] = self.version.api_version
        return applied(read, self._schema_for(obj, self.version))

    # --- preparing ----------------------------------------------------------------------------------------------------

    def _place(self, meta: dict[str, Any]) -> None:
        """The namespace of the request, as if it were that of the object."""
        if self.kind.namespaced:
            meta.setdefault("namespace", "default")
        else:
            meta.pop("namespace", None)

    def _prepare(self, obj: dict[str, Any], old: dict[str, Any] | None) -> None:
        """What a client may not say is taken from the old object, or left out."""
        meta = obj.setdefault("metadata", {})
        if old is None:
            self._place(meta)
            metadata.named(meta)
            for name in _WIPED:
                meta.pop(name, None)
            if self.version.status:
                obj.pop("status", None)
            return
        known = old["metadata"]
        self._place(meta)
        if self.is_status:
            status = obj.get("status")
            has_status = "status" in obj
            obj.clear()
            obj.update(deepcopy(old))
            obj.pop("status", None)
            if has_status:
                obj["status"] = status
            return
        for name in _KEPT:
            meta.pop(name, None)
            if name in known:
                meta[name] = known[name]
        if not meta.get("uid") and known.get("uid"):
            meta["uid"] = known["uid"]
        if "deletionTimestamp" in known:
            meta["deletionTimestamp"] = known["deletionTimestamp"]
        if "deletionGracePeriodSeconds" in known:
            meta.setdefault("deletionGracePeriodSeconds", known["deletionGracePeriodSeconds"])
        if self.version.status:
            obj.pop("status", None)
            if "status" in old:
                obj["status"] = deepcopy(old["status"])

    # --- judging ------------------------------------------------------------------------------------------------------

    def _judged(
        self, obj: dict[str, Any], old: dict[str, Any] | None
    ) -> tuple[list[FieldError], list[FieldError], int]:
        """Errors, warnings of rules that were broken before, and the cost of the rules."""
        schema = self.version.schema
        namespaced = self.kind.namespaced
        common: list[FieldError] = []
        correlation = None if old is None else Correlation(obj, old, schema)
        if old is not None:
            common += metadata.common_errors(obj["metadata"], namespaced=namespaced)
            common += metadata.update_errors(obj["metadata"], old["metadata"])
        errors = self._type_errors(obj) or self._schema_errors(obj, old, correlation)
        if not self.is_status:
            errors += embedded_errors(obj, schema)
        if old is None or not any(list_errors(old, schema)):
            errors += list_errors(obj, schema)
        rules = self.version.rules
        if rules is None:
            return common + errors, [], 0
        if any(error.type in _BLOCKING for error in errors):
            return [*common, *errors, FieldError(ErrorType.INVALID, None, _BLOCKED)], [], 0
        run = rules.check(obj, old, correlation)
        return [*common, *errors, *run.errors], run.warnings, OBJECT_BUDGET - max(run.budget, 0)

    def _type_errors(self, obj: dict[str, Any]) -> list[FieldError]:
        found = []
        for name, wanted in (("kind", self.kind.kind), ("apiVersion", self.version.api_version)):
            if obj.get(name) != wanted:
                found.append(FieldError(ErrorType.INVALID, obj.get(name), f"must be {wanted}", "", f".{name}"))
        return found

    def _schema_errors(
        self, obj: dict[str, Any], old: dict[str, Any] | None, correlation: Correlation | None
    ) -> list[FieldError]:
        schema = self.version.schema
        errors: list[FieldError] = []
        if old is None:
            errors += metadata.create_errors(obj["metadata"], namespaced=self.kind.namespaced)
        else:
            errors += metadata.update_errors(obj["metadata"], old["metadata"])
        if self.is_status:
            part = schema.properties.get("status")
            if "status" in obj and part is not None:
                its = correlation.key("status") if correlation is not None else None
                for violation in judge(part, obj["status"], correlation=its):
                    error = violation.error()
                    error.segments.append(".status")
                    errors.append(error)
        else:
            errors += [violation.error() for violation in judge(schema, obj, correlation=correlation)]
        return errors + scale_errors(obj, self.version.scale, only_status=self.is_status)
