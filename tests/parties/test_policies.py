"""What we say of policies on drawn requests is what a server's own code says of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.emit.policies.test_verdicts import APIS, FOLDERS
from tests.emit.policies.verdicts import requests, subject
from tests.parties import Parties
from tests.thorough import drawn
from validation_gen.kubernetes.policies.mutating import Mutator
from validation_gen.kubernetes.policies.reading import read_policy
from validation_gen.kubernetes.policies.requests import Request
from validation_gen.kubernetes.policies.validating import Validator

_MOST = 2**63 - 1


def _has_go_numbers(value: Any) -> bool:
    """Whether a server reads all numbers as we do. Integers that Go has no signed type for are floats to it."""
    if isinstance(value, dict):
        return all(map(_has_go_numbers, value.values()))
    if isinstance(value, list):
        return all(map(_has_go_numbers, value))
    return not isinstance(value, int) or -_MOST <= value <= _MOST


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_decisions(folder: Path, parties: Parties) -> None:
    it = subject(folder)
    counts = Counter[bool]()
    for package, root in it.kinds():
        asked = [
            (new, old)
            for new, old, _ in requests(it, package, root, drawn(60))
            if _has_go_numbers(new) and _has_go_numbers(old)
        ]
        for policy in it.policies(package, root).objects:
            if policy["kind"] != "ValidatingAdmissionPolicy":
                continue
            assert parties.ask("policy", object=policy)["errors"] == []
            validator = Validator(read_policy(policy))
            pairs = [{"object": new, "old": old} for new, old in asked]
            said = parties.ask("policy-eval", object=policy, requests=pairs)["results"]
            for (new, old), theirs in zip(asked, said, strict=True):
                found = validator.evaluate(Request(new, old, "CREATE" if old is None else "UPDATE")).decisions
                ours = ["error" if each.errored else "deny" if each.denied else "admit" for each in found]
                assert ours == [each["evaluation"] for each in theirs["decisions"]], (new, old)
                counts.update(
                    each.message == other.get("message", "")
                    for each, other in zip(found, theirs["decisions"], strict=True)
                    if each.denied
                )
    # Of the keys of a map, Go takes any first, so that a message may name another one.
    assert counts[False] * 20 <= counts[True] + counts[False], counts


def test_defaults(parties: Parties) -> None:
    it = subject(APIS)
    changed = 0
    for package, root in it.kinds():
        for policy in it.policies(package, root).mutating:
            assert parties.ask("policy", object=policy)["errors"] == []
            if policy["kind"] != "MutatingAdmissionPolicy":
                continue
            mutator = Mutator(read_policy(policy))
            asked = [(new, old) for new, old, _ in requests(it, package, root, drawn(120))]
            asked = [(new, old) for new, old in asked if _has_go_numbers(new) and _has_go_numbers(old)]
            asked += [(new, new) for new, old in asked if old is None]
            pairs = [{"object": new, "old": old} for new, old in asked]
            said = parties.ask("policy-eval", object=policy, requests=pairs)["results"]
            for (new, old), theirs in zip(asked, said, strict=True):
                found = mutator.mutate(Request(new, old, "CREATE" if old is None else "UPDATE"))
                assert (found.errors, found.object) == ((), theirs["object"]), (new, old)
                changed += found.object != new
    assert changed
