"""Definitions that are accepted, and broken at random, fare as with an API server: our own, and those of projects.

`VALIDATION_GEN_CRDS` names a directory with definitions that projects publish, in YAML or JSON, in any layout. Test
data and patches of projects may be among them; what a server refuses we must refuse too.
"""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.apiserver import ApiServer, ApiServerError, Program
from tests.case_folders import ROOT
from tests.kubernetes.crd.agreement import difference, ours
from tests.kubernetes.crd.defects import disturb
from tests.tables import each
from tests.thorough import drawn
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.crd.run import VERSION, is_definition
from validation_gen.kubernetes.manifests import read_manifests

VARIABLE = "VALIDATION_GEN_CRDS"
#: How many definitions have to be there, and how many of them valid: the others are patches and test data.
LEAST, LEAST_VALID = 200, 0.85
DEFECTS = 400
DOCUMENTED = ROOT / "testdata" / "definitions-documented"


def definitions(directory: Path) -> dict[str, Any]:
    """Returns all that are different, with one of the files that have them."""
    found: dict[str, tuple[str, Any]] = {}
    for file in sorted(directory.rglob("*")):
        if file.suffix in (".yaml", ".yml", ".json") and file.is_file():
            for manifest in read_manifests([str(file)], Diagnostics()):
                if is_definition(manifest.obj) and manifest.obj["apiVersion"] == VERSION:
                    text = json.dumps(manifest.obj, sort_keys=True)
                    found.setdefault(text, (f"{manifest.file}:{manifest.line}", manifest.obj))
    return dict(found.values())


def accepted(found: Iterable[Any]) -> list[Any]:
    judged = ((obj, ours(obj)) for obj in found)
    return [obj for obj, judgement in judged if judgement.decodes and not judgement.errors]


def differences(server: ApiServer, sources: Sequence[Any], seed: int, number: int) -> Iterator[str]:
    """Yields what a server says otherwise of so many definitions with defects."""
    chosen = random.Random(seed)
    for index in range(number):
        obj = copy.deepcopy(chosen.choice(sources))
        disturb(obj, chosen)
        try:
            if text := difference(server, obj):
                yield f"seed {seed}, {index}: {text}"
        except ApiServerError:  # some definitions are too much for a server
            continue


@each("seed", range(4))
def test_a_server_says_the_same_of_defects(seed: int, apiserver: ApiServer) -> None:
    sources = accepted(definitions(DOCUMENTED).values())
    assert len(sources) >= 10
    assert list(differences(apiserver, sources, seed, drawn(DEFECTS))) == []


def test_definitions_of_projects(apiserver_program: Program | None) -> None:
    directory = os.environ.get(VARIABLE)
    if not directory:
        pytest.skip(f"{VARIABLE} must name a directory with definitions of projects")
    found = definitions(Path(directory).resolve())
    good = accepted(found.values())
    assert len(good) >= max(LEAST, LEAST_VALID * len(found))
    if apiserver_program is not None:
        server = ApiServer(apiserver_program)
        told = [f"{place}: {text}" for place, obj in found.items() if (text := difference(server, obj))]
        short = [obj for obj in good if len(json.dumps(obj)) < 50_000]
        for seed in range(4):
            told += differences(server, short, seed, DEFECTS)
        assert told == []
