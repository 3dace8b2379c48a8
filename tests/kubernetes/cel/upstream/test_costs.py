"""What rules cost while they run is what the API server's own tests say.

Source: `TestCelCostStability` in `pkg/apiserver/schema/cel` of kubernetes/apiextensions-apiserver.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import APIEXTENSIONS
from tests.kubernetes.cel.upstream.gotables import GoFile
from tests.kubernetes.cel.upstream.recorded import Recorded
from tests.kubernetes.cel.upstream.rules import compiled, run, shown
from tests.kubernetes.cel.upstream.structural import NATIVES
from tests.tables import each
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET


def _read(folder: Path) -> dict[str, Any]:
    file = GoFile([folder / "celcoststability_test.go", folder / "validation_test.go"], NATIVES)
    return {"TestCelCostStability": list(file.local("TestCelCostStability", "cases"))}


RECORDED = Recorded("costs", APIEXTENSIONS, "pkg/apiserver/schema/cel", _read)


def _cases() -> Iterator[Any]:
    for case in RECORDED.tables["TestCelCostStability"]:
        for rule, cost in case["expectCost"].items():
            yield pytest.param(case["schema"], case["obj"], rule, cost, id=f"{case['name']}: {rule}")


@each("schema, obj, rule, cost", _cases)
def test_runtime_cost(schema: Any, obj: Any, rule: str, cost: int) -> None:
    rules = compiled(NATIVES["withRule"](schema, rule), root=True)
    assert rules is not None
    found = run(rules, obj)
    assert [shown(error) for error in found.errors] == []
    assert OBJECT_BUDGET - found.budget == cost
