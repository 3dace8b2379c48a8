"""What rules cost while they run is what the API server's own tests say.

Source: `TestCelCostStability` in `pkg/apiserver/schema/cel` of kubernetes/apiextensions-apiserver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kubernetes.cel.upstream.checkouts import APIEXTENSIONS, folder, needs
from tests.kubernetes.cel.upstream.gotables import GoFile
from tests.kubernetes.cel.upstream.rules import compiled, run, shown
from tests.kubernetes.cel.upstream.structural import NATIVES
from validation_gen.kubernetes.crd.expressions import OBJECT_BUDGET

_PLACE = "pkg/apiserver/schema/cel"
_FOLDER = folder(APIEXTENSIONS, _PLACE)


def _cases() -> Iterator[Any]:
    if _FOLDER is None:
        return
    file = GoFile([_FOLDER / "celcoststability_test.go", _FOLDER / "validation_test.go"], NATIVES)
    for case in file.local("TestCelCostStability", "cases"):
        for rule, cost in case["expectCost"].items():
            yield pytest.param(case["schema"], case["obj"], rule, cost, id=f"{case['name']}: {rule}")


@needs(APIEXTENSIONS, _PLACE)
@pytest.mark.parametrize(("schema", "obj", "rule", "cost"), list(_cases()))
def test_runtime_cost(schema: Any, obj: Any, rule: str, cost: int) -> None:
    rules = compiled(NATIVES["withRule"](schema, rule), root=True)
    assert rules is not None
    found = run(rules, obj)
    assert [shown(error) for error in found.errors] == []
    assert OBJECT_BUDGET - found.budget == cost
