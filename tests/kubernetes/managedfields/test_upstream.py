"""The tables of structured-merge-diff's own tests give the same results here.

Its sources are no part of this project. These tests run where `VALIDATION_GEN_STRUCTURED_MERGE_DIFF` names a checkout
of kubernetes-sigs/structured-merge-diff, such as that of v6.4.0, and are skipped elsewhere: the usual run has answers
of the same library (`test_answers.py`).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.managedfields import upstream
from tests.kubernetes.managedfields.gotables import Call, GoFiles, Literal, descend, text
from tests.kubernetes.managedfields.upstream import State, Types, check_case, keep, read, to_set
from tests.tables import each
from tests.upstream_packages import STRUCTURED_MERGE_DIFF, needs_structured_merge_diff
from validation_gen.kubernetes.managedfields.fieldset import FieldSet
from validation_gen.kubernetes.managedfields.removal import extract, reconcile, remove
from validation_gen.kubernetes.managedfields.typed import are_equal, compare, merge, to_field_set
from validation_gen.kubernetes.managedfields.types import DEDUCED, Atom
from validation_gen.kubernetes.managedfields.updates import Converter, MissingVersionError
from validation_gen.kubernetes.managedfields.validation import TypeConflictError, TypedValue, to_typed

pytestmark = needs_structured_merge_diff

#: Tests that are not run, each with the reason.
NOT_RUN = {
    "TestNewFromSets": "prints managers as text, which nothing of ours does",
    "TestToSet": "as TestNewFromSets",
    "TestConflictsFromManagers": "prints conflicts of the library, which the server writes in other words",
    "TestObsoleteVersions": "is no table; test_properties.py has a test of its own",
    "TestApplyObsoleteVersion": "as TestObsoleteVersions",
    "TestVersionDoesntMatchTypename": "is TestMultipleAppliersReliantFieldsConversions once more",
    "TestExtractWithKeys": "key fields are added by an option that no server uses",
    "TestSchemaSchema": "checks the schema of schemas, which we do not read",
    "TestComparisonExcludeFields": "is no table of values; the cases with ignored fields show it",
}


def keeps_empty() -> bool:
    """Returns whether an object or a list of which all is removed stays, and is empty.

    So it is in Kubernetes 1.36, and here; since v6.4.1 of the library it is null.
    """
    source = (STRUCTURED_MERGE_DIFF or Path()) / "typed" / "remove.go"
    return "hadMatches" in source.read_text(encoding="utf-8")


def is_expected(found: Any, wanted: Any) -> bool:
    """Returns whether a value is the expected one; where the library has null, ours may be empty."""
    return are_equal(found, wanted) or (not keeps_empty() and are_equal(_emptied(found), _emptied(wanted)))


def _emptied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _emptied(item) for name, item in value.items()} or None
    return ([_emptied(item) for item in value] or None) if isinstance(value, list) else value


def package(name: str) -> GoFiles:
    return GoFiles(sorted(((STRUCTURED_MERGE_DIFF or Path()) / name).glob("*_test.go")))


def tables(files: GoFiles, name: str) -> Iterator[tuple[str, Atom, Any]]:
    """Yields name, type and rest of each entry of a table of the package `typed`."""
    for case in files.value(name).value:
        yield case["name"], Types(upstream.text(case["schema"])).find(case["rootTypeName"]), case


def typed(value: Any, atom: Atom, *, allow_duplicates: bool = False) -> TypedValue:
    return to_typed(read(value), atom, allow_duplicates=allow_duplicates)


def to_fields(entry: Any, names: Sequence[str]) -> dict[str, Any]:
    """Returns the fields of an entry by name."""
    return entry if isinstance(entry, dict) else dict(zip(names, entry, strict=True))


def check_difference(atom: Atom, case: Mapping[str, Any]) -> None:
    left, right = (typed(case[side], atom, allow_duplicates=True) for side in ("lhs", "rhs"))
    wanted = {name: to_set(case[name]) for name in ("removed", "modified", "added")}
    found = compare(left, right)
    assert (found.removed, found.modified, found.added) == tuple(wanted.values())
    back = compare(right, left)
    assert (back.added, back.modified, back.removed) == tuple(wanted.values())


def check_merge(atom: Atom, case: Mapping[str, Any]) -> None:
    left, right = (typed(case[side], atom, allow_duplicates=side == "lhs") for side in ("lhs", "rhs"))
    assert are_equal(merge(left, right).value, read(case["out"])), case


def check_set(atom: Atom, case: Mapping[str, Any]) -> None:
    assert to_field_set(typed(case["object"], atom, allow_duplicates=True)) == to_set(case["set"])


def check_removal(atom: Atom, case: Mapping[str, Any]) -> None:
    value, paths = typed(case["object"], atom), to_set(case["set"])
    for run, wanted in ((remove, "removeOutput"), (extract, "extractOutput")):
        if case[wanted] != "unparseable":
            assert is_expected(run(value, paths).value, read(case[wanted])), (wanted, case)


def check_reversal(atom: Atom, case: Mapping[str, Any]) -> None:
    config = typed(case["pso"], atom)
    merged = merge(typed(case["object"], atom), config)
    assert are_equal(extract(merged, to_field_set(config).leaves()).value, config.value)


Check = Callable[[Atom, Mapping[str, Any]], None]
_DIFFERENCE = ("lhs", "rhs", "removed", "modified", "added")
#: Tables: where the entries are, their fields in order, and the check.
TABLES: dict[str, tuple[str, tuple[str, ...], Check]] = {
    "symdiffCases": ("quints", _DIFFERENCE, check_difference),
    "mergeCases": ("triplets", ("lhs", "rhs", "out"), check_merge),
    "fieldsetCases": ("pairs", ("object", "set"), check_set),
    "removeCases": ("quadruplets", ("object", "set", "removeOutput", "extractOutput"), check_removal),
    "reversibleExtractCases": ("pairs", ("object", "pso"), check_reversal),
}
#: Functions with a table, as above.
DEDUCED_TABLES: dict[str, tuple[str, tuple[str, ...], Check]] = {
    "TestMergeDeduced": ("triplets", ("lhs", "rhs", "out"), check_merge),
    "TestToSetDeduced": ("tests", ("object", "set"), check_set),
    "TestSymdiffDeduced": ("quints", _DIFFERENCE, check_difference),
}


@each("name", list(TABLES))
def test_values(name: str) -> None:
    entries, names, check = TABLES[name]
    count = 0
    for _, atom, case in tables(package("typed"), name):
        for entry in case[entries].value:
            check(atom, to_fields(entry, names))
            count += 1
    assert count > 3


@each("name", list(DEDUCED_TABLES))
def test_values_without_a_schema(name: str) -> None:
    files = package("typed")
    entries, names, check = DEDUCED_TABLES[name]
    local = files.locals(name)
    found = files.evaluate(local[entries], local).value
    assert found
    for entry in found:
        check(DEDUCED, to_fields(entry, names))


def test_validation() -> None:
    for _, atom, case in tables(package("typed"), "validationCases"):
        for value in case["validObjects"].value:
            typed(value, atom)
        for value in case["invalidObjects"].value:
            with pytest.raises(TypeConflictError):
                typed(value, atom)
        for value in case["duplicatesObjects"].value if case.get("duplicatesObjects") else ():
            with pytest.raises(TypeConflictError):
                typed(value, atom)
            typed(value, atom, allow_duplicates=True)


def test_changes_of_a_schema() -> None:
    files = package("typed")
    schemas = {}
    for name in ("granularSchema", "atomicSchema"):
        literals = [node for node in descend(files.functions[name]) if node.type == "raw_string_literal"]
        schemas[name] = text(literals[0])[1:-1]

    def find(call: Call, root: str) -> Atom:
        parts = schemas[call.name].split("%s")
        return Types(str(call.arguments[0]).join(parts)).find(root)

    for case in files.value("reconcileCases").value:
        atom = find(case["newSchema"], case["rootTypeName"])
        typed(case["liveObject"], atom)
        before = to_set(case["oldFields"])
        wanted = to_set(case["fixedFields"]) if case.get("fixedFields") else before
        assert reconcile(before, atom) == wanted, case["name"]


def test_fields_as_json() -> None:
    files = package("fieldpath")
    local = files.locals("TestSerializeV1GoldenData")
    for document in files.evaluate(local["examples"], local).value:
        found = FieldSet.from_json(json.loads(document)).to_json()
        assert json.dumps(found, separators=(",", ":"), ensure_ascii=False) == document
    local = files.locals("TestDeserializeForValidNonNormalized")
    for case in files.evaluate(local["testCases"], local).value:
        fields = FieldSet.from_json(json.loads(case["nonNormalizedString"]))
        assert fields == FieldSet.from_json(json.loads(case["normalizedString"]))


# --- operations -------------------------------------------------------------------------------------------------------


class Parsers:
    """The schemas that tests of operations name."""

    def __init__(self, files: GoFiles) -> None:
        self.files = files

    def find(self, name: str, local: Mapping[str, Any]) -> tuple[Callable[[str], Atom], Types | None]:
        """Returns the types of versions, and all types of the schema."""
        if name == upstream.DEDUCED_TYPE:
            return lambda version: DEDUCED, None
        node = local[name] if name in local else self.files.values[name]
        schema = next(text(each)[1:-1] for each in descend(node) if each.type == "raw_string_literal")
        types = Types(schema)
        roots = [
            text(part)[1:-1]
            for literal in descend(node)
            if literal.type == "composite_literal" and "SameVersionParser" in text(literal)
            for part in descend(literal)
            if part.type == "interpreted_string_literal"
        ]
        if roots:
            return lambda version: types.find(roots[0]), types
        return types.find, types


def renaming(find: Callable[[str], Atom], types: Types) -> Converter:
    """Converts names that end with a version."""

    def rename(value: Any, old: str, new: str) -> Any:
        if isinstance(value, dict):
            return {
                (name.removesuffix(old) + new if name.endswith(old) else name): rename(item, old, new)
                for name, item in value.items()
            }
        return [rename(item, old, new) for item in value] if isinstance(value, list) else value

    def convert(value: TypedValue, api_version: str) -> TypedValue:
        return to_typed(rename(value.value, types.name(value.atom), api_version), find(api_version))

    return convert


def repeating(find: Callable[[str], Atom], types: Types) -> Converter:
    """Converts names of one letter by repeating it as often as the number of the version."""

    def repeat(value: Any, times: int) -> Any:
        if not isinstance(value, dict) or not value:
            return None
        return {name[0] * times: repeat(item, times) for name, item in sorted(value.items())}

    def convert(value: TypedValue, api_version: str) -> TypedValue:
        if not api_version[1:].isdigit():
            raise MissingVersionError(api_version)
        found = value.value
        if found:
            name = min(found)
            found = {name: repeat(found[name], int(api_version[1:]))}
        return to_typed(found, find(api_version))

    return convert


def reliant(find: Callable[[str], Atom], types: Types) -> Converter:
    """Converts to the first version only what has a field of the second one."""

    def convert(value: TypedValue, api_version: str) -> TypedValue:
        names = {"v1": ("required_field_bar", "field_foo_rely_on_bar")}
        names["v2"] = (names["v1"][1], names["v1"][0])
        if types.name(value.atom) == api_version:
            return value
        if api_version not in names:
            raise MissingVersionError(api_version)
        old, new = names[api_version]
        if api_version == "v1" and old not in json.dumps(value.value):
            raise TypeConflictError("missing requried field bar")
        found = {new if name == old else name: item for name, item in (value.value or {}).items()}
        return to_typed(found, find(api_version))

    return convert


CONVERTERS = {"renamingConverter": renaming, "repeatingConverter": repeating, "reliantFieldsConverter": reliant}


def converter(files: GoFiles, node: Any, local: Mapping[str, Any]) -> Any:
    """Returns the converter that an argument names."""
    made = local.get(text(node), node)
    return CONVERTERS[text(made.child_by_field_name("type"))]


def operation_tests() -> Iterator[tuple[str, GoFiles, dict[str, str]]]:
    """Yields functions, and the texts of their parameters."""
    files = package("merge")
    versions = ("v1", "v2", "v3")
    for name, node in files.functions.items():
        if text(node.child_by_field_name("parameters")).endswith("v1, v2, v3 fieldpath.APIVersion)"):
            for chosen in itertools.product(versions, repeat=3):
                yield name, files, dict(zip(versions, chosen, strict=True))
        elif name.startswith("Test") and name not in NOT_RUN and f"test{name[4:]}" not in files.functions:
            yield name, files, {}


@each("name, files, parameters", operation_tests)
def test_operations(name: str, files: GoFiles, parameters: dict[str, str]) -> None:
    parsers, local = Parsers(files), {**files.locals(name), **parameters}
    calls = []
    for node in descend(files.functions[name]):
        if node.type == "call_expression":
            called = text(node.child_by_field_name("function")).rpartition(".")[2]
            if called in ("Test", "TestWithConverter"):
                calls.append(node)
    assert calls
    arguments = calls[0].child_by_field_name("arguments").named_children
    find, types = parsers.find(text(arguments[0]), local)
    convert: Converter = keep
    if len(arguments) > 1:
        assert types is not None
        convert = converter(files, arguments[1], local)(find, types)
    cases: dict[str, Any] = {}
    for variable, node in local.items():
        if (
            variable not in parameters
            and node.type == "composite_literal"
            and text(node.child_by_field_name("type")).endswith("TestCase")
        ):
            found = files.evaluate(node, dict(local))
            cases.update(found.value if found.type.startswith("map") else {variable: found.value})
    assert cases

    def change(parser: Call, state: State) -> None:
        found, _ = parsers.find(parser.name, local)
        assert state.live is not None
        state.find = found
        state.live = to_typed(state.live.value, found("v1"))

    failures = {}
    for case_name, case in cases.items():
        its = case.value if isinstance(case, Literal) else case
        fails = name.endswith("Errors")
        try:
            check_case(its, find, convert, change, is_expected)
            assert not fails
        except TypeConflictError as problem:
            if not fails:
                failures[case_name] = repr(problem)
        except AssertionError as problem:
            failures[case_name] = str(problem)
    assert not failures, "\n".join(f"{case_name}: {its}" for case_name, its in failures.items())
