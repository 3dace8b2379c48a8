"""Our evaluator gives what the specification of CEL says, except where a server does not.

Source: `tests/simple/testdata` of google/cel-spec.
"""

from __future__ import annotations

import re

import pytest

from tests.kubernetes.cel.spec.exceptions import EXCEPTIONS, MIXED
from tests.kubernetes.cel.spec.running import difference
from tests.kubernetes.cel.spec.tables import Case, Tables, tables
from tests.kubernetes.cel.upstream.checkouts import CEL_SPEC, folder, needs
from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.declarations import functions
from validation_gen.kubernetes.cel.environment import Environment
from validation_gen.kubernetes.cel.issues import InvalidExpression
from validation_gen.kubernetes.cel.parser import parsed

_PLACE = "tests/simple/testdata"
_FOLDER = folder(CEL_SPEC, _PLACE)
_here = needs(CEL_SPEC, _PLACE)
_TABLES = tables(_FOLDER) if _FOLDER is not None else Tables()

#: What servers do not have: `math.greatest`, `cel.bind`, `base64.encode`, and `cel.iterVar(0, 0)` instead of a name.
_UNKNOWN = re.compile(r"reference to .(math|cel|base64)|argument (is not an identifier|must be a simple name)")


@_here
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in _TABLES.cases])
def test_case(case: Case) -> None:
    why = EXCEPTIONS.get(case.name)
    found = difference(case)
    assert not found or why is not None, f"{case.text}: {found}"
    assert found or why is None, f"{case.text}: passes, so it is no exception"
    if why == MIXED:
        assert difference(case, validated=False) == ""


@_here
@pytest.mark.parametrize("name", _TABLES.refused)
def test_libraries_that_servers_do_not_have(name: str) -> None:
    with pytest.raises(InvalidExpression, match=_UNKNOWN):
        checked(parsed(_TABLES.refused[name], quoted=True), Environment({}, functions(36, stored=True), {}))


@_here
def test_no_table_is_lost() -> None:
    assert len(_TABLES.cases) + len(_TABLES.refused) > 1700
    assert set(EXCEPTIONS) <= {case.name for case in _TABLES.cases}
