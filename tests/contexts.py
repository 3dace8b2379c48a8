"""The contexts in which a case folder is judged: in each, all of its objects are, or what is made of its sources.

A folder is built once for all contexts. What a context checks is a matter of its room of tests.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.case_folders import Case, Request, WantedError
from tests.commands.convert.models import formatter, gofmt, program
from tests.commands.convert.test_go import check_go_files
from tests.commands.convert.test_python import check_modules
from tests.commands.convert.test_round_trip import Trip, check_model, check_program
from tests.commands.edgecases.test_cases import check_rules, check_sites
from tests.commands.explain.test_replay import check_replay, replay_request
from tests.emit.policies import test_verdicts as policies
from tests.emit.policies.verdicts import without_nulls
from tests.emit.schema import test_drawn_differences as schemas
from tests.emit.schema.test_openapi import check_documents
from tests.native.twoways import check_orders, find_kind, fresh, vary
from tests.test_coverage_of_rules import check_emissions
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Kind, Registry


class DifferenceError(AssertionError):
    """A difference between the answer of a context and the one that the folder wants."""

    def __init__(self, want: object, got: object) -> None:
        super().__init__(f"  want: {_lines(want)}\n  got:  {_lines(got)}")


def _lines(value: object) -> str:
    parts = list(map(str, value)) if isinstance(value, list | tuple) else str(value).splitlines()
    return "\n        ".join(parts) or "nothing"


class Failures:
    """Collects the failures of a folder, each with its object and its context."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    @contextmanager
    def expect_none(self, context: str, about: str = "the folder") -> Iterator[None]:
        """Keeps an exception of the block as a failure of a context."""
        try:
            yield
        except DifferenceError as error:
            self.texts.append(f"{about}, {context}:\n{error}")
        except Exception as error:
            text = str(pytest.ExceptionInfo.from_exception(error).getrepr(style="short", chain=False))
            self.texts.append(f"{about}, {context}:\n{text}")

    def __str__(self) -> str:
        return "\n\n".join(self.texts)


def judge(case: Case, directory: Path, failures: Failures) -> None:
    """Judges a case in all contexts. What is written goes to a directory."""
    _judge_objects(case, directory, failures)
    sound = not case.name.startswith("errors-")
    for context, check in {
        "diagnostics": check_diagnostics,
        "generated files": check_golden,
        "emissions": check_emissions,
        "edge cases": check_rules if sound else None,
        "sites of edge cases": check_sites if sound else None,
    }.items():
        if check is not None:
            with failures.expect_none(context):
                check(case)
    with failures.expect_none("OpenAPI documents"):
        check_documents(case.path)
    if sound and case.objects.exists():
        with failures.expect_none("schemas"):
            schemas.check_differences(case.path, _sent(case, _OTHER_IN_SCHEMAS))
    if case.path in policies.FOLDERS:
        with failures.expect_none("policies"):
            policies.check_policies(case.path)
        with failures.expect_none("verdicts of policies"):
            policies.check_verdicts(case.path, _sent(case, _OTHER_IN_POLICIES))
    if case.name != "errors-broken-go":  # of a file that cannot be parsed, only a part would be converted
        _convert(case, directory / "converted", failures)


# --- objects --------------------------------------------------------------------------------------------------------


def _judge_objects(case: Case, directory: Path, failures: Failures) -> None:
    requests = case.requests()
    if not requests:
        return
    with _imported(case, directory) as from_disk:
        contexts = {
            "memory": case.registry(),
            "disk": from_disk,
            "pure": fresh(case.registry(), pure=True),
            "native": fresh(case.registry(), warm=True),
        }
        for context, registry in contexts.items():
            for request in requests:
                with failures.expect_none(context, request.name):
                    _check_answer(request, registry)
    with failures.expect_none("orders"):
        check_orders(case.registry(), [request.run for request in requests])
    for request in requests:
        with failures.expect_none("native accepts", request.name):
            kind = find_kind(case, request)
            for asked in vary(case, request, kind) if kind else ():
                asked.agree()
        with failures.expect_none("replay", request.name):
            replay = replay_request(case, request)
            if replay is not None:
                check_replay(replay)


def _check_answer(request: Request, registry: Registry) -> None:
    errors = request.run(registry)
    got, want = [WantedError.of(error) for error in errors], list(request.errors)
    if request.broken:
        assert got != want, f"it is right now, so that `broken` can go: {request.broken}"
        return
    if got != want:
        raise DifferenceError(want, got)
    for error in errors:
        _check_record(error)


def _check_record(error: FieldError) -> None:
    record = error.as_dict()
    assert str(record["message"]).startswith(f"{record['field']}: "), "path and text belong together"
    json.dumps(record)


@contextmanager
def _imported(case: Case, directory: Path) -> Iterator[Registry]:
    """Imports the package of a case from a directory, and leaves no trace of it in the interpreter."""
    package = "generated_" + "".join(c if c.isalnum() else "_" for c in case.name)
    write(case.files(), directory / package)
    modules, path = set(sys.modules), list(sys.path)
    sys.path.insert(0, str(directory))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(package).registry
        assert package in sys.modules
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if name.partition(".")[0] == package:
                del sys.modules[name]


def write(files: Mapping[str, str], directory: Path) -> None:
    """Writes files below a directory."""
    for name, text in files.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


_TWICE = "of items that are there twice, one or the other has the rule"
_TEXTS = "the same value has several texts"
#: Requests on which a schema or a policy differs from validators, with the reason.
_OTHER_IN_SCHEMAS = {
    ("min-length", "create-characters"): "the CEL engine of the tests counts bytes, and a server characters",
    ("shape-arrays", "same"): "of arrays, Go drops the items that are too many",
    ("shape-wellknown", "update-zero"): _TEXTS,
    ("union-member", "items-create-duplicates"): _TWICE,
    ("zero-or-one-of-member", "nested-create-duplicates"): _TWICE,
}
_OTHER_IN_POLICIES = {
    ("custom-unique", "a-changed-duplicate"): _TWICE,
    ("custom-unique", "create-duplicates"): _TWICE,
    ("list-type", "create-bytes"): _TEXTS,
    ("list-type", "update-bytes"): _TEXTS,
    ("shape-wellknown", "update-equal"): "schemas refuse bytes that are a list of numbers",
}


def _sent(case: Case, others: Mapping[tuple[str, str], str]) -> list[tuple[Kind, Any, Any]]:
    """Returns the kinds, objects and old objects that a server hands on. No option is on.

    The server has dropped null from objects, and refuses null in lists and what does not decode.
    """
    found = []
    for request in case.requests():
        kind = find_kind(case, request)
        plain = request.subresource == "/" and not any(request.options.values())
        if kind is None or not plain or (case.name, request.name) in others:
            continue
        new, old = without_nulls(request.obj), without_nulls(request.old)
        if _is_sound(case, kind, new) and (request.op == "create" or _is_sound(case, kind, old)):
            found.append((kind, new, old))
    return found


def _is_sound(case: Case, kind: Kind, obj: Any) -> bool:
    errors = case.registry().run(kind, obj, level="alpha")
    decodes = not any(error.type.value == "FieldValueTypeInvalid" for error in errors)
    return isinstance(obj, dict) and decodes and not _holds_null(obj)


def _holds_null(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is None or any(map(_holds_null, parts))


# --- sources and generated files --------------------------------------------------------------------------------------


def check_diagnostics(case: Case) -> None:
    """Checks that each wanted diagnostic is there, and no other one."""
    wanted = case.wanted_diagnostics()
    found = case.build().diagnostics.sorted()
    if not wanted:
        want = case.stderr.read_text(encoding="utf-8") if case.stderr.exists() else ""
        if case.said() != want:
            raise DifferenceError(want, case.said())
        return
    missing = [want for want in wanted if not any(want.matches(d) for d in found)]
    surplus = [f"{d.span}: {d.code} {d.message}" for d in found if not any(want.matches(d) for want in wanted)]
    if missing or surplus:
        raise DifferenceError(missing, surplus)
    assert len(found) == len(wanted), "an annotation stands for one diagnostic"


def check_golden(case: Case) -> None:
    """Checks that the generated files are those of `want`, if there is one."""
    if not case.golden.is_dir():
        return
    got, files = case.files(), case.golden.rglob("*.py")
    want = {file.relative_to(case.golden).as_posix(): file.read_text(encoding="utf-8") for file in files}
    if got.keys() != want.keys():
        raise DifferenceError(sorted(want), sorted(got))
    for name, text in got.items():
        assert text == want[name], f"{name} is not as wanted"


def _convert(case: Case, directory: Path, failures: Failures) -> None:
    """Converts the sources to Python and back, and writes them in Go again: the program stays."""
    start = program(case.path) if case.settings.exists() else case.build().program
    with failures.expect_none("conversion"):
        trip = Trip(case.path, directory)
        with failures.expect_none("conversion, Python"):
            check_modules(trip.modules)
        with failures.expect_none("conversion, model"):
            check_model(trip)
        with failures.expect_none("conversion, program"):
            check_program(trip, start)
        with failures.expect_none("conversion, Go"):
            check_go_files(trip.start, case.path, directory / "again", start)
        if formatter():
            with failures.expect_none("conversion, gofmt"):
                assert gofmt(directory / "go", directory / "again") == ""
