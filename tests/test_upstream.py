"""The real packages of Kubernetes: validators are made for all of them and answer as upstream's compiled ones do.

Their sources and verdicts are no part of this project. These tests run where variables of the environment name
checkouts of them, and are skipped elsewhere:

- `VALIDATION_GEN_CODE_GENERATOR`, `VALIDATION_GEN_API`, `VALIDATION_GEN_APIMACHINERY`: kubernetes/code-generator,
  kubernetes/api and kubernetes/apimachinery.
- `VALIDATION_GEN_CONFORMANCE`: a folder with `upstream-doctest.jsonl.gz` and `upstream-sample.jsonl.gz`, which hold a
  request and its verdict a line.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import black

from tests.tables import each
from tests.upstream_packages import (
    CODE_GENERATOR,
    TREE,
    build,
    digest,
    directories,
    files,
    fixtures,
    goes_through_maps,
    name_of,
    needs_all_sources,
    needs_output_tests,
    needs_vectors,
    path_of,
    registry,
    settings,
    vectors,
)
from validation_gen.commands.coverage import Declared, Observed, find_triggered_errors, list_declared_errors
from validation_gen.commands.stdio import answer_lines
from validation_gen.compiler.pipeline import build_files, build_program
from validation_gen.diagnostics import Severity
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.fixtures import FILE, as_text, found_arguments

#: Vectors to which our answer differs, by id, each with the reason. One that does not differ any more has to go.
EXCEPTIONS: dict[str, str] = {}

COMPARED = ("type", "field", "badValue", "detail", "origin", "level", "shortCircuit", "message")
#: Black is slow, so big runs are judged in parts.
_PARTS = 8


def _errors(name: str) -> list[str]:
    found = build(name).diagnostics.sorted()
    return [f"{d.span}: {d.code} {d.message}" for d in found if d.severity is Severity.ERROR]


def _judge(texts: dict[str, str]) -> None:
    for file, text in texts.items():
        compile(text, file, "exec")
        assert black.format_str(text, mode=black.Mode()) == text, file


# --- generation ------------------------------------------------------------------------------------------------------


@needs_output_tests
@each("package", directories)
def test_a_package_of_the_output_tests_alone(package: str) -> None:
    assert not _errors(package)
    _judge(files(package))
    assert build_files(build_program(settings(package)).program) == files(package), "the same again"
    for kind in registry(package).kinds:
        registry(package).run(kind, {})


@needs_all_sources
@each("name", [".", "api", "api-alone"])
@each("part", range(_PARTS))
def test_all_packages_at_once(name: str, part: int) -> None:
    assert not _errors(name)
    _judge(dict(list(files(name).items())[part::_PARTS]))


_DIGEST = """
import sys
from tests.upstream_packages import digest
print(digest(sys.argv[1]))
"""


@needs_all_sources
@each("name", [".", "api"])
def test_the_same_bytes_whatever_the_hash_seed(name: str) -> None:
    for seed in ("1", "4711"):
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])}
        command = [sys.executable, "-c", _DIGEST, name]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == digest(name)


# --- verdicts ------------------------------------------------------------------------------------------------------


def _signature(error: dict[str, Any]) -> str:
    return json.dumps([error[key] for key in COMPARED], sort_keys=True)


def _problem(vector: dict[str, Any], answer: dict[str, Any], *, ordered: bool) -> str:
    """In what an answer differs, empty when it does not."""
    if "error" in answer:
        return str(answer["error"])
    want, got = ([_signature(error) for error in errors] for errors in (vector["errors"], answer["errors"]))
    missing, surplus = Counter(want) - Counter(got), Counter(got) - Counter(want)
    if missing or surplus:
        return "\n".join([*(f"- {error}" for error in missing), *(f"+ {error}" for error in surplus)])
    return "\n".join(["wanted in this order:", *want]) if ordered and want != got else ""


def _answers(package: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    wanted = vectors()[package]
    requests = [json.dumps({key: v[key] for key in v if key != "errors"}) for v in wanted]
    answers = answer_lines(requests, registry(name_of(package)), build(name_of(package)).program.broken)
    return zip(wanted, map(json.loads, answers), strict=True)


@needs_vectors
@each("package", lambda: sorted(vectors()))
def test_verdicts(package: str) -> None:
    program = build(name_of(package)).program
    problems = []
    for vector, answer in _answers(package):
        # Go goes through maps in any order, so what upstream says of them has none.
        maps = goes_through_maps(program, f"{path_of(package)}.{vector['kind']}")
        problem = _problem(vector, answer, ordered=not (maps or vector.get("orderUnstable")))
        if vector["id"] in EXCEPTIONS:
            assert problem, f"{vector['id']} agrees now, so it is no exception any more"
        elif problem:
            problems.append(f"{vector['id']} {vector['kind']} {vector['op']}:\n{problem}")
    assert not problems, "\n".join(problems)


# --- tests of validateFalse ----------------------------------------------------------------------------------------


@needs_output_tests
@each("package", fixtures)
def test_validate_false_reaches_what_it_reaches_upstream(package: str) -> None:
    """To the byte, so that either can write the file for both."""
    program = build_program(replace(settings(package), every_type=False)).program
    plan = program.packages[path_of(f"output_tests/{package}")]
    assert plan.fixture
    roots = [root.kind for root in plan.roots if program.checks_something(root.type)]
    found = found_arguments(load_registry(build_files(program)), plan.path, roots)
    want = Path(str(CODE_GENERATOR)) / TREE / package / "testdata" / FILE
    assert as_text(found) == want.read_text("utf-8")


# --- coverage ------------------------------------------------------------------------------------------------------


@needs_vectors
def test_what_was_observed_is_declared() -> None:
    """Apart from null items and handwritten checks, of which no tag tells, and from types inside themselves."""
    by_kind: dict[str, list[Declared]] = {}
    for name in (".", "api"):
        for rule in list_declared_errors(build(name).program):
            by_kind.setdefault(rule.kind, []).append(rule)
    handwritten = re.compile(r"(lastTransitionTime|evictionResponders\[\d+\]\.(name|priority)|spec\.requester)$")
    observed = {
        Observed(vector["kind"], error["field"], error["type"], error["origin"], package)
        for package, wanted in vectors().items()
        if not package.startswith(("output_tests/recursive", "output_tests/tags/customvalidation"))
        for vector in wanted
        for error in vector["errors"]
        if error["type"] != "InternalError" and not (handwritten.search(error["field"]) and not error["origin"])
    }
    unknown = [
        error
        for error in observed
        if not (error.type == "FieldValueRequired" and error.path.endswith("]"))
        and not find_triggered_errors(by_kind.get(error.kind, ()), [error])
    ]
    assert not unknown


_RULE = re.compile(r'Kind: "(\w+)"|^\s*"(.*)": \{$|ErrorType: "(\w+)"(?:, Origin: "([^"]*)")?')


@needs_output_tests
@each("package", ["elide_no_validations", "tags/opaque"])
def test_what_is_declared_is_what_upstream_declares(package: str) -> None:
    """Packages for which upstream has written down what they declare."""
    text = (Path(str(CODE_GENERATOR)) / TREE / package / "zz_generated.validations_coverage_test.go").read_text("utf-8")
    want, kind, path = set(), "", ""
    for line in text.splitlines():
        if match := _RULE.search(line):
            kind, path = match[1] or kind, match[2] if match[2] is not None else path
            if match[3]:
                want.add((kind, path, match[3], match[4] or ""))
    assert want
    program = build_program(replace(settings(package), every_type=False)).program
    assert {(rule.kind, rule.path, rule.type, rule.origin) for rule in list_declared_errors(program)} == want
