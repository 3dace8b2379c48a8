"""Field management of one resource: `metadata.managedFields` after each write.

Source of the behaviour: `pkg/util/managedfields` of `k8s.io/apimachinery`; its chain of managers is two methods here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from validation_gen.kubernetes.managedfields.entries import Managed, cap_managers, read_managed, write_managed
from validation_gen.kubernetes.managedfields.fieldset import FieldSet, FieldSetError
from validation_gen.kubernetes.managedfields.removal import extract
from validation_gen.kubernetes.managedfields.typed import compare, to_field_set
from validation_gen.kubernetes.managedfields.types import Atom
from validation_gen.kubernetes.managedfields.updates import (
    ConflictError,
    Manager,
    MissingVersionError,
    Ownership,
    Updater,
    describe,
)
from validation_gen.kubernetes.managedfields.validation import TypeConflictError, TypedValue, to_typed
from validation_gen.runtime.gotext import go_json, sort_members

_BEFORE_APPLY = "before-first-apply"
_SELF = Manager("current-operation", "Update")
#: Fields that no manager owns.
_STRIPPED = FieldSet.from_paths(
    *((f"f:{name}",) for name in ("apiVersion", "kind", "metadata")),
    *(
        ("f:metadata", f"f:{name}")
        for name in (
            *("name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation"),
            *("managedFields", "resourceVersion"),
        )
    ),
)
#: Greatest size of all annotations, in bytes.
_MOST_ANNOTATIONS = 256 * 1024
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class BadApplyError(Exception):
    """An apply that is refused as a bad request; the text is the server's."""


def _is_reset(entries: Any) -> bool:
    """Returns whether a request drops all managed fields: by an empty list, or one empty entry."""
    return entries in ([], [{}])


def _without_managed(obj: dict[str, Any]) -> dict[str, Any]:
    meta = obj.get("metadata")
    if not isinstance(meta, dict) or "managedFields" not in meta:
        return obj
    return {**obj, "metadata": {name: value for name, value in meta.items() if name != "managedFields"}}


def _with_managed(obj: dict[str, Any], managed: Managed | None) -> dict[str, Any]:
    meta = {**(obj.get("metadata") or {})}
    meta.pop("managedFields", None)
    if managed is not None and managed.owners:
        meta["managedFields"] = write_managed(managed)
    return {**obj, "metadata": meta}


class FieldManager:
    """Field management for requests about one resource, in one version.

    Args:
        kind: group, version and kind, as in `apps/v1`, `Deployment`.
        types: the types of all versions, by `apiVersion`.
        convert: converts an object to another version. It raises `MissingVersionError` for a version whose managers
            are to be dropped.
        ignored: fields that the requests cannot change, by `apiVersion`.
        subresource: the subresource of the requests, empty for the object.
        default: fills the defaults of an applied object, and drops nulls that no schema allows. It is an attribute,
            too: a caller that needs the object without defaults replaces it.
        empty: an object of the kind without any field, as Go writes it.
    """

    def __init__(
        self,
        kind: tuple[str, str],
        types: Mapping[str, Atom],
        convert: Callable[[dict[str, Any], str], dict[str, Any]],
        *,
        ignored: Mapping[str, FieldSet] | None = None,
        subresource: str = "",
        default: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
        empty: dict[str, Any] | None = None,
    ) -> None:
        self.api_version, self.kind = kind
        self.types = types
        self.subresource = subresource
        self._convert_object = convert
        self.default = default or (lambda obj: obj)
        self._empty = empty or {"apiVersion": self.api_version, "kind": self.kind}
        self._updater = Updater(self._convert, ignored or {})

    # --- requests -----------------------------------------------------------------------------------------------------

    def update(self, live: dict[str, Any] | None, new: dict[str, Any], manager: str, now: str) -> dict[str, Any]:
        """Returns the object of a create, an update or a patch with its managed fields.

        Args:
            live: the object before, in the version of the request; None for a create.
            new: the new object.
            manager: the name of the manager, which the request or its user agent gives.
            now: the time, such as `2026-01-02T03:04:05Z`.
        """
        try:
            managed = self._read_either(live, new)
            managed = self._tracked(live, _without_managed(new), managed, manager, now)
        except (TypeConflictError, MissingVersionError, RecursionError):
            return _with_managed(new, None)
        return _with_managed(new, managed)

    def apply(
        self, live: dict[str, Any] | None, config: dict[str, Any], manager: str, now: str, *, force: bool = False
    ) -> dict[str, Any]:
        """Returns the object after an apply, with its managed fields.

        Raises:
            BadApplyError: the configuration has another type, or has managed fields.
            ConflictError: others own fields, and `force` is not set.
            TypeConflictError: a value does not fit its type; the text is the server's.
        """
        try:
            return self._apply(live or self._empty, config, manager, now, force=force)
        except RecursionError:
            raise TypeConflictError("exceeded max depth") from None

    def extract(self, live: dict[str, Any], manager: str) -> dict[str, Any] | None:
        """Returns the last configuration of a manager; None if it has applied nothing.

        Source of the behaviour: `ExtractInto` in `extract.go`.

        Raises:
            TypeConflictError: the managed fields cannot be read, or the object does not fit its type.
        """
        meta = live.get("metadata") or {}
        own = Manager(manager, "Apply", "", self.subresource)
        try:
            with describe("error converting obj to typed"):
                typed = self._typed(live)
            its = read_managed(meta.get("managedFields")).owners.get(own)
        except (MissingVersionError, RecursionError) as problem:
            raise TypeConflictError(f"error converting obj to typed: {problem}") from None
        except FieldSetError as problem:
            raise TypeConflictError(f"failed to decode managed fields: {problem}") from None
        if its is None:
            return None
        found = extract(typed, its.fields.leaves()).value
        return {"apiVersion": live.get("apiVersion"), "kind": live.get("kind"), **(found or {})}

    def _apply(
        self, base: dict[str, Any], config: dict[str, Any], manager: str, now: str, *, force: bool
    ) -> dict[str, Any]:
        try:
            managed = read_managed((base.get("metadata") or {}).get("managedFields"))
        except FieldSetError as problem:
            raise TypeConflictError(f"failed to decode managed fields: {problem}") from None
        self._check_type(config)
        try:
            found, managed = self._applied(base, config, managed, manager, now, force=force)
        except ConflictError as problem:
            if manager != "kubectl":
                raise
            allowed = self._last_applied_fields(base)
            left = [] if allowed is None else [each for each in problem.conflicts if not allowed.has(each[1])]
            if allowed is None or left:
                raise ConflictError(left or problem.conflicts) from None
            found, managed = self._applied(base, config, managed, manager, now, force=True)
        if manager == "kubectl":
            found = _with_last_applied(found, config)
        return _with_managed(found, managed)

    # --- updates ------------------------------------------------------------------------------------------------------

    def _read_either(self, live: dict[str, Any] | None, new: dict[str, Any]) -> Managed:
        before = ((live or {}).get("metadata") or {}).get("managedFields")
        sent = (new.get("metadata") or {}).get("managedFields")
        if not self.subresource:
            if _is_reset(sent):
                return Managed({}, {})
            try:
                managed = read_managed(sent)
            except FieldSetError:
                managed = Managed({}, {})
            if managed.owners:
                return managed
        try:
            return read_managed(before)
        except FieldSetError:
            return Managed({}, {})

    def _tracked(
        self, live: dict[str, Any] | None, new: dict[str, Any], managed: Managed, manager: str, now: str
    ) -> Managed:
        if not managed.owners and live is not None and (live.get("metadata") or {}).get("uid"):
            return managed  # updates of an untracked object track nothing
        managed = self._compared(live, new, managed, Manager(manager or "unknown", "Update", "", self.subresource), now)
        return cap_managers(managed)

    def _compared(
        self, live: dict[str, Any] | None, new: dict[str, Any], managed: Managed, manager: Manager, now: str
    ) -> Managed:
        changed = self._described("convert new object ({}) to smd typed", new, allow_duplicates=True)
        before = _without_managed(live or self._empty)
        old = self._described("convert live object ({}) to smd typed", before, allow_duplicates=True)
        with describe(f"failed to update ManagedFields ({_name(new)})"):
            owners = self._updater.update(old, changed, self.api_version, managed.owners, _SELF)
        taken, times = owners.pop(_SELF, None), dict(managed.times)
        fields = None if taken is None else taken.fields.difference(_STRIPPED)
        if fields:
            own = replace(manager, api_version=self.api_version)
            known = owners.get(own)
            both = fields if known is None else fields.union(known.fields)
            owners[own] = Ownership(both, self.api_version, applied=False)
            times[own] = now
        return Managed(owners, times)

    # --- applies ------------------------------------------------------------------------------------------------------

    def _check_type(self, config: dict[str, Any]) -> None:
        version, kind = config.get("apiVersion") or "", config.get("kind") or ""
        if (version, kind) != (self.api_version, self.kind):
            raise BadApplyError(f"invalid object type: {_gvk(version, kind)}")
        meta = config.get("metadata")
        if isinstance(meta, dict) and meta.get("managedFields") is not None:
            raise BadApplyError("metadata.managedFields must be nil")

    def _applied(
        self, live: dict[str, Any], config: dict[str, Any], managed: Managed, manager: str, now: str, *, force: bool
    ) -> tuple[dict[str, Any], Managed]:
        if not managed.owners:
            before = Manager(_BEFORE_APPLY, "Update", "", self.subresource)
            with describe("failed to create manager for existing fields"):
                managed = self._compared(None, _without_managed(live), managed, before, now)
        patch = self._described("create typed patch object ({})", config)
        old = self._described("create typed live object ({})", _without_managed(live), allow_duplicates=True)
        own = Manager(manager or "unknown", "Apply", "", self.subresource)
        found, owners = self._updater.apply(old, patch, self.api_version, managed.owners, own, force=force)
        its = owners.get(own)
        if its is not None:
            fields = its.fields.difference(_STRIPPED)
            owners[own] = Ownership(fields, its.api_version, its.applied)
            if not fields:
                del owners[own]
        times = dict(managed.times)
        if found is None:
            return live, Managed(owners, times)
        times[own] = now
        with describe(f"failed to convert new object ({_name(config)}) to proper version"):
            return self.default(found.value), Managed(owners, times)

    def _described(self, step: str, obj: dict[str, Any], *, allow_duplicates: bool = False) -> TypedValue:
        """Returns a typed object; an error names the step and the object."""
        try:
            return self._typed(obj, allow_duplicates=allow_duplicates)
        except (TypeConflictError, MissingVersionError) as problem:
            raise TypeConflictError(f"failed to {step.format(_name(obj))}: {problem}") from None

    def _last_applied_fields(self, live: dict[str, Any]) -> FieldSet | None:
        """Returns the fields of the last client-side apply that have not changed since; None if there was none."""
        text = ((live.get("metadata") or {}).get("annotations") or {}).get(LAST_APPLIED)
        if not text:
            return None
        try:
            last = json.loads(text)
            if not isinstance(last, dict) or last.get("apiVersion") != self.api_version:
                return None
            applied, now = self._typed(last), self._typed(_without_managed(live))
        except (ValueError, RecursionError, TypeConflictError):
            return None
        found = compare(applied, now)
        return to_field_set(applied).difference(found.modified).difference(found.added).difference(found.removed)

    # --- types --------------------------------------------------------------------------------------------------------

    def _typed(self, obj: dict[str, Any], *, allow_duplicates: bool = False) -> TypedValue:
        atom = self.types.get(str(obj.get("apiVersion")))
        if atom is None:
            raise MissingVersionError(f"no corresponding type for {_gvk(obj.get('apiVersion'), obj.get('kind'))}")
        return to_typed(obj, atom, allow_duplicates=allow_duplicates)

    def _convert(self, value: TypedValue, api_version: str) -> TypedValue:
        obj = value.value
        if not isinstance(obj, dict):
            raise TypeConflictError("failed to convert value to unstructured for type <nil>")
        if obj.get("apiVersion") == api_version:
            return value
        return self._typed(self._convert_object(obj, api_version))


def _name(obj: dict[str, Any]) -> str:
    """Returns namespace, name and type of an object as they are in the server's messages."""
    meta = obj.get("metadata")
    name, space = ((meta.get(key) or "" if isinstance(meta, dict) else "") for key in ("name", "namespace"))
    return f"{space}/{name}; {_gvk(obj.get('apiVersion') or '', obj.get('kind') or '')}"


def _gvk(version: Any, kind: Any) -> str:
    shown = str(version or "")
    return f"{shown if '/' in shown else f'/{shown}'}, Kind={kind}"


def _with_last_applied(obj: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """Returns the object with its last-applied annotation, if it has one, replaced by that of a configuration."""
    meta = obj.get("metadata") or {}
    annotations = meta.get("annotations") or {}
    if not annotations.get(LAST_APPLIED):
        return obj
    its = config.get("metadata") or {}
    rest = {name: value for name, value in (its.get("annotations") or {}).items() if name != LAST_APPLIED}
    shown = {name: value for name, value in its.items() if name != "annotations"}
    last = sort_members({**config, "metadata": {**shown, **({"annotations": rest} if rest else {})}})
    annotations = {**annotations, LAST_APPLIED: f"{go_json(last)}\n"}
    if sum(len(name.encode()) + len(str(value).encode()) for name, value in annotations.items()) > _MOST_ANNOTATIONS:
        del annotations[LAST_APPLIED]
    return {**obj, "metadata": {**meta, "annotations": annotations}}
