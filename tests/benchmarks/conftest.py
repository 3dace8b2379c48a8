"""The validators of the benchmarks, generated once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from benchmarks.contenders.ours import prepared
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

APIS = Path(__file__).parents[2] / "benchmarks" / "apis"
Validate: TypeAlias = Callable[[Any, Any], list[FieldError]]


@pytest.fixture(scope="session")
def registry() -> Registry:
    result = build_program(Settings((str(APIS),), lint=True))
    # Kubernetes has lists of structs without a topology, too.
    assert not [each for each in result.diagnostics.sorted() if each.code != "VG425"]
    return load_registry(build_files(result.program))


@pytest.fixture(scope="session")
def validate(registry: Registry) -> Validate:
    """The validator of Deployments, with all that it makes after a few objects."""
    validator = prepared(SimpleNamespace(registry=registry), "apps/v1", "Deployment")
    for _ in range(64):
        validator({})
    return validator
