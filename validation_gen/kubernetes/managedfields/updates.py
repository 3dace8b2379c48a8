"""Ownership after an update or an apply: owners, conflicts, and removal of fields that are applied no longer.

Source of the behaviour: `merge/update.go` of `sigs.k8s.io/structured-merge-diff`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.kubernetes.managedfields.fieldset import FieldSet, Path
from validation_gen.kubernetes.managedfields.removal import reconcile, remove
from validation_gen.kubernetes.managedfields.typed import Comparison, are_equal, compare, merge, to_field_set
from validation_gen.kubernetes.managedfields.validation import TypeConflictError, TypedValue


class MissingVersionError(Exception):
    """A version is no longer defined."""


class Converter(Protocol):
    """Conversion between the versions of a kind."""

    def __call__(self, value: TypedValue, api_version: str) -> TypedValue:
        """Returns a value in another version, typed and validated.

        Raises:
            MissingVersionError: there is no such version.
            TypeConflictError: the result does not fit its type.
        """
        ...


@dataclass(frozen=True, slots=True)
class Manager:
    """A manager of fields. `api_version` is empty for appliers, who keep their name when the version changes."""

    name: str
    operation: str
    api_version: str = ""
    subresource: str = ""


@dataclass(frozen=True, slots=True)
class Ownership:
    """The fields of one manager, in one version."""

    fields: FieldSet
    api_version: str
    applied: bool


Owners = dict[Manager, Ownership]


class ConflictError(Exception):
    """Other managers own fields of an applied configuration with other values."""

    def __init__(self, conflicts: list[tuple[Manager, Path]]) -> None:
        super().__init__("conflicts")
        self.conflicts = conflicts


@contextmanager
def describe(step: str) -> Iterator[None]:
    """Adds the failed step to the text of an error."""
    try:
        yield
    except TypeConflictError as problem:
        raise TypeConflictError(f"{step}: {problem}") from None


class Updater:
    """Computes owners.

    Args:
        convert: conversion between versions.
        ignored: fields that a request cannot change, by version.
    """

    def __init__(self, convert: Converter, ignored: Mapping[str, FieldSet]) -> None:
        self.convert = convert
        self.ignored = ignored

    def update(self, live: TypedValue, new: TypedValue, api_version: str, owners: Owners, manager: Manager) -> Owners:
        """Returns the owners after an update to a new value."""
        owners = self._reconcile(live, owners)
        owners, found = self._compared(live, new, api_version, owners, manager, force=True)
        before = owners.get(manager)
        fields = FieldSet() if before is None else before.fields
        fields = fields.difference(found.removed).union(found.modified).union(found.added)
        fields = self._without_ignored(fields, api_version)
        if fields:
            owners[manager] = Ownership(fields, api_version, applied=False)
        else:
            owners.pop(manager, None)
        return owners

    def apply(
        self, live: TypedValue, config: TypedValue, api_version: str, owners: Owners, manager: Manager, *, force: bool
    ) -> tuple[TypedValue | None, Owners]:
        """Returns the live value with an applied configuration, None if nothing has changed, and the owners.

        Raises:
            ConflictError: others own fields, and `force` is not set.
            TypeConflictError: a value does not fit its type.
        """
        owners = self._reconcile(live, owners)
        with describe("failed to merge config"):
            new = merge(live, config)
        last = owners.get(manager)
        fields = self._without_ignored(to_field_set(config), api_version)
        owners[manager] = Ownership(fields, api_version, applied=True)
        with describe("failed to prune fields"):
            if last is not None and last.fields and not _keeps_all(config.value, owners, last, owners[manager]):
                new = self._prune(new, owners, manager, last)
        owners, _ = self._compared(live, new, api_version, owners, manager, force=force)
        return None if are_equal(live.value, new.value) else new, owners

    def _without_ignored(self, fields: FieldSet, api_version: str) -> FieldSet:
        ignored = self.ignored.get(api_version)
        return fields if ignored is None else fields.difference(ignored, recursive=True)

    def _reconcile(self, live: TypedValue, owners: Owners) -> Owners:
        found: Owners = {}
        for manager, its in owners.items():
            try:
                versioned = self.convert(live, its.api_version)
            except MissingVersionError:
                continue
            found[manager] = Ownership(reconcile(its.fields, versioned.atom), its.api_version, its.applied)
        return found

    def _compared(
        self, live: TypedValue, new: TypedValue, api_version: str, owners: Owners, manager: Manager, *, force: bool
    ) -> tuple[Owners, Comparison]:
        """Takes the changed fields from their owners.

        Raises:
            ConflictError: others own some, and `force` is not set.
        """
        with describe("failed to compare objects"):
            first = self._filter(compare(live, new), api_version)
        by_version = {api_version: first}
        conflicts: dict[Manager, FieldSet] = {}
        found: Owners = {}
        for other, its in owners.items():
            if other == manager:
                found[other] = its
                continue
            compared = by_version.get(its.api_version)
            if compared is None:
                try:
                    with describe("failed to convert old object"):
                        old = self.convert(live, its.api_version)
                    with describe("failed to convert new object"):
                        changed = self.convert(new, its.api_version)
                except MissingVersionError:
                    continue
                with describe("failed to compare objects"):
                    compared = self._filter(compare(old, changed), its.api_version)
                by_version[its.api_version] = compared
            fields = its.fields
            lost = fields.intersection(compared.modified.union(compared.added))
            if lost:
                conflicts[other] = lost
                fields = fields.difference(lost)
            if compared.removed:
                fields = fields.difference(compared.removed)
            found[other] = Ownership(fields, its.api_version, its.applied)
        if conflicts and not force:
            raise ConflictError([(other, path) for other, lost in conflicts.items() for path in lost.paths()])
        return {other: its for other, its in found.items() if its.fields}, first

    def _filter(self, found: Comparison, api_version: str) -> Comparison:
        return Comparison(
            *(self._without_ignored(each, api_version) for each in (found.removed, found.modified, found.added))
        )

    # --- fields that are applied no longer ----------------------------------------------------------------------------

    def _prune(self, merged: TypedValue, owners: Owners, manager: Manager, last: Ownership) -> TypedValue:
        """Removes the fields that only this manager owned, and that it no longer applies."""
        try:
            with describe("failed to convert merged object to last applied version"):
                converted = self.convert(merged, last.api_version)
        except MissingVersionError:
            return merged
        paths = last.fields.with_named_fields(converted.atom)
        everything = to_field_set(converted, named=True)
        pruned = remove(converted, paths)
        with describe("failed add back owned items"):
            pruned = self._with_owned(converted, pruned, everything, last.api_version, owners)
        with describe("failed add back dangling items"):
            pruned = self._with_dangling(converted, pruned, everything, last.api_version, paths)
        return self.convert(pruned, owners[manager].api_version)

    def _with_owned(
        self, merged: TypedValue, pruned: TypedValue, everything: FieldSet, api_version: str, owners: Owners
    ) -> TypedValue:
        """Restores the fields that managers own. `everything` are those of the merged object in its own version."""
        versioned = merged
        managed: dict[str, FieldSet] = {}
        for its in owners.values():
            managed[its.api_version] = managed.get(its.api_version, FieldSet()).union(its.fields)
        # The version of the pruned object is first: conversions to other versions may need its fields.
        for version, fields in sorted(managed.items(), key=lambda each: each[0] != api_version):
            try:
                with describe(f"failed to convert merged object at version {version}"):
                    versioned = self.convert(versioned, version)
                with describe(f"failed to convert pruned object at version {version}"):
                    pruned = self.convert(pruned, version)
            except MissingVersionError:
                continue
            atom = versioned.atom
            own = everything if versioned is merged else to_field_set(versioned, named=True)
            kept = to_field_set(pruned, named=True).union(fields.with_named_fields(atom))
            pruned = remove(versioned, own.difference(kept))
        return pruned

    def _with_dangling(
        self, merged: TypedValue, pruned: TypedValue, everything: FieldSet, api_version: str, last: FieldSet
    ) -> TypedValue:
        """Restores the fields that the manager did not apply last time, such as items within removed parts."""
        try:
            with describe("failed to convert pruned object to last applied version"):
                pruned = self.convert(pruned, api_version)
        except MissingVersionError:
            return merged
        if pruned is merged:
            return merged
        return remove(merged, everything.difference(to_field_set(pruned, named=True)).intersection(last))


def _keeps_all(config: Any, owners: Owners, last: Ownership, own: Ownership) -> bool:
    """Returns whether a manager certainly applies all its previous fields, so that no field has to be removed.

    It is False for a configuration with empty parts, where upstream may remove fields of other managers.
    """
    if any(its.api_version != last.api_version for its in owners.values()) or not last.fields.is_subset(own.fields):
        return False
    return not _has_empty(config)


def _has_empty(value: Any) -> bool:
    """Returns whether a part of a value is null, or an object or a list without anything."""
    if isinstance(value, (dict, list)):
        items = value.values() if isinstance(value, dict) else value
        return not value or any(item.__class__ is not str and _has_empty(item) for item in items)
    return value is None
