"""Field management of one resource: `metadata.managedFields` after each write.

Source of the behaviour: `pkg/util/managedfields` of `k8s.io/apimachinery`; its chain of managers is two methods here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.managedfields.fieldset import FieldSet, FieldSetError, show_path
from validation_gen.kubernetes.managedfields.typed import TypeConflictError, TypedValue, compare, to_field_set, to_typed
from validation_gen.kubernetes.managedfields.types import Atom
from validation_gen.kubernetes.managedfields.updates import (
    ConflictError,
    Manager,
    MissingVersionError,
    Owners,
    Ownership,
    Updater,
)
from validation_gen.runtime.gotext import go_json, go_quote
from validation_gen.runtime.wire import identical

#: Managers of updates that are kept apart; the oldest ones become one.
_MOST_UPDATERS = 10
_ANCIENT, _BEFORE_APPLY = "ancient-changes", "before-first-apply"
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
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class BadApplyError(Exception):
    """An apply that is refused as a bad request; the text is the server's."""


@dataclass(slots=True)
class Managed:
    """The owners of an object's fields, and the times of their last changes."""

    owners: Owners
    times: dict[Manager, str]


def read_managed(entries: Any) -> Managed:
    """Reads `metadata.managedFields`.

    Raises:
        FieldSetError: an entry is wrong.
    """
    managed = Managed({}, {})
    for index, entry in enumerate(entries or ()):
        operation = entry.get("operation")
        if operation not in ("Apply", "Update"):
            raise FieldSetError("operation must be `Apply` or `Update`")
        version = entry.get("apiVersion")
        if not version:
            raise FieldSetError("apiVersion must not be empty")
        kind = entry.get("fieldsType")
        if kind != "FieldsV1":
            problem = f"invalid fieldsType {go_quote(kind)}" if kind else "missing fieldsType"
            raise FieldSetError(f"{problem} in managed fields entry {index}")
        applied = operation == "Apply"
        manager = Manager(
            entry.get("manager") or "", operation, "" if applied else version, entry.get("subresource") or ""
        )
        fields = entry.get("fieldsV1")
        managed.owners[manager] = Ownership(FieldSet.from_json({} if fields is None else fields), version, applied)
        if entry.get("time"):
            managed.times[manager] = entry["time"]
    return managed


def write_managed(managed: Managed) -> list[dict[str, Any]]:
    """Returns `metadata.managedFields`, in the server's order."""
    found = []
    for manager, its in managed.owners.items():
        entry: dict[str, Any] = {
            "apiVersion": its.api_version,
            "fieldsType": "FieldsV1",
            "fieldsV1": its.fields.to_json(),
            "manager": manager.name,
            "operation": "Apply" if its.applied else manager.operation,
            "subresource": manager.subresource,
            "time": managed.times.get(manager, ""),
        }
        found.append({name: value for name, value in entry.items() if value != ""})
    names = ("operation", "time", "manager", "apiVersion", "subresource")
    return sorted(found, key=lambda entry: tuple(entry.get(name, "") for name in names))


def _is_reset(entries: Any) -> bool:
    """Returns whether a request drops all managed fields: by an empty list, or one empty entry."""
    return entries is not None and (len(entries) == 0 or entries == [{}])


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
        convert: converts an object to another version.
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
        except (TypeConflictError, MissingVersionError):
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
        base = live or self._empty
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
        return _capped(managed)

    def _compared(
        self, live: dict[str, Any] | None, new: dict[str, Any], managed: Managed, manager: Manager, now: str
    ) -> Managed:
        before = _without_managed(live or self._empty)
        old, changed = (self._typed(each, allow_duplicates=True) for each in (before, new))
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
        if (config.get("metadata") or {}).get("managedFields") is not None:
            raise BadApplyError("metadata.managedFields must be nil")

    def _applied(
        self, live: dict[str, Any], config: dict[str, Any], managed: Managed, manager: str, now: str, *, force: bool
    ) -> tuple[dict[str, Any], Managed]:
        if not managed.owners:
            managed = self._compared(
                None, _without_managed(live), managed, Manager(_BEFORE_APPLY, "Update", "", self.subresource), now
            )
        patch = self._described("patch", config)
        old = self._described("live", _without_managed(live), allow_duplicates=True)
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
        return self.default(found.value), Managed(owners, times)

    def _described(self, what: str, obj: dict[str, Any], *, allow_duplicates: bool = False) -> TypedValue:
        try:
            return self._typed(obj, allow_duplicates=allow_duplicates)
        except TypeConflictError as problem:
            meta = obj.get("metadata")
            name, space = ((meta.get(key) or "" if isinstance(meta, dict) else "") for key in ("name", "namespace"))
            named = f"{space}/{name}; {_gvk(obj.get('apiVersion') or '', obj.get('kind') or '')}"
            raise TypeConflictError(f"failed to create typed {what} object ({named}): {problem}") from None

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
            raise TypeConflictError(f"no corresponding type for {_gvk(obj.get('apiVersion'), obj.get('kind'))}")
        return to_typed(obj, atom, allow_duplicates=allow_duplicates)

    def _convert(self, value: TypedValue, api_version: str) -> TypedValue:
        obj = value.value
        if isinstance(obj, dict) and obj.get("apiVersion") == api_version:
            return value
        if api_version not in self.types:
            raise TypeConflictError(f"request to convert CR to an invalid group/version: {api_version}")
        return self._typed(self._convert_object(obj, api_version))


def _gvk(version: Any, kind: Any) -> str:
    return f"{version or '/'}, Kind={kind}"


def _with_last_applied(obj: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """Returns an object whose annotation of client-side applies, if it has one, is that of a configuration."""
    meta = obj.get("metadata") or {}
    annotations = meta.get("annotations") or {}
    if not annotations.get(LAST_APPLIED):
        return obj
    its = config.get("metadata") or {}
    rest = {name: value for name, value in (its.get("annotations") or {}).items() if name != LAST_APPLIED}
    shown = {name: value for name, value in its.items() if name != "annotations"}
    last = {**config, "metadata": {**shown, **({"annotations": rest} if rest else {})}}
    return {**obj, "metadata": {**meta, "annotations": {**annotations, LAST_APPLIED: f"{go_json(last)}\n"}}}


def _capped(managed: Managed) -> Managed:
    """Folds the oldest managers of updates into one for each version."""
    updaters = [manager for manager, its in managed.owners.items() if not its.applied]
    length = len(updaters)
    if length <= _MOST_UPDATERS:
        return managed
    owners, times = dict(managed.owners), dict(managed.times)
    updaters.sort(key=lambda manager: (times.get(manager, ""), go_json(_identifier(manager))))
    firsts: dict[str, Manager] = {}
    for manager in updaters:
        if length <= _MOST_UPDATERS:
            break
        its = owners[manager]
        bucket = Manager(_ANCIENT, "Update", its.api_version)
        first = firsts.setdefault(its.api_version, manager)
        if first == manager:
            continue
        if bucket not in owners:
            owners[bucket] = owners.pop(first)
        merged = its.fields.union(owners[bucket].fields)
        owners[bucket] = Ownership(merged, its.api_version, applied=False)
        del owners[manager]
        length -= 1
        times[bucket] = times.get(manager, "")
    return Managed(owners, times)


def _identifier(manager: Manager) -> dict[str, str]:
    return {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": manager.api_version,
        "subresource": manager.subresource,
    }


def keep_times(new: dict[str, Any], old: dict[str, Any]) -> None:
    """Restores the times of managers in an object that is as it was before.

    Source of the behaviour: `IgnoreManagedFieldsTimestampsTransformer` of `k8s.io/apiserver`.
    """
    mine, its = new["metadata"].get("managedFields"), old["metadata"].get("managedFields")
    if not mine or not its or mine == its:
        return

    def without_times(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found = [{name: value for name, value in entry.items() if name != "time"} for entry in entries]
        return sorted(found, key=lambda entry: json.dumps(entry, sort_keys=True))

    def rest(obj: dict[str, Any]) -> dict[str, Any]:
        own = {k: v for k, v in obj["metadata"].items() if k not in ("managedFields", "resourceVersion")}
        return {**obj, "metadata": own}

    if without_times(mine) == without_times(its) and identical(rest(new), rest(old)):
        new["metadata"]["managedFields"] = its


# --- conflicts --------------------------------------------------------------------------------------------------------


def conflict_causes(problem: ConflictError) -> list[dict[str, str]]:
    """Returns the causes of a `Status` for a conflict."""
    return [
        {"reason": "FieldManagerConflict", "message": f"conflict with {_show(manager)}", "field": show_path(path)}
        for manager, path in problem.conflicts
    ]


def conflict_message(problem: ConflictError) -> str:
    """Returns the message of a `Status` for a conflict."""
    conflicts = problem.conflicts
    if len(conflicts) == 1:
        ((manager, path),) = conflicts
        return f"Apply failed with 1 conflict: conflict with {_show(manager)}: {show_path(path)}"
    lines = []
    for manager in sorted({manager for manager, _ in conflicts}, key=lambda each: go_json(_identifier(each))):
        lines.append(f"conflicts with {_show(manager)}:")
        lines += [f"- {show_path(path)}" for each, path in conflicts if each == manager]
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)


def _show(manager: Manager) -> str:
    text = go_quote(manager.name)
    if manager.subresource:
        text += f" with subresource {go_quote(manager.subresource)}"
    if manager.operation == "Update":
        text += f" using {manager.api_version}"
    return text
