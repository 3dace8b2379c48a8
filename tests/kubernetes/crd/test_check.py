"""Seeded defects: each is found where it is, with the API server's words, and nothing else is."""

from __future__ import annotations

import pytest

from tests.apiserver import ApiServer
from tests.kubernetes.crd.agreement import difference
from tests.kubernetes.crd.cases import DefinitionCase, all_cases
from tests.tables import each
from validation_gen.diagnostics import CODES, Severity
from validation_gen.kubernetes.crd import run

each_case = each("case", all_cases, ids=lambda case: case.name)

#: What the Kubernetes documentation shows as good.
GOOD = {"documented-4", "documented-6", "metadata-restricted"}


@each_case
def test_case(case: DefinitionCase) -> None:
    wanted, found = case.wanted(), case.found()
    missing = [want for want in wanted if not any(want.matches(d) for d in found)]
    surplus = [d for d in found if not any(want.matches(d) for want in wanted)]
    lines = [f"- {want}" for want in missing] + [f"+ {d.span}: {d.code} {d.message}" for d in surplus]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)
    assert len(found) == len(wanted), "an annotation stands for one finding"
    assert bool(wanted) is (case.name not in GOOD)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_an_api_server_says_the_same(case: DefinitionCase, apiserver: ApiServer) -> None:
    definition = case.manifest.obj
    if definition["apiVersion"] == run.VERSION:  # the server does not even know another one
        assert difference(apiserver, definition) == ""


def test_every_code_has_a_case() -> None:
    found = {want.code for case in all_cases() for want in case.wanted()}
    codes = {code for code in CODES if "VG501" <= code <= "VG512"}
    assert found == codes - {"VG509"}, "sizes have tests of their own"


@each_case
def test_findings_have_a_place_and_errors_a_type(case: DefinitionCase) -> None:
    for finding in run.check(case.manifest.obj):
        assert finding.keys
        assert bool(finding.type) is (finding.severity is Severity.ERROR and finding.code != "VG511")
