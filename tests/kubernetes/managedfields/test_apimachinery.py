"""The tables of apimachinery's tests of managed fields give the same results here.

Its sources are no part of this project. These tests run where `VALIDATION_GEN_APIMACHINERY` names a checkout of
kubernetes/apimachinery, and are skipped elsewhere.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kubernetes.managedfields import upstream
from tests.kubernetes.managedfields.gotables import Call, GoFiles, Literal, descend, text
from tests.tables import each
from tests.upstream_packages import APIMACHINERY, needs_apimachinery
from validation_gen.kubernetes.managedfields import FieldManager, FieldSetError
from validation_gen.kubernetes.managedfields.entries import Managed, read_managed, write_managed
from validation_gen.kubernetes.managedfields.fieldset import FieldSet, read_element
from validation_gen.kubernetes.managedfields.updates import Manager, Ownership

pytestmark = needs_apimachinery

ROOT = "pkg/util/managedfields"
#: Tests that run methods of managers step by step, by file; there is no table to read. `testdata/managed-fields` has
#: sequences of the same methods with upstream's answers.
NO_TABLES = {
    "fieldmanager_test.go": "creates, applies and resets of one object each",
    "scalehandler_test.go": "structs of a scale's owners; the recorded scenarios of the server have scales",
    "internal/atmostevery_test.go": "logs of the server",
    "internal/capmanagers_test.go": "updates of many managers",
    "internal/conflict_test.go": "times in conflicts, which the server never has",
    "internal/fieldmanager_test.go": "a webhook that does not answer, as Kubernetes 1.37 treats it",
    "internal/fields_test.go": "one set, and texts of a JSON library",
    "internal/lastappliedmanager_test.go": "applies of kubectl over client-side applies",
    "internal/lastappliedupdater_test.go": "annotations of client-side applies",
    "internal/managedfieldsupdater_test.go": "times of managers, with a clock of the test",
    "internal/skipnonapplied_test.go": "first applies",
    "internal/typeconverter_test.go": "types of built-in kinds",
    "internal/versionconverter_bench_test.go": "measures time",
    "internal/versionconverter_test.go": "Go types of built-in kinds",
}
TABLES = {"extract_test.go", "internal/managedfields_test.go", "internal/pathelement_test.go"}


def files(name: str) -> GoFiles:
    return GoFiles([(APIMACHINERY or Path()) / ROOT / name])


def table(name: str, function: str, variable: str = "tests") -> list[Any]:
    read = files(name)
    local = read.locals(function)
    found: list[Any] = read.evaluate(local[variable], local).value
    assert found
    return found


def test_all_tables_are_known() -> None:
    root = (APIMACHINERY or Path()) / ROOT
    found = {path.relative_to(root).as_posix() for path in root.rglob("*_test.go")}
    assert found <= TABLES | NO_TABLES.keys()


def test_elements() -> None:
    for element in table("internal/pathelement_test.go", "TestPathElementRoundTrip"):
        assert read_element(element) == element
    assert read_element("r:Hello") is None


@each("element", lambda: table("internal/pathelement_test.go", "TestNewPathElementError"))
def test_wrong_elements(element: str) -> None:
    with pytest.raises(FieldSetError):
        read_element(element)


def test_entries() -> None:
    for document in table("internal/managedfields_test.go", "TestRoundTripManagedFields"):
        entries = yaml.load(document, yaml.BaseLoader) if document != "null\n" else None
        for entry in entries or ():
            entry["fieldsV1"] = _without_texts(entry["fieldsV1"])
        assert write_managed(read_managed(entries)) == (entries or [])


def _without_texts(fields: Any) -> Any:
    """Returns fields whose empty objects are objects, for the loader has texts."""
    return {name: _without_texts(below) for name, below in fields.items()} if fields else {}


def test_entries_with_mistakes() -> None:
    for function in ("TestHasFieldsType", "TestHasAPIVersion", "TestHasOperation"):
        node = files("internal/managedfields_test.go").functions[function]
        documents = [text(each_node)[1:-1] for each_node in descend(node) if each_node.type == "raw_string_literal"]
        read_managed(yaml.safe_load(documents[0]))
        for document in documents[1:]:
            with pytest.raises(FieldSetError):
                read_managed(yaml.safe_load(document))


def test_order_of_entries() -> None:
    for case in table("internal/managedfields_test.go", "TestSortEncodedManagedFields"):
        sent, wanted = (
            [_entry(each_entry) for each_entry in (case[name].value if case[name] else ())]
            for name in ("managedFields", "expected")
        )
        managed = Managed({}, {})
        for number, (name, operation, time) in enumerate(sent):
            # The subresource tells managers of one name apart, and is last in the order.
            manager = Manager(name, operation, "", str(number))
            managed.owners[manager] = Ownership(FieldSet.from_paths(("f:a",)), "v1", operation == "Apply")
            if time:
                managed.times[manager] = time
        found = [(entry["manager"], entry["operation"], entry.get("time", "")) for entry in write_managed(managed)]
        assert found == wanted, case["name"]


def _entry(entry: Any) -> tuple[str, str, str]:
    time = entry.get("Time")
    operation = entry["Operation"].name.removeprefix("metav1.ManagedFieldsOperation")
    return entry["Manager"], operation, upstream.text(time) if isinstance(time, Call) else ""


def test_extraction() -> None:
    read = files("extract_test.go")
    local = read.locals("TestExtractInto")
    atom = upstream.Types(upstream.text(read.value("schemaYAML"))).find("io.k8s.api.apps.v1.Deployment")
    assert atom.map is not None
    count = 0
    for case in read.evaluate(local["cases"], local).value:
        obj = case["obj"]
        if not obj.type.endswith("Unstructured"):
            continue  # the same cases with Go structs
        live = _plain(obj.value["Object"])
        entries = [
            {
                "manager": call.arguments[0],
                "operation": "Apply",
                "apiVersion": "v1",
                "fieldsType": "FieldsV1",
                "fieldsV1": json.loads(call.arguments[1]),
                **({"subresource": call.arguments[2]} if call.arguments[2] else {}),
            }
            for call in case["managedFields"].value
        ]
        fields = FieldManager(
            ("v1", "Deployment"), {"v1": atom}, lambda value, version: value, subresource=case.get("subresource", "")
        )
        config = fields.extract(
            {**live, "apiVersion": "v1", "kind": "Deployment", "metadata": {"managedFields": entries}},
            case["fieldManager"],
        )
        wanted = _plain(case["expectedOut"])
        assert {name: value for name, value in (config or {}).items() if name not in ("apiVersion", "kind")} == wanted
        count += 1
    assert count >= 3


def _plain(value: Any) -> Any:
    if isinstance(value, Literal):
        return {name: _plain(item) for name, item in value.value.items()} if value.value else {}
    return value
