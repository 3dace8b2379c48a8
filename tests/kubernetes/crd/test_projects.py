"""The definitions that projects publish: all are accepted, and broken at random they fare as with an API server.

`VALIDATION_GEN_CRDS` names a directory with them, in YAML or JSON, in any layout. Test data and patches of projects may
be among them; what a server refuses we must refuse too, which needs `VALIDATION_GEN_APISERVER`.
"""

from __future__ import annotations

import copy
import functools
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from tests.apiserver import ApiServer, ApiServerError
from tests.kubernetes.crd.agreement import difference, ours
from tests.kubernetes.crd.defects import disturb
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.crd.run import VERSION, is_definition
from validation_gen.kubernetes.manifests import read_manifests

VARIABLE = "VALIDATION_GEN_CRDS"
#: How many definitions have to be there, and how many of them valid: the others are patches and test data.
LEAST, LEAST_VALID = 200, 0.85
DEFECTS = 400


@functools.cache
def definitions() -> dict[str, Any]:
    """All that are different, with one of the files that have them."""
    directory = os.environ.get(VARIABLE)
    if not directory:
        pytest.skip(f"{VARIABLE} must name a directory with definitions of projects")
    found: dict[str, tuple[str, Any]] = {}
    for file in sorted(Path(directory).resolve().rglob("*")):
        if file.suffix in (".yaml", ".yml", ".json") and file.is_file():
            for manifest in read_manifests([str(file)], Diagnostics()):
                if is_definition(manifest.obj) and manifest.obj["apiVersion"] == VERSION:
                    text = json.dumps(manifest.obj, sort_keys=True)
                    found.setdefault(text, (f"{manifest.file}:{manifest.line}", manifest.obj))
    return dict(found.values())


@functools.cache
def accepted() -> list[Any]:
    judged = ((obj, ours(obj)) for obj in definitions().values())
    return [obj for obj, judgement in judged if judgement.decodes and not judgement.errors]


def test_they_are_accepted() -> None:
    assert len(accepted()) >= max(LEAST, LEAST_VALID * len(definitions()))


def test_a_server_says_the_same(apiserver: ApiServer) -> None:
    differences = [f"{place}: {text}" for place, obj in definitions().items() if (text := difference(apiserver, obj))]
    assert differences == []


@pytest.mark.parametrize("seed", range(4))
def test_a_server_says_the_same_of_defects(seed: int, apiserver: ApiServer) -> None:
    chosen = random.Random(seed)
    sources = [obj for obj in accepted() if len(json.dumps(obj)) < 50_000]
    differences = []
    for number in range(DEFECTS):
        obj = copy.deepcopy(chosen.choice(sources))
        disturb(obj, chosen)
        try:
            if text := difference(apiserver, obj):
                differences.append(f"{number}: {text}")
        except ApiServerError:  # some definitions are too much for a server
            continue
    assert differences == []
