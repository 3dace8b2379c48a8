"""Functions of Kubernetes give and cost what the API server's own tests say.

Source: `pkg/cel/library` of kubernetes/apiserver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import APISERVER
from tests.kubernetes.cel.upstream.expressions import NATIVES, ran, unfolded
from tests.kubernetes.cel.upstream.gotables import OPAQUE, GoFile, Struct, fields_of
from tests.kubernetes.cel.upstream.recorded import Recorded
from tests.kubernetes.cel.upstream.structural import sprintf
from tests.tables import each
from validation_gen.kubernetes.cel.entries import equal
from validation_gen.kubernetes.cel.tree import InvalidExpression
from validation_gen.kubernetes.cel.values import EvaluationError

_VALUES = [
    ("quantity_test.go", "TestQuantity"),
    ("semver_test.go", "TestSemver"),
    ("ip_test.go", "TestIP"),
    ("cidr_test.go", "TestCIDR"),
    ("format_test.go", "TestFormat"),
]


def _file(folder: Path, name: str) -> GoFile:
    return GoFile([folder / name], {**NATIVES, "fmt.Sprintf": sprintf}, lenient=True)


def _read(folder: Path) -> dict[str, Any]:
    values = {function: list(_file(folder, name).local(function, "cases")) for name, function in _VALUES}
    return {**values, "costs": list(_costs(_file(folder, "cost_test.go")))}


def _values() -> Iterator[Any]:
    for _, function in _VALUES:
        for case in map(fields_of, RECORDED.tables[function]):
            yield pytest.param(case, id=f"{function}: {case['name']}")


@each("case", _values)
def test_values(case: dict[str, Any]) -> None:
    found, _ = ran(case["expr"])
    refused = case.get("expectedCompileErr") or case.get("expectCompileErrs")
    failed = case.get("expectedRuntimeErr") or case.get("expectRuntimeErr")
    if refused:
        assert isinstance(found, InvalidExpression)
        assert [pattern for pattern in refused if not re.search(pattern, str(found))] == []
    elif failed:
        assert isinstance(found, EvaluationError)
        assert failed in found.message or re.search(failed, found.message)
    else:
        assert not isinstance(found, Exception), str(found)
        wanted = case.get("expectValue", case.get("expectResult"))
        if not isinstance(wanted, Struct) and wanted is not OPAQUE:
            assert equal(found, wanted) is True


# --- costs ------------------------------------------------------------------------------------------------------------


def _costs(file: GoFile) -> Iterator[tuple[str, int]]:
    for function in ("TestListsCost", "TestIndexOfCost"):
        for case in file.local(function, "cases"):
            for option in case["opts"]:
                for one in map(fields_of, case["costs"]):
                    operation = option.replace("%s", one.get("param", ""))
                    yield one["comparableLiteral"] + operation, one["expectedRuntimeCost"]
    for case in file.local("TestURLsCost", "cases"):
        for operation in case["ops"]:
            yield "url('https:://kubernetes.io/')" + operation, case["expectRuntimeCost"]
    for case in file.local("TestIPIsCanonicalCost", "testCases"):
        yield case["op"], case["expectRuntimeCost"]
    for function, tables in (("TestIPCost", ["testCases"] * 2), ("TestCIDRCost", ["ipv4Cases", "ipv6Cases"])):
        for version, table in zip(("ipv4", "ipv6"), tables, strict=True):
            base = file.local(function, f"{version}BaseRuntimeCost")
            for case in file.local(function, table):
                for operation in case["ops"]:
                    yield file.local(function, version) + operation, case["expectRuntimeCost"](base)
    for function in _PLAIN:
        for case in file.local(function, "cases"):
            if "jsonpatch." not in case["expr"]:  # which rules of definitions do not have
                yield case["expr"], case["expectRuntimeCost"]


_PLAIN = (
    "TestStringLibrary",
    "TestQuantityCost",
    "TestNameFormatCost",
    "TestSetsCost",
    "TestSemverCost",
    "TestTwoVariableComprehensionCost",
)


RECORDED = Recorded("libraries", APISERVER, "pkg/cel/library", _read)


@each("text, cost", lambda: RECORDED.tables["costs"])
def test_costs(text: str, cost: int, monkeypatch: pytest.MonkeyPatch) -> None:
    unfolded(monkeypatch)
    found, spent = ran(text)
    assert not isinstance(found, InvalidExpression), str(found)
    assert spent == cost
