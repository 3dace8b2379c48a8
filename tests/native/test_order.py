"""Answers do not depend on earlier requests: each is judged alone, in several orders and after many others.

`tests/test_cases.py` asks the same of the requests of each case folder.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import upstream_packages as upstream
from tests.apiserver import ApiServer
from tests.apiserver.recording import Recording, recording_path
from tests.case_folders import ROOT, Request, all_cases, build_every_kind
from tests.emit.schema import test_equivalence as equivalence
from tests.emit.schema.equivalence import subject
from tests.native.orders import ALONE, ORDERS, Corpus, digest
from tests.native.twoways import Ask, check_orders, fresh, needs_native
from tests.test_drawn_packages import KINDS, OPTIONS, drawn_objects, drawn_validators
from tests.thorough import THOROUGH
from validation_gen.compiler.pipeline import build_files
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.schema import SchemaMode

#: A request follows at least so many others.
_OTHERS = 10_000 if THOROUGH else 3_000


def _of_cases() -> Corpus:
    """The requests of case folders."""
    cases = [case for case in all_cases() if case.requests()]
    requests = [(index, request) for index, case in enumerate(cases) for request in case.requests()]
    return Corpus([case.files() for case in cases], requests)


def _judged_upstream() -> Iterator[tuple[dict[str, str], list[Request]]]:
    """Generated packages, and the requests about their types that upstream has judged, with recorded answers."""
    server = ApiServer(Recording(recording_path(Path(equivalence.__file__))))
    for folder in equivalence.FOLDERS[:: 1 if THOROUGH else 3]:
        drawn = subject(folder).requests(server, SchemaMode.EXACT, equivalence.RECORDED)
        requests = [
            Request("", f"{kind.package}.{kind.name}", "create" if old is None else "update", obj, old, options)
            for kind, obj, old, options in drawn
        ]
        yield build_files(build_every_kind(folder)), requests
    by_run: dict[str, list[Request]] = {}
    for package, vectors in upstream.vectors().items():
        for each in vectors:
            rest = (each["op"], each["obj"], each.get("oldObj"), each.get("options") or {})
            request = Request("", f"{upstream.path_of(package)}.{each['kind']}", *rest)
            by_run.setdefault(upstream.name_of(package), []).append(request)
    for run, requests in by_run.items():
        yield upstream.files(run), requests


def _check(corpus: Corpus, directory: Path, *ways: str, pure: Sequence[bool]) -> None:
    """Compares the answers of this process with those of others, in ways of `tests.native.orders`."""
    registries = [load_registry(files) for files in corpus.packages]
    want = [digest(registries[index], request) for index, request in corpus.requests]
    file = directory / "corpus"
    file.write_bytes(pickle.dumps(corpus))
    for is_pure in pure:
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "VALIDATION_GEN_PURE": "1" if is_pure else ""}
        command = [sys.executable, "-m", "tests.native.orders", str(file), *ways]
        done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found: dict[str, list[str | None]] = json.loads(done.stdout)
        assert found.keys() == set(ways)
        other = [
            (way, is_pure, corpus.requests[index][1])
            for way, answers in found.items()
            for index, answer in enumerate(answers)
            if answer not in (None, want[index])
        ]
        assert not other, (len(other), other[:5])


def test_requests_of_cases_in_another_process_and_order(tmp_path: Path) -> None:
    _check(_of_cases(), tmp_path, "shuffled", pure=[False])


@pytest.mark.slow  # the test above has one order of fewer requests
def test_recorded_requests_alone_in_three_orders_and_after_others(tmp_path: Path) -> None:
    corpus = _of_cases()
    for files, requests in _judged_upstream():
        corpus.requests.extend((len(corpus.packages), request) for request in requests)
        corpus.packages.append(files)
    assert len(corpus.requests) > 2 * _OTHERS, "each follows so many others, forwards or backwards"
    _check(corpus, tmp_path, *ORDERS, *ALONE, pure=[False, True])


@pytest.mark.parametrize("seed", range(8))
def test_requests_of_a_drawn_package(seed: int, tmp_path: Any) -> None:
    rng = random.Random(seed)
    drawn = drawn_validators(rng, tmp_path)

    def ask(obj: Any, old: Any, options: dict[str, bool], name: str) -> Ask:
        (kind,) = drawn.registry.of_type(name, "")
        return lambda registry: registry.run(kind, obj, old, update=old is not None, options=options)

    asks = []
    for _ in range(60):
        kind, options = rng.choice(KINDS), rng.choice(OPTIONS)
        obj, old = drawn_objects(drawn, kind, rng)
        asks += [ask(obj, before, options, kind) for before in (None, old)]
    check_orders(drawn.registry, asks)


@needs_native
def test_most_kinds_have_tables() -> None:
    """Otherwise native code and pure Python would be the same."""
    registries = [fresh(case.registry(), warm=True) for case in all_cases() if case.requests()]
    able = sum(each._validator(kind)._fastpath is not None for each in registries for kind in each.kinds)
    assert able > 2 * len(registries)
