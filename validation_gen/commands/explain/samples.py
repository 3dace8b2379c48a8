"""Runs the samples of tags: the errors in articles come from the generated validators alone.

`make docs` writes the results into `commands/explain/errors.json`; a test checks that the file is up to date.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from validation_gen.compiler.pipeline import build_program, load_validators
from validation_gen.compiler.settings import Settings
from validation_gen.ir import Program
from validation_gen.rules.refusals import Refusal
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import Level


def refusals() -> dict[str, Refusal]:
    """Returns the samples by tag, in alphabetical order."""
    return {name: rule.refusal for name, rule in catalogue().items() if rule.refusal is not None}


def render_errors() -> str:
    """Returns the text of `commands/explain/errors.json`."""
    found = {
        name: [[error.type.value, error.origin, error.level, str(error)] for error in refused(refusal)]
        for name, refusal in refusals().items()
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def refused(refusal: Refusal, target: str = NEWEST) -> list[FieldError]:
    """Returns the errors of a sample.

    Raises:
        ValueError: the declarations have errors; the text lists them.
    """
    registry = load_validators(program_of(refusal, target))
    kind = registry.of_type("Robot")[0]
    old = json.loads(refusal.old) if refusal.old else None
    obj, options = json.loads(refusal.object), refusal.options
    return registry.run(kind, obj, old, update=old is not None, options=options, level=Level.ALPHA)


def program_of(refusal: Refusal, target: str = NEWEST) -> Program:
    """Returns the program of a sample's declarations.

    Raises:
        ValueError: they have errors; the text lists them.
    """
    with tempfile.TemporaryDirectory() as directory:
        package = Path(directory, "v1")
        package.mkdir()
        (package / "types.go").write_text(f"package v1\n\n{refusal.go}", encoding="utf-8")
        custom = []
        if refusal.custom:
            custom = [str(Path(directory, "checks.py"))]
            Path(custom[0]).write_text(refusal.custom, encoding="utf-8")
        with _alone(directory):
            result = build_program(Settings((str(package),), custom=tuple(custom), target=target, every_type=True))
    if result.diagnostics.has_errors:
        raise ValueError("; ".join(d.message for d in result.diagnostics.sorted()))
    return result.program


@contextmanager
def _alone(directory: str) -> Iterator[None]:
    """Isolates the sample from Go modules around it."""
    before = os.environ.get("GOMODCACHE")
    os.environ["GOMODCACHE"] = directory
    try:
        yield
    finally:
        if before is None:
            del os.environ["GOMODCACHE"]
        else:
            os.environ["GOMODCACHE"] = before
