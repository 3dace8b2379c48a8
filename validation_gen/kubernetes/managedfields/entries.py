"""Entries of `metadata.managedFields`: their form, their number, and how the server names managers in conflicts.

Sources of the behaviour: `managedfields.go`, `capmanagers.go` and `conflict.go` in `pkg/util/managedfields/internal` of
`k8s.io/apimachinery`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.managedfields.fieldset import FieldSet, FieldSetError, show_path
from validation_gen.kubernetes.managedfields.updates import ConflictError, Manager, Owners, Ownership
from validation_gen.runtime.gotext import go_json, go_quote
from validation_gen.runtime.wire import identical

#: Managers of updates that are kept apart; the oldest ones become one.
_MOST_UPDATERS = 10
_ANCIENT = "ancient-changes"


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
    if entries is None:
        return managed
    if not isinstance(entries, list):
        raise FieldSetError("managed fields are no list")
    for index, entry in enumerate(entries):
        manager, its, time = _read_entry(index, entry)
        managed.owners[manager] = its
        if time:
            managed.times[manager] = time
    return managed


_TEXTS = ("manager", "operation", "apiVersion", "subresource", "fieldsType", "time")


def _read_entry(index: int, entry: Any) -> tuple[Manager, Ownership, str]:
    if not isinstance(entry, dict):
        raise FieldSetError(f"managed fields entry {index} is no object")
    texts = {name: entry.get(name) or "" for name in _TEXTS}
    wrong = [name for name, text in texts.items() if not isinstance(text, str)]
    if wrong:
        raise FieldSetError(f"{wrong[0]} must be a string in managed fields entry {index}")
    operation, version, kind = texts["operation"], texts["apiVersion"], texts["fieldsType"]
    if operation not in ("Apply", "Update"):
        raise FieldSetError("operation must be `Apply` or `Update`")
    if not version:
        raise FieldSetError("apiVersion must not be empty")
    if kind != "FieldsV1":
        problem = f"invalid fieldsType {go_quote(kind)}" if kind else "missing fieldsType"
        raise FieldSetError(f"{problem} in managed fields entry {index}")
    applied = operation == "Apply"
    manager = Manager(texts["manager"], operation, "" if applied else version, texts["subresource"])
    fields = entry.get("fieldsV1")
    try:
        owned = FieldSet.from_json({} if fields is None else fields)
    except FieldSetError as problem:
        raise FieldSetError(f"error decoding set in managed fields entry {index}: {problem}") from None
    return manager, Ownership(owned, version, applied), texts["time"]


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


def cap_managers(managed: Managed) -> Managed:
    """Folds the oldest managers of updates into one for each version."""
    updaters = [manager for manager, its in managed.owners.items() if not its.applied]
    length = len(updaters)
    if length <= _MOST_UPDATERS:
        return managed
    owners, times = dict(managed.owners), dict(managed.times)
    updaters.sort(key=lambda manager: (times.get(manager, ""), _identifier(manager)))
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


def _identifier(manager: Manager) -> str:
    """Returns the text by which the server sorts managers."""
    its = (manager.name, manager.operation, manager.api_version, manager.subresource)
    named = zip(("manager", "operation", "apiVersion", "subresource"), its, strict=True)
    return go_json({name: value for name, value in named if value})


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
    for manager in sorted({manager for manager, _ in conflicts}, key=_identifier):
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
