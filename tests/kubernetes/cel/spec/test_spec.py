"""Our evaluator gives what the specification of CEL says, except where a server does not.

Source: `tests/simple/testdata` of google/cel-spec.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.cel.spec.exceptions import EXCEPTIONS, MIXED
from tests.kubernetes.cel.spec.running import difference
from tests.kubernetes.cel.spec.tables import Case, tables
from tests.kubernetes.cel.upstream.checkouts import CEL_SPEC
from tests.kubernetes.cel.upstream.recorded import Recorded
from tests.tables import each
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.tree import InvalidExpression


def _read(folder: Path) -> dict[str, Any]:
    found = tables(folder)
    return {"cases": found.cases, "refused": found.refused}


RECORDED = Recorded("spec", CEL_SPEC, "tests/simple/testdata", _read)

#: What servers do not have: `math.greatest`, `cel.bind`, `base64.encode`, and `cel.iterVar(0, 0)` instead of a name.
_UNKNOWN = re.compile(r"reference to .(math|cel|base64)|argument (is not an identifier|must be a simple name)")


@each("case", lambda: RECORDED.tables["cases"], ids=lambda case: case.name)
def test_case(case: Case) -> None:
    why = EXCEPTIONS.get(case.name)
    found = difference(case)
    assert not found or why is not None, f"{case.text}: {found}"
    assert found or why is None, f"{case.text}: passes, so it is no exception"
    if why == MIXED:
        assert difference(case, validated=False) == ""


@each("name, text", lambda: list(RECORDED.tables["refused"].items()))
def test_libraries_that_servers_do_not_have(name: str, text: str) -> None:
    with pytest.raises(InvalidExpression, match=_UNKNOWN):
        check_expression(parse(text, quoted=True), Environment({}, functions(36, stored=True), {}))


def test_no_table_is_lost() -> None:
    assert len(RECORDED.tables["cases"]) + len(RECORDED.tables["refused"]) > 1700
    assert set(EXCEPTIONS) <= {case.name for case in RECORDED.tables["cases"]}
