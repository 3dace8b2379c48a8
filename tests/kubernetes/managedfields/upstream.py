"""Runs the tables of structured-merge-diff against our functions: types, sets and operations of its tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from tests.kubernetes.managedfields.gotables import Call, Literal
from validation_gen.kubernetes.managedfields.fieldset import FieldSet, Path, key_element, value_element
from validation_gen.kubernetes.managedfields.removal import extract
from validation_gen.kubernetes.managedfields.typed import merge
from validation_gen.kubernetes.managedfields.types import DEDUCED, UNTYPED, Atom, ListType, MapType
from validation_gen.kubernetes.managedfields.updates import ConflictError, Converter, Manager, Owners, Updater
from validation_gen.kubernetes.managedfields.validation import TypeConflictError, TypedValue, to_typed

DEDUCED_TYPE = "DeducedParser"


class Types:
    """The types of a schema of structured-merge-diff, by name."""

    def __init__(self, schema: str) -> None:
        self._raw = {each["name"]: each for each in yaml.safe_load(untabbed(schema))["types"]}
        self._made: dict[str, Atom] = {"__untyped_atomic_": UNTYPED, "__untyped_deduced_": DEDUCED}

    def find(self, name: str) -> Atom:
        if name not in self._made:
            self._made[name] = atom = Atom()
            self._fill(atom, self._raw[name])
        return self._made[name]

    def name(self, atom: Atom) -> str:
        """Returns the name of a type that was found."""
        return next(name for name, made in self._made.items() if made is atom)

    def _refer(self, raw: Mapping[str, Any]) -> Atom:
        if "namedType" in raw:
            atom = self.find(raw["namedType"])
        else:
            atom = Atom()
            self._fill(atom, raw)
        relation = raw.get("elementRelationship")
        if relation is None:
            return atom
        # A reference to a type may change whether it is atomic.
        found = Atom(atom.scalar)
        if atom.list is not None:
            found.list = ListType(atom.list.element, relation == "associative", atom.list.keys)
        if atom.map is not None:
            found.map = MapType(atom.map.fields, atom.map.element, relation == "atomic", atom.map.defaults)
        return found

    def _fill(self, atom: Atom, raw: Mapping[str, Any]) -> None:
        atom.scalar = raw.get("scalar") or ""
        if "list" in raw:
            its = raw["list"]
            atom.list = ListType(UNTYPED, its.get("elementRelationship") == "associative", tuple(its.get("keys") or ()))
            atom.list.element = self._refer(its["elementType"])
        if "map" in raw:
            its = raw["map"] or {}
            atom.map = MapType(atomic=its.get("elementRelationship") == "atomic")
            for each in its.get("fields") or ():
                atom.map.fields[each["name"]] = self._refer(each["type"])
                if each.get("default") is not None:
                    atom.map.defaults[each["name"]] = each["default"]
            if its.get("elementType") is not None:
                atom.map.element = self._refer(its["elementType"])


def untabbed(document: str) -> str:
    """Returns a document of a test without the tabs by which its first line is indented."""
    lines = document.removeprefix("\n").rstrip("\n\t").split("\n")
    tabs = re.match("\t*", lines[0])
    return "\n".join(line.removeprefix(tabs[0]) for line in lines) if tabs else document


def read(document: Any) -> Any:
    """Returns the value of a YAML document."""
    # Some documents have a brace too many, which Go's reader takes for the end.
    return next(yaml.safe_load_all(untabbed(text(document))), None)


def text(value: Any) -> str:
    """Returns the text that an expression of a test makes."""
    if isinstance(value, Call):
        if value.name.endswith("Sprintf"):
            parts = iter(map(text, value.arguments[1:]))
            return re.sub("%[sv]", lambda _: next(parts), text(value.arguments[0]))
        assert len(value.arguments) == 1, value
        return text(value.arguments[0])
    assert isinstance(value, str), value
    return value


def to_set(value: Any) -> FieldSet:
    """Returns the set that a call makes."""
    assert isinstance(value, Call), value
    return FieldSet.from_paths(*map(to_path, value.arguments))


def to_path(value: Any) -> Path:
    """Returns the path that a call makes."""
    assert isinstance(value, Call), value
    return tuple(map(_to_element, value.arguments))


def _to_element(value: Any) -> str:
    if isinstance(value, Call):
        if value.name in ("_KBF", "KeyByFields", "fieldpath.KeyByFields"):
            named = [_plain(each) for each in value.arguments]
            return key_element(dict(zip(named[::2], named[1::2], strict=True)))
        if value.name in ("_V", "value.NewValueInterface"):
            return value_element(_plain(value.arguments[0]))
    return f"i:{value}" if isinstance(value, int) else f"f:{text(value)}"


def _plain(value: Any) -> Any:
    return _plain(value.arguments[0]) if isinstance(value, Call) else value


# --- operations -------------------------------------------------------------------------------------------------------

Find = Callable[[str], Atom]


def keep(value: TypedValue, api_version: str) -> TypedValue:
    """Converts nothing."""
    if not api_version:
        raise TypeConflictError('cannot convert to invalid version: ""')
    return value


@dataclass
class State:
    """A live value, and its owners."""

    find: Find
    updater: Updater
    live: TypedValue | None = None
    owners: Owners = field(default_factory=dict)

    def run(self, operation: Literal) -> None:
        """Runs an operation of a test.

        Raises:
            ConflictError: it has conflicts that the test does not expect.
            TypeConflictError: a value does not fit.
        """
        kind, its = operation.type.rpartition(".")[2], operation.value
        if kind == "ChangeParser":
            raise AssertionError("the caller knows types")
        version, name = text(its["APIVersion"]), text(its["Manager"])
        manager = Manager(name, "Apply")
        new = to_typed(read(its["Object"]), self.find(version), allow_duplicates=kind == "Update")
        live = self.live or TypedValue(None, self.find(version))
        self.live = live = self.updater.convert(live, version)
        if kind == "Update":
            self.owners = self.updater.update(live, new, version, self.owners, manager)
            self.live = new
            return
        if kind == "ExtractApply":
            own = self.owners.get(manager)
            if live.value is not None:
                assert own is None or own.api_version == version
                paths = FieldSet() if own is None else own.fields.leaves()
                new = merge(extract(live, paths), new)
        expected, met = conflicts(its.get("Conflicts")), None
        try:
            found, owners = self.updater.apply(live, new, version, self.owners, manager, force=kind != "Apply")
        except ConflictError as problem:
            if expected is None:
                raise
            met = {(other.name, path) for other, path in problem.conflicts}
        assert met == (expected or None)
        if met:
            return
        self.owners = owners
        self.live = live if found is None else found


def conflicts(value: Any) -> set[tuple[str, Path]] | None:
    """Returns the conflicts that a test expects, None if it expects none."""
    if value is None:
        return None
    found = [each.value if isinstance(each, Literal) else each for each in value.value]
    return {(text(each["Manager"]), to_path(each["Path"])) for each in found}


def owned(owners: Owners) -> dict[str, tuple[str, Any]]:
    """Returns versions and sets of managers by name."""
    return {manager.name: (its.api_version, its.fields.to_json()) for manager, its in owners.items()}


def expected_owners(value: Any) -> dict[str, tuple[str, Any]]:
    """Returns versions and sets of managers that a test expects."""
    return {
        text(name): (text(call.arguments[1]), to_set(call.arguments[0]).to_json())
        for name, call in (value.value or {}).items()
    }


def ignored(case: Mapping[str, Any]) -> dict[str, FieldSet]:
    """Returns the fields that a test ignores, by version."""
    found = {}
    for name in ("IgnoredFields", "IgnoreFilter"):
        for version, value in (case[name].value if case.get(name) else {}).items():
            inner = value.arguments[0] if value.name.endswith("NewExcludeSetFilter") else value
            found[text(version)] = to_set(inner)
    return found


def check_case(
    case: Mapping[str, Any],
    find: Find,
    convert: Converter,
    change: Callable[[Any, State], None],
    is_expected: Callable[[Any, Any], bool],
) -> None:
    """Runs a test case: its operations, and the object and owners that it expects."""
    state = State(find, Updater(convert, ignored(case)))
    for operation in case["Ops"].value:
        if operation.type.endswith("ChangeParser"):
            change(operation.value["Parser"], state)
        else:
            state.run(operation)
    if case.get("Object"):
        assert state.live is not None
        version = text(case["APIVersion"])
        to_typed(read(case["Object"]), state.find(version), allow_duplicates=True)
        found = state.updater.convert(state.live, version).value
        assert is_expected(found, read(case["Object"])), f"{found} instead of {read(case['Object'])}"
    if case.get("Managed"):
        assert owned(state.owners) == expected_owners(case["Managed"])
    assert all(its.fields for its in state.owners.values())
