"""Upstream's packages and verdicts, where the environment names checkouts of them (see `tests/test_upstream.py`)."""

from __future__ import annotations

import atexit
import functools
import gzip
import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from validation_gen import ir
from validation_gen.compiler.pipeline import Result, Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.registry import Registry

#: Where the output tests are in code-generator, and what their import paths begin with.
TREE = "cmd/validation-gen/output_tests"
_PACKAGE = f"k8s.io/code-generator/{TREE}/"


def _named(variable: str) -> Path | None:
    """The directory that a variable of the environment names. To name one that is not there is a mistake."""
    value = os.environ.get(variable)
    if not value:
        return None
    assert Path(value).is_dir(), f"{variable}={value} is not a directory"
    return Path(value).resolve()


CODE_GENERATOR = _named("VALIDATION_GEN_CODE_GENERATOR")
API = _named("VALIDATION_GEN_API")
APIMACHINERY = _named("VALIDATION_GEN_APIMACHINERY")
CONFORMANCE = _named("VALIDATION_GEN_CONFORMANCE")
CONTROLLER_TOOLS = _named("VALIDATION_GEN_CONTROLLER_TOOLS")
STRUCTURED_MERGE_DIFF = _named("VALIDATION_GEN_STRUCTURED_MERGE_DIFF")


def _needs(**checkouts: Path | None) -> pytest.MarkDecorator:
    missing = [f"VALIDATION_GEN_{name.upper()}" for name, path in checkouts.items() if path is None]
    return pytest.mark.skipif(
        bool(missing), reason=f"{' and '.join(missing)} must name a directory, as tests/test_upstream.py says"
    )


needs_output_tests = _needs(code_generator=CODE_GENERATOR)
needs_all_sources = _needs(code_generator=CODE_GENERATOR, api=API, apimachinery=APIMACHINERY)
needs_controller_tools = _needs(controller_tools=CONTROLLER_TOOLS)
needs_structured_merge_diff = _needs(structured_merge_diff=STRUCTURED_MERGE_DIFF)
needs_apimachinery = _needs(apimachinery=APIMACHINERY)
needs_vectors = _needs(code_generator=CODE_GENERATOR, api=API, apimachinery=APIMACHINERY, conformance=CONFORMANCE)


def directories() -> list[str]:
    """The packages of upstream's output tests, relative to their root."""
    root = (CODE_GENERATOR or Path()) / TREE
    return sorted(d.parent.relative_to(root).as_posix() for d in root.rglob("doc.go")) if CODE_GENERATOR else []


def fixtures() -> list[str]:
    """Those of them that say what their `+k8s:validateFalse` tags reach."""
    root = (CODE_GENERATOR or Path()) / TREE
    return [name for name in directories() if (root / name / "testdata" / "validate-false.json").is_file()]


# --- building ------------------------------------------------------------------------------------------------------

_CUSTOMS = (
    "Struct",
    "Struct_StringField",
    "Struct_MaxLengthField",
    "StringType",
    "OtherStruct_StringField",
    "OptionStruct_StringField",
)


@functools.cache
def _customs() -> str:
    """A file with what upstream's package customvalidation writes by hand."""
    text = "from validation_gen.runtime.errors import ErrorType, FieldError\n"
    for name in _CUSTOMS:
        function = f"ValidateCustom_{name}"
        text += f"\n\ndef {function}(value, old, op):\n"
        text += f'    return [FieldError(ErrorType.INVALID, None, "{function}")]\n'
    directory = tempfile.mkdtemp(prefix="validation-gen-")
    atexit.register(shutil.rmtree, directory)
    path = Path(directory) / "customs.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def settings(name: str) -> Settings:
    """What a run by this name works on: a path below the output tests, or one of the sets of packages."""
    modules = {"k8s.io/apimachinery": str(APIMACHINERY)}
    if name.startswith("api"):
        return Settings((str(API),), every_type=True, modules={} if name == "api-alone" else modules)
    known = modules if APIMACHINERY else {}
    custom = (_customs(),) if name in (".", "tags/customvalidation") else ()
    return Settings((f"{CODE_GENERATOR}/{TREE}/{name}",), every_type=True, modules=known, custom=custom)


@functools.cache
def build(name: str) -> Result:
    return build_program(settings(name))


@functools.cache
def files(name: str) -> dict[str, str]:
    return build_files(build(name).program)


@functools.cache
def registry(name: str) -> Registry:
    return load_registry(files(name))


@functools.cache
def digest(name: str) -> str:
    """All files of a run as one number."""
    return hashlib.sha256(json.dumps(list(files(name).items())).encode()).hexdigest()


# --- verdicts ------------------------------------------------------------------------------------------------------


@functools.cache
def vectors() -> dict[str, list[dict[str, Any]]]:
    """All requests with their verdicts by package."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("doctest", "sample") if CONFORMANCE else ():
        with gzip.open(f"{CONFORMANCE}/upstream-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for vector in map(json.loads, lines):
                found.setdefault(vector["package"], []).append(vector)
    return found


def name_of(package: str) -> str:
    """The run in which a package of the vectors takes part."""
    return "api" if package.startswith("k8s.io/api/") else "."


def path_of(package: str) -> str:
    return package if name_of(package) == "api" else _PACKAGE + package.removeprefix("output_tests/")


def goes_through_maps(program: ir.Program, id: str, above: frozenset[str] = frozenset()) -> bool:
    """Whether checks of a type, or below it, look at the keys or values of a map one by one."""
    plan = program.types.get(id)
    if plan is None or id in above:
        return False
    checks = [*plan.checks, plan.keys, plan.values]
    for member in plan.fields:
        checks += [*member.checks, member.keys, member.values]
        if member.type and goes_through_maps(program, member.type, above | {id}):
            return True
    return any(_check_goes_through_maps(program, check, above | {id}) for check in checks if check is not None)


def _check_goes_through_maps(program: ir.Program, check: ir.Check, above: frozenset[str]) -> bool:
    operation = check.operation
    if isinstance(operation, ir.Modes):
        inner = [c for _, checks in operation.rules for c in checks]
    else:
        inner = [operation.inner] if hasattr(operation, "inner") else []
    return (
        isinstance(operation, ir.EachKey)
        or (isinstance(operation, ir.EachValue) and isinstance(operation.container, ir.MapOf))
        or (isinstance(operation, ir.Predicate) and operation.name == "update_map")
        or (isinstance(operation, ir.CallType) and goes_through_maps(program, operation.type, above))
        or any(_check_goes_through_maps(program, c, above) for c in inner)
    )
