"""The validator of `api`, made once a process."""

from __future__ import annotations

import functools
from pathlib import Path

from tests.case_folders import inside
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.runtime.validator import Validator


@functools.cache
def things() -> Validator:
    with inside(Path(__file__).parent / "api"):
        result = build_program(Settings((".",)))
    assert not result.diagnostics.items
    registry = load_validators(result.program)
    (kind,) = registry.of_type("Thing")
    return Validator(kind, registry.package)
