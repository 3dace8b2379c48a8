"""Releases of real APIs: nothing is raised, and what is told is what their authors have done.

It needs clones with tags: `VALIDATION_GEN_API` names one of kubernetes/api, `VALIDATION_GEN_GATEWAY_API` one of
kubernetes-sigs/gateway-api. Both are read by their revisions only, so that it does not matter what is checked out.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from validation_gen.commands.breaking.run import compare
from validation_gen.compiler.settings import Settings

#: Variable, old and new release, paths, and some of what has happened between them.
RELEASES = [
    (
        "VALIDATION_GEN_API",
        "v0.35.0",
        "v0.36.0",
        (".",),
        [
            "apps/v1 DaemonSet spec.template.spec.workloadRef: the field is gone",
            "scheduling.k8s.io/v1alpha1 Workload: the version v1alpha1 of Workload is gone; v1alpha2 has it",
        ],
    ),
    (
        "VALIDATION_GEN_GATEWAY_API",
        "v1.3.0",
        "v1.4.0",
        ("apis", "apisx"),
        [
            "gateway.networking.k8s.io/v1 GRPCRoute spec: the field must be set, it was optional",
            "gateway.networking.k8s.io/v1 Gateway spec.backendTLS: the field is gone",
        ],
    ),
]


@pytest.mark.parametrize(("variable", "old", "new", "paths", "wanted"), RELEASES, ids=[r[0] for r in RELEASES])
def test_two_releases(
    variable: str,
    old: str,
    new: str,
    paths: tuple[str, ...],
    wanted: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clone = os.environ.get(variable)
    if (
        not clone
        or subprocess.run(["git", "-C", clone, "rev-parse", old, new], capture_output=True, check=False).returncode
    ):
        pytest.skip(f"{variable} must name a clone that has the tags {old} and {new}")
    subprocess.run(["git", "clone", "--quiet", "--shared", "--branch", new, clone, tmp_path / "it"], check=True)
    monkeypatch.chdir(tmp_path / "it")
    found = compare(Settings(paths), f"git:{old}")
    messages = [d.message for d in found.diagnostics.items]
    assert [message for message in wanted if message not in messages] == []
    counts = Counter(d.code for d in found.diagnostics.items)
    assert sum(counts.values()) < 200, counts
    assert found.safe > 20
    again = compare(Settings(paths), f"git:{new}")
    assert [d.message for d in again.diagnostics.items if d.code != "VG716"] == []
    assert again.safe == 0
