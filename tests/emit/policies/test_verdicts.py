"""A policy refuses what validators refuse, and nothing else: of each family of rules, on creates and on updates.

`VALIDATION_GEN_POLICIES` is the number of requests of each kind that are drawn; more of them find more.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.case_folders import CASES
from tests.emit.policies.verdicts import SCHEMAS, compared, subject
from tests.thorough import drawn
from validation_gen.emit.policies import budget
from validation_gen.kubernetes.admission.compiling import type_checked
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.kubernetes.policies.requests import CALL_LIMIT
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind

NUMBER = int(os.environ.get("VALIDATION_GEN_POLICIES", "0")) or drawn(80)
APIS = CASES.parent / "apis"
#: Sources that are wrong on purpose have nothing to judge. Of arrays, Go drops the items that are too many.
FOLDERS = [
    APIS,
    *(
        path
        for path in sorted(CASES.iterdir())
        if (path / "objects.yaml").exists() and not path.name.startswith("errors-") and path.name != "shape-arrays"
    ),
]


def check_verdicts(folder: Path, given: Sequence[tuple[Kind, Any, Any]] = ()) -> None:
    """Checks that policies come to the verdict of validators on drawn requests and on others.

    Cases have few limits, so the cost of rules is left out.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "CALL_LIMIT", 1 << 64)
        patch.setattr(budget, "BUDGET", 1 << 70)
        found = compared(folder, NUMBER, given)
    assert not found.differences, found.differences[:2]
    assert not found.counts["errors of policies"]


def check_policies(folder: Path) -> None:
    """Checks that servers take the policies of a folder without a warning."""
    it = subject(folder)
    for package, root in it.kinds():
        policies = it.policies(package, root)
        names = it.names(root)
        for obj in policies.objects:
            if obj["kind"] == "ValidatingAdmissionPolicyBinding":
                assert not binding_errors(read_binding(obj))
                continue
            policy = read_policy(obj)
            assert [str(error) for error in policy_errors(policy)] == []
            for variable in policy.variables:
                checked, problem = type_checked(variable.expression, names.environment(), minor=names.minor)
                assert not problem
                names.add(variable.name, checked.type if checked else None)
            for validation in policy.validations:
                for text in filter(None, (validation.expression, validation.message_expression)):
                    assert not type_checked(text, names.environment(), minor=names.minor)[1]


def test_policies_come_to_the_verdict_of_validators() -> None:
    check_verdicts(APIS)


def test_servers_take_policies_without_a_warning() -> None:
    check_policies(APIS)


def test_nothing_but_what_costs_too_much_is_different_within_the_budget() -> None:
    found = compared(APIS, NUMBER)
    assert not found.differences, found.differences[:2]
    assert found.counts["refused"] > found.counts["requests"] // 10
    # Most messages are those of the API server, with the value and the path.
    assert found.counts["same texts"] * 2 > found.counts["texts"]


def test_what_stays_is_told() -> None:
    """The numbers of the documentation: of the sample API each rule is in a policy, or is told to stay."""
    it = subject(APIS)
    said, left = Counter[str](), Counter[str]()
    for package, root in it.kinds():
        policies = it.policies(package, root)
        said[root.kind] += len(policies.rules)
        left[root.kind] += len(policies.gaps) + len(policies.excesses)
        assert all(excess.cost > CALL_LIMIT or excess.error for excess in policies.excesses)
    assert sum(said.values()) > 3 * sum(left.values())
    assert SCHEMAS.level is Level.ALPHA
